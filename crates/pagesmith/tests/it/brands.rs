//! `/v0/brands`, and the pages that name a brand.

mod fonts;
pub(crate) mod pictures;
mod shown;
mod websites;

use pagesmith_model::brand::MOST_BRANDS;
use pagesmith_testkit::{Client, TestApp};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::property;

async fn create(client: &Client, body: &Value) -> Value {
    client.post("/v0/brands", body).await.expect(201).json()
}

fn path(brand: &Value) -> String {
    format!("/v0/brands/{}", brand["brandId"].as_str().unwrap())
}

/// The ids or names of a list.
async fn listed(client: &Client, path: &str, field: &str) -> Vec<String> {
    let list = client.get(path).await.expect(200).json();
    let items = list["items"].as_array().unwrap().iter();
    items.map(|item| item[field].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_brand_is_answered_as_it_was_given_with_the_colours_that_follow() {
    let app = TestApp::start().await;
    let client = app.client();
    let body = json!({
        "name": "Bäckerei Nord", "siteName": "Nord", "isDefault": true,
        "look": {
            "primaryColor": "#14213d", "accentColor": "#8A3324", "backgroundColor": "#fdf6e3", "textColor": "#3b2f2f",
            "headingFonts": "Georgia, serif", "bodyFonts": "Inter", "cornerRadius": 0, "spacing": "roomy",
            "logo": { "url": "https://nord.example/logo.svg", "altText": "Nord" }, "iconUrl": "https://nord.example/i.png",
        },
        "voice": { "wordsToUse": ["Sauerteig"], "wordsToAvoid": ["billig"] },
        "legalLinks": [{ "text": "Impressum", "url": "/impressum" }],
    });
    let brand = create(&client, &body).await;
    let mut expected = body.clone();
    for field in ["brandId", "createdAt", "updatedAt", "palette", "fonts"] {
        expected[field] = brand[field].clone();
    }
    assert_eq!(brand, expected);
    assert!(brand["brandId"].as_str().unwrap().starts_with("brand_"));
    assert_eq!(brand["fonts"], json!([]));
    let (light, dark) = (&brand["palette"]["light"], &brand["palette"]["dark"]);
    assert_eq!((&light["background"], &light["text"]), (&json!("#fdf6e3"), &json!("#3b2f2f")));
    assert_eq!((&light["accent"], &light["primary"]), (&json!("#8a3324"), &json!("#14213d")));
    assert_ne!(dark["background"], light["background"]);
    assert_eq!(client.get(&path(&brand)).await.expect(200).json(), brand);
    let bare = create(&client, &json!({ "name": "Bare" })).await;
    assert_eq!(
        (&bare["look"], &bare["legalLinks"], &bare["isDefault"]),
        (&json!({}), &json!([]), &json!(false))
    );
    assert_eq!(bare["voice"], json!({ "wordsToUse": [], "wordsToAvoid": [] }));
    app.stranger().await.get(&path(&brand)).await.expect(404);
}

#[tokio::test]
async fn what_could_not_be_drawn_or_read_is_refused_and_changes_nothing() {
    let app = TestApp::start().await;
    let client = app.client();
    let brand = create(&client, &json!({ "name": "Acme" })).await;
    let grey = json!({ "look": { "textColor": "#aaaaaa" } });
    let on_black = json!({ "look": { "backgroundColor": "#000000", "textColor": "#333333" } });
    let links = json!({ "legalLinks": [{ "text": "a", "url": "/a" }, { "text": "b", "url": "javascript:alert(1)" }] });
    let many = json!({ "legalLinks": vec![json!({ "text": "a", "url": "/a" }); 11] });
    let words = json!({ "voice": { "wordsToAvoid": vec!["a"; 51] } });
    for (patch, code, place) in [
        (json!({ "name": " " }), "invalid_format", "name"),
        (json!({ "name": null }), "invalid_type", "name"),
        (json!({ "siteName": "x".repeat(201) }), "too_long", "siteName"),
        (json!({ "look": { "accentColor": "blue" } }), "invalid_format", "look.accentColor"),
        (json!({ "look": { "spacing": "wide" } }), "invalid_value", "look.spacing"),
        (json!({ "look": { "bodyFonts": "a}" } }), "invalid_format", "look.bodyFonts"),
        (json!({ "look": { "iconUrl": "data:image/png;base64,AA" } }), "invalid_format", "look.iconUrl"),
        (grey, "insufficient_contrast", "look.textColor"),
        (on_black, "insufficient_contrast", "look.textColor"),
        (links, "invalid_format", "legalLinks.1.url"),
        (many, "too_long", "legalLinks"),
        (words, "too_long", "voice.wordsToAvoid"),
        (json!({ "voice": { "tone": "warm" } }), "unrecognized_key", "voice.tone"),
        (json!({ "palette": {} }), "unrecognized_key", "palette"),
    ] {
        let issues = client.patch(&path(&brand), &patch).await.issues();
        assert_eq!(issues, [(code.to_owned(), place.to_owned())], "{patch}");
    }
    let answer =
        client.patch(&path(&brand), &json!({ "look": { "textColor": "#aaaaaa" } })).await.expect(400);
    let detail = answer.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("2.3 on the background #ffffff") && detail.contains("is #7"), "{detail}");
    assert_eq!(client.get(&path(&brand)).await.expect(200).json(), brand);
}

#[tokio::test]
async fn a_change_gives_fields_back_and_honours_if_match() {
    let app = TestApp::start().await;
    let client = app.client();
    let brand = create(&client, &json!({ "name": "Acme", "siteName": "Acme Inc." })).await;
    let tag = client.get(&path(&brand)).await.expect(200).header("etag").unwrap().to_owned();
    app.advance(std::time::Duration::from_secs(1));
    let same = client.patch(&path(&brand), &json!({})).await.expect(200).json();
    assert_eq!(same, brand);
    let changed =
        client.with("if-match", &tag).patch(&path(&brand), &json!({ "siteName": null })).await.expect(200);
    assert_eq!((&changed.json()["siteName"], &changed.json()["name"]), (&Value::Null, &json!("Acme")));
    assert_ne!(changed.json()["updatedAt"], brand["updatedAt"]);
    client.with("if-match", &tag).patch(&path(&brand), &json!({ "name": "B" })).await.expect(412);
    client.with("if-match", &tag).delete(&path(&brand)).await.expect(412);
    assert_eq!(client.delete(&path(&brand)).await.expect(200).json(), json!({ "success": true }));
    client.delete(&path(&brand)).await.expect(404);
}

#[tokio::test]
async fn brands_are_listed_newest_first_and_found_by_name() {
    let app = TestApp::start().await;
    let client = app.client();
    for name in ["Nordlicht Café", "Acme", "Acme Robotics"] {
        create(&client, &json!({ "name": name })).await;
    }
    assert_eq!(listed(&client, "/v0/brands", "name").await, ["Acme Robotics", "Acme", "Nordlicht Café"]);
    let first = client.get("/v0/brands?limit=2").await.expect(200).json();
    assert_eq!((&first["totalCount"], &first["hasMore"]), (&json!(3), &json!(true)));
    let next = format!("/v0/brands?limit=2&cursor={}", first["nextCursor"].as_str().unwrap());
    assert_eq!(listed(&client, &next, "name").await, ["Nordlicht Café"]);
    assert_eq!(listed(&client, "/v0/brands/search?query=acme", "name").await, ["Acme", "Acme Robotics"]);
    assert_eq!(listed(&client, "/v0/brands/search?query=cafe", "name").await, ["Nordlicht Café"]);
    assert_eq!(listed(&client, "/v0/brands/search?query=zzz", "name").await, Vec::<String>::new());
}

#[tokio::test]
async fn a_tenant_has_no_more_brands_than_it_may() {
    let app = TestApp::start().await;
    let client = app.client();
    for _ in 0..MOST_BRANDS {
        create(&client, &json!({ "name": "One of many" })).await;
    }
    let refused = client.post("/v0/brands", &json!({ "name": "One more" })).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "limit": MOST_BRANDS }));
}

