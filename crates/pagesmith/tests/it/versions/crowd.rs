//! Callers and workers at once: whatever meets whom, the promises hold and nothing is left over.

use std::collections::HashMap;
use std::sync::Arc;

use pagesmith_agent::Step;
use pagesmith_store::tables::events::Event;
use pagesmith_worker::generation;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::{Actor, Scene, Then, text};
use crate::audiences;

/// What a caller does, a number at a time; the answer may be a refusal, never a fault.
async fn act(client: &pagesmith_testkit::Client, audience: &str, number: usize) {
    let versions = client.get(&format!("{audience}/versions?limit=100")).await.expect(200).json();
    let versions: Vec<&str> = versions["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["versionId"].as_str().unwrap())
        .collect();
    let version = format!("{audience}/versions/{}", versions[number * 7 % versions.len()]);
    let nothing = json!({});
    let answer = match number % 8 {
        0 | 1 => client.post(&format!("{audience}/versions"), &nothing).await,
        2 | 3 => client.post(&format!("{version}/cancel"), &nothing).await,
        4 | 5 => client.post(&format!("{version}/publish"), &nothing).await,
        6 if number.is_multiple_of(3) => client.delete(audience).await,
        _ => client.post(&format!("{audience}/restore"), &nothing).await,
    };
    assert!(answer.status.is_success() || answer.status == 409, "{}", answer.text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn callers_and_workers_at_once_break_no_promise() {
    let scene = Scene::start().await;
    let page = scene.audience.split_once("/audiences/").unwrap().0.to_owned();
    let mut paths = vec![scene.audience.clone()];
    for _ in 0..2 {
        paths.push(audiences::audience(&scene.client, &page, &json!({})).await);
    }
    let (stop, stopping) = watch::channel(false);
    let workers: Vec<_> = (0..2)
        .map(|_| {
            let mut tools = scene.app.tools();
            tools.generation.concurrency = 3;
            tools.generation.agent = Actor::new(|_, watch| {
                watch.step(Step::Planning);
                Then::Writes(Box::new(text("x")))
            });
            tokio::spawn(generation::run(tools, stopping.clone()))
        })
        .collect();
    let paths = Arc::new(paths);
    let callers: Vec<_> = (0..4_usize)
        .map(|caller| {
            let (client, paths) = (scene.client.clone(), Arc::clone(&paths));
            tokio::spawn(async move {
                for step in 0..24 {
                    act(&client, &paths[(caller + step) % paths.len()], caller * 5 + step).await;
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
    stop.send_replace(true);
    for worker in workers {
        worker.await.unwrap();
    }
    scene.write().await;
    let told = told(&scene).await;
    let mut shown = 0;
    for path in paths.iter() {
        let listed = scene.get(&format!("{path}/versions?limit=100")).await;
        let versions = listed["items"].as_array().unwrap();
        assert_eq!(listed["totalCount"], versions.len());
        let live: Vec<&Value> = versions.iter().filter(|version| version["status"] == "published").collect();
        assert!(live.len() <= 1, "{listed:#}");
        let audience = scene.get(path).await;
        assert_eq!(audience["publishedVersion"], live.first().map_or(Value::Null, |live| (*live).clone()));
        shown += i64::from(!live.is_empty() && audience["archivedAt"] == Value::Null);
        for (version, number) in versions.iter().zip((1..=versions.len()).rev()) {
            assert_eq!(version["versionNumber"], number);
            let status = version["status"].as_str().unwrap();
            assert!(!["pending", "queued", "processing"].contains(&status), "{version}");
            let of = |kind: &str| {
                told.get(&(version["versionId"].to_string(), kind.to_owned())).copied().unwrap_or(0)
            };
            assert_eq!(of("page.version.created"), 1);
            assert_eq!(of("page.version.processed"), usize::from(version["becameDraftAt"] != Value::Null));
            assert_eq!(of("page.version.published") > 0, version["publishedAt"] != Value::Null);
        }
    }
    let page = scene.get(&page).await;
    let archived = i64::try_from(paths.len()).unwrap() - page["audiencesCount"].as_i64().unwrap();
    let mut really = 0;
    for path in paths.iter() {
        really += i64::from(scene.get(path).await["archivedAt"] != Value::Null);
    }
    assert_eq!((archived, page["status"] == "published"), (really, shown > 0));
}

/// How often each thing was told of each version.
async fn told(scene: &Scene) -> HashMap<(String, String), usize> {
    let events = scene.events().await;
    let mut told = HashMap::new();
    for Event { kind, body, .. } in events {
        let body: Value = serde_json::from_str(body.as_str()).unwrap();
        *told.entry((body["payload"]["versionId"].to_string(), kind)).or_default() += 1;
    }
    told
}
