//! What is sealed under the server's key is sealed anew under another, part by part.

mod lost;

use std::sync::Arc;

use pagesmith_model::agent::{AgentKind, AgentSettings, ApiKey};
use pagesmith_model::network::Networks;
use pagesmith_model::seal::{SecretKey, SecretKeys};
use pagesmith_operations::agent::{self, Change, Writer};
use pagesmith_operations::server_keys::{self, Amounts, KeyStatus, Lost, ResealCounts, Walk};
use pagesmith_operations::{Clock, Platform, Random};
use pagesmith_store::Tx;
use pagesmith_testkit::TestApp;
use serde_json::{Value, json};

const SUBSCRIPTIONS: &str = "/v0/webhook_subscriptions";

/// The key of every test's server.
fn old() -> SecretKey {
    SecretKey::new([7; 32])
}

fn new() -> SecretKey {
    SecretKey::new([8; 32])
}

/// A platform with other keys and the key of digests that the database holds.
async fn platform(app: &TestApp, keys: SecretKeys) -> Arc<Platform> {
    let platform = Platform::new(Clock::manual(app.platform.clock().now()), Random::seeded(9));
    platform.keep_secret(keys);
    let context = platform.context();
    let key = app.store.write(move |tx| server_keys::digest_key(tx, &context)).await.unwrap();
    platform.keep_digest_key(key.unwrap());
    platform
}

/// Walks from `at` on, at most so many steps of two each.
async fn walk(app: &TestApp, platform: &Arc<Platform>, steps: usize) -> (Walk, ResealCounts) {
    let (mut at, mut found) = (Walk::Keys, ResealCounts::default());
    for _ in 0..steps {
        if at == Walk::Over {
            break;
        }
        let (context, from) = (platform.context(), at.clone());
        let part = app.store.write(move |tx| server_keys::reseal(tx, &context, &from, 2)).await.unwrap();
        at = part.0;
        found = found.and(part.1);
    }
    (at, found)
}

/// Makes subscription number `n` of a tenant, or is told of it again.
async fn subscribe(app: &TestApp, number: usize) -> Value {
    let client = app.client().with("idempotency-key", &format!("number {number}"));
    let body = json!({ "url": format!("https://example.com/{number}") });
    client.post(SUBSCRIPTIONS, &body).await.expect(201).json()
}

#[tokio::test]
async fn a_walk_that_was_ended_is_begun_again_and_ends_with_everything_under_the_new_key() {
    let app = TestApp::start().await;
    let mut made = Vec::new();
    for number in 0..5 {
        made.push(subscribe(&app, number).await);
    }
    // One that is deleted has a secret until it is swept away.
    let path = format!("{SUBSCRIPTIONS}/{}", made[0]["subscriptionId"].as_str().unwrap());
    app.client().delete(&path).await.expect(200);
    platform(&app, old().into()).await;
    let both = platform(&app, SecretKeys::new(new(), vec![old()])).await;
    let (at, found) = walk(&app, &both, 3).await;
    assert!(matches!(at, Walk::Subscriptions(Some(_))), "{at:?}");
    assert_eq!(found, ResealCounts { already: 0, anew: 5, closed: 0 });
    // A server with both keys does not notice.
    app.platform.keep_secret(SecretKeys::new(new(), vec![old()]));
    for (number, made) in made.iter().enumerate() {
        assert_eq!(&subscribe(&app, number).await, made);
    }
    let (at, found) = walk(&app, &both, 100).await;
    assert_eq!((at, found), (Walk::Over, ResealCounts { already: 5, anew: 6, closed: 0 }));
    let only_new = platform(&app, new().into()).await;
    let (_, found) = walk(&app, &only_new, 100).await;
    assert_eq!(found, ResealCounts { already: 11, anew: 0, closed: 0 });
    app.platform.keep_secret(new());
    for (number, made) in made.iter().enumerate() {
        assert_eq!(&subscribe(&app, number).await, made);
    }
}

#[tokio::test]
async fn digests_stay_the_same_under_a_new_key() {
    let app = TestApp::start().await;
    let digest =
        |platform: &Arc<Platform>| platform.context().keyed_digest("erased slug", &["jane"]).unwrap();
    let before = digest(&app.platform);
    assert_eq!(digest(&platform(&app, old().into()).await), before);
    let both = platform(&app, SecretKeys::new(new(), vec![old()])).await;
    walk(&app, &both, 100).await;
    assert_eq!(digest(&platform(&app, new().into()).await), before);
}

