//! How versions are written: by whom, how often, and what of it counts.
//!
//! The test steps the workers: it claims for them, lets them run, and ends leases with its clock.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pagesmith_agent::AgentError;
use pagesmith_model::brief::Brief;
use pagesmith_model::key::Scope;
use pagesmith_operations::versions::generations::{Claimed, LEASE};
use pagesmith_worker::generation::{self, Heartbeat, LastTenants};
use pagesmith_worker::tools::Tools;
use serde_json::json;
use tokio::sync::{Notify, watch};

use super::{Actor, Scene, Then, text};
use crate::audiences;

/// A worker that has claimed the one version that waits.
async fn claimed(tools: &Tools) -> Claimed {
    let mut claimed = generation::claim(tools, &mut LastTenants::default(), 10).await.unwrap();
    assert_eq!(claimed.len(), 1);
    claimed.remove(0)
}

/// A worker with an agent that notes something and then writes for ever, and what makes it look up.
fn waiting(scene: &Scene) -> (Tools, Arc<Notify>) {
    let heartbeat = Arc::new(Notify::new());
    let mut tools = scene.app.tools();
    tools.generation.heartbeat = Heartbeat::ByHand(Arc::clone(&heartbeat));
    tools.generation.agent = Actor::new(|_, watch| {
        watch.so_far(&text("So far"));
        Then::Waits
    });
    (tools, heartbeat)
}

#[tokio::test]
async fn a_worker_that_is_lost_gives_its_version_back_when_its_lease_ends() {
    let scene = Scene::start().await;
    let (tools, _beat) = waiting(&scene);
    let lost =
        tokio::spawn(generation::attempt(tools.clone(), claimed(&tools).await, scene.stop.subscribe()));
    tokio::task::yield_now().await;
    lost.abort();
    assert_eq!(scene.statuses().await, ["processing"]);
    let started = scene.get(&scene.path(1).await).await;
    // The lease still lasts: nobody else may have it.
    scene.app.advance(LEASE - Duration::from_secs(1));
    scene.write().await;
    assert_eq!(scene.statuses().await, ["processing"]);
    scene.app.advance(Duration::from_secs(1));
    scene.write().await;
    let version = scene.get(&scene.path(1).await).await;
    assert_eq!(version["status"], "published");
    assert_eq!(version["queuedAt"], started["queuedAt"]);
    assert_eq!(version["queueDurationMs"], started["queueDurationMs"]);
}

#[tokio::test]
async fn what_a_slow_worker_writes_after_its_lease_has_ended_does_not_count() {
    let scene = Scene::start().await;
    let mut slow = scene.app.tools();
    slow.generation.agent = Actor::new(|_, _| Then::Writes(Box::new(text("Too late"))));
    let late = claimed(&slow).await;
    scene.app.advance(LEASE);
    scene.write().await;
    let content = format!("{}/content", scene.path(1).await);
    let before = (scene.get(&scene.path(1).await).await, scene.get(&content).await);
    generation::attempt(slow, late, scene.stop.subscribe()).await;
    assert_eq!((scene.get(&scene.path(1).await).await, scene.get(&content).await), before);
}

