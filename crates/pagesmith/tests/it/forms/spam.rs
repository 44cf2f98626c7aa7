//! Suspicious submissions: kept apart with their reasons, never deleted, and released without loss.

use std::time::Duration;

use pagesmith_model::form::token::is_proof;
use pagesmith_testkit::samples::analytics::BROWSER;
use serde_json::json;

use super::Scene;

const EMAIL: (&str, &str) = ("email", "ada@example.com");

#[tokio::test]
async fn what_a_program_filled_in_is_kept_apart_until_somebody_releases_it() {
    let scene = Scene::start().await;
    // The sender is told the same as everybody.
    scene.shown.send(&scene.visitor, &[EMAIL, ("ps.note", "x")]).await.expect(303);
    let kept = scene.submissions("spam").await.remove(0);
    assert_eq!(kept["spamReasons"], json!(["no_token", "hidden_field"]));
    assert_eq!((&kept["personId"], &kept["acceptedAt"]), (&json!(null), &json!(null)));
    assert_eq!(scene.events("form.submitted").await.len(), 0);
    assert_eq!(scene.client.get("/v0/persons").await.expect(200).json()["totalCount"], 0);

    let path = format!("/v0/form_submissions/{}", kept["submissionId"].as_str().unwrap());
    let released = scene.client.patch(&path, &json!({ "status": "accepted" })).await.expect(200).json();
    assert_eq!((&released["status"], &released["submittedAt"]), (&json!("accepted"), &kept["submittedAt"]));
    assert!(released["personId"].is_string());
    assert_eq!(scene.events("form.submitted").await.len(), 1);
    // Marked and released again, it is told once all the same.
    let marked = scene.client.patch(&path, &json!({ "status": "spam" })).await.expect(200).json();
    assert_eq!(marked["spamReasons"], json!(["no_token", "hidden_field", "marked"]));
    scene.client.patch(&path, &json!({ "status": "accepted" })).await.expect(200);
    scene.client.patch(&path, &json!({ "status": "accepted" })).await.expect(200);
    assert_eq!(scene.events("form.submitted").await.len(), 1);
    scene.client.delete(&path).await.expect(200);
    scene.client.get(&path).await.expect(404);
    scene.client.delete(&path).await.expect(404);
}

#[tokio::test]
async fn a_browser_that_works_for_it_gets_a_suspicious_submission_through() {
    let scene = Scene::start().await;
    let crawler = scene.shown.visitor_with(&scene.client, "Googlebot/2.1", "same-origin");
    let script = crawler.with("accept", "application/json");
    let token = scene.visitor.get("/.pagesmith/f?token").await.expect(200).text();
    scene.app.advance(Duration::from_secs(9));
    let values = [EMAIL, ("ps.token", token.as_str())];
    let asked = scene.shown.send(&script, &values).await.expect(428).json();
    let task = asked["task"].as_str().unwrap();
    let wrong = [values[0], values[1], ("ps.proof", "1")];
    let wrong = if is_proof(task, "1") { &values[..] } else { &wrong[..] };
    scene.shown.send(&script, wrong).await.expect(428);
    let proof = (0..).map(|number: u32| number.to_string()).find(|proof| is_proof(task, proof)).unwrap();
    scene.shown.send(&script, &[values[0], values[1], ("ps.proof", &proof)]).await.expect(200);
    assert_eq!(scene.submissions("accepted").await.len(), 1);
    // The proof is of no use for another submission.
    let another = scene.visitor.get("/.pagesmith/f?token").await.expect(200).text();
    scene.app.advance(Duration::from_secs(9));
    let stolen = [EMAIL, ("ps.token", another.as_str()), ("ps.proof", proof.as_str())];
    scene.shown.send(&script, &stolen).await.expect(428);
}

#[tokio::test]
async fn signs_of_the_request_and_of_the_texts_are_told() {
    let scene = Scene::start().await;
    let elsewhere = scene.shown.visitor_with(&scene.client, BROWSER, "cross-site");
    scene.shown.send(&elsewhere, &[EMAIL]).await.expect(303);
    let link = [EMAIL, ("name", "Win at https://x.example"), ("text", "<a href=x>")];
    scene.shown.send(&scene.visitor, &link).await.expect(303);
    let foreign = format!("submission_00000000000000000000000000.1.{}", "a".repeat(43));
    scene.shown.send(&scene.visitor, &[EMAIL, ("text", "y"), ("ps.token", &foreign)]).await.expect(303);
    let reasons: Vec<_> =
        scene.submissions("spam").await.iter().map(|sent| sent["spamReasons"].clone()).collect();
    assert_eq!(reasons, [json!(["no_token", "markup", "link_in_name"]), json!(["no_token", "other_site"])]);
    assert_eq!(scene.submissions("accepted").await[0]["spamReasons"], json!(["bad_token"]));
    let strict = json!({ "spamFilter": "strict" });
    scene.client.patch(&format!("/v0/forms/{}", scene.form), &strict).await.expect(200);
    let token = scene.visitor.get("/.pagesmith/f?token").await.expect(200).text();
    // Nobody types as fast, and without script nobody is asked to work for it.
    scene.shown.send(&scene.visitor, &[EMAIL, ("text", "x"), ("ps.token", &token)]).await.expect(303);
    assert_eq!(scene.submissions("spam").await[0]["spamReasons"], json!(["too_fast"]));
}
