//! The database that the migrations make: the same on both engines, and as `migrations/schema.sql` shows it.

use pagesmith_store::SchemaState;
use pagesmith_testkit::TestApp;
use pagesmith_testkit::database::is_postgres;

const SCHEMA: &str = include_str!("../../../../migrations/schema.sql");

#[tokio::test]
async fn the_migrations_make_the_tables_that_are_checked_in() {
    let app = TestApp::start().await;
    assert_eq!(app.store.describe().await.unwrap(), SCHEMA, "`cargo x gen` writes the file");
}

#[tokio::test]
async fn a_migrated_database_is_found_healthy() {
    let app = TestApp::start().await;
    let diagnosis = app.store.diagnose().await.unwrap();
    assert_eq!(diagnosis.schema, SchemaState::default());
    assert_eq!(diagnosis.problems, Vec::<String>::new());
    assert!(diagnosis.characters.are_unicode(), "{diagnosis:?}");
    let engine = if is_postgres() { "PostgreSQL" } else { "SQLite" };
    assert!(diagnosis.version.starts_with(engine), "{}", diagnosis.version);
    assert_eq!(diagnosis.clock.is_some(), is_postgres());
}
