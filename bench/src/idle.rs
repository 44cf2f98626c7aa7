//! What a server costs that has many tenants and nothing to do.
//!
//! The tenants and subscriptions are written into the database while no server holds it: each is a copy of one that was made through
//! the API. Tasks that run once an hour have had their first round by then, and no other one in so short a time.

use std::time::Duration;

use crate::pairs::Caller;
use crate::report::{Bar, Report};
use crate::server::usage;
use crate::setup::{Setup, key};
use crate::{Result, say};

/// Subscriptions of each tenant.
const SUBSCRIPTIONS: u64 = 10;
/// After the start, before it is measured: two minutes after it every task has its first round, also those that look at every tenant once an hour.
const SETTLING: Duration = Duration::from_secs(150);
/// How much of a core it may take.
const LIMIT: f64 = 2.0;

/// Both engines read these. Ids are as long as any.
fn copies(tenants: u64) -> [String; 2] {
    let numbers = format!(
        "WITH RECURSIVE numbers(number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number + 1 < {tenants}),
        tens(ten) AS (SELECT 0 UNION ALL SELECT ten + 1 FROM tens WHERE ten + 1 < {SUBSCRIPTIONS})"
    );
    let of_number = "'tenant_00000000000000000000' || CAST(100000 + number AS TEXT)";
    [
        format!(
            "INSERT INTO tenants (tenant_id, name, slug, created_at, default_region)
             {numbers}
             SELECT {of_number}, name, 'idle-' || CAST(number AS TEXT), created_at, default_region
             FROM tenants CROSS JOIN numbers"
        ),
        format!(
            "INSERT INTO webhook_subscriptions
                (tenant_id, subscription_id, url, events, event_bits, active, secrets, created_at, updated_at)
             {numbers}
             SELECT {of_number}, 'sub_0000000000000000000' || CAST(1000000 + 10 * number + ten AS TEXT), url, events, event_bits,
                    active, secrets, created_at, updated_at
             FROM webhook_subscriptions CROSS JOIN numbers CROSS JOIN tens"
        ),
    ]
}

/// Measures the chosen engines.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("idle") {
        return Ok(());
    }
    let (tenants, lasts) = if setup.options.quick { (1_000, 20) } else { (10_000, 120) };
    for engine in setup.engines() {
        let store = setup.store(engine, "idle")?;
        let server = setup.serve(&store, "idle", &[])?;
        Caller::new(&server, key()).subscribe("https://receiver.example/hook")?;
        server.stop()?;
        for statement in copies(tenants) {
            store.execute(&statement)?;
        }
        store.settle()?;
        let server = setup.serve(&store, "idle", &[])?;
        std::thread::sleep(SETTLING);
        let before = usage(server.pid())?.cpu;
        std::thread::sleep(Duration::from_secs(lasts));
        let used = usage(server.pid())?;
        server.stop()?;
        let share = (used.cpu - before).as_secs_f64() / Duration::from_secs(lasts).as_secs_f64() * 100.0;
        let name = format!(
            "{}, {tenants} tenants with {} subscriptions and nothing to do",
            engine.name(),
            tenants * SUBSCRIPTIONS
        );
        say(&format!("{name}: {share:.2} % of a core, {} MiB", used.resident_bytes >> 20))?;
        report.bar(Bar::at_most(format!("CPU, {name}"), share, LIMIT, "% of a core"));
    }
    Ok(())
}
