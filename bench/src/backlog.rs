//! A backlog of a million due deliveries, as after a long outage of receivers: is its end taken as fast as its beginning?
//!
//! The deliveries are written into the file while no server holds it: through the API they would take long, and no receiver could be
//! kept away meanwhile.

use std::time::{Duration, Instant};

use rusqlite::{Connection, params};

use crate::pairs::Caller;
use crate::receiver::{Receivers, STEP};
use crate::report::{Bar, Report};
use crate::server::usage;
use crate::setup::{Engine, Setup, Store, key};
use crate::{Result, deliveries, say};

/// Subscriptions; each event waits for all of them.
const QUEUES: u64 = 10;
/// How many at either end are compared.
const END: u64 = 10_000;
/// How long the whole may take.
const TIME_LIMIT: Duration = Duration::from_secs(600);

// Their ids are of the time when the subscriptions were made: what is older than thirty days would be swept away instead of sent.
const EVENTS: &str = "
    WITH RECURSIVE
        numbers(number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number + 1 < ?1),
        made(tenant_id, time, at) AS (
            SELECT tenant_id, substr(subscription_id, 5, 10), created_at FROM webhook_subscriptions LIMIT 1)
    INSERT INTO events (tenant_id, event_id, type, body, created_at)
    SELECT tenant_id, printf('event_%s%016d', time, number), 'page.version.published',
           printf('{\"timestamp\":\"2026-05-28T20:26:40.000Z\",\"eventId\":\"event_%s%016d\",\"payload\":{\"type\":\"page.version.published\",\"pageId\":\"page_000000000000000000backlog\",\"versionId\":\"version_000000000000000000backlog\",\"publishedAt\":\"2026-05-28T20:26:40.000Z\"}}', time, number),
           at + number
    FROM numbers, made";

const DELIVERIES: &str = "
    INSERT INTO deliveries
        (tenant_id, subscription_id, event_id, stage, ready_at, tries, attempts, created_at, updated_at)
    SELECT s.tenant_id, s.subscription_id, e.event_id, 'waiting', e.created_at, 0, 0, e.created_at, e.created_at
    FROM webhook_subscriptions s JOIN events e ON e.tenant_id = s.tenant_id
    ORDER BY s.tenant_id, s.subscription_id, e.event_id";

/// Measures SQLite, if it was asked for.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("backlog") || !setup.options.wants_engine("sqlite") {
        return Ok(());
    }
    let total = if setup.options.quick { 50_000 } else { 1_000_000 };
    let store = setup.store(Engine::Sqlite, "backlog")?;
    let Store::Sqlite(url) = &store else { return Err("not an SQLite database".into()) };
    let receivers = Receivers::start(usize::try_from(QUEUES)?)?;
    let server = setup.serve(&store, "backlog", &[deliveries::HERE])?;
    let caller = Caller::new(&server, key());
    for url in &receivers.urls {
        caller.subscribe(url)?;
    }
    server.stop()?;
    say(&format!("SQLite: preparing {total} due deliveries"))?;
    let connection = Connection::open(url.trim_start_matches("sqlite:"))?;
    // Nothing of this must survive a crash.
    connection.pragma_update(None, "synchronous", "off")?;
    connection.execute(EVENTS, params![i64::try_from(total / QUEUES)?])?;
    connection.execute(DELIVERIES, [])?;
    connection.close().map_err(|(_, error)| error)?;

    let begun = Instant::now();
    let server = setup.serve(&store, "backlog", &[deliveries::HERE])?;
    receivers.wait_for(total, TIME_LIMIT)?;
    let (took, peak) = (begun.elapsed(), usage(server.pid())?.peak_bytes);
    // The first, then every thousandth.
    let times = receivers.times();
    let at = |count: u64| times.get((count / STEP) as usize).copied().ok_or("an arrival is missing");
    let rate = |from: u64, to: u64| -> Result<f64> {
        let took = at(to)? - at(from)?;
        Ok((to - from) as f64 / took.as_secs_f64())
    };
    let (first, last) = (rate(0, END)?, rate(total - END, total)?);
    let tenth = total / 10;
    let tenths =
        (0..10).map(|number| rate(number * tenth, (number + 1) * tenth)).collect::<Result<Vec<_>>>()?;
    let tenths: Vec<String> = tenths.iter().map(|rate| format!("{rate:.0}")).collect();
    say(&format!("SQLite: a second, in each tenth of the backlog: {}", tenths.join(", ")))?;
    say(&format!(
        "SQLite: backlog of {total} sent in {took:?}; the first {END} at {first:.0} a second, the last at {last:.0}"
    ))?;
    let name = format!("backlog of {total} due deliveries, SQLite");
    report.bar(Bar::at_least(
        format!("{name}: rate of the last {END} over the first"),
        last / first,
        1.0,
        "×",
    ));
    let mebibytes = peak as f64 / f64::from(1 << 20);
    report.bar(Bar::at_most(format!("{name}: memory, peak"), mebibytes, 150.0, "MiB"));
    Ok(())
}
