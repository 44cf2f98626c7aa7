//! `migrate`, `openapi`, `config show` and `doctor`.

use pagesmith_testkit::database;
use serde_json::{Value, json};

use crate::process::{Finished, Instance, KEY};

const KNOWN_DOCUMENT: &str = include_str!("../../../../../api/openapi.json");

#[test]
fn migrate_brings_an_empty_database_up_to_date_and_then_has_nothing_to_do() {
    let instance = Instance::new();
    if !database::is_postgres() {
        let failure = instance.run(&["tenant", "list"]).failure();
        assert!(failure.contains("there is no database at"), "{failure}");
    } else {
        let failure = instance.run(&["tenant", "list"]).failure();
        assert!(failure.contains("run `pagesmith migrate`"), "{failure}");
    }
    assert!(instance.run(&["migrate"]).success().starts_with("applied 0001_"));
    assert_eq!(instance.run(&["migrate"]).success(), "nothing to do\n");
    assert_eq!(instance.json(&["tenant", "list", "--json"]), json!([]));
    // The first start is still to come.
    let server = instance.serve();
    server.get("/v0/pages", KEY).expect(200);
    assert_eq!(instance.run(&["migrate"]).success(), "nothing to do\n");
}

#[test]
fn openapi_prints_the_document_that_is_checked_in() {
    let instance = Instance::new();
    let mut printed: Value = instance.json(&["openapi"]);
    let mut known: Value = serde_json::from_str(KNOWN_DOCUMENT).unwrap();
    assert_eq!(printed["servers"], json!([{ "url": "http://127.0.0.1:8080" }]));
    for document in [&mut printed, &mut known] {
        document.as_object_mut().unwrap().remove("servers");
    }
    assert_eq!(printed, known);
    let mut command = instance.command(&["openapi"]);
    command.env("PAGESMITH_BASE_URL", "https://api.example.org/");
    let printed: Value = serde_json::from_str(&Finished::of(&mut command).success()).unwrap();
    assert_eq!(printed["servers"], json!([{ "url": "https://api.example.org" }]));
}

#[test]
fn config_show_tells_where_each_value_came_from() {
    let instance = Instance::new();
    let file = instance.path().join("pagesmith.toml");
    std::fs::write(
        &file,
        "listen = \"127.0.0.1:1\"\nsite_domain = \"file.example\"\n[rate_limit]\nrequests = 7\n",
    )
    .unwrap();
    let mut command = instance.command(&["config", "show", "--json", "--config", file.to_str().unwrap()]);
    command.env("PAGESMITH_SITE_DOMAIN", "environment.example").env("PAGESMITH_LIMITS_BODY_TIMEOUT", "3s");
    let shown: Value = serde_json::from_str(&Finished::of(&mut command).success()).unwrap();
    let of = |key: &str| {
        let row = shown.as_array().unwrap().iter().find(|row| row["key"] == key).unwrap();
        format!("{} from {}", row["value"], row["origin"].as_str().unwrap())
    };
    assert_eq!(of("listen"), format!("\"127.0.0.1:1\" from file {}, line 1", file.display()));
    assert_eq!(of("rate_limit.requests"), format!("7 from file {}, line 4", file.display()));
    assert_eq!(of("site_domain"), "\"environment.example\" from environment PAGESMITH_SITE_DOMAIN");
    assert_eq!(of("limits.body_timeout"), "\"3s\" from environment PAGESMITH_LIMITS_BODY_TIMEOUT");
    assert_eq!(of("rate_limit.window"), "\"60s\" from default");
    assert!(of("database").ends_with(" from flag --database"));
    let table = instance.run(&["config", "show"]).success();
    assert_eq!(table.lines().count(), shown.as_array().unwrap().len() + 1, "{table}");
}

#[test]
fn config_show_hides_secrets() {
    let instance = Instance::new();
    let secret = "c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3I=";
    for json in [&["config", "show"][..], &["config", "show", "--json"]] {
        let mut command = crate::process::bare(env!("CARGO_BIN_EXE_pagesmith").as_ref());
        command.args(json).current_dir(instance.path());
        command
            .env("PAGESMITH_SECRET_KEY", secret)
            .env("PAGESMITH_DATABASE", "postgres://me:hunter2@db/pages");
        let shown = Finished::of(&mut command).success();
        assert!(!shown.contains(secret) && !shown.contains("hunter2"), "{shown}");
        assert!(shown.contains("postgres://me:****@db/pages"), "{shown}");
    }
}

#[test]
fn a_setting_that_nobody_knows_is_refused_in_a_file_and_warned_about_in_the_environment() {
    let instance = Instance::new();
    let file = instance.path().join("pagesmith.toml");
    std::fs::write(&file, "[rate_limit]\nrequest = 7\n").unwrap();
    for command in [&["config", "show"][..], &["serve"], &["doctor"]] {
        let failure = instance.run(&[command, &["--config", file.to_str().unwrap()]].concat()).failure();
        assert!(failure.contains("unknown key rate_limit.request in"), "{failure}");
    }
    let missing = instance.path().join("missing.toml");
    let failure = instance.run(&["config", "show", "--config", missing.to_str().unwrap()]).failure();
    assert!(failure.contains("missing.toml"), "{failure}");
    let shown = Finished::of(instance.command(&["config", "show"]).env("PAGESMITH_LISTN", "x"));
    assert_eq!(shown.code, Some(0));
    assert!(shown.err.contains("PAGESMITH_LISTN"), "{}", shown.err);
}

