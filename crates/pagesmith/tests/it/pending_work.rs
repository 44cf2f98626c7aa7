//! The list of tenants with work: nobody with work is missing, and nobody without stays.

use std::collections::BTreeSet;

use futures_util::FutureExt;
use pagesmith_operations::pending_work;
use pagesmith_store::tables::pending_work::{self as table, WorkKind, list};
use pagesmith_store::{Store, Wakeup};
use pagesmith_testkit::database::execute_at;
use pagesmith_testkit::{Client, TestApp, fixtures};
use serde_json::json;

const GENERATIONS: &str = "generations";
const DELIVERIES: &str = "deliveries";

/// The kinds of work on the list, whoever has it.
async fn listed(store: &Store) -> BTreeSet<&'static str> {
    let rows = store.read(|tx| list(tx, None, 100)).await.unwrap();
    rows.into_iter().map(|(kind, _)| kind.as_str()).collect()
}

async fn run(app: &TestApp, name: &str) {
    let task = pagesmith_worker::tasks::TASKS.iter().find(|task| task.name == name).unwrap();
    task.run(&app.tools()).await.unwrap();
}

async fn sweep(app: &TestApp) {
    run(app, "sweep_pending_work").await;
}

async fn page(client: &Client) -> String {
    let page = client.post("/v0/pages", &fixtures::page("Spring")).await.expect(201).json();
    page["pageId"].as_str().unwrap().to_owned()
}

async fn add_audience(client: &Client, page: &str) {
    client.post(&format!("/v0/pages/{page}/audiences"), &json!({})).await.expect(201);
}

#[tokio::test]
async fn a_tenant_is_listed_while_it_has_work_and_not_longer() {
    let app = TestApp::start().await;
    let client = app.client();
    let page = page(&client).await;
    assert_eq!(listed(&app.store).await, [].into(), "nobody receives events, and nothing is to be written");
    let hook = json!({ "url": "https://example.com/hook" });
    let hook = client.post("/v0/webhook_subscriptions", &hook).await.expect(201).json();
    assert_eq!(listed(&app.store).await, [].into());
    add_audience(&client, &page).await;
    assert_eq!(listed(&app.store).await, [DELIVERIES, GENERATIONS].into());
    sweep(&app).await;
    assert_eq!(listed(&app.store).await, [DELIVERIES, GENERATIONS].into(), "the work is not done");
    app.write_versions().await;
    sweep(&app).await;
    assert_eq!(listed(&app.store).await, [DELIVERIES].into());
    // Deliveries of a deleted subscription go with the sweep of webhooks, and the tenant with the next one of the list.
    let path = format!("/v0/webhook_subscriptions/{}", hook["subscriptionId"].as_str().unwrap());
    client.delete(&path).await.expect(200);
    for task in pagesmith_worker::tasks::TASKS {
        task.run(&app.tools()).await.unwrap();
    }
    sweep(&app).await;
    assert_eq!(listed(&app.store).await, [].into());
    add_audience(&client, &page).await;
    assert_eq!(listed(&app.store).await, [GENERATIONS].into());
}

#[tokio::test]
async fn a_tenant_that_is_listed_without_work_leaves_the_list_whatever_the_kind() {
    let app = TestApp::start().await;
    for kind in WorkKind::ALL {
        let tenant = app.tenant.clone();
        app.store.write(move |tx| tx.run(table::add(&tenant, kind)).map(drop)).await.unwrap();
        assert_eq!(listed(&app.store).await, [kind.as_str()].into());
        sweep(&app).await;
        assert_eq!(listed(&app.store).await, [].into(), "{}", kind.as_str());
    }
}

