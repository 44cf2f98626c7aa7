//! Servers that are killed with SIGKILL: what one was writing another worker finishes, when the lease has ended and not before; what was
//! scheduled happens.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_agent::Template;
use pagesmith_file_storage::Storage;
use pagesmith_model::ServerId;
use pagesmith_model::agent::AgentSettings;
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::tenant_domains::check::{DnsChecker, Installation, NoNames};
use pagesmith_operations::tenant_domains::map::DomainMap;
use pagesmith_operations::versions::generations::LEASE;
use pagesmith_operations::{Clock, Platform, Random};
use pagesmith_store::{Extent, Store, StoreOptions, tables};
use pagesmith_testkit::fixtures;
use pagesmith_testkit::model_server::{ModelServer, Reply};
use pagesmith_worker::delivery::DeliveryConfig;
use pagesmith_worker::egress::{Egress, Options};
use pagesmith_worker::enrichment::EnrichmentConfig;
use pagesmith_worker::generation::{self, GenerationConfig, GenerationMetrics, Heartbeat, Models};
use pagesmith_worker::limited_process::documents::DocumentReader;
use pagesmith_worker::limited_process::pictures::PictureReader;
use pagesmith_worker::pictures::PictureConfig;
use pagesmith_worker::reading::ReadingConfig;
use pagesmith_worker::tasks;
use pagesmith_worker::tools::Tools;
use serde_json::json;
use tokio::sync::Notify;

use crate::process::{Instance, KEY, Server, eventually};

/// A worker of another process on that database, whose clock is so far ahead; the template writes for it.
pub(crate) fn another_worker(database: &str, ahead: Duration) -> Tools {
    let store = Store::open(StoreOptions::new(database.parse().unwrap())).unwrap();
    let outwards = || Arc::new(Egress::new(&Options::new("127.0.0.0/8".parse().unwrap())));
    Tools {
        keys: Arc::new(KeyRing::new(store.clone())),
        files: Storage::in_memory(),
        platform: Platform::new(Clock::manual(Clock::System.now().plus(ahead)), Random::seeded(1)),
        domains: Arc::new(DomainMap::new(store.clone())),
        salts: Arc::default(),
        dns_checker: DnsChecker::new(Arc::new(NoNames), Installation::default()),
        certificates: None,
        mailer: None,
        erasures: Arc::default(),
        session_timeout: pagesmith_model::visit::SESSION_TIMEOUT,
        generation: GenerationConfig {
            agent: Arc::new(Template),
            models: Models::new(AgentSettings::default(), outwards()),
            concurrency: 1,
            heartbeat: Heartbeat::ByHand(Arc::default()),
            metrics: GenerationMetrics::default(),
        },
        delivery: DeliveryConfig::new(outwards()),
        enrichment: EnrichmentConfig {
            egress: Egress::new(&Options::new("127.0.0.0/8".parse().unwrap())),
            site_address: Arc::new(|slug, path| format!("http://{slug}.localhost{path}")),
        },
        reading: ReadingConfig::new(
            Egress::new(&Options::new("127.0.0.0/8".parse().unwrap())),
            DocumentReader::new(env!("CARGO_BIN_EXE_pagesmith").into()),
        ),
        pictures: PictureConfig {
            reader: PictureReader::like(&DocumentReader::new(env!("CARGO_BIN_EXE_pagesmith").into())),
            makes_avif: false,
            quota: u64::MAX,
        },
        server: Arc::new(tables::servers::Server {
            server_id: ServerId::parse("server_00000000000000000000000000").unwrap(),
            host: "another".to_owned(),
            version: "0.0.1".to_owned(),
            started_at: Clock::System.now(),
            seen_at: Clock::System.now(),
        }),
        outage: Arc::default(),
        store,
    }
}

