//! `export persons`: what comes out goes in again.

use serde_json::{Value, json};

use super::import::{imported, persons};
use crate::process::{Instance, KEY};

/// A person without what is the database's own.
fn content(mut person: Value) -> Value {
    for own in ["personId", "accountId", "createdAt", "updatedAt"] {
        person.as_object_mut().unwrap().remove(own);
    }
    person
}

#[test]
fn an_export_imports_to_the_same() {
    let instance = Instance::new();
    instance.serve().stop();
    let file = "Name,Email,Phone,LinkedIn,Domain,Mobile,\"=HYPERLINK(\"\"x\"\")\",Note\n\
                Jane,jane@acme.com,+4915112345678,linkedin.com/in/jane,other.example,+4915187654321,a,\n\
                '=1+1,=cmd@acme.com,,,,,-2,@SUM(A1)\n\
                \"Two\nlines; \"\"quoted\"\"\",,+4930123456,,,,'=x,'quoted'\n";
    imported(&instance, file, &[]);
    let before = persons(&instance);
    assert_eq!(before.len(), 3);
    assert_eq!(before[1]["name"], "=1+1");

    instance.run(&["export", "persons", "--tenant", "default", "--output", "out.csv"]).success();
    let exported = std::fs::read_to_string(instance.path().join("out.csv")).unwrap();
    assert_eq!(instance.run(&["export", "persons", "--tenant", "default"]).success(), exported);
    assert!(exported.contains("'=1+1,'=cmd@acme.com,"), "{exported}");
    assert!(exported.contains("'-2,'@SUM(A1)") && exported.contains(",+4930123456,"), "{exported}");

    // Into the same tenant: nothing changes. Into another one: the same persons.
    let report = imported(&instance, &exported, &[]);
    assert_eq!((&report["unchanged"], &report["rows"]), (&3.into(), &3.into()), "{report}");
    assert_eq!(persons(&instance), before);
    instance.run(&["tenant", "create", "Other"]).success();
    instance.run(&["import", "persons", "out.csv", "--tenant", "other"]).success();
    let again = instance.run(&["export", "persons", "--tenant", "other"]).success();
    assert_eq!(again, exported);
    let other = instance.run(&["export", "persons", "--tenant", "other", "--format", "jsonl"]).success();
    let other: Vec<Value> = other.lines().map(|line| content(serde_json::from_str(line).unwrap())).collect();
    assert_eq!(other, before.into_iter().map(content).collect::<Vec<_>>());
}

#[test]
fn a_domain_that_was_cleared_stays_so_when_an_export_comes_in_again() {
    let instance = Instance::new();
    let server = instance.serve();
    let made = |body: Value| server.post("/v0/persons", KEY, &body).expect(201).json();
    let cleared = made(json!({ "name": "Clr", "email": "clr@corp78.example" }));
    let path = format!("/v0/persons/{}", cleared["personId"].as_str().unwrap());
    let clear = json!({ "domain": null });
    server.connect().call("PATCH", &path, Some(KEY), Some(&clear)).unwrap().expect(200);
    made(json!({ "name": "Kept", "email": "kept@corp78.example" }));
    made(json!({ "name": "Mail", "email": "mail@gmail.com" }));
    made(json!({ "name": "Phone", "phoneNumber": "+4915112345678" }));
    let before = persons(&instance);
    assert_eq!((&before[0]["domain"], &before[1]["domain"]), (&Value::Null, &"corp78.example".into()));
    let exported = instance.run(&["export", "persons", "--tenant", "default"]).success();
    for extra in [&["--dry-run"][..], &[]] {
        let report = imported(&instance, &exported, extra);
        assert_eq!((&report["unchanged"], &report["rows"]), (&4.into(), &4.into()), "{report}");
    }
    assert_eq!(persons(&instance), before);
    // Whoever had no address from which a domain could be known gets that of the new one.
    imported(&instance, "Email,Phone\nphone@corp79.example,+4915112345678\n", &[]);
    assert_eq!(persons(&instance)[3]["domain"], "corp79.example");
}

#[test]
fn an_export_takes_the_place_of_a_file_only_when_that_is_asked_for() {
    let instance = Instance::new();
    instance.run(&["migrate"]).success();
    instance.run(&["tenant", "create", "Acme"]).success();
    let file = instance.path().join("out.csv");
    std::fs::write(&file, "something dear\n").unwrap();
    let export = ["export", "persons", "--tenant", "acme", "--output", "out.csv"];
    let failure = instance.run(&export).failure();
    assert_eq!(failure, "the file out.csv is there already: choose another name, or replace it with --force");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "something dear\n");
    instance.run(&[&export[..], &["--force"]].concat()).success();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "Name,Email,Phone,LinkedIn,Domain\n");
    assert_eq!(instance.run(&["export", "persons", "--tenant", "acme", "--force"]).code, Some(2));
}

#[test]
fn a_tenant_without_persons_has_headings_alone() {
    let instance = Instance::new();
    instance.run(&["migrate"]).success();
    instance.run(&["tenant", "create", "Acme"]).success();
    let export =
        |format: &str| instance.run(&["export", "persons", "--tenant", "acme", "--format", format]).success();
    assert_eq!(export("csv"), "Name,Email,Phone,LinkedIn,Domain\n");
    assert_eq!(export("jsonl"), "");
    let failure =
        instance.run(&["export", "persons", "--tenant", "acme", "--output", "no/such/file"]).failure();
    assert!(failure.starts_with("the file no/such/file cannot be written: No such"), "{failure}");
}
