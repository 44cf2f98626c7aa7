//! Slugs of persons: from the name, one person's alone for ever.

use std::collections::BTreeSet;

use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

use super::{address, id, make, read};

#[tokio::test]
async fn a_slug_comes_from_the_name_in_latin_letters() {
    let app = TestApp::start().await;
    for (name, slug) in [
        ("Jane Doe", "jane-doe"),
        ("  José  Pérez-Ñandú ", "jose-perez-nandu"),
        ("Дмитрий", "dmitrii"),
        ("王小明", "wang-xiao-ming"),
        ("O’Brien", "obrien"),
        ("!!!", "person"),
    ] {
        assert_eq!(make(&app.client(), &json!({ "name": name })).await["slug"], slug);
    }
}

#[tokio::test]
async fn persons_of_one_name_have_different_slugs() {
    let app = TestApp::start().await;
    let mut slugs = BTreeSet::new();
    for _ in 0..5 {
        let made = make(&app.client(), &json!({ "name": "Jane Doe" })).await;
        let slug = made["slug"].as_str().unwrap().to_owned();
        assert!(
            slug == "jane-doe" || slug == format!("jane-doe-{}", &id(&made)[id(&made).len() - 5..]),
            "{slug}"
        );
        assert!(slugs.insert(slug));
    }
}

#[tokio::test]
async fn a_slug_stays_when_the_name_changes() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make(&client, &json!({ "name": "Jane Doe", "phoneNumber": "+12" })).await;
    let renamed = client.patch(&address(&made), &json!({ "name": "Jane Smith" })).await.expect(200).json();
    assert_eq!((&renamed["name"], &renamed["slug"]), (&json!("Jane Smith"), &json!("jane-doe")));
    let found = client.post("/v0/persons", &json!({ "name": "J", "phoneNumber": "+12" })).await.expect(200);
    assert_eq!(found.json()["slug"], "jane-doe");
    assert_eq!(make(&client, &json!({ "name": "Jane Smith" })).await["slug"], "jane-smith");
}

#[tokio::test]
async fn a_deleted_persons_slug_is_nobody_elses() {
    let app = TestApp::start().await;
    let client = app.client();
    let made = make(&client, &json!({ "name": "Jane Doe" })).await;
    client.delete(&address(&made)).await.expect(200);
    let other = make(&client, &json!({ "name": "Jane Doe" })).await;
    assert_ne!(other["slug"], "jane-doe");
    client.post(&format!("{}/restore", address(&made)), &json!({})).await.expect(200);
    let back: Value = read(&client, &made).await;
    assert_eq!(back["slug"], "jane-doe");
}
