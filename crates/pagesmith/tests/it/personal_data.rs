//! Every place that may hold what is known of a person: handed out by an export, and empty after an erasure.

use std::collections::BTreeSet;

use pagesmith_model::agent::{AgentKind, Used};
use pagesmith_model::json::JsonText;
use pagesmith_model::person_import::ImportRefusal;
use pagesmith_model::webhook::Attempt;
use pagesmith_model::{EventId, LeaseId, PersonId, PersonImportId, SubscriptionId, VersionId};
use pagesmith_operations::personal_data::{ErasureRule, TABLES, TEXT_COLUMNS};
use pagesmith_operations::subject_requests;
use pagesmith_store::tables::personal_data::{Form, TextRow};
use pagesmith_store::tables::versions::writings::Writing;
use pagesmith_store::tables::webhooks::deliveries::DeliveryKey;
use pagesmith_store::tables::{person_imports, versions, webhooks};
use pagesmith_store::{Extent, Tx};
use pagesmith_testkit::database::{ask_at, execute_at};
use pagesmith_testkit::samples::visits::{BROWSER, report};
use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use pagesmith_testkit::samples::owned::Owned;

/// What is planted: a text with everything by which somebody is known, in other spellings than they are kept in.
const PLANTED: &str =
    "QUUX, Zebulon <Zebulon.Q@Quuxwerke.com> 0151 / 123 456 78 de.linkedin.com/in/ZebulonQ?x=1";
/// What must not be found any more, in whatever case.
const TRACES: [&str; 5] = ["zebulon", "quux", "quuxwerke", "12345678", "123 456 78"];

/// The columns of text or bytes that the schema has, without ids.
fn schema() -> BTreeSet<(String, String)> {
    let text = include_str!("../../../../migrations/schema.sql");
    let mut columns = BTreeSet::new();
    let mut table = "";
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("CREATE TABLE ") {
            table = name.trim_end_matches(" (");
            columns.insert((table.to_owned(), String::new()));
        }
        let mut words = line.trim().trim_end_matches(',').split(' ');
        if let (Some(column), Some("TEXT" | "BYTEA")) = (words.next(), words.next())
            && !column.ends_with("_id")
        {
            columns.insert((table.to_owned(), column.to_owned()));
        }
    }
    columns
}

#[test]
fn every_column_that_may_hold_a_text_has_a_fate() {
    let mut listed = BTreeSet::new();
    for (table, columns) in TABLES {
        listed.insert(((*table).to_owned(), String::new()));
        for (column, _) in *columns {
            assert!(listed.insert(((*table).to_owned(), (*column).to_owned())), "{table}.{column} twice");
        }
    }
    assert_eq!(listed, schema());
    // What is to be searched is what is searched.
    let searched: BTreeSet<(&str, &str)> = TEXT_COLUMNS
        .iter()
        .flat_map(|place| place.columns.iter().map(|(column, _)| (place.table, *column)))
        .collect();
    let wanted = TABLES.iter().flat_map(|(table, columns)| {
        columns.iter().filter(|(_, rule)| *rule == ErasureRule::Searched).map(|(column, _)| (*table, *column))
    });
    assert_eq!(searched, wanted.collect());
}

/// What is planted in a column.
fn planted(form: Form, number: usize) -> String {
    match form {
        Form::Text => format!("Of {PLANTED} and others"),
        Form::Key => format!("{number} of {PLANTED}"),
        Form::Label => "call-with-zebulon-quux".to_owned(),
        Form::Slug => format!("zebulon-quux-and-{number}"),
        Form::Json => json!({ "text": PLANTED, PLANTED: [1, 4_915_112_345_678_i64] }).to_string(),
        Form::Attempt => {
            let attempt = Attempt {
                at: pagesmith_model::Timestamp::from_micros(0),
                duration_ms: 1,
                status: Some(200),
                error: None,
                response: Some(format!("Zebulon: {PLANTED}")),
            };
            serde_json::to_string(&attempt).unwrap()
        }
    }
}

/// Whom the tests are about; the id.
async fn person(client: &Client) -> String {
    let body = json!({
        "name": "Zebulon Quux", "email": "zebulon.q@quuxwerke.com", "phoneNumber": "+4915112345678",
        "linkedinProfileUrl": "https://www.linkedin.com/in/zebulonq",
    });
    let made = client.post("/v0/persons", &body).await.expect(201).json();
    made["personId"].as_str().unwrap().to_owned()
}

