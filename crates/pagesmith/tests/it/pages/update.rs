//! `PATCH /v0/pages/{page_id}`.

use std::time::Duration;

use pagesmith_testkit::{TestApp, fixtures};
use serde_json::{Value, json};

use super::{address, make, make_named, read, with};

async fn change(app: &TestApp, page: &Value, patch: Value) -> Value {
    app.client().patch(&address(page), &patch).await.expect(200).json()
}

async fn issues_of(app: &TestApp, page: &Value, patch: Value) -> Vec<(String, String)> {
    app.client().patch(&address(page), &patch).await.issues()
}

#[tokio::test]
async fn only_given_fields_change() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &fixtures::full_page()).await;
    let mut page = made.clone();
    for fields in [
        json!({ "name": "Autumn" }),
        json!({ "pageContext": "Other" }),
        json!({ "pageType": "custom" }),
        json!({ "brandId": "" }),
        json!({ "scripts": [] }),
        json!({ "actionCardWidgets": [] }),
        json!({ "footerLinks": [] }),
        json!({ "navLinks": [] }),
        json!({ "footerLinkBlockId": null, "navLinkBlockId": null }),
    ] {
        app.advance(Duration::from_secs(1));
        let changed = change(&app, &made, fields.clone()).await;
        let expected = with(with(page.clone(), fields.clone()), json!({ "updatedAt": changed["updatedAt"] }));
        assert_eq!(changed, expected);
        assert_eq!(
            changed["updatedAt"] == page["updatedAt"],
            with(page.clone(), fields.clone()) == page,
            "{fields}"
        );
        assert_eq!(read(&app.client(), &made).await, changed);
        page = changed;
    }
    assert_eq!(page["createdAt"], made["createdAt"]);
}

#[tokio::test]
async fn an_empty_object_changes_nothing() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &fixtures::full_page()).await;
    app.advance(Duration::from_secs(1));
    assert_eq!(change(&app, &made, json!({})).await, made);
    assert_eq!(read(&app.client(), &made).await, made);
}

#[tokio::test]
async fn what_is_given_as_it_is_changes_nothing() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &fixtures::full_page()).await;
    app.advance(Duration::from_secs(1));
    let same = json!({
        "name": made["name"], "brandId": made["brandId"], "scripts": made["scripts"], "navLinks": made["navLinks"],
        "footerLinks": made["footerLinks"], "actionCardWidgets": made["actionCardWidgets"],
    });
    assert_eq!(change(&app, &made, same).await, made);
}

#[tokio::test]
async fn arrays_are_replaced_whole() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &fixtures::full_page()).await;
    let actions = json!([
        { "actionId": "mail", "purpose": "Write", "buttonTitle": "Mail", "actionType": "open-url", "url": "mailto:a@acme.example" },
        { "actionId": "book", "actionType": "open-chat" },
    ]);
    let changed = change(&app, &made, json!({ "actions": actions })).await;
    assert_eq!(changed["actions"][0], with(actions[0].clone(), json!({ "actionIndex": 0 })));
    assert_eq!(changed["actions"][1], with(actions[1].clone(), json!({ "actionIndex": 1 })));
    assert_eq!(changed["actions"].as_array().unwrap().len(), 2);
    let nav = json!([{ "type": "link", "id": "home", "text": "Home", "url": "/" }]);
    assert_eq!(change(&app, &made, json!({ "navLinks": nav })).await["navLinks"], nav);
}

#[tokio::test]
async fn metadata_is_replaced_whole_and_the_title_follows() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &fixtures::full_page()).await;
    assert_eq!(made["title"], "Spring at Acme");
    let changed = change(&app, &made, json!({ "metadata": { "author": "Ann" } })).await;
    assert_eq!(
        (&changed["metadata"], &changed["title"]),
        (&json!({ "author": "Ann" }), &json!("Spring Launch"))
    );
    let changed = change(&app, &made, json!({ "name": "Autumn" })).await;
    assert_eq!((&changed["metadata"], &changed["title"]), (&json!({ "author": "Ann" }), &json!("Autumn")));
    let changed = change(&app, &made, json!({ "metadata": { "title": "Titled" } })).await;
    assert_eq!((&changed["name"], &changed["title"]), (&json!("Autumn"), &json!("Titled")));
    let changed = change(&app, &made, json!({ "name": "Winter" })).await;
    assert_eq!((&changed["name"], &changed["title"]), (&json!("Winter"), &json!("Titled")));
    let changed = change(&app, &made, json!({ "metadata": {} })).await;
    assert_eq!((&changed["metadata"], &changed["title"]), (&json!({}), &json!("Winter")));
}

#[tokio::test]
async fn the_header_action_can_be_set_and_unset() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &fixtures::full_page()).await;
    let second = made["actions"][1]["actionId"].clone();
    assert_eq!(change(&app, &made, json!({ "headerActionId": second })).await["headerActionId"], second);
    assert_eq!(change(&app, &made, json!({ "headerActionId": null })).await.get("headerActionId"), None);
    assert_eq!(read(&app.client(), &made).await.get("headerActionId"), None);
    for unknown in ["nothing", ""] {
        let issues = issues_of(&app, &made, json!({ "headerActionId": unknown, "name": "Not this" })).await;
        assert_eq!(issues, [("unknown_reference".to_owned(), "headerActionId".to_owned())]);
    }
    assert_eq!(read(&app.client(), &made).await["name"], "Spring Launch");
}

