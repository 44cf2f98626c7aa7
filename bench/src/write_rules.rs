//! What each rule for writes to PostgreSQL is worth: the same load with all rules and with each of them left out, in turns.
//!
//! The load runs on the store itself, in this process, so that no server has a switch for rules that it needs. Many writers add entries for new
//! persons of one tenant, first by themselves, then beside slow writers that read what the others add; then all of them change one page,
//! first through one store, then through two stores on one database, as two servers would. A write that is given up is a figure here, not an error: it is what some rules prevent.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pagesmith_model::error::Kind;
use pagesmith_model::log::NewPersonLog;
use pagesmith_model::page::{NewPage, PagePatch};
use pagesmith_model::seal::SecretKey;
use pagesmith_model::{Error, PageId, TenantId};
use pagesmith_operations::precondition::Precondition;
use pagesmith_operations::tenants::NewTenant;
use pagesmith_operations::{Platform, logs, pages, tenants};
use pagesmith_store::tables::persons;
use pagesmith_store::{Extent, Store as Database, StoreOptions, Tx, WriteRule};
use serde_json::json;

use crate::report::{Report, WriteRuleRow, median};
use crate::setup::{Engine, Setup};
use crate::{Result, sample, say};

/// Those who write at the same time.
const WRITERS: usize = 64;
/// Those who write beside them in the second part, and read first.
const SLOW_WRITERS: usize = 8;
/// So many of the newest persons a slow writer reads.
const READ: usize = 2_000;
/// Entries that are there before anything is measured: of an empty table the planner knows nothing.
const PREPARED: u64 = 5_000;

/// What is left out, and its name in the report.
const LEFT_OUT: [(Option<WriteRule>, &str); 5] = [
    (None, "nothing"),
    (Some(WriteRule::WriteLimit), "write limit"),
    (Some(WriteRule::SharedCommits), "shared commits"),
    (Some(WriteRule::RunningAlone), "running alone"),
    (Some(WriteRule::Pause), "the pause before a retry"),
];

/// Measures them if that was asked for and there is a PostgreSQL server.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("write-rules") || !setup.engines().contains(&Engine::Postgres) {
        return Ok(());
    }
    let mut rounds = LEFT_OUT.map(|_| Vec::new());
    for _ in 0..setup.options.rounds(3) {
        for ((left_out, _), found) in LEFT_OUT.iter().zip(&mut rounds) {
            found.push(round(setup, *left_out)?);
        }
    }
    for ((_, name), rounds) in LEFT_OUT.iter().zip(rounds) {
        let row = row(name, &rounds);
        say(&row.line())?;
        report.write_rules.push(row);
    }
    Ok(())
}

fn row(left_out: &'static str, rounds: &[Round]) -> WriteRuleRow {
    let of = |figure: fn(&Round) -> f64| median(rounds.iter().map(figure).collect());
    let longest = |of: fn(&Round) -> Duration| rounds.iter().map(of).max().unwrap_or_default();
    let given_up = |round: &Round| {
        [&round.entries, &round.beside_slow, &round.one_page, &round.of_two].map(|found| found.given_up)
    };
    WriteRuleRow {
        left_out,
        entries: of(|round| round.entries.per_second),
        beside_slow: of(|round| round.beside_slow.per_second),
        slow: of(|round| round.beside_slow.slow_per_second),
        longest_slow: longest(|round| round.beside_slow.longest_slow),
        one_page: of(|round| round.one_page.per_second),
        longest_of_page: longest(|round| round.one_page.longest),
        of_two: of(|round| round.of_two.per_second),
        longest_of_two: longest(|round| round.of_two.longest),
        given_up: rounds.iter().flat_map(given_up).sum(),
    }
}

/// What one round found.
struct Round {
    entries: WriteFigures,
    beside_slow: WriteFigures,
    one_page: WriteFigures,
    of_two: WriteFigures,
}

/// What a part of a round found.
struct WriteFigures {
    per_second: f64,
    slow_per_second: f64,
    longest: Duration,
    longest_slow: Duration,
    given_up: u64,
}

/// All parts, on a database of their own: conflicts depend on how much a table holds.
fn round(setup: &Setup, left_out: Option<WriteRule>) -> Result<Round> {
    let store = setup.store(Engine::Postgres, "write-rules")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let options = StoreOptions { disabled_rule: left_out, ..StoreOptions::new(store.url().parse()?) };
    let [database, other] = [Database::open(options.clone())?, Database::open(options)?];
    let load = runtime.block_on(async {
        database.migrate().await?;
        let load = Load::on(&database).await?;
        let counts = Arc::default();
        load.run(&[Work::Entry; WRITERS], &counts, |counts| {
            counts.of(Work::Entry).done.load(Ordering::Relaxed) < PREPARED
        })
        .await?;
        Ok::<_, crate::Failure>(load)
    })?;
    store.settle()?;
    let mut with_slow = [Work::Entry; WRITERS + SLOW_WRITERS];
    with_slow[WRITERS..].fill(Work::SlowEntry);
    let round = runtime.block_on(async {
        Ok::<_, crate::Failure>(Round {
            entries: load.measured(setup, &[Work::Entry; WRITERS]).await?,
            beside_slow: load.measured(setup, &with_slow).await?,
            one_page: load.measured(setup, &[Work::OnePage; WRITERS]).await?,
            of_two: load.and(&other).measured(setup, &[Work::OnePage; WRITERS]).await?,
        })
    })?;
    runtime.block_on(async {
        database.close().await?;
        other.close().await
    })?;
    Ok(round)
}

