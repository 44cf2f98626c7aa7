//! The screens of webhooks: changed, deleted, followed, and what failed is sent again.

use http_body_util::BodyExt;
use pagesmith_model::user::Role;
use pagesmith_model::webhook::{Attempt, schedule};
use pagesmith_operations::webhooks::deliveries::{self, AttemptResult, Capacity, Due, Turn};
use pagesmith_testkit::receiver::Script;
use pagesmith_testkit::{Receiver, TestApp};
use serde_json::{Value, json};

use super::browser::{Browser, PASSWORD, fields, with};
use crate::webhooks::happen;

const URL: &str = "https://hooks.example.com/in";

/// Subscribes an address to all events; the paths of its screen and in the API.
async fn subscribe(app: &TestApp, url: &str) -> (String, String) {
    let made =
        app.client().post("/v0/webhook_subscriptions", &json!({ "url": url })).await.expect(201).json();
    let id = made["subscriptionId"].as_str().unwrap();
    (format!("/console/t/acme/webhooks/{id}"), format!("/v0/webhook_subscriptions/{id}"))
}

/// Lets the last attempt of every delivery that is due fail.
async fn fail_all(app: &TestApp) {
    let ctx = app.platform.context();
    let capacity = Capacity { free: 2_000, per_queue: 2_000, ..Capacity::default() };
    let claimed = {
        let ctx = ctx.clone();
        app.store.claim(move |tx| deliveries::claim(tx, &ctx, &Turn::default(), &capacity)).await.unwrap()
    };
    let failed = |due: Due| AttemptResult {
        key: due.key,
        lease: due.lease,
        number: due.number,
        tries: i64::try_from(schedule::ATTEMPTS).unwrap() - 1,
        attempt: Attempt { at: ctx.now, duration_ms: 1, status: Some(500), error: None, response: None },
        retry_after: None,
    };
    let results: Vec<AttemptResult> = claimed.due.into_iter().map(failed).collect();
    assert!(!results.is_empty());
    app.store.claim(move |tx| deliveries::record(tx, &ctx, &results)).await.unwrap();
}

#[tokio::test]
async fn a_webhook_is_changed_and_deleted() {
    let app = TestApp::start().await;
    let mut owner = Browser::owner(&app).await;
    let (screen, api) = subscribe(&app, URL).await;
    let held = fields(&owner.open(&format!("{screen}/edit")).await.expect(200).text(), "webhook");
    let edit = format!("{screen}/edit");

    let wrong = owner.send_fields(&edit, &with(held.clone(), "url", "http://127.0.0.1/")).await;
    let wrong = wrong.expect(400).text();
    assert!(wrong.contains("webhook-url-error") && wrong.contains("http://127.0.0.1/"), "{wrong}");

    let mut sent = with(held.clone(), "url", "https://hooks.example.com/other");
    sent.push(("events".to_owned(), "form.submitted".to_owned()));
    owner.send_fields(&edit, &sent).await.expect(303);
    let changed = app.client().get(&api).await.expect(200).json();
    assert_eq!(changed["url"], "https://hooks.example.com/other");
    assert_eq!(changed["events"], json!(["form.submitted"]));
    owner.send_fields(&edit, &with(held, "url", URL)).await.expect(412);

    // Without any chosen, all are meant again.
    let held = fields(&owner.open(&edit).await.expect(200).text(), "webhook");
    assert!(held.contains(&("events".to_owned(), "form.submitted".to_owned())), "{held:?}");
    let none: Vec<_> = held.into_iter().filter(|(name, _)| name != "events").collect();
    owner.send_fields(&edit, &none).await.expect(303);
    assert_eq!(app.client().get(&api).await.expect(200).json()["events"], Value::Null);

    let mut viewer = Browser::with_role(&app, Role::Viewer).await;
    let looked = viewer.open(&screen).await.expect(200).text();
    assert!(!looked.contains("/edit\"") && !looked.contains("/delete\""), "{looked}");
    let asked = owner.open(&format!("{screen}/delete")).await.expect(200).text();
    assert!(asked.contains("Nothing is sent there any more"), "{asked}");
    owner.send(&format!("{screen}/delete"), &[]).await.expect(303);
    app.client().get(&api).await.expect(404);
    owner.open(&screen).await.expect(404);
}

