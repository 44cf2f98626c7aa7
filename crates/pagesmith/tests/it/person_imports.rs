//! `/v0/person_imports`: files of persons as jobs.

use std::path::PathBuf;
use std::time::Duration;

use pagesmith_operations::person_imports::work::{self, Claimed};
use pagesmith_operations::persons::import::sheet::{FilePart, Sheet};
use pagesmith_operations::persons::import::{RowOutcome, SeenFields};
use pagesmith_testkit::database::execute_at;
use pagesmith_testkit::{Client, TestApp};
use pagesmith_worker::person_imports;
use pagesmith_worker::turns::Turns;
use serde_json::{Value, json};

const FILE: &str = "Name,E-mail,Telefon,Job\n\
    Ada,ada@example.com,+14155550123,Count\n\
    Bob,not an address,,\n\
    ,grace@example.com,,Admiral\n\
    Ada L.,ada@example.com,,Countess\n";

/// Uploads a file and makes an import of it.
async fn make(client: &Client, text: &str) -> Value {
    let file = client.upload("contacts.csv", text.as_bytes()).await.expect(201).json();
    client.post("/v0/person_imports", &json!({ "fileId": file["fileId"] })).await.expect(201).json()
}

fn path(import: &Value) -> String {
    format!("/v0/person_imports/{}", import["personImportId"].as_str().unwrap())
}

async fn order(client: &Client, import: &Value, order: &str) -> Value {
    client.post(&format!("{}/{order}", path(import)), &json!({})).await.expect(200).json()
}

async fn read(client: &Client, import: &Value) -> Value {
    client.get(&path(import)).await.expect(200).json()
}

async fn claim(app: &TestApp) -> Option<Claimed> {
    person_imports::claim(&app.tools(), &mut Turns::default(), 1).await.unwrap().pop()
}

/// Where the bytes of the only file are kept.
fn kept(app: &TestApp) -> PathBuf {
    let folder = app.files.folder().unwrap().join(app.tenant.as_str());
    std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path()
}

async fn drain(app: &TestApp) {
    person_imports::drain(&app.tools()).await.unwrap();
}

async fn persons(client: &Client) -> Value {
    client.get("/v0/persons").await.expect(200).json()
}

/// Created, updated, unchanged, refused.
fn counts(import: &Value) -> [u64; 4] {
    ["created", "updated", "unchanged", "refused"].map(|count| import[count].as_u64().unwrap())
}

