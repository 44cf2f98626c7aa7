//! Changes whose answers nobody needs: on PostgreSQL they are sent with what comes next, and still belong to their transaction.

use pagesmith_model::{Error, PageId, Result, TenantId};
use pagesmith_store::tables::{counters, pages};
use pagesmith_store::{Query, Store, Tx};
use pagesmith_testkit::database::{self, TestDatabase};

fn tenant() -> TenantId {
    TenantId::parse(&format!("tenant_{}", "0".repeat(26))).unwrap()
}

fn page(number: usize) -> PageId {
    PageId::parse(&format!("page_{number:026}")).unwrap()
}

/// A page's name, and that there is one page more.
fn shown(number: usize) -> Vec<Query> {
    vec![
        pages::names::insert(&tenant(), &page(number), "Name"),
        counters::add(&tenant(), counters::PAGES, 0, 1),
    ]
}

fn counted(tx: &mut Tx<'_>) -> Result<u64> {
    counters::total(&tx.all(counters::count(&tenant(), counters::PAGES))?)
}

/// One connection, so that whatever a transaction left behind would be found by the next.
async fn store() -> (TestDatabase, Store) {
    let database = TestDatabase::migrated().await;
    let store = database.open_with(|options| options.connections = 1);
    (database, store)
}

#[tokio::test]
async fn changes_are_there_for_what_comes_next_and_after_the_commit() {
    let (_database, store) = store().await;
    let seen = store.write(|tx| {
        tx.change(shown(1))?;
        tx.change(shown(2))?;
        let seen = counted(tx)?;
        tx.change(shown(3))?;
        Ok(seen)
    });
    assert_eq!(seen.await.unwrap(), 2);
    assert_eq!(store.read(counted).await.unwrap(), 3);
    store.write(|tx| tx.change(vec![])).await.unwrap();
    // More than travel together.
    store.write(|tx| (4..54).try_for_each(|number| tx.change(shown(number)))).await.unwrap();
    assert_eq!(store.read(counted).await.unwrap(), 53);
}

#[tokio::test]
async fn changes_of_whoever_is_refused_are_not_made() {
    let (_database, store) = store().await;
    let refused = store.write(|tx| {
        tx.change(shown(1))?;
        Err::<(), _>(Error::conflict("no"))
    });
    refused.await.unwrap_err();
    store.write(|tx| tx.change(shown(2))).await.unwrap();
    assert_eq!(store.read(counted).await.unwrap(), 1);
}

#[tokio::test]
async fn a_change_that_loses_a_race_is_made_anew_with_all_of_its_transaction() {
    if !database::is_postgres() {
        return;
    }
    let (_database, store) = store().await;
    store.write(|tx| tx.change(shown(1))).await.unwrap();
    for asks_more in [true, false] {
        let mut runs = 0;
        let written = store.write(move |tx| {
            runs += 1;
            // As if somebody had made the page just before.
            tx.change(shown(if runs == 1 { 1 } else { 2 + usize::from(asks_more) }))?;
            if asks_more {
                counted(tx)?;
            }
            Ok(runs)
        });
        assert_eq!(written.await.unwrap(), 2, "{asks_more}");
    }
    assert_eq!(store.read(counted).await.unwrap(), 3);
}
