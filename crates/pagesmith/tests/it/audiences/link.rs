//! The link of an audience.

use serde_json::json;

use super::{audience, with_page};

#[tokio::test]
async fn a_link_is_the_pages_with_the_audiences_own_part() {
    let (_app, client, page) = with_page().await;
    let person = client.post("/v0/persons", &json!({ "name": "Jane Doe" })).await.expect(201).json();
    for (body, path) in [
        (json!({ "customName": "Plants in the North" }), "/spring-launch/plants-in-the-north"),
        (json!({ "personId": person["personId"] }), "/spring-launch/jane-doe"),
        // What is noted about readers is not for them.
        (json!({ "supplementaryContext": "Stingy buyers who always haggle" }), "/spring-launch/audience-3"),
        (json!({}), "/spring-launch/audience-4"),
    ] {
        let at = audience(&client, &page, &body).await;
        let link = client.get(&format!("{at}/link")).await.expect(200).json();
        assert!(link["path"].as_str().unwrap().starts_with(path), "{link}");
        assert_eq!(link["domain"], "acme.localhost");
        assert_eq!(link["url"], format!("http://acme.localhost:8080{}", link["path"].as_str().unwrap()));
        client.get(&format!("{at}/link?tenantDomainId=domain_x")).await.expect(404);
        client.delete(&at).await.expect(200);
        assert_eq!(client.get(&format!("{at}/link")).await.expect(200).json(), link);
    }
}

#[tokio::test]
async fn a_part_is_never_given_twice_in_a_page() {
    let (_app, client, page) = with_page().await;
    let mut seen = std::collections::HashSet::new();
    let person = client.post("/v0/persons", &json!({ "name": "Jane Doe" })).await.expect(201).json();
    let named = json!({ "customName": "Jane Doe" });
    let of_person = json!({ "personId": person["personId"] });
    for body in [&named, &named, &of_person, &named] {
        let at = audience(&client, &page, body).await;
        let link = client.get(&format!("{at}/link")).await.expect(200).json();
        assert!(seen.insert(link["path"].clone()), "{link} twice");
        let shown = client.get(&at).await.expect(200).json();
        if let Some(key) = shown["personRouteKey"].as_str() {
            assert_eq!(link["path"], format!("/spring-launch/{key}"));
        }
        client.delete(&at).await.expect(200);
    }
}
