//! `GET /v0/persons/{person_id}/export`: one object, read and sent piece by piece.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use pagesmith_model::PersonId;
use pagesmith_operations::subject_requests;
use pagesmith_testkit::samples::forms;
use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use super::{address, erase, id, make};
use crate::visits::{Scene, shown};

/// The lists of an export, in their order.
const LISTS: [&str; 7] =
    ["logs", "audiences", "sessions", "submissions", "mentions", "merged", "auditEntries"];

/// How large a payload is made.
const PAYLOAD: usize = 300_000;

/// So many large entries of the person's log.
async fn log(client: &Client, person: &Value, count: usize) {
    for number in 0..count {
        let payload = json!({ "number": number, "body": "x".repeat(PAYLOAD) });
        let entry = json!({ "personId": id(person), "source": "crm", "type": "note", "payload": payload });
        client.post("/v0/person_logs", &entry).await.expect(201);
    }
}

/// The answer to a request for an export, of which nothing has been read.
async fn ask(app: &TestApp, person: &Value) -> Body {
    let request = Request::get(format!("{}/export", address(person))).header("x-api-key", &app.key);
    let request = request.body(Body::empty()).unwrap();
    let response = tower::ServiceExt::oneshot(app.router.clone(), request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    response.into_body()
}

#[tokio::test]
async fn all_lists_are_handed_out_and_written_as_ever() {
    let scene = Scene::start().await;
    let (app, client) = (&scene.app, &scene.client);
    let [ada, bob] = ["Ada Holm", "Bob Holm"].map(|name| json!({ "name": name }));
    let (mut ada, bob) = (ada, make(client, &bob).await);
    ada["email"] = json!("ada@holm.example");
    let ada = make(client, &ada).await;
    let merge = json!({ "otherPersonId": id(&bob), "fields": {} });
    client.post(&format!("{}/merge", address(&ada)), &merge).await.expect(200);
    log(client, &ada, 3).await;
    let own = shown(client, &scene.page, &json!({ "personId": id(&ada) })).await;
    let versions = format!("/v0/pages/{}/audiences/{own}/versions", scene.page);
    for _ in 0..5 {
        client.post(&versions, &json!({})).await.expect(201);
        app.write_versions().await;
    }
    let second = crate::visits::page(client, "Summer").await;
    shown(client, &second, &json!({ "personId": id(&ada) })).await;
    for view in 1..=2 {
        scene.send(view, &json!({ "a": own, "k": true, "q": ["1-0"] })).await;
        scene.after(31).await;
    }
    let email = json!({ "key": "email", "kind": "email", "label": "E-mail", "required": true });
    let form = client.post("/v0/forms", &json!({ "name": "Contact", "fields": [email] })).await.expect(201);
    let form = forms::shown(client, form.json()["formId"].as_str().unwrap()).await;
    for _ in 0..2 {
        let visitor = form.visitor(&app.anonymous());
        form.send(&visitor, &[("email", "ada@holm.example")]).await.expect(303);
    }
    for title in ["About Ada Holm", "What ada@holm.example said"] {
        client.post("/v0/topics", &json!({ "title": title })).await.expect(201);
    }
    ask(app, &ada).await.collect().await.unwrap();

    let text = ask(app, &ada).await.collect().await.unwrap().to_bytes();
    let text = String::from_utf8(text.to_vec()).unwrap();
    let told: Value = serde_json::from_str(&text).unwrap();
    let counts = LISTS.map(|list| (list, told[list].as_array().unwrap().len()));
    assert!(counts.iter().all(|(_, count)| *count > 0), "{counts:?}");
    let numbers = |audience: usize| {
        let versions = told["audiences"][audience]["versions"].as_array().unwrap().iter();
        versions.map(|version| version["versionNumber"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!([numbers(0), numbers(1)].concat().len(), 7);
    assert!(numbers(0) == [6, 5, 4, 3, 2, 1] || numbers(1) == [6, 5, 4, 3, 2, 1], "{:?}", numbers(0));
    // The same as what is read at once, with the fields of each item in the order of their names.
    let (ctx, person_id) = (app.platform.context(), PersonId::parse(id(&ada)).unwrap());
    let held = subject_requests::export(&app.store, &ctx, Some(&app.tenant), &person_id).await.unwrap();
    let mut held = serde_json::to_value(held).unwrap();
    // It has itself noted the export before it.
    assert_eq!(held["auditEntries"].as_array_mut().unwrap().remove(0)["action"], "person-exported");
    let fields = ["tenantId", "person", "account"].into_iter().chain(LISTS);
    let fields: Vec<String> = fields.map(|name| format!("\"{name}\":{}", held[name])).collect();
    assert_eq!(text, format!("{{{}}}", fields.join(",")));
}

#[tokio::test]
async fn what_is_empty_is_written_as_empty() {
    let app = TestApp::start().await;
    let nobody = make(&app.client(), &json!({ "name": "Nobody" })).await;
    let text = ask(&app, &nobody).await.collect().await.unwrap().to_bytes();
    let told: Value = serde_json::from_slice(&text).unwrap();
    assert!(LISTS.iter().all(|list| told[list] == json!([])) && told["account"].is_null(), "{told}");
}

#[tokio::test]
async fn a_large_export_comes_in_pieces_of_which_few_are_in_memory() {
    let app = TestApp::start().await;
    let client = app.client();
    let person = make(&client, &json!({ "name": "Ada" })).await;
    log(&client, &person, 12).await;
    let mut body = ask(&app, &person).await;
    let (mut largest, mut whole) = (0, 0);
    while let Some(frame) = body.frame().await {
        let bytes = frame.unwrap().into_data().unwrap();
        // What was made is what is being read, and nothing else.
        assert!(app.state.answers.bytes() <= 5 * PAYLOAD, "{}", app.state.answers.bytes());
        (largest, whole) = (largest.max(bytes.len()), whole + bytes.len());
    }
    assert!(whole > 12 * PAYLOAD && largest < 4 * PAYLOAD, "{whole}, {largest}");
    assert_eq!(app.state.answers.bytes(), 0);
}

#[tokio::test]
async fn an_export_breaks_off_when_the_person_is_erased_or_the_key_revoked() {
    let app = TestApp::start().await;
    let client = app.client();
    let person = make(&client, &json!({ "name": "Ada" })).await;
    log(&client, &person, 6).await;
    let mut body = ask(&app, &person).await;
    body.frame().await.unwrap().unwrap();
    erase::erase(&app, id(&person)).await;
    assert!(body.collect().await.is_err(), "a part was taken for the whole");

    let other = make(&client, &json!({ "name": "Bob" })).await;
    log(&client, &other, 6).await;
    let mut body = ask(&app, &other).await;
    body.frame().await.unwrap().unwrap();
    app.suspend("acme").await;
    assert!(body.collect().await.is_err(), "a part was taken for the whole");
}
