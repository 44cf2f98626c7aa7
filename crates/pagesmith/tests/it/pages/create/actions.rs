//! The actions of a page: their ids, their places, the one in the header.

use pagesmith_testkit::{TestApp, fixtures};
use serde_json::{Value, json};

use super::{make, with};

fn copying(id: Option<&str>) -> Value {
    let mut action =
        json!({ "actionType": "copy-text", "purpose": "Save", "buttonTitle": "Copy", "copyText": "SPRING" });
    if let Some(id) = id {
        action["actionId"] = id.into();
    }
    action
}

fn page_with(actions: &[Value]) -> Value {
    with(fixtures::page("Page"), json!({ "actions": actions }))
}

#[tokio::test]
async fn a_given_action_id_is_kept_and_a_missing_one_is_made() {
    let app = TestApp::start().await;
    let sent = [copying(Some("mine")), copying(None), copying(Some("action 2 🚀")), copying(None)];
    let made = make(&app.client(), &page_with(&sent)).await;
    let ids: Vec<&str> = made["actions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|action| action["actionId"].as_str().unwrap())
        .collect();
    assert_eq!((ids[0], ids[2]), ("mine", "action 2 🚀"));
    for id in [ids[1], ids[3]] {
        assert!(id.starts_with("action_") && id.len() == 33, "{id}");
    }
    assert_ne!(ids[1], ids[3]);
}

#[tokio::test]
async fn the_index_of_an_action_is_its_position() {
    let app = TestApp::start().await;
    let made =
        make(&app.client(), &page_with(&[copying(Some("b")), copying(Some("a")), copying(None)])).await;
    let indexes: Vec<u64> = made["actions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|action| action["actionIndex"].as_u64().unwrap())
        .collect();
    assert_eq!(indexes, [0, 1, 2]);
}

#[tokio::test]
async fn a_given_action_id_is_unique_in_its_page() {
    let app = TestApp::start().await;
    let twice = page_with(&[copying(Some("a")), copying(Some("b")), copying(Some("a")), copying(Some("a"))]);
    let issues = app.client().post("/v0/pages", &twice).await.issues();
    assert_eq!(
        issues,
        [
            ("duplicate_value".to_owned(), "actions.2.actionId".to_owned()),
            ("duplicate_value".to_owned(), "actions.3.actionId".to_owned())
        ]
    );
    let once = page_with(&[copying(Some("a"))]);
    make(&app.client(), &once).await;
    // Another page may use it as well.
    make(&app.client(), &once).await;
}

#[tokio::test]
async fn an_action_id_is_not_empty() {
    let app = TestApp::start().await;
    let issues = app.client().post("/v0/pages", &page_with(&[copying(Some(""))])).await.issues();
    assert_eq!(issues, [("too_short".to_owned(), "actions.0.actionId".to_owned())]);
}

#[tokio::test]
async fn the_header_action_is_one_of_the_pages_actions() {
    let app = TestApp::start().await;
    let body = with(page_with(&[copying(Some("a")), copying(Some("b"))]), json!({ "headerActionId": "b" }));
    assert_eq!(make(&app.client(), &body).await["headerActionId"], "b");
    for other in ["c", "", "A"] {
        let body = with(body.clone(), json!({ "headerActionId": other }));
        let issues = app.client().post("/v0/pages", &body).await.issues();
        assert_eq!(issues, [("unknown_reference".to_owned(), "headerActionId".to_owned())]);
    }
}

#[tokio::test]
async fn the_header_action_is_left_out_when_it_is_not_set() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &page_with(&[copying(Some("a"))])).await;
    assert_eq!(made.get("headerActionId"), None);
}

#[tokio::test]
async fn known_types_of_actions_are_checked_strictly() {
    let app = TestApp::start().await;
    let base = json!({ "purpose": "Do", "buttonTitle": "Go" });
    for (fields, code, path) in [
        (json!({ "actionType": "open-url" }), "required", "url"),
        (json!({ "actionType": "open-url", "url": "acme.example" }), "invalid_format", "url"),
        (json!({ "actionType": "open-url", "url": "" }), "invalid_format", "url"),
        (
            json!({ "actionType": "open-url", "url": "https://a.example", "formId": "f" }),
            "unrecognized_key",
            "formId",
        ),
        (json!({ "actionType": "form" }), "required", "formId"),
        (json!({ "actionType": "form", "formId": "" }), "too_short", "formId"),
        (json!({ "actionType": "copy-text" }), "required", "copyText"),
        (json!({ "actionType": "copy-text", "copyText": null }), "invalid_type", "copyText"),
        (json!({ "actionType": "copy-text", "copyText": "", "purpose": 1 }), "invalid_type", "purpose"),
        (json!({}), "required", "actionType"),
        (json!({ "actionType": "" }), "too_short", "actionType"),
        (json!({ "actionType": 1 }), "invalid_type", "actionType"),
    ] {
        let sent = page_with(&[with(base.clone(), fields.clone())]);
        let issues = app.client().post("/v0/pages", &sent).await.issues();
        assert_eq!(issues, [(code.to_owned(), format!("actions.0.{path}"))], "{fields}");
    }
}

#[tokio::test]
async fn an_action_of_another_type_comes_back_as_sent() {
    let app = TestApp::start().await;
    let sent = [
        json!({ "actionType": "open-chat" }),
        json!({ "actionType": "Open-URL", "url": "not a url", "actionId": "x" }),
        json!({ "actionType": "📞", "purpose": "", "buttonTitle": "Call", "url": "tel:+491", "actionId": "y" }),
    ];
    let made = make(&app.client(), &page_with(&sent)).await;
    for (index, sent) in sent.into_iter().enumerate() {
        let id = made["actions"][index]["actionId"].clone();
        assert!(sent.get("actionId").is_none_or(|given| *given == id));
        assert_eq!(made["actions"][index], with(sent, json!({ "actionIndex": index, "actionId": id })));
    }
    let unknown_field = page_with(&[json!({ "actionType": "open-chat", "room": "1" })]);
    let issues = app.client().post("/v0/pages", &unknown_field).await.issues();
    assert_eq!(issues, [("unrecognized_key".to_owned(), "actions.0.room".to_owned())]);
}
