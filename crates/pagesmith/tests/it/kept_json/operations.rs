//! Every operation of the API leaves what is kept in memory as true as before: a server that has kept everything answers like one that has
//! kept nothing. Whoever lets pages show something that their stamps do not tell fails here, as soon as the noun's sample changes it.

use pagesmith_http::routes::{Route, routes};
use pagesmith_testkit::samples::owned::Owned;
use pagesmith_testkit::{Client, TestApp};
use serde_json::json;

use super::two_servers;

/// What makes others fail that come after it.
fn is_last(route: &Route) -> bool {
    route.method == "DELETE" || route.operation.starts_with("archive")
}

/// One of everything, with a page that shows all that pages can show of other things.
async fn owned(client: &Client, number: usize) -> Owned {
    let owned = Owned::make(client, number).await;
    let shown = json!({ "navLinkBlockId": owned.id("{page_link_block_id}") });
    client.patch(&owned.fill("/v0/pages/{page_id}"), &shown).await.expect(200);
    owned
}

#[tokio::test]
async fn no_operation_leaves_kept_pages_older_than_stored_ones() {
    let app = TestApp::start().await;
    let servers =
        two_servers(&app).map(|server| Client::new(server, Some(app.key.clone())).with_tools(app.tools()));
    let client = &servers[0];
    let mut operations: Vec<_> = routes()
        .into_iter()
        .filter(|route| route.path.starts_with("/v0/") && route.method != "GET")
        .collect();
    operations.sort_by_key(is_last);
    let (mut done, mut one) = (0, owned(client, 0).await);
    for (number, route) in operations.iter().enumerate() {
        if is_last(route) {
            one = owned(client, number).await;
        }
        let paths = [one.fill("/v0/pages/{page_id}"), "/v0/pages?limit=100".to_owned()];
        for server in &servers {
            for path in &paths {
                server.get(path).await;
            }
        }
        let keyed = client.with("idempotency-key", &number.to_string());
        let answer = keyed.send(route.method, &one.fill(route.path), one.body(route)).await;
        done += usize::from(answer.status.is_success());
        app.write_versions().await;
        let fresh = Client::new(app.second_server(), Some(app.key.clone()));
        for path in &paths {
            let stored = fresh.get(path).await;
            for server in &servers {
                let kept = server.get(path).await;
                let same = kept.status == stored.status && kept.json() == stored.json();
                assert!(same || !kept.status.is_success(), "{}: {path}", route.operation);
                assert_eq!(kept.status, stored.status, "{}: {path}", route.operation);
            }
        }
    }
    assert!(done * 4 > operations.len() * 3, "only {done} of {} were done", operations.len());
}
