//! What one tenant asks of the database, as another one sees it: limits bite, and nobody else waits behind them.
//!
//! Closures that wait for the test and statements without end stand for the worst that a tenant could ask; nothing here depends on how long
//! anything takes.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use pagesmith_model::key::Scope;
use pagesmith_model::{Error, Kind, Result, TenantId};
use pagesmith_store::tables::revisions;
use pagesmith_store::{Store, Tx, endless, fault};
use pagesmith_testkit::{Client, TestApp, database, fixtures};
use serde_json::json;
use tokio::task::JoinHandle;

use crate::files::PNG;
use crate::topics::entries::{make, text, topic};

#[track_caller]
fn took_too_long<T: std::fmt::Debug>(outcome: Result<T>) {
    let error = outcome.unwrap_err();
    assert!(matches!(error.kind(), Kind::Unavailable(_)), "{error}");
    assert!(matches!(fault::of(&error), Some(fault::Fault::TooLong(_))), "{error}");
    assert!(error.detail().contains("longer than it may"), "{error}");
}

/// A store on the same database whose transactions have so little time, with as few connections as there can be.
fn short_of_time(app: &TestApp, limit: Duration) -> Store {
    app.database.open_with(|options| {
        options.time_limit = limit;
        (options.readers, options.connections, options.serves) = (1, 1, false);
    })
}

async fn revision(app: &TestApp, name: &'static str) -> i64 {
    app.store.read(move |tx| revisions::find(tx, name)).await.unwrap()
}

