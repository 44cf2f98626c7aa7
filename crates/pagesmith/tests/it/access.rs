//! Who may call what: every row of the route table against every kind of caller, and the order in which a
//! request's faults are told.
//!
//! The expectation follows from the row alone. A route that this file cannot make a request for fails the
//! test, so that no route goes without.

use std::time::Duration;

use pagesmith_http::routes::{Access, Route, routes};
use pagesmith_model::key::Scope;
use pagesmith_operations::keys::NewKey;
use pagesmith_testkit::samples::owned::{Owned, names_in_body};
use pagesmith_testkit::{Answer, Client, TestApp, fixtures};

mod order;

/// A kind of caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    NoKey,
    Garbage,
    Expired,
    Revoked,
    ReadOnly,
    SeveralTenants,
    Suspended,
    OtherTenant,
}

/// What a caller should be answered.
#[derive(Debug, PartialEq, Eq)]
enum Expected {
    /// As if it were the owner.
    Served,
    /// Refused with this status.
    Refused(u16),
    /// Served, but with nothing of the owner's.
    Apart,
}

fn expected(route: &Route, kind: Kind) -> Expected {
    let (Access::Key(needed) | Access::Persons(needed) | Access::OfPersons(needed) | Access::Owners(needed)) =
        route.access
    else {
        return Expected::Served;
    };
    match kind {
        Kind::NoKey | Kind::Garbage | Kind::Expired | Kind::Revoked => Expected::Refused(401),
        Kind::SeveralTenants | Kind::Suspended => Expected::Refused(403),
        Kind::ReadOnly if needed == Scope::Write => Expected::Refused(403),
        Kind::ReadOnly => Expected::Served,
        Kind::OtherTenant if route.path.contains('{') => Expected::Refused(404),
        // What another tenant has cannot be named in a body either.
        Kind::OtherTenant if names_in_body(route) => Expected::Refused(400),
        Kind::OtherTenant => Expected::Apart,
    }
}

/// One caller of each kind.
async fn callers(app: &TestApp) -> Vec<(Kind, Client)> {
    app.add_tenant("globex").await;
    app.add_tenant("initech").await;
    let new = |tenants: &[&str], expires_in| NewKey {
        name: "test".to_owned(),
        scope: Scope::Write,
        tenants: tenants.iter().map(ToString::to_string).collect(),
        expires_in,
        rate_limit: None,
    };
    let expired = app.issue(new(&["acme"], Some(Duration::from_secs(60)))).await.secret;
    app.advance(Duration::from_secs(60));
    let revoked = app.issue(new(&["acme"], None)).await;
    app.revoke(revoked.key.key_id).await;
    let several = app.issue(new(&["acme", "globex"], None)).await.secret;
    let suspended = app.add_key("initech", Scope::Write).await;
    app.suspend("initech").await;
    let read_only = app.add_key("acme", Scope::Read).await;
    let other = app.add_key("globex", Scope::Write).await;
    vec![
        (Kind::NoKey, app.anonymous()),
        (Kind::Garbage, app.client_with("ps_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG")),
        (Kind::Expired, app.client_with(&expired)),
        (Kind::Revoked, app.client_with(&revoked.secret)),
        (Kind::ReadOnly, app.client_with(&read_only)),
        (Kind::SeveralTenants, app.client_with(&several)),
        (Kind::Suspended, app.client_with(&suspended)),
        (Kind::OtherTenant, app.client_with(&other)),
    ]
}

async fn ask(client: &Client, route: &Route, owned: &Owned) -> Answer {
    let body = owned.body(route);
    client.send(route.method, &owned.fill(route.path), body).await
}

#[tokio::test]
async fn every_route_lets_in_exactly_whom_it_says() {
    // A tenant may not have as many brands, forms and the like as there are routes.
    for some in routes().chunks(100) {
        let app = TestApp::start().await;
        let callers = callers(&app).await;
        let mut left = None;
        for (number, route) in some.iter().enumerate() {
            let owned = Owned::left_or_made(&mut left, &app.client(), number).await;
            lets_in_exactly_whom_it_says(&app, &callers, &owned, route).await;
            left = (route.method == "GET").then_some(owned);
        }
    }
}