#[test]
fn a_version_whose_server_is_killed_while_it_writes_is_finished_by_another() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let model = runtime.block_on(ModelServer::start());
    let beginning = json!({ "blocks": [{ "type": "hero", "title": "Half of a page" }] }).to_string();
    model.reply([Reply::Waits(beginning, Arc::new(Notify::new()))]);
    let instance = Instance::new();
    let server = instance.serve_with(&[
        ("AGENT_KIND", "openai"),
        ("AGENT_BASE_URL", &model.url()),
        ("AGENT_MODEL", "scribe-1"),
        ("EGRESS_ALLOW", "127.0.0.0/8"),
    ]);
    let page = server.post("/v0/pages", KEY, &fixtures::page("Spring")).expect(201).json();
    let audiences = format!("/v0/pages/{}/audiences", page["pageId"].as_str().unwrap());
    let audience = server.post(&audiences, KEY, &json!({})).expect(201).json();
    let version = audience["latestVersion"]["versionId"].as_str().unwrap();
    let path = format!("{audiences}/{}/versions/{version}", audience["audienceId"].as_str().unwrap());
    let status = |server: &Server| server.get(&path, KEY).expect(200).json()["status"].clone();
    runtime.block_on(model.wait_for(1));
    eventually("the version is being written", || (status(&server) == "processing").then_some(()));
    server.kill();

    let write =
        |ahead| runtime.block_on(generation::drain(&another_worker(&instance.database, ahead))).unwrap();
    write(Duration::ZERO);
    let server = instance.serve();
    assert_eq!(status(&server), "processing", "its lease has not ended");
    server.kill();
    // Its last renewal was earlier than now.
    write(LEASE);
    let server = instance.serve();
    assert_eq!(status(&server), "published");
    let progress = server.get(&format!("{path}/progress"), KEY).expect(200).json();
    assert_eq!((&progress["tries"], &progress["problem"]), (&json!(2), &json!(null)));
    server.stop();
}

#[test]
fn a_schedule_that_was_set_before_a_server_was_killed_is_carried_out_after_it_once() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let instance = Instance::new();
    let server = instance.serve();
    let page = server.post("/v0/pages", KEY, &fixtures::page("Spring")).expect(201).json();
    let audiences = format!("/v0/pages/{}/audiences", page["pageId"].as_str().unwrap());
    let audience = server.post(&audiences, KEY, &json!({ "publishBehavior": "draft" })).expect(201).json();
    let version = audience["latestVersion"]["versionId"].as_str().unwrap();
    let path = format!("{audiences}/{}/versions/{version}", audience["audienceId"].as_str().unwrap());
    let status = |server: &Server| server.get(&path, KEY).expect(200).json()["status"].clone();
    eventually("the version is written", || (status(&server) == "draft").then_some(()));
    // Soon enough for this test to see a server do it, and late enough for the first one not to.
    let (publish_at, unpublish_at) =
        (Clock::System.now().plus(Duration::from_secs(3)), Clock::System.now().plus(Duration::from_hours(1)));
    let times = json!({ "publishAt": publish_at, "unpublishAt": unpublish_at });
    let schedule = format!("{path}/schedule");
    server.connect().call("PUT", &schedule, Some(KEY), Some(&times)).unwrap().expect(200);
    server.kill();
    let killed_at = Clock::System.now();
    assert!(killed_at < publish_at, "this machine is too slow for this test");

    let server = instance.serve();
    eventually("the version is live", || (status(&server) == "published").then_some(()));
    let kept = server.get(&schedule, KEY).expect(200).json();
    assert_eq!((&kept["publishAt"], &kept["unpublishAt"]), (&json!(null), &json!(unpublish_at)));
    server.kill();

    // An hour later, when no server of this instance has run since, two are started at once.
    let [one, other] = [1, 2].map(|hours| another_worker(&instance.database, Duration::from_hours(hours)));
    let task = tasks::TASKS.iter().find(|task| task.name == "carry_out_schedules").unwrap();
    let (first, second) = runtime.block_on(async { tokio::join!(task.run(&one), task.run(&other)) });
    first.unwrap();
    second.unwrap();

    let server = instance.serve();
    assert_eq!(status(&server), "archived");
    server.get(&schedule, KEY).expect(404);
    let history = server.get(&format!("{path}/history?limit=100"), KEY).expect(200).json();
    let done = history["items"].as_array().unwrap().iter().map(|item| item["action"].as_str().unwrap());
    assert_eq!(done.collect::<Vec<_>>()[..3], ["unpublished", "published", "scheduled"]);
    server.stop();
    let events = one.store.read(|tx| {
        let tenant = tables::tenants::list(tx)?.remove(0).tenant_id;
        tables::events::list(tx, &tenant, None, None, None, Extent::of_items(usize::MAX))
    });
    let events = runtime.block_on(events).unwrap().items;
    let published = events.iter().filter(|event| event.kind == "page.version.published").count();
    assert_eq!(published, 1, "{events:?}");
}
