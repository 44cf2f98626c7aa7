//! Answers that belong to nobody, to somebody else, or come too late: each is refused with a sentence, and opens nothing.

use std::time::Duration;

use pagesmith_model::user::Role;
use pagesmith_testkit::identity_provider::Signing;
use pagesmith_testkit::{TestApp, TestProvider};
use serde_json::{Value, json};

use super::{PAGES, SESSION, app, begin, invite, path_of, sign_in};
use crate::console::browser::Browser;

/// A change of what is in a token.
type Twist = Box<dyn Fn(&mut Value) + Send>;

const FLOW: &str = "__Host-pagesmith-provider";

#[tokio::test]
async fn a_token_that_does_not_count_signs_nobody_in() {
    let provider = TestProvider::start().await;
    let app = app(&provider, |_, _| {}).await;
    invite(&app, Some("jane@acme.example"), Role::Owner).await;
    let twists: [(Twist, &str); 8] = [
        (Box::new(|claims| claims["iss"] = json!("https://evil.example")), "somebody else"),
        (Box::new(|claims| claims["aud"] = json!("other")), "another application"),
        (Box::new(|claims| claims["aud"] = json!(["pagesmith", "other"])), "another application"),
        (Box::new(|claims| claims["azp"] = json!("other")), "another application"),
        (Box::new(|claims| claims["exp"] = json!(1_772_366_400 - 61)), "expired"),
        (Box::new(|claims| claims["iat"] = json!(1_772_366_400 + 600)), "not valid yet"),
        (Box::new(|claims| claims["nonce"] = json!("another")), "another sign-in"),
        (Box::new(|claims| claims["sub"] = json!("")), "whom it is about"),
    ];
    let mut browser = Browser::new(&app);
    for (twist, why) in twists {
        provider.twist(twist);
        let refused = sign_in(&mut browser, &provider).await.expect(401).text();
        assert!(refused.contains("does not count") && refused.contains(why), "{why}: {refused}");
        assert_eq!((browser.cookie(SESSION), browser.cookie(FLOW)), (None, None));
    }
    provider.twist(|_| {});
    for (signing, why) in [
        (Signing::Nothing, "not signed in a way"),
        (Signing::PublicKeyAsSecret, "not signed in a way"),
        (Signing::OtherKey, "signature is wrong"),
    ] {
        provider.sign(signing);
        let refused = sign_in(&mut browser, &provider).await.expect(401).text();
        assert!(refused.contains(why), "{signing:?}: {refused}");
    }
    browser.open(PAGES).await.expect(303);
    provider.sign(Signing::Right);
    sign_in(&mut browser, &provider).await.expect(303);
}

#[tokio::test]
async fn an_answer_counts_once_and_only_in_the_browser_that_asked() {
    let provider = TestProvider::start().await;
    provider.take_codes_again();
    let app = app(&provider, |_, _| {}).await;
    invite(&app, Some("jane@acme.example"), Role::Owner).await;
    let (mut browser, mut victim) = (Browser::new(&app), Browser::new(&app));
    let back = provider.let_in(&begin(&mut browser, PAGES).await);
    let kept = browser.cookie(FLOW).unwrap().clone();

    // A stranger's answer, put before somebody else: without a sign-in of that browser's own, and in the midst of one.
    let refused = victim.open(path_of(&back)).await.expect(401).text();
    assert!(refused.contains("was not begun in this browser"), "{refused}");
    begin(&mut victim, PAGES).await;
    let refused = victim.open(path_of(&back)).await.expect(401).text();
    assert!(refused.contains("belongs to another sign-in"), "{refused}");
    assert_eq!(victim.cookie(SESSION), None);

    browser.open(path_of(&back)).await.expect(303);
    let mut thief = Browser::new(&app);
    thief.set_cookie(FLOW, &kept);
    let refused = thief.open(path_of(&back)).await.expect(401).text();
    assert!(refused.contains("was used already") && thief.cookie(SESSION).is_none(), "{refused}");

    for broken in ["", "AAAA", "not base64!", &kept[..kept.len() - 4]] {
        thief.set_cookie(FLOW, broken);
        thief.open(path_of(&back)).await.expect(401);
    }
    let late = provider.let_in(&begin(&mut thief, PAGES).await);
    app.advance(Duration::from_secs(601));
    let refused = thief.open(path_of(&late)).await.expect(401).text();
    assert!(refused.contains("ten minutes"), "{refused}");
}

#[tokio::test]
async fn an_answer_of_one_provider_is_not_taken_for_anothers() {
    let (honest, evil) = (TestProvider::start().await, TestProvider::start().await);
    let app = TestApp::with(|plan| {
        plan.settings.identity_providers = vec![honest.settings("acme"), evil.settings("evil")];
    })
    .await;
    invite(&app, Some("jane@acme.example"), Role::Owner).await;
    let mut browser = Browser::new(&app);
    let back = honest.let_in(&begin(&mut browser, PAGES).await);
    let elsewhere = path_of(&back).replace("/provider/acme/", "/provider/evil/");
    let refused = browser.open(&elsewhere).await.expect(401).text();
    assert!(refused.contains("belongs to another sign-in"), "{refused}");
    assert_eq!(evil.count("/token"), 0, "a code of the one never reaches the other");

    let named = |to: Option<&str>| {
        let issuer = url::form_urlencoded::byte_serialize(honest.issuer().as_bytes()).collect::<String>();
        let to = to.map(|to| format!("&iss={to}")).unwrap_or_default();
        move |back: &str| path_of(back).replace(&format!("&iss={issuer}"), &to)
    };
    for other in [named(Some("https%3A%2F%2Fevil.example")), named(None)] {
        let back = honest.let_in(&begin(&mut browser, PAGES).await);
        let refused = browser.open(&other(&back)).await.expect(401).text();
        assert!(refused.contains("comes from another provider"), "{refused}");
    }
    assert_eq!(honest.count("/token"), 0);
}