/// Rows of others in every place.
async fn others(app: &TestApp, owned: &Owned) {
    let client = app.client();
    let versions = owned.fill("/v0/pages/{page_id}/audiences/{audience_id}/versions");
    client.post(&versions, &json!({ "operationKey": "Write to Zebulon Quux" })).await.expect(201);
    let version = VersionId::parse(owned.id("{version_id}")).unwrap();
    let subscription = SubscriptionId::parse(owned.id("{subscription_id}")).unwrap();
    let event = EventId::parse(&owned.id("{delivery_id}").replace("delivery_", "event_")).unwrap();
    let (tenant, ctx) = (app.tenant.clone(), app.platform.context());
    let key = DeliveryKey { tenant: tenant.clone(), subscription_id: subscription, event_id: event };
    let import = PersonImportId::parse(owned.id("{person_import_id}")).unwrap();
    let write = move |tx: &mut Tx<'_>| {
        let refused = ImportRefusal { line: 2, reason: "none".to_owned() };
        person_imports::add_refusals(tx, &tenant, &import, &[refused])?;
        let writing = Writing {
            lease: LeaseId::mint(ctx.uuid()?),
            kind: AgentKind::OpenAi,
            model: None,
            used: Used::default(),
            problem: Some("none".to_owned()),
        };
        tx.batch(vec![
            versions::writings::add(&tenant, &version, &writing, ctx.now),
            webhooks::attempts::insert(&key, 2, &JsonText::from_stored(planted(Form::Attempt, 0))),
        ])?;
        Ok(())
    };
    app.store.write(write).await.unwrap();
}

/// Plants the person in every column of every row of others; how many rows each place has.
async fn plant(app: &TestApp, own: &[&str]) -> Vec<(&'static str, usize)> {
    let tenant = app.tenant.clone();
    let own: Vec<pagesmith_store::Value> = own.iter().map(|id| (*id).into()).collect();
    let write = move |tx: &mut Tx<'_>| {
        let mut counts = Vec::new();
        for place in TEXT_COLUMNS {
            let rows = place.list(tx, &tenant, None, Extent::of_items(1_000))?.items;
            let is_own = |row: &TextRow| row.key.iter().any(|part| own.contains(part));
            let mut count = 0;
            for mut row in rows.into_iter().filter(|row| !is_own(row)) {
                count += 1;
                for ((_, form), text) in place.columns.iter().zip(&mut row.texts) {
                    *text = Some(planted(*form, count));
                }
                place.update(tx, &tenant, &row)?;
            }
            counts.push((place.table, count));
        }
        Ok(counts)
    };
    app.store.write(write).await.unwrap()
}

/// Which of these the database holds, in whatever case.
async fn held<'a>(app: &TestApp, wanted: &[&'a str]) -> Vec<&'a str> {
    let held = app.database.everything(&app.store).await.to_ascii_lowercase();
    let stands = |wanted: &str| held.windows(wanted.len()).any(|bytes| bytes == wanted.as_bytes());
    wanted.iter().copied().filter(|wanted| stands(&wanted.to_ascii_lowercase())).collect()
}

async fn export(app: &TestApp, id: &str) -> Value {
    let (ctx, id) = (app.platform.context(), PersonId::parse(id).unwrap());
    let held = subject_requests::export(&app.store, &ctx, Some(&app.tenant), &id).await.unwrap();
    serde_json::to_value(held).unwrap()
}

async fn erase(app: &TestApp, id: &str) {
    let (ctx, id) = (app.platform.context().of(app.tenant.clone()), PersonId::parse(id).unwrap());
    subject_requests::erase(&app.store, &ctx, &id).await.unwrap();
}

