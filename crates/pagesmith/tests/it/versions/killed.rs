//! A server that is killed with SIGKILL while it writes a version: another worker finishes it, when the lease has ended and not before.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_agent::Template;
use pagesmith_file_storage::Storage;
use pagesmith_model::ServerId;
use pagesmith_model::agent::AgentSettings;
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::tenant_domains::look::{Installation, Looks, NoNames};
use pagesmith_operations::tenant_domains::map::DomainMap;
use pagesmith_operations::versions::generations::LEASE;
use pagesmith_operations::{Clock, Platform, Random};
use pagesmith_store::{Store, StoreOptions};
use pagesmith_testkit::fixtures;
use pagesmith_testkit::model_server::{ModelServer, Reply};
use pagesmith_worker::delivery::DeliveryConfig;
use pagesmith_worker::document_reader::DocumentReader;
use pagesmith_worker::egress::{Egress, Options};
use pagesmith_worker::enrichment::EnrichmentConfig;
use pagesmith_worker::generation::{self, GenerationConfig, GenerationMetrics, Heartbeat, Models};
use pagesmith_worker::picture_reader::PictureReader;
use pagesmith_worker::pictures::PictureConfig;
use pagesmith_worker::reading::ReadingConfig;
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
        looks: Looks::new(Arc::new(NoNames), Installation::default()),
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
            quota: u64::MAX,
        },
        server: Arc::new(pagesmith_store::tables::servers::Server {
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
