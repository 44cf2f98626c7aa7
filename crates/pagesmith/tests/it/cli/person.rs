//! `person export` and `person erase`: everything about somebody, and nothing any more.

use pagesmith_testkit::database;
use serde_json::{Value, json};

use super::import::{imported, persons};
use crate::process::{Instance, KEY, Server};

/// Everything in the database, as text; on SQLite that is a fresh backup's bytes.
fn everything(instance: &Instance, name: &str) -> String {
    if !database::is_postgres() {
        instance.run(&["backup", name]).success();
        let bytes = std::fs::read(instance.path().join(name)).unwrap();
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(database::schema_as_text(&instance.database))
}

/// An import and two entries of the log, one of them deleted; the person's id.
fn known(instance: &Instance, server: &Server) -> String {
    let file = "Name,Email,Phone,LinkedIn,Title\n\
                Zebulon Quux,zebulon@quuxwerke.com,+4915112345678,linkedin.com/in/zebulonq,Zookeeper\n";
    imported(instance, file, &[]);
    let id = persons(instance)[0]["personId"].as_str().unwrap().to_owned();
    let write = |payload: Value| {
        let body = json!({ "personId": id, "source": "crm", "type": "call", "payload": payload });
        server.post("/v0/person_logs", KEY, &body).expect(201).json()
    };
    write(json!({ "text": "Zebulon called" }));
    let deleted = write(json!({ "text": "zebulon@quuxwerke.com wrote" }));
    let path = format!("/v0/persons/{id}/logs/{}", deleted["personLogId"].as_str().unwrap());
    let deletion = server.connect().call("DELETE", &path, Some(KEY), None).unwrap();
    assert_eq!(deletion.status, 200, "{}", String::from_utf8_lossy(&deletion.body));
    id
}

#[test]
fn everything_about_a_person_is_exported() {
    let instance = Instance::new();
    let server = instance.serve();
    let id = known(&instance, &server);
    let export = |arguments: &[&str]| -> Value {
        let held = instance.run(&[&["person", "export", &id], arguments].concat()).success();
        serde_json::from_str(&held).unwrap()
    };
    let mut held = export(&[]);
    let mut again = export(&["--tenant", "default"]);
    assert_eq!(again["auditEntries"][0]["action"], "person-exported");
    again["auditEntries"] = json!([]);
    assert_eq!(again, held);
    for log in held["logs"].as_array_mut().unwrap() {
        for own in ["personLogId", "createdAt", "deletedAt"] {
            if log[own].is_string() {
                log[own] = json!("…");
            }
        }
    }
    for (part, own) in [("person", "personId"), ("person", "accountId"), ("person", "createdAt")]
        .into_iter()
        .chain([("person", "updatedAt"), ("account", "accountId")])
    {
        assert!(held[part][own].is_string(), "{held}");
        held[part][own] = json!("…");
    }
    held["tenantId"] = json!("…");
    insta::assert_snapshot!(format!("{held:#}"));

    instance.run(&["tenant", "create", "Other"]).success();
    let failure = instance.run(&["person", "export", &id, "--tenant", "other"]).failure();
    assert!(failure.starts_with("No such person: "), "{failure}");
}

#[test]
fn an_erased_person_leaves_no_trace() {
    let instance = Instance::new();
    let server = instance.serve();
    let id = known(&instance, &server);
    let slug = persons(&instance)[0]["slug"].as_str().unwrap().to_owned();
    let traces = ["Zebulon", "zebulon", "Zookeeper", "4915112345678", "Quux", &id, &slug];
    let before = everything(&instance, "before.db");
    assert!(traces.iter().all(|trace| before.contains(trace)), "the test looks for the wrong things");

    // Without a terminal nobody can be asked.
    let failure = instance.run(&["person", "erase", &id]).failure();
    assert!(failure.contains("--yes"), "{failure}");
    instance.run(&["tenant", "create", "Other"]).success();
    instance.run(&["person", "erase", &id, "--yes", "--tenant", "other"]).failure();
    server.get(&format!("/v0/persons/{id}"), KEY).expect(200);

    let said = instance.run(&["person", "erase", &id, "--yes"]).success();
    assert!(said.starts_with(&format!("erased {id}\n")), "{said}");
    server.get(&format!("/v0/persons/{id}"), KEY).expect(404);
    server.get(&format!("/v0/persons/{id}/logs"), KEY).expect(404);
    assert_eq!(server.get("/v0/persons", KEY).expect(200).json()["totalCount"], 0);
    let after = everything(&instance, "after.db");
    for trace in traces {
        assert!(!after.contains(trace), "{trace} is still there");
    }
    // The audit entry is the one that was told.
    let entry = said.split_whitespace().find(|word| word.starts_with("audit_")).unwrap();
    assert!(after.contains("person-erased") && after.contains(entry));
    let failure = instance.run(&["person", "erase", &id, "--yes"]).failure();
    assert!(failure.starts_with("No such person: "), "{failure}");

    // A namesake gets another address; the identifiers are free.
    imported(&instance, "Name,Email\nZebulon Quux,zebulon@quuxwerke.com\n", &[]);
    let namesake = &persons(&instance)[0];
    assert_ne!(namesake["personId"], json!(id));
    assert_ne!(namesake["slug"], json!(slug));
    let accounts = server.get("/v0/accounts?includeEmptyOnly=true", KEY).expect(200).json();
    assert_eq!(accounts["totalCount"], 0, "{accounts}");
    server.is_well();
}

#[test]
fn a_deleted_person_can_be_erased_and_kept_answers_go() {
    let instance = Instance::new();
    let server = instance.serve();
    let id = known(&instance, &server);
    // An answer that shows the person is kept for when the request comes again.
    let body = json!({ "name": "Zebulon Quux", "email": "zebulon@quuxwerke.com" }).to_string();
    let post = || {
        let mut connection = server.connect();
        connection
            .send(format!(
                "POST /v0/persons HTTP/1.1\r\nhost: api\r\nx-api-key: {KEY}\r\nidempotency-key: once\r\n\
                 content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            ))
            .unwrap();
        connection.receive().unwrap()
    };
    assert_eq!(post().expect(200).json()["personId"], json!(id));
    let deleted = server.connect().call("DELETE", &format!("/v0/persons/{id}"), Some(KEY), None).unwrap();
    assert_eq!(deleted.status, 200);
    instance.run(&["person", "erase", &id, "--yes", "--rewrite"]).success();
    // The very files that are served, not only what a backup takes from them.
    if let Some(file) = instance.database.strip_prefix("sqlite:") {
        for suffix in ["", "-wal"] {
            let bytes = std::fs::read(format!("{file}{suffix}")).unwrap_or_default();
            let held = String::from_utf8_lossy(&bytes).to_lowercase();
            assert!(!["zebulon", "zookeeper", "4915112345678", &id].iter().any(|trace| held.contains(trace)));
        }
    }
    assert_eq!(server.get("/v0/persons", KEY).expect(200).json()["totalCount"], 0);
    assert!(!everything(&instance, "after.db").contains("Zebulon"));
    assert_ne!(post().expect(201).json()["personId"], json!(id));
    let failure = instance.run(&["person", "export", &id]).failure();
    assert!(failure.starts_with("No such person: "), "{failure}");
}
