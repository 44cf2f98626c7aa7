//! Payloads: any object, returned as it was sent.

use pagesmith_testkit::{Answer, Client, TestApp};
use serde_json::json;

use super::{address, persons, text};

/// Writes an entry with this text as its payload.
async fn send(client: &Client, payload: &str) -> Answer {
    let body = format!(r#"{{"source":"crm","email":"jane@acme.example","payload":{payload}}}"#);
    client.send("POST", "/v0/person_logs", Some(body.into_bytes())).await
}

/// That text as the entry and the list show it.
async fn shown(client: &Client, payload: &str) -> [String; 2] {
    let written = send(client, payload).await.expect(201).json();
    let list = format!("/v0/persons/{}/logs?limit=1", text(&written, "personId"));
    let mut shown =
        [client.get(&address(&written)).await.expect(200).text(), client.get(&list).await.expect(200).text()];
    for body in &mut shown {
        let from = body.find(r#""payload":"#).unwrap() + 10;
        let end = body[from..].find(r#","idempotencyKey""#).unwrap();
        *body = body[from..from + end].to_owned();
    }
    shown
}

fn nested(levels: usize) -> String {
    format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels))
}

#[tokio::test]
async fn a_payload_comes_back_to_the_byte() {
    let app = TestApp::start().await;
    for payload in [
        "{}",
        r#"{"price":1.00,"big":1e400,"small":-0.0,"long":123456789012345678901234567890,"exponent":1E+2}"#,
        r#"{"z":1,"a":2,"m":{"z":[3,2,1],"a":null}}"#,
        r#"{"text":"é 北京 🚀 مرحبا","escaped":"\u00e9\/\ud83d\ude80\n","":" "}"#,
        r#"{"a":[[],{},[{}],""],"true":true}"#,
        r#"{"$1":"?","'":"';--","%":"_","__proto__":{}}"#,
        &nested(60),
    ] {
        assert_eq!(shown(&app.client(), payload).await, [payload, payload]);
    }
    let spaced = "{ \"a\" :\t1.0,\n\"b\":[ 1 , 2 ] }";
    for text in shown(&app.client(), spaced).await {
        assert_eq!(text, spaced);
    }
}

#[tokio::test]
async fn a_payload_may_make_the_body_64_levels_deep_and_no_deeper() {
    let app = TestApp::start().await;
    // The body is a level of its own.
    assert_eq!(shown(&app.client(), &nested(63)).await[0], nested(63));
    let issues = send(&app.client(), &nested(64)).await.issues();
    assert!(issues.iter().all(|(code, _)| code == "too_deep") && issues.len() == 1, "{issues:?}");
    send(&app.client(), &nested(100_000)).await.expect(400);
}

#[tokio::test]
async fn what_has_no_one_meaning_is_refused() {
    let app = TestApp::start().await;
    for (payload, code, path) in [
        (r#"{"a":1,"a":2}"#, "duplicate_key", "payload.a"),
        (r#"{"b":[{"a":1,"\u0061":1}]}"#, "duplicate_key", "payload.b.0.a"),
        (r#"{"a":"\u0000"}"#, "invalid_character", "payload.a"),
        ("[]", "invalid_type", "payload"),
        (r#"{"a":01}"#, "invalid_json", ""),
        (r#"{"a":"\ud800"}"#, "invalid_json", ""),
        (r#"{"a":NaN}"#, "invalid_json", ""),
        ("{", "invalid_json", ""),
    ] {
        let issues = send(&app.client(), payload).await.issues();
        assert_eq!(issues, [(code.to_owned(), path.to_owned())], "{payload}");
    }
    assert_eq!(persons(&app.client()).await, 0);
}

#[tokio::test]
async fn a_body_may_have_one_mebibyte() {
    let app = TestApp::start().await;
    let frame = r#"{"source":"crm","email":"jane@acme.example","payload":{"a":""}}"#.len();
    let of = |length: usize| format!(r#"{{"a":"{}"}}"#, "x".repeat(length - frame));
    let largest = of(1 << 20);
    assert_eq!(shown(&app.client(), &largest).await[0], largest);
    send(&app.client(), &of((1 << 20) + 1)).await.expect(413);
}

#[tokio::test]
async fn numbers_of_any_size_do_not_hinder_an_idempotency_key() {
    let app = TestApp::start().await;
    let body = |number: &str| {
        let text = format!(
            r#"{{"source":"crm","email":"a@acme.example","idempotencyKey":"k","payload":{{"n":{number}}}}}"#
        );
        Some(text.into_bytes())
    };
    let client = app.client();
    let first = client.send("POST", "/v0/person_logs", body("1e400")).await.expect(201).json();
    let again = client.send("POST", "/v0/person_logs", body("1e400")).await.expect(201).json();
    assert_eq!(again, first);
    client.send("POST", "/v0/person_logs", body("1e401")).await.expect(409);
    assert!(super::read(&client, &first).await["payload"].to_string().contains("400"));
    assert_eq!(super::log_of(&client, &first, "").await["totalCount"], json!(1));
}
