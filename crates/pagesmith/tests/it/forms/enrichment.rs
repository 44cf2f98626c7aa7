//! What a hook of the tenant knows of the senders of submissions.

use std::time::Duration;

use pagesmith_model::webhook::{Secret, signature};
use pagesmith_model::{PersonId, Timestamp};
use pagesmith_operations::forms::enrichment as operations;
use pagesmith_operations::subject_requests;
use pagesmith_testkit::database::ask_at;
use pagesmith_testkit::{Answer, Client, Receiver, Script};
use pagesmith_worker::enrichment;
use pagesmith_worker::turns::Turns;
use serde_json::{Value, json};

use super::Scene;

const ADA: [(&str, &str); 1] = [("email", "ada@example.com")];

/// A scene with a hook.
struct Hooked {
    scene: Scene,
    hook: Receiver,
    secret: Secret,
}

impl Hooked {
    async fn start() -> Hooked {
        let (scene, hook) = (Scene::start().await, Receiver::start().await);
        let set = put(&scene.client, &json!({ "url": hook.url() })).await.expect(200).json();
        let secret = Secret::parse(set["signingSecret"].as_str().unwrap()).unwrap();
        Hooked { scene, hook, secret }
    }

    /// Ada sends the form, and the hook is called for all that is due.
    async fn send(&self) -> Value {
        self.scene.shown.send(&self.scene.visitor, &ADA).await.expect(303);
        self.scene.app.enrich().await;
        self.submission().await
    }

    async fn submission(&self) -> Value {
        self.scene.submissions("accepted").await.remove(0)
    }

    async fn after(&self, pause: Duration) -> Value {
        self.scene.app.advance(pause);
        self.scene.app.enrich().await;
        self.submission().await
    }

    /// What the hook was told first.
    fn told(&self) -> Value {
        serde_json::from_slice(&self.hook.arrived()[0].body).unwrap()
    }

    /// Calls back, as the hook does that was told where.
    async fn call_back(&self, body: &Value) -> Answer {
        let address = self.told()["callbackUrl"].as_str().unwrap().to_owned();
        let path = format!("/{}", address.splitn(4, '/').last().unwrap());
        let there = self.scene.app.anonymous().with("host", &self.scene.shown.host);
        there.send("POST", &path, Some(body.to_string().into_bytes())).await
    }

    async fn outcomes(&self) -> (usize, usize) {
        let enriched = self.scene.events("form.enriched").await.len();
        (enriched, self.scene.events("form.enrichment_failed").await.len())
    }
}

async fn put(client: &Client, body: &Value) -> Answer {
    client.send("PUT", "/v0/enrichment_hook", Some(body.to_string().into_bytes())).await
}

fn script(status: u16, body: &Value) -> Script {
    Script { body: body.to_string(), ..Script::status(status) }
}

#[tokio::test]
async fn a_hook_is_told_of_a_submission_and_fills_what_is_blank() {
    let hooked = Hooked::start().await;
    let data = json!({ "name": "Ada Lovelace", "email": "other@example.com", "phoneNumber": "+14155550123",
        "company": "Example Inc.", "seats": 12.50 });
    hooked.hook.answer([script(200, &json!({ "enrichedData": data }))]);
    let sent = hooked.send().await;
    assert_eq!(sent["enrichment"]["status"], "enriched");
    assert_eq!(sent["enrichment"]["enrichedData"], data);

    let arrived = &hooked.hook.arrived()[0];
    let told = hooked.told();
    assert_eq!((&told["submissionId"], &told["formId"]), (&sent["submissionId"], &json!(hooked.scene.form)));
    assert_eq!(told["input"]["email"], "ada@example.com");
    assert_eq!(
        (&told["person"]["personId"], &told["person"]["email"]),
        (&sent["personId"], &json!("ada@example.com"))
    );
    assert_eq!(arrived.header("webhook-id"), sent["submissionId"].as_str().unwrap());
    let seconds = arrived.header("webhook-timestamp").parse().unwrap();
    let signatures = arrived.header("webhook-signature");
    assert!(signature::verify_standard(
        &hooked.secret,
        arrived.header("webhook-id"),
        seconds,
        &arrived.body,
        signatures
    ));

    // A name that was made of the address is replaced; an address that is known is not.
    let person = format!("/v0/persons/{}", sent["personId"].as_str().unwrap());
    let known = hooked.scene.client.get(&person).await.expect(200).json();
    assert_eq!((&known["name"], &known["email"]), (&json!("Ada Lovelace"), &json!("ada@example.com")));
    assert_eq!(known["phoneNumber"], "+14155550123");
    let logs = hooked.scene.client.get(&format!("{person}/logs")).await.expect(200).json();
    let entry = &logs["items"][0];
    assert_eq!((&entry["source"], &entry["type"]), (&json!("enrichment"), &json!("form-enriched")));
    assert_eq!(
        (&entry["payload"]["from"], &entry["payload"]["filled"]),
        (&json!("127.0.0.1"), &json!(["name", "phoneNumber"]))
    );

    let events = hooked.scene.events("form.enriched").await;
    // Both events are caused by the request that sent the form.
    let causes =
        "SELECT CAST(COUNT(*) AS TEXT) || ' of ' || CAST(COUNT(DISTINCT request_id) AS TEXT) FROM events
        WHERE type IN ('form.submitted', 'form.enriched') AND request_id LIKE 'req_%'";
    assert_eq!(ask_at(&hooked.scene.app.database.address, causes).await, "2 of 1");
    let payload = &events[0]["payload"];
    assert_eq!((&payload["enrichedData"], &payload["submissionId"]), (&data, &sent["submissionId"]));
    hooked.after(Duration::from_hours(9)).await;
    assert_eq!((hooked.hook.arrived().len(), hooked.outcomes().await), (1, (1, 0)));
}

