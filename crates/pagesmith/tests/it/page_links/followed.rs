//! What visitors of a link see.

use std::time::Duration;

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use crate::persons::erase::erase;

use super::{audience_of, link, page, path_of, routing, to_audience, to_page};

fn site(app: &TestApp) -> Client {
    app.anonymous().with("host", "acme.localhost")
}

/// What is at a path: its status, and whether it is the same page as at another one.
async fn shows(site: &Client, path: &str, page: &str) -> bool {
    let (here, there) = (site.get(path).await.expect(200), site.get(page).await.expect(200));
    here.text() == there.text()
}

#[tokio::test]
async fn a_link_shows_the_page_of_its_target_in_every_spelling() {
    let app = TestApp::start().await;
    let client = app.client();
    let spring = page(&client, "Spring").await;
    let audience = audience_of(&client, &spring, "Plants").await;
    app.write_versions().await;
    link(&client, "/go/Größe", &to_page(&spring)).await;
    link(&client, "/a/b/c/d/e", &to_audience(&audience)).await;
    let site = site(&app);
    for _ in 0..3 {
        for path in [
            "/go/gr%C3%B6%C3%9Fe",
            "/GO/gr%c3%b6%c3%9fe/",
            "//go//Gr%C3%B6%C3%9Fe",
            "/go/Gr%C3%B6%C3%9Fe?utm_source=x",
        ] {
            assert!(shows(&site, path, "/spring").await, "{path}");
        }
        assert!(shows(&site, "/a/b/c/d/e", "/spring/plants").await);
    }
    let here = site.get("/a/b/c/d/e").await.expect(200);
    assert!(
        here.text().contains("<link rel=\"canonical\" href=\"http://acme.localhost:8080/spring/plants\"")
    );
    let there = site.get("/spring/plants").await.expect(200);
    for header in ["cache-control", "content-security-policy", "etag", "content-type"] {
        assert_eq!(here.header(header), there.header(header), "{header}");
    }
    let known = site.with("if-none-match", here.header("etag").unwrap());
    known.get("/a/b/c/d/e").await.expect(304);
    assert!(site.send("HEAD", "/a/b/c/d/e", None).await.expect(200).text().is_empty());
    site.post("/a/b/c/d/e", &json!({})).await.expect(405);
    for nowhere in ["/a/b/c/d", "/a/b/c/d/e/f", "/go", "/gone/x", "/%ff", "/a%2fb/c/d/e"] {
        site.get(nowhere).await.expect(404);
    }
    // Another tenant's site has none of them.
    app.stranger().await;
    app.anonymous().with("host", "globex.localhost").get("/go/gr%C3%B6%C3%9Fe").await.expect(404);
}

#[tokio::test]
async fn a_change_shows_at_once_and_within_a_second_elsewhere() {
    let app = TestApp::start().await;
    let client = app.client();
    let (spring, summer) = (page(&client, "Spring").await, page(&client, "Summer").await);
    for page in [&spring, &summer] {
        audience_of(&client, page, "Plants").await;
    }
    app.write_versions().await;
    let made = link(&client, "/go", &to_page(&spring)).await;
    let node = app.another_server();
    Client::new(node.clone(), Some(app.key.clone())).get("/v0/pages").await.expect(200);
    let (here, there) = (site(&app), Client::new(node, None).with("host", "acme.localhost"));
    for site in [&here, &there] {
        assert!(shows(site, "/go", "/spring").await);
    }
    app.advance(Duration::from_millis(1));
    client.patch(&path_of(&made), &json!({ "target": to_page(&summer) })).await.expect(200);
    assert!(shows(&here, "/go", "/summer").await);
    app.advance(Duration::from_secs(1));
    assert!(shows(&there, "/go", "/summer").await);
    client.patch(&path_of(&made), &json!({ "path": "/went" })).await.expect(200);
    here.get("/go").await.expect(404);
    assert!(shows(&here, "/went", "/summer").await);
    client.delete(&path_of(&made)).await.expect(200);
    here.get("/went").await.expect(404);
    app.advance(Duration::from_secs(1));
    there.get("/went").await.expect(404);
}

