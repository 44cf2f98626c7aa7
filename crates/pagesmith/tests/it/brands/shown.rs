//! What brands change on hosted pages and in what the page agent writes.

use std::time::Duration;

use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::{Value, json};

use super::{create, path};
use crate::audiences::{audience, page_of};
use crate::site::visitor;

/// A published page of these fields.
pub(super) async fn published(app: &TestApp, fields: Value) -> String {
    let mut body = fixtures::page("Spring");
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let page = page_of(&app.client(), &body).await;
    audience(&app.client(), &page, &json!({})).await;
    app.write_versions().await;
    page
}

pub(super) async fn shown(site: &Client) -> String {
    site.get("/spring").await.expect(200).text()
}

#[tokio::test]
async fn a_page_has_the_brand_that_it_names_else_the_default_one() {
    let app = TestApp::start().await;
    let client = app.client();
    let red = json!({ "name": "Red", "siteName": "Red & Co", "look": { "accentColor": "#aa0000", "spacing": "compact" },
        "legalLinks": [{ "text": "Imprint", "url": "https://red.example/imprint" }] });
    let red = create(&client, &red).await;
    let blue = json!({ "name": "Blue", "isDefault": true, "look": { "accentColor": "#0000aa" } });
    let blue = create(&client, &blue).await;
    let page = published(&app, json!({ "brandId": red["brandId"] })).await;
    let site = visitor(&app, "acme.localhost");
    let html = shown(&site).await;
    for text in [
        "--accent:#aa0000",
        "<span dir=\"auto\">Red &amp; Co</span>",
        "<a href=\"https://red.example/imprint\" dir=\"auto\" rel=\"noopener\">Imprint</a>",
        ":root main>section{padding-block:clamp(2rem,4vw,3.5rem)}",
    ] {
        assert!(html.contains(text), "{text} is not in {html}");
    }
    // A change of the brand shows at once, within one instant of the clock.
    client
        .patch(&path(&red), &json!({ "look": { "accentColor": "#bb0000" }, "siteName": null }))
        .await
        .expect(200);
    let html = shown(&site).await;
    assert!(html.contains("--accent:#bb0000") && !html.contains("Red &amp; Co"), "{html}");
    // Without the brand, and with an id that names none, the page has the default one.
    app.advance(Duration::from_secs(1));
    client.patch(&page, &json!({ "brandId": "none of ours" })).await.expect(200);
    assert!(shown(&site).await.contains("--accent:#0000aa"));
    app.advance(Duration::from_secs(1));
    client.patch(&page, &json!({ "brandId": red["brandId"] })).await.expect(200);
    client.delete(&path(&red)).await.expect(200);
    assert!(shown(&site).await.contains("--accent:#0000aa"));
    client.delete(&path(&blue)).await.expect(200);
    assert!(!shown(&site).await.contains("--accent:#0000aa"));
}

#[tokio::test]
async fn a_brand_of_another_tenant_is_nobody_s() {
    let app = TestApp::start().await;
    let theirs = json!({ "name": "Theirs", "isDefault": true, "look": { "accentColor": "#aa0000" } });
    let theirs = create(&app.stranger().await, &theirs).await;
    published(&app, json!({ "brandId": theirs["brandId"] })).await;
    assert!(!shown(&visitor(&app, "acme.localhost")).await.contains("--accent:#aa0000"));
}

#[tokio::test]
async fn the_page_agent_takes_up_the_voice() {
    let app = TestApp::start().await;
    let voice = json!({ "wordsToUse": ["Gewährleistung"], "wordsToAvoid": ["billig"] });
    let brand = create(&app.client(), &json!({ "name": "Schreinerei", "voice": voice })).await;
    let context = "Die Schreinerei Holm baut Treppen aus Eiche und Esche. Unsere Stufen sind billig und schnell geliefert. \
        Wir messen bei Ihnen zu Hause auf und zeichnen den Entwurf. Auf jede Treppe geben wir zehn Jahre Gewährleistung. \
        Der Einbau dauert zwei Tage, und der Staub geht mit uns.";
    published(&app, json!({ "brandId": brand["brandId"], "pageContext": context })).await;
    let html = shown(&visitor(&app, "acme.localhost")).await;
    assert!(html.contains("Gewährleistung") && !html.contains("billig"), "{html}");
}
