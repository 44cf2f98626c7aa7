//! A submission and everything that follows from it.

use pagesmith_model::PersonId;
use pagesmith_operations::subject_requests;
use pagesmith_operations::tenants::{self, TenantChange};
use pagesmith_testkit::Receiver;
use pagesmith_testkit::contract::event_problems;
use serde_json::{Value, json};

use super::Scene;

const ADA: [(&str, &str); 4] =
    [("name", "Ada Lovelace"), ("email", " Ada@Example.com "), ("text", "Maps\r\nplease"), ("agree", "on")];

#[tokio::test]
async fn a_submission_makes_the_person_the_log_entry_the_mark_on_the_visit_and_the_event() {
    let scene = Scene::start().await;
    let receiver = Receiver::start().await;
    let subscription = json!({ "url": receiver.url(), "events": ["form.submitted"] });
    scene.client.post("/v0/webhook_subscriptions", &subscription).await.expect(201);
    let here = format!("https://{}/forms?utm_source=fair&utm_medium=qr&x=y", scene.shown.host);
    let visitor = scene.visitor.with("referer", &here);
    let answer = scene.shown.send(&visitor, &ADA).await.expect(303);
    let thanks = visitor.get(answer.header("location").unwrap()).await.expect(200).text();
    assert!(
        thanks.contains("We will call you.") && thanks.contains("href=\"/forms?utm_source=fair"),
        "{thanks}"
    );

    let sent = &scene.submissions("accepted").await[0];
    let input =
        json!({ "name": "Ada Lovelace", "email": "ada@example.com", "text": "Maps\nplease", "agree": true });
    assert_eq!((&sent["input"], &sent["spamReasons"]), (&input, &json!(["no_token"])));
    assert_eq!(
        sent["agreements"],
        json!([{ "key": "agree", "text": "You may call me about maps.", "revision": 1 }])
    );
    assert_eq!(sent["utmParameters"], json!({ "utm_source": "fair", "utm_medium": "qr" }));

    let person = sent["personId"].as_str().unwrap();
    let known = scene.client.get(&format!("/v0/persons/{person}")).await.expect(200).json();
    assert_eq!((&known["name"], &known["email"]), (&json!("Ada Lovelace"), &json!("ada@example.com")));
    let logs = scene.client.get(&format!("/v0/persons/{person}/logs")).await.expect(200).json();
    let entry = &logs["items"][0];
    assert_eq!((&entry["source"], &entry["type"]), (&json!("form"), &json!("form-submitted")));
    assert_eq!(
        (&entry["payload"]["submissionId"], &entry["payload"]["input"]),
        (&sent["submissionId"], &input)
    );

    let page = format!("/v0/pages/{}", scene.shown.page);
    let sessions = scene.client.get(&format!("{page}/audience_sessions")).await.expect(200).json();
    let session = &sessions["items"][0];
    assert_eq!(session["audienceSessionId"], sent["audienceSessionId"]);
    assert_eq!(
        (&session["hasFormSubmit"], &session["formSubmissionId"]),
        (&json!(true), &sent["submissionId"])
    );
    assert_eq!(session["formSubmissionIdentifierType"], "email");
    assert_eq!(session["formSubmissionEmail"], "ada@example.com");
    let summary = scene.client.get(&format!("{page}/analytics/summary")).await.expect(200).json();
    assert_eq!((&summary["formSubmitRate"], &summary["conversionRate"]), (&json!(1), &json!(1)));

    scene.app.deliver().await;
    let arrived: Value = serde_json::from_slice(&receiver.arrived()[0].body).unwrap();
    assert_eq!(event_problems("form.submitted", &arrived), Vec::<String>::new(), "{arrived}");
    let payload = &arrived["payload"];
    assert_eq!((&payload["type"], &payload["formId"]), (&json!("form.submitted"), &json!(scene.form)));
    assert_eq!((&payload["input"], &payload["utmParameters"]), (&input, &sent["utmParameters"]));
}

