//! Unknown paths, wrong methods, HEAD.

use pagesmith_http::routes::routes;
use pagesmith_testkit::{TestApp, fixtures};

use pagesmith_testkit::samples::owned::Owned;

#[tokio::test]
async fn an_unknown_path_is_not_found_in_the_errors_shape() {
    let app = TestApp::start().await;
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "BREW"] {
        let long = format!("/v0/{}", "a/".repeat(2_000));
        for path in [
            "/v1",
            "/v1/pages",
            "/v0/pages/a/b/c",
            "/v0//pages",
            "//",
            "/robots.txt",
            "/%2e%2e/etc/passwd",
            "/%00",
            &long,
        ] {
            let answer = app.client().send(method, path, None).await.expect(404);
            assert!(answer.header("x-request-id").is_some());
            if method != "HEAD" {
                assert_eq!(
                    (answer.json()["code"].as_str(), answer.json()["status"].as_u64()),
                    (Some("NOT_FOUND"), Some(404))
                );
                assert_eq!(answer.header("content-type"), Some("application/json"));
            }
        }
    }
}

#[tokio::test]
async fn a_path_names_the_methods_that_it_takes() {
    let app = TestApp::start().await;
    let mut paths: Vec<&str> = routes().iter().map(|route| route.path).collect();
    paths.dedup();
    for template in paths {
        let path = Owned::nobody().fill(template);
        let taken: Vec<&str> =
            routes().iter().filter(|route| route.path == template).map(|route| route.method).collect();
        let allow: Vec<&str> = taken
            .iter()
            .flat_map(|method| if *method == "GET" { vec!["GET", "HEAD"] } else { vec![*method] })
            .collect();
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "get"] {
            if allow.contains(&method) {
                continue;
            }
            let answer = app.anonymous().send(method, &path, Some(b"{".to_vec())).await.expect(405);
            assert_eq!(answer.header("allow"), Some(allow.join(", ").as_str()), "{method} {path}");
            if method != "HEAD" {
                let body = answer.json();
                assert_eq!(body["code"], "VALIDATION_ERROR");
                assert_eq!(body["title"], "Method Not Allowed");
                assert_eq!(body.get("details"), None);
            }
        }
    }
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    let app = TestApp::start().await;
    let page = app.client().post("/v0/pages", &fixtures::page("Spring")).await.expect(201).json();
    let path = format!("/v0/pages/{}", page["pageId"].as_str().unwrap());
    for (path, status) in [
        (path.as_str(), 200),
        ("/v0/pages", 200),
        ("/v0/pages?limit=1", 200),
        ("/v0/pages?limit=0", 400),
        ("/v0/pages/none", 404),
        ("/healthz", 200),
    ] {
        let (got, head) = (app.client().get(path).await, app.client().send("HEAD", path, None).await);
        assert_eq!((got.status.as_u16(), head.status.as_u16()), (status, status), "{path}");
        assert!(head.bytes.is_empty());
        assert_eq!(head.header("content-length"), Some(got.bytes.len().to_string().as_str()), "{path}");
        assert_eq!(
            (head.header("etag"), head.header("content-type")),
            (got.header("etag"), got.header("content-type"))
        );
    }
    app.anonymous().send("HEAD", &path, None).await.expect(401);
}

#[tokio::test]
async fn nothing_of_the_api_may_be_kept_or_guessed_at_by_a_cache() {
    let app = TestApp::start().await;
    for path in ["/v0/pages", "/v0/pages/none", "/nothing"] {
        let answer = app.client().get(path).await;
        assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    }
}
