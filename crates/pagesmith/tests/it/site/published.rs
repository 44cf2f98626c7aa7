//! Pages that are published: who sees what, where and how.

use std::time::Duration;

use pagesmith_testkit::{Answer, Client, TestApp, fixtures};
use serde_json::{Value, json};

use super::{GONE, NOT_HERE, PUBLISHED_LATER, make, says, visitor};
use crate::audiences::{audience, page, page_of};

/// A server, its caller and its visitor.
async fn scene() -> (TestApp, Client, Client) {
    let app = TestApp::start().await;
    let (client, site) = (app.client(), visitor(&app, "acme.localhost:8080"));
    (app, client, site)
}

/// An audience of that page, written; its path.
async fn written(app: &TestApp, client: &Client, page: &str, body: &Value) -> String {
    let at = audience(client, page, body).await;
    app.write_versions().await;
    at
}

/// The path of the link of the page or audience at `at`.
async fn link(client: &Client, at: &str) -> String {
    let link = client.get(&format!("{at}/link")).await.expect(200).json();
    link["path"].as_str().unwrap().to_owned()
}

/// What the live version of an audience says first.
async fn title(client: &Client, at: &str) -> String {
    let version = client.get(at).await.expect(200).json()["publishedVersion"]["versionId"].clone();
    let content = client.get(&format!("{at}/versions/{}/content", version.as_str().unwrap())).await;
    content.expect(200).json()["blocks"][0]["title"].as_str().unwrap().to_owned()
}

/// Makes a version that says this, and publishes it.
async fn publish(app: &TestApp, client: &Client, at: &str, words: &str) {
    let made = client.post(&format!("{at}/versions"), &json!({})).await.expect(201).json();
    app.write_versions().await;
    let version = format!("{at}/versions/{}", made["versionId"].as_str().unwrap());
    let hero = json!({ "blocks": [{ "type": "hero", "blockId": "b", "title": words }] });
    client.send("PUT", &format!("{version}/content"), Some(hero.to_string().into_bytes())).await.expect(200);
    client.post(&format!("{version}/publish"), &json!({})).await.expect(200);
}

/// The answer is a whole page that says this, with all that protects its visitor.
#[track_caller]
fn shows(answer: &Answer, text: &str) {
    let html = answer.text();
    assert!(html.contains(text), "{text} is not in {html}");
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("</html>"));
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("referrer-policy"), Some("strict-origin-when-cross-origin"));
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert!(answer.header("set-cookie").is_none());
}

#[tokio::test]
async fn a_page_and_its_audience_open_at_their_links() {
    let (app, client, site) = scene().await;
    let page = page(&client).await;
    let body = json!({ "supplementaryContext": "Plant managers who run night shifts." });
    let at = audience(&client, &page, &body).await;
    let (of_page, of_audience) = (link(&client, &page).await, link(&client, &at).await);
    for path in [&of_page, &of_audience] {
        says(&site.get(path).await.expect(404), PUBLISHED_LATER);
    }
    app.write_versions().await;
    let title = title(&client, &at).await;
    for path in [&of_page, &of_audience, &format!("{of_audience}/"), &format!("{of_audience}?utm_source=x")] {
        let answer = site.get(path).await.expect(200);
        shows(&answer, &title);
        let described = answer.text().matches("<script type=\"application/ld+json\">").count();
        // What makes the page handier, and what measures its views.
        assert_eq!(answer.text().matches("<script").count() - described, 2, "only ours run");
        assert_eq!(answer.header("x-robots-tag"), None);
        assert_eq!(answer.header("cache-control"), Some("public, max-age=0, must-revalidate"));
    }
    let canonical = format!("<link rel=\"canonical\" href=\"http://acme.localhost:8080{of_audience}\">");
    assert!(site.get(&of_audience).await.text().contains(&canonical));
    says(&site.get(&format!("{of_page}/somebody-else")).await.expect(404), NOT_HERE);
    says(&site.get(&of_audience.to_uppercase()).await.expect(404), NOT_HERE);
}

#[tokio::test]
async fn a_page_shows_the_oldest_audience_that_has_something_to_show() {
    let (app, client, site) = scene().await;
    let page = page(&client).await;
    let path = link(&client, &page).await;
    let mut all = vec![];
    for number in 1..=3 {
        let at = written(&app, &client, &page, &json!({ "publishBehavior": "draft" })).await;
        all.push((at, format!("Words of audience {number}")));
    }
    says(&site.get(&path).await.expect(404), PUBLISHED_LATER);
    for (at, words) in all.iter().rev() {
        publish(&app, &client, at, words).await;
        shows(&site.get(&path).await.expect(200), words);
    }
    client.delete(&all[0].0).await.expect(200);
    shows(&site.get(&path).await.expect(200), &all[1].1);
    says(&site.get(&link(&client, &all[0].0).await).await.expect(410), GONE);
    client.post(&format!("{}/restore", all[0].0), &json!({})).await.expect(200);
    shows(&site.get(&path).await.expect(200), &all[0].1);
    shows(&site.get(&link(&client, &all[0].0).await).await.expect(200), &all[0].1);
}

