//! Links on an own domain: of pages, of audiences, and page links.

use crate::page_links::{audience_of, page, to_page};

use super::*;

const LINKS: &str = "/v0/page_links";

fn id(domain: &Value) -> &str {
    domain["tenantDomainId"].as_str().unwrap()
}

#[tokio::test]
async fn links_of_pages_and_audiences_are_on_the_domain_that_is_asked_for() {
    let app = TestApp::start().await;
    let client = app.client();
    let spring = page(&client, "Spring").await;
    let audience = audience_of(&client, &spring, "Plants").await;
    let domain = active(&app, &client, "go.acme.example").await;
    let of_page = format!("/v0/pages/{spring}/link");
    let of_audience = format!("/v0/pages/{spring}/audiences/{audience}/link");
    for (path, shown) in [(&of_page, "/spring"), (&of_audience, "/spring/plants")] {
        let link = client.get(&format!("{path}?tenantDomainId={}", id(&domain))).await.expect(200).json();
        let url = format!("http://go.acme.example:8080{shown}");
        assert_eq!(link, json!({ "url": url, "domain": "go.acme.example", "path": shown }));
        assert_eq!(client.get(path).await.expect(200).json()["domain"], "acme.localhost");
    }
    let pending = add(&client, "later.acme.example").await;
    let foreign = active(&app, &app.stranger().await, "go.globex.example").await;
    for unknown in [id(&pending), id(&foreign), "domain_00000000000000000000000000", "go.acme.example", ""] {
        for path in [&of_page, &of_audience] {
            client.get(&format!("{path}?tenantDomainId={unknown}")).await.expect(404);
        }
    }
}

#[tokio::test]
async fn a_page_link_is_made_found_and_moved_on_its_domain() {
    let app = TestApp::start().await;
    let client = app.client();
    let target = to_page(&page(&client, "Spring").await);
    let (one, two) =
        (active(&app, &client, "one.acme.example").await, active(&app, &client, "two.acme.example").await);
    let make = async |domain: Option<&Value>, path: &str| {
        let id = domain.map(|domain| &domain["tenantDomainId"]);
        client.post(LINKS, &json!({ "path": path, "target": target, "tenantDomainId": id })).await
    };
    let on_one = make(Some(&one), "/Sale").await.expect(200).json();
    assert_eq!(
        (&on_one["url"], &on_one["domain"], &on_one["hostname"], &on_one["tenantDomainId"]),
        (
            &json!("http://one.acme.example:8080/Sale"),
            &json!("one.acme.example"),
            &json!("one.acme.example"),
            &one["tenantDomainId"]
        )
    );
    let on_two = make(Some(&two), "/sale").await.expect(200).json();
    let on_fallback = make(None, "/sale").await.expect(200).json();
    assert_eq!(on_fallback["url"], "http://acme.localhost:8080/sale");
    // A path is one link's on each domain, and no page's on any.
    for domain in [Some(&one), Some(&two), None] {
        let refused = make(domain, "/SALE").await.expect(409).json();
        assert_eq!(refused["details"]["reason"], "page_link");
        assert_eq!(make(domain, "/spring/x").await.expect(409).json()["details"]["reason"], "page_slug");
        assert_eq!(make(domain, "/v0").await.expect(409).json()["details"]["reason"], "reserved_word");
    }
    let other = make(Some(&one), "/other").await.expect(200).json();
    let found = async |query: &str| {
        let list = client.get(&format!("{LINKS}{query}")).await.expect(200).json();
        let id = |link: &Value| link["pageLinkId"].clone();
        list["items"].as_array().unwrap().iter().map(id).collect::<Vec<_>>()
    };
    let ids = |links: &[&Value]| links.iter().map(|link| link["pageLinkId"].clone()).collect::<Vec<_>>();
    assert_eq!(found("").await, ids(&[&other, &on_fallback, &on_two, &on_one]));
    assert_eq!(found(&format!("?tenantDomainId={}", id(&one))).await, ids(&[&other, &on_one]));
    assert_eq!(found("?path=/SALE").await, ids(&[&on_fallback, &on_two, &on_one]));
    assert_eq!(found(&format!("?path=/sale&tenantDomainId={}", id(&two))).await, ids(&[&on_two]));
    assert_eq!(found(&format!("/search?query=sale&tenantDomainId={}", id(&two))).await, ids(&[&on_two]));
    assert_eq!(found("?tenantDomainId=domain_00000000000000000000000000").await, ids(&[]));
    // Moved to another domain, and to the fallback domain, where its path is free.
    let path = |link: &Value| format!("{LINKS}/{}", link["pageLinkId"].as_str().unwrap());
    let to = |id: &Value| json!({ "tenantDomainId": id });
    let taken = client.patch(&path(&on_one), &to(&two["tenantDomainId"])).await.expect(409).json();
    assert_eq!(taken["details"]["reason"], "page_link");
    let moved = client.patch(&path(&other), &to(&two["tenantDomainId"])).await.expect(200).json();
    assert_eq!(moved["url"], "http://two.acme.example:8080/other");
    let moved = client.patch(&path(&other), &to(&Value::Null)).await.expect(200).json();
    assert_eq!(
        (&moved["url"], &moved["tenantDomainId"]),
        (&json!("http://acme.localhost:8080/other"), &Value::Null)
    );
    let kept = client.patch(&path(&on_one), &json!({ "path": "/sale2" })).await.expect(200).json();
    assert_eq!(kept["url"], "http://one.acme.example:8080/sale2");
}

#[tokio::test]
async fn a_link_needs_a_verified_domain_and_keeps_it_from_being_removed() {
    let app = TestApp::start().await;
    let client = app.client();
    let target = to_page(&page(&client, "Spring").await);
    let pending = add(&client, "later.acme.example").await;
    let foreign = active(&app, &app.stranger().await, "go.globex.example").await;
    let on = |id: &str| json!({ "path": "/sale", "target": target, "tenantDomainId": id });
    let refused = client.post(LINKS, &on(id(&pending))).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "reason": "not_verified" }));
    for unknown in [id(&foreign), "nothing", ""] {
        let issues = client.post(LINKS, &on(unknown)).await.expect(400).issues();
        assert_eq!(issues, [("unknown_reference".to_owned(), "tenantDomainId".to_owned())]);
    }
    let domain = active(&app, &client, "go.acme.example").await;
    let link = client.post(LINKS, &on(id(&domain))).await.expect(200).json();
    let refused = client.delete(&at(&domain)).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "reason": "page_links" }));
    client.delete(&format!("{LINKS}/{}", link["pageLinkId"].as_str().unwrap())).await.expect(200);
    client.delete(&at(&domain)).await.expect(200);
}
