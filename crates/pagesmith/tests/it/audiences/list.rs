//! The list of a page's audiences.

use serde_json::json;

use super::{audience, with_page};

#[tokio::test]
async fn a_page_lists_its_own_newest_first_archived_ones_included() {
    let (_app, client, page) = with_page().await;
    let other = super::page(&client).await;
    audience(&client, &other, &json!({})).await;
    let mut paths = Vec::new();
    for name in ["A", "B", "C"] {
        paths.push(audience(&client, &page, &json!({ "customName": name })).await);
    }
    client.delete(&paths[1]).await.expect(200);
    let listed = client.get(&format!("{page}/audiences")).await.expect(200).json();
    let names: Vec<_> =
        listed["items"].as_array().unwrap().iter().map(|item| &item["effectiveName"]).collect();
    assert_eq!(names, ["C", "B", "A"]);
    assert_eq!((&listed["totalCount"], &listed["hasMore"]), (&json!(3), &json!(false)));
    assert_eq!(listed["items"][1]["status"], "archived");
    for (index, path) in paths.iter().rev().enumerate() {
        assert_eq!(listed["items"][index], client.get(path).await.expect(200).json());
    }
}

#[tokio::test]
async fn a_cursor_belongs_to_its_page() {
    let (_app, client, page) = with_page().await;
    let other = super::page(&client).await;
    for page in [&page, &other] {
        for _ in 0..2 {
            audience(&client, page, &json!({})).await;
        }
    }
    let first = client.get(&format!("{page}/audiences?limit=1")).await.expect(200).json();
    let cursor = first["nextCursor"].as_str().unwrap();
    client.get(&format!("{page}/audiences?limit=1&cursor={cursor}")).await.expect(200);
    for wrong in
        [format!("{other}/audiences?cursor={cursor}"), format!("/v0/audiences/search?cursor={cursor}")]
    {
        let issues = client.get(&wrong).await.issues();
        assert_eq!(issues, [("invalid_cursor".to_owned(), "cursor".to_owned())]);
    }
}