#[tokio::test]
async fn an_identifier_of_somebody_else_is_left_where_it_is() {
    let hooked = Hooked::start().await;
    let bob = json!({ "name": "Bob", "email": "bob@example.com", "phoneNumber": "+14155550123" });
    hooked.scene.client.post("/v0/persons", &bob).await.expect(201);
    hooked.hook.answer([script(
        200,
        &json!({ "enrichedData": { "phoneNumber": "+14155550123", "domain": "bad domain" } }),
    )]);
    let sent = hooked.send().await;
    let person = format!("/v0/persons/{}", sent["personId"].as_str().unwrap());
    assert_eq!(hooked.scene.client.get(&person).await.expect(200).json()["phoneNumber"], Value::Null);
    assert_eq!(hooked.outcomes().await, (1, 0));
}

#[tokio::test]
async fn a_hook_may_answer_later_and_only_once() {
    let hooked = Hooked::start().await;
    hooked.hook.answer([Script::status(202)]);
    let sent = hooked.send().await;
    assert_eq!(
        sent["enrichment"],
        json!({ "status": "pending", "enrichedData": null, "error": null, "endedAt": null })
    );
    hooked.call_back(&json!({ "enrichedData": { "company": "Example Inc." } })).await.expect(204);
    hooked.call_back(&json!({ "enrichedData": { "company": "Another" } })).await.expect(410);
    assert_eq!(hooked.submission().await["enrichment"]["enrichedData"], json!({ "company": "Example Inc." }));
    hooked.after(Duration::from_hours(9)).await;
    assert_eq!((hooked.hook.arrived().len(), hooked.outcomes().await), (1, (1, 0)));

    // Nobody else's address is one.
    let there = hooked.scene.app.anonymous().with("host", &hooked.scene.shown.host);
    let id = sent["submissionId"].as_str().unwrap();
    for ticket in ["x", "", id, &format!("{id}.{}", "A".repeat(43)), &"x".repeat(5_000)] {
        there.send("POST", &format!("/.pagesmith/e/{ticket}"), Some(b"{}".to_vec())).await.expect(404);
    }
    there.get("/.pagesmith/e/x").await.expect(405);
}

