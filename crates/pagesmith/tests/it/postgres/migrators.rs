//! Two programs that migrate at once: one waits for the other, also on a database whose nodes do not share advisory locks.

use std::thread::JoinHandle;

use pagesmith_testkit::database::{self, Held, TestDatabase, ask_at, execute_at};

use crate::process::{Finished, Instance, eventually};

/// A database whose advisory locks keep nobody away, as those of another node do not.
async fn database() -> TestDatabase {
    let mut database = TestDatabase::create().await;
    // A function of ours is found before PostgreSQL's; and the operator wants other transactions than we do.
    let own_first = "search_path%3Dtests%2Cpg_catalog%20-c%20default_transaction_isolation%3Dserializable";
    database.address = database.address.replace("search_path%3Dtests%2Cpublic", own_first);
    let function = "CREATE FUNCTION tests.pg_advisory_xact_lock(bigint) RETURNS void LANGUAGE sql AS ''";
    execute_at(&database.address, function).await;
    database
}

/// A migrator at work; what it has applied.
fn migrate(database: &str) -> JoinHandle<Finished> {
    let instance = Instance::at(database.to_owned());
    std::thread::spawn(move || instance.run(&["migrate"]))
}

/// The processes that wait for a lock, with those they wait for, by their age.
fn waiting(address: &str) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let waiting = runtime.block_on(ask_at(
        address,
        "SELECT coalesce(string_agg(pid || ' for ' || array_to_string(pg_blocking_pids(pid), ','), ';' ORDER BY backend_start), '')
         FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    ));
    waiting.split_terminator(';').map(str::to_owned).collect()
}

#[test]
fn a_migrator_of_another_node_waits_for_the_first_migration_to_end() {
    if !database::is_postgres() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let database = runtime.block_on(database());
    // It keeps the first migrator in the middle of its work.
    let held = Held::open(&database.address, "CREATE TABLE tests.tenants (a TEXT)");
    let first = migrate(&database.address);
    let is_kept = eventually("the first is kept", || {
        assert!(!first.is_finished(), "it was not kept");
        waiting(&database.address).pop()
    });
    let second = migrate(&database.address);
    let both = eventually("the second waits", || {
        let waiting = waiting(&database.address);
        assert!(!second.is_finished(), "it did not wait");
        (waiting.len() == 2).then_some(waiting)
    });
    let (first_process, _) = is_kept.split_once(' ').unwrap();
    assert!(
        both.iter().any(|waits| waits.ends_with(&format!(" for {first_process}"))),
        "{is_kept}, {both:?}"
    );
    drop(held);
    let first = first.join().unwrap().success();
    assert!(first.contains("0001_foundation"), "{first}");
    assert_eq!(second.join().unwrap().success(), "nothing to do\n");
    let left = runtime.block_on(ask_at(
        &database.address,
        "SELECT count(*)::text FROM schema_migrations WHERE name !~ '^[0-9]{4}_'",
    ));
    assert_eq!(left, "0", "an older server would take another row for a newer migration");
}