#[tokio::test]
async fn the_brand_of_the_site_is_the_default_brand() {
    let app = TestApp::start().await;
    let client = app.client();
    let put = async |brand: Value| {
        let body = json!({ "brand": brand }).to_string().into_bytes();
        client.send("PUT", "/v0/site", Some(body)).await.expect(200).json()["brand"].clone()
    };
    assert_eq!(put(json!({})).await, json!({}));
    assert_eq!(listed(&client, "/v0/brands", "name").await, Vec::<String>::new());
    // The site's look makes the brand, and changes it from then on.
    let look = json!({ "accentColor": "#123456" });
    assert_eq!(put(look.clone()).await, look);
    let made = client.get("/v0/brands").await.expect(200).json()["items"][0].clone();
    assert_eq!((&made["name"], &made["isDefault"], &made["look"]), (&json!("Default"), &json!(true), &look));
    client.patch(&path(&made), &json!({ "name": "Acme", "look": { "cornerRadius": 2 } })).await.expect(200);
    let site = client.get("/v0/site").await.expect(200).json();
    assert_eq!(site["brand"], json!({ "cornerRadius": 2 }));
    assert_eq!(put(json!({})).await, json!({}));
    assert_eq!(listed(&client, "/v0/brands", "name").await, ["Acme"]);
    // Another brand takes its place, and leaves it empty when it goes.
    let other = create(&client, &json!({ "name": "Other", "isDefault": true, "look": look })).await;
    assert_eq!(client.get(&path(&made)).await.expect(200).json()["isDefault"], json!(false));
    assert_eq!(client.get("/v0/site").await.expect(200).json()["brand"], look);
    client.delete(&path(&other)).await.expect(200);
    assert_eq!(client.get("/v0/site").await.expect(200).json()["brand"], json!({}));
}