#[tokio::test]
async fn a_hook_that_never_calls_back_has_failed_and_a_hook_may_say_that_it_has() {
    let hooked = Hooked::start().await;
    hooked.hook.answer([Script::status(202), Script::status(202)]);
    hooked.send().await;
    let early = hooked.after(Duration::from_secs(599)).await;
    assert_eq!(early["enrichment"]["status"], "pending");
    let late = hooked.after(Duration::from_secs(2)).await;
    assert_eq!(late["enrichment"]["error"], "The hook did not call back within ten minutes.");
    hooked.call_back(&json!({ "enrichedData": {} })).await.expect(410);
    assert_eq!((hooked.hook.arrived().len(), hooked.outcomes().await), (1, (0, 1)));

    let hooked = Hooked::start().await;
    hooked.hook.answer([Script::status(202)]);
    hooked.send().await;
    hooked.call_back(&json!({ "error": "no match" })).await.expect(204);
    assert_eq!(hooked.submission().await["enrichment"]["error"], "no match");
    assert_eq!(hooked.outcomes().await, (0, 1));
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_everything_else_is_not() {
    let hooked = Hooked::start().await;
    let busy = Script::status(503).with("retry-after", "120");
    hooked.hook.answer([busy, Script::status(429), script(200, &json!({ "enrichedData": {} }))]);
    assert_eq!(hooked.send().await["enrichment"]["status"], "pending");
    hooked.after(Duration::from_secs(119)).await;
    assert_eq!(hooked.hook.arrived().len(), 1, "the hook has asked for two minutes");
    hooked.after(Duration::from_secs(2)).await;
    let sent = hooked.after(Duration::from_secs(61)).await;
    assert_eq!((hooked.hook.arrived().len(), &sent["enrichment"]["status"]), (3, &json!("enriched")));
    let ids: Vec<String> =
        hooked.hook.arrived().iter().map(|one| one.header("webhook-id").to_owned()).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");

    for (answer, expected) in [
        (Script::status(204), "The hook knows nothing about this submission."),
        (Script::status(404), "The hook answered 404."),
        (
            Script::status(302).with("location", "http://127.0.0.1:1/"),
            "The hook answered 302; redirects are not followed.",
        ),
        (script(200, &json!([1])), "The answer of the hook is no JSON object with an object `enrichedData`."),
        (
            script(200, &json!({ "enrichedData": { "text": "x".repeat(300_000) } })),
            "The answer of the hook is larger than 256 KiB.",
        ),
    ] {
        let hooked = Hooked::start().await;
        hooked.hook.answer([answer]);
        let sent = hooked.send().await;
        assert_eq!(sent["enrichment"]["error"], expected);
        hooked.after(Duration::from_hours(9)).await;
        assert_eq!((hooked.hook.arrived().len(), hooked.outcomes().await), (1, (0, 1)));
    }
}

#[tokio::test]
async fn a_hook_that_always_fails_is_given_up_after_six_tries() {
    let hooked = Hooked::start().await;
    hooked.hook.answer((0..20).map(|_| Script::status(500)));
    hooked.send().await;
    for _ in 0..10 {
        hooked.after(Duration::from_hours(3)).await;
    }
    let sent = hooked.submission().await;
    assert_eq!(
        (hooked.hook.arrived().len(), &sent["enrichment"]["error"]),
        (6, &json!("The hook answered 500."))
    );
    let ended = sent["enrichment"]["endedAt"].as_str().and_then(|at| at.parse::<Timestamp>().ok());
    assert!(ended.is_some());
    assert_eq!(hooked.outcomes().await, (0, 1));
}

#[tokio::test]
async fn a_hook_is_set_replaced_and_removed() {
    let hooked = Hooked::start().await;
    let (scene, client) = (&hooked.scene, &hooked.scene.client);
    let shown = client.get("/v0/enrichment_hook").await.expect(200).json();
    assert_eq!((&shown["url"], &shown["active"]), (&json!(hooked.hook.url()), &json!(true)));
    let again = put(client, &json!({ "url": hooked.hook.url() })).await.expect(200).json();
    assert_eq!((&again["signingSecret"], &again["updatedAt"]), (&Value::Null, &shown["updatedAt"]));
    for (body, path) in [
        (json!({ "url": "http://10.0.0.1/x" }), "url"),
        (json!({ "url": "ftp://example.com" }), "url"),
        (json!({ "url": "" }), "url"),
        (json!({}), "url"),
    ] {
        let refused = put(client, &body).await.expect(400).json();
        assert!(refused.to_string().contains(path), "{refused}");
    }
    let path = "/v0/enrichment_hook/rotate_secret";
    let rotated = client.post(path, &json!({ "overlapSeconds": 60 })).await.expect(200).json();
    let newest = Secret::parse(rotated["signingSecret"].as_str().unwrap()).unwrap();
    hooked.send().await;
    let arrived = &hooked.hook.arrived()[0];
    let seconds = arrived.header("webhook-timestamp").parse().unwrap();
    for secret in [&newest, &hooked.secret] {
        let (id, signatures) = (arrived.header("webhook-id"), arrived.header("webhook-signature"));
        assert!(signature::verify_standard(secret, id, seconds, &arrived.body, signatures));
    }
    // What waits for a hook that is removed has failed; nothing is queued without a hook, or for one that is inactive.
    hooked.hook.answer([Script::status(500)]);
    scene.app.advance(Duration::from_hours(1));
    hooked.send().await;
    client.delete("/v0/enrichment_hook").await.expect(200);
    client.delete("/v0/enrichment_hook").await.expect(200);
    assert_eq!(client.get("/v0/enrichment_hook").await.expect(200).json()["url"], Value::Null);
    assert_eq!(client.post(path, &json!({})).await.expect(200).json()["signingSecret"], Value::Null);
    let sent = hooked.after(Duration::from_secs(11)).await;
    assert_eq!(sent["enrichment"]["error"], "The hook was removed or deactivated.");
    scene.app.advance(Duration::from_hours(1));
    assert_eq!(hooked.send().await["enrichment"], Value::Null);
    put(client, &json!({ "url": hooked.hook.url(), "active": false })).await.expect(200);
    scene.app.advance(Duration::from_hours(1));
    assert_eq!(hooked.send().await["enrichment"], Value::Null);
    assert_eq!(hooked.hook.arrived().len(), 2);
    let stranger = scene.app.stranger().await;
    assert_eq!(stranger.get("/v0/enrichment_hook").await.expect(200).json()["url"], Value::Null);
}

#[tokio::test]
async fn a_submission_that_is_deleted_meanwhile_ends_without_an_event() {
    let hooked = Hooked::start().await;
    hooked.hook.answer([Script::status(202), Script::status(500)]);
    let sent = hooked.send().await;
    let path = format!("/v0/form_submissions/{}", sent["submissionId"].as_str().unwrap());
    hooked.scene.client.delete(&path).await.expect(200);
    hooked.call_back(&json!({ "enrichedData": {} })).await.expect(410);
    hooked.scene.app.advance(Duration::from_hours(1));
    hooked.scene.app.enrich().await;
    assert_eq!(hooked.outcomes().await, (0, 0));
    // So does one whose person is erased.
    hooked.send().await;
    let person = hooked.submission().await["personId"].as_str().unwrap().to_owned();
    let app = &hooked.scene.app;
    let (ctx, person) = (app.platform.context().of(app.tenant.clone()), PersonId::parse(&person).unwrap());
    subject_requests::erase(&app.store, &ctx, &person).await.unwrap();
    hooked.scene.app.advance(Duration::from_hours(1));
    hooked.scene.app.enrich().await;
    assert_eq!((hooked.hook.arrived().len(), hooked.outcomes().await), (2, (0, 0)));
}

#[tokio::test]
async fn a_worker_that_is_lost_or_gives_up_leaves_the_submission_to_another_one() {
    let hooked = Hooked::start().await;
    hooked.scene.shown.send(&hooked.scene.visitor, &ADA).await.expect(303);
    let tools = hooked.scene.app.tools();
    let claimed = enrichment::claim(&tools, &mut Turns::default(), 9).await.unwrap().remove(0);
    assert!(enrichment::claim(&tools, &mut Turns::default(), 9).await.unwrap().is_empty());
    let given_up = claimed.clone();
    tools.store.write(move |tx| operations::hand_back(tx, &given_up)).await.unwrap();
    let again = enrichment::claim(&tools, &mut Turns::default(), 9).await.unwrap().remove(0);
    assert_eq!((&again.of, &again.call), (&claimed.of, &claimed.call), "the first one has tried nothing");
    let late = |claimed: operations::Claimed| {
        let ctx = tools.context().of(hooked.scene.app.tenant.clone());
        let answer = pagesmith_model::form::enrichment::Answer::Told(Err("late".to_owned()));
        tools.store.write(move |tx| operations::finish(tx, &ctx, &claimed, (&answer, None)))
    };
    assert!(!late(claimed).await.unwrap(), "the lease is another worker's now");
    assert_eq!(hooked.submission().await["enrichment"]["status"], "pending");
    // The second one says nothing until its lease has ended, and then it is too late.
    hooked.scene.app.advance(operations::LEASE + Duration::from_secs(1));
    hooked.hook.answer([script(200, &json!({ "enrichedData": { "company": "Example Inc." } }))]);
    hooked.scene.app.enrich().await;
    assert_eq!(hooked.submission().await["enrichment"]["status"], "enriched");
    assert!(!late(again).await.unwrap());
    assert_eq!(hooked.outcomes().await, (1, 0));
}