/// What a writer does again and again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    /// Adds an entry for a new person.
    Entry,
    /// The same, after it has read the newest persons.
    SlowEntry,
    /// Changes the name of the one page.
    OnePage,
}

/// What the writers have done since something was begun.
#[derive(Default)]
struct Counts {
    fast: Count,
    slow: Count,
    given_up: AtomicU64,
}

#[derive(Default)]
struct Count {
    done: AtomicU64,
    longest_micros: AtomicU64,
}

impl Counts {
    fn of(&self, work: Work) -> &Count {
        if work == Work::SlowEntry { &self.slow } else { &self.fast }
    }
}

impl Count {
    fn add(&self, took: Duration) {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.longest_micros.fetch_max(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn longest(&self) -> Duration {
        Duration::from_micros(self.longest_micros.load(Ordering::Relaxed))
    }
}

/// The writers' tenant and its page.
#[derive(Clone)]
struct Load {
    /// One for each server; the writers are spread over them.
    databases: Vec<Database>,
    platform: Arc<Platform>,
    tenant: TenantId,
    page: PageId,
    /// Tells one write from another.
    serial: Arc<AtomicU64>,
}

impl Load {
    async fn on(database: &Database) -> Result<Load> {
        let platform = Platform::system();
        platform.keep_secret(SecretKey::new([7; 32]));
        let new = NewTenant { name: "Bench".to_owned(), slug: None, default_region: None };
        let page: NewPage = serde_json::from_str(&sample::create_body())?;
        let ctx = platform.context();
        let made = database.write(move |tx| {
            let tenant = tenants::create(tx, &ctx, &new)?.tenant_id;
            let ctx = ctx.of(tenant.clone());
            let page = pages::create(tx, &ctx, &pages::prepare(&ctx, page.clone())?)?;
            Ok((tenant, page.page_id))
        });
        let (tenant, page) = made.await?;
        Ok(Load { databases: vec![database.clone()], platform, tenant, page, serial: Arc::default() })
    }

    /// The same on another store of the database as well.
    fn and(mut self, other: &Database) -> Load {
        self.databases.push(other.clone());
        self
    }

    /// What these writers do in the time that is measured.
    async fn measured(&self, setup: &Setup, writers: &[Work]) -> Result<WriteFigures> {
        let warm_up = Instant::now() + setup.options.warm_up;
        self.run(writers, &Arc::default(), move |_| Instant::now() < warm_up).await?;
        let (counts, begun) = (Arc::default(), Instant::now());
        let end = begun + setup.options.measured;
        self.run(writers, &counts, move |_| Instant::now() < end).await?;
        let seconds = begun.elapsed().as_secs_f64();
        let per_second = |count: &Count| count.done.load(Ordering::Relaxed) as f64 / seconds;
        Ok(WriteFigures {
            per_second: per_second(&counts.fast),
            slow_per_second: per_second(&counts.slow),
            longest: counts.fast.longest(),
            longest_slow: counts.slow.longest(),
            given_up: counts.given_up.load(Ordering::Relaxed),
        })
    }

    /// Lets these writers work as long as `goes_on` says, and until the last write of each has ended.
    async fn run(
        &self,
        writers: &[Work],
        counts: &Arc<Counts>,
        goes_on: impl Fn(&Counts) -> bool + Copy + Send + 'static,
    ) -> Result<()> {
        let writers = writers.iter().zip(self.databases.iter().cycle()).map(|(work, database)| {
            let (load, database) = (self.clone(), database.clone());
            let (counts, work) = (Arc::clone(counts), *work);
            tokio::spawn(async move {
                while goes_on(&counts) {
                    let begun = Instant::now();
                    match load.write(&database, work).await {
                        Ok(()) => counts.of(work).add(begun.elapsed()),
                        Err(error) if matches!(error.kind(), Kind::Unavailable(_)) => {
                            counts.given_up.fetch_add(1, Ordering::Relaxed);
                        }
                        Err(error) => return Err(error),
                    }
                }
                Ok(())
            })
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await??;
        }
        Ok(())
    }

    async fn write(&self, database: &Database, work: Work) -> Result<(), Error> {
        let serial = self.serial.fetch_add(1, Ordering::Relaxed);
        let ctx = self.platform.context().of(self.tenant.clone());
        let tenant = database.for_tenant(&self.tenant);
        if work == Work::OnePage {
            let patch = PagePatch { name: Some(format!("Page {serial}")), ..PagePatch::default() };
            let page = self.page.clone();
            let write =
                move |tx: &mut Tx<'_>| pages::update(tx, &ctx, &page, &patch, &Precondition::Unconditional);
            return tenant.write(write).await.map(drop);
        }
        let entry =
            json!({ "email": format!("person-{serial}@example.com"), "source": "bench", "type": "note" });
        let new: NewPersonLog = serde_json::from_value(entry).map_err(Error::internal)?;
        let write = move |tx: &mut Tx<'_>| {
            if work == Work::SlowEntry {
                persons::list(tx, &ctx.tenant, None, Extent::of_items(READ))?;
            }
            logs::persons::create(tx, &ctx, &new)
        };
        tenant.write(write).await.map(drop)
    }
}
