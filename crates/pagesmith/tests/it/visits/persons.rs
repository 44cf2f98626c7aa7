//! Visits by personal links: when they are a person's, and what remains when the person is erased.

use pagesmith_model::PersonId;
use pagesmith_operations::subject_requests;
use pagesmith_store::tables::visits::sessions;
use serde_json::json;

use super::{Scene, shown};

async fn person(scene: &Scene) -> (String, String) {
    let person =
        scene.client.post("/v0/persons", &json!({ "name": "Ida Holm", "email": "ida@holm.example" })).await;
    let person = person.expect(201).json()["personId"].as_str().unwrap().to_owned();
    let audience = shown(&scene.client, &scene.page, &json!({ "personId": person })).await;
    (person, audience)
}

async fn known(scene: &Scene, person: &str) -> usize {
    let (tenant, person) = (scene.app.tenant.clone(), PersonId::parse(person).unwrap());
    let found = scene.app.store.read(move |tx| sessions::of_person(tx, &tenant, &person, None, 100)).await;
    found.unwrap().len()
}

#[tokio::test]
async fn a_visit_is_the_persons_only_after_input_or_five_seconds() {
    let scene = Scene::start().await;
    let (person, audience) = person(&scene).await;
    // A mail scanner opens the link in a real browser, and may scroll.
    scene.send(1, &json!({ "a": audience, "e": 4_999, "s": 100 })).await;
    assert_eq!(known(&scene, &person).await, 0);
    scene.send(1, &json!({ "a": audience, "e": 5_000 })).await;
    assert_eq!(known(&scene, &person).await, 1);
    scene.after(31).await;
    scene.send(2, &json!({ "a": audience, "e": 100, "k": true })).await;
    assert_eq!(known(&scene, &person).await, 2);
    scene.send(3, &json!({ "e": 100, "k": true })).await;
    assert_eq!(known(&scene, &person).await, 2, "the page of everybody");
}

#[tokio::test]
async fn the_visits_of_a_person_who_is_erased_go_out_of_rows_and_sums() {
    let scene = Scene::start().await;
    let (person, audience) = person(&scene).await;
    scene.send(1, &json!({ "c": 1 })).await;
    scene.after(31).await;
    let before = scene.summary().await;
    scene.send(2, &json!({ "a": audience, "k": true, "q": ["1-0"], "r": "https://t.co/a", "e": 100 })).await;
    scene.after(31).await;
    scene.send(3, &json!({ "a": audience, "s": 3, "e": 100 })).await;
    scene.send(4, &json!({ "a": audience, "w": true })).await;
    assert_eq!(scene.summary().await["totalSessions"], 3);

    let (ctx, id) =
        (scene.app.platform.context().of(scene.app.tenant.clone()), PersonId::parse(&person).unwrap());
    let told = subject_requests::export(&scene.app.store, &ctx, Some(&scene.app.tenant), &id).await;
    let told = serde_json::to_value(told.unwrap()).unwrap();
    assert_eq!(told["sessions"].as_array().unwrap().len(), 1, "{told}");
    assert_eq!(told["sessions"][0]["source"], "X");
    assert_eq!(told["sessions"][0]["answers"][0]["responseText"], "Forging");

    subject_requests::erase(&scene.app.store, &ctx, &id).await.unwrap();
    assert_eq!(scene.summary().await, before);
    assert_eq!(scene.sessions().await.len(), 1);
    let audiences = scene.get("analytics/audiences").await;
    assert_eq!(audiences["items"].as_array().unwrap().len(), 1, "{audiences}");
    let sources = scene.get("analytics/breakdown").await;
    assert_eq!(sources["items"], json!([]));
    assert_eq!(scene.send(2, &json!({ "a": audience })).await.as_deref(), Some("late"));
    scene.after(31).await;
    assert_eq!(scene.summary().await, before);
}
