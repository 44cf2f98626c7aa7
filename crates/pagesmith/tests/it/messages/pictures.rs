//! Pictures that are asked for by their words.

use serde_json::json;

use super::Scene;
use crate::files::PNG;

/// Keeps a picture of the tenant's under this name; its id.
async fn keep(scene: &Scene, name: &str, purpose: &str) -> String {
    let file = scene.client.upload(name, &[PNG, name.as_bytes()].concat()).await.expect(201).json();
    let body = json!({ "assetType": "image", "name": name, "purpose": purpose, "fileId": file["fileId"] });
    let asset = scene.client.post("/v0/assets", &body).await.expect(201).json();
    asset["assetId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_picture_of_the_tenants_is_added_by_its_words_and_asked_about_if_there_are_several() {
    let scene = Scene::with_draft().await;
    let refused = scene.say("Add a picture of the warehouse").await;
    assert_eq!(refused["content"], "I know nothing of which I could make that.");
    let warehouse = keep(&scene, "Warehouse at night", "Shows the warehouse in Linz").await;
    keep(&scene, "Oven", "The oven of the bakery").await;
    let answer = scene.say("Add a picture of the warehouse").await;
    assert_eq!(answer["content"], "Added picture.");
    let content = scene.content().await;
    assert_eq!(content["blocks"][3]["image"]["assetId"], warehouse);
    // It is the words that count, wherever they stand.
    scene.say("undo").await;
    keep(&scene, "Warehouse by day", "Shows the warehouse in Graz").await;
    let answer = scene.say("Add a picture of the warehouse").await;
    let told = answer["content"].as_str().unwrap();
    assert!(told.contains("“Warehouse at night”") && told.contains("“Warehouse by day”"), "{told}");
    assert_eq!(scene.blocks().await.len(), 3);
    let answer = scene.say("Add a picture of the warehouse in Linz").await;
    assert_eq!((&answer["content"], scene.blocks().await.len()), (&json!("Added picture."), 4));
    assert_eq!(scene.content().await["blocks"][3]["image"]["assetId"], warehouse);
}
