//! Persons on the screens: merged with others, and erased.

use pagesmith_testkit::TestApp;
use scraper::{Html, Selector};
use serde_json::{Value, json};

use super::browser::Browser;
use crate::visits::Scene;

const PERSONS: &str = "/console/t/acme/persons";

async fn known(app: &TestApp, body: &Value) -> String {
    let person = app.client().post("/v0/persons", body).await.expect(201).json();
    person["personId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_search_for_another_person_replaces_what_was_found_and_nothing_else() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let ada = known(&app, &json!({ "name": "Ada Lovelace", "email": "ada@acme.example" })).await;
    let other = known(&app, &json!({ "name": "Ada King", "email": "king@acme.example" })).await;
    let screen = browser.open(&format!("{PERSONS}/{ada}/merge?q=king")).await.expect(200).text();
    let html = Html::parse_document(&screen);
    let search = html.select(&Selector::parse("form[hx-get]").unwrap()).next().unwrap();
    let part = search.attr("hx-target").unwrap();
    assert_eq!(search.attr("hx-select"), Some(part));
    let found = Selector::parse(&format!("{part} a[href$='{other}']")).unwrap();
    assert!(html.select(&found).next().is_some(), "{screen}");
    let searched = Selector::parse(&format!("{part} input")).unwrap();
    assert!(html.select(&searched).next().is_none(), "what is typed in stays: {screen}");
}

#[tokio::test]
async fn everybody_can_be_erased_by_typing_what_they_are_called_there() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    for body in [
        json!({ "source": "crm", "name": "Ada Lovelace", "email": "ada@acme.example" }),
        json!({ "source": "crm", "email": "bob@acme.example" }),
        json!({ "source": "crm", "phoneNumber": "+4915112345678" }),
        json!({ "source": "crm", "linkedinProfileUrl": "https://www.linkedin.com/in/nameless" }),
    ] {
        // Who is heard of first by an entry of the log has no name unless it tells one.
        let entry = app.client().post("/v0/person_logs", &body).await.expect(201).json();
        let id = entry["personId"].as_str().unwrap();
        let question = browser.open(&format!("{PERSONS}/{id}/erase")).await.expect(200).text();
        let html = Html::parse_document(&question);
        let field = html.select(&Selector::parse("input[data-typed]").unwrap()).next().unwrap();
        let typed = field.attr("data-typed").unwrap();
        let erase = format!("{PERSONS}/{id}/erase");
        let wrong = browser.send(&erase, &[("confirmation", "somebody")]).await;
        assert!(
            wrong.status.as_u16() < 500 && app.client().get(&format!("/v0/persons/{id}")).await.status == 200
        );
        browser.send(&erase, &[("confirmation", typed)]).await.expect(303);
        app.client().get(&format!("/v0/persons/{id}")).await.expect(404);
    }
}

