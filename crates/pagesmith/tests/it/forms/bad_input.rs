//! Hostile and careless requests, to the API and to the site.

use std::time::Duration;

use pagesmith_http::Peer;
use pagesmith_testkit::samples::visits::BROWSER;
use serde_json::json;

use super::{Scene, usual};

#[tokio::test]
async fn a_form_that_could_not_be_filled_in_is_refused_with_every_reason() {
    let scene = Scene::start().await;
    let body = json!({
        "name": " ", "fields": [
            { "key": "1a", "kind": "text", "label": "A" },
            { "key": "b", "kind": "slider", "label": "B" },
        ],
    });
    let issues = scene.client.post("/v0/forms", &body).await.expect(400).issues();
    assert_eq!(issues.len(), 3, "{issues:?}");
    let field = json!({ "key": "a", "kind": "choice", "label": "A" });
    for fields in [json!([]), json!(vec![field.clone(); 51]), json!([field])] {
        let body = json!({ "name": "Bad", "fields": fields });
        scene.client.post("/v0/forms", &body).await.expect(400);
    }
    let mut redirect = usual();
    redirect["afterSubmission"] = json!({ "redirectUrl": "javascript:alert(1)" });
    scene.client.post("/v0/forms", &redirect).await.expect(400);
    let path = format!("/v0/forms/{}", scene.form);
    scene.client.patch(&path, &json!({ "fields": [] })).await.expect(400);
    scene.client.get(&format!("{path}/submissions?status=other")).await.expect(400);
    scene.client.get("/v0/forms/form_00000000000000000000000000/submissions").await.expect(404);
}

#[tokio::test]
async fn a_request_that_is_no_form_changes_nothing() {
    let scene = Scene::start().await;
    let post = |body: Vec<u8>| scene.visitor.send("POST", "/.pagesmith/f", Some(body));
    post(vec![0xff, 0xfe, 0]).await.expect(400);
    post(b"{}".to_vec()).await.expect(400);
    post("a=b&".repeat(10_000).into_bytes()).await.expect(413);
    post(vec![b'a'; 300 * 1024]).await.expect(413);
    scene.visitor.send("PUT", "/.pagesmith/f", Some(vec![])).await.expect(405);
    scene.visitor.get("/.pagesmith/f").await.expect(404);
    scene.visitor.get("/.pagesmith/f?page=x&audience=y&action=z").await.expect(404);
    assert!(scene.visitor.get("/.pagesmith/form.js").await.expect(200).text().contains("ps.token"));
    // Another tenant's page, an action that is not there, a page that is not shown.
    let stranger = pagesmith_testkit::samples::forms::shown(&scene.app.stranger().await, "x").await;
    stranger.send(&scene.visitor, &[("email", "ada@example.com")]).await.expect(404);
    scene.client.post(&format!("/v0/pages/{}/archive", scene.shown.page), &json!({})).await;
    let answer = scene.shown.send(&scene.visitor, &[("email", "ada@example.com")]).await;
    assert!([303, 404].contains(&answer.status.as_u16()));
    let script = scene.visitor.with("accept", "application/json");
    let told = stranger.send(&script, &[]).await.expect(404).json();
    assert_eq!(told["error"], "Not Found");
}

#[tokio::test]
async fn whoever_sends_without_end_is_refused_and_others_are_not() {
    let scene = Scene::start().await;
    let send = async |number: u32, address: &str| {
        let text = number.to_string();
        let body = scene.shown.filled(&[("email", "ada@example.com"), ("text", &text)]);
        let request = http::Request::post("/.pagesmith/f")
            .header("host", &scene.shown.host)
            .header("user-agent", BROWSER)
            .extension(Peer(address.parse().unwrap()))
            .body(body.into());
        scene.client.raw(request.unwrap()).await.status.as_u16()
    };
    for number in 0..60 {
        assert_eq!(send(number, "192.0.2.1").await, 303);
    }
    assert_eq!(send(60, "192.0.2.1").await, 429);
    assert_eq!(send(61, "192.0.2.2").await, 303, "another address");
    // A person sends a few; what is more is kept apart.
    assert_eq!((scene.total("accepted").await, scene.total("spam").await), (6, 55));
    scene.app.advance(Duration::from_secs(60));
    assert_eq!(send(62, "192.0.2.1").await, 303);
}
