//! Suspicious submissions: kept apart with their reasons, never deleted, and released without loss.

use std::time::Duration;

use pagesmith_http::Peer;
use pagesmith_model::form::token::is_proof;
use pagesmith_testkit::Client;
use pagesmith_testkit::samples::visits::{BROWSER, report};
use serde_json::{Value, json};

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

/// Reports a look at the page in a browser of that version; the visitor.
async fn looks(scene: &Scene, version: u32) -> Client {
    let browser = BROWSER.replace("141", &version.to_string());
    let visitor = scene.shown.visitor_with(&scene.client, &browser, "same-origin");
    let view = report(&format!("{version:032x}"), &scene.shown.page, &scene.shown.audience);
    visitor.post("/.pagesmith/v", &view).await.expect(204);
    visitor
}

async fn sessions(scene: &Scene) -> Vec<Value> {
    let path = format!("/v0/pages/{}/audience_sessions", scene.shown.page);
    scene.client.get(&path).await.expect(200).json()["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn the_visit_of_a_released_submission_counts_it_whether_it_is_open_or_closed() {
    let scene = Scene::start().await;
    let (first, second) = (looks(&scene, 150).await, looks(&scene, 151).await);
    looks(&scene, 152).await;
    scene.shown.send(&first, &[EMAIL, ("ps.note", "x")]).await.expect(303);
    scene.shown.send(&second, &[("email", "bea@example.com"), ("ps.note", "x")]).await.expect(303);
    // A program that reports nothing begins no visit.
    scene.shown.send(&scene.visitor, &[("email", "eve@example.com"), ("ps.note", "x")]).await.expect(303);
    let visits = sessions(&scene).await;
    assert_eq!(visits.len(), 3);
    assert!(visits.iter().all(|visit| visit["hasFormSubmit"] == false), "{visits:?}");
    let kept = scene.submissions("spam").await;
    let of = |email: &str| kept.iter().find(|sent| sent["input"]["email"] == email).unwrap();
    assert_eq!(of("eve@example.com")["audienceSessionId"], Value::Null);
    let path = |email: &str| format!("/v0/form_submissions/{}", of(email)["submissionId"].as_str().unwrap());
    let release = json!({ "status": "accepted" });
    scene.client.patch(&path("ada@example.com"), &release).await.expect(200);
    // By the next day but one, the visits are sums of a whole day.
    scene.app.advance(Duration::from_hours(49));
    scene.app.run_due_work().await;
    let summary = format!("/v0/pages/{}/analytics/summary", scene.shown.page);
    let told = scene.client.get(&summary).await.expect(200).json();
    assert_eq!((&told["totalSessions"], &told["bounceRate"]), (&json!(3), &json!(2.0 / 3.0)));
    assert_eq!((&told["formSubmitRate"], &told["conversionRate"]), (&json!(1.0 / 3.0), &json!(1.0 / 3.0)));
    let released = scene.client.patch(&path("bea@example.com"), &release).await.expect(200).json();
    scene.client.patch(&path("eve@example.com"), &release).await.expect(200);
    // Marked and released again, it is counted once all the same.
    scene.client.patch(&path("bea@example.com"), &json!({ "status": "spam" })).await.expect(200);
    scene.client.patch(&path("bea@example.com"), &release).await.expect(200);

    let visits = sessions(&scene).await;
    let of = |visit: &&Value| visit["audienceSessionId"] == released["audienceSessionId"];
    let visit = visits.iter().find(of).unwrap();
    assert_eq!(
        (&visit["formSubmissionEmail"], &visit["formSubmissionId"], &visit["formSubmissionIdentifierType"]),
        (&json!("bea@example.com"), &released["submissionId"], &json!("email"))
    );
    // Sums of the day, of its audience and of its device are what the rows give.
    let marked = visits.iter().filter(|visit| visit["hasFormSubmit"] == true).count();
    assert_eq!(marked, 2);
    let told = scene.client.get(&summary).await.expect(200).json();
    let audiences = format!("/v0/pages/{}/analytics/audiences", scene.shown.page);
    let devices = format!("/v0/pages/{}/analytics/breakdown?by=device", scene.shown.page);
    let of_audience = scene.client.get(&audiences).await.expect(200).json()["items"][0].clone();
    let of_device = scene.client.get(&devices).await.expect(200).json()["items"][0]["summary"].clone();
    for told in [&told, &of_audience, &of_device] {
        assert_eq!((&told["totalSessions"], &told["bounceRate"]), (&json!(3), &json!(1.0 / 3.0)), "{told}");
        assert_eq!(told["conversionRate"], json!(2.0 / 3.0), "{told}");
    }
    assert_eq!(told["formSubmitRate"], json!(2.0 / 3.0));
}

#[tokio::test]
async fn a_rush_to_a_form_from_many_addresses_is_kept_apart_and_people_with_the_script_pass() {
    let scene = Scene::start().await;
    let token = scene.visitor.get("/.pagesmith/f?token").await.expect(200).text();
    scene.app.advance(Duration::from_secs(9));
    let send = async |number: u8, values: &[(&str, &str)]| {
        let request = http::Request::post("/.pagesmith/f")
            .header("host", &scene.shown.host)
            .header("user-agent", BROWSER)
            .header("sec-fetch-site", "same-origin")
            .extension(Peer([192, 0, 2, number].into()))
            .body(scene.shown.filled(values).into());
        scene.client.raw(request.unwrap()).await.expect(303)
    };
    for number in 0..60 {
        send(number, &[("email", &format!("visitor{number}@example.com"))]).await;
    }
    assert_eq!(scene.total("spam").await, 0);
    send(60, &[EMAIL]).await;
    send(61, &[("email", "bea@example.com"), ("ps.token", &token)]).await;
    assert_eq!(scene.submissions("spam").await[0]["spamReasons"], json!(["no_token", "many_with_form"]));
    let accepted = format!("/v0/forms/{}/submissions?status=accepted&limit=100", scene.form);
    let accepted = scene.client.get(&accepted).await.expect(200).json();
    let is_hers = |sent: &&Value| sent["input"]["email"] == "bea@example.com";
    let bea = accepted["items"].as_array().unwrap().iter().find(is_hers).unwrap();
    assert_eq!(bea["spamReasons"], json!(["many_with_form"]));
    // Nothing is lost, another form is not concerned, and the next minute begins anew.
    assert_eq!((scene.total("spam").await, scene.total("accepted").await), (1, 61));
    let another = super::create(&scene.client, &super::usual()).await["formId"].as_str().unwrap().to_owned();
    let shown = pagesmith_testkit::samples::forms::shown(&scene.client, &another).await;
    shown.send(&scene.visitor, &[EMAIL]).await.expect(303);
    let path = format!("/v0/forms/{another}/submissions?status=accepted");
    assert_eq!(scene.client.get(&path).await.expect(200).json()["totalCount"], 1);
    scene.app.advance(Duration::from_mins(1));
    send(62, &[("email", "cleo@example.com")]).await;
    assert_eq!((scene.total("spam").await, scene.total("accepted").await), (1, 62));
}
