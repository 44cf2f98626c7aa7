//! Every operation of a tenant stays within the tenant's own partition: the others are locked, and nothing waits for them.
//!
//! This is what a cluster needs that keeps each tenant on one of many nodes. A statement that looked at the others as well would wait for
//! the locks until its time is over, and be answered with 503.

use std::time::Duration;

use pagesmith_http::routes::routes;
use pagesmith_model::TenantId;
use pagesmith_testkit::database::{Held, PARTITIONS, ask_at, is_sharded};
use pagesmith_testkit::samples::owned::Owned;
use pagesmith_testkit::{Client, TestApp};

/// The number of the partitions that have a tenant's rows.
pub async fn partition_of(address: &str, tenant: &TenantId) -> usize {
    let own = format!(
        "SELECT CAST(n AS TEXT) FROM generate_series(0, {}) n
         WHERE satisfies_hash_partition('pages'::regclass, {PARTITIONS}, n, '{tenant}'::text COLLATE \"C\")",
        PARTITIONS - 1
    );
    ask_at(address, &own).await.parse().unwrap()
}

/// Locks every partition but those of one tenant, until the answer is dropped.
pub async fn lock_others(app: &TestApp, tenant: &TenantId) -> Held {
    let address = app.database.address.clone();
    let own = partition_of(&address, tenant).await;
    let others = format!(
        "SELECT string_agg(CAST(CAST(c.oid AS REGCLASS) AS TEXT), ', ') FROM pg_class c
         WHERE c.relispartition AND c.relkind = 'r' AND c.relnamespace = CAST(current_schema() AS REGNAMESPACE)
            AND c.relname NOT LIKE '%\\_p{own}'"
    );
    let others = ask_at(&address, &others).await;
    assert!(others.split(", ").count() > 30 * (PARTITIONS - 1), "{others}");
    tokio::task::spawn_blocking(move || {
        Held::open(&address, &format!("LOCK TABLE {others} IN ACCESS EXCLUSIVE MODE"))
    })
    .await
    .unwrap()
}

/// What each operation answers to a request that it takes: the first digit of the status.
async fn answers(client: &Client, first: usize) -> Vec<(&'static str, u16)> {
    let mut answers = Vec::new();
    // Keys are declared to go across tenants: one that others have as well is an operator's, and not the tenant's to see.
    let is_of_tenant = |path: &str| path.starts_with("/v0/") && !path.starts_with("/v0/keys");
    let of_tenants = routes().into_iter().filter(|route| is_of_tenant(route.path));
    let read = Owned::make(client, first).await;
    for (number, route) in of_tenants.enumerate() {
        // Each that changes something has a set of its own: some delete what they are about.
        let changed =
            if route.method == "GET" { None } else { Some(Owned::make(client, first + 1 + number).await) };
        let owned = changed.as_ref().unwrap_or(&read);
        let keyed = client.with("idempotency-key", &format!("{first}-{number}"));
        let caller = if route.method == "GET" { client } else { &keyed };
        let body = owned.body(&route);
        let answer = caller.send(route.method, &owned.fill(route.path), body).await;
        // Some make what the first round has made: 200 there, and 201 before.
        answers.push((route.operation, answer.status.as_u16() / 100));
    }
    answers
}

#[tokio::test]
async fn every_operation_of_a_tenant_reads_and_writes_its_own_partition_alone() {
    if !is_sharded() {
        return;
    }
    let app =
        TestApp::with(|plan| plan.options = Box::new(|options| options.time_limit = Duration::from_secs(4)))
            .await;
    let client = app.client();
    let usual = answers(&client, 0).await;
    assert!(usual.iter().filter(|(_, status)| *status == 2).count() > 40, "{usual:?}");
    let held = lock_others(&app, &app.tenant).await;
    let alone = answers(&client, 1_000).await;
    assert_eq!(alone, usual);
    // The locks were there all the time: whoever looks at all tenants waits for them.
    let all = app.store.read(|tx| pagesmith_operations::pending_work::idle(tx, None).map(drop)).await;
    assert!(all.is_err());
    tokio::task::spawn_blocking(|| drop(held)).await.unwrap();
}
