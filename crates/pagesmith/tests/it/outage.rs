//! A part of the database is away: work goes on for the tenants whose rows can be reached.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use pagesmith_model::TenantId;
use pagesmith_model::key::Scope;
use pagesmith_testkit::database::{Held, ask_at, is_sharded};
use pagesmith_testkit::receiver::Script;
use pagesmith_testkit::{Client, Receiver, TestApp};
use pagesmith_worker::delivery;
use pagesmith_worker::generation::{self, LastTenants};
use pagesmith_worker::reading;
use pagesmith_worker::tools::Tools;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::audiences;
use crate::pruning::{lock_others, partition_of};
use crate::topics::entries;
use crate::topics::entries::{make, topic};

/// A tenant with a receiver of its events.
struct Owner {
    tenant: TenantId,
    client: Client,
    receiver: Receiver,
    page: String,
    /// An entry that is to be read.
    entry: String,
}

impl Owner {
    async fn make(app: &TestApp, name: &str) -> Owner {
        let tenant = app.add_tenant(name).await;
        let client = app.client_with(&app.add_key(name, Scope::Write).await);
        let receiver = Receiver::start().await;
        client.post("/v0/webhook_subscriptions", &json!({ "url": receiver.url() })).await.expect(201);
        let page = audiences::page(&client).await;
        let (_, entries) = topic(&client, "Addresses").await;
        let entry = make(&client, &entries, &entries::page("mailto:nobody@acme.example")).await;
        let entry = entries::path(&entries, &entry);
        Owner { tenant, client, receiver, page, entry }
    }

    /// Gives the background something to do: a version to be written, and events to be sent.
    async fn add_work(&self) {
        audiences::audience(&self.client, &self.page, &json!({})).await;
    }

    /// Whether the newest version was written.
    async fn is_written(&self) -> bool {
        let page = self.client.get(&self.page).await.expect(200).json();
        page["status"] == "published"
    }

    /// Whether reading the entry was tried.
    async fn is_tried(&self) -> bool {
        let entry = self.client.get(&self.entry).await.expect(200).json();
        entry["content"]["enrichmentStatus"] == "failed"
    }

    /// How many of its deliveries wait.
    async fn waiting(&self, app: &TestApp) -> String {
        let count = format!(
            "SELECT CAST(COUNT(*) AS TEXT) FROM deliveries WHERE tenant_id = '{}' AND stage = 'waiting'",
            self.tenant
        );
        ask_at(&app.database.address, &count).await
    }

    /// The types of the events that arrived.
    fn told(&self) -> BTreeSet<String> {
        self.receiver.arrived().iter().map(pagesmith_testkit::receiver::Arrived::kind).collect()
    }
}

/// Everything that a version tells of.
fn all() -> BTreeSet<String> {
    ["created", "processed", "published"].map(|what| format!("page.version.{what}")).into()
}

async fn app(time_limit: Duration) -> TestApp {
    TestApp::with(|plan| {
        plan.settings.allowed_networks = "127.0.0.0/8".parse().unwrap();
        plan.options = Box::new(move |options| options.time_limit = time_limit);
    })
    .await
}

async fn work(tools: &Tools) {
    generation::drain(tools).await.unwrap();
    delivery::drain(tools).await.unwrap();
    reading::drain(tools).await.unwrap();
}

#[tokio::test]
async fn tenants_are_served_one_by_one_while_they_cannot_be_looked_at_together() {
    let app = app(Duration::from_secs(10)).await;
    // More than one round of them.
    for number in 0..70 {
        app.add_tenant(&format!("idle-{number}")).await;
    }
    let mut owners = Vec::new();
    for name in ["globex", "initech", "hooli"] {
        owners.push(Owner::make(&app, name).await);
    }
    let tools = app.tools();
    for owner in &owners {
        owner.add_work().await;
    }
    tools.outage.begin(app.platform.clock().now());
    work(&tools).await;
    for owner in &owners {
        assert!(owner.is_written().await);
        assert!(owner.is_tried().await);
        assert_eq!(owner.told(), all());
    }

    // What a lost worker held is taken back, and a delivery that has failed is tried again when it is due.
    let [owner, ..] = &owners[..] else { panic!() };
    owner.receiver.answer([Script::status(500)]);
    owner.add_work().await;
    let lost = generation::claim(&tools, &mut LastTenants::default(), 1).await.unwrap();
    assert_eq!(lost.len(), 1);
    let before = owner.receiver.arrived().len();
    delivery::drain(&tools).await.unwrap();
    assert_eq!(owner.receiver.arrived().len(), before + 1, "refused");
    app.advance(Duration::from_secs(60));
    tools.outage.begin(app.platform.clock().now());
    work(&tools).await;
    assert_eq!(owner.receiver.arrived().len(), before + 4, "created again, processed, published");
}

