//! The search over all audiences of a tenant.

use serde_json::{Value, json};

use super::{audience, with_page};

fn names(found: &Value) -> Vec<&str> {
    found["items"].as_array().unwrap().iter().map(|item| item["effectiveName"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_best_match_comes_first_whatever_case_and_accents() {
    let (_app, client, page) = with_page().await;
    for name in ["Unlübeck", "In Lübeck", "Lübeck north", "Lübeck", "Berlin"] {
        audience(&client, &page, &json!({ "customName": name })).await;
    }
    let found = client.get("/v0/audiences/search?query=LUBECK").await.expect(200).json();
    assert_eq!(names(&found), ["Lübeck", "Lübeck north", "In Lübeck", "Unlübeck"]);
    assert_eq!(found["totalCount"], 4);
    assert_eq!(found["items"][0]["pageName"], "Spring launch");
    assert_eq!(found["items"][0]["pageId"], page.rsplit('/').next().unwrap());
    let all = client.get("/v0/audiences/search").await.expect(200).json();
    assert_eq!(names(&all), ["Berlin", "Lübeck", "Lübeck north", "In Lübeck", "Unlübeck"]);
    let none = client.get("/v0/audiences/search?query=hamburg").await.expect(200).json();
    assert_eq!(none, json!({ "items": [], "hasMore": false, "nextCursor": null, "totalCount": 0 }));
}

#[tokio::test]
async fn archived_audiences_and_those_of_deleted_pages_are_not_found() {
    let (_app, client, page) = with_page().await;
    let other = super::page(&client).await;
    let gone = audience(&client, &page, &json!({ "customName": "Archived" })).await;
    audience(&client, &page, &json!({ "customName": "Present" })).await;
    audience(&client, &other, &json!({ "customName": "Under a deleted page" })).await;
    client.delete(&gone).await.expect(200);
    client.delete(&other).await.expect(200);
    let found = client.get("/v0/audiences/search").await.expect(200).json();
    assert_eq!((names(&found), &found["totalCount"]), (vec!["Present"], &json!(1)));
    client.patch(&gone, &json!({ "customName": "Still archived" })).await.expect(200);
    assert_eq!(client.get("/v0/audiences/search").await.json()["totalCount"], 1);
    client.post(&format!("{gone}/restore"), &json!({})).await.expect(200);
    client.post(&format!("{other}/restore"), &json!({})).await.expect(200);
    let found = client.get("/v0/audiences/search").await.expect(200).json();
    assert_eq!(names(&found), ["Under a deleted page", "Present", "Still archived"]);
}

#[tokio::test]
async fn a_new_name_is_found_and_the_old_one_no_more() {
    let (_app, client, page) = with_page().await;
    let path = audience(&client, &page, &json!({ "customName": "Old" })).await;
    client.patch(&path, &json!({ "customName": "New" })).await.expect(200);
    assert_eq!(client.get("/v0/audiences/search?query=old").await.json()["totalCount"], 0);
    assert_eq!(client.get("/v0/audiences/search?query=new").await.json()["totalCount"], 1);
    client.patch(&path, &json!({ "customName": null })).await.expect(200);
    assert_eq!(client.get("/v0/audiences/search?query=audience").await.json()["totalCount"], 1);
}

#[tokio::test]
async fn one_page_s_audiences_are_searched_alone() {
    let (app, client, page) = with_page().await;
    let other = super::page(&client).await;
    for (page, name) in [(&page, "North"), (&other, "North as well"), (&page, "South")] {
        audience(&client, page, &json!({ "customName": name })).await;
    }
    let id = |page: &str| page.rsplit('/').next().unwrap().to_owned();
    let search =
        async |query: &str| client.get(&format!("/v0/audiences/search?{query}")).await.expect(200).json();
    let found = search(&format!("query=north&pageId={}", id(&page))).await;
    assert_eq!((names(&found), &found["totalCount"]), (vec!["North"], &json!(1)));
    let all = search(&format!("pageId={}&limit=1", id(&page))).await;
    assert_eq!((names(&all), &all["totalCount"]), (vec!["South"], &json!(2)));
    // A cursor is of one search.
    let cursor = all["nextCursor"].as_str().unwrap();
    let rest = search(&format!("pageId={}&limit=1&cursor={cursor}", id(&page))).await;
    assert_eq!((names(&rest), &rest["hasMore"]), (vec!["North"], &json!(false)));
    for wrong in ["", &format!("pageId={}&", id(&other))] {
        client.get(&format!("/v0/audiences/search?{wrong}limit=1&cursor={cursor}")).await.expect(400);
    }
    for nobody in ["page_00000000000000000000000000", "no%20id", "%27%20OR%201=1%20--", ""] {
        let found = search(&format!("query=north&pageId={nobody}")).await;
        assert_eq!(found["totalCount"], 0, "{nobody}");
    }
    client.get(&format!("/v0/audiences/search?pageId={0}&pageId={0}", id(&page))).await.expect(400);
    let stranger = app.stranger().await;
    let found = stranger.get(&format!("/v0/audiences/search?pageId={}", id(&page))).await.expect(200).json();
    assert_eq!(found["totalCount"], 0);
}
