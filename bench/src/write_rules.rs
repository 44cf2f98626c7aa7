//! What each rule for writes to PostgreSQL is worth: the same load with all rules and with each of them left out, in turns.
//!
//! The load runs on the store itself, in this process, so that no server has a switch for rules that it needs. Many writers add entries for new
//! persons of one tenant, first by themselves, then beside slow writers that read what the others add: those are the transactions
//! that conflict again and again. A write that is given up is a figure here, not an error: it is what some rules prevent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pagesmith_model::TenantId;
use pagesmith_model::error::Kind;
use pagesmith_model::log::NewPersonLog;
use pagesmith_operations::tenants::NewTenant;
use pagesmith_operations::{Platform, logs, tenants};
use pagesmith_store::tables::persons;
use pagesmith_store::{Extent, Store as Database, StoreOptions, WriteRule};
use serde_json::json;

use crate::report::{Report, WriteRuleRow, median};
use crate::setup::{Engine, Setup};
use crate::{Result, say};

/// Those who add entries at the same time.
const WRITERS: usize = 64;
/// Those who read what the others add, in the second part.
const SLOW_WRITERS: usize = 8;
/// So many of the newest persons a slow writer reads.
const READ: usize = 200;

/// What is left out, and its name in the report.
const LEFT_OUT: [(Option<WriteRule>, &str); 6] = [
    (None, "nothing"),
    (Some(WriteRule::WriteLimit), "write limit"),
    (Some(WriteRule::SharedCommits), "shared commits"),
    (Some(WriteRule::Turns), "taking turns"),
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
        let row = WriteRuleRow {
            left_out: name,
            entries: median(rounds.iter().map(|round| round.by_themselves.entries).collect()),
            beside_slow: median(rounds.iter().map(|round| round.beside_slow.entries).collect()),
            slow: median(rounds.iter().map(|round| round.beside_slow.slow).collect()),
            longest: rounds.iter().map(|round| round.beside_slow.longest).max().unwrap_or_default(),
            given_up: rounds
                .iter()
                .map(|round| round.by_themselves.given_up + round.beside_slow.given_up)
                .sum(),
        };
        say(&row.line())?;
        report.write_rules.push(row);
    }
    Ok(())
}

/// What one round found.
struct Round {
    by_themselves: Found,
    beside_slow: Found,
}

/// Writes a second, the longest of the slow ones, and how many were given up.
struct Found {
    entries: f64,
    slow: f64,
    longest: Duration,
    given_up: u64,
}

/// Both parts, on a database of their own: conflicts depend on how much a table holds.
fn round(setup: &Setup, left_out: Option<WriteRule>) -> Result<Round> {
    let store = setup.store(Engine::Postgres, "write-rules")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let database = Database::open(StoreOptions { left_out, ..StoreOptions::new(store.url().parse()?) })?;
    let round = runtime.block_on(async {
        database.migrate().await?;
        let load = Load::on(&database).await?;
        let by_themselves = load.measured(setup, 0).await?;
        let beside_slow = load.measured(setup, SLOW_WRITERS).await?;
        Ok::<_, crate::Failure>(Round { by_themselves, beside_slow })
    })?;
    runtime.block_on(database.close())?;
    Ok(round)
}

/// The writers' tenant, and what they have done.
#[derive(Clone)]
struct Load {
    database: Database,
    platform: Arc<Platform>,
    tenant: TenantId,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    /// Tells one person from another.
    persons: AtomicU64,
    entries: AtomicU64,
    slow: AtomicU64,
    given_up: AtomicU64,
    longest_micros: AtomicU64,
}

impl Load {
    async fn on(database: &Database) -> Result<Load> {
        let platform = Platform::system();
        let (ctx, new) =
            (platform.context(), NewTenant { name: "Bench".to_owned(), slug: None, default_region: None });
        let tenant = database.write(move |tx| tenants::create(tx, &ctx, &new)).await?.tenant_id;
        Ok(Load { database: database.clone(), platform, tenant, counts: Arc::default() })
    }

    /// The writers beside so many slow ones.
    async fn measured(&self, setup: &Setup, slow: usize) -> Result<Found> {
        let ended = Arc::new(AtomicBool::new(false));
        let writers = (0..WRITERS + slow).map(|number| {
            let (load, ended) = (self.clone(), Arc::clone(&ended));
            tokio::spawn(async move {
                while !ended.load(Ordering::Relaxed) {
                    load.write(number >= WRITERS).await?;
                }
                Ok::<_, pagesmith_model::Error>(())
            })
        });
        let writers: Vec<_> = writers.collect();
        tokio::time::sleep(setup.options.warm_up).await;
        let counts = &self.counts;
        counts.longest_micros.store(0, Ordering::Relaxed);
        let before =
            [&counts.entries, &counts.slow, &counts.given_up].map(|count| count.load(Ordering::Relaxed));
        let begun = Instant::now();
        tokio::time::sleep(setup.options.measured).await;
        let after =
            [&counts.entries, &counts.slow, &counts.given_up].map(|count| count.load(Ordering::Relaxed));
        let seconds = begun.elapsed().as_secs_f64();
        ended.store(true, Ordering::Relaxed);
        for writer in writers {
            writer.await??;
        }
        let per_second = |at: usize| (after[at] - before[at]) as f64 / seconds;
        Ok(Found {
            entries: per_second(0),
            slow: per_second(1),
            longest: Duration::from_micros(counts.longest_micros.load(Ordering::Relaxed)),
            given_up: after[2] - before[2],
        })
    }

    /// Adds an entry for a new person; a slow writer reads the newest persons before.
    async fn write(&self, is_slow: bool) -> Result<(), pagesmith_model::Error> {
        let counts = &self.counts;
        let number = counts.persons.fetch_add(1, Ordering::Relaxed);
        let entry =
            json!({ "email": format!("person-{number}@example.com"), "source": "bench", "type": "note" });
        let new: NewPersonLog = serde_json::from_value(entry).map_err(pagesmith_model::Error::internal)?;
        let ctx = self.platform.context().of(self.tenant.clone());
        let begun = Instant::now();
        let written = self
            .database
            .for_tenant(&self.tenant)
            .write(move |tx| {
                if is_slow {
                    persons::list(tx, &ctx.tenant, None, Extent::of_items(READ))?;
                }
                logs::persons::create(tx, &ctx, &new)
            })
            .await;
        match written {
            Ok(_) if is_slow => {
                counts.slow.fetch_add(1, Ordering::Relaxed);
                let took = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
                counts.longest_micros.fetch_max(took, Ordering::Relaxed);
            }
            Ok(_) => {
                counts.entries.fetch_add(1, Ordering::Relaxed);
            }
            Err(error) if matches!(error.kind(), Kind::Unavailable(_)) => {
                counts.given_up.fetch_add(1, Ordering::Relaxed);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
