//! `migrate`, `openapi`, `config show` and `doctor`.

use pagesmith_testkit::database;
use serde_json::{Value, json};

use crate::process::{Finished, KEY, Place};

const KNOWN_DOCUMENT: &str = include_str!("../../../../../api/openapi.json");

#[test]
fn migrate_brings_an_empty_database_up_to_date_and_then_has_nothing_to_do() {
    let place = Place::new();
    if !database::is_postgres() {
        let failure = place.run(&["tenant", "list"]).failure();
        assert!(failure.contains("there is no database at"), "{failure}");
    } else {
        let failure = place.run(&["tenant", "list"]).failure();
        assert!(failure.contains("run `pagesmith migrate`"), "{failure}");
    }
    assert!(place.run(&["migrate"]).success().starts_with("applied 0001_"));
    assert_eq!(place.run(&["migrate"]).success(), "nothing to do\n");
    assert_eq!(place.json(&["tenant", "list", "--json"]), json!([]));
    // The first start is still to come.
    let server = place.serve();
    server.get("/v0/pages", KEY).expect(200);
    assert_eq!(place.run(&["migrate"]).success(), "nothing to do\n");
}

#[test]
fn openapi_prints_the_document_that_is_checked_in() {
    let place = Place::new();
    let mut printed: Value = place.json(&["openapi"]);
    let mut known: Value = serde_json::from_str(KNOWN_DOCUMENT).unwrap();
    assert_eq!(printed["servers"], json!([{ "url": "http://127.0.0.1:8080" }]));
    for document in [&mut printed, &mut known] {
        document.as_object_mut().unwrap().remove("servers");
    }
    assert_eq!(printed, known);
    let mut command = place.command(&["openapi"]);
    command.env("PAGESMITH_BASE_URL", "https://api.example.org/");
    let printed: Value = serde_json::from_str(&Finished::of(&mut command).success()).unwrap();
    assert_eq!(printed["servers"], json!([{ "url": "https://api.example.org" }]));
}

#[test]
fn config_show_tells_where_each_value_came_from() {
    let place = Place::new();
    let file = place.path().join("pagesmith.toml");
    std::fs::write(
        &file,
        "listen = \"127.0.0.1:1\"\nsite_domain = \"file.example\"\n[rate_limit]\nrequests = 7\n",
    )
    .unwrap();
    let mut command = place.command(&["config", "show", "--json", "--config", file.to_str().unwrap()]);
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
    let table = place.run(&["config", "show"]).success();
    assert_eq!(table.lines().count(), shown.as_array().unwrap().len() + 1, "{table}");
}

#[test]
fn config_show_hides_secrets() {
    let place = Place::new();
    let secret = "c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3I=";
    for json in [&["config", "show"][..], &["config", "show", "--json"]] {
        let mut command = crate::process::bare(env!("CARGO_BIN_EXE_pagesmith").as_ref());
        command.args(json).current_dir(place.path());
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
    let place = Place::new();
    let file = place.path().join("pagesmith.toml");
    std::fs::write(&file, "[rate_limit]\nrequest = 7\n").unwrap();
    for command in [&["config", "show"][..], &["serve"], &["doctor"]] {
        let failure = place.run(&[command, &["--config", file.to_str().unwrap()]].concat()).failure();
        assert!(failure.contains("unknown key rate_limit.request in"), "{failure}");
    }
    let missing = place.path().join("missing.toml");
    let failure = place.run(&["config", "show", "--config", missing.to_str().unwrap()]).failure();
    assert!(failure.contains("missing.toml"), "{failure}");
    let shown = Finished::of(place.command(&["config", "show"]).env("PAGESMITH_LISTN", "x"));
    assert_eq!(shown.code, Some(0));
    assert!(shown.err.contains("PAGESMITH_LISTN"), "{}", shown.err);
}

#[test]
fn a_value_of_the_wrong_form_is_shown_and_refused() {
    let place = Place::new();
    let shown = Finished::of(place.command(&["config", "show"]).env("PAGESMITH_RATE_LIMIT_WINDOW", "soon"));
    assert_eq!(shown.code, Some(1));
    assert!(shown.out.contains("soon"), "{}", shown.out);
    assert!(shown.err.contains("rate_limit.window") && shown.err.contains("60s"), "{}", shown.err);
}

#[test]
fn doctor_finds_nothing_wrong_beside_a_server() {
    let place = Place::new();
    let _server = place.serve();
    let found = Finished::of(&mut place.command(&["doctor", "--json"]));
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
    let lines = place.run(&["doctor"]).success();
    assert!(lines.lines().all(|line| line.starts_with("OK ") || line.starts_with("WARN ")), "{lines}");
}

#[test]
fn doctor_fails_where_the_database_is_not_usable() {
    let place = Place::new();
    place.run(&["migrate"]).success();
    let bad = if database::is_postgres() {
        "postgres://postgres@127.0.0.1:1/postgres".to_owned()
    } else {
        std::fs::write(place.path().join("other.db"), "this is not a database, but a text\n".repeat(50))
            .unwrap();
        format!("sqlite:{}", place.path().join("other.db").display())
    };
    for bad in [bad, format!("sqlite:{}", place.path().join("missing.db").display())] {
        let found = Finished::of(&mut Place::at(bad).command(&["doctor"]));
        assert_eq!(found.code, Some(1), "{} {}", found.out, found.err);
        assert!(found.out.starts_with("FAIL  database "), "{}", found.out);
    }
    assert!(!place.path().join("missing.db").exists(), "doctor makes nothing");
}

#[test]
fn a_database_of_another_program_is_refused_and_left_alone() {
    if database::is_postgres() {
        return;
    }
    let place = Place::new();
    let file = place.path().join("other.db");
    std::fs::write(&file, "this is not a database, but a text\n".repeat(50)).unwrap();
    let other = Place::at(format!("sqlite:{}", file.display()));
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["migrate"], &["tenant", "list"]] {
        let finished = other.run(arguments);
        assert_eq!((finished.code, finished.out.as_str()), (Some(1), ""), "{}", finished.err);
        assert!(finished.err.contains("is not a database that can be used"), "{}", finished.err);
    }
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("this is not"));
}
