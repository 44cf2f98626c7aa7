//! A key that is lost under a running server: whoever needs what it has sealed is refused with a reason, and the server has no error.

use pagesmith_http::routes::routes;
use pagesmith_model::user::Role;
use pagesmith_testkit::model_server::ModelServer;
use pagesmith_testkit::samples::owned::Owned;
use pagesmith_testkit::{Receiver, TestApp, TestProvider, authenticator};
use serde_json::{Value, json};

use super::{new, old};
use crate::audiences;
use crate::console::browser::{Browser, PASSWORD};
use crate::console::identity_providers::{self, path_of};

#[tokio::test]
async fn every_operation_is_served_on_what_was_made_before() {
    for some in routes().chunks(100) {
        let app = TestApp::start().await;
        let mut left = None;
        for (number, route) in some.iter().enumerate() {
            // What is asked of all routes together is more than a minute allows.
            app.advance(std::time::Duration::from_mins(2));
            app.platform.keep_secret(old());
            let owned = Owned::left_or_made(&mut left, &app.client(), number).await;
            app.platform.keep_secret(new());
            let answer = app.client().send(route.method, &owned.fill(route.path), owned.body(route)).await;
            assert!(answer.status.is_success(), "{}: {}", route.operation, answer.text());
            left = (route.method == "GET").then_some(owned);
        }
    }
}

#[tokio::test]
async fn whoever_has_an_authenticator_app_signs_in_by_a_recovery_code_and_adds_the_app_anew() {
    const EMAIL: (&str, &str) = ("email", "olga@acme.example");
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let shown =
        |page: &str| page.split("<code dir=\"ltr\">").nth(1).unwrap().split('<').next().unwrap().to_owned();
    let offered = async |browser: &mut Browser| {
        shown(&browser.send("/console/t/acme/account/app", &[]).await.expect(200).text())
    };
    let secret = offered(&mut browser).await;
    let code = |secret: &str| authenticator::code(secret, app.state.now());
    let confirm = "/console/t/acme/account/app/confirm";
    let recovery = shown(&browser.send(confirm, &[("code", &code(&secret))]).await.expect(200).text());
    // Another app is proposed and not yet confirmed.
    let proposed = offered(&mut browser).await;
    browser.send("/console/sign-out", &[]).await.expect(303);

    app.platform.keep_secret(new());
    app.advance(std::time::Duration::from_secs(60));
    browser.send("/console/sign-in", &[EMAIL, ("password", PASSWORD)]).await.expect(303);
    browser.send("/console/code", &[("code", &code(&secret))]).await.expect(401);
    browser.send("/console/code", &[("code", &recovery)]).await.expect(303);
    browser.open("/console/t/acme/account").await.expect(200);
    browser.send(confirm, &[("code", &code(&proposed))]).await.expect(409);
    let secret = offered(&mut browser).await;
    browser.send(confirm, &[("code", &code(&secret))]).await.expect(200);
    browser.send("/console/sign-out", &[]).await.expect(303);
    app.advance(std::time::Duration::from_secs(60));
    browser.send("/console/sign-in", &[EMAIL, ("password", PASSWORD)]).await.expect(303);
    browser.send("/console/code", &[("code", &code(&secret))]).await.expect(303);
}

#[tokio::test]
async fn a_sign_in_that_was_begun_at_a_provider_is_begun_again() {
    let provider = TestProvider::start().await;
    let app = identity_providers::app(&provider, |_, _| {}).await;
    identity_providers::invite(&app, Some("jane@acme.example"), Role::Editor).await;
    let mut browser = Browser::new(&app);
    let back = provider.let_in(&identity_providers::begin(&mut browser, "/console").await);
    app.platform.keep_secret(new());
    let refused = browser.open(path_of(&back)).await.expect(401).text();
    assert!(refused.contains("Please begin again"), "{refused}");
    identity_providers::sign_in(&mut browser, &provider).await.expect(303);
}

#[tokio::test]
async fn the_key_of_a_model_is_saved_again_before_the_model_writes() {
    let app = TestApp::with(|plan| plan.settings.allowed_networks = "127.0.0.0/8".parse().unwrap()).await;
    let (client, model) = (app.client(), ModelServer::start().await);
    let own =
        json!({ "own": { "kind": "openai", "baseUrl": model.url(), "model": "small", "apiKey": "sk-1" } });
    let put = async |body: &Value| client.send("PUT", "/v0/agent", Some(body.to_string().into_bytes())).await;
    put(&own).await.expect(200);
    let page = audiences::page(&client).await;
    app.platform.keep_secret(new());

    assert_eq!(client.get("/v0/agent").await.expect(200).json()["own"]["hasKey"], json!(true));
    let tried = client.post("/v0/agent/try", &json!({ "text": "Anvils" })).await.expect(200).json();
    assert!(tried["problem"].as_str().unwrap().contains("Save it again"), "{tried}");
    let audience = audiences::audience(&client, &page, &json!({})).await;
    app.write_versions().await;
    let version = client.get(&format!("{audience}/versions")).await.expect(200).json()["items"][0].clone();
    let version = format!("{audience}/versions/{}", version["versionId"].as_str().unwrap());
    let progress = client.get(&format!("{version}/progress")).await.expect(200).json();
    assert!(progress["problem"].as_str().unwrap().contains("set it again"), "{progress}");
    assert_eq!(model.asked().len(), 0);
    put(&own).await.expect(200);
    let tried = client.post("/v0/agent/try", &json!({ "text": "Anvils" })).await.expect(200).json();
    assert!(tried["problem"].as_str().unwrap().contains("500"), "{tried}");
    assert_eq!(model.asked()[0].headers["authorization"], "Bearer sk-1");
}

#[tokio::test]
async fn events_of_a_subscription_wait_for_another_secret() {
    let app = TestApp::with(|plan| plan.settings.allowed_networks = "127.0.0.0/8".parse().unwrap()).await;
    let (client, receiver) = (app.client(), Receiver::start().await);
    let subscription =
        client.post(super::SUBSCRIPTIONS, &json!({ "url": receiver.url() })).await.expect(201).json();
    let path = format!("{}/{}", super::SUBSCRIPTIONS, subscription["subscriptionId"].as_str().unwrap());
    let page = audiences::page(&client).await;
    app.platform.keep_secret(new());
    audiences::audience(&client, &page, &json!({})).await;
    app.run_due_work().await;
    assert_eq!(receiver.arrived().len(), 0);
    client.get(&format!("{path}/stats")).await.expect(200);
    client.get(&format!("{path}/deliveries")).await.expect(200);
    client.post(&format!("{path}/rotate_secret"), &json!({ "overlapSeconds": 60 })).await.expect(200);
}