#[tokio::test]
async fn what_names_a_person_anywhere_is_exported_and_not_there_after_erasing() {
    let app = TestApp::start().await;
    let client = app.client();
    let id = person(&client).await;
    let owned = Owned::make(&client, 0).await;
    let page = owned.fill("/v0/pages/{page_id}/audiences");
    let own = json!({ "personId": id, "supplementaryContext": "Zymurgy matters to Zebulon." });
    let own = client.post(&page, &own).await.expect(201).json();
    let entry =
        json!({ "personId": id, "source": "crm", "type": "call", "payload": { "text": "Zookeeping" } });
    client.post("/v0/person_logs", &entry).await.expect(201);
    app.write_versions().await;
    others(&app, &owned).await;
    let rows = plant(&app, &[&id, own["audienceId"].as_str().unwrap()]).await;
    assert!(rows.iter().all(|(_, count)| *count > 0), "nothing to plant in: {rows:?}");
    // The account of the person's company is called by its domain, which goes with nobody.
    let account = client.get("/v0/accounts/search?query=quuxwerke").await.expect(200).json();
    assert_eq!(account["totalCount"], 1);

    let told = export(&app, &id).await;
    for place in TEXT_COLUMNS {
        for (column, _) in place.columns {
            let is_told = |mention: &&Value| mention["table"] == place.table && mention["column"] == *column;
            let mention = told["mentions"].as_array().unwrap().iter().find(is_told);
            let mention = mention.unwrap_or_else(|| panic!("{}.{column} is not told", place.table));
            assert!(mention["text"].as_str().unwrap().to_lowercase().contains("zebulon"), "{mention}");
        }
    }
    let audience = &told["audiences"][0];
    assert_eq!(audience["supplementaryContext"], "Zymurgy matters to Zebulon.");
    assert!(audience["versions"][0]["content"].to_string().contains("Zebulon"), "{audience}");
    assert_eq!(told["logs"][0]["payload"]["text"], "Zookeeping");
    let again = export(&app, &id).await;
    assert_eq!(again["auditEntries"][0]["action"], "person-exported", "{again}");

    let digits = id.trim_start_matches("person_");
    let all = ["zebulon", "zymurgy", "zookeeping", "123 456 78", digits];
    assert_eq!(held(&app, &all).await, all, "the test looks for the wrong things");
    erase(&app, &id).await;
    assert_eq!(held(&app, &all).await, Vec::<&str>::new());
    app.run_due_work().await;
    assert_eq!(held(&app, &all).await, Vec::<&str>::new());
    // What names nobody is left as it was.
    let log =
        client.get(&owned.fill("/v0/persons/{person_id}/logs/{person_log_id}")).await.expect(200).json();
    assert_eq!(log["payload"]["text"], "[erased] <[erased]> [erased] [erased]", "{log}");
    client.get(&format!("/v0/persons/{id}")).await.expect(404);
    let told = client.get("/v0/audit?limit=1").await.expect(200).json();
    assert_eq!(told["items"][0]["action"], "person-erased");
    assert!(!TRACES.iter().any(|trace| told.to_string().to_lowercase().contains(trace)), "{told}");
}

/// Plants a text in every column that is a person's own, past the server, in the one row of each table that is about the person; the texts.
async fn plant_own(app: &TestApp, person: &str, audience: &str) -> Vec<String> {
    let address = &app.database.address;
    let mut planted = Vec::new();
    for (table, columns) in TABLES {
        let own: Vec<&str> =
            columns.iter().filter(|(_, rule)| *rule == ErasureRule::Own).map(|(column, _)| *column).collect();
        let rows = match *table {
            _ if own.is_empty() => continue,
            // What identifies the person, which the API has taken.
            "persons" => continue,
            "audience_sessions" => format!("person_id = '{person}'"),
            "page_links" => format!("audience_id = '{audience}'"),
            "person_merges" => format!("into_person_id = '{person}'"),
            other => panic!("it is not known which rows of {other} are a person's own"),
        };
        let count = format!("SELECT CAST(COUNT(*) AS TEXT) FROM {table} WHERE {rows}");
        assert_eq!(ask_at(address, &count).await, "1", "{table}");
        let mut set = Vec::new();
        for column in own {
            let text = format!("zymurgy-{table}-{column}");
            let value =
                if *table == "person_merges" { json!({ "was": text }).to_string() } else { text.clone() };
            set.push(format!("{column} = '{value}'"));
            planted.push(text);
        }
        if *table == "audience_sessions" {
            // Without these the visit has no form.
            set.extend([
                "form_submission_id = 'none'".to_owned(),
                "form_identifier_type = 'email'".to_owned(),
            ]);
        }
        execute_at(address, &format!("UPDATE {table} SET {} WHERE {rows}", set.join(", "))).await;
    }
    planted
}

