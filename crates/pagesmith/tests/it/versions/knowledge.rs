//! What pages are made from beside their own context: the tenant's knowledge, as far as it is about the page.

use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::{Value, json};

use crate::audiences::{audience, page_of};
use crate::site::visitor;
use crate::topics::entries::{make, path, text, topic};

const KNOWN: &str = "# Loggers\nEvery logger is calibrated before it leaves the factory. Loggers keep measuring down to -40 °C. \
    A logger needs no Wi-Fi.";
const OTHER: &str = "# Canteen\nThe canteen serves lunch from noon to two. On Fridays there is fish, and coffee costs nothing.";

/// A page about loggers; its path.
async fn page(client: &Client) -> String {
    let mut body = fixtures::page("Temperature loggers");
    body["pageContext"] = "Frostline makes wireless temperature loggers for cold rooms. A logger is the size of a matchbox and its \
        battery lasts five years. An alarm reaches you by text message."
        .into();
    page_of(client, &body).await
}

/// Writes the newest version of a page for a new audience; its content.
async fn written(app: &TestApp, client: &Client, page: &str) -> Value {
    let at = audience(client, page, &json!({})).await;
    app.write_versions().await;
    content(client, &at).await
}

async fn content(client: &Client, audience: &str) -> Value {
    let latest = client.get(audience).await.expect(200).json()["latestVersion"]["versionId"].clone();
    let path = format!("{audience}/versions/{}/content", latest.as_str().unwrap());
    client.get(&path).await.expect(200).json()
}

#[tokio::test]
async fn a_page_says_what_is_known_about_it_and_names_the_source() {
    let app = TestApp::start().await;
    let (client, stranger) = (app.client(), app.stranger().await);
    let (own, of_stranger) = (page(&client).await, page(&stranger).await);
    let alone = written(&app, &client, &own).await;
    assert_eq!(alone["head"].get("sources"), None, "{alone:#}");
    let (_, entries) = topic(&client, "Products").await;
    let entry = make(&client, &entries, &text(KNOWN)).await;
    make(&client, &entries, &text(OTHER)).await;
    app.run_due_work().await;

    let content = written(&app, &client, &own).await;
    let blocks = content["blocks"].to_string();
    for fact in ["calibrated before it leaves the factory", "-40 °C", "needs no Wi-Fi"] {
        assert!(blocks.contains(fact), "{fact}: {content:#}");
    }
    for other in ["canteen", "noon", "fish", "coffee"] {
        assert!(!content.to_string().contains(other), "{other}: {content:#}");
    }
    let sources = content["head"]["sources"].as_array().unwrap();
    assert_eq!(sources.len(), 1);
    assert_eq!(
        (&sources[0]["topicEntryId"], &sources[0]["title"]),
        (&entry["topicEntryId"], &json!("Products"))
    );
    let found =
        client.post("/v0/knowledge/search", &json!({ "query": "calibrated" })).await.expect(200).json();
    assert_eq!(sources[0]["chunkId"], found["items"][0]["chunkId"]);
    // Its own facts come first, and nobody else's page changes.
    assert_eq!(content["blocks"][0], alone["blocks"][0]);
    assert_eq!(written(&app, &stranger, &of_stranger).await["blocks"], alone["blocks"]);

    // Visitors read the facts and not where they are from.
    let newest =
        client.get(&format!("{own}/audiences")).await.expect(200).json()["items"][0]["audienceId"].clone();
    let link = format!("{own}/audiences/{}/link", newest.as_str().unwrap());
    let shown = client.get(&link).await.expect(200).json()["path"].as_str().unwrap().to_owned();
    let html = visitor(&app, "acme.localhost:8080").get(&shown).await.expect(200).text();
    assert!(html.contains("needs no Wi-Fi"), "{html}");
    for hidden in ["chunk_", "topicentry_", "sources", "Products"] {
        assert!(!html.contains(hidden), "{hidden}: {html}");
    }

    // What is not known any more is on no new page.
    client.delete(&path(&entries, &entry)).await.expect(200);
    app.run_due_work().await;
    assert_eq!(written(&app, &client, &own).await["blocks"], alone["blocks"]);
}

#[tokio::test]
async fn what_answers_the_audience_comes_up() {
    let app = TestApp::start().await;
    let client = app.client();
    let own = page(&client).await;
    let (_, entries) = topic(&client, "Products").await;
    let privacy = "All readings of the loggers stay on servers in Frankfurt, as the GDPR demands.";
    make(&client, &entries, &text(&format!("{KNOWN}\n\n# Data\n{privacy}"))).await;
    app.run_due_work().await;
    let at =
        audience(&client, &own, &json!({ "supplementaryContext": "Data protection officers of hospitals." }))
            .await;
    app.write_versions().await;
    let content = content(&client, &at).await;
    assert!(content["blocks"][1].to_string().contains("servers in Frankfurt"), "{content:#}");
    assert!(!content["blocks"].to_string().contains("officers of hospitals."), "{content:#}");
}
