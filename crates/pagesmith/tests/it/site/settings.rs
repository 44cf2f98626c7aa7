//! What a tenant decides about its site, and the page at its root.

use std::time::Duration;

use pagesmith_testkit::{Answer, Client, TestApp, fixtures};
use serde_json::{Value, json};

use super::{GONE, NOT_HERE, says, visitor};
use crate::audiences::{audience, page_of};

async fn put(client: &Client, body: &Value) -> Answer {
    client.send("PUT", "/v0/site", Some(body.to_string().into_bytes())).await
}

/// A published page; its path.
async fn published(app: &TestApp, name: &str) -> String {
    let mut body = fixtures::page(name);
    body["scripts"] = json!([{ "name": "Count", "content": "<script>count()</script>" }]);
    let page = page_of(&app.client(), &body).await;
    audience(&app.client(), &page, &json!({})).await;
    app.write_versions().await;
    page
}

async fn flags(client: &Client, page: &str) -> Value {
    client.get(page).await.expect(200).json()["flags"].clone()
}

#[tokio::test]
async fn settings_are_kept_whole_and_changed_only_as_they_were_seen() {
    let app = TestApp::start().await;
    let client = app.client();
    let first = client.get("/v0/site").await.expect(200);
    let nothing = json!({
        "siteName": null, "consent": "ask", "homePageId": null,
        "brand": {}, "personPageAccess": "unguessable", "signedLinkDays": 30,
    });
    assert_eq!(first.json(), nothing);
    let all = json!({
        "siteName": "Acme Robotics", "consent": "none", "homePageId": null,
        "personPageAccess": "signed", "signedLinkDays": 365,
        "brand": {
            "accentColor": "#1a2B3c", "headingFonts": "Georgia, serif", "bodyFonts": "'Open Sans', sans-serif",
            "cornerRadius": 0, "logo": { "url": "https://acme.example/logo.svg", "altText": "Acme" },
            "iconUrl": "https://acme.example/icon.png",
        },
    });
    let tag = first.header("etag").unwrap().to_owned();
    assert_eq!(put(&client.with("if-match", &tag), &all).await.expect(200).json(), all);
    assert_eq!(client.get("/v0/site").await.expect(200).json(), all);
    put(&client.with("if-match", &tag), &json!({})).await.expect(412);
    assert_eq!(app.stranger().await.get("/v0/site").await.expect(200).json(), nothing);
    assert_eq!(put(&client, &json!({})).await.expect(200).json(), nothing);
}

#[tokio::test]
async fn what_could_not_be_drawn_is_refused() {
    let app = TestApp::start().await;
    let client = app.client();
    for (body, code, path) in [
        (json!({ "colour": "red" }), "unrecognized_key", "colour"),
        (json!({ "consent": "never" }), "invalid_value", "consent"),
        (json!({ "siteName": "" }), "too_short", "siteName"),
        (json!({ "siteName": "  " }), "invalid_format", "siteName"),
        (json!({ "siteName": "x".repeat(201) }), "too_long", "siteName"),
        (json!({ "brand": { "accentColor": "red" } }), "invalid_format", "brand.accentColor"),
        (json!({ "brand": { "accentColor": "#fff;}*{x:y" } }), "invalid_format", "brand.accentColor"),
        (json!({ "brand": { "cornerRadius": 41 } }), "too_big", "brand.cornerRadius"),
        (json!({ "brand": { "headingFonts": "a;b" } }), "invalid_format", "brand.headingFonts"),
        (json!({ "brand": { "bodyFonts": "</style>" } }), "invalid_format", "brand.bodyFonts"),
        (
            json!({ "brand": { "logo": { "url": "javascript:alert(1)" } } }),
            "invalid_format",
            "brand.logo.url",
        ),
        (json!({ "brand": { "logo": {} } }), "required", "brand.logo.url"),
        (json!({ "brand": { "iconUrl": "//x" } }), "invalid_format", "brand.iconUrl"),
        (json!({ "homePageId": "page_00000000000000000000000000" }), "unknown_reference", "homePageId"),
        (json!({ "personPageAccess": "closed" }), "invalid_value", "personPageAccess"),
        (json!({ "signedLinkDays": 0 }), "too_small", "signedLinkDays"),
        (json!({ "signedLinkDays": 366 }), "too_big", "signedLinkDays"),
        (json!({ "homePageId": "home" }), "unknown_reference", "homePageId"),
    ] {
        let issues = put(&client, &body).await.issues();
        assert_eq!(issues, [(code.to_owned(), path.to_owned())], "{body}");
    }
}

