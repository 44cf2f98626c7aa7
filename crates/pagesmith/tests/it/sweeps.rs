//! What has expired is removed of every tenant, and none of them is in the way of another.

use std::collections::BTreeSet;
use std::time::Duration;

use pagesmith_model::TenantId;
use pagesmith_model::key::Scope;
use pagesmith_testkit::database::{OtherWriter, execute_at, is_postgres, is_sharded};
use pagesmith_testkit::{Client, TestApp};
use pagesmith_worker::tasks::TASKS;

use crate::assets::{image, names, path};
use crate::pruning::{lock_others, partition_of};

/// Longer than anything is in the trash.
const MONTHS: Duration = Duration::from_hours(24 * 60);

/// A tenant with an asset in the trash.
async fn owner(app: &TestApp, name: &str) -> (TenantId, Client) {
    let tenant = app.add_tenant(name).await;
    let client = app.client_with(&app.add_key(name, Scope::Write).await);
    let asset = image(&client, "A").await;
    client.delete(&path(&asset)).await.expect(200);
    assert_eq!(names(&client, "/v0/assets/trash").await, ["A"]);
    (tenant, client)
}

async fn owners(app: &TestApp) -> Vec<(TenantId, Client)> {
    let mut owners = Vec::new();
    for name in ["globex", "initech", "hooli", "umbrella", "stark", "wayne", "wonka", "cyberdyne"] {
        owners.push(owner(app, name).await);
    }
    owners.sort_by(|(one, _), (other, _)| one.cmp(other));
    owners
}

async fn purge(app: &TestApp) -> pagesmith_model::Result<()> {
    let task = TASKS.iter().find(|task| task.name == "purge_trash").unwrap();
    task.run(&app.tools()).await.map(drop)
}

/// The tenants that have something in the trash.
async fn unswept(owners: &[(TenantId, Client)]) -> BTreeSet<TenantId> {
    let mut unswept = BTreeSet::new();
    for (tenant, client) in owners {
        if !names(client, "/v0/assets/trash").await.is_empty() {
            unswept.insert(tenant.clone());
        }
    }
    unswept
}

/// Lets every removal of an asset of a tenant fail.
async fn break_removal(app: &TestApp, tenant: &TenantId) {
    let text = if is_postgres() {
        format!(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$;
             CREATE TRIGGER refused BEFORE DELETE ON assets FOR EACH ROW
             WHEN (OLD.tenant_id = '{tenant}') EXECUTE FUNCTION refuse()"
        )
    } else {
        format!(
            "CREATE TRIGGER refused BEFORE DELETE ON assets WHEN OLD.tenant_id = '{tenant}'
             BEGIN SELECT RAISE(ABORT, 'broken'); END"
        )
    };
    execute_at(&app.database.address, &text).await;
}

#[tokio::test]
async fn a_tenant_that_cannot_be_swept_keeps_no_other_waiting() {
    let app = TestApp::start().await;
    let owners = owners(&app).await;
    let (broken, _) = &owners[1];
    break_removal(&app, broken).await;
    purge(&app).await.unwrap();
    assert_eq!(unswept(&owners).await.len(), owners.len(), "too early");
    app.advance(MONTHS);
    purge(&app).await.unwrap_err();
    assert_eq!(unswept(&owners).await, BTreeSet::from([broken.clone()]));
}

#[tokio::test]
async fn only_tenants_whose_rows_are_away_wait_for_the_next_sweep() {
    if !is_sharded() {
        return;
    }
    let app = TestApp::with(|plan| {
        plan.options = Box::new(|options| options.time_limit = Duration::from_millis(500));
    })
    .await;
    let owners = owners(&app).await;
    app.advance(MONTHS);
    let (reached, _) = owners.last().unwrap();
    let here = partition_of(&app.database.address, reached).await;
    let mut away = BTreeSet::new();
    for (tenant, _) in &owners {
        if partition_of(&app.database.address, tenant).await != here {
            away.insert(tenant.clone());
        }
    }
    assert!(!away.is_empty());
    let held = lock_others(&app, reached).await;
    purge(&app).await.unwrap();
    tokio::task::spawn_blocking(|| drop(held)).await.unwrap();
    assert_eq!(unswept(&owners).await, away);
    app.advance(Duration::from_mins(5));
    purge(&app).await.unwrap();
    assert_eq!(unswept(&owners).await, BTreeSet::new());
}

#[tokio::test]
async fn tenants_without_anything_old_cost_no_writes() {
    if is_postgres() {
        // Its writers do not wait for each other, so that nothing shows from outside who is one.
        return;
    }
    let app = TestApp::with(|plan| {
        plan.options = Box::new(|options| options.time_limit = Duration::from_millis(500));
    })
    .await;
    let owners = [owner(&app, "globex").await];
    // A first round may note things, such as from when on rows of visits are kept.
    sweep_tenants(&app).await.unwrap();
    let writer = OtherWriter::begin(&app.database);
    sweep_tenants(&app).await.unwrap();
    drop(writer);

    // Such a lock is one for these tasks, as soon as something is old.
    app.advance(MONTHS);
    let writer = OtherWriter::begin(&app.database);
    purge(&app).await.unwrap_err();
    drop(writer);
    assert_eq!(unswept(&owners).await.len(), 1);
    purge(&app).await.unwrap();
    assert_eq!(unswept(&owners).await.len(), 0);
}

/// Runs every task that looks at each tenant.
async fn sweep_tenants(app: &TestApp) -> pagesmith_model::Result<()> {
    const NAMES: [&str; 8] = [
        "sweep_webhooks",
        "queue_files",
        "queue_pictures",
        "sweep_unused_files",
        "purge_trash",
        "sweep_person_imports",
        "forget_merges",
        "sweep_visits",
    ];
    for name in NAMES {
        let task = TASKS.iter().find(|task| task.name == name).unwrap();
        task.run(&app.tools()).await?;
    }
    Ok(())
}
