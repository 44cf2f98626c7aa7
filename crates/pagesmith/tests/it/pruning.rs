//! Every operation of a tenant stays within the tenant's own partition: the others are locked, and nothing waits for them.
//!
//! This is what a cluster needs that keeps each tenant on one of many nodes. A statement that looks at the others as well waits for the locks,
//! and may only do so if it is declared to go across tenants.

use std::cell::Cell;
use std::path::Path;

use pagesmith_http::routes::routes;
use pagesmith_model::TenantId;
use pagesmith_testkit::TestApp;
use pagesmith_testkit::database::{Held, PARTITIONS, ask_at, is_sharded, setting};
use pagesmith_testkit::samples::forms;
use pagesmith_testkit::samples::owned::Owned;
use serde_json::json;

use crate::console::browser::{Browser, PASSWORD};
use crate::questions;

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
    lock_others_but(app, tenant, "").await
}

/// The same without the partitions of one table.
async fn lock_others_but(app: &TestApp, tenant: &TenantId, table: &str) -> Held {
    let address = app.database.address.clone();
    let own = partition_of(&address, tenant).await;
    let others = format!(
        "SELECT string_agg(CAST(CAST(c.oid AS REGCLASS) AS TEXT), ', ') FROM pg_class c
         WHERE c.relispartition AND c.relkind = 'r' AND c.relnamespace = CAST(current_schema() AS REGNAMESPACE)
            AND c.relname NOT LIKE '%\\_p{own}' AND c.relname NOT LIKE '{table}\\_p_'"
    );
    let others = ask_at(&address, &others).await;
    assert!(others.split(", ").count() > 30 * (PARTITIONS - 1), "{others}");
    tokio::task::spawn_blocking(move || {
        Held::open(&address, &format!("LOCK TABLE {others} IN ACCESS EXCLUSIVE MODE"))
    })
    .await
    .unwrap()
}

/// Does something, and tells which statements waited for a lock on a table meanwhile. They are ended, so that nobody waits until their time
/// is over.
async fn watched<T>(app: &TestApp, work: impl Future<Output = T>) -> (T, Vec<String>) {
    const WAITING: &str =
        "SELECT CAST(coalesce(json_agg(query) FILTER (WHERE pg_cancel_backend(pid)), '[]') AS TEXT)
        FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend'
            AND wait_event_type = 'Lock' AND wait_event = 'relation'";
    let done = Cell::new(false);
    let work = async {
        let answer = work.await;
        done.set(true);
        answer
    };
    let watch = async {
        let mut waited: Vec<String> = Vec::new();
        while !done.get() {
            let more = ask_at(&app.database.address, WAITING).await;
            waited.extend(serde_json::from_str::<Vec<String>>(&more).unwrap());
        }
        waited
    };
    tokio::join!(work, watch)
}

/// Whether a comment above a literal of the statement declares that it goes across tenants. Where its literals stand, the run has recorded.
fn is_declared(statement: &str) -> bool {
    let record = setting("PAGESMITH_SQL_COVERAGE").unwrap();
    let record = std::fs::read_to_string(record + ".statements").unwrap();
    let text = statement.replace('\n', " ");
    let mut executed = record.lines().filter_map(|line| line.split_once('\t'));
    let (places, _) = executed.find(|(_, executed)| executed.starts_with(&text)).unwrap();
    places.split(' ').any(|place| {
        let (file, line) = place.rsplit_once(':').unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
        let source = std::fs::read_to_string(source).unwrap();
        let above: Vec<&str> = source.lines().take(line.parse::<usize>().unwrap() - 1).collect();
        let above = above.into_iter().rev().map(str::trim).take_while(|line| line.starts_with("//"));
        above.into_iter().any(|line| line.starts_with("// across tenants: "))
    })
}

/// What an operation answered, and the statements that waited for a lock meanwhile.
struct Asked {
    operation: &'static str,
    status: u16,
    waited: Vec<String>,
}