#[tokio::test]
async fn a_statement_without_end_is_stopped_and_its_connection_goes_on() {
    let app = TestApp::start().await;
    let store = short_of_time(&app, Duration::from_millis(50));
    for _ in 0..3 {
        took_too_long(store.read(endless::read).await);
        took_too_long(store.point_read(endless::read).await);
        took_too_long(store.for_tenant(&app.tenant).search(endless::read).await);
        took_too_long(store.write(endless::write).await);
        took_too_long(store.claim(endless::write).await);
        // On a busy machine short ones may take that long too, but not for ever.
        while store.read(|tx| revisions::find(tx, "endless")).await.is_err() {}
        while store.write(|tx| tx.run(revisions::raise("next")).map(drop)).await.is_err() {}
    }
    assert_eq!((revision(&app, "endless").await, revision(&app, "never").await), (0, 0));
    assert_eq!(revision(&app, "next").await, 3);
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_write_without_end_takes_nothing_back_that_shares_its_transaction() {
    let app = TestApp::start().await;
    let short = short_of_time(&app, Duration::from_secs(1));
    let gate = Gate::default();
    let held = gate.held(&short, &app.tenant, How::Write);
    gate.holds(1).await;
    let queued = |run: fn(&mut Tx<'_>) -> Result<()>| {
        let store = short.clone();
        tokio::spawn(async move { store.write(run).await })
    };
    let before = queued(|tx| tx.run(revisions::raise("before")).map(drop));
    let endless = queued(endless::write);
    let reads = queued(|tx| {
        tx.run(revisions::raise("read"))?;
        endless::read(tx)
    });
    let after = queued(|tx| tx.run(revisions::raise("after")).map(drop));
    while short.queue_depth() < 4 {
        tokio::task::yield_now().await;
    }
    gate.open();
    held.await.unwrap().unwrap();
    before.await.unwrap().unwrap();
    took_too_long(endless.await.unwrap());
    took_too_long(reads.await.unwrap());
    after.await.unwrap().unwrap();
    let raised = [revision(&app, "before").await, revision(&app, "after").await];
    assert_eq!((raised, revision(&app, "read").await), ([1, 1], 0));
}

/// Holds closures until it is opened.
#[derive(Default, Clone)]
struct Gate(Arc<(Mutex<(usize, bool)>, Condvar)>);

impl Gate {
    fn wait(&self) -> Result<()> {
        let (state, changed) = &*self.0;
        let mut state = state.lock().map_err(|_| Error::conflict("poisoned"))?;
        state.0 += 1;
        changed.notify_all();
        drop(changed.wait_while(state, |(_, open)| !*open));
        Ok(())
    }

    /// Waits until so many closures wait.
    async fn holds(&self, count: usize) {
        while self.0.0.lock().unwrap().0 < count {
            tokio::task::yield_now().await;
        }
    }

    fn open(&self) {
        self.0.0.lock().unwrap().1 = true;
        self.0.1.notify_all();
    }

    fn held(&self, store: &Store, tenant: &TenantId, how: How) -> JoinHandle<Result<()>> {
        let (gate, store, tenant) = (self.clone(), store.clone(), tenant.clone());
        let wait = move |_: &mut Tx<'_>| gate.wait();
        tokio::spawn(async move {
            let store = store.for_tenant(&tenant);
            match how {
                How::Read => store.read(wait).await,
                How::Search => store.search(wait).await,
                How::Write => store.write(wait).await,
            }
        })
    }
}

#[derive(Clone, Copy)]
enum How {
    Read,
    Search,
    Write,
}

/// A crowd of a tenant's closures that do not end, and a neighbour whose calls do.
async fn neighbour_of(how: How, tenants: usize) {
    let app = TestApp::with(|plan| {
        plan.options = Box::new(|options| {
            (options.readers, options.connections, options.cores) = (4, 4, 4);
        });
    })
    .await;
    app.add_tenant("neighbour").await;
    let key = app.add_key("neighbour", Scope::Write).await;
    let neighbour = app.client_with(&key);
    neighbour.post("/v0/pages", &fixtures::page("Mine")).await.expect(201);
    let mut crowd = Vec::new();
    for number in 0..tenants {
        crowd.push(app.add_tenant(&format!("crowd-{number}")).await);
    }
    let gate = Gate::default();
    let mut held = Vec::new();
    for tenant in &crowd {
        held.extend((0..200).map(|_| gate.held(&app.store, tenant, how)));
    }
    gate.holds(3).await;
    let is_write = matches!(how, How::Write);
    // What shares a transaction or a snapshot waits in it, behind the first that does not end; searches share none.
    while matches!(how, How::Search) && app.store.queue_depth() < 200 * tenants - 3 {
        tokio::task::yield_now().await;
    }
    for _ in 0..20 {
        let pages = neighbour.get("/v0/pages").await.expect(200).json();
        assert_eq!(pages["totalCount"], 1);
        if tenants == 1 {
            neighbour.get("/v0/pages/search?query=mine").await.expect(200);
        }
    }
    if !is_write || database::is_postgres() {
        neighbour.patch(&page_of(&neighbour).await, &json!({ "name": "Still mine" })).await.expect(200);
    }
    // No more of the crowd's was begun meanwhile, and all of it is done at last.
    assert_eq!(gate.0.0.lock().unwrap().0, 3);
    gate.open();
    for one in held {
        one.await.unwrap().unwrap();
    }
}

async fn page_of(client: &Client) -> String {
    let pages = client.get("/v0/pages").await.expect(200).json();
    format!("/v0/pages/{}", pages["items"][0]["pageId"].as_str().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_reads_of_one_tenant_that_do_not_end_leave_another_s_answered() {
    neighbour_of(How::Read, 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn searches_of_five_tenants_that_do_not_end_leave_short_reads_answered() {
    neighbour_of(How::Search, 5).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_writes_of_one_tenant_that_do_not_end_leave_another_s_answered() {
    // The embedded database has one writing thread; there a statement's time limit is what ends such writes.
    if database::is_postgres() {
        neighbour_of(How::Write, 1).await;
    }
}

#[tokio::test]
async fn a_flood_is_refused_to_the_tenant_that_makes_it() {
    let app = TestApp::with(|plan| {
        plan.options = Box::new(|options| {
            options.readers = 2;
            options.connections = 2;
            options.queue = 20;
        });
    })
    .await;
    app.add_tenant("neighbour").await;
    let key = app.add_key("neighbour", Scope::Write).await;
    let gate = Gate::default();
    let mut held = vec![gate.held(&app.store, &app.tenant, How::Search)];
    // Only one is worked on at a time, and it must not be among those that wait.
    gate.holds(1).await;
    held.extend((0..20).map(|_| gate.held(&app.store, &app.tenant, How::Search)));
    while app.store.queue_depth() < 20 {
        tokio::task::yield_now().await;
    }
    let refused = app.client().get("/v0/pages/search?query=a").await.expect(503);
    assert_eq!(refused.json()["detail"], "The server has too much to do right now.");
    // A list that is read in turn on both engines.
    app.client_with(&key).get("/v0/persons").await.expect(200);
    gate.open();
    // The newest of the flood made room for the neighbour.
    let newest = held.pop().unwrap().await.unwrap().unwrap_err();
    assert_eq!(newest.detail(), "The server has too much to do right now.");
    for one in held {
        one.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn the_first_sixteen_words_of_a_search_count_everywhere() {
    let app = TestApp::start().await;
    let client = app.client();
    let words: Vec<String> = (0..180).map(|number| format!("w{number}")).collect();
    let (sixteen, many) = (words[..16].join(" "), words.join(" "));
    for name in [&sixteen, &sixteen, &words[..15].join(" ")] {
        let page = client.post("/v0/pages", &fixtures::page(name)).await.expect(201).json();
        let audiences = format!("/v0/pages/{}/audiences", page["pageId"].as_str().unwrap());
        let audience = json!({ "supplementaryContext": "Them.", "customName": name });
        client.post(&audiences, &audience).await.expect(201);
    }
    for (number, name) in [(1, &sixteen), (2, &sixteen), (3, &words[1])] {
        let person = json!({ "name": name, "email": format!("p{number}@example.com") });
        client.post("/v0/persons", &person).await.expect(201);
        let account = json!({ "domain": format!("d{number}.com"), "name": name });
        client.post("/v0/accounts", &account).await;
    }
    let picture = client.upload("anvil.png", PNG).await.expect(201).json()["fileId"].clone();
    let page = client.get("/v0/pages?limit=1").await.expect(200).json()["items"][0]["pageId"].clone();
    let mut assets = Vec::new();
    for (number, name) in [&sixteen, &sixteen, &words[..15].join(" ")].into_iter().enumerate() {
        client.post("/v0/topics", &json!({ "title": name })).await.expect(201);
        client.post("/v0/brands", &json!({ "name": name })).await.expect(201);
        let asset = json!({ "assetType": "image", "name": name, "fileId": picture });
        assets.push(client.post("/v0/assets", &asset).await.expect(201).json());
        let target = json!({ "targetType": "page", "pageId": page });
        let path = format!("/go/{}/{number}", name.replace(' ', "-"));
        client.post("/v0/page_links", &json!({ "path": path, "target": target })).await.expect(200);
    }
    for noun in ["pages", "audiences", "persons", "accounts", "topics", "brands", "assets", "page_links"] {
        finds_two(&client, &format!("/v0/{noun}/search"), &sixteen, &many).await;
    }
    for asset in assets {
        client.delete(&format!("/v0/assets/{}", asset["assetId"].as_str().unwrap())).await.expect(200);
    }
    finds_two(&client, "/v0/assets/trash", &sixteen, &many).await;
    // Knowledge is found by any of the words; the seventeenth is looked for no more.
    let (_, entries) = topic(&client, "Anvils").await;
    for said in [&sixteen, &words[16..40].join(" ")] {
        make(&client, &entries, &text(&format!("What is said: {said}."))).await;
    }
    app.run_due_work().await;
    let search = async |query: &str| {
        client.post("/v0/knowledge/search", &json!({ "query": query })).await.expect(200).json()["items"]
            .clone()
    };
    assert_eq!(search(&words[16]).await.as_array().unwrap().len(), 1);
    let found = search(&many).await;
    assert_eq!((found.as_array().unwrap().len(), &found), (1, &search(&sixteen).await));
}

/// A search of so many words finds the two that have the first sixteen of them.
async fn finds_two(client: &Client, path: &str, sixteen: &str, many: &str) {
    let first = client.get_with(path, &[("query", many), ("limit", "1")]).await.expect(200).json();
    assert_eq!((&first["totalCount"], &first["hasMore"]), (&json!(2), &json!(true)), "{path}");
    // A cursor leads on in whatever begins with the same sixteen words.
    let cursor = first["nextCursor"].as_str().unwrap();
    let rest = [("query", sixteen), ("limit", "1"), ("cursor", cursor)];
    let rest = client.get_with(path, &rest).await.expect(200).json();
    assert_eq!(rest["items"].as_array().unwrap().len(), 1, "{path}");
    assert_ne!(rest["items"][0], first["items"][0], "{path}");
}
