//! Copying a whole database from one engine to the other, with `pagesmith copy`, in both directions.
//!
//! The persons and their logs are written into the source while no server holds it: each is a copy of one that was made through the API.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::pairs::Caller;
use crate::report::{Bar, Report};
use crate::setup::{Engine, Setup, Store, key};
use crate::{Result, say};

/// Logs of each person.
const LOGS: u64 = 5;
/// How long the copy may take.
const LIMIT: Duration = Duration::from_mins(10);

/// Both engines read these. Ids are as long as any.
fn rows(persons: u64) -> [String; 2] {
    let numbers = format!(
        "WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < {persons}),
        logs(log) AS (SELECT 0 UNION ALL SELECT log + 1 FROM logs WHERE log + 1 < {LOGS})"
    );
    let person = "'person_0000000000000000' || CAST(1000000000 + number AS TEXT)";
    [
        format!(
            "INSERT INTO person_logs
                (tenant_id, person_id, person_log_id, source, type, payload, created_person, created_at)
             {numbers}
             SELECT tenant_id, {person}, 'personlog_000000000000000' || CAST(10000000000 + {LOGS} * number + log AS TEXT), source, type,
                    payload, created_person, created_at
             FROM person_logs CROSS JOIN numbers CROSS JOIN logs"
        ),
        format!(
            "INSERT INTO persons (tenant_id, person_id, name, email, slug, created_at, updated_at)
             {numbers}
             SELECT tenant_id, {person}, name || ' ' || CAST(number AS TEXT), 'p' || CAST(number AS TEXT) || '@example.com',
                    slug || '-' || CAST(number AS TEXT), created_at, updated_at
             FROM persons CROSS JOIN numbers"
        ),
    ]
}

/// Measures both directions, where there is PostgreSQL.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("copy") || setup.engines().len() < 2 {
        return Ok(());
    }
    let persons = if setup.options.quick { 50_000 } else { 1_000_000 };
    for (from, to) in [(Engine::Sqlite, Engine::Postgres), (Engine::Postgres, Engine::Sqlite)] {
        let (source, target) = (filled(setup, from, persons)?, setup.store(to, "copy-target")?);
        setup.command(&target, &["migrate"])?;
        let begun = Instant::now();
        let copied =
            setup.command(&source, &["copy", "--from", &source.url(), "--to", &target.url(), "--json"])?;
        let took = begun.elapsed();
        let copied: serde_json::Value = serde_json::from_str(&copied)?;
        let name = format!(
            "copy from {} to {}, {persons} persons with {} logs",
            from.name(),
            to.name(),
            persons * LOGS
        );
        say(&format!("{name}: {took:.1?} for {} rows", copied["rows"]))?;
        report.bar(Bar::at_most(name, took.as_secs_f64(), LIMIT.as_secs_f64(), "s"));
    }
    Ok(())
}

/// A database with so many persons.
fn filled(setup: &Setup, engine: Engine, persons: u64) -> Result<Store> {
    let store = setup.store(engine, "copy-source")?;
    let server = setup.serve(&store, "copy", &[])?;
    let log = json!({
        "name": "Ada Park",
        "email": "ada@example.com",
        "source": "website",
        "type": "note",
        "payload": { "text": "Asked for a sample of each size, and whether there is a shop in Lyon." },
    });
    Caller::new(&server, key()).ask("POST", "/v0/person_logs", Some(&log))?;
    server.stop()?;
    for statement in rows(persons) {
        store.execute(&statement)?;
    }
    store.settle()?;
    Ok(store)
}
