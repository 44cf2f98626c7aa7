//! The list of one person's entries, among ten million entries of others and among ten thousand.
//!
//! The entries of others are written into the file while no server holds it: through the API they would take an hour, and
//! they differ in nothing but their number.

use std::sync::Arc;

use rusqlite::{Connection, params};

use crate::report::{Bar, Report, median};
use crate::request::Template;
use crate::scenarios::measure_any;
use crate::server::Server;
use crate::setup::{Engine, Setup, Store, key};
use crate::{Result, client, say};

/// Entries of the person whose list is asked for.
const OWN: usize = 100;

const FILL: &str = "
    WITH RECURSIVE numbers(number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number + 1 < ?1)
    INSERT INTO person_logs
        (tenant_id, person_id, person_log_id, source, type, payload, created_person, created_at)
    SELECT (SELECT tenant_id FROM tenants), printf('person_00%024d', number / 100),
           printf('personlog_00%024d', number), 'website', 'form-submitted', '{\"form\":\"Ask for a call\"}', 0,
           1780000000000000 + number
    FROM numbers";

/// Measures SQLite, if it was asked for.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("history") || !setup.options.wants_engine("sqlite") {
        return Ok(());
    }
    let (few, many) = (10_000, if setup.options.quick { 1_000_000 } else { 10_000_000 });
    say(&format!("SQLite: preparing {many} entries of logs"))?;
    let (small, small_list) = among(setup, "history-few", few)?;
    let (large, large_list) = among(setup, "history-many", many)?;
    let mut times = (Vec::new(), Vec::new());
    for _ in 0..setup.options.rounds(5) {
        let below = measure_any(setup, &small, &small_list, 16)?;
        let above = measure_any(setup, &large, &large_list, 16)?;
        say(&format!("SQLite: list among {few} {:?}, among {many} {:?} (p50)", below.p50, above.p50))?;
        report.note_errors("list among few", &below);
        report.note_errors("list among many", &above);
        times.0.push(below.p50.as_secs_f64());
        times.1.push(above.p50.as_secs_f64());
    }
    let name =
        format!("list 20 of a person's {OWN} logs, SQLite: p50 among {many} logs over p50 among {few}");
    report.bar(Bar::at_most(name, median(times.1) / median(times.0), 1.3, "×"));
    Ok(())
}

/// A server whose person has its own entries among so many of others, and the request for the list.
fn among(setup: &Setup, name: &str, count: i64) -> Result<(Server, Template)> {
    let store = setup.store(Engine::Sqlite, name)?;
    let Store::Sqlite(url) = &store else { return Err("not an SQLite database".into()) };
    let server = setup.serve(&store, name, &[])?;
    let body = r#"{"email":"reader@northwind.example","source":"website","type":"visit","payload":{"page":"/frost"}}"#;
    let entry = Template::new("POST", "/v0/person_logs", Some(body), key(), &Arc::default());
    client::send(server.address, &entry, OWN)?;
    let (_, _, answer) = client::fetch(server.address, &entry)?;
    let answer: serde_json::Value = serde_json::from_slice(&answer)?;
    let person_id = answer["personId"].as_str().ok_or("an entry without a person")?.to_owned();
    server.stop()?;

    let connection = Connection::open(url.trim_start_matches("sqlite:"))?;
    // Nothing of this must survive a crash.
    connection.pragma_update(None, "synchronous", "off")?;
    connection.execute(FILL, params![count])?;
    connection.close().map_err(|(_, error)| error)?;

    let server = setup.serve(&store, name, &[])?;
    let path = format!("/v0/persons/{person_id}/logs?limit=20");
    Ok((server, Template::new("GET", &path, None, key(), &Arc::default())))
}