#[test]
fn a_value_of_the_wrong_form_is_shown_and_refused() {
    let instance = Instance::new();
    let shown =
        Finished::of(instance.command(&["config", "show"]).env("PAGESMITH_RATE_LIMIT_WINDOW", "soon"));
    assert_eq!(shown.code, Some(1));
    assert!(shown.out.contains("soon"), "{}", shown.out);
    assert!(shown.err.contains("rate_limit.window") && shown.err.contains("60s"), "{}", shown.err);
}

#[test]
fn doctor_finds_nothing_wrong_beside_a_server() {
    let instance = Instance::new();
    let _server = instance.serve();
    let found = Finished::of(&mut instance.command(&["doctor", "--json"]));
    assert_eq!((found.code, found.err.as_str()), (Some(0), ""), "{}", found.out);
    let found: Value = serde_json::from_str(&found.out).unwrap();
    let levels: Vec<_> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|check| (check["check"].as_str().unwrap(), check["level"].as_str().unwrap()))
        .collect();
    for check in ["database", "migrations", "collation", "clock", "secret key"] {
        assert!(levels.contains(&(check, "OK")), "{found:#}");
    }
    assert_eq!(levels.iter().any(|(check, _)| *check == "disk"), !database::is_postgres(), "{found:#}");
    let lines = instance.run(&["doctor"]).success();
    assert!(lines.lines().all(|line| line.starts_with("OK ") || line.starts_with("WARN ")), "{lines}");
}

#[test]
fn a_database_elsewhere_without_verified_encryption_is_warned_of_at_the_start_and_by_doctor() {
    if !database::is_postgres() {
        return;
    }
    // The run's own server under the name of one elsewhere.
    let mut instance = Instance::new();
    let here = std::mem::take(&mut instance.database);
    let elsewhere = here.replace("@127.0.0.1:", "@db.example:");
    assert_ne!(elsewhere, here);
    instance.database = here;
    instance.run(&["migrate"]).success();
    let warnings = |log: &str| -> Vec<String> {
        let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let warned = lines.filter(|line| line["level"] == "WARN").map(|line| line["message"].to_string());
        warned.filter(|line| line.contains("sslmode=verify-full")).collect()
    };
    let server = instance.serve();
    assert_eq!(warnings(&server.err.text()), Vec::<String>::new());
    server.stop();
    for (mode, words) in [("prefer", "encrypted only if that works"), ("disable", "is not encrypted")] {
        instance.database = format!("{elsewhere}&hostaddr=127.0.0.1&sslmode={mode}");
        let server = instance.serve();
        let log = server.err.text();
        let told = warnings(&log);
        assert!(told.len() == 1 && told[0].contains(words), "{mode}: {log}");
        let found: Value = instance.json(&["doctor", "--json"]);
        let found = found.as_array().unwrap();
        let line = found.iter().find(|check| check["check"] == "transport").unwrap();
        assert!(line["level"] == "WARN" && line["detail"].as_str().unwrap().contains(words), "{line}");
        server.stop();
    }
}

#[test]
fn doctor_fails_where_the_database_is_not_usable() {
    let instance = Instance::new();
    instance.run(&["migrate"]).success();
    let bad = if database::is_postgres() {
        "postgres://postgres@127.0.0.1:1/postgres".to_owned()
    } else {
        std::fs::write(instance.path().join("other.db"), "this is not a database, but a text\n".repeat(50))
            .unwrap();
        format!("sqlite:{}", instance.path().join("other.db").display())
    };
    for bad in [bad, format!("sqlite:{}", instance.path().join("missing.db").display())] {
        let found = Finished::of(&mut Instance::at(bad).command(&["doctor"]));
        assert_eq!(found.code, Some(1), "{} {}", found.out, found.err);
        assert!(found.out.starts_with("FAIL  database "), "{}", found.out);
    }
    assert!(!instance.path().join("missing.db").exists(), "doctor makes nothing");
}

#[test]
fn a_database_of_another_program_is_refused_and_left_alone() {
    if database::is_postgres() {
        return;
    }
    let instance = Instance::new();
    let file = instance.path().join("other.db");
    std::fs::write(&file, "this is not a database, but a text\n".repeat(50)).unwrap();
    let other = Instance::at(format!("sqlite:{}", file.display()));
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["migrate"], &["tenant", "list"]] {
        let finished = other.run(arguments);
        assert_eq!((finished.code, finished.out.as_str()), (Some(1), ""), "{}", finished.err);
        assert!(finished.err.contains("is not a database that can be used"), "{}", finished.err);
    }
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("this is not"));
}
