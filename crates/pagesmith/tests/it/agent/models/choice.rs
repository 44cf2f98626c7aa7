//! Who writes for whom: the server's agent, or a tenant's own, from the next version on.

use std::sync::Arc;

use pagesmith_model::agent::{AgentKind, AgentSettings, ApiKey};
use pagesmith_model::key::Scope;
use pagesmith_model::network::Networks;
use pagesmith_model::seal::SecretKey;
use pagesmith_model::version::VersionStatus::{Cancelled, Published};
use pagesmith_operations::agent::{self, Change};
use pagesmith_operations::{Clock, Platform, Random};
use pagesmith_testkit::model_server::Reply;
use pagesmith_worker::generation;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::{KEY, Scene, says, status};
use crate::audiences;

const OWN_KEY: &str = "sk-of-acme-0815";

/// An agent of the tenant's own at the model's address.
fn own(scene: &Scene, kind: AgentKind) -> Change {
    Change {
        kind: Some(kind),
        base_url: Some(scene.model.url()),
        model: Some("own-1".to_owned()),
        key: ApiKey::parse(OWN_KEY),
        ..Change::default()
    }
}

fn networks() -> Networks {
    "127.0.0.0/8".parse().unwrap()
}

async fn change(scene: &Scene, change: Change) -> pagesmith_model::Result<()> {
    let ctx = scene.app.platform.context().of(scene.app.tenant.clone());
    let usual = scene.tools.generation.models.usual.clone();
    scene.app.store.write(move |tx| agent::change(tx, &ctx, &change, &usual, &networks())).await
}

async fn written_by(scene: &Scene) -> (String, Value) {
    let version = scene.asked([]).await;
    let (state, _) = scene.state(&version).await;
    (state, scene.progress(&version).await["usage"]["model"].clone())
}

#[tokio::test]
async fn a_tenants_own_agent_counts_from_the_next_version_on_and_for_nobody_else() {
    let mut scene = Scene::start(AgentKind::OpenAi).await;
    scene.set(|agent| *agent = AgentSettings::default());
    scene.model.reply([says(), says(), says()]);
    assert_eq!(written_by(&scene).await, (status(Published), Value::Null));
    change(&scene, own(&scene, AgentKind::Anthropic)).await.unwrap();
    assert_eq!(written_by(&scene).await, (status(Published), json!("own-1")));
    assert_eq!(scene.model.asked()[0].headers["x-api-key"], OWN_KEY);
    change(&scene, Change { model: Some("own-2".to_owned()), ..Change::default() }).await.unwrap();
    assert_eq!(written_by(&scene).await, (status(Published), json!("own-2")));

    scene.app.add_tenant("globex").await;
    let other = scene.app.client_with(&scene.app.add_key("globex", Scope::Write).await);
    let page = audiences::page_of(&other, &super::page()).await;
    audiences::audience(&other, &page, &json!({})).await;
    scene.write().await;
    assert_eq!(scene.model.asked().len(), 2);

    let ctx = scene.app.platform.context().of(scene.app.tenant.clone());
    scene.app.store.write(move |tx| agent::clear(tx, &ctx)).await.unwrap();
    assert_eq!(written_by(&scene).await, (status(Published), Value::Null));
}

#[tokio::test]
async fn a_tenant_may_have_the_template_where_others_have_a_model() {
    let scene = Scene::start(AgentKind::OpenAi).await;
    let template = Change { kind: Some(AgentKind::Template), ..Change::default() };
    change(&scene, template).await.unwrap();
    assert_eq!(written_by(&scene).await, (status(Published), Value::Null));
    assert_eq!(scene.model.asked().len(), 0);
}

#[tokio::test]
async fn nothing_of_the_servers_agent_is_mixed_into_a_tenants_own() {
    let scene = Scene::start(AgentKind::OpenAi).await;
    scene.model.reply([says()]);
    change(&scene, Change { key: None, ..own(&scene, AgentKind::OpenAi) }).await.unwrap();
    assert_eq!(written_by(&scene).await, (status(Published), json!("own-1")));
    assert_eq!(scene.model.asked()[0].headers.get("authorization"), None);
    assert_eq!(scene.months().await[0].used.cost.micros(), 0);
}

