//! Lists that are long: what a part of one costs does not depend on where in the list it is.

use pagesmith_testkit::database::{execute_at, is_postgres, rows_read_for};
use pagesmith_testkit::{TestApp, fixtures};
use serde_json::{Value, json};

/// How many things a list has, and how many of them a part.
const ALL: usize = 300;
const PART: usize = 20;

/// Requires that no more is read than a part needs, at whatever place it begins.
async fn require_few(
    app: &TestApp,
    part_of_text: &str,
    ids: &[String],
    values: impl Fn(&str) -> Vec<String>,
) {
    for position in [ALL - 1, PART + 1] {
        let values = values(&ids[position]);
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let read = rows_read_for(&app.database.address, part_of_text, &values).await;
        assert!((PART as u64..150).contains(&read), "{read} rows for {PART} behind number {position}");
    }
}

/// Asks for two parts, so that a connection has run the statement for what is behind a position.
async fn ask(app: &TestApp, list: &str) {
    execute_at(&app.database.address, "ANALYZE").await;
    let first: Value = app.client().get(&format!("{list}?limit=20")).await.expect(200).json();
    let cursor = first["nextCursor"].as_str().unwrap();
    app.client().get(&format!("{list}?limit=20&cursor={cursor}")).await.expect(200);
}

#[tokio::test]
async fn the_last_pages_of_a_list_cost_no_more_than_the_first() {
    if !is_postgres() {
        return;
    }
    let app = TestApp::start().await;
    let client = app.client();
    let mut ids = Vec::new();
    for number in 0..ALL {
        let page: Value =
            client.post("/v0/pages", &fixtures::page(&number.to_string())).await.expect(201).json();
        ids.push(page["pageId"].as_str().unwrap().to_owned());
    }
    ask(&app, "/v0/pages").await;
    let tenant = app.tenant.to_string();
    let values = |after: &str| vec![tenant.clone(), "pages".into(), after.into(), (PART + 1).to_string()];
    require_few(&app, "l.updated_at, l.revision", &ids, values).await;
}

#[tokio::test]
async fn the_last_audiences_of_a_page_cost_no_more_than_the_first() {
    if !is_postgres() {
        return;
    }
    let app = TestApp::start().await;
    let client = app.client();
    let page: Value = client.post("/v0/pages", &fixtures::page("one")).await.expect(201).json();
    let page_id = page["pageId"].as_str().unwrap().to_owned();
    let list = format!("/v0/pages/{page_id}/audiences");
    let mut ids = Vec::new();
    for number in 0..ALL {
        let new = json!({ "publishBehavior": "draft", "customName": number.to_string() });
        let audience: Value = client.post(&list, &new).await.expect(201).json();
        ids.push(audience["audienceId"].as_str().unwrap().to_owned());
    }
    ask(&app, &list).await;
    let tenant = app.tenant.to_string();
    let values = |after: &str| {
        vec![tenant.clone(), page_id.clone(), after.into(), (PART + 1).to_string(), tenant.clone()]
    };
    require_few(&app, "l.version_id = a.latest_version_id", &ids, values).await;
}
