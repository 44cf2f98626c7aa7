//! Transactions that conflict with others.

use pagesmith_store::tables::revisions;
use pagesmith_testkit::database::{self, TestDatabase};

/// With another server that writes the same row, some writes need many attempts: their number is no reason to give one up.
#[tokio::test]
async fn a_write_that_conflicts_a_hundred_times_is_made_all_the_same() {
    if !database::is_postgres() {
        return;
    }
    let database = TestDatabase::migrated().await;
    let store = database.open_with(|options| options.connections = 1);
    let mut conflicts = 0;
    let write = store.write(move |tx| {
        tx.run(revisions::raise("raced"))?;
        if conflicts < 100 {
            conflicts += 1;
            return Err(pagesmith_store::fault::retry("on purpose"));
        }
        Ok(conflicts)
    });
    assert_eq!(write.await.unwrap(), 100);
    let raised = store.read(|tx| revisions::find(tx, "raced")).await.unwrap();
    assert_eq!(raised, 1);
}