#[tokio::test]
async fn what_does_not_fit_is_refused_and_changes_nothing() {
    let scene = Scene::start(AgentKind::OpenAi).await;
    let refused = async |wrong: Change| change(&scene, wrong).await.unwrap_err().to_string();
    let message = refused(Change { model: Some("m".to_owned()), ..Change::default() }).await;
    assert!(message.contains("--kind openai"), "{message}");
    let message = refused(Change { model: None, ..own(&scene, AgentKind::OpenAi) }).await;
    assert!(message.contains("--model must be"), "{message}");
    let message = refused(Change { base_url: None, key: None, ..own(&scene, AgentKind::Anthropic) }).await;
    assert!(message.contains("--key-file must hold the key for https://api.anthropic.com"), "{message}");
    let elsewhere =
        Change { base_url: Some("http://10.0.0.1/v1".to_owned()), ..own(&scene, AgentKind::OpenAi) };
    assert!(refused(elsewhere).await.contains("--base-url must be"));
    let costly = Change { cost_budget: Some("5".parse().unwrap()), ..own(&scene, AgentKind::OpenAi) };
    assert!(refused(costly).await.contains("--cost-budget must be 0"));
    let tenant = scene.app.tenant.clone();
    let kept = scene.app.store.read(move |tx| pagesmith_store::tables::agent::find(tx, &tenant));
    assert_eq!(kept.await.unwrap(), None);
}

#[tokio::test]
async fn a_key_goes_to_the_address_that_it_was_given_for() {
    let scene = Scene::start(AgentKind::OpenAi).await;
    change(&scene, own(&scene, AgentKind::OpenAi)).await.unwrap();
    let moved = Change { base_url: Some("https://models.example/v1".to_owned()), ..Change::default() };
    let message = change(&scene, moved.clone()).await.unwrap_err().to_string();
    assert!(message.contains("given for another address"), "{message}");
    change(&scene, Change { key: ApiKey::parse("sk-new"), ..moved }).await.unwrap();
    // Another kind begins anew, without address and key.
    let other = Change { kind: Some(AgentKind::Anthropic), model: Some("m".to_owned()), ..Change::default() };
    let message = change(&scene, other).await.unwrap_err().to_string();
    assert!(message.contains("--key-file must hold"), "{message}");
}

#[tokio::test]
async fn a_key_is_stored_sealed_and_opens_under_the_servers_key_alone() {
    let mut scene = Scene::start(AgentKind::OpenAi).await;
    change(&scene, own(&scene, AgentKind::OpenAi)).await.unwrap();
    let stored = scene.app.database.everything(&scene.app.store).await;
    let holds = |key: &str| stored.windows(key.len()).any(|window| window == key.as_bytes());
    assert!(!holds(OWN_KEY) && !holds(KEY) && holds("own-1"));

    let clock = Clock::manual(scene.app.platform.clock().now());
    let platform = Platform::new(clock, Random::seeded(8));
    platform.keep_secret(SecretKey::new([8; 32]));
    scene.tools.platform = platform;
    let version = scene.asked([says()]).await;
    let (status_now, why) = scene.state(&version).await;
    assert_eq!(status_now, status(Cancelled));
    assert!(why.as_ref().is_some_and(|why| why.contains("server key that is gone")), "{why:?}");
    assert_eq!(scene.model.asked().len(), 0);
}

#[tokio::test]
async fn nobody_waits_behind_a_slow_model() {
    let mut scene = Scene::start(AgentKind::OpenAi).await;
    scene.set(|agent| *agent = AgentSettings::default());
    change(&scene, own(&scene, AgentKind::OpenAi)).await.unwrap();
    scene.tools.generation.models.concurrency = 2;
    let gate = Arc::default();
    scene.model.reply(vec![Reply::Waits(super::document(), Arc::clone(&gate)); 2]);
    for _ in 0..4 {
        scene.ask().await;
    }
    scene.app.add_tenant("globex").await;
    let other = scene.app.client_with(&scene.app.add_key("globex", Scope::Write).await);
    let page = audiences::page_of(&other, &super::page()).await;
    let stop = watch::Sender::new(false);
    let running = tokio::spawn(generation::run(scene.tools.clone(), stop.subscribe()));
    scene.model.wait_for(2).await;
    for _ in 0..3 {
        let audience = audiences::audience(&other, &page, &json!({})).await;
        while other.get(&audience).await.expect(200).json()["status"] != "published" {
            tokio::task::yield_now().await;
        }
    }
    // Two hands for models, and both are still held.
    assert_eq!(scene.model.asked().len(), 2);
    stop.send_replace(true);
    running.await.unwrap();
}
