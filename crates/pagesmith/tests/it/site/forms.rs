//! The forms in which a page travels: compressed as the visitor likes it, whole or in part.

use pagesmith_testkit::{Answer, Client, TestApp};
use serde_json::json;

use super::visitor;
use crate::audiences::{audience, page};

const PATH: &str = "/spring-launch";

/// A published page and its visitor.
async fn scene() -> (TestApp, Client) {
    let app = TestApp::start().await;
    let page = page(&app.client()).await;
    audience(&app.client(), &page, &json!({ "supplementaryContext": "Plant managers on night shifts." }))
        .await;
    app.write_versions().await;
    let site = visitor(&app, "acme.localhost:8080");
    (app, site)
}

async fn taking(site: &Client, codings: &str) -> Answer {
    site.with("accept-encoding", codings).get(PATH).await.expect(200)
}

#[tokio::test]
async fn a_page_travels_in_the_form_that_its_visitor_likes_best() {
    let (_app, site) = scene().await;
    let plain = site.get(PATH).await.expect(200);
    assert_eq!(plain.header("content-encoding"), None);
    assert_eq!(plain.header("accept-ranges"), Some("bytes"));
    let mut tags = vec![plain.header("etag").unwrap().to_owned()];
    for (codings, name) in [("gzip, deflate", "gzip"), ("gzip, deflate, br, zstd", "br")] {
        let first = taking(&site, codings).await;
        assert_eq!(first.header("content-encoding"), Some(name));
        assert_eq!(first.header("accept-ranges"), None);
        assert!(first.bytes.len() < plain.bytes.len() / 2, "{name}: {}", first.bytes.len());
        assert_eq!(first.header("content-security-policy"), plain.header("content-security-policy"));
        let again = taking(&site, codings).await;
        assert_eq!(
            (again.bytes, again.headers.get("etag")),
            (first.bytes.clone(), first.headers.get("etag"))
        );
        let tag = first.header("etag").unwrap().to_owned();
        let known =
            site.with("accept-encoding", codings).with("if-none-match", &tag).get(PATH).await.expect(304);
        for answer in [&first, &known, &plain] {
            assert_eq!(answer.header("vary"), Some("accept-encoding"));
        }
        assert_eq!(known.header("etag"), Some(tag.as_str()));
        // A tag stands for its own form only.
        site.with("if-none-match", &tag).get(PATH).await.expect(200);
        let head = site.with("accept-encoding", codings).send("HEAD", PATH, None).await.expect(200);
        assert_eq!(head.header("content-length"), Some(first.bytes.len().to_string().as_str()));
        assert_eq!(head.header("content-encoding"), Some(name));
        assert!(head.bytes.is_empty());
        tags.push(tag);
    }
    tags.sort_unstable();
    tags.dedup();
    assert_eq!(tags.len(), 3);
    assert_eq!(site.get(PATH).await.expect(200).bytes, plain.bytes);
}

#[tokio::test]
async fn what_a_visitor_does_not_take_it_does_not_get() {
    let (_app, site) = scene().await;
    for codings in
        ["", "identity", "deflate", "br;q=0, gzip;q=0.000", "*;q=0", "zstd;q=1.0", "br;q=", "\u{7f}x, ;;;,"]
    {
        if let Ok(value) = http::HeaderValue::from_str(codings) {
            assert_eq!(
                taking(&site, value.to_str().unwrap_or("identity")).await.header("content-encoding"),
                None
            );
        }
    }
}

#[tokio::test]
async fn a_part_of_a_page_is_a_part_of_it_as_it_is() {
    let (_app, site) = scene().await;
    let whole = site.get(PATH).await.expect(200);
    let (bytes, length) = (whole.bytes.clone(), whole.bytes.len());
    // Whoever takes Brotli too may not be sent a part of something else.
    let client = site.with("accept-encoding", "br");
    let ask = async |range: &str| client.with("range", range).get(PATH).await;
    for (range, from, to) in [
        ("bytes=0-0".to_owned(), 0, 0),
        ("bytes=10-19".to_owned(), 10, 19),
        (format!("bytes={}-", length - 5), length - 5, length - 1),
        ("bytes=-7".to_owned(), length - 7, length - 1),
        (format!("bytes=5-{}", length + 100), 5, length - 1),
        (format!("bytes=-{}", length + 100), 0, length - 1),
    ] {
        let part = ask(&range).await.expect(206);
        assert_eq!(part.header("content-range"), Some(format!("bytes {from}-{to}/{length}").as_str()));
        assert_eq!(part.bytes, bytes[from..=to], "{range}");
        assert_eq!(part.header("content-encoding"), None);
        assert_eq!(part.header("etag"), whole.header("etag"));
        assert!(part.header("content-security-policy").is_some());
    }
    for range in
        [format!("bytes={length}-"), "bytes=-0".to_owned(), "bytes=99999999999999999999999-".to_owned()]
    {
        let refused = ask(&range).await.expect(416);
        assert_eq!(refused.header("content-range"), Some(format!("bytes */{length}").as_str()), "{range}");
        assert!(refused.bytes.is_empty());
    }
    // What is no range, and several ranges, are answered with the whole.
    for range in ["bytes=5-1", "bytes=a-b", "lines=1-2", "bytes", "bytes=0-1,4-5", "bytes=-"] {
        assert_eq!(ask(range).await.expect(200).bytes, bytes, "{range}");
    }
    let head = client.with("range", "bytes=0-1").send("HEAD", PATH, None).await.expect(200);
    assert_eq!(head.header("content-encoding"), Some("br"));
}

#[tokio::test]
async fn conditions_come_before_parts() {
    let (_app, site) = scene().await;
    let whole = site.get(PATH).await.expect(200);
    let tag = whole.header("etag").unwrap().to_owned();
    let part = site.with("range", "bytes=0-9");
    assert_eq!(part.with("if-range", &tag).get(PATH).await.expect(206).bytes.len(), 10);
    for other in ["\"other\"".to_owned(), format!("W/{tag}"), "Sat, 01 Nov 2025 00:00:00 GMT".to_owned()] {
        assert_eq!(part.with("if-range", &other).get(PATH).await.expect(200).bytes, whole.bytes, "{other}");
    }
    part.with("if-none-match", &tag).get(PATH).await.expect(304);
    assert_eq!(part.with("if-match", &tag).get(PATH).await.expect(206).bytes.len(), 10);
    let refused = site.with("if-match", "\"other\"").get(PATH).await.expect(412);
    assert!(refused.bytes.is_empty());
}

#[tokio::test]
async fn what_every_visitor_loads_is_small() {
    let (_app, site) = scene().await;
    let html = site.get(PATH).await.expect(200).text();
    let held = |open: &str, close: &str| {
        let parts = html.split(open).skip(1).map(|part| part.split(close).next().unwrap().len());
        parts.sum::<usize>()
    };
    let (style, script) = (held("<style>", "</style>"), held("<script>", "</script>"));
    assert!((1_000..=15 * 1024).contains(&style), "{style} bytes of style");
    assert!((100..=5 * 1024).contains(&script), "{script} bytes of script");
    assert!(
        !html.contains("stylesheet") && !html.contains("<script src"),
        "nothing is loaded after the page"
    );
}
