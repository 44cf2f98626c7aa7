//! Bodies that are not JSON, or JSON that two readers might understand differently.

use pagesmith_testkit::fixtures;
use serde_json::json;

use super::Bench;

#[tokio::test]
async fn a_body_that_is_not_json_is_refused() {
    let bench = Bench::start().await;
    let bodies: &[&[u8]] = &[
        b"{",
        b"}",
        b"{\"name\":}",
        b"{\"name\" \"x\"}",
        b"{'name':'x'}",
        b"{\"name\":\"x\",}",
        b"[1,]",
        b"{} {}",
        b"{}x",
        b"nul",
        b"NaN",
        b"-",
        b"01",
        b"1.",
        b"+1",
        b".5",
        b"\"open",
        b"\"\x01\"",
        b"\"\\x\"",
        b"// x\n{}",
        b"\xef\xbb\xbf{}",
        b"\xff",
        b"{\"name\":\"\xff\"}",
        b"{\"name\":\"\xc0\x80\"}",
        b"{\"name\":\"\xed\xa0\x80\"}",
        b"\0",
        b"name=x",
        b" ",
        b"\n\t",
    ];
    for body in bodies {
        bench.refuses(*body, &[("invalid_json", "")]).await;
    }
}

#[tokio::test]
async fn half_of_a_surrogate_pair_is_refused() {
    let bench = Bench::start().await;
    for text in [r"\ud800", r"\udc00", r"\udc00\ud800", r"\ud800\ud800", r"\ud800x", r"\uD83D\u0041"] {
        bench.refuses(format!(r#"{{"name":"{text}"}}"#), &[("invalid_json", "")]).await;
        bench.refuses(format!(r#"{{"{text}":1}}"#), &[("invalid_json", "")]).await;
    }
    let whole = json!({ "name": "\u{1f600}" });
    let text = whole.to_string().replace('\u{1f600}', r"\ud83d\ude00");
    let page =
        bench.app.client().send("PATCH", &bench.page, Some(text.into_bytes())).await.expect(200).json();
    assert_eq!(page["name"], "\u{1f600}");
}

#[tokio::test]
async fn a_name_that_stands_twice_is_refused_wherever_it_stands() {
    let bench = Bench::start().await;
    let text = fixtures::full_page().to_string();
    let post = |text: String| {
        let client = bench.app.client();
        async move { client.send("POST", "/v0/pages", Some(text.into_bytes())).await.issues() }
    };
    let top = text.replacen('{', r#"{"name":"One","#, 1);
    assert_eq!(post(top).await, [("duplicate_key".to_owned(), "name".to_owned())]);
    // The same name in another spelling, and with the same value.
    let escaped = text.replacen('{', r#"{"\u006eame":"Spring Launch","#, 1);
    assert_eq!(post(escaped).await, [("duplicate_key".to_owned(), "name".to_owned())]);
    let deep = text.replace(r#""fileId":"file_1""#, r#""fileId":"file_1","fileId":"file_2""#);
    let deep = deep.replace(r#""copyText":"SPRING""#, r#""copyText":"SPRING","copyText":"SPRING""#);
    assert_eq!(
        post(deep).await,
        [
            ("duplicate_key".to_owned(), "actions.2.copyText".to_owned()),
            ("duplicate_key".to_owned(), "metadata.ogImage.fileId".to_owned()),
        ]
    );
    bench.unchanged().await;
}

#[tokio::test]
async fn nul_is_refused_in_every_text_and_name() {
    let bench = Bench::start().await;
    let nul = "invalid_character";
    for (pointer, path) in [
        ("/name", "name"),
        ("/pageContext", "pageContext"),
        ("/brandId", "brandId"),
        ("/headerActionId", "headerActionId"),
        ("/actions/0/purpose", "actions.0.purpose"),
        ("/actions/3/url", "actions.3.url"),
        ("/actionCardWidgets/0/logos/0/image/altText", "actionCardWidgets.0.logos.0.image.altText"),
        ("/scripts/1/content", "scripts.1.content"),
        ("/footerLinks/0/links/1/id", "footerLinks.0.links.1.id"),
        ("/navLinks/2/text", "navLinks.2.text"),
        ("/metadata/description", "metadata.description"),
        ("/metadata/keywords/1", "metadata.keywords.1"),
    ] {
        bench.refuses_changed(pointer, json!("a\0b"), &[(nul, path)]).await;
    }
    let answer = bench.app.client().send("PATCH", &bench.page, Some(br#"{"na\u0000me":"x"}"#.to_vec())).await;
    super::assert_issues(answer, &[(nul, "na\0me"), ("unrecognized_key", "na\0me")], "a name with NUL");
}

#[tokio::test]
async fn what_is_wrong_with_the_text_is_told_beside_what_is_wrong_with_the_fields() {
    let bench = Bench::start().await;
    let body = br#"{"name":"","name":"\u0000","pageType":"x","nome":1,"scripts":{}}"#;
    let answer = bench.app.client().send("PATCH", &bench.page, Some(body.to_vec())).await;
    let issues = [
        ("duplicate_key", "name"),
        ("invalid_character", "name"),
        ("invalid_value", "pageType"),
        ("unrecognized_key", "nome"),
        ("invalid_type", "scripts"),
    ];
    super::assert_issues(answer, &issues, "several faults");
    bench.unchanged().await;
}