#[tokio::test]
async fn what_no_key_opens_is_counted_and_stays() {
    let app = TestApp::start().await;
    subscribe(&app, 0).await;
    platform(&app, old().into()).await;
    let stranger = Platform::new(Clock::manual(app.platform.clock().now()), Random::seeded(9));
    stranger.keep_secret(new());
    let (at, found) = walk(&app, &stranger, 100).await;
    assert_eq!((at, found), (Walk::Over, ResealCounts { already: 0, anew: 0, closed: 3 }));
    let context = stranger.context();
    let key = app.store.write(move |tx| server_keys::digest_key(tx, &context)).await.unwrap();
    assert!(key.is_none());
    subscribe(&app, 0).await;
}

#[tokio::test]
async fn keys_of_tenants_models_are_sealed_anew_as_well() {
    let app = TestApp::start().await;
    let ctx = app.platform.context().of(app.tenant.clone());
    let change = Change {
        kind: Some(AgentKind::Anthropic),
        model: Some("m".to_owned()),
        key: ApiKey::parse("sk-of-acme"),
        ..Change::default()
    };
    let set = move |tx: &mut Tx<'_>| {
        agent::change(tx, &ctx, &change, &AgentSettings::default(), &Networks::default())
    };
    app.store.write(set).await.unwrap();
    platform(&app, old().into()).await;
    let both = platform(&app, SecretKeys::new(new(), vec![old()])).await;
    let (_, found) = walk(&app, &both, 100).await;
    assert_eq!(found, ResealCounts { already: 0, anew: 2, closed: 0 });
    let ctx = platform(&app, new().into()).await.context().of(app.tenant.clone());
    let writer = app.store.read(move |tx| agent::writer(tx, &ctx, &AgentSettings::default())).await.unwrap();
    let Writer::Model { settings, .. } = writer else { panic!("{writer:?}") };
    assert_eq!(settings.key.unwrap().expose(), "sk-of-acme");
}

#[tokio::test]
async fn a_key_that_is_lost_under_a_running_server_costs_its_secrets_and_no_error_of_the_server() {
    let app = TestApp::start().await;
    let made = subscribe(&app, 0).await;
    let path = format!("{SUBSCRIPTIONS}/{}", made["subscriptionId"].as_str().unwrap());
    app.client().patch(&path, &json!({ "active": false })).await.expect(200);
    app.platform.keep_secret(new());
    let client = app.client().with("idempotency-key", "number 0");
    let again = client.post(SUBSCRIPTIONS, &json!({ "url": "https://example.com/0" })).await.expect(409);
    assert!(again.json()["detail"].as_str().unwrap().contains("was carried out"));
    let activated = app.client().patch(&path, &json!({ "active": true })).await.expect(409);
    assert!(activated.json()["detail"].as_str().unwrap().contains("rotate_secret"));
    app.client().get(&path).await.expect(200);
    app.client().patch(&path, &json!({ "url": "https://example.com/other" })).await.expect(200);
    let rotated = app
        .client()
        .post(&format!("{path}/rotate_secret"), &json!({ "overlapSeconds": 60 }))
        .await
        .expect(200);
    assert_ne!(rotated.json()["signingSecret"], made["signingSecret"]);
    app.client().patch(&path, &json!({ "active": true })).await.expect(200);
    app.client().delete(&path).await.expect(200);
}

