//! Signing in, and everything that somebody else might try there.

use pagesmith_testkit::{TestApp, authenticator};

use super::browser::{Browser, PASSWORD};

const SESSION: &str = "__Host-pagesmith-session";
const EMAIL: (&str, &str) = ("email", "olga@acme.example");

#[tokio::test]
async fn the_first_user_is_made_once_and_signs_in() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let start = browser.follow("/console").await.expect(200).text();
    assert!(start.contains("Olga Owner") && start.contains("Make your first page"), "{start}");
    let mut other = Browser::new(&app);
    let fields =
        [("token", "guessed"), ("name", "Eve"), ("email", "eve@evil.example"), ("password", PASSWORD)];
    other.send("/console/setup", &fields).await.expect(404);
    other.open("/console/setup").await.expect(404);

    browser.send("/console/sign-out", &[]).await.expect(303);
    assert_eq!(browser.cookie(SESSION), None);
    let wanted = browser.open("/console/t/acme/pages").await.expect(303);
    assert_eq!(wanted.header("location"), Some("/console/sign-in?next=%2Fconsole%2Ft%2Facme%2Fpages"));
    let fields = [EMAIL, ("password", PASSWORD), ("next", "/console/t/acme/pages")];
    let signed_in = browser.send("/console/sign-in", &fields).await.expect(303);
    assert_eq!(signed_in.header("location"), Some("/console/t/acme/pages"));
    browser.open("/console/t/acme/pages").await.expect(200);
}

#[tokio::test]
async fn a_wrong_password_says_nothing_and_keeps_what_was_typed() {
    let app = TestApp::start().await;
    Browser::owner(&app).await;
    let mut browser = Browser::new(&app);
    let mut told = Vec::new();
    for email in ["olga@acme.example", "nobody@acme.example"] {
        let answer =
            browser.send("/console/sign-in", &[("email", email), ("password", "wrong password 1")]).await;
        let text = answer.expect(401).text();
        assert!(text.contains(email) && !text.contains("wrong password 1"), "{text}");
        told.push(text.replace(email, ""));
    }
    assert_eq!(told[0], told[1], "whether there is such a user is not told");
    assert_eq!(browser.cookie(SESSION), None);
}

#[tokio::test]
async fn nobody_is_led_elsewhere_after_signing_in() {
    let app = TestApp::start().await;
    Browser::owner(&app).await;
    for next in [
        "https://evil.example/",
        "//evil.example/console/",
        "/console//evil.example",
        "/console/../v0/pages",
        "/consoleevil",
        "/console/\\evil.example",
        "javascript:alert(1)",
    ] {
        let mut browser = Browser::new(&app);
        let shown = browser.open(&format!("/console/sign-in?next={}", next.replace('\\', "%5C"))).await;
        assert!(!shown.expect(200).text().contains("evil"), "{next}");
        let answer = browser.send("/console/sign-in", &[EMAIL, ("password", PASSWORD), ("next", next)]).await;
        assert_eq!(answer.expect(303).header("location"), Some("/console"), "{next}");
    }
}

#[tokio::test]
async fn a_session_that_was_set_by_somebody_else_is_not_taken_over() {
    let app = TestApp::start().await;
    Browser::owner(&app).await;
    let mut browser = Browser::new(&app);
    browser.set_cookie(SESSION, "chosen-by-an-attacker");
    browser.send("/console/sign-in", &[EMAIL, ("password", PASSWORD)]).await.expect(303);
    assert_ne!(browser.cookie(SESSION).unwrap(), "chosen-by-an-attacker");
    let mut attacker = Browser::new(&app);
    attacker.set_cookie(SESSION, "chosen-by-an-attacker");
    attacker.open("/console/t/acme/pages").await.expect(303);
}

#[tokio::test]
async fn without_tls_only_the_machine_itself_signs_in() {
    use axum::body::Body;
    use axum::http::Request;
    let app = TestApp::start().await;
    let request =
        Request::get("/console/sign-in").header("host", "pages.example").body(Body::empty()).unwrap();
    let shown = app.anonymous().raw(request).await.expect(200).text();
    assert!(shown.contains("HTTPS") && !shown.contains("<form"), "{shown}");
}

#[tokio::test]
async fn an_authenticator_app_is_asked_for_its_code() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let offered = browser.send("/console/t/acme/account/app", &[]).await.expect(200).text();
    let secret = offered.split("<code dir=\"ltr\">").nth(1).unwrap().split('<').next().unwrap().to_owned();
    browser.send("/console/t/acme/account/app/confirm", &[("code", "000000")]).await.expect(400);
    let code = |app: &TestApp| authenticator::code(&secret, app.state.now());
    let codes = browser
        .send("/console/t/acme/account/app/confirm", &[("code", &code(&app))])
        .await
        .expect(200)
        .text();
    let recovery = codes.split("<code dir=\"ltr\">").nth(1).unwrap().split('<').next().unwrap().to_owned();
    browser.send("/console/sign-out", &[]).await.expect(303);

    app.advance(std::time::Duration::from_secs(60));
    let half = browser.send("/console/sign-in", &[EMAIL, ("password", PASSWORD)]).await.expect(303);
    assert!(half.header("location").unwrap().starts_with("/console/code"));
    browser.open("/console/t/acme/pages").await.expect(303);
    browser.send("/console/code", &[("code", "123")]).await.expect(401);
    browser.send("/console/code", &[("code", &code(&app))]).await.expect(303);
    browser.open("/console/t/acme/pages").await.expect(200);

    browser.send("/console/sign-out", &[]).await.expect(303);
    for expected in [303, 401] {
        browser.send("/console/sign-in", &[EMAIL, ("password", PASSWORD)]).await.expect(303);
        browser.send("/console/code", &[("code", &recovery)]).await.expect(expected);
    }
}

#[tokio::test]
async fn a_token_that_is_replaced_reaches_the_browser_whatever_is_answered() {
    let app = TestApp::start().await;
    let mut browser = Browser::owner(&app).await;
    let before = browser.cookie(SESSION).unwrap().clone();
    app.advance(std::time::Duration::from_secs(2 * 60 * 60));
    browser.open("/console/t/nobody/pages").await.expect(404);
    assert_ne!(browser.cookie(SESSION), Some(&before));
    app.advance(std::time::Duration::from_secs(2 * 60));
    browser.open("/console/t/acme/pages").await.expect(200);
}
