//! Lists of persons, and that a search tells who is there.

use std::collections::BTreeSet;

use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use super::{address, id, ids, make};

async fn found(client: &Client, query: &str) -> Value {
    client.get_with("/v0/persons/search", &[("query", query)]).await.expect(200).json()
}

#[tokio::test]
async fn the_list_is_newest_first_in_parts_and_counts_all() {
    let app = TestApp::start().await;
    let client = app.client();
    let mut made = Vec::new();
    for number in 0..7 {
        made.insert(0, id(&make(&client, &json!({ "name": format!("P {number}") })).await).to_owned());
    }
    let mut met = Vec::new();
    let mut path = "/v0/persons?limit=3".to_owned();
    loop {
        let part = client.get(&path).await.expect(200).json();
        assert_eq!(part["totalCount"], 7);
        met.extend(ids(&part).into_iter().map(str::to_owned));
        let Some(cursor) = part["nextCursor"].as_str() else { break };
        path = format!("/v0/persons?limit=3&cursor={cursor}");
    }
    assert_eq!(met, made);
}

#[tokio::test]
async fn a_cursor_is_of_no_use_elsewhere() {
    let app = TestApp::start().await;
    let (client, stranger) = (app.client(), app.stranger().await);
    for name in ["Jane", "Joe", "Jim"] {
        make(&client, &json!({ "name": name })).await;
    }
    let cursor =
        client.get("/v0/persons?limit=1").await.expect(200).json()["nextCursor"].as_str().unwrap().to_owned();
    let refused = [("invalid_cursor".to_owned(), "cursor".to_owned())];
    assert_eq!(stranger.get(&format!("/v0/persons?cursor={cursor}")).await.issues(), refused);
    assert_eq!(client.get(&format!("/v0/persons/search?query=j&cursor={cursor}")).await.issues(), refused);
    assert_eq!(client.get(&format!("/v0/accounts?cursor={cursor}")).await.issues(), refused);
}

#[tokio::test]
async fn a_search_knows_every_field_and_follows_its_changes() {
    let app = TestApp::start().await;
    let client = app.client();
    let body = json!({
        "name": "Zoë Brontë", "email": "zb@haworth.example", "phoneNumber": "+441535640192",
        "linkedinProfileUrl": "linkedin.com/in/currer-bell", "domain": "moors.example",
    });
    let made = make(&client, &body).await;
    for query in
        ["zoe", "BRONTË zoe", "haworth", "zb@", "moors", "1535640", "currer-bell", "zoe-bronte", "zoe moors"]
    {
        assert_eq!(ids(&found(&client, query).await), [id(&made)], "{query}");
    }
    for query in ["emily", "zoe emily"] {
        assert_eq!(found(&client, query).await["items"], json!([]), "{query}");
    }
    client.patch(&address(&made), &json!({ "name": "Emily", "email": null })).await.expect(200);
    assert_eq!(ids(&found(&client, "emily").await), [id(&made)]);
    assert_eq!(found(&client, "haworth").await["items"], json!([]));
    client.delete(&address(&made)).await.expect(200);
    assert_eq!(found(&client, "emily").await["items"], json!([]));
    client.post(&format!("{}/restore", address(&made)), &json!({})).await.expect(200);
    assert_eq!(ids(&found(&client, "emily").await), [id(&made)]);
}

#[tokio::test]
async fn a_blank_search_is_the_list() {
    let app = TestApp::start().await;
    let client = app.client();
    let made: BTreeSet<String> = {
        let mut made = BTreeSet::new();
        for name in ["Jane", "Joe"] {
            made.insert(id(&make(&client, &json!({ "name": name })).await).to_owned());
        }
        made
    };
    let list = client.get("/v0/persons").await.expect(200).json();
    for query in ["", " ", "\t\n"] {
        assert_eq!(found(&client, query).await, list);
    }
    assert_eq!(client.get("/v0/persons/search").await.expect(200).json(), list);
    assert_eq!(ids(&list).into_iter().map(str::to_owned).collect::<BTreeSet<_>>(), made);
}