#[tokio::test]
async fn work_that_is_added_while_the_list_is_cleared_is_found() {
    let app = TestApp::start().await;
    let client = app.client();
    let page = page(&client).await;
    let other = app.database.open();
    for round in 0..60 {
        add_audience(&client, &page).await;
        app.write_versions().await;
        let entry = (WorkKind::Generations, app.tenant.clone());
        let (remove, adding) =
            (other.write(move |tx| pending_work::remove_if_idle(tx, &entry)), add_audience(&client, &page));
        let (removed, ()) = tokio::join!(remove, adding);
        removed.unwrap();
        assert_eq!(listed(&app.store).await, [GENERATIONS].into(), "round {round}");
    }
    let depth = app.store.read(|tx| {
        pagesmith_store::tables::versions::generations::depth(
            tx,
            pagesmith_model::Timestamp::from_micros(i64::MAX),
            10,
        )
    });
    assert_eq!(depth.await.unwrap().0, 1);
}

/// Two finished versions of an audience, whose publishing is all that a subscription wants to know.
async fn publishable(app: &TestApp) -> [String; 2] {
    let client = app.client();
    let hook = json!({ "url": "https://example.com/hook", "events": ["page.version.published"] });
    client.post("/v0/webhook_subscriptions", &hook).await.expect(201);
    let audiences = format!("/v0/pages/{}/audiences", page(&client).await);
    let draft = json!({ "publishBehavior": "draft" });
    let audience = client.post(&audiences, &draft).await.expect(201).json();
    let versions = format!("{audiences}/{}/versions", audience["audienceId"].as_str().unwrap());
    app.write_versions().await;
    let second = client.post(&versions, &json!({})).await.expect(201).json();
    app.write_versions().await;
    sweep(app).await;
    [&audience["latestVersion"], &second]
        .map(|version| format!("{versions}/{}/publish", version["versionId"].as_str().unwrap()))
}

#[tokio::test]
async fn a_publication_lists_its_tenant_unless_it_is_listed() {
    let app = TestApp::start().await;
    let publications = publishable(&app).await;
    assert_eq!(listed(&app.store).await, [].into());
    for publish in &publications {
        app.client().post(publish, &json!({})).await.expect(200);
        assert_eq!(listed(&app.store).await, [DELIVERIES].into());
    }
}

#[tokio::test]
async fn a_publication_is_found_though_its_tenant_leaves_the_list_meanwhile() {
    let app = TestApp::start().await;
    let publications = publishable(&app).await;
    let (client, other) = (app.client(), app.database.open());
    for round in 0..60 {
        // Listed without work, so that publishing reads it and another server removes it.
        execute_at(&app.database.address, "DELETE FROM deliveries").await;
        let tenant = app.tenant.clone();
        app.store.write(move |tx| tx.run(table::add(&tenant, WorkKind::Deliveries)).map(drop)).await.unwrap();
        let (entry, nothing) = ((WorkKind::Deliveries, app.tenant.clone()), json!({}));
        let remove = other.write(move |tx| pending_work::remove_if_idle(tx, &entry));
        let (removed, published) = tokio::join!(remove, client.post(&publications[round % 2], &nothing));
        removed.unwrap();
        published.expect(200);
        assert_eq!(listed(&app.store).await, [DELIVERIES].into(), "round {round}");
    }
}

#[tokio::test]
async fn queues_are_woken_for_the_work_that_others_have_queued() {
    let app = TestApp::start().await;
    let woken = async |wakeup| {
        run(&app, "wake_queues").await;
        app.store.wait_for(wakeup).now_or_never().is_some()
    };
    let all = [Wakeup::Readings, Wakeup::Pictures, Wakeup::Messages, Wakeup::ModelMessages];
    for wakeup in all {
        assert!(!woken(wakeup).await, "{wakeup:?}");
    }
    // As another server would; the last kind is one that this program does not know.
    for kind in ["readings", "sessions", "messages", "zeal"] {
        let tenant = app.tenant.as_str();
        let queued = format!("INSERT INTO pending_work (kind, tenant_id) VALUES ('{kind}', '{tenant}')");
        execute_at(&app.database.address, &queued).await;
    }
    for wakeup in all {
        assert_eq!(woken(wakeup).await, wakeup != Wakeup::Pictures, "{wakeup:?}");
    }
}
