//! Paths and slugs are one namespace, and what people write has one form.

use futures_util::future::{join, join_all};
use pagesmith_testkit::{TestApp, fixtures};
use serde_json::json;

use super::{link, page, path_of, to_page};

#[tokio::test]
async fn a_path_has_one_form() {
    let app = TestApp::start().await;
    let client = app.client();
    let target = to_page(&page(&client, "Spring").await);
    for (sent, kept) in [
        ("sale", "/sale"),
        ("//Sommer//Angebote/", "/Sommer/Angebote"),
        ("/größe xl", "/gr%C3%B6%C3%9Fe%20xl"),
        ("/🎉1", "/%F0%9F%8E%891"),
        ("/%61b%63", "/abc"),
        ("/価格", "/%E4%BE%A1%E6%A0%BC"),
    ] {
        let made = link(&client, sent, &target).await;
        assert_eq!(
            (&made["path"], &made["url"]),
            (&json!(kept), &json!(format!("http://acme.localhost:8080{kept}")))
        );
    }
    let long = format!("/{}", "a".repeat(500));
    for wrong in [
        "",
        "/",
        "/..",
        "/a/../b",
        "/a%2Fb",
        "/a\\b",
        "/%zz",
        "/%ff",
        "/a?b",
        "/a#b",
        "/-",
        "https://a.example/b",
        &long,
    ] {
        let body = json!({ "path": wrong, "target": target });
        let issues = client.post("/v0/page_links", &body).await.expect(400).issues();
        assert_eq!(issues.iter().map(|(_, place)| place.as_str()).collect::<Vec<_>>(), ["path"], "{wrong}");
    }
}

#[tokio::test]
async fn a_path_that_is_taken_is_refused_with_the_reason() {
    let app = TestApp::start().await;
    let client = app.client();
    let spring = page(&client, "Spring").await;
    let gone = page(&client, "Gone").await;
    client.delete(&format!("/v0/pages/{gone}")).await.expect(200);
    let target = to_page(&spring);
    let first = link(&client, "/Go/Größe", &target).await;
    let other = link(&client, "/other", &target).await;
    for (path, details) in [
        ("/go/größe", json!({ "reason": "page_link", "pageLinkId": first["pageLinkId"] })),
        ("/GO/GRÖßE/", json!({ "reason": "page_link", "pageLinkId": first["pageLinkId"] })),
        ("/go/gr%c3%b6%c3%9fe", json!({ "reason": "page_link", "pageLinkId": first["pageLinkId"] })),
        ("/spring", json!({ "reason": "page_slug", "pageId": spring })),
        ("/SPRING/anything", json!({ "reason": "page_slug", "pageId": spring })),
        ("/gone", json!({ "reason": "page_slug", "pageId": gone })),
        ("/api/v1", json!({ "reason": "reserved_word", "word": "api" })),
        ("/Robots.txt", json!({ "reason": "reserved_word", "word": "robots.txt" })),
        ("/preview/a/b/c", json!({ "reason": "reserved_word", "word": "preview" })),
        ("/.pagesmith", json!({ "reason": "reserved_word", "word": ".pagesmith" })),
        ("/.PageSmith/v", json!({ "reason": "reserved_word", "word": ".pagesmith" })),
    ] {
        let body = json!({ "path": path, "target": target });
        let refused = client.post("/v0/page_links", &body).await.expect(409).json();
        assert_eq!(refused["details"], details, "{path}");
        let refused = client.patch(&path_of(&other), &json!({ "path": path })).await.expect(409).json();
        assert_eq!(refused["details"], details, "{path}");
    }
    // What only begins alike is free.
    for path in ["/go", "/springs", "/go/größe/more"] {
        link(&client, path, &target).await;
    }
}

#[tokio::test]
async fn of_those_who_want_a_path_at_once_one_gets_it() {
    let app = TestApp::start().await;
    let client = app.client();
    let target = to_page(&page(&client, "First").await);
    for round in 0..5 {
        let name = format!("race {round}");
        let link = json!({ "path": format!("/RACE-{round}"), "target": target });
        let links = join_all((0..4).map(|_| client.post("/v0/page_links", &link)));
        let body = fixtures::page(&name);
        let pages = join_all((0..2).map(|_| client.post("/v0/pages", &body)));
        let (links, pages) = join(links, pages).await;
        let of = |wanted: u16| links.iter().filter(|answer| answer.status.as_u16() == wanted).count();
        assert_eq!(of(200) + of(409), 4);
        let mut slugs = Vec::new();
        for page in pages {
            let page = page.expect(201).json();
            let id = page["pageId"].as_str().unwrap();
            let link = client.get(&format!("/v0/pages/{id}/link")).await.expect(200).json();
            slugs.push(link["path"].as_str().unwrap().to_owned());
        }
        let plain = slugs.iter().filter(|slug| **slug == format!("/race-{round}")).count();
        assert_eq!(of(200) + plain, 1, "{slugs:?}");
    }
}

#[tokio::test]
async fn of_links_that_move_to_a_path_at_once_one_gets_it() {
    let app = TestApp::start().await;
    let client = app.client();
    let target = to_page(&page(&client, "First").await);
    let mut links = Vec::new();
    for number in 0..4 {
        links.push(path_of(&link(&client, &format!("/from/{number}"), &target).await));
    }
    for round in 0..5 {
        let patch = json!({ "path": format!("/to/{round}") });
        let moves = join_all(links.iter().map(|link| client.patch(link, &patch))).await;
        let statuses: Vec<u16> = moves.iter().map(|answer| answer.status.as_u16()).collect();
        let of = |wanted: u16| statuses.iter().filter(|status| **status == wanted).count();
        assert_eq!((of(200), of(409)), (1, 3), "{statuses:?}");
    }
}

#[tokio::test]
async fn a_new_page_avoids_the_paths_of_links() {
    let app = TestApp::start().await;
    let client = app.client();
    let target = to_page(&page(&client, "First").await);
    for path in ["/summer/sale", "/Winter"] {
        link(&client, path, &target).await;
    }
    for (name, is_free) in [("Summer", false), ("winter", false), ("Sale", true)] {
        let made = page(&client, name).await;
        let shareable = client.get(&format!("/v0/pages/{made}/link")).await.expect(200).json();
        let plain = format!("/{}", name.to_lowercase());
        let path = shareable["path"].as_str().unwrap();
        assert!(path.starts_with(&plain), "{path}");
        assert_eq!(path == plain, is_free, "{path}");
    }
}