#[tokio::test]
async fn a_version_that_is_called_off_while_it_is_written_keeps_what_there_is() {
    let scene = Scene::start().await;
    let (tools, heartbeat) = waiting(&scene);
    let path = scene.path(1).await;
    let worker =
        tokio::spawn(generation::attempt(tools.clone(), claimed(&tools).await, scene.stop.subscribe()));
    heartbeat.notify_one();
    // Wait until the beat has been noted: the content is there with it.
    let tenant = scene.app.tenant.clone();
    let cancelled = loop {
        let (of, id) = (tenant.clone(), path.rsplit('/').next().unwrap().to_owned());
        let id = pagesmith_model::VersionId::parse(&id).unwrap();
        let noted = scene
            .app
            .store
            .read(move |tx| pagesmith_store::tables::versions::generations::so_far(tx, &of, &id));
        if noted.await.unwrap().is_some() {
            break scene.ask(&path, "cancel").await;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(cancelled["status"], "cancelled");
    // At its next beat the worker sees that nobody wants it any more.
    heartbeat.notify_one();
    worker.await.unwrap();
    assert_eq!(scene.get(&format!("{path}/content")).await["blocks"][0]["markdown"], "So far");
    assert_eq!(scene.ask(&path, "publish").await["status"], "published");
}

#[tokio::test]
async fn a_version_that_is_marked_while_it_is_written_goes_live_at_its_end() {
    let scene = Scene::with_draft().await;
    let tools = scene.app.tools();
    let at_work = claimed(&tools).await;
    assert_eq!(scene.ask(&scene.path(1).await, "publish").await["status"], "processing");
    generation::attempt(tools, at_work, scene.stop.subscribe()).await;
    assert_eq!(scene.statuses().await, ["published"]);
}

#[tokio::test]
async fn three_failed_tries_end_in_cancelled_with_a_rest_between_them() {
    let scene = Scene::start().await;
    scene.client.patch(&scene.audience, &json!({ "supplementaryContext": "Easy" })).await.expect(200);
    scene.add().await;
    let tries = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&tries);
    let mut tools = scene.app.tools();
    tools.generation.agent = Actor::new(move |brief: &Brief, _| {
        if brief.supplementary_context.is_some() {
            return Then::Writes(Box::new(text("x")));
        }
        counted.fetch_add(1, Ordering::SeqCst);
        Then::Fails(AgentError::retry(None, "busy"))
    });
    for expected in 1..=3 {
        generation::drain(&tools).await.unwrap();
        let seen = tries.load(Ordering::SeqCst);
        assert_eq!(seen, expected);
        if expected < 3 {
            assert_eq!(scene.statuses().await, ["queued", "pending"]);
            generation::drain(&tools).await.unwrap();
            assert_eq!(tries.load(Ordering::SeqCst), expected, "it must rest first");
            scene.app.advance(Duration::from_secs(10));
        }
    }
    // The next has its turn.
    assert_eq!(scene.statuses().await, ["cancelled", "draft"]);
}

#[tokio::test]
async fn an_error_that_stays_and_a_panic_do_no_more_than_end_the_try() {
    let scene = Scene::start().await;
    let mut tools = scene.app.tools();
    tools.generation.agent = Actor::new(|_, _| panic!("on purpose"));
    generation::drain(&tools).await.unwrap();
    assert_eq!(scene.statuses().await, ["queued"]);
    scene.app.advance(Duration::from_secs(10));
    tools.generation.agent = Actor::new(|_, _| Then::Fails(AgentError::permanent("no such model")));
    generation::drain(&tools).await.unwrap();
    assert_eq!(scene.statuses().await, ["cancelled"]);
}

#[tokio::test]
async fn a_document_that_breaks_rules_is_never_kept() {
    let scene = Scene::start().await;
    let mut tools = scene.app.tools();
    let wrong =
        json!({ "blocks": [{ "type": "hero", "blockId": "h", "title": "T", "actionIds": ["gone"] }] });
    let wrong: pagesmith_model::content::Content = serde_json::from_value(wrong).unwrap();
    tools.generation.agent = Actor::new(move |_, _| Then::Writes(Box::new(wrong.clone())));
    for _ in 0..3 {
        generation::drain(&tools).await.unwrap();
        scene.app.advance(Duration::from_secs(10));
    }
    assert_eq!(scene.statuses().await, ["cancelled"]);
    scene.client.get(&format!("{}/content", scene.path(1).await)).await.expect(404);
}

#[tokio::test]
async fn a_process_that_stops_leaves_its_version_to_others_at_once() {
    let scene = Scene::start().await;
    let (tools, _beat) = waiting(&scene);
    let (stop, stopping) = watch::channel(false);
    let running = tokio::spawn(generation::run(tools, stopping));
    while scene.statuses().await != ["processing"] {
        tokio::task::yield_now().await;
    }
    stop.send_replace(true);
    running.await.unwrap();
    let version = scene.get(&scene.path(1).await).await;
    assert_eq!(version["status"], "queued");
    assert_eq!(scene.get(&format!("{}/progress", scene.path(1).await)).await["tries"], 0);
    scene.write().await;
    assert_eq!(scene.statuses().await, ["published"]);
}

#[tokio::test]
async fn work_is_begun_at_once_when_somebody_calls() {
    let scene = Scene::start().await;
    let (stop, stopping) = watch::channel(false);
    let running = tokio::spawn(generation::run(scene.app.tools(), stopping));
    while scene.statuses().await != ["published"] {
        tokio::task::yield_now().await;
    }
    scene.add().await;
    while scene.statuses().await != ["published", "draft"] {
        tokio::task::yield_now().await;
    }
    stop.send_replace(true);
    running.await.unwrap();
}

#[tokio::test]
async fn a_tenant_with_much_to_do_does_not_delay_another() {
    let scene = Scene::start().await;
    let page = scene.audience.split_once("/audiences/").unwrap().0.to_owned();
    for _ in 0..29 {
        audiences::audience(&scene.client, &page, &json!({})).await;
    }
    scene.app.add_tenant("globex").await;
    let key = scene.app.add_key("globex", Scope::Write).await;
    let other = scene.app.client_with(&key);
    let page = audiences::page(&other).await;
    for _ in 0..2 {
        audiences::audience(&other, &page, &json!({})).await;
    }
    let tools = scene.app.tools();
    let mut turn = LastTenants::default();
    // One at a time they take turns; several at a time they share.
    let mut seen = Vec::new();
    for _ in 0..4 {
        seen.push(generation::claim(&tools, &mut turn, 1).await.unwrap().remove(0).of.tenant);
    }
    assert_ne!(seen[0], seen[1]);
    assert_eq!((&seen[0], &seen[1]), (&seen[2], &seen[3]));
    let rest = generation::claim(&tools, &mut turn, 8).await.unwrap();
    assert!(rest.iter().all(|claimed| claimed.of.tenant == scene.app.tenant) && rest.len() == 8);
    let again = generation::claim(&tools, &mut turn, 100).await.unwrap();
    assert_eq!(again.len(), 30 - 2 - 8);
}

#[tokio::test]
async fn two_workers_never_hold_the_same_version() {
    let scene = Scene::start().await;
    let page = scene.audience.split_once("/audiences/").unwrap().0.to_owned();
    for _ in 0..11 {
        audiences::audience(&scene.client, &page, &json!({})).await;
    }
    let tools = scene.app.tools();
    let claims = (0..4).map(|_| {
        let tools = tools.clone();
        tokio::spawn(async move { generation::claim(&tools, &mut LastTenants::default(), 3).await.unwrap() })
    });
    let mut versions = Vec::new();
    for claim in claims.collect::<Vec<_>>() {
        versions.extend(claim.await.unwrap().into_iter().map(|claimed| claimed.of.version_id));
    }
    let all = versions.len();
    versions.sort();
    versions.dedup();
    assert_eq!((versions.len(), all >= 3), (all, true));
}

#[tokio::test]
async fn under_a_deleted_page_nothing_is_written() {
    let scene = Scene::start().await;
    let page = scene.audience.split_once("/audiences/").unwrap().0.to_owned();
    scene.client.delete(&page).await.expect(200);
    scene.write().await;
    scene.client.post(&format!("{page}/restore"), &json!({})).await.expect(200);
    assert_eq!(scene.statuses().await, ["cancelled"]);
}

#[tokio::test]
async fn an_agent_is_told_of_the_page_the_person_and_what_happened_lately() {
    let scene = Scene::start().await;
    scene.write().await;
    let entry = json!({ "email": "jane@initech.com", "name": "Jane Doe", "source": "crm", "type": "call", "payload": { "n": 1 } });
    let person = scene.client.post("/v0/person_logs", &entry).await.expect(201).json();
    scene.app.advance(Duration::from_secs(1));
    let entry = json!({ "domain": "initech.com", "source": "erp", "type": "order", "payload": { "n": 2 } });
    scene.client.post("/v0/account_logs", &entry).await.expect(201);
    let page = audiences::page_of(&scene.client, &pagesmith_testkit::fixtures::full_page()).await;
    let body = json!({
        "personId": person["personId"], "supplementaryContext": "Wants a demo",
        "actionUrlOverride": "https://acme.example/jane",
    });
    audiences::audience(&scene.client, &page, &body).await;
    let heard = Arc::new(Mutex::new(None));
    let told = Arc::clone(&heard);
    let mut tools = scene.app.tools();
    tools.generation.agent = Actor::new(move |brief: &Brief, _| {
        *told.lock().unwrap() = Some(brief.clone());
        Then::Writes(Box::new(text("x")))
    });
    generation::drain(&tools).await.unwrap();
    let brief = heard.lock().unwrap().take().unwrap();
    assert_eq!(
        (brief.page_name.as_str(), brief.supplementary_context.as_deref()),
        ("Spring Launch", Some("Wants a demo"))
    );
    let about = brief.person.unwrap();
    assert_eq!((about.name.as_str(), about.email.as_deref()), ("Jane Doe", Some("jane@initech.com")));
    assert_eq!(brief.account.unwrap().domain, "initech.com");
    let kinds: Vec<&str> = brief.logs.iter().map(|log| log.kind.as_str()).collect();
    assert_eq!(kinds, ["order", "call"]);
    let actions = serde_json::to_value(&brief.actions).unwrap();
    assert_eq!(actions[0]["url"], "https://acme.example/jane");
}