#[tokio::test]
async fn a_change_of_the_look_shows_at_once_on_every_server() {
    let app = TestApp::start().await;
    published(&app, "Spring").await;
    let node = app.second_server();
    Client::new(node.clone(), Some(app.key.clone())).get("/v0/pages").await.expect(200);
    let sites = [visitor(&app, "acme.localhost"), Client::new(node, None).with("host", "acme.localhost")];
    let shown = async |there: &[&str], gone: &[&str]| {
        for site in &sites {
            let html = site.get("/spring").await.expect(200).text();
            there.iter().for_each(|text| assert!(html.contains(text), "{text} is not in {html}"));
            gone.iter().for_each(|text| assert!(!html.contains(text), "{text} is in {html}"));
        }
    };
    let own = "<span dir=\"auto\">Spring</span>";
    shown(&[own, "class=\"consent\"", "data-held"], &["Georgia"]).await;
    // Within one instant of the clock, so that nothing but the settings tells.
    let brand = json!({
        "siteName": "Acme <Robotics>", "consent": "none",
        "brand": { "accentColor": "#123456", "headingFonts": "Georgia, serif", "cornerRadius": 3 },
    });
    put(&app.client(), &brand).await.expect(200);
    let there = ["Acme &lt;Robotics&gt;", "--accent:#123456", "--head:Georgia,serif", "--radius:3px"];
    shown(&there, &["class=\"consent\"", "data-held", own]).await;
    let logo = json!({ "brand": { "logo": { "url": "https://acme.example/logo.svg" } } });
    put(&app.client(), &logo).await.expect(200);
    shown(&["src=\"https://acme.example/logo.svg\" alt=\"Spring\"", "class=\"consent\""], &["Georgia"]).await;
}

#[tokio::test]
async fn the_first_page_that_is_published_is_the_home_page() {
    let app = TestApp::start().await;
    let (client, site) = (app.client(), visitor(&app, "acme.localhost:8080"));
    says(&site.get("/").await.expect(404), NOT_HERE);
    let draft = page_of(&client, &fixtures::page("Draft")).await;
    let first = published(&app, "First").await;
    let second = published(&app, "Second").await;
    for (page, expected) in [(&draft, json!([])), (&first, json!(["home_page"])), (&second, json!([]))] {
        assert_eq!(flags(&client, page).await, expected);
    }
    let list = client.get("/v0/pages").await.expect(200).json();
    let flagged: Vec<&Value> =
        list["items"].as_array().unwrap().iter().filter(|page| page["flags"] != json!([])).collect();
    assert_eq!(flagged.len(), 1);
    assert_eq!(flagged[0]["name"], "First");
    let root = site.get("/").await.expect(200).text();
    // The root shows the page, which says where it is.
    assert!(root.contains("<link rel=\"canonical\" href=\"http://acme.localhost:8080/first\">"), "{root}");
    assert!(site.get("/second").await.expect(200).text().contains("<a class=\"name\" href=\"/\">"));
    assert_eq!(site.get("/").await.header("etag"), site.get("/first").await.header("etag"));
}