#[tokio::test]
async fn what_is_a_persons_own_in_any_column_is_exported_and_not_there_after_erasing() {
    let app = TestApp::start().await;
    let client = app.client();
    let id = person(&client).await;
    let page = crate::visits::page(&client, "Spring").await;
    let audience = crate::visits::shown(&client, &page, &json!({ "personId": id })).await;
    let target = json!({ "targetType": "audience", "audienceId": audience });
    crate::page_links::link(&client, "/for-one", &target).await;
    let other = client.post("/v0/persons", &json!({ "name": "Somebody Else" })).await.expect(201).json();
    let merge = json!({ "otherPersonId": other["personId"], "fields": {} });
    client.post(&format!("/v0/persons/{id}/merge"), &merge).await.expect(200);
    let site = crate::site::visitor(&app, "acme.localhost:8080").with("user-agent", BROWSER);
    let mut visit = report(&format!("{:032x}", 1), &page, &audience);
    visit["k"] = json!(true);
    let answer = site.post("/.pagesmith/v", &visit).await.expect(204);
    assert_eq!(answer.header("x-pagesmith-dropped"), None);
    let mut planted = plant_own(&app, &id, &audience).await;
    let identifying = [
        "Zebulon Quux",
        "zebulon.q@quuxwerke.com",
        "zebulon-quux",
        "4915112345678",
        "linkedin.com/in/zebulonq",
    ];
    planted.extend(identifying.map(str::to_owned));
    let all: Vec<&str> = planted.iter().map(String::as_str).collect();

    let told = export(&app, &id).await.to_string();
    for text in &all {
        assert!(told.contains(text), "{text} is not in {told}");
    }
    assert_eq!(held(&app, &all).await, all, "the test looks for the wrong things");
    erase(&app, &id).await;
    assert_eq!(held(&app, &all).await, Vec::<&str>::new());
    app.advance(std::time::Duration::from_mins(31));
    app.run_due_work().await;
    assert_eq!(held(&app, &all).await, Vec::<&str>::new());
}

#[tokio::test]
async fn others_pages_are_drawn_anew_and_what_is_being_written_begins_again() {
    let app = TestApp::start().await;
    let client = app.client();
    let id = person(&client).await;
    let page = crate::audiences::page_of(&client, &pagesmith_testkit::fixtures::page("Spring")).await;
    let context = json!({ "customName": "Colleagues of Zebulon Quux in Bergen",
        "supplementaryContext": "Colleagues of Zebulon Quux in Bergen." });
    let at = crate::audiences::audience(&client, &page, &context).await;
    app.write_versions().await;
    let site = app.anonymous().with("host", "acme.localhost");
    let hero = json!({ "blocks": [{ "type": "hero", "blockId": "b", "title": "Ask Zebulon Quux" }] });
    let next = client.post(&format!("{at}/versions"), &json!({})).await.expect(201).json();
    app.write_versions().await;
    let next = format!("{at}/versions/{}", next["versionId"].as_str().unwrap());
    client.send("PUT", &format!("{next}/content"), Some(hero.to_string().into_bytes())).await.expect(200);
    client.post(&format!("{next}/publish"), &json!({})).await.expect(200);
    assert!(site.get("/spring").await.expect(200).text().contains("Ask Zebulon Quux"));
    let named = "/spring/colleagues-of-zebulon-quux-in-bergen";
    site.get(named).await.expect(200);
    let waiting = client.post(&format!("{at}/versions"), &json!({})).await.expect(201).json();
    let ctx = app.platform.context();
    let tenants = vec![app.tenant.clone()];
    let claim =
        move |tx: &mut Tx<'_>| pagesmith_operations::versions::generations::claim(tx, &ctx, &tenants, 1);
    let claimed = app.store.claim(claim).await.unwrap().remove(0);
    assert_eq!(claimed.of.version_id.as_str(), waiting["versionId"]);
    erase(&app, &id).await;
    let shown = site.get("/spring").await.expect(200).text();
    assert!(shown.contains("Ask [erased]") && !shown.contains("Zebulon"), "{shown}");
    // An address that named the person leads nowhere any more.
    site.get(named).await.expect(404);
    let is_held = move |tx: &mut Tx<'_>| pagesmith_operations::versions::generations::is_held(tx, &claimed);
    assert!(!app.store.read(is_held).await.unwrap());
    let again = client.get(&format!("{at}/versions/{}", waiting["versionId"].as_str().unwrap())).await;
    assert_eq!(again.expect(200).json()["status"], "queued");
    app.write_versions().await;
    assert_eq!(held(&app, &["zebulon"]).await, Vec::<&str>::new());
}