#[tokio::test]
async fn a_target_that_is_away_is_said_to_be() {
    let app = TestApp::start().await;
    let client = app.client();
    let spring = page(&client, "Spring").await;
    let site = site(&app);
    let early = audience_of(&client, &spring, "Plants").await;
    let to_early = link(&client, "/early", &to_audience(&early)).await;
    link(&client, "/go", &to_page(&spring)).await;
    for path in ["/early", "/go"] {
        assert!(site.get(path).await.expect(404).text().contains("Not published yet"), "{path}");
    }
    app.write_versions().await;
    for path in ["/early", "/go"] {
        site.get(path).await.expect(200);
    }
    let page_path = format!("/v0/pages/{spring}");
    client.delete(&format!("{page_path}/audiences/{early}")).await.expect(200);
    site.get("/early").await.expect(410);
    client.post(&format!("{page_path}/audiences/{early}/restore"), &json!({})).await.expect(200);
    site.get("/early").await.expect(200);
    client.post(&format!("{page_path}/archive"), &json!({})).await.expect(200);
    for path in ["/early", "/go"] {
        site.get(path).await.expect(410);
    }
    // A deleted page is no target, until it is restored.
    client.delete(&page_path).await.expect(200);
    for path in ["/early", "/go"] {
        assert!(site.get(path).await.expect(404).text().contains("Page not found"), "{path}");
    }
    assert_eq!(client.get(&path_of(&to_early)).await.expect(200).json()["target"], Value::Null);
    let moved = client.patch(&path_of(&to_early), &json!({ "path": "/later" })).await.expect(200).json();
    assert_eq!(moved["target"], Value::Null);
    client.post(&format!("{page_path}/restore"), &json!({})).await.expect(200);
    assert_eq!(client.get(&path_of(&to_early)).await.expect(200).json()["target"], to_audience(&early));
    site.get("/later").await.expect(200);
}

#[tokio::test]
async fn a_signed_page_is_not_opened_by_a_link_and_a_secret_one_is() {
    let app = TestApp::start().await;
    let client = app.client();
    let spring = page(&client, "Spring").await;
    let person = client
        .post("/v0/persons", &json!({ "name": "Jane", "email": "jane@plants.example" }))
        .await
        .expect(201)
        .json();
    let own = client
        .post(&format!("/v0/pages/{spring}/audiences"), &json!({ "personId": person["personId"] }))
        .await
        .expect(201)
        .json();
    audience_of(&client, &spring, "Plants").await;
    app.write_versions().await;
    let own = own["audienceId"].as_str().unwrap();
    let (site, access) = (site(&app), format!("/v0/pages/{spring}/audiences/{own}/access"));
    link(&client, "/for-jane", &to_audience(own)).await;
    link(&client, "/split", &routing(&spring, &json!([{ "audienceId": own, "weight": 1 }]))).await;
    for set in ["unguessable", "open"] {
        client
            .send("PUT", &access, Some(json!({ "access": set }).to_string().into_bytes()))
            .await
            .expect(200);
        let answer = site.get("/for-jane").await.expect(200);
        assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
        assert_eq!(site.get("/split").await.expect(200).text(), answer.text());
    }
    client
        .send("PUT", &access, Some(json!({ "access": "signed" }).to_string().into_bytes()))
        .await
        .expect(200);
    site.get("/for-jane").await.expect(404);
    assert!(shows(&site, "/split", "/spring").await, "the table falls back to the page");
    // Who is erased leaves no link behind.
    erase(&app, person["personId"].as_str().unwrap()).await;
    let left = client.get("/v0/page_links").await.expect(200).json();
    assert_eq!((&left["totalCount"], &left["items"][0]["path"]), (&json!(1), &json!("/split")));
    site.get("/for-jane").await.expect(404);
}