#[tokio::test]
async fn a_persons_own_page_has_their_name_and_is_kept_from_search_engines() {
    let (app, client, site) = scene().await;
    let page = page(&client).await;
    let person = client.post("/v0/persons", &json!({ "name": "Jane Doe" })).await.expect(201).json();
    let at = written(&app, &client, &page, &json!({ "personId": person["personId"] })).await;
    let path = link(&client, &at).await;
    assert!(path.starts_with("/spring-launch/jane-doe-"), "{path}");
    let answer = site.get(&path).await.expect(200);
    shows(&answer, &title(&client, &at).await);
    assert!(answer.text().contains("<meta name=\"robots\" content=\"noindex\">"));
    assert_eq!(answer.header("x-robots-tag"), Some("noindex"));
    assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    // Whoever has only the page's own link is not shown what was written for somebody else.
    site.get("/spring-launch").await.expect(404);
    let open = json!({ "metadataOverride": { "title": "For all", "robots": ["index"] } });
    app.advance(Duration::from_secs(1));
    client.patch(&at, &open).await.expect(200);
    let answer = site.get(&path).await.expect(200);
    shows(&answer, "<title>For all</title>");
    assert_eq!(answer.header("x-robots-tag"), None);
}

#[tokio::test]
async fn archived_is_gone_and_deleted_was_never_there() {
    let (app, client, site) = scene().await;
    let page = page(&client).await;
    let at = written(&app, &client, &page, &json!({ "customName": "Plants" })).await;
    let title = title(&client, &at).await;
    let paths = ["/spring-launch", "/spring-launch/plants"];
    for (method, path, status, text) in [
        ("GET", page.clone(), 200, title.as_str()),
        ("POST", format!("{page}/archive"), 410, GONE),
        ("DELETE", page.clone(), 404, NOT_HERE),
        ("POST", format!("{page}/restore"), 200, title.as_str()),
    ] {
        let body = (method == "POST").then(|| b"{}".to_vec());
        client.send(method, &path, body).await.expect(200);
        for path in paths {
            let answer = site.get(path).await.expect(status);
            if status == 200 { shows(&answer, text) } else { says(&answer, text) }
        }
    }
}

#[tokio::test]
async fn a_site_shows_only_its_own_tenants_pages_and_takes_nothing() {
    let (app, client, site) = scene().await;
    let page = page(&client).await;
    written(&app, &client, &page, &json!({ "customName": "Plants" })).await;
    app.stranger().await;
    let other = visitor(&app, "globex.localhost:8080");
    for path in ["/spring-launch", "/spring-launch/plants"] {
        says(&other.get(path).await.expect(404), NOT_HERE);
        for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            let request = http::Request::builder().method(method).uri(path).header("host", "acme.localhost");
            let answer = site.raw(request.body(Default::default()).unwrap()).await.expect(405);
            assert_eq!(answer.header("allow"), Some("GET, HEAD"));
        }
    }
    app.suspend("acme").await;
    says(&site.get("/spring-launch/plants").await.expect(404), NOT_HERE);
}

#[tokio::test]
async fn whatever_a_page_and_a_version_hold_nothing_of_it_runs_unasked() {
    let (app, client, site) = scene().await;
    let mut body = fixtures::full_page();
    body["name"] = json!("Spring launch");
    body["scripts"] = json!([
        { "name": "On", "content": "<script>theirs()</script>" },
        { "name": "Off", "content": "<script>never()</script>", "enabled": false },
    ]);
    let page = page_of(&client, &body).await;
    let at = written(&app, &client, &page, &json!({})).await;
    publish(&app, &client, &at, "<script>alert(1)</script>").await;
    let html = site.get("/spring-launch").await.expect(200).text();
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{html}");
    assert!(!html.contains("<script>alert(1)") && !html.contains("<script>theirs()"), "{html}");
    assert!(!html.contains("never()"), "{html}");
    // A page without anything to publish in it is still a page of the tenant.
    make(&app, "Autumn").await;
    says(&site.get("/autumn").await.expect(404), PUBLISHED_LATER);
}
