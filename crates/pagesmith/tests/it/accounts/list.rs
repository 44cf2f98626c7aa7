//! `GET /v0/accounts`.

use pagesmith_testkit::TestApp;
use serde_json::json;

use super::{domains, make, make_named, person, walk};

#[tokio::test]
async fn without_accounts_the_list_is_empty() {
    let app = TestApp::start().await;
    let empty = json!({ "items": [], "hasMore": false, "nextCursor": null, "totalCount": 0 });
    for path in ["/v0/accounts", "/v0/accounts?includeEmptyOnly=true", "/v0/accounts/search?query=a"] {
        assert_eq!(app.client().get(path).await.expect(200).json(), empty, "{path}");
    }
}

#[tokio::test]
async fn accounts_are_listed_newest_first() {
    let app = TestApp::start().await;
    let client = app.client();
    for domain in ["acme.com", "globex.com", "initech.com", "hooli.com", "acme.co.uk"] {
        make(&client, domain).await;
    }
    person(&client, "Ada", "ada@initech.com").await;
    // Neither a name nor a person moves an account.
    make_named(&client, "acme.com", "Acme").await;
    let (items, total) = walk(&client, "/v0/accounts").await;
    let walked = json!({ "items": items });
    assert_eq!(domains(&walked), ["acme.co.uk", "hooli.com", "initech.com", "globex.com", "acme.com"]);
    assert_eq!(total, 5);
    let listed = client.get("/v0/accounts").await.expect(200).json();
    assert_eq!(listed["items"], walked["items"]);
    let (items, total) = walk(&client, "/v0/accounts?includeEmptyOnly=true").await;
    let walked = json!({ "items": items });
    assert_eq!(domains(&walked), ["acme.co.uk", "hooli.com", "globex.com", "acme.com"]);
    assert_eq!(total, 4);
}

#[tokio::test]
async fn a_collection_is_answered_whole() {
    let app = TestApp::start().await;
    let client = app.client();
    make_named(&client, "acme.com", "Acme").await;
    person(&client, "Ada", "ada@acme.com").await;
    client.post("/v0/account_logs", &json!({ "domain": "acme.com", "source": "crm" })).await.expect(201);
    let listed = client.get("/v0/accounts").await.expect(200).json();
    let id = listed["items"][0]["accountId"].as_str().unwrap();
    insta::assert_snapshot!(format!("{listed:#}").replace(id, "account_ID"));
}

#[tokio::test]
async fn a_cursor_is_of_no_use_under_another_filter() {
    let app = TestApp::start().await;
    let client = app.client();
    for domain in ["acme.com", "globex.com", "initech.com"] {
        make(&client, domain).await;
    }
    let paths = [
        "/v0/accounts?limit=1",
        "/v0/accounts?limit=1&includeEmptyOnly=true",
        "/v0/accounts/search?limit=1&query=com",
        "/v0/accounts/search?limit=1&query=com&includeEmptyOnly=true",
        "/v0/accounts/search?limit=1&query=c",
    ];
    for path in paths {
        let cursor = client.get(path).await.expect(200).json()["nextCursor"].as_str().unwrap().to_owned();
        for other in paths {
            let answer = client.get(&format!("{other}&cursor={cursor}")).await;
            if other == path {
                answer.expect(200);
            } else {
                assert_eq!(answer.issues(), [("invalid_cursor".to_owned(), "cursor".to_owned())], "{other}");
            }
        }
    }
}

#[tokio::test]
async fn bad_parameters_are_refused() {
    let app = TestApp::start().await;
    let client = app.client();
    for path in ["/v0/accounts", "/v0/accounts/search"] {
        for (query, name) in [
            ("limit=0", "limit"),
            ("limit=101", "limit"),
            ("cursor=x", "cursor"),
            ("includeEmptyOnly=yes", "includeEmptyOnly"),
            ("includeEmptyOnly=", "includeEmptyOnly"),
            ("includeEmptyOnly=TRUE", "includeEmptyOnly"),
        ] {
            let issues = client.get(&format!("{path}?{query}")).await.issues();
            assert_eq!(issues.len(), 1, "{query}");
            assert_eq!(issues[0].1, name, "{query}");
        }
        for query in ["includeEmptyOnly=0", "includeEmptyOnly=false", "includeEmptyOnly=1", "whatever=x"] {
            client.get(&format!("{path}?{query}")).await.expect(200);
        }
    }
}
