//! `backup` and `restore`: the database as one file, which goes back into either engine.

use std::path::PathBuf;

use pagesmith_testkit::database::{self, TestDatabase, execute_at};

use serde_json::json;

use crate::process::load::{Load, assert_kept, contents};
use crate::process::{Instance, KEY};

/// The file with the server's key.
fn key_of(instance: &Instance) -> PathBuf {
    let folder =
        if database::is_postgres() { instance.path().join("pagesmith") } else { instance.path().to_owned() };
    folder.join("pagesmith.key")
}

#[test]
fn a_backup_taken_while_writes_go_on_is_one_whole_state() {
    let instance = Instance::new();
    let server = instance.serve();
    let load = Load::start(server.address, 4);
    load.wait_for(60);
    let before = load.seen();
    let uploaded =
        server.post("/v0/files?name=prices.json", KEY, &json!({ "hauler": 89 })).expect(201).json();
    let file = instance.path().join("copy.db");
    let said = instance.run(&["backup", file.to_str().unwrap()]).success();
    assert!(said.contains(file.to_str().unwrap()) && said.contains("the secret key is not in it"), "{said}");
    load.wait_for(10);
    let after = load.finish();
    assert!(after.refused.is_empty() && after.unanswered == 0, "writes went on: {after:?}");

    // Somewhere else, where there is no database yet.
    let elsewhere = tempfile::tempdir().unwrap();
    let database = elsewhere.path().join("new").join("restored.db");
    let other = Instance::at(format!("sqlite:{}", database.display()));
    other.run(&["restore", file.to_str().unwrap()]).success();
    // The key comes another way than the backup, which does not hold it.
    let key = key_of(&instance);
    let restored = other.serve_with(&[("SECRET_KEY_FILE", key.to_str().unwrap())]);
    let pages = contents(&restored, KEY);
    assert_kept(&before, &pages);
    let now = contents(&server, KEY);
    assert!(pages.iter().all(|(id, name)| now.get(id) == Some(name)), "a page that never was");
    assert!(pages.len() < now.len(), "{} and {}", pages.len(), now.len());
    for id in pages.keys().take(20) {
        restored.get(&format!("/v0/pages/{id}"), KEY).expect(200);
    }
    let content = format!("/v0/files/{}/content", uploaded["fileId"].as_str().unwrap());
    assert_eq!(restored.get(&content, KEY).expect(200).json(), json!({ "hauler": 89 }));
    restored.is_well();
}

#[test]
fn a_restore_replaces_the_database_but_never_under_a_server() {
    if database::is_postgres() {
        return;
    }
    let instance = Instance::new();
    let server = instance.serve();
    server.is_well();
    let file = instance.path().join("copy.db");
    let file = file.to_str().unwrap();
    instance.run(&["backup", file]).success();
    server.is_well();

    let failure = instance.run(&["restore", file]).failure();
    assert!(failure.contains("in use"), "{failure}");
    server.is_well();
    assert_eq!(contents(&server, KEY).len(), 3);
    // Not even when its end was sudden and the journal holds the newest pages.
    server.kill();
    instance.run(&["restore", file]).success();
    let server = instance.serve();
    assert_eq!(contents(&server, KEY).len(), 1);
    server.is_well();
}

#[test]
fn what_is_no_backup_is_refused_and_the_database_stays() {
    if database::is_postgres() {
        return;
    }
    let instance = Instance::new();
    instance.serve().stop();
    let before = std::fs::read(instance.path().join("test.db")).unwrap();
    let file = |name: &str| instance.path().join(name).display().to_string();
    std::fs::write(file("text"), "not a database").unwrap();
    std::fs::write(file("cut"), &before[..before.len() / 2]).unwrap();
    std::fs::write(file("empty"), "").unwrap();
    for name in ["text", "cut", "empty", "missing"] {
        let failure = instance.run(&["restore", &file(name)]).failure();
        assert!(failure.contains(&file(name)), "{name}: {failure}");
    }
    let failure = instance.run(&["backup", &file("text")]).failure();
    assert!(failure.contains("is there already"), "{failure}");
    assert_eq!(std::fs::read_to_string(file("text")).unwrap(), "not a database");
    let place_of_text = instance.run(&["backup", &file("text"), "--force"]).success();
    assert!(place_of_text.contains("wrote"), "{place_of_text}");
    assert!(std::fs::read(file("text")).unwrap().starts_with(b"SQLite format 3\0"));
    let left: Vec<_> =
        std::fs::read_dir(instance.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with(".tmp")), "{left:?}");
    assert!(std::fs::read(instance.path().join("test.db")).unwrap() == before, "the database was changed");
}

#[test]
fn a_backup_of_postgresql_goes_into_an_empty_database_only() {
    if !database::is_postgres() {
        return;
    }
    let instance = Instance::new();
    let server = instance.serve();
    server.is_well();
    let before = contents(&server, KEY);
    let file = instance.path().join("copy.db").display().to_string();
    instance.run(&["backup", &file]).success();
    server.is_well();
    let failure = instance.run(&["restore", &file]).failure();
    assert!(failure.contains("holds data already"), "{failure}");
    assert!(contents(&server, KEY).len() > before.len());
    let key = key_of(&instance);
    let failure = instance.run(&["restore", key.to_str().unwrap()]).failure();
    assert!(failure.contains("not a usable backup"), "{failure}");

    let other = Instance::new();
    other.run(&["restore", &file]).success();
    let restored = other.serve_with(&[("SECRET_KEY_FILE", key.to_str().unwrap())]);
    assert_eq!(contents(&restored, KEY), before);
    restored.is_well();
}

#[tokio::test]
async fn a_backup_of_postgresql_holds_neither_salts_nor_numbers_of_visitors() {
    if !database::is_postgres() {
        return;
    }
    let database = TestDatabase::migrated().await;
    let (salt, visitor) = ("a5".repeat(32), "5a".repeat(16));
    let fill = format!(
        "INSERT INTO visit_salts (day, salt) VALUES (20000, '\\x{salt}');
         INSERT INTO audience_sessions (tenant_id, audience_session_id, page_id, audience_id, visitor, closes_at, last_at,
            is_scripted, engaged_ms, scroll, clicks, interactions, questions, has_action, has_conversion, has_form)
         VALUES ('tenant', 'the session', 'p', 'a', '\\x{visitor}', 1, 1, true, 0, 0, 0, 0, 0, false, false, false)"
    );
    execute_at(&database.address, &fill).await;
    let (store, copy) = (database.open(), database.folder.path().join("copy.db"));
    store.backup(&copy).await.unwrap();
    store.close().await.unwrap();
    let bytes = std::fs::read(&copy).unwrap();
    let holds = |text: &[u8]| bytes.windows(text.len()).any(|part| part == text);
    assert!(holds(b"the session") && !holds(&[0xa5; 32]) && !holds(&[0x5a; 16]));
}