#[tokio::test]
async fn what_failed_within_thirty_days_is_sent_again_part_by_part() {
    let app = TestApp::start().await;
    let mut owner = Browser::owner(&app).await;
    let (screen, api) = subscribe(&app, URL).await;
    let none = owner.send(&format!("{screen}/recover"), &[]).await.expect(303);
    let none = owner.open(none.header("location").unwrap()).await.expect(200).text();
    assert!(none.contains("No failed delivery of the last 30 days is left."), "{none}");

    for _ in 0..3 {
        happen(&app.client()).await;
    }
    fail_all(&app).await;
    app.advance(std::time::Duration::from_hours(20 * 24));
    let again = [("email", "olga@acme.example"), ("password", PASSWORD)];
    owner.send("/console/sign-in", &again).await.expect(303);
    let again = owner.send(&format!("{screen}/recover"), &[]).await.expect(303);
    let again = owner.open(again.header("location").unwrap()).await.expect(200).text();
    assert!(again.contains("3 deliveries are sent again."), "{again}");
    assert!(!again.contains("Send the next ones again"), "{again}");
    assert_eq!(app.client().get(&format!("{api}/stats")).await.expect(200).json()["waiting"], 3);

    // More than one call takes.
    for _ in 0..1_000 {
        app.client().post(&format!("{api}/test"), &json!({})).await.expect(201);
    }
    fail_all(&app).await;
    let some = owner.send(&format!("{screen}/recover"), &[]).await.expect(303);
    let some = owner.open(some.header("location").unwrap()).await.expect(200).text();
    assert!(some.contains("1,000 deliveries are sent again."), "{some}");
    assert!(some.contains("Send the next ones again"), "{some}");
    let rest = owner.send(&format!("{screen}/recover"), &[]).await.expect(303);
    let rest = owner.open(rest.header("location").unwrap()).await.expect(200).text();
    assert!(rest.contains("3 deliveries are sent again."), "{rest}");
    // A link from elsewhere puts no words on the screen.
    let forged = owner.open(&format!("{screen}?done=recovered&id=all")).await.expect(200).text();
    assert!(!forged.contains("sent again."), "{forged}");
}

#[tokio::test]
async fn a_delivery_is_followed_until_it_has_arrived() {
    let app = TestApp::with(|plan| plan.settings.allowed_networks = "127.0.0.0/8".parse().unwrap()).await;
    let (mut owner, receiver) = (Browser::owner(&app).await, Receiver::start().await);
    let (screen, api) = subscribe(&app, &receiver.url()).await;
    happen(&app.client()).await;
    let listed = app.client().get(&format!("{api}/deliveries")).await.expect(200).json();
    let delivery = format!("{screen}/deliveries/{}", listed["items"][0]["deliveryId"].as_str().unwrap());
    for path in [&screen, &delivery] {
        let shown = owner.open(path).await.expect(200).text();
        assert!(shown.contains(&format!("data-events=\"{path}/events?since=")), "{shown}");
    }
    let mut all = owner.listen(&app, &format!("{screen}/events")).await;
    let first = all.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(first.starts_with(b"event: stats\n"), "{first:?}");
    let one = owner.listen(&app, &format!("{delivery}/events")).await;
    receiver.answer([Script::status(200)]);
    app.deliver().await;
    // It has arrived: the stream tells that and ends.
    let told = one.collect().await.unwrap().to_bytes();
    let told = String::from_utf8_lossy(&told).into_owned();
    assert!(told.contains("event: delivery\n") && told.contains("\"delivered\""), "{told}");
    let next = all.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(String::from_utf8_lossy(&next).contains("\"delivered\":1"), "{next:?}");
    let shown = owner.open(&delivery).await.expect(200).text();
    assert!(!shown.contains("<live-part"), "{shown}");
}