/// What is done to brands, by their places.
#[derive(Debug, Clone)]
enum Step {
    Create(bool),
    SetDefault(usize, bool),
    Delete(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => any::<bool>().prop_map(Step::Create),
        3 => (0..4_usize, any::<bool>()).prop_map(|(at, on)| Step::SetDefault(at, on)),
        1 => (0..4_usize).prop_map(Step::Delete),
    ]
}

#[test]
fn at_most_one_brand_is_the_default_whatever_happens() {
    property::holds(16, &prop::collection::vec(step(), 1..16), async |case, steps| {
        let client = &case.client;
        let (mut brands, mut default): (Vec<Value>, Option<String>) = (Vec::new(), None);
        let id = |brand: &Value| brand["brandId"].as_str().unwrap().to_owned();
        for step in steps {
            match step {
                Step::Create(is_default) => {
                    let made = create(client, &json!({ "name": "New", "isDefault": is_default })).await;
                    if is_default {
                        default = Some(id(&made));
                    }
                    brands.push(made);
                }
                Step::SetDefault(at, on) if at < brands.len() => {
                    client.patch(&path(&brands[at]), &json!({ "isDefault": on })).await.expect(200);
                    let this = Some(id(&brands[at]));
                    default = if on { this } else { default.filter(|known| Some(known) != this.as_ref()) };
                }
                Step::Delete(at) if at < brands.len() => {
                    let gone = brands.remove(at);
                    client.delete(&path(&gone)).await.expect(200);
                    default = default.filter(|known| *known != id(&gone));
                }
                // Of a brand that is not there.
                Step::SetDefault(..) | Step::Delete(_) => {}
            }
            let all = client.get("/v0/brands?limit=100").await.expect(200).json()["items"].clone();
            let defaults = all.as_array().unwrap().iter().filter(|brand| brand["isDefault"] == true).map(id);
            assert_eq!(defaults.collect::<Vec<_>>(), Vec::from_iter(default.clone()));
        }
    });
}
