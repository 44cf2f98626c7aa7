//! Domains that nobody can have, that others have, and callers who want too many.

use futures_util::future::join_all;
use pagesmith_model::key::Scope;
use tokio::task::JoinSet;

use super::*;

#[tokio::test]
async fn what_no_tenant_can_own_is_refused_at_its_field() {
    let app = TestApp::with(|plan| {
        plan.settings.site_domain = "pages.example".to_owned();
        plan.settings.other_hosts = vec!["status.example.com".to_owned()];
        plan.settings.console = Some(pagesmith_http::state::ConsoleAddress {
            url: "https://team.example.com".to_owned(),
            has_listener: false,
        });
    })
    .await;
    let client = app.client();
    for (domain, code) in [
        ("status.example.com", "invalid_value"),
        ("Team.Example.com", "invalid_value"),
        ("", "too_short"),
        ("localhost", "invalid_format"),
        ("127.0.0.1", "invalid_format"),
        ("[2001:db8::1]", "invalid_format"),
        ("https://go.acme.example", "invalid_format"),
        ("go.acme.example/a", "invalid_format"),
        ("go.acme.example:443", "invalid_format"),
        ("*.acme.example", "invalid_format"),
        ("go..acme.example", "invalid_format"),
        ("co.uk", "invalid_format"),
        ("github.io", "invalid_format"),
        ("go.acme.example\u{0}", "invalid_character"),
        ("xn--zzzzzz.example", "invalid_format"),
        ("pages.example", "invalid_value"),
        ("globex.pages.example", "invalid_value"),
        ("A.B.Pages.Example.", "invalid_value"),
        ("PageSmith.test", "invalid_value"),
    ] {
        let issues = client.post(DOMAINS, &json!({ "domain": domain })).await.expect(400).issues();
        assert_eq!(issues, [(code.to_owned(), "domain".to_owned())], "{domain}");
    }
    for (body, code) in [
        (json!({}), "required"),
        (json!({ "domain": 7 }), "invalid_type"),
        (json!({ "domain": "go.acme.example", "verified": true }), "unrecognized_key"),
    ] {
        let issues = client.post(DOMAINS, &body).await.expect(400).issues();
        assert_eq!(issues[0].0, code, "{body}");
    }
    assert_eq!(client.get(DOMAINS).await.expect(200).json()["totalCount"], 0);
}

#[tokio::test]
async fn every_spelling_is_the_same_domain() {
    let app = TestApp::start().await;
    let client = app.client();
    let first = add(&client, "bücher.acme.example").await;
    assert_eq!(first["domain"], "xn--bcher-kva.acme.example");
    for same in ["xn--bcher-kva.acme.example", "BÜCHER.acme.example.", "bu\u{308}cher.acme.example"] {
        let refused = client.post(DOMAINS, &json!({ "domain": same })).await.expect(409).json();
        assert_eq!(refused["details"], json!({ "reason": "added_already" }), "{same}");
    }
}

#[tokio::test]
async fn a_domain_belongs_to_the_tenant_who_proves_it() {
    let app = TestApp::start().await;
    let (owner, squatter) = (app.client(), app.stranger().await);
    // Whoever is first to add it keeps nobody away.
    let squatted = add(&squatter, "go.acme.example").await;
    let owned = active(&app, &owner, "go.acme.example").await;
    assert_eq!(verify(&squatter, &squatted).await["verificationStatus"], "pending_verification");
    let third = app.add_tenant("initech").await;
    let third = {
        assert_ne!(third, app.tenant);
        app.client_with(&app.add_key("initech", Scope::Write).await)
    };
    let refused = third.post(DOMAINS, &json!({ "domain": "GO.acme.example" })).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "reason": "held_elsewhere" }));
    // The squatter's record is of no use while the owner has the domain, and counts as soon as it is removed.
    prove(&app, &squatted);
    assert_eq!(verify(&squatter, &squatted).await["verified"], false);
    assert_eq!(problems(&squatter, &squatted).await, ["held_elsewhere"]);
    owner.delete(&at(&owned)).await.expect(200);
    assert_eq!(verify(&squatter, &squatted).await["verified"], true);
    let refused = owner.post(DOMAINS, &json!({ "domain": "go.acme.example" })).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "reason": "held_elsewhere" }));
}

#[tokio::test]
async fn of_two_who_prove_a_domain_at_once_one_has_it() {
    let app = TestApp::start().await;
    let (one, two) = (app.client(), app.stranger().await);
    let (of_one, of_two) = (add(&one, "go.acme.example").await, add(&two, "go.acme.example").await);
    prove(&app, &of_one);
    prove(&app, &of_two);
    let verified = join_all([verify(&one, &of_one), verify(&two, &of_two)]).await;
    let held: Vec<&Value> = verified.iter().filter(|domain| domain["verified"] == true).collect();
    assert_eq!(held.len(), 1, "{verified:?}");
}

#[tokio::test]
async fn a_removed_domain_is_verified_by_a_new_record_alone() {
    let app = TestApp::start().await;
    let client = app.client();
    let domain = active(&app, &client, "go.acme.example").await;
    client.delete(&at(&domain)).await.expect(200);
    // Both old records are still there, as they are with those who forget them.
    let again = add(&client, "go.acme.example").await;
    let after = verify(&client, &again).await;
    assert_eq!(
        (&after["verificationStatus"], &after["verified"]),
        (&json!("pending_verification"), &json!(false))
    );
    assert_eq!(problems(&client, &again).await, ["txt_other"]);
    // Nor has anybody else the domain by what is left of it.
    let taken_over = add(&app.stranger().await, "go.acme.example").await;
    assert_ne!(taken_over["records"][0]["value"], again["records"][0]["value"]);
}

#[tokio::test]
async fn a_tenant_has_a_hundred_domains_at_most() {
    let app = TestApp::start().await;
    let client = app.client();
    for number in 0..100 {
        add(&client, &format!("n{number}.acme.example")).await;
    }
    let refused = client.post(DOMAINS, &json!({ "domain": "more.acme.example" })).await.expect(409).json();
    assert_eq!(refused["details"], json!({ "limit": 100 }));
    add(&app.stranger().await, "more.acme.example").await;
}

#[tokio::test]
async fn a_tenant_waits_for_a_few_checks_at_a_time() {
    let app = TestApp::start().await;
    let client = app.client();
    let slow = add(&client, "slow.acme.example").await;
    app.names.fall_silent("_pagesmith-challenge.slow.acme.example");
    let stranger = app.stranger().await;
    let theirs = add(&stranger, "go.globex.example").await;
    let path = format!("{}/verify", at(&slow));
    let mut waiting = JoinSet::new();
    for _ in 0..4 {
        let (client, path) = (client.clone(), path.clone());
        waiting.spawn(async move { client.post(&path, &json!({})).await });
    }
    app.names.unanswered.clone().wait_for(|count| *count >= 4).await.unwrap();
    let refused = client.post(&path, &json!({})).await.expect(429);
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(verify(&stranger, &theirs).await["verificationStatus"], "pending_verification");
    // Whoever hangs up waits no longer.
    waiting.shutdown().await;
    app.names.clear("_pagesmith-challenge.slow.acme.example");
    assert_eq!(verify(&client, &slow).await["verificationStatus"], "pending_verification");
}