#[tokio::test]
async fn what_a_provider_refuses_is_told_in_our_words() {
    let provider = TestProvider::start().await;
    let app = app(&provider, |_, _| {}).await;
    let mut browser = Browser::new(&app);
    for (error, status, told) in [
        ("access_denied", 401, "did not let you in, or you declined"),
        ("temporarily_unavailable", 503, "cannot sign you in at the moment"),
        ("invalid_scope", 401, "(invalid_scope)"),
        ("<b>evil</b>", 401, "refused the sign-in."),
    ] {
        let back = provider.refuse(&begin(&mut browser, PAGES).await, error) + "&iss=" + &provider.issuer();
        let shown = browser.open(path_of(&back)).await.expect(status).text();
        assert!(shown.contains(told) && !shown.contains("evil"), "{error}: {shown}");
        assert_eq!(browser.cookie(FLOW), None);
    }
    let asked = begin(&mut browser, PAGES).await;
    let back = provider.let_in(&asked).replace("code=", "other=");
    let shown = browser.open(path_of(&back)).await.expect(401).text();
    assert!(shown.contains("has sent no code"), "{shown}");
    let back = provider.let_in(&begin(&mut browser, PAGES).await).replace("code=code-", "code=guessed-");
    let shown = browser.open(path_of(&back)).await.expect(401).text();
    assert!(shown.contains("did not take the code"), "{shown}");
    browser.open("/console/provider/nobody").await.expect(404);
    browser.open("/console/provider/nobody/return?code=1&state=2").await.expect(404);
}

#[tokio::test]
async fn nobody_is_led_elsewhere_after_a_provider() {
    let provider = TestProvider::start().await;
    let app = app(&provider, |_, _| {}).await;
    invite(&app, Some("jane@acme.example"), Role::Owner).await;
    for next in ["https://evil.example/", "//evil.example", "/console//evil.example", "/console/../evil"] {
        let mut browser = Browser::new(&app);
        let back = provider.let_in(&begin(&mut browser, next).await) + "&next=https%3A%2F%2Fevil.example";
        let signed_in = browser.open(path_of(&back)).await.expect(303);
        assert_eq!(signed_in.header("location"), Some("/console"), "{next}");
    }
}

#[tokio::test]
async fn a_new_key_is_looked_for_once_a_minute_and_a_provider_that_fails_is_left_alone() {
    let provider = TestProvider::start().await;
    let app = app(&provider, |_, _| {}).await;
    invite(&app, Some("jane@acme.example"), Role::Owner).await;
    let mut browser = Browser::new(&app);
    for _ in 0..3 {
        sign_in(&mut browser, &provider).await.expect(303);
    }
    assert_eq!((provider.count("/keys"), provider.count("/.well-known/openid-configuration")), (1, 1));
    provider.rotate_key("key-2");
    for _ in 0..3 {
        let refused = sign_in(&mut browser, &provider).await.expect(401).text();
        assert!(refused.contains("does not publish"), "{refused}");
    }
    assert_eq!(provider.count("/keys"), 1, "not again within the minute");
    app.advance(Duration::from_secs(61));
    sign_in(&mut browser, &provider).await.expect(303);
    assert_eq!(provider.count("/keys"), 2);

    provider.set_down(true);
    app.advance(Duration::from_secs(60 * 60));
    // What it said before is still good; only the code cannot be exchanged.
    let down = sign_in(&mut browser, &provider).await.expect(503).text();
    assert!(down.contains("cannot be reached at the moment"), "{down}");
    for _ in 0..3 {
        begin(&mut browser, PAGES).await;
    }
    assert_eq!(provider.count("/.well-known/openid-configuration"), 2);
}

#[tokio::test]
async fn a_disabled_user_stays_out() {
    let provider = TestProvider::start().await;
    let app = app(&provider, |_, _| {}).await;
    invite(&app, Some("jane@acme.example"), Role::Owner).await;
    let mut browser = Browser::new(&app);
    sign_in(&mut browser, &provider).await.expect(303);
    let context = app.platform.context();
    let disable = move |tx: &mut pagesmith_store::Tx<'_>| {
        let user = pagesmith_operations::users::find_by_name(tx, "jane@acme.example")?;
        pagesmith_operations::users::disable(tx, &context, &user.user_id)
    };
    app.store.write(disable).await.unwrap();
    browser.open(PAGES).await.expect(303);
    let refused = sign_in(&mut browser, &provider).await.expect(403).text();
    assert!(refused.contains("Your user is disabled"), "{refused}");
}