#[tokio::test]
async fn another_home_page_can_be_named_and_a_deleted_one_makes_room() {
    let app = TestApp::start().await;
    let (client, site) = (app.client(), visitor(&app, "acme.localhost"));
    let (first, second) = (published(&app, "First").await, published(&app, "Second").await);
    let id = |page: &str| page.rsplit_once('/').unwrap().1.to_owned();
    let canonical = async || {
        let html = site.get("/").await.expect(200).text();
        html.split("rel=\"canonical\" href=\"http://acme.localhost:8080")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(canonical().await, "/first");
    put(&client, &json!({ "homePageId": id(&second) })).await.expect(200);
    assert_eq!(canonical().await, "/second");
    assert_eq!(
        (flags(&client, &first).await, flags(&client, &second).await),
        (json!([]), json!(["home_page"]))
    );
    // Who says nothing of it changes nothing of it.
    let kept = put(&client, &json!({ "siteName": "Acme" })).await.expect(200).json();
    assert_eq!(kept["homePageId"], id(&second).as_str());
    client.post(&format!("{second}/archive"), &json!({})).await.expect(200);
    says(&site.get("/").await.expect(410), GONE);
    client.delete(&second).await.expect(200);
    says(&site.get("/").await.expect(404), NOT_HERE);
    assert_eq!(client.get("/v0/site").await.expect(200).json()["homePageId"], Value::Null);
    assert!(!site.get("/first").await.expect(200).text().contains("<a class=\"name\""));
    // The next one that goes live takes the place.
    published(&app, "Third").await;
    assert_eq!(canonical().await, "/third");
    client.post(&format!("{second}/restore"), &json!({})).await.expect(200);
    assert_eq!(canonical().await, "/third");
}

#[tokio::test]
async fn a_home_page_that_comes_back_is_the_home_page_unless_another_one_is() {
    let app = TestApp::start().await;
    let (client, site) = (app.client(), visitor(&app, "acme.localhost"));
    let first = published(&app, "First").await;
    let id = first.rsplit_once('/').unwrap().1.to_owned();
    let home = async || client.get("/v0/site").await.expect(200).json()["homePageId"].clone();
    for is_archived in [false, true] {
        if is_archived {
            client.post(&format!("{first}/archive"), &json!({})).await.expect(200);
        }
        client.delete(&first).await.expect(200);
        says(&site.get("/").await.expect(404), NOT_HERE);
        assert_eq!(home().await, Value::Null);
        // The settings can be changed meanwhile.
        let changed =
            put(&client, &json!({ "siteName": format!("Acme {is_archived}") })).await.expect(200).json();
        assert_eq!(changed["homePageId"], Value::Null);
        let restored = client.post(&format!("{first}/restore"), &json!({})).await.expect(200).json();
        assert_eq!((&restored["status"], &restored["flags"]), (&json!("published"), &json!(["home_page"])));
        assert_eq!(client.get(&first).await.expect(200).json(), restored);
        assert_eq!(home().await, id.as_str());
        site.get("/").await.expect(200);
    }
    // One that has taken the place keeps it, be it published or named.
    client.delete(&first).await.expect(200);
    let second = published(&app, "Second").await;
    client.post(&format!("{first}/restore"), &json!({})).await.expect(200);
    assert_eq!(
        (flags(&client, &first).await, flags(&client, &second).await),
        (json!([]), json!(["home_page"]))
    );
    client.delete(&second).await.expect(200);
    put(&client, &json!({ "homePageId": id })).await.expect(200);
    client.post(&format!("{second}/restore"), &json!({})).await.expect(200);
    assert_eq!(
        (flags(&client, &first).await, flags(&client, &second).await),
        (json!(["home_page"]), json!([]))
    );
}

#[tokio::test]
async fn a_persons_own_page_never_stands_at_the_root() {
    let app = TestApp::start().await;
    let person = app.client().post("/v0/persons", &json!({ "name": "Jane" })).await.expect(201).json();
    let page = page_of(&app.client(), &fixtures::page("Personal")).await;
    audience(&app.client(), &page, &json!({ "personId": person["personId"] })).await;
    app.write_versions().await;
    assert_eq!(flags(&app.client(), &page).await, json!([]));
    says(&visitor(&app, "acme.localhost").get("/").await.expect(404), NOT_HERE);
}

#[tokio::test]
async fn a_suspended_tenants_versions_wait() {
    let app = TestApp::start().await;
    let (client, site) = (app.client(), visitor(&app, "acme.localhost"));
    let page = page_of(&client, &fixtures::page("Spring")).await;
    let at = audience(&client, &page, &json!({})).await;
    app.suspend("acme").await;
    app.write_versions().await;
    says(&site.get("/spring").await.expect(404), NOT_HERE);
    app.resume("acme").await;
    assert_eq!(client.get(&at).await.expect(200).json()["status"], "queued");
    app.write_versions().await;
    assert_eq!(client.get(&at).await.expect(200).json()["status"], "published");
    site.get("/spring").await.expect(200);
}

#[tokio::test]
async fn an_erased_persons_page_leaves_the_memory() {
    let app = TestApp::start().await;
    let (client, site) = (app.client(), visitor(&app, "acme.localhost"));
    let person = client.post("/v0/persons", &json!({ "name": "Zebulon Quux" })).await.expect(201).json();
    let page = page_of(&client, &fixtures::page("Spring")).await;
    let at = audience(&client, &page, &json!({ "personId": person["personId"] })).await;
    let path =
        client.get(&format!("{at}/link")).await.expect(200).json()["path"].as_str().unwrap().to_owned();
    app.write_versions().await;
    app.run_due_work().await;
    assert!(site.get(&path).await.expect(200).text().contains("Zebulon"));
    app.run_due_work().await;
    assert_eq!(app.state.kept_pages(), 1);
    let id = pagesmith_model::PersonId::parse(person["personId"].as_str().unwrap()).unwrap();
    let ctx = app.platform.context().of(app.tenant.clone());
    app.store.write(move |tx| pagesmith_operations::persons::erase::erase(tx, &ctx, &id)).await.unwrap();
    app.advance(Duration::from_secs(5));
    app.run_due_work().await;
    assert_eq!(app.state.kept_pages(), 0);
    says(&site.get(&path).await.expect(404), NOT_HERE);
}
