//! A part of the database is away: every task and queue of the background goes on for the tenants whose rows can be reached.
//!
//! On an engine that has all rows in one place, tenants are looked at one by one all the same, as if a part of it were away.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

use pagesmith_model::TenantId;
use pagesmith_model::key::Scope;
use pagesmith_operations::server_keys;
use pagesmith_testkit::database::{ask_at, execute_at, is_postgres, is_sharded};
use pagesmith_testkit::samples::{SAMPLES, Work};
use pagesmith_testkit::{Client, TestApp};
use pagesmith_worker::tasks::{QUEUES, TASKS};
use pagesmith_worker::tools::Tools;
use serde_json::json;

use crate::audiences;
use crate::pruning::{lock_others, partition_of};

/// Tasks whose work is in no tenant's rows, or, of orphaned files, in no row at all.
const OF_NO_TENANT: &[&str] = &[
    "wake_queues",
    "refresh_keys",
    "refresh_domains",
    "order_certificates",
    "measure_certificates",
    "note_server",
    "note_key_use",
    "forget_erased",
    "sweep_orphaned_files",
    "destroy_salts",
    "check_integrity",
];

/// Tasks that tell of all tenants in one number, which cannot be told then.
const OF_ALL_TENANTS: &[&str] = &["measure_deliveries", "measure_generations"];

/// The work of all nouns.
fn all_work() -> impl Iterator<Item = &'static Work> + Clone {
    SAMPLES.iter().flat_map(|sample| sample.work)
}

/// A tenant with a version to be written, and a person.
struct Owner {
    tenant: TenantId,
}

impl Owner {
    async fn make(app: &TestApp, name: &str) -> Owner {
        let tenant = app.add_tenant(name).await;
        let client: Client = app.client_with(&app.add_key(name, Scope::Write).await);
        let page = audiences::page(&client).await;
        audiences::audience(&client, &page, &json!({})).await;
        client.post("/v0/persons", &json!({ "name": "Ada", "email": "ada@acme.example" })).await.expect(201);
        Owner { tenant }
    }

    /// A text of [`Work`] for this tenant.
    fn of(&self, app: &TestApp, text: &str) -> String {
        const YEAR: Duration = Duration::from_hours(365 * 24);
        let (now, id) = (app.platform.clock().now(), self.tenant.as_str().split_once('_').unwrap().1);
        let ends = ["a", "b", "c"].map(|end| format!("{}{end}", &id[..id.len() - 1]));
        let bytes = |digits: &str| {
            if is_postgres() { format!("'\\x{digits}'") } else { format!("x'{digits}'") }
        };
        text.replace("{tenant}", self.tenant.as_str())
            .replace("{id}", &ends[0])
            .replace("{other}", &ends[1])
            .replace("{third}", &ends[2])
            .replace("{old}", &now.minus(YEAR).as_micros().to_string())
            .replace("{now}", &now.as_micros().to_string())
            .replace("{later}", &now.plus(YEAR).as_micros().to_string())
            .replace("{bytes}", &bytes(&"0123456789abcdef".repeat(2)))
            .replace("{digest}", &bytes(&"0123456789abcdef".repeat(4)))
            .replace("{other digest}", &bytes(&"fedcba9876543210".repeat(4)))
    }

    async fn add(&self, app: &TestApp, work: &Work) {
        execute_at(&app.database.address, &self.of(app, work.made_by)).await;
    }

    async fn left(&self, app: &TestApp, work: &Work) -> usize {
        let count = format!("SELECT CAST(COUNT(*) AS TEXT) FROM {}", self.of(app, work.left));
        ask_at(&app.database.address, &count).await.parse().unwrap()
    }
}

async fn run(tools: &Tools, name: &str) -> pagesmith_model::Result<()> {
    match QUEUES.iter().find(|queue| queue.name == name) {
        Some(queue) => queue.drain(tools).await,
        None => TASKS.iter().find(|task| task.name == name).unwrap().run(tools).await,
    }
}