#[tokio::test]
async fn a_person_shows_visits_pages_submissions_and_logs_with_the_way_to_each() {
    let scene = Scene::start().await;
    let client = &scene.client;
    let ada = known(&scene.app, &json!({ "name": "Ada Lovelace", "email": "ada@example.com" })).await;
    let minute = std::time::Duration::from_mins(1);
    let audience = crate::visits::shown(client, &scene.page, &json!({ "personId": ada })).await;
    scene.app.advance(minute);
    let log =
        json!({ "personId": ada, "source": "crm", "type": "call", "payload": { "text": "She asked." } });
    client.post("/v0/person_logs", &log).await.expect(201);
    scene.app.advance(minute);
    let fields = json!([{ "key": "email", "kind": "email", "label": "E-mail", "required": true }]);
    let form =
        client.post("/v0/forms", &json!({ "name": "Demo", "fields": fields })).await.expect(201).json();
    let form = pagesmith_testkit::samples::forms::shown(client, form["formId"].as_str().unwrap()).await;
    form.send(&form.visitor(client), &[("email", "ada@example.com")]).await.expect(303);
    scene.app.advance(minute);
    assert_eq!(scene.send(1, &json!({ "a": audience, "k": true })).await, None);
    scene.after(31).await;
    let sent = client.get("/v0/form_submissions").await.expect(200).json();
    let sent = sent["items"][0]["submissionId"].as_str().unwrap().to_owned();
    let own_page = format!("/console/t/acme/pages/{}/audiences/{audience}", scene.page);
    let mut browser = Browser::owner(&scene.app).await;
    let screen = browser.open(&format!("{PERSONS}/{ada}")).await.expect(200).text();
    let html = Html::parse_document(&screen);
    let (entries, links) =
        (Selector::parse("ol.timeline > li").unwrap(), Selector::parse("a[href]").unwrap());
    let told: Vec<(String, Option<String>)> = html
        .select(&entries)
        .map(|entry| {
            let text: String = entry.text().collect();
            let link = entry.select(&links).next().map(|link| link.attr("href").unwrap().to_owned());
            (text, link)
        })
        .collect();
    let with_form = format!("/console/t/acme/pages/{}/audiences/{}", form.page, form.audience);
    let expected = [
        ("Visit to a page", Some(own_page.clone())),
        // Who sends a form has visited its page, and the log notes what was sent.
        ("form-submitted", None),
        ("Visit to a page", Some(with_form)),
        ("Sent a form", Some(format!("/console/t/acme/forms/submissions/{sent}"))),
        ("call She asked.", None),
        ("A page of their own was made", Some(own_page)),
    ];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for ((text, link), (begins, leads)) in told.iter().zip(&expected) {
        assert!(text.starts_with(begins), "{told:?}");
        assert_eq!(link, leads, "{text}");
        if let Some(link) = link {
            browser.open(link).await.expect(200);
        }
    }
    assert!(told[4].0.contains("crm"), "{told:?}");
}

#[tokio::test]
async fn an_account_shows_what_happened_with_its_persons() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let ada = known(&app, &json!({ "name": "Ada <b>", "email": "ada@lovelace.example" })).await;
    let client = app.client();
    let accounts = client.get("/v0/accounts").await.expect(200).json();
    let account = accounts["items"][0]["accountId"].as_str().unwrap();
    let log =
        |of: &str, id: &str, text: String| json!({ of: id, "source": "crm", "payload": { "text": text } });
    client.post("/v0/account_logs", &log("accountId", account, "Renewed.".to_owned())).await.expect(201);
    for call in 0..55 {
        client.post("/v0/person_logs", &log("personId", &ada, format!("Call {call}."))).await.expect(201);
    }
    let path = format!("/console/t/acme/accounts/{account}");
    let screen = browser.open(&path).await.expect(200).text();
    let who = format!("href=\"/console/t/acme/persons/{ada}\" dir=\"auto\">Ada &lt;b&gt;</a>: ");
    assert_eq!(screen.matches(&who).count(), 50, "{screen}");
    assert!(screen.contains("Call 54.") && !screen.contains("Call 4."), "{screen}");
    let before = screen.split(" rel=\"next\"").next().unwrap();
    let next = before.rsplit("href=\"").next().unwrap().split('"').next().unwrap().replace("&amp;", "&");
    let older = browser.open(&next).await.expect(200).text();
    assert!(older.contains("Call 4.") && older.contains("Renewed."), "{older}");
}

#[tokio::test]
async fn who_has_an_address_already_is_not_given_another_name() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let ada = known(
        &app,
        &json!({ "name": "Ada Lovelace", "email": "ada@acme.example", "phoneNumber": "+442079460000" }),
    )
    .await;
    let new = format!("{PERSONS}/new");
    for fields in [
        [("name", "Somebody"), ("email", "ADA@acme.example"), ("phoneNumber", "")],
        [("name", "Somebody"), ("email", ""), ("phoneNumber", "+44 20 7946-0000")],
    ] {
        let said = browser.send(&new, &fields).await.expect(409).text();
        assert!(said.contains("Ada Lovelace") && said.contains("has this already"), "{said}");
    }
    let person = app.client().get(&format!("/v0/persons/{ada}")).await.expect(200).json();
    assert_eq!(person["name"], "Ada Lovelace");
    // As the form's own example writes a number.
    browser.send(&new, &[("name", "Bob"), ("phoneNumber", "+44 (0)20 7946 0001")]).await.expect(303);
    let found = app.client().get("/v0/persons/search?query=Bob").await.expect(200).json();
    assert_eq!(found["items"][0]["phoneNumber"], "+442079460001");
}
