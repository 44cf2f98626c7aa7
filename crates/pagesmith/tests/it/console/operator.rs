//! The screens of operators: for operators alone, without what belongs to tenants, and a backup that can be restored.

use std::path::Path;
use std::time::Duration;

use axum::http::StatusCode;
use pagesmith_console::screens::operator::{OperatorRow, rows};
use pagesmith_file_storage::Storage;
use pagesmith_model::user::Role;
use pagesmith_operations::installation::backups::State;
use pagesmith_operations::users;
use pagesmith_store::tables::audit;
use pagesmith_store::{DatabaseUrl, Extent, Store, StoreOptions};
use pagesmith_testkit::fixtures::page;
use pagesmith_testkit::{Client, TestApp};
use serde_json::json;

use super::browser::{Browser, PASSWORD};

const BASE: &str = "/console/operator";

async fn ask(browser: &mut Browser, row: &OperatorRow) -> StatusCode {
    let address = format!("{BASE}{}", row.path.replace("{tenant_id}", "tenant_01jpbz8n4xf5k9w2d7hq3mv6ta"));
    match row.method {
        "GET" => browser.open(&address).await.status,
        _ => browser.send(&address, &[]).await.status,
    }
}

/// Takes from a user what the start link gave.
async fn no_operator(app: &TestApp, email: &'static str) {
    let context = app.platform.context();
    let take = move |tx: &mut pagesmith_store::Tx<'_>| {
        let user = users::find_by_name(tx, email)?;
        users::set_operator(tx, &context, &user.user_id, false)
    };
    app.store.write(take).await.unwrap();
}

#[tokio::test]
async fn for_everybody_else_there_are_no_such_screens() {
    let app = TestApp::start().await;
    let mut stranger = Browser::new(&app);
    for row in rows() {
        assert_eq!(ask(&mut stranger, &row).await, StatusCode::SEE_OTHER, "{}: to sign in", row.path);
    }
    let mut owner = Browser::owner(&app).await;
    let menu = owner.open("/console/t/acme").await.expect(200).text();
    assert!(menu.contains("/console/operator/tenants"), "the first user runs the installation");
    no_operator(&app, "olga@acme.example").await;
    let mut browsers = vec![owner];
    for role in [Role::Editor, Role::Analyst, Role::Viewer] {
        browsers.push(Browser::with_role(&app, role).await);
    }
    for browser in &mut browsers {
        for row in rows() {
            assert_eq!(ask(browser, &row).await, StatusCode::NOT_FOUND, "{} {}", row.method, row.path);
        }
        assert_eq!(browser.open(BASE).await.status, StatusCode::NOT_FOUND);
        let menu = browser.open("/console/t/acme").await.expect(200).text();
        assert!(!menu.contains("/console/operator"));
    }
    let begun = app.state.backups.get().map(|backups| backups.state().borrow().clone());
    assert_eq!(begun, Some(State::Idle));
}

#[tokio::test]
async fn every_screen_has_the_strictest_policy_and_shows_nothing_of_a_tenant() {
    let app = TestApp::start().await;
    let client = app.client();
    client.post("/v0/pages", &page("Secret plans")).await.expect(201);
    let person = json!({ "name": "Paula Private", "email": "paula@x.example" });
    client.post("/v0/persons", &person).await.expect(201);
    app.run_due_work().await;
    let mut browser = Browser::owner(&app).await;
    for row in rows().iter().filter(|row| row.method == "GET" && !row.path.ends_with("/events")) {
        let address = format!("{BASE}{}", row.path.replace("{tenant_id}", app.tenant.as_str()));
        let answer = browser.open(&address).await.expect(200);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        let text = answer.text();
        for secret in ["Secret plans", "Paula", "paula@"] {
            assert!(!text.contains(secret), "{}: {secret}", row.path);
        }
        assert!(!text.contains(" style=\"") && !text.contains(" onclick"), "{}", row.path);
    }
    let servers = browser.open(&format!("{BASE}/servers")).await.expect(200).text();
    assert!(servers.contains("Running") && !servers.contains("Silent"), "{servers}");
    app.advance(Duration::from_secs(120));
    let servers = browser.open(&format!("{BASE}/servers")).await.expect(200).text();
    assert!(servers.contains("Silent"), "{servers}");
}

