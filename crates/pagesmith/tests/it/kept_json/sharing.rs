//! Callers who ask for rows of one tenant at the same time share a statement of PostgreSQL, and those of others do not. With a connection, what
//! was read by it is lost.

use std::sync::{Arc, Mutex, mpsc};

use futures_util::FutureExt;
use futures_util::future::join_all;
use pagesmith_model::{Error, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::pages::stamps::STAMPS;
use pagesmith_testkit::database::{ask_at, is_postgres};
use pagesmith_testkit::{TestApp, fixtures};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// How many reads the server's store has ended.
async fn reads(app: &TestApp) -> usize {
    let text = app.anonymous().get("/metrics").await.expect(200).text();
    let name = "database_transaction_seconds_count{verb=\"read\"} ";
    text.lines().find_map(|line| line.split_once(name)).unwrap().1.parse().unwrap()
}

/// Lets a connection read a page's stamp and then wait; what opens its gate.
async fn busy(app: &TestApp, id: &str) -> (JoinHandle<Result<()>>, mpsc::Sender<()>) {
    let ((open, gate), begun) = (mpsc::channel::<()>(), Arc::new(Notify::new()));
    let (gate, tell, store) = (Mutex::new(gate), Arc::clone(&begun), app.store.clone());
    let (tenant, id) = (app.tenant.clone(), id.to_owned());
    let wait = move |tx: &mut Tx<'_>| {
        STAMPS.find(tx, &tenant, &id)?;
        tell.notify_one();
        gate.lock().unwrap().recv().map_err(Error::internal)
    };
    let task = tokio::spawn(async move { store.read(wait).await });
    begun.notified().await;
    (task, open)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_kept_from_before_a_connection_was_lost() {
    if !is_postgres() {
        return;
    }
    let app = TestApp::with(|plan| plan.options = Box::new(|options| options.connections = 1)).await;
    let client = app.client();
    let mut pages = Vec::new();
    for name in ["Spring", "Summer", "Autumn"] {
        let page = client.post("/v0/pages", &fixtures::page(name)).await.expect(201).json();
        pages.push(page["pageId"].as_str().unwrap().to_owned());
    }
    let list = client.get("/v0/pages").await.expect(200).text();
    let connects = app.store.connects();
    assert_eq!(app.state.kept_resources(), 3);
    let (busy, open) = busy(&app, &pages[0]).await;
    // Databases of other tests are copies of the same one, and have a table with the same number.
    let end = "SELECT string_agg(CAST(pg_terminate_backend(pid) AS TEXT), '') FROM pg_locks
               JOIN pg_database ON oid = database AND datname = current_database()
               WHERE relation = CAST('pages' AS REGCLASS)";
    assert_eq!(ask_at(&app.database.address, end).await, "true");
    open.send(()).unwrap();
    // What was read is told, though the connection is gone.
    busy.await.unwrap().unwrap();
    client.get(&format!("/v0/pages/{}", pages[0])).await.expect(200);
    assert_eq!((app.store.connects(), app.state.kept_resources()), (connects + 1, 1));
    assert_eq!(client.get("/v0/pages").await.expect(200).text(), list);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_waits_when_a_statement_is_sent_shares_it_within_a_tenant() {
    if !is_postgres() {
        return;
    }
    let app = TestApp::with(|plan| plan.options = Box::new(|options| options.connections = 1)).await;
    let page = app.client().post("/v0/pages", &fixtures::page("Spring")).await.expect(201).json();
    let (id, other) = (page["pageId"].as_str().unwrap(), app.add_tenant("globex").await);
    // The one connection is busy while everybody asks.
    let (busy, open) = busy(&app, id).await;
    let ask = |tenant, id| {
        let store = &app.store;
        async move { store.for_tenant(tenant).look_up(&STAMPS, id).await.unwrap().is_some() }
    };
    let tenants = [&app.tenant, &other];
    let mut asked = join_all((0..60).map(|number| ask(tenants[number % 2], id))).boxed();
    assert!((&mut asked).now_or_never().is_none());
    let mut gone = join_all((0..10).map(|_| ask(&app.tenant, "page_of_nobody"))).boxed();
    assert!((&mut gone).now_or_never().is_none());
    drop(gone);
    let before = reads(&app).await;
    open.send(()).unwrap();
    busy.await.unwrap().unwrap();
    // The other tenant has no page of this id.
    assert!(asked.await.into_iter().enumerate().all(|(number, found)| found == (number % 2 == 0)));
    // One statement for each tenant, and the read that kept the connection busy. The last is counted after its answer.
    while reads(&app).await < before + 3 {
        tokio::task::yield_now().await;
    }
    assert!(ask(&app.tenant, id).await);
    assert!(reads(&app).await <= before + 4);
}
