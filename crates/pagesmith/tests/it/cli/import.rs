//! `import persons`: files as other programs write them, on the database of a running server.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::process::{Finished, Instance, KEY};

/// Writes a file and imports it into the first tenant.
pub fn import(instance: &Instance, text: impl AsRef<[u8]>, more: &[&str]) -> Finished {
    std::fs::write(instance.path().join("persons.csv"), text).unwrap();
    instance.run(&[&["import", "persons", "persons.csv", "--tenant", "default"], more].concat())
}

/// The same, telling in JSON.
#[track_caller]
pub fn imported(instance: &Instance, text: impl AsRef<[u8]>, more: &[&str]) -> Value {
    serde_json::from_str(&import(instance, text, &[&["--json"], more].concat()).success()).unwrap()
}

/// Created, updated, unchanged, refused.
fn sums(report: &Value) -> [u64; 4] {
    ["created", "updated", "unchanged", "refused"].map(|sum| report[sum].as_u64().unwrap())
}

/// All persons with everything that an export tells, oldest first.
#[track_caller]
pub fn persons(instance: &Instance) -> Vec<Value> {
    let lines = instance.run(&["export", "persons", "--tenant", "default", "--format", "jsonl"]).success();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn messy_headings_are_understood_and_other_columns_are_kept() {
    let instance = Instance::new();
    let server = instance.serve();
    let file = "\u{feff}Job Title;E-MAIL ;\"Phone number\";Linked-In URL;first name;Last_Name;Website;;Empty\r\n\
                CEO; Jane.Doe@ACME.com ;0151 12345678;linkedin.com/in/Jane-Doe/;Jane;\"van \"\"D\"\"; Doe\";https://www.acme.com/about;x;\r\n\
                \r\n\
                ;;;;;;;;\r\n";
    let report = imported(&instance, file, &["--region", "de"]);
    assert_eq!(sums(&report), [1, 0, 0, 0], "{report}");
    let person = &persons(&instance)[0];
    assert_eq!(person["name"], "Jane van \"D\"; Doe");
    assert_eq!(person["email"], "jane.doe@acme.com");
    assert_eq!(person["phoneNumber"], "+4915112345678");
    assert_eq!(person["linkedinProfileUrl"], "https://www.linkedin.com/in/jane-doe");
    assert_eq!(person["domain"], "acme.com");
    assert_eq!(person["context"].to_string(), json!({ "Job Title": "CEO", "Column 8": "x" }).to_string());
    // The server beside it finds the person and its account.
    let found = server.get("/v0/persons/search?query=van", KEY).expect(200).json();
    assert_eq!(found["items"][0]["personId"], person["personId"]);
    let accounts = server.get("/v0/accounts", KEY).expect(200).json();
    assert_eq!(accounts["items"][0]["domain"], "acme.com");
}

#[test]
fn the_separator_is_found() {
    let instance = Instance::new();
    instance.serve().stop();
    for (at, separator) in [",", ";", "\t"].into_iter().enumerate() {
        let file = format!("Name{separator}Mail\n\"A{separator} B\"{separator}a{at}@x.com");
        assert_eq!(sums(&imported(&instance, file, &[])), [1, 0, 0, 0]);
        assert_eq!(persons(&instance)[at]["name"], format!("A{separator} B"));
    }
}

#[test]
fn every_refused_row_is_told_and_none_stops_the_others() {
    let instance = Instance::new();
    instance.serve().stop();
    let long = "n".repeat(256);
    let mut file = format!(
        "Name,Email,Phone,LinkedIn,Domain,Note\n\
         A,a@x.com,,,,\n\
         Bé ö,b@@x.com,,,,\n\
         C,,0151 12345678,,,\n\
         D,,,linkedin.com/company/acme,,\n\
         E,e@x.com,,,not a domain,\n\
         F,,,,,only a note\n\
         {long},g@x.com,,,,\n\
         H,h@x.com,,,\n\
         I,i@x.com,,,,\"two\nlines\"\n\
         J,j@x.com,,,,nul\0\n"
    )
    .into_bytes();
    file.extend(b"K,k@x.com,,,,\xff\nL,l@x.com,,,,");
    let report = imported(&instance, &file, &[]);
    assert_eq!(sums(&report), [3, 0, 0, 9], "{report}");
    let refusals = report["refusals"].as_array().unwrap();
    let told: Vec<_> =
        refusals.iter().map(|one| (one["line"].as_u64().unwrap(), one["reason"].as_str().unwrap())).collect();
    assert_eq!(
        told,
        [
            (3, "Email: is no e-mail address"),
            (4, "Phone: is no international phone number (+49 …); national numbers need a region"),
            (5, "LinkedIn: is not the address of a person's LinkedIn profile"),
            (6, "Domain: is no domain"),
            (7, "has no e-mail address, phone number or LinkedIn profile"),
            (8, "Name: is longer than 255 characters"),
            (9, "has 5 cells, the first line has 6"),
            (12, "Note: holds a NUL character"),
            (13, "Note: is not valid UTF-8"),
        ]
    );
    let names: Vec<_> = persons(&instance).iter().map(|person| person["name"].clone()).collect();
    assert_eq!(names, ["A", "I", "L"]);

    // For people, and into a file.
    let said = import(&instance, &file, &[]).success();
    assert!(said.contains("\nline 3: Email: is no e-mail address\n"), "{said}");
    assert!(said.ends_with("created 0, updated 0, unchanged 3, refused 9\n"), "{said}");
    let said = import(&instance, &file, &["--report", "refused.csv"]).success();
    assert!(!said.contains("line 3"), "{said}");
    let rows = std::fs::read_to_string(instance.path().join("refused.csv")).unwrap();
    assert!(rows.starts_with("Line,Reason\n3,Email: is no e-mail address\n"), "{rows}");
    let failure = import(&instance, &file, &["--report", "refused.csv"]).failure();
    assert!(failure.contains("refused.csv is there already") && failure.contains("--force"), "{failure}");
    import(&instance, "Email\na@x.com\n", &["--report", "refused.csv", "--force"]).success();
    assert_eq!(std::fs::read_to_string(instance.path().join("refused.csv")).unwrap(), "Line,Reason\n");
    let mode = std::fs::metadata(instance.path().join("refused.csv")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    std::fs::write(instance.path().join("persons.csv"), &file).unwrap();
    let failure = import(&instance, &file, &["--report", "./persons.csv"]).failure();
    assert!(failure.contains("another file"), "{failure}");
    assert!(std::fs::read(instance.path().join("persons.csv")).unwrap() == file);
}

#[test]
fn what_becomes_of_each_column_is_told_before_and_after() {
    let instance = Instance::new();
    instance.serve().stop();
    let file = "Vorname,Nachname,E-Mail-Adresse,Mail 2,Firma,Notizen,Leer\n\
                Jörg,Müller,joerg@firma.de,j@privat.de,Firma GmbH,geheim,\n\
                Anna,,,anna@privat.de,,,\n\
                ,,keine Adresse,,Nirgends,,\n";
    let arguments = ["--map", "notizen=ignore", "--map", "Firma=context"];
    for dry_run in [&["--dry-run"][..], &[]] {
        let report = imported(&instance, file, &[&arguments[..], dry_run].concat());
        assert_eq!(sums(&report), [2, 0, 0, 1], "{report}");
        let told = |name: &str| {
            let columns = report["columns"].as_array().unwrap();
            let told = columns.iter().find(|told| told["column"] == name).unwrap();
            format!(
                "{}, {}, {}",
                told["becomes"].as_str().unwrap(),
                told["rows"],
                told["note"].as_str().unwrap()
            )
        };
        assert_eq!(report["columns"].as_array().unwrap().len(), 7);
        for (column, expected) in [
            ("Vorname", "first-name, 2, "),
            ("Nachname", "last-name, 1, "),
            ("E-Mail-Adresse", "email, 1, "),
            ("Mail 2", "email, 2, where E-Mail-Adresse is empty; else context"),
            ("Firma", "context, 1, as \"Firma\""),
            ("Notizen", "ignore, 1, --map says so"),
            ("Leer", "context, 0, empty in every row"),
        ] {
            assert_eq!(told(column), expected, "{column}");
        }
    }
    let persons = persons(&instance);
    assert_eq!(persons[0]["name"], "Jörg Müller");
    assert_eq!(persons[0]["context"], json!({ "Mail 2": "j@privat.de", "Firma": "Firma GmbH" }));
    assert_eq!((&persons[1]["name"], &persons[1]["email"]), (&json!("Anna"), &json!("anna@privat.de")));
    let table = import(&instance, file, &arguments).success();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "COLUMN          BECOMES     ROWS  NOTE");
    assert_eq!(lines[6], "Notizen         ignore      1     --map says so");
    assert!(!table.contains("geheim") && !table.contains("joerg@"), "{table}");
}

#[test]
fn a_mapping_that_means_nothing_is_refused_with_what_was_meant() {
    let instance = Instance::new();
    instance.serve().stop();
    let failure = import(&instance, "Email,Notes\na@x.com,n\n", &["--map", "Nots=ignore"]).failure();
    assert!(failure.contains("there is no column 'Nots'; did you mean Notes?"), "{failure}");
    let wrong = import(&instance, "Email\na@x.com\n", &["--map", "Email=emial"]);
    assert!(wrong.code == Some(2) && wrong.err.contains("did you mean email?"), "{wrong:?}");
    assert!(persons(&instance).is_empty());
}

#[test]
fn the_same_file_again_changes_nothing_and_another_is_merged_over_it() {
    let instance = Instance::new();
    instance.serve().stop();
    // One person in four rows: what was said first counts.
    let file = "Name,Email,Phone,Title,City\n\
                ,jane@acme.com,,CEO,\n\
                Jane Doe,jane@acme.com,+4915112345678,CTO,Bonn\n\
                Janet,jane@acme.com,+4915187654321,,Köln\n\
                ,,+4915112345678,CFO,\n\
                Bob,bob@acme.com,,,\n";
    let told = imported(&instance, file, &["--dry-run"]);
    assert_eq!((sums(&told), told["dryRun"].as_bool()), ([2, 1, 2, 0], Some(true)), "{told}");
    assert!(persons(&instance).is_empty(), "a dry run wrote something");
    assert_eq!(sums(&imported(&instance, file, &[])), [2, 1, 2, 0]);
    let before = persons(&instance);
    assert_eq!(before.len(), 2);
    let expected = json!({ "Title": "CEO", "City": "Bonn" });
    assert_eq!((&before[0]["name"], &before[0]["context"]), (&json!("Jane Doe"), &expected));
    assert_eq!(before[0]["phoneNumber"], "+4915112345678");
    for arguments in [&["--dry-run"][..], &[]] {
        assert_eq!(sums(&imported(&instance, file, arguments)), [0, 0, 5, 0]);
        assert_eq!(persons(&instance), before);
    }

    let file = "Email,Name,City,Zip\njane@acme.com,,Köln,50667\n";
    let told = import(&instance, file, &["--dry-run"]).success();
    assert!(told.ends_with("\nwould be created 0, would be updated 1, unchanged 0, refused 0\n"), "{told}");
    assert_eq!(persons(&instance), before);
    assert_eq!(sums(&imported(&instance, file, &[])), [0, 1, 0, 0]);
    let jane = &persons(&instance)[0];
    assert_eq!(jane["context"], json!({ "Title": "CEO", "City": "Köln", "Zip": "50667" }));
    assert_eq!((&jane["name"], &jane["slug"]), (&json!("Jane Doe"), &before[0]["slug"]));
}

#[test]
fn identifiers_of_different_persons_are_refused_by_name() {
    let instance = Instance::new();
    instance.serve().stop();
    imported(&instance, "Email,Phone\na@x.com,\n,+4915112345678\n", &[]);
    let before = persons(&instance);
    for arguments in [&[][..], &["--dry-run"]] {
        // The second conflict arises in the file alone.
        let file = "Email,Phone,LinkedIn\n\
                    a@x.com,+4915112345678,\n\
                    n@x.com,,\n\
                    ,,linkedin.com/in/n\n\
                    n@x.com,,linkedin.com/in/n\n";
        let report = imported(&instance, file, arguments);
        assert_eq!(report["refused"], 2, "{report}");
        let reason = report["refusals"][0]["reason"].as_str().unwrap();
        for person in &before {
            assert!(reason.contains(person["personId"].as_str().unwrap()), "{reason}");
        }
        assert_eq!(report["refusals"][1]["line"], 5);
        assert_eq!(persons(&instance)[..2], before[..]);
    }
}

#[test]
fn national_numbers_are_those_of_the_tenant_unless_a_region_is_given() {
    let instance = Instance::new();
    instance.serve().stop();
    let made = instance.json(&["tenant", "create", "Acme", "--region", "de", "--json"]);
    assert_eq!(made["defaultRegion"], "DE");
    assert!(instance.run(&["tenant", "list"]).success().contains("DE"));
    let failure = instance.run(&["tenant", "create", "Other", "--region", "Germany"]).failure();
    assert!(failure.contains("'Germany' is no region"), "{failure}");
    std::fs::write(instance.path().join("a.csv"), "Mobile\n0151 12345678\n").unwrap();
    let into = |more: &[&str]| {
        instance.json(
            &[&["import", "persons", "a.csv", "--tenant", "acme", "--json", "--dry-run"], more].concat(),
        )
    };
    assert_eq!(sums(&into(&[])), [1, 0, 0, 0]);
    assert_eq!(sums(&into(&["--region", "DE"])), [1, 0, 0, 0]);
    assert_eq!(sums(&into(&["--region", "JM"])), [0, 0, 0, 1]);
}

#[test]
fn thousands_of_rows_are_imported_in_their_order() {
    let instance = Instance::new();
    let server = instance.serve();
    let mut file = "Name,Email,Title\n".to_owned();
    for row in 0..5_000 {
        file.push_str(&format!("Person {row},p{row}@company{}.com,Title {row}\n", row % 700));
    }
    // Far behind its first row.
    file.push_str("Nobody,p7@company7.com,\n");
    assert_eq!(sums(&imported(&instance, &file, &["--dry-run"])), [5_000, 0, 1, 0]);
    assert_eq!(sums(&imported(&instance, &file, &[])), [5_000, 0, 1, 0]);
    let total = server.get("/v0/persons", KEY).expect(200).json()["totalCount"].clone();
    assert_eq!(total, 5_000);
    let persons = persons(&instance);
    assert!(persons.iter().enumerate().all(|(at, person)| person["name"] == format!("Person {at}")));
    assert_eq!(sums(&imported(&instance, &file, &[])), [0, 0, 5_001, 0]);
    server.is_well();
}

#[test]
fn who_moves_within_a_file_leaves_the_right_accounts_behind() {
    let instance = Instance::new();
    let server = instance.serve();
    imported(&instance, "Email,Domain\na@gmail.com,left.com\n", &[]);
    // The first row empties an account and makes another one; the next two join them.
    let file = "Email,Domain\na@gmail.com,joined.com\nb@gmail.com,left.com\nc@gmail.com,joined.com\n";
    assert_eq!(sums(&imported(&instance, file, &[])), [2, 1, 0, 0]);
    let empty = server.get("/v0/accounts?includeEmptyOnly=true", KEY).expect(200).json();
    assert_eq!(empty["totalCount"], 0, "{empty:#}");
    let accounts = server.get("/v0/accounts", KEY).expect(200).json();
    let mut linked: Vec<_> = accounts["items"].as_array().unwrap().iter().collect();
    linked.sort_by_key(|account| account["domain"].as_str().unwrap().to_owned());
    let linked: Vec<_> = linked.iter().map(|of| (&of["domain"], &of["linkedPersonsCount"])).collect();
    assert_eq!(linked, [(&json!("joined.com"), &json!(2)), (&json!("left.com"), &json!(1))]);
}

#[test]
fn what_is_no_file_of_persons_is_refused_at_once() {
    let instance = Instance::new();
    instance.run(&["migrate"]).success();
    let failure = import(&instance, "Email\na@x.com\n", &[]).failure();
    assert!(failure.contains("the server's key is needed"), "{failure}");
    instance.serve().stop();
    for (text, named) in [
        (&b""[..], "it has nothing"),
        (b"Name,Title\nA,B\n", "it has Name, Title"),
        (b"Email,A,A\n", "two columns are called 'A'"),
        (b"\xff\xfeE\0m\0", "UTF-16"),
        (b"Email\xff\n", "persons.csv"),
    ] {
        let failure = import(&instance, text, &[]).failure();
        assert!(failure.contains(named), "{failure}");
    }
    let failure = instance.run(&["import", "persons", "none.csv", "--tenant", "default"]).failure();
    assert_eq!(failure, "none.csv cannot be read: No such file or directory");
    let failure = instance.run(&["import", "persons", "persons.csv", "--tenant", "nobody"]).failure();
    assert!(failure.contains("No such tenant"), "{failure}");
    assert!(persons(&instance).is_empty());
}