#[tokio::test]
async fn what_is_sent_twice_is_one_submission() {
    let scene = Scene::start().await;
    scene.shown.send(&scene.visitor, &ADA).await.expect(303);
    scene.shown.send(&scene.visitor, &ADA).await.expect(303);
    assert_eq!(scene.submissions("accepted").await.len(), 1);
    // Ten minutes later, or with another text, it is another one.
    scene.app.advance(std::time::Duration::from_mins(21));
    scene.shown.send(&scene.visitor, &ADA).await.expect(303);
    scene.shown.send(&scene.visitor, &[("email", "ada@example.com"), ("text", "More")]).await.expect(303);
    assert_eq!(scene.submissions("accepted").await.len(), 3);
    let token = scene.visitor.get("/.pagesmith/f?token").await.expect(200).text();
    scene.app.advance(std::time::Duration::from_secs(10));
    let with_token = [("email", "ada@example.com"), ("ps.token", token.as_str())];
    let script = scene.visitor.with("accept", "application/json");
    let first = scene.shown.send(&script, &with_token).await.expect(200).json();
    let again = scene.shown.send(&script, &with_token).await.expect(200).json();
    assert_eq!((&first["message"], &first), (&json!("We will call you."), &again));
    assert_eq!(scene.submissions("accepted").await.len(), 4);
    assert_eq!(scene.submissions("accepted").await[0]["spamReasons"], json!([]));
    assert_eq!(scene.events("form.submitted").await.len(), 4);
}

#[tokio::test]
async fn what_is_wrong_is_told_and_what_was_entered_is_kept() {
    let scene = Scene::start().await;
    let wrong = [("name", "Ada <b>"), ("email", "ada"), ("phone", "x")];
    let page = scene.shown.send(&scene.visitor, &wrong).await.expect(422).text();
    assert!(page.contains("value=\"Ada &lt;b&gt;\"") && page.contains("role=\"alert\""), "{page}");
    assert!(page.contains("href=\"#ps-form-email\"") && page.contains("href=\"#ps-form-phone\""), "{page}");
    let script = scene.visitor.with("accept", "application/json");
    let told = scene.shown.send(&script, &wrong).await.expect(422).json();
    let codes: Vec<(&str, &str)> = told["faults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| (fault["key"].as_str().unwrap(), fault["code"].as_str().unwrap()))
        .collect();
    assert_eq!(codes, [("email", "email"), ("phone", "phone")]);
    assert_eq!(scene.submissions("accepted").await.len(), 0);
    assert_eq!(scene.events("form.submitted").await.len(), 0);
}

#[tokio::test]
async fn identifiers_of_several_persons_are_the_first_ones() {
    let scene = Scene::start().await;
    let person = |email: Option<&str>, phone: Option<&str>| {
        let mut body = json!({ "name": "Somebody" });
        for (field, value) in [("email", email), ("phoneNumber", phone)] {
            if let Some(value) = value {
                body[field] = value.into();
            }
        }
        body
    };
    let ada = scene.client.post("/v0/persons", &person(Some("ada@example.com"), None)).await.json();
    scene.client.post("/v0/persons", &person(None, Some("+4930901820"))).await;
    let both = [("email", "ada@example.com"), ("phone", "+49 30 901820")];
    scene.shown.send(&scene.visitor, &both).await.expect(303);
    let sent = &scene.submissions("accepted").await[0];
    let ada = if ada["personId"].is_string() { &ada["personId"] } else { &ada["person"]["personId"] };
    assert_eq!(&sent["personId"], ada);
}

#[tokio::test]
async fn a_national_phone_number_is_read_as_the_tenants_region_does() {
    let scene = Scene::start().await;
    let send = async |text: &str| {
        let values = [("email", "ada@example.com"), ("phone", "912 345 678"), ("text", text)];
        scene.shown.send(&scene.visitor, &values).await.expect(303);
        let sent = scene.submissions("accepted").await.remove(0);
        let person = format!("/v0/persons/{}", sent["personId"].as_str().unwrap());
        scene.client.get(&person).await.expect(200).json()["phoneNumber"].clone()
    };
    assert_eq!(send("without a region").await, Value::Null);
    let ctx = scene.app.platform.context();
    let change = TenantChange { default_region: Some("PT".to_owned()), ..TenantChange::default() };
    scene.app.store.write(move |tx| tenants::update(tx, &ctx, "acme", &change)).await.unwrap();
    scene.app.refresh().await;
    assert_eq!(send("with one").await, "+351912345678");
}

#[tokio::test]
async fn a_visit_that_is_measured_is_the_one_that_is_marked() {
    use pagesmith_testkit::samples::visits::report;
    let scene = Scene::start().await;
    let view = "0".repeat(31) + "1";
    let beacon = report(&view, &scene.shown.page, &scene.shown.audience);
    scene.visitor.post("/.pagesmith/v", &beacon).await.expect(204);
    scene.shown.send(&scene.visitor, &ADA).await.expect(303);
    let mut more = beacon.clone();
    more["e"] = json!(20_000);
    more["t"] = json!(21_000);
    scene.app.advance(std::time::Duration::from_secs(12));
    scene.visitor.post("/.pagesmith/v", &more).await.expect(204);
    let sessions = format!("/v0/pages/{}/audience_sessions", scene.shown.page);
    let sessions = scene.client.get(&sessions).await.expect(200).json();
    assert_eq!(sessions["items"].as_array().unwrap().len(), 1);
    assert_eq!((&sessions["items"][0]["hasFormSubmit"], &sessions["totalCount"]), (&json!(true), &json!(1)));
}

#[tokio::test]
async fn lists_are_read_part_by_part() {
    let scene = Scene::start().await;
    for text in ["1", "2", "3"] {
        scene.shown.send(&scene.visitor, &[("email", "ada@example.com"), ("text", text)]).await.expect(303);
        super::create(&scene.client, &super::usual()).await;
    }
    let own = format!("/v0/forms/{}/submissions", scene.form);
    for (path, count) in [(own.as_str(), 3), ("/v0/form_submissions", 3), ("/v0/forms", 4)] {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let mut parameters = vec![("limit", "1")];
            if !cursor.is_empty() {
                parameters.push(("cursor", cursor.as_str()));
            }
            let part = scene.client.get_with(path, &parameters).await.expect(200).json();
            seen.extend(part["items"].as_array().unwrap().clone());
            match part["nextCursor"].as_str() {
                Some(next) => cursor = next.to_owned(),
                None => break,
            }
        }
        assert_eq!(seen.len(), count, "{path}");
        seen.dedup();
        assert_eq!(seen.len(), count, "{path}: one comes twice");
    }
}