#[tokio::test]
async fn a_database_from_before_there_was_a_key_of_digests_is_compared_by_what_it_holds() {
    let app = TestApp::start().await;
    let key_status = async |keys: Option<SecretKeys>| {
        app.store.read(move |tx| server_keys::key_status(tx, keys.as_ref())).await.unwrap()
    };
    assert_eq!(key_status(None).await, KeyStatus::Unused);
    assert_eq!(key_status(Some(new().into())).await, KeyStatus::Unused);
    subscribe(&app, 0).await;
    assert_eq!(key_status(Some(old().into())).await, KeyStatus::Open);
    for keys in [None, Some(new().into())] {
        let KeyStatus::Locked(sealed) = key_status(keys).await else { panic!("not locked") };
        let Amounts { subscriptions, model_keys, answers, erased, .. } = sealed.amounts;
        assert_eq!((subscriptions, model_keys, answers, erased), (1, 0, 1, 0));
        assert_eq!(sealed.fingerprint, None);
    }
    let stranger = Platform::new(Clock::manual(app.platform.clock().now()), Random::seeded(9));
    stranger.keep_secret(new());
    let context = stranger.context();
    let key = app.store.write(move |tx| server_keys::digest_key(tx, &context)).await.unwrap();
    assert!(key.is_none(), "and no key of digests is begun");
    platform(&app, old().into()).await;
    let KeyStatus::Locked(sealed) = key_status(None).await else { panic!("not locked") };
    assert_eq!(sealed.fingerprint, Some(old().fingerprint()));
    // A rotation takes the fingerprint along.
    let both = platform(&app, SecretKeys::new(new(), vec![old()])).await;
    walk(&app, &both, 100).await;
    let KeyStatus::Locked(sealed) = key_status(Some(old().into())).await else { panic!("not locked") };
    assert_eq!(sealed.fingerprint, Some(new().fingerprint()));
}

#[tokio::test]
async fn giving_up_can_be_ended_anywhere_and_leaves_what_opens() {
    let app = TestApp::start().await;
    for number in 0..3 {
        subscribe(&app, number).await;
    }
    let hook = json!({ "url": "https://example.com/hook" });
    app.client().send("PUT", "/v0/enrichment_hook", Some(hook.to_string().into_bytes())).await.expect(200);
    platform(&app, old().into()).await;
    // One subscription is sealed under the new key already.
    app.platform.keep_secret(new());
    let kept =
        app.client().post(SUBSCRIPTIONS, &json!({ "url": "https://example.com/kept" })).await.expect(201);
    let context = app.platform.context();
    let mut at = Walk::Subscriptions(None);
    let mut told = Vec::new();
    // The first two, then everything from the beginning.
    for restart in [true, false, false, false, false, false, false, false] {
        let (context, from) = (context.clone(), at.clone());
        let (next, found) =
            app.store.write(move |tx| server_keys::give_up(tx, &context, &from, 2)).await.unwrap();
        told.extend(found);
        at = if restart { Walk::Subscriptions(None) } else { next };
    }
    assert_eq!(at, Walk::Over);
    let subscriptions = told.iter().filter(|one| matches!(one, Lost::Subscription(..))).count();
    assert_eq!((subscriptions, told.len()), (3, 5), "{told:?}");
    assert_eq!(told[3], Lost::Hook(app.tenant.clone()));
    assert_eq!(told.last(), Some(&Lost::Digests { answers: 3, erased: 0 }));
    let path = format!("{SUBSCRIPTIONS}/{}", kept.json()["subscriptionId"].as_str().unwrap());
    assert_eq!(app.client().get(&path).await.expect(200).json()["active"], json!(true));
    assert_eq!(app.client().get("/v0/enrichment_hook").await.expect(200).json()["active"], json!(false));
    let keys = SecretKeys::from(new());
    assert_eq!(
        app.store.read(move |tx| server_keys::key_status(tx, Some(&keys))).await.unwrap(),
        KeyStatus::Open
    );
    let audit = app.client().get("/v0/audit?action=server-key-accepted").await.expect(200).json();
    let subjects: Vec<&Value> =
        audit["items"].as_array().unwrap().iter().map(|entry| &entry["subject"]).collect();
    assert!(subjects.contains(&&json!("enrichment hook")), "{audit}");
    // Set again, it has another secret.
    let hook = json!({ "url": "https://example.com/hook" }).to_string().into_bytes();
    let set = app.client().send("PUT", "/v0/enrichment_hook", Some(hook)).await.expect(200).json();
    assert!(set["active"] == true && set["signingSecret"].as_str().unwrap().starts_with("whsec_"), "{set}");
    // What was given up is no longer counted as something that does not open.
    let (_, found) = walk(&app, &platform(&app, new().into()).await, 100).await;
    assert_eq!((found.already, found.closed), (2, 3), "the kept answers are refused until they expire");
}
