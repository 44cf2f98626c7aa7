//! Where a browser finds the bytes of an asset without a key.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use pagesmith_testkit::{Answer, TestApp};
use serde_json::json;

use super::image;
use crate::files::PNG;

/// A request of a browser, with these headers.
async fn open(app: &TestApp, url: &str, headers: &[(&str, &str)]) -> Answer {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let request = Request::get(format!("/{path}")).header("host", host);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    app.anonymous().raw(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_download_works_for_an_hour_on_the_tenants_site_alone() {
    let app = TestApp::start().await;
    let client = app.client();
    app.stranger().await;
    let asset = image(&client, "A").await;
    let url = asset["downloadUrl"].as_str().unwrap();
    assert!(url.starts_with("http://acme.localhost:8080/files/"), "{url}");
    let answer = open(&app, url, &[]).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, Some("image/png")));
    assert_eq!(&answer.bytes[..], &[PNG, b"A"].concat());
    assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    assert_eq!(answer.header("x-robots-tag"), Some("noindex"));
    assert_eq!(open(&app, url, &[("range", "bytes=0-3")]).await.status, 206);
    let behind = open(&app, url, &[("range", "bytes=9999-")]).await;
    assert_eq!((behind.status.as_u16(), behind.header("content-range")), (416, Some("bytes */71")));
    let tag = answer.header("etag").unwrap().to_owned();
    assert_eq!(open(&app, url, &[("if-none-match", &tag)]).await.status, 304);
    assert_eq!(open(&app, &url.replace("acme", "globex"), &[]).await.status, 404);
    assert_eq!(open(&app, &format!("{url}x"), &[]).await.status, 404);
    app.advance(Duration::from_secs(3_599));
    assert_eq!(open(&app, url, &[]).await.status, 200);
    app.advance(Duration::from_secs(1));
    assert_eq!(open(&app, url, &[]).await.status, 410);
    app.suspend("acme").await;
    let fresh = open(&app, url, &[]).await;
    assert_eq!(fresh.status, 404);
}

#[tokio::test]
async fn a_lasting_address_is_kept_by_browsers_and_guessed_by_nobody() {
    let app = TestApp::start().await;
    let client = app.client();
    let asset = image(&client, "A").await;
    let id = pagesmith_model::FileId::parse(asset["data"]["fileId"].as_str().unwrap()).unwrap();
    let tenant = app.tenant.clone();
    let find = {
        let id = id.clone();
        move |tx: &mut pagesmith_store::Tx<'_>| pagesmith_store::tables::files::find(tx, &tenant, &id)
    };
    let file = app.store.read(find).await.unwrap().unwrap();
    let lasting = pagesmith_operations::files::addresses::lasting(&file);
    let url = format!("http://acme.localhost:8080{lasting}");
    let answer = open(&app, &url, &[]).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    let digits = lasting.split('-').next().unwrap();
    for other in [format!("{digits}-AAAAAAAAAAAAAAAAAAAAAA"), digits.to_owned(), format!("{digits}-")] {
        assert_eq!(
            open(&app, &format!("http://acme.localhost:8080{other}"), &[]).await.status,
            404,
            "{other}"
        );
    }
    // A drawing that runs something elsewhere runs nothing here, and is no page.
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    let drawing = client.upload("a.svg", svg).await.expect(201).json();
    let body = json!({ "assetType": "logo", "name": "S", "fileId": drawing["fileId"] });
    let logo = client.post("/v0/assets", &body).await.expect(201).json();
    let shown = open(&app, logo["downloadUrl"].as_str().unwrap(), &[]).await;
    assert_eq!(shown.header("content-security-policy"), Some("default-src 'none'; sandbox"));
    assert!(shown.header("content-disposition").unwrap().starts_with("attachment"));
}