/// Asks for each operation of a tenant, with a request that it takes.
async fn ask_all(app: &TestApp, first: usize) -> Vec<Asked> {
    let client = &app.client();
    let of_tenants = routes().into_iter().filter(|route| route.path.starts_with("/v0/"));
    let (mut all, mut left) = (Vec::new(), None);
    for (number, route) in (first..).zip(of_tenants) {
        let owned = Owned::left_or_made(&mut left, client, number).await;
        let keyed = client.with("idempotency-key", &number.to_string());
        let caller = if route.method == "GET" { client } else { &keyed };
        let path = owned.fill(route.path);
        let answer = caller.send(route.method, &path, owned.body(&route));
        let (answer, waited) = watched(app, answer).await;
        all.push(Asked { operation: route.operation, status: answer.status.as_u16(), waited });
        // One that changes something may delete what it is about.
        left = Some(owned).filter(|_| route.method == "GET");
    }
    all
}

/// What is answered otherwise the second time, and how: its request makes what the first one has made.
const AGAIN: [(&str, u16); 1] = [("createPerson", 200)];

#[tokio::test]
async fn every_operation_of_a_tenant_reads_and_writes_its_own_partition_alone() {
    if !is_sharded() {
        return;
    }
    let app = TestApp::start().await;
    let usual = ask_all(&app, 0).await;
    let held = lock_others(&app, &app.tenant).await;
    let alone = ask_all(&app, 1_000).await;
    for (usual, alone) in usual.iter().zip(&alone) {
        let operation = usual.operation;
        assert!((200..300).contains(&usual.status), "{operation}: {}", usual.status);
        let again = AGAIN.iter().find(|(name, _)| *name == operation);
        if alone.waited.is_empty() {
            assert_eq!(alone.status, again.map_or(usual.status, |(_, status)| *status), "{operation}");
        }
        for statement in &alone.waited {
            assert!(is_declared(statement), "{operation} waited for other tenants' rows: {statement}");
        }
    }
    // The locks were there all the time: whoever looks at all tenants waits for them.
    let look = app.store.read(|tx| pagesmith_operations::pending_work::idle(tx, None).map(drop));
    let (_, waited) = watched(&app, look).await;
    assert!(waited.iter().any(|statement| is_declared(statement)), "{waited:?}");
    tokio::task::spawn_blocking(|| drop(held)).await.unwrap();
}

#[tokio::test]
async fn visitors_and_users_are_answered_from_the_partition_of_the_tenant_alone() {
    if !is_sharded() {
        return;
    }
    let scene = questions::Scene::start().await;
    let (app, client) = (&scene.app, &scene.client);
    let email = json!({ "key": "email", "kind": "email", "label": "E-mail", "required": true });
    let form = json!({ "name": "Contact", "fields": [email] });
    let form =
        client.post("/v0/forms", &form).await.expect(201).json()["formId"].as_str().unwrap().to_owned();
    let shown = forms::shown(client, &form).await;
    Browser::owner(app).await;
    // Of which tenants somebody is a user is declared to be looked up across them.
    let held = lock_others_but(app, &app.tenant, "memberships").await;

    let page = scene.visitor.get("/bikes").await.expect(200).text();
    assert!(page.contains("Cargo bikes by the month"), "{page}");
    shown.send(&shown.visitor(client), &[("email", "ada@example.com")]).await.expect(303);
    let sent = client.get(&format!("/v0/forms/{form}/submissions")).await.expect(200).json();
    assert_eq!(sent["totalCount"], 1);
    let known = scene.program_answer("How long does the battery of the Hauler last?").await;
    assert_eq!(known["isKnown"], true, "{known}");
    let unknown = scene.program_answer("Is there a shop in Manchester?").await;
    assert_eq!(unknown["isKnown"], false, "{unknown}");
    assert_eq!(scene.unanswered().await.len(), 1);
    let mut browser = Browser::new(app);
    let fields = [("email", "olga@acme.example"), ("password", PASSWORD)];
    browser.send("/console/sign-in", &fields).await.expect(303);
    let screen = browser.open("/console/t/acme/pages").await.expect(200).text();
    assert!(screen.contains("Bikes"), "{screen}");
    tokio::task::spawn_blocking(|| drop(held)).await.unwrap();
}