#[tokio::test]
async fn a_person_is_handed_its_submissions_and_they_go_with_it() {
    let scene = Scene::start().await;
    scene.shown.send(&scene.visitor, &ADA).await.expect(303);
    let sent = scene.submissions("accepted").await.remove(0);
    let id = PersonId::parse(sent["personId"].as_str().unwrap()).unwrap();
    let (ctx, tenant) = (scene.app.platform.context(), scene.app.tenant.clone());
    let told = subject_requests::export(&scene.app.store, &ctx, Some(&tenant), &id).await.unwrap();
    let told = serde_json::to_value(told).unwrap();
    let record = &told["submissions"][0];
    assert_eq!((&record["input"], &record["agreements"]), (&sent["input"], &sent["agreements"]));
    subject_requests::erase(&scene.app.store, &ctx.of(tenant), &id).await.unwrap();
    assert_eq!(scene.total("accepted").await, 0);
    // The event was told, and says no more who it was.
    let event = scene.events("form.submitted").await.remove(0).to_string();
    assert!(!event.to_lowercase().contains("ada@") && !event.contains("Lovelace"), "{event}");
}

#[tokio::test]
async fn a_consent_tells_the_revision_of_its_form_and_the_language_of_its_page() {
    let scene = Scene::start().await;
    let content = json!({ "head": { "language": "de" }, "blocks": [] });
    let audience = format!("/v0/pages/{}/audiences/{}", scene.shown.page, scene.shown.audience);
    let live = scene.client.get(&format!("{audience}/versions")).await.expect(200).json();
    let live = format!("{audience}/versions/{}", live["items"][0]["versionId"].as_str().unwrap());
    let draft = scene.client.post(&format!("{live}/restore"), &json!({})).await.expect(201).json();
    let draft = format!("{audience}/versions/{}", draft["versionId"].as_str().unwrap());
    let body = Some(content.to_string().into_bytes());
    scene.client.send("PUT", &format!("{draft}/content"), body).await.expect(200);
    scene.client.post(&format!("{draft}/publish"), &json!({})).await.expect(200);
    scene.shown.send(&scene.visitor, &ADA).await.expect(303);
    let fields = json!([
        { "key": "email", "kind": "email", "label": "E-Mail" },
        { "key": "agree", "kind": "consent", "label": "Sie dürfen mich anrufen." },
    ]);
    scene.client.patch(&format!("/v0/forms/{}", scene.form), &json!({ "fields": fields })).await.expect(200);
    scene.shown.send(&scene.visitor, &[("email", "bea@example.com"), ("agree", "on")]).await.expect(303);
    let sent = scene.submissions("accepted").await;
    let agreed = |text: &str, revision: u32| json!([{ "key": "agree", "text": text, "revision": revision, "language": "de" }]);
    assert_eq!(sent[1]["agreements"], agreed("You may call me about maps.", 1));
    assert_eq!(sent[0]["agreements"], agreed("Sie dürfen mich anrufen.", 2));
}