#[tokio::test]
async fn a_form_on_another_page_changes_nothing() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    for row in rows().iter().filter(|row| row.method == "POST") {
        let address = format!("{BASE}{}", row.path.replace("{tenant_id}", app.tenant.as_str()));
        let fields = [("name", "Forged"), ("confirmation", "acme")];
        browser.send_from(&address, &fields, Some("cross-site")).await.expect(403);
    }
    app.client().get("/v0/pages").await.expect(200);
    let list = browser.open(&format!("{BASE}/tenants")).await.expect(200).text();
    assert!(list.contains("acme") && !list.contains("Forged"), "{list}");
    let begun = app.state.backups.get().map(|backups| backups.state().borrow().clone());
    assert_eq!(begun, Some(State::Idle));
}

#[tokio::test]
async fn a_tenant_is_made_with_its_first_owner_suspended_and_resumed() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let new = format!("{BASE}/tenants/new");
    browser.send(&new, &[("name", " "), ("slug", "")]).await.expect(409);
    let refused = browser.send(&new, &[("name", "Globex"), ("email", "nobody")]).await.expect(400).text();
    assert!(refused.contains("Globex") && refused.contains("aria-invalid"), "{refused}");
    let made = browser.send(&new, &[("name", "Globex <b>"), ("slug", "globex"), ("region", "de")]).await;
    let made = made.expect(200).text();
    let token = made.split("token=").nth(1).unwrap().split(['<', '&']).next().unwrap().to_owned();
    let mut guest = Browser::new(&app);
    let fields = [
        ("token", token.as_str()),
        ("name", "Gina"),
        ("email", "gina@globex.example"),
        ("password", PASSWORD),
    ];
    guest.send("/console/invitation", &fields).await.expect(303);
    guest.open("/console/t/globex/settings/keys").await.expect(200);
    guest.open(BASE).await.expect(404);
    browser.open("/console/t/globex").await.expect(404);

    let tenants = format!("{BASE}/tenants");
    let list = browser.open(&tenants).await.expect(200).text();
    assert!(list.contains("Globex &lt;b&gt;"), "{list}");
    assert!(!browser.open(&format!("{tenants}?q=acme")).await.expect(200).text().contains("Globex"));
    let suspend = format!("{tenants}/{}/suspend", app.tenant);
    browser.send(&suspend, &[("confirmation", "wrong")]).await.expect(200);
    app.client().get("/v0/pages").await.expect(200);
    browser.send(&suspend, &[("confirmation", "acme")]).await.expect(303);
    app.client().get("/v0/pages").await.expect(403);
    browser.send(&format!("{tenants}/{}/resume", app.tenant), &[]).await.expect(303);
    app.client().get("/v0/pages").await.expect(200);
    let audit = app.client().get("/v0/audit?action=tenant-suspended").await.expect(200).json();
    assert!(audit["items"][0]["actor"].as_str().unwrap().starts_with("user_"), "{audit}");
}

const QUEUES: [&str; 2] = ["Versions to write", "Imports of persons"];

#[tokio::test]
async fn queues_tell_what_waits_and_since_when() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = client.post("/v0/pages", &page("Spring")).await.expect(201).json();
    let audiences = format!("/v0/pages/{}/audiences", made["pageId"].as_str().unwrap());
    client.post(&audiences, &json!({})).await.expect(201);
    let file = client.upload("people.csv", b"E-mail\nada@example.com\n").await.expect(201).json();
    let import = json!({ "fileId": file["fileId"] });
    let import = client.post("/v0/person_imports", &import).await.expect(201).json();
    let start = format!("/v0/person_imports/{}/start", import["personImportId"].as_str().unwrap());
    client.post(&start, &json!({})).await.expect(200);
    app.advance(Duration::from_mins(10));
    let mut browser = Browser::owner(&app).await;
    let path = format!("{BASE}/queues");
    let row = |screen: &str, queue: &str| {
        screen.split(queue).nth(1).unwrap().split("</tr>").next().unwrap().to_owned()
    };
    let screen = browser.open(&path).await.expect(200).text();
    for queue in QUEUES {
        let queue = row(&screen, queue);
        assert!(queue.contains(">1<") && queue.contains("10 minutes ago"), "{queue}");
    }
    app.write_versions().await;
    pagesmith_worker::person_imports::drain(&app.tools()).await.unwrap();
    let screen = browser.open(&path).await.expect(200).text();
    for queue in QUEUES {
        let queue = row(&screen, queue);
        assert!(queue.contains(">0<") && !queue.contains("ago"), "{queue}");
    }
}

/// Waits until the backup that was begun has ended.
async fn ended(app: &TestApp) -> State {
    let mut state = app.state.backups.get().unwrap().state();
    state.wait_for(|state| !matches!(state, State::Running(_))).await.unwrap().clone()
}

