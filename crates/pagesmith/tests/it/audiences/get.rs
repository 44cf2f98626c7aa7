//! Getting an audience, and what it makes of its page.

use serde_json::json;

use super::{audience, page_of, with_page};

#[tokio::test]
async fn an_audience_stands_under_its_own_page_only() {
    let (_app, client, page) = with_page().await;
    let path = audience(&client, &page, &json!({})).await;
    let other = super::page(&client).await;
    let id = path.rsplit('/').next().unwrap();
    client.get(&path).await.expect(200);
    for wrong in [
        format!("{other}/audiences/{id}"),
        format!("{page}/audiences/x"),
        format!("{page}/audiences/{}", id.to_uppercase()),
    ] {
        client.get(&wrong).await.expect(404);
        client.get(&format!("{wrong}/versions")).await.expect(404);
        client.get(&format!("{wrong}/link")).await.expect(404);
        client.patch(&wrong, &json!({ "customName": "x" })).await.expect(404);
        client.delete(&wrong).await.expect(404);
        client.post(&format!("{wrong}/restore"), &json!({})).await.expect(404);
        client.post(&format!("{wrong}/versions"), &json!({})).await.expect(404);
    }
}

#[tokio::test]
async fn a_known_state_is_not_sent_again() {
    let (app, client, page) = with_page().await;
    let path = audience(&client, &page, &json!({})).await;
    let tag = client.get(&path).await.expect(200).header("etag").unwrap().to_owned();
    client.clone().with("if-none-match", &tag).get(&path).await.expect(304);
    app.write_versions().await;
    client.clone().with("if-none-match", &tag).get(&path).await.expect(200);
    let patch = json!({ "customName": "Late" });
    client.clone().with("if-match", &tag).patch(&path, &patch).await.expect(412);
    client.clone().with("if-match", &tag).delete(&path).await.expect(412);
    let tag = client.get(&path).await.header("etag").unwrap().to_owned();
    client.with("if-match", &tag).patch(&path, &patch).await.expect(200);
}

#[tokio::test]
async fn a_page_counts_its_audiences_and_is_published_while_one_of_them_is_shown() {
    let (app, client, page) = with_page().await;
    let seen = async |count: u64, status: &str| {
        let id = page.rsplit('/').next().unwrap();
        let got = client.get(&page).await.expect(200).json();
        assert_eq!((&got["audiencesCount"], &got["status"]), (&json!(count), &json!(status)));
        let listed = client.get("/v0/pages").await.expect(200).json();
        let listed =
            listed["items"].as_array().unwrap().iter().find(|page| page["pageId"] == id).unwrap().clone();
        assert_eq!(listed, got);
        let found = client.get("/v0/pages/search?query=spring").await.expect(200).json();
        assert_eq!(found["items"][0]["audiencesCount"], count);
    };
    seen(0, "draft").await;
    let first = audience(&client, &page, &json!({})).await;
    let second = audience(&client, &page, &json!({ "publishBehavior": "draft" })).await;
    seen(2, "draft").await;
    app.write_versions().await;
    seen(2, "published").await;
    client.delete(&first).await.expect(200);
    seen(1, "draft").await;
    client.post(&format!("{first}/restore"), &json!({})).await.expect(200);
    seen(2, "published").await;
    client.delete(&second).await.expect(200);
    seen(1, "published").await;
    client.post(&format!("{page}/archive"), &json!({})).await.expect(200);
    seen(1, "archived").await;
}

#[tokio::test]
async fn metadata_is_the_pages_where_the_audience_says_nothing() {
    let (_app, client, _) = with_page().await;
    let mut body = pagesmith_testkit::fixtures::page("With metadata");
    body["metadata"] = json!({ "title": "Page", "description": "Of the page", "robots": ["noindex"] });
    let page = page_of(&client, &body).await;
    let plain = audience(&client, &page, &json!({})).await;
    let own = json!({ "metadataOverride": { "title": "Own", "themeColor": "#fff" } });
    let own = audience(&client, &page, &own).await;
    let shown = client.get(&plain).await.expect(200).json();
    assert_eq!(shown["effectiveMetadata"], body["metadata"]);
    assert!(shown.get("metadataOverride").is_none());
    let shown = client.get(&own).await.expect(200).json();
    let merged =
        json!({ "title": "Own", "description": "Of the page", "robots": ["noindex"], "themeColor": "#fff" });
    assert_eq!(shown["effectiveMetadata"], merged);
    let listed = client.get(&format!("{page}/audiences")).await.expect(200).json();
    assert_eq!(listed["items"][0], shown);
    let bare = super::page(&client).await;
    let bare = audience(&client, &bare, &json!({})).await;
    assert!(client.get(&bare).await.expect(200).json().get("effectiveMetadata").is_none());
}
