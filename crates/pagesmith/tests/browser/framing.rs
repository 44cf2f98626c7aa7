//! Who can show what in a frame: nobody the console, and the console alone a preview. As the browser keeps to it.

use axum::Router;
use axum::http::{Uri, header};
use axum::response::IntoResponse;
use pagesmith_console::assets;
use serde_json::json;

use crate::driver::Browser;
use crate::following::owner;
use crate::scene;

/// A site that frames whatever its address names after the question mark; its origin.
async fn framing_site() -> String {
    let page = async |uri: Uri| {
        let framed = uri.query().unwrap_or_default().replace('&', "&amp;");
        let html = format!(
            "<!DOCTYPE html><title>Elsewhere</title><iframe width=800 height=600 src=\"{framed}\"></iframe>"
        );
        ([(header::CONTENT_TYPE, "text/html")], html).into_response()
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(page)).await });
    origin
}

/// The address that the first frame has ended up at, and its text.
async fn in_frame(browser: &Browser) -> (String, String) {
    let found = browser.within_frame("return [location.href, document.body?.innerText ?? '']").await;
    (found[0].as_str().unwrap().to_owned(), found[1].as_str().unwrap().to_owned())
}

/// Whether the site that is framed is refused, which the browser says and shows.
async fn is_refused(browser: &Browser, site: &str, framed: &str) -> bool {
    browser.complaints().await;
    browser.open(&format!("{site}/?{framed}")).await;
    let (address, _) = in_frame(browser).await;
    let complaints = browser.complaints().await;
    let is_said = complaints
        .iter()
        .any(|complaint| complaint.contains("frame-ancestors") || complaint.contains("X-Frame-Options"));
    assert_eq!(is_said, address.starts_with("chrome-error:"), "{framed}: {address} {complaints:?}");
    is_said
}

#[tokio::test]
async fn nobody_frames_the_console_and_only_the_console_a_preview() {
    let (app, base) = scene::served_at_its_address(vec![]).await;
    let (browser, audience) = owner(&app, &base).await;
    app.write_versions().await;
    let site = framing_site().await;
    let screen = format!("{base}/console/t/acme{audience}");
    for framed in [
        format!("{base}/console/sign-in"),
        format!("{base}/console/t/acme"),
        screen.clone(),
        format!("{base}/console/operator/tenants"),
    ] {
        assert!(is_refused(&browser, &site, &framed).await, "{framed}");
    }
    // What anybody may fetch shows that the site does frame.
    assert!(!is_refused(&browser, &site, &format!("{base}{}", assets::url("mark.svg"))).await);

    browser.open(&screen).await;
    browser.arrives("document.querySelector('.preview iframe')").await;
    let preview = browser.ask("return document.querySelector('.preview iframe').src").await;
    let preview = preview.as_str().unwrap();
    browser.settled().await;
    let (address, text) = in_frame(&browser).await;
    assert!(address.starts_with(preview.split('?').next().unwrap()) && !text.is_empty(), "{address} {text}");
    // Until when its link works is said to whoever opens it, and not within the console, which makes it anew.
    assert!(!text.contains("This link works until"), "{text}");
    browser.open(preview).await;
    let alone = browser.ask("return document.body.innerText").await;
    assert!(alone.as_str().unwrap().contains("This link works until"), "{alone}");
    assert!(is_refused(&browser, &site, preview).await, "{preview}");
    // Nor does a page of the tenant's own site frame it, where anybody's script may run.
    let version = app.client().get(&format!("/v0{audience}/versions")).await.expect(200).json();
    let version = version["items"][0]["versionId"].as_str().unwrap().to_owned();
    app.client().post(&format!("/v0{audience}/versions/{version}/publish"), &json!({})).await.expect(200);
    let link = app.client().get(&format!("/v0{audience}/link")).await.expect(200).json();
    browser.open(link["url"].as_str().unwrap()).await;
    browser.complaints().await;
    let add = format!(
        "const done = arguments[0], frame = document.createElement('iframe');
         frame.onload = () => done(null); frame.src = {}; document.body.prepend(frame)",
        json!(screen)
    );
    browser.ask_later(&add).await;
    let complaints = browser.complaints().await;
    assert!(
        complaints
            .iter()
            .any(|complaint| complaint.contains("frame-src") || complaint.contains("frame-ancestors")),
        "{complaints:?}"
    );
}