/// Tries every kind of caller, whom nothing of what there is may be changed by, and then the owner, who is served.
async fn lets_in_exactly_whom_it_says(
    app: &TestApp,
    callers: &[(Kind, Client)],
    owned: &Owned,
    route: &Route,
) {
    // What is asked of all routes together is more than a minute allows.
    app.advance(Duration::from_mins(2));
    let owner = app.client();
    let before = owned.everything(&owner).await;
    for (kind, client) in callers {
        let answer = ask(client, route, owned).await;
        let body = String::from_utf8_lossy(&answer.bytes);
        let what = format!("{} as {kind:?}: {body}", route.operation);
        match expected(route, *kind) {
            Expected::Served => assert!(answer.status.is_success(), "{what}"),
            Expected::Refused(status) => assert_eq!(answer.status.as_u16(), status, "{what}"),
            Expected::Apart => {
                assert!(answer.status.is_success(), "{what}");
                assert!(!owned.ids().any(|id| answer.text().contains(id)), "{what}");
            }
        }
    }
    assert_eq!(owned.everything(&owner).await, before, "by a caller of {}", route.operation);
    // The request was a right one: its owner's is served.
    let answer = ask(&owner, route, owned).await;
    assert!(answer.status.is_success(), "{}: {}", route.operation, answer.text());
}

#[tokio::test]
async fn refusals_tell_the_caller_apart_only_where_it_may_know() {
    let app = TestApp::start().await;
    let page = app.client().post("/v0/pages", &fixtures::page("Spring")).await.expect(201).json();
    let path = format!("/v0/pages/{}", page["pageId"].as_str().unwrap());
    let mut details = vec![];
    for (kind, client) in callers(&app).await {
        let answer = client.get(&path).await;
        details.push(format!("{kind:?}: {} {}", answer.status.as_u16(), answer.json()["detail"]));
    }
    insta::assert_snapshot!(details.join("\n"));
}

#[tokio::test]
async fn every_read_route_takes_head_as_well() {
    let app = TestApp::start().await;
    let owned = Owned::make(&app.client(), 0).await;
    for route in routes().into_iter().filter(|route| route.method == "GET") {
        let path = owned.fill(route.path);
        let got = app.client().get(&path).await.expect(200);
        let head = app.client().send("HEAD", &path, None).await.expect(200);
        assert!(head.bytes.is_empty(), "{path}");
        for name in ["content-type", "etag", "cache-control"] {
            assert_eq!(head.header(name), got.header(name), "{path}");
        }
        if route.access != Access::Everyone {
            app.anonymous().send("HEAD", &path, None).await.expect(401);
        }
    }
}

#[tokio::test]
async fn a_key_works_until_the_instant_it_expires() {
    let app = TestApp::start().await;
    let key = app
        .issue(NewKey {
            name: "short".to_owned(),
            scope: Scope::Read,
            tenants: vec!["acme".to_owned()],
            expires_in: Some(Duration::from_secs(60)),
            rate_limit: None,
        })
        .await;
    let client = app.client_with(&key.secret);
    app.advance(Duration::from_micros(59_999_999));
    client.get("/v0/pages").await.expect(200);
    app.advance(Duration::from_micros(1));
    client.get("/v0/pages").await.expect(401);
}

#[test]
fn everything_under_v0_takes_a_key_and_only_what_reads_takes_one_that_may_only_read() {
    // They have a body, since what is searched for, or a look, may be longer than an address.
    let reads_by_post = ["searchKnowledge", "previewBrand"];
    for route in routes() {
        let reads = route.method == "GET" || reads_by_post.contains(&route.operation);
        let expected = match (route.path.starts_with("/v0/"), reads) {
            (false, _) => Access::Everyone,
            (true, true) => Access::Key(Scope::Read),
            (true, false) => Access::Key(Scope::Write),
        };
        let found = match route.access {
            // What shows persons and what owners decide takes the same keys; users are told apart by the console's tests.
            Access::Persons(scope) | Access::OfPersons(scope) | Access::Owners(scope) => Access::Key(scope),
            other => other,
        };
        assert_eq!(found, expected, "{}", route.operation);
    }
}

#[tokio::test]
async fn two_keys_in_one_request_are_no_key() {
    let app = TestApp::start().await;
    app.client().get("/v0/pages").await.expect(200);
    app.client().with("x-api-key", &app.key).get("/v0/pages").await.expect(401);
}