#[test]
fn it_is_known_of_every_task_and_queue_what_it_does_then() {
    let all: BTreeSet<_> =
        TASKS.iter().map(|task| task.name).chain(QUEUES.iter().map(|queue| queue.name)).collect();
    let told = all_work().map(|work| work.name).chain(OF_NO_TENANT.iter().chain(OF_ALL_TENANTS).copied());
    assert_eq!(told.clone().collect::<BTreeSet<_>>(), all);
    assert_eq!(told.count(), TASKS.len() + QUEUES.len());
}

#[tokio::test]
async fn every_task_and_queue_goes_on_for_tenants_whose_rows_can_be_reached() {
    let mut app = TestApp::with(|plan| {
        plan.options = Box::new(|options| options.time_limit = Duration::from_millis(500));
    })
    .await;
    // Nobody answers there.
    app.mail_by("127.0.0.1:1".parse().unwrap());
    let mut owners = vec![Owner::make(&app, "globex").await];
    for name in ["initech", "hooli", "umbrella", "stark", "wayne", "wonka", "cyberdyne", "soylent", "tyrell"]
    {
        owners.push(Owner::make(&app, name).await);
        let tenants = [&owners[0].tenant, &owners[owners.len() - 1].tenant];
        if !is_sharded() {
            break;
        }
        let address = &app.database.address;
        if partition_of(address, tenants[0]).await != partition_of(address, tenants[1]).await {
            break;
        }
    }
    // The one that is away has its turn before the other.
    let (away, reached) = (owners.remove(0), owners.pop().unwrap());
    app.advance(Duration::from_hours(24 * 60));
    for work in all_work() {
        away.add(&app, work).await;
    }
    let held = if is_sharded() { Some(lock_others(&app, &reached.tenant).await) } else { None };
    let mut wrong = String::new();
    for name in QUEUES.iter().map(|queue| queue.name).chain(TASKS.iter().map(|task| task.name)) {
        let work = all_work().find(|work| work.name == name);
        if let Some(work) = work {
            reached.add(&app, work).await;
            assert_ne!(reached.left(&app, work).await, 0, "{name}");
        }
        // Each of them has to find out by itself.
        let tools = app.tools();
        if !is_sharded() {
            tools.outage.begin(app.platform.clock().now());
        }
        let result = run(&tools, name).await;
        let left = if let Some(work) = work { reached.left(&app, work).await } else { 0 };
        let may_fail = is_sharded() && OF_ALL_TENANTS.contains(&name);
        if left > 0 || result.is_err() != may_fail {
            writeln!(wrong, "{name}: {left} left, {result:?}").unwrap();
        }
    }
    tokio::task::spawn_blocking(|| drop(held)).await.unwrap();
    assert_eq!(wrong, "");
    // The rows are there again. What one does can be what another waits for.
    app.advance(Duration::from_mins(5));
    let tools = app.tools();
    for work in all_work() {
        run(&tools, work.name).await.unwrap();
    }
    for work in all_work() {
        run(&tools, work.name).await.unwrap();
        assert_eq!(away.left(&app, work).await, 0, "{}", work.name);
    }
}

#[tokio::test]
async fn a_key_that_another_server_has_revoked_opens_nothing_while_rows_of_others_are_away() {
    if !is_sharded() {
        return;
    }
    let app = TestApp::with(|plan| {
        plan.options = Box::new(|options| options.time_limit = Duration::from_millis(500));
    })
    .await;
    let tenant = app.add_tenant("globex").await;
    let client = app.client_with(&app.add_key("globex", Scope::Write).await);
    client.get("/v0/pages").await.expect(200);
    // As every server has done since its first start.
    let platform = app.platform.clone();
    let begin = move |tx: &mut pagesmith_store::Tx<'_>| server_keys::digest_key(tx, &platform.context());
    assert!(app.store.write(begin).await.unwrap().is_some());
    let held = lock_others(&app, &tenant).await;
    let revoke = format!(
        "UPDATE keys SET revoked_at = {now}; UPDATE revisions SET revision = revision + 1 WHERE name = 'access'",
        now = app.platform.clock().now().as_micros()
    );
    execute_at(&app.database.address, &revoke).await;
    run(&app.tools(), "refresh_keys").await.unwrap();
    client.get("/v0/pages").await.expect(401);
    // What a server asks first when it starts.
    assert!(app.store.read(server_keys::is_used).await.unwrap());
    tokio::task::spawn_blocking(|| drop(held)).await.unwrap();
}