#[tokio::test]
async fn only_tenants_whose_rows_are_away_wait_for_their_work() {
    if !is_sharded() {
        return;
    }
    let app = app(Duration::from_millis(500)).await;
    let mut owners = Vec::new();
    for name in ["globex", "initech", "hooli", "umbrella", "stark", "wayne", "wonka", "cyberdyne"] {
        owners.push(Owner::make(&app, name).await);
    }
    for owner in &owners {
        owner.add_work().await;
    }
    let here = partition_of(&app.database.address, &owners[0].tenant).await;
    let mut reached = Vec::new();
    for owner in &owners {
        reached.push(partition_of(&app.database.address, &owner.tenant).await == here);
    }
    assert!(reached.contains(&false));
    let held: Held = lock_others(&app, &owners[0].tenant).await;
    let tools = app.tools();
    work(&tools).await;
    for (owner, is_reached) in owners.iter().zip(&reached) {
        assert_eq!(owner.told(), if *is_reached { all() } else { [].into() });
        if *is_reached {
            assert!(owner.is_written().await);
            assert!(owner.is_tried().await);
        }
    }
    tokio::task::spawn_blocking(|| drop(held)).await.unwrap();
    // The node is back; nobody is left alone for longer than until the next look at all.
    app.advance(Duration::from_secs(20));
    work(&tools).await;
    for owner in &owners {
        assert!(owner.is_written().await);
        assert!(owner.is_tried().await);
        assert_eq!(owner.told(), all());
    }
}

#[tokio::test]
async fn on_a_cluster_deliveries_are_claimed_and_noted_tenant_by_tenant() {
    let app = app(Duration::from_secs(10)).await;
    let mut owners = Vec::new();
    for name in ["globex", "initech", "hooli"] {
        owners.push(Owner::make(&app, name).await);
    }
    let mut tools = app.tools();
    tools.delivery.split_by_tenant = true;
    // Fewer than there are, so that they have turns.
    tools.delivery.concurrency = 2;
    for owner in &owners {
        owner.add_work().await;
    }
    owners[0].receiver.answer([Script::status(500)]);
    work(&tools).await;
    assert_eq!(owners[1].told(), all());
    assert_eq!(owners[2].told(), all());
    let before = owners[0].receiver.arrived().len();
    app.advance(Duration::from_secs(60));
    work(&tools).await;
    assert_eq!(owners[0].receiver.arrived().len(), before + 1, "what has failed is tried again");
    assert_eq!(owners[0].told(), all());
    for owner in &owners {
        assert_eq!(owner.waiting(&app).await, "0");
    }
}

#[tokio::test]
async fn what_is_on_its_way_to_others_is_noted_while_the_rows_of_a_tenant_are_away() {
    if !is_sharded() {
        return;
    }
    let app = app(Duration::from_millis(500)).await;
    let away = Owner::make(&app, "globex").await;
    let here = partition_of(&app.database.address, &away.tenant).await;
    let mut reached = None;
    for name in ["initech", "hooli", "umbrella", "stark", "wayne", "wonka", "cyberdyne", "soylent", "tyrell"]
    {
        let owner = Owner::make(&app, name).await;
        if partition_of(&app.database.address, &owner.tenant).await != here {
            reached = Some(owner);
            break;
        }
    }
    let reached = reached.unwrap();
    for owner in [&away, &reached] {
        owner.add_work().await;
    }
    let gate = Arc::new(Semaphore::new(0));
    for owner in [&away, &reached] {
        owner.receiver.answer([Script::status(204).after(&gate)]);
    }
    let tools = app.tools();
    let sending = tokio::spawn(async move { delivery::drain(&tools).await });
    for owner in [&away, &reached] {
        owner.receiver.wait_for(1).await;
    }
    let held: Held = lock_others(&app, &reached.tenant).await;
    gate.add_permits(2);
    sending.await.unwrap().unwrap();
    assert_eq!(reached.waiting(&app).await, "0");
    tokio::task::spawn_blocking(|| drop(held)).await.unwrap();
    assert_eq!(away.waiting(&app).await, "1");
    app.advance(Duration::from_secs(60));
    app.deliver().await;
    assert_eq!(away.waiting(&app).await, "0");
    assert_eq!(away.receiver.arrived().len(), 2, "sent again, since nobody knows");
    assert_eq!(reached.receiver.arrived().len(), 1);
}