#[tokio::test]
async fn the_header_action_goes_with_its_action_and_stays_otherwise() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &fixtures::full_page()).await;
    let action = |id: &str| json!({ "actionId": id, "actionType": "open-chat" });
    let kept = change(&app, &made, json!({ "actions": [action("new"), action("book")] })).await;
    assert_eq!(kept["headerActionId"], "book");
    let cleared = change(&app, &made, json!({ "actions": [action("new")] })).await;
    assert_eq!(cleared.get("headerActionId"), None);
    // It does not come back with the action.
    let back = change(&app, &made, json!({ "actions": [action("book")] })).await;
    assert_eq!(back.get("headerActionId"), None);
}

#[tokio::test]
async fn a_header_action_is_looked_for_among_the_new_actions() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &fixtures::full_page()).await;
    let actions = json!([{ "actionId": "new", "actionType": "open-chat" }]);
    let gone = json!({ "actions": actions, "headerActionId": "book" });
    let expected = [("unknown_reference".to_owned(), "headerActionId".to_owned())];
    assert_eq!(issues_of(&app, &made, gone).await, expected);
    let new = json!({ "actions": actions, "headerActionId": "new" });
    assert_eq!(change(&app, &made, new).await["headerActionId"], "new");
}

#[tokio::test]
async fn what_a_page_must_have_cannot_be_taken_from_it() {
    let app = TestApp::start().await;
    let made = make(&app.client(), &fixtures::full_page()).await;
    for (fields, code, path) in [
        (json!({ "name": "" }), "too_short", "name"),
        (json!({ "name": null }), "invalid_type", "name"),
        (json!({ "pageContext": "" }), "too_short", "pageContext"),
        (json!({ "brandId": null }), "invalid_type", "brandId"),
        (json!({ "actions": null }), "invalid_type", "actions"),
        (json!({ "scripts": {} }), "invalid_type", "scripts"),
        (json!({ "metadata": null }), "invalid_type", "metadata"),
        (json!({ "pageType": null }), "invalid_type", "pageType"),
        (json!({ "status": "published" }), "unrecognized_key", "status"),
        (json!({ "pageId": made["pageId"] }), "unrecognized_key", "pageId"),
        (json!({ "actions": made["actions"] }), "unrecognized_key", "actions.0.actionIndex"),
        (json!({ "footerLinkBlockId": "x" }), "unknown_reference", "footerLinkBlockId"),
        (json!({ "navLinkBlockId": "x" }), "unknown_reference", "navLinkBlockId"),
    ] {
        let issues = issues_of(&app, &made, fields.clone()).await;
        assert!(issues.contains(&(code.to_owned(), path.to_owned())), "{fields}: {issues:?}");
    }
    assert_eq!(read(&app.client(), &made).await, made);
}

#[tokio::test]
async fn every_broken_reference_is_told_and_nothing_changes() {
    let app = TestApp::start().await;
    let made = make_named(&app.client(), "Page").await;
    let action = json!({ "actionId": "twice", "actionType": "open-chat" });
    let mut issues = issues_of(
        &app,
        &made,
        json!({
            "name": "Other", "actions": [action, action], "headerActionId": "x", "footerLinkBlockId": "x", "navLinkBlockId": "x",
        }),
    )
    .await;
    issues.sort();
    let expected = [
        ("duplicate_value", "actions.1.actionId"),
        ("unknown_reference", "footerLinkBlockId"),
        ("unknown_reference", "headerActionId"),
        ("unknown_reference", "navLinkBlockId"),
    ];
    assert_eq!(issues, expected.map(|(code, path)| (code.to_owned(), path.to_owned())));
    assert_eq!(read(&app.client(), &made).await, made);
}

#[tokio::test]
async fn a_change_needs_a_body() {
    let app = TestApp::start().await;
    let made = make_named(&app.client(), "Page").await;
    let issues = app.client().send("PATCH", &address(&made), None).await.issues();
    assert_eq!(issues, [("required".to_owned(), String::new())]);
    for wrong in [Value::Null, json!([]), json!("{}")] {
        app.client().patch(&address(&made), &wrong).await.expect(400);
    }
}

#[tokio::test]
async fn what_is_not_there_cannot_be_changed() {
    let app = TestApp::start().await;
    app.client()
        .patch("/v0/pages/page_01h2xcejqtf2nbrexx3vqjhp41", &json!({ "name": "X" }))
        .await
        .expect(404);
    app.client().patch("/v0/pages/nonsense", &json!({ "name": "X" })).await.expect(404);
    // The shape of a request is looked at before its page is.
    app.client().patch("/v0/pages/nonsense", &json!({ "name": "" })).await.expect(400);
}
