//! `/v0/assets`: pictures, videos and components, their trash, and where their bytes are.

mod addresses;
mod descriptions;
mod made;
mod trash;

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use crate::files::PNG;

fn id(asset: &Value) -> &str {
    asset["assetId"].as_str().unwrap()
}

pub fn path(asset: &Value) -> String {
    format!("/v0/assets/{}", id(asset))
}

/// A file with a picture that no other file has.
async fn picture(client: &Client, name: &str) -> Value {
    client.upload(name, &[PNG, name.as_bytes()].concat()).await.expect(201).json()
}

/// A picture of that name.
pub async fn image(client: &Client, name: &str) -> Value {
    let file = picture(client, name).await;
    let body = json!({ "assetType": "image", "name": name, "fileId": file["fileId"] });
    client.post("/v0/assets", &body).await.expect(201).json()
}

pub async fn names(client: &Client, path: &str) -> Vec<String> {
    let list = client.get(path).await.expect(200).json();
    let items = list["items"].as_array().unwrap();
    assert_eq!(list["totalCount"], items.len());
    items.iter().map(|asset| asset["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn assets_are_found_by_name_purpose_and_tags_in_any_spelling() {
    let app = TestApp::start().await;
    let client = app.client();
    let make = async |name: &str, purpose: &str, tags: &[&str]| {
        let file = picture(&client, name).await;
        let body = json!({ "assetType": "image", "name": name, "purpose": purpose, "tags": tags, "fileId": file["fileId"] });
        client.post("/v0/assets", &body).await.expect(201);
    };
    make("Werkstatt", "Zeigt, wo Ambosse entstehen", &["Größe", "team"]).await;
    make("Team", "On the page about us", &[]).await;
    make("Équipe de nuit", "", &["équipe"]).await;
    let video = json!({ "assetType": "video", "name": "Team film", "youtubeUrl": "youtu.be/aqz-KE-bpKQ" });
    client.post("/v0/assets", &video).await.expect(201);
    for (query, expected) in [
        ("team", &["Team", "Team film", "Werkstatt"][..]),
        ("grosse", &["Werkstatt"]),
        ("EQUIPE", &["Équipe de nuit"]),
        ("ambosse zeigt", &["Werkstatt"]),
        ("team nothing", &[]),
    ] {
        assert_eq!(
            names(&client, &format!("/v0/assets/search?query={}", query.replace(' ', "+"))).await,
            expected,
            "{query}"
        );
    }
    assert_eq!(names(&client, "/v0/assets/search?query=team&assetType=video").await, ["Team film"]);
    assert_eq!(names(&client, "/v0/assets?assetType=image").await.len(), 3);
    assert_eq!(names(&client, "/v0/assets").await, ["Team film", "Équipe de nuit", "Team", "Werkstatt"]);
    client.get("/v0/assets?assetType=picture").await.expect(400);
    let first = client.get("/v0/assets/search?query=team&limit=1").await.expect(200).json();
    let cursor = first["nextCursor"].as_str().unwrap();
    let rest =
        client.get_with("/v0/assets/search", &[("query", "team"), ("cursor", cursor)]).await.expect(200);
    assert_eq!(rest.json()["items"].as_array().unwrap().len(), 2);
    client.get_with("/v0/assets/search", &[("query", "other"), ("cursor", cursor)]).await.expect(400);
}

#[tokio::test]
async fn assets_are_listed_newest_first_in_parts() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut made = Vec::new();
    for name in ["A", "B", "C"] {
        made.insert(0, id(&image(&client, name).await).to_owned());
    }
    let mut walked = Vec::new();
    let mut path = "/v0/assets?limit=2".to_owned();
    loop {
        let part = client.get(&path).await.expect(200).json();
        assert_eq!(part["totalCount"], 3);
        walked.extend(part["items"].as_array().unwrap().iter().map(|asset| id(asset).to_owned()));
        let Some(cursor) = part["nextCursor"].as_str() else { break };
        path = format!("/v0/assets?limit=2&cursor={cursor}");
    }
    assert_eq!(walked, made);
}