#[tokio::test]
async fn a_backup_holds_the_database_with_the_files() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let path = format!("{BASE}/backup");
    let client = app.client();
    client.post("/v0/pages", &page("Kept")).await.expect(201);
    let file = client.upload("notes.txt", b"What is kept.").await.expect(201).json();
    browser.send(&path, &[]).await.expect(303);
    let State::Made(made) = ended(&app).await else { panic!("no backup was made") };
    assert_eq!(made.files, Some(1));
    let shown = browser.open(&path).await.expect(200).text();
    assert!(shown.contains("The backup is whole") && shown.contains("pagesmith-2026-03-01"), "{shown}");
    client.post("/v0/pages", &page("Later")).await.expect(201);
    let audit = app.store.read(|tx| audit::list_all(tx, None, Extent::of_items(50))).await.unwrap();
    assert!(audit.items.iter().any(|entry| entry.action == "backup-started"), "{audit:?}");

    // Restored, it has what was there when it was begun.
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("restored.db"));
    pagesmith_store::restore(&url, Path::new(&made.file)).unwrap();
    let files = Storage::in_folder(&folder.path().join("files")).unwrap();
    files.copy_from(Path::new(&format!("{}.files", made.file))).unwrap();
    let restored = app.server_with(Store::open(StoreOptions::new(url)).unwrap(), files);
    let restored = Client::new(pagesmith_http::app(restored), Some(app.key.clone()));
    let pages = restored.get("/v0/pages").await.expect(200).json();
    assert_eq!((&pages["totalCount"], &pages["items"][0]["name"]), (&json!(1), &json!("Kept")));
    let content = format!("/v0/files/{}/content", file["fileId"].as_str().unwrap());
    assert_eq!(restored.get(&content).await.expect(200).text(), "What is kept.");
}

#[tokio::test]
async fn one_backup_is_made_at_a_time() {
    let app = TestApp::start().await;
    let backups = std::sync::Arc::clone(app.state.backups.get().unwrap());
    let earlier = app.platform.context();
    app.advance(Duration::from_secs(1));
    let later = app.platform.context();
    let (first, second) = tokio::join!(backups.start(&earlier), backups.start(&later));
    assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
    assert!(matches!(ended(&app).await, State::Made(_)));
    assert_eq!(backups.kept().unwrap().len(), 1);
    // Then there is room for another one.
    app.advance(Duration::from_secs(1));
    backups.start(&app.platform.context()).await.unwrap();
    assert!(matches!(ended(&app).await, State::Made(_)));
    assert_eq!(backups.kept().unwrap().len(), 2);
}

#[tokio::test]
async fn a_backup_goes_on_when_nobody_waits_for_its_beginning() {
    let app = TestApp::start().await;
    let backups = std::sync::Arc::clone(app.state.backups.get().unwrap());
    let context = app.platform.context();
    let mut beginning = backups.start(&context);
    assert!(futures_util::poll!(&mut beginning).is_pending());
    drop(beginning);
    let ended = tokio::time::timeout(Duration::from_secs(30), ended(&app)).await;
    assert!(matches!(ended, Ok(State::Made(_))), "{ended:?}");
}

#[tokio::test]
async fn what_a_server_that_ended_has_left_of_a_backup_is_removed_by_the_next() {
    let app = TestApp::start().await;
    let folder = app.database.folder.path().join("backups");
    for left in ["pagesmith-old.db.unfinished.files", "pagesmith-moved.db.files"] {
        std::fs::create_dir_all(folder.join(left).join("tenant")).unwrap();
    }
    for left in ["pagesmith-old.db.unfinished", "pagesmith-old.db.unfinished.partial", "notes.txt"] {
        std::fs::write(folder.join(left), "left").unwrap();
    }
    let mut browser = Browser::owner(&app).await;
    browser.send(&format!("{BASE}/backup"), &[]).await.expect(303);
    assert!(matches!(ended(&app).await, State::Made(_)));
    let names = std::fs::read_dir(&folder).unwrap();
    let mut names: Vec<String> =
        names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!((names.len(), names[0].as_str()), (4, "notes.txt"), "{names:?}");
    assert!(names[1].starts_with("pagesmith-2026") && names[1].ends_with(".db"), "{names:?}");
    assert_eq!(names[2], format!("{}.files", names[1]));
    assert_eq!(names[3], "pagesmith-moved.db.files", "its database may be elsewhere");
    // A folder that cannot be used is told of.
    app.advance(Duration::from_secs(1));
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::write(&folder, "a file").unwrap();
    browser.send(&format!("{BASE}/backup"), &[]).await.expect(303);
    let State::Failed { why, .. } = ended(&app).await else { panic!("a backup was made of nothing") };
    assert!(why.contains("cannot be used for backups"), "{why}");
}
