//! Hostile and careless requests, to the API and to the site.

use serde_json::{Value, json};

use super::{Scene, create, usual};

#[tokio::test]
async fn a_form_that_could_not_be_filled_in_is_refused_with_every_reason() {
    let scene = Scene::start().await;
    let body = json!({
        "name": " ", "fields": [
            { "key": "1a", "kind": "text", "label": "A" },
            { "key": "b", "kind": "slider", "label": "B" },
        ],
    });
    let told = scene.client.post("/v0/forms", &body).await.expect(400).json();
    assert!(told["issues"].as_array().unwrap().len() >= 3, "{told}");
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
    assert!(scene.visitor.get("/.pagesmith/form.js").await.expect(200).text().contains("sendBeacon") == false);
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
    let form = create(&scene.client, &usual()).await;
    assert!(form["formId"].is_string());
    for number in 0..70 {
        let text = number.to_string();
        scene.shown.send(&scene.visitor, &[("email", "ada@example.com"), ("text", &text)]).await;
    }
    let all: Value = scene.client.get("/v0/form_submissions?limit=100").await.expect(200).json();
    let items = all["items"].as_array().unwrap();
    let many = items.iter().filter(|sent| sent["spamReasons"].to_string().contains("many_from_address"));
    // A test's requests have no address, so that none is counted.
    assert_eq!((items.len(), many.count()), (70, 0));
}
