//! PostgreSQL knows how large its tables are soon after they have grown, so that it plans for what is there.

use pagesmith_testkit::{database, fixtures};

use crate::process::{Instance, KEY, eventually};

#[test]
fn a_table_that_has_grown_is_counted_while_it_is_written() {
    if !database::is_postgres() {
        return;
    }
    let instance = Instance::new();
    let server = instance.serve();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    // By this service: PostgreSQL itself would note a `last_autoanalyze`.
    let question = format!(
        "SELECT CAST(bool_or(last_analyze IS NOT NULL) AS TEXT) FROM pg_stat_user_tables
         WHERE schemaname = '{}' AND (relname = 'pages' OR relname LIKE 'pages_p_')",
        database::schema_of(&instance.database)
    );
    let is_counted = || runtime.block_on(database::ask_at(&instance.database, &question)) == "true";
    assert!(!is_counted());
    eventually("the pages are counted", || {
        server.post("/v0/pages", KEY, &fixtures::page("One more")).expect(201);
        is_counted().then_some(())
    });
    assert!(!server.err.text().contains("plans may be worse"));
}
