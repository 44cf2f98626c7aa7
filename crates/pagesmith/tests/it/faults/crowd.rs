//! Many transactions that all read what all of them write: each is stopped by the others, and yet every one must end.

use futures_util::future::join_all;
use pagesmith_model::TenantId;
use pagesmith_store::tables::counters;
use pagesmith_testkit::database::TestDatabase;

const CROWD: i64 = 200;

#[tokio::test]
async fn whoever_reads_what_everyone_writes_gets_through() {
    let database = TestDatabase::migrated().await;
    let store = database.open_with(|options| options.connections = 8);
    let tenant = TenantId::parse("tenant_01h2xcejqtf2nbrexx3vqjhp41").unwrap();
    let crowd = (0..CROWD).map(|number| {
        let (store, tenant) = (store.clone(), tenant.clone());
        let write = move |tx: &mut pagesmith_store::Tx<'_>| {
            // The sum of all shards is read, and one shard is written: no two of these can run side by side.
            // One in ten takes long, so that others come and go meanwhile.
            for _ in 0..if number % 10 == 0 { 10 } else { 0 } {
                tx.all(counters::count(&tenant, "crowd"))?;
            }
            let before = counters::total(&tx.all(counters::count(&tenant, "crowd"))?)?;
            tx.all(counters::add(&tenant, "crowd", number % 64, 1))?;
            Ok(before)
        };
        tokio::spawn(async move { store.write(write).await })
    });
    let mut seen = Vec::new();
    for ended in join_all(crowd).await {
        seen.push(ended.unwrap().expect("every transaction ends"));
    }
    seen.sort_unstable();
    assert_eq!(seen, (0..CROWD as u64).collect::<Vec<_>>(), "each saw the ones before it and no other");
}