#[tokio::test]
async fn a_file_is_checked_without_writing_and_then_imported() {
    let app = TestApp::start().await;
    let client = app.client();
    let import = make(&client, FILE).await;
    assert_eq!(import["status"], "draft");
    let becomes: Vec<&str> = import["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| column["becomes"].as_str().unwrap())
        .collect();
    assert_eq!(becomes, ["name", "email", "phone", "context"]);
    let preview = client.get(&format!("{}/preview", path(&import))).await.expect(200).json();
    assert_eq!(preview["rows"][0], json!(["Ada", "ada@example.com", "+14155550123", "Count"]));
    assert_eq!(preview["rows"].as_array().unwrap().len(), 4);

    assert_eq!(order(&client, &import, "check").await["status"], "checking");
    drain(&app).await;
    let checked = read(&client, &import).await;
    assert_eq!((&checked["status"], counts(&checked)), (&json!("checked"), [2, 0, 1, 1]), "{checked}");
    assert_eq!(persons(&client).await["totalCount"], 0);
    let refused = client.get(&format!("{}/refusals", path(&import))).await.expect(200).json();
    assert_eq!(refused["items"], json!([{ "line": 3, "reason": "E-mail: is no e-mail address" }]));

    order(&client, &import, "start").await;
    drain(&app).await;
    let done = read(&client, &import).await;
    assert_eq!((&done["status"], counts(&done)), (&json!("done"), [2, 0, 1, 1]), "{done}");
    assert_eq!((&done["progress"], &done["fileId"]), (&json!(1.0), &Value::Null));
    assert_eq!(done["columns"][2]["rows"], 1);
    let found = persons(&client).await;
    assert_eq!(found["totalCount"], 2);
    assert_eq!(found["items"][1]["name"], "Ada", "the first row that fills a field counts");
    // The file is gone, and the report stays.
    assert_eq!(client.get("/v0/files").await.expect(200).json()["totalCount"], 0);
    let csv = client.get(&format!("{}/refusals/export", path(&import))).await.expect(200).text();
    assert_eq!(csv, "Line,Reason\n3,E-mail: is no e-mail address\n");
}

#[tokio::test]
async fn starting_twice_imports_once() {
    let app = TestApp::start().await;
    let client = app.client();
    let import = make(&client, FILE).await;
    for _ in 0..2 {
        assert_eq!(order(&client, &import, "start").await["status"], "importing");
    }
    drain(&app).await;
    assert_eq!(order(&client, &import, "start").await["status"], "done");
    drain(&app).await;
    assert_eq!(counts(&read(&client, &import).await), [2, 0, 1, 1]);
    // The same file once more, as a careless person does.
    let again = make(&client, FILE).await;
    order(&client, &again, "start").await;
    drain(&app).await;
    assert_eq!(counts(&read(&client, &again).await), [0, 0, 3, 1]);
    assert_eq!(persons(&client).await["totalCount"], 2);
}

/// The first lines of a file as a worker reads them.
fn part(text: &str, lines: usize) -> FilePart {
    Sheet::open(text.as_bytes(), None).unwrap().next_part(lines).unwrap().unwrap()
}

#[tokio::test]
async fn after_a_crash_an_import_goes_on_behind_what_was_written() {
    let app = TestApp::start().await;
    let client = app.client();
    let import = make(&client, FILE).await;
    order(&client, &import, "start").await;
    let claimed = claim(&app).await.unwrap();
    let (ctx, first) = (app.tools().context().of(app.tenant.clone()), part(FILE, 2));
    let (of, lost) = (claimed.clone(), ctx.clone());
    let write = app.store.write(move |tx| work::write(tx, &ctx, &of, &first, &SeenFields::default()));
    assert!(write.await.unwrap().is_some());
    // Nobody takes it while the lease lasts.
    drain(&app).await;
    let halfway = read(&client, &import).await;
    assert_eq!((&halfway["status"], counts(&halfway)), (&json!("importing"), [1, 0, 0, 1]));
    app.advance(Duration::from_secs(61));
    drain(&app).await;
    let done = read(&client, &import).await;
    assert_eq!((&done["status"], counts(&done)), (&json!("done"), [2, 0, 1, 1]), "{done}");
    assert_eq!(
        persons(&client).await["items"][1]["name"],
        "Ada",
        "what was filled before the crash is known"
    );
    // The worker that was lost comes back too late.
    let rest = part(FILE, 4);
    let late = app.store.write(move |tx| work::write(tx, &lost, &claimed, &rest, &SeenFields::default()));
    assert!(late.await.unwrap().is_none());
    assert_eq!(persons(&client).await["totalCount"], 2);
}

#[tokio::test]
async fn what_a_server_that_stops_has_begun_goes_on_at_once_with_another() {
    let app = TestApp::start().await;
    let client = app.client();
    let import = make(&client, FILE).await;
    order(&client, &import, "start").await;
    let claimed = claim(&app).await.unwrap();
    let (_running, stop) = tokio::sync::watch::channel(true);
    person_imports::attempt(app.tools(), claimed, stop.clone()).await;
    assert_eq!(read(&client, &import).await["status"], "importing");
    // However often: a stop is no try.
    for _ in 0..6 {
        let claimed = claim(&app).await.unwrap();
        person_imports::attempt(app.tools(), claimed, stop.clone()).await;
    }
    drain(&app).await;
    assert_eq!(counts(&read(&client, &import).await), [2, 0, 1, 1]);
}

#[tokio::test]
async fn a_worker_keeps_an_import_while_it_passes_what_was_written() {
    let app = TestApp::start().await;
    let client = app.client();
    let import = make(&client, FILE).await;
    order(&client, &import, "start").await;
    let claimed = claim(&app).await.unwrap();
    let renewed = async || {
        let (ctx, of) = (app.tools().context().of(app.tenant.clone()), claimed.clone());
        app.store.write(move |tx| work::renew(tx, &ctx, &of)).await.unwrap()
    };
    for _ in 0..3 {
        app.advance(Duration::from_secs(50));
        assert!(renewed().await);
        assert!(claim(&app).await.is_none());
    }
    app.advance(Duration::from_secs(61));
    drain(&app).await;
    assert_eq!(read(&client, &import).await["status"], "done");
    assert!(!renewed().await);
}

#[tokio::test]
async fn a_check_that_ends_its_server_again_and_again_fails() {
    let app = TestApp::start().await;
    let client = app.client();
    let import = make(&client, FILE).await;
    order(&client, &import, "check").await;
    for _ in 0..5 {
        let claimed = claim(&app).await.unwrap();
        let (ctx, first) = (app.tools().context().of(app.tenant.clone()), part(FILE, 1));
        let note =
            app.store.write(move |tx| work::note(tx, &ctx, &claimed, &first, vec![RowOutcome::Created]));
        assert!(note.await.unwrap().is_some());
        assert_eq!(read(&client, &import).await["status"], "checking");
        app.advance(Duration::from_secs(61));
    }
    drain(&app).await;
    let failed = read(&client, &import).await;
    assert_eq!(failed["status"], "failed", "{failed}");
    assert_eq!(failed["problem"], "The import was tried 5 times without getting further.");
}

#[tokio::test]
async fn half_a_record_is_no_row_where_the_storage_fails_in_the_middle() {
    let app = TestApp::start().await;
    let client = app.client();
    // More than is looked at to find the separator.
    let many = (0..300).map(|row| format!("person-{row}@example.com,{}\n", "a".repeat(230)));
    let text = format!("E-mail,Name\n{}bob@example.com,Bob Builder\n", many.collect::<String>());
    let import = make(&client, &text).await;
    order(&client, &import, "start").await;
    let kept = kept(&app);
    for at in [text.find(" Builder").unwrap(), text.find("Name").unwrap() + 2] {
        std::fs::write(&kept, &text[..at]).unwrap();
        drain(&app).await;
        let waiting = read(&client, &import).await;
        assert_eq!(waiting["status"], "importing", "{waiting}");
        let names = persons(&client).await.to_string();
        assert!(!names.contains("Bob"), "{names}");
        app.advance(Duration::from_secs(31));
    }
    std::fs::write(&kept, &text).unwrap();
    drain(&app).await;
    let done = read(&client, &import).await;
    assert_eq!((&done["status"], counts(&done)), (&json!("done"), [301, 0, 0, 0]), "{done}");
    assert_eq!(persons(&client).await["items"][0]["name"], "Bob Builder");
}

#[tokio::test]
async fn a_file_that_is_another_one_by_now_is_told() {
    let app = TestApp::start().await;
    let client = app.client();
    let import = make(&client, FILE).await;
    order(&client, &import, "start").await;
    std::fs::write(kept(&app), FILE.replace("Telefon,", "Telefon ")).unwrap();
    drain(&app).await;
    let failed = read(&client, &import).await;
    assert_eq!(failed["problem"], "The file could not be read: its columns are others.", "{failed}");
}

#[tokio::test]
async fn a_fault_of_the_database_is_no_fault_of_the_file() {
    let app = TestApp::start().await;
    let client = app.client();
    let import = make(&client, FILE).await;
    order(&client, &import, "start").await;
    execute_at(&app.database.address, "ALTER TABLE files RENAME TO lost").await;
    assert!(person_imports::drain(&app.tools()).await.is_err());
    assert_eq!(read(&client, &import).await["status"], "importing");
    execute_at(&app.database.address, "ALTER TABLE lost RENAME TO files").await;
    drain(&app).await;
    assert_eq!(read(&client, &import).await["status"], "done");
}

#[tokio::test]
async fn two_servers_do_not_carry_out_two_imports_of_a_tenant() {
    let app = TestApp::start().await;
    let client = app.client();
    for _ in 0..2 {
        order(&client, &make(&client, FILE).await, "start").await;
    }
    // Both have found that the tenant has one that is due.
    let claim = async || {
        let (ctx, tenant) = (app.tools().context(), app.tenant.clone());
        app.store.write(move |tx| work::claim(tx, &ctx, &tenant)).await.unwrap()
    };
    assert!(claim().await.is_some());
    assert!(claim().await.is_none());
}

#[tokio::test]
async fn imports_are_listed_part_by_part() {
    let app = TestApp::start().await;
    let client = app.client();
    let first = make(&client, FILE).await;
    let second = make(&client, "Name\nAda\n").await;
    let newest = client.get("/v0/person_imports?limit=1").await.expect(200).json();
    assert_eq!((&newest["items"][0], &newest["totalCount"]), (&second, &json!(2)));
    let cursor = newest["nextCursor"].as_str().unwrap();
    let rest = client.get(&format!("/v0/person_imports?limit=1&cursor={cursor}")).await.expect(200).json();
    assert_eq!((&rest["items"], &rest["hasMore"]), (&json!([first]), &json!(false)));
}

#[tokio::test]
async fn what_is_cancelled_writes_nothing_more_and_keeps_what_it_has_written() {
    let app = TestApp::start().await;
    let client = app.client();
    let import = make(&client, FILE).await;
    order(&client, &import, "start").await;
    let claimed = claim(&app).await.unwrap();
    let (ctx, of, first) = (app.tools().context().of(app.tenant.clone()), claimed.clone(), part(FILE, 1));
    app.store
        .write(move |tx| work::write(tx, &ctx, &of, &first, &SeenFields::default()))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(order(&client, &import, "cancel").await["status"], "cancelled");
    let (_running, stop) = tokio::sync::watch::channel(false);
    person_imports::attempt(app.tools(), claimed, stop).await;
    let cancelled = read(&client, &import).await;
    assert_eq!((&cancelled["status"], counts(&cancelled)), (&json!("cancelled"), [1, 0, 0, 0]));
    assert_eq!(persons(&client).await["totalCount"], 1);
    assert_eq!(order(&client, &import, "cancel").await, cancelled, "again changes nothing");
    client.post(&format!("{}/start", path(&import)), &json!({})).await.expect(409);
}

#[tokio::test]
async fn columns_are_what_the_caller_says() {
    let app = TestApp::start().await;
    let client = app.client();
    let import = make(&client, "Kontakt,Anrede\nada@example.com,Frau\n").await;
    let refused = client.post(&format!("{}/start", path(&import)), &json!({})).await.expect(409).json();
    assert_eq!(refused["details"]["reason"], "no_identifier");
    client.patch(&path(&import), &json!({ "columns": ["email"] })).await.expect(400);
    client.patch(&path(&import), &json!({ "columns": ["email", "emial"] })).await.expect(400);
    client.patch(&path(&import), &json!({ "region": "XX" })).await.expect(400);
    let changed =
        client.patch(&path(&import), &json!({ "columns": ["email", "ignore"] })).await.expect(200).json();
    assert_eq!(changed["columns"][1]["becomes"], "ignore");
    order(&client, &import, "check").await;
    drain(&app).await;
    assert_eq!(counts(&read(&client, &import).await), [1, 0, 0, 0]);
    // What was found out of other columns counts no more.
    let changed =
        client.patch(&path(&import), &json!({ "columns": ["email", "name"] })).await.expect(200).json();
    assert_eq!((&changed["status"], counts(&changed)), (&json!("draft"), [0; 4]));
    order(&client, &import, "start").await;
    client.patch(&path(&import), &json!({ "columns": ["email", "ignore"] })).await.expect(409);
    drain(&app).await;
    assert_eq!(persons(&client).await["items"][0]["name"], "Frau");
}

#[tokio::test]
async fn a_repeated_request_gets_its_answer_although_the_file_is_gone() {
    let app = TestApp::start().await;
    let client = app.client();
    let file = client.upload("contacts.csv", FILE.as_bytes()).await.expect(201).json();
    let (keyed, body) = (client.with("idempotency-key", "once"), json!({ "fileId": file["fileId"] }));
    let first = keyed.post("/v0/person_imports", &body).await.expect(201).json();
    order(&client, &first, "start").await;
    drain(&app).await;
    assert_eq!(keyed.post("/v0/person_imports", &body).await.expect(201).json(), first);
    client.post("/v0/person_imports", &body).await.expect(400);
}

#[tokio::test]
async fn what_is_no_table_is_refused_and_a_file_in_use_stays() {
    let app = TestApp::start().await;
    let client = app.client();
    let file = client.upload("utf16.csv", &[0xff, 0xfe, b'a', 0]).await.expect(201).json();
    let body = json!({ "fileId": file["fileId"] });
    let refused = client.post("/v0/person_imports", &body).await.expect(400).json();
    assert!(refused.to_string().contains("UTF-16"), "{refused}");
    client.post("/v0/person_imports", &json!({ "fileId": "file_none" })).await.expect(400);
    let import = make(&client, FILE).await;
    let file = format!("/v0/files/{}", import["fileId"].as_str().unwrap());
    let used = client.delete(&file).await.expect(409).json();
    assert_eq!(used["details"]["personImportIds"], json!([import["personImportId"]]));
}

#[tokio::test]
async fn drafts_that_nobody_starts_are_cancelled_and_old_reports_forgotten() {
    let app = TestApp::start().await;
    let client = app.client();
    let import = make(&client, FILE).await;
    app.advance(Duration::from_hours(23));
    app.run_due_work().await;
    assert_eq!(read(&client, &import).await["status"], "draft");
    app.advance(Duration::from_hours(2));
    app.run_due_work().await;
    assert_eq!(read(&client, &import).await["status"], "cancelled");
    assert_eq!(client.get("/v0/files").await.expect(200).json()["totalCount"], 0);
    app.advance(Duration::from_hours(24 * 91));
    app.run_due_work().await;
    client.get(&path(&import)).await.expect(404);
}
