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
use pagesmith_testkit::{Client, TestApp};
use pagesmith_worker::tasks::{QUEUES, TASKS};
use pagesmith_worker::tools::Tools;
use serde_json::json;

use crate::audiences;
use crate::pruning::{lock_others, partition_of};

/// Work of a tenant for a task or queue.
struct Work {
    /// Whose it is.
    name: &'static str,
    /// The statements that make it.
    made_by: &'static str,
    /// The rows of which none is left when it is done.
    left: &'static str,
}

/// In the statements `{tenant}` is the tenant, `{id}` and `{other}` are ends of ids, `{old}` is an instant long ago, `{now}` is now, `{later}` is
/// to come, `{bytes}` are some, and `{digest}` and `{other digest}` are as long as digests.
const WORK: &[Work] = &[
    Work {
        name: "readings",
        made_by: "INSERT INTO pending_work VALUES ('readings', '{tenant}') ON CONFLICT DO NOTHING;
            INSERT INTO entry_readings (tenant_id, topic_entry_id, topic_id, host, due_at, tries, log)
            VALUES ('{tenant}', 'topicentry_{id}', 'topic_{id}', 'a', {old}, 0, '[]')",
        left: "entry_readings WHERE tenant_id = '{tenant}' AND due_at <= {now}",
    },
    Work {
        name: "knowledge",
        made_by: "INSERT INTO pending_work VALUES ('knowledge', '{tenant}') ON CONFLICT DO NOTHING;
            INSERT INTO topic_removals VALUES ('{tenant}', 'topic_{id}')",
        left: "topic_removals WHERE tenant_id = '{tenant}'",
    },
    Work {
        name: "pictures",
        made_by: "INSERT INTO pending_work VALUES ('pictures', '{tenant}') ON CONFLICT DO NOTHING;
            INSERT INTO file_contents (tenant_id, file_content_id, sha256, size, file_count)
            VALUES ('{tenant}', 'filecontent_{id}', {digest}, 1, 1);
            INSERT INTO pictures (tenant_id, file_content_id, media_type, due_at, tries)
            VALUES ('{tenant}', 'filecontent_{id}', 'image/png', {old}, 0)",
        left: "pictures WHERE tenant_id = '{tenant}' AND file_content_id = 'filecontent_{id}' AND due_at <= {now}
            AND lease_id IS NULL",
    },
    Work {
        name: "descriptions",
        made_by: "INSERT INTO pending_work VALUES ('descriptions', '{tenant}') ON CONFLICT DO NOTHING;
            INSERT INTO asset_descriptions (tenant_id, asset_id, due_at, tries)
            VALUES ('{tenant}', 'asset_{id}', {old}, 0)",
        left: "asset_descriptions WHERE tenant_id = '{tenant}'",
    },
    // An audience of the tenant's has a version to be written.
    Work { name: "generations", made_by: "", left: "generations WHERE tenant_id = '{tenant}'" },
    Work {
        name: "messages",
        made_by: "INSERT INTO pending_work VALUES ('messages', '{tenant}') ON CONFLICT DO NOTHING;
            INSERT INTO message_runs (tenant_id, audience_id, page_id, run_id, processed, tries, due_at)
            VALUES ('{tenant}', 'audience_{id}', 'page_{id}', 'run_{id}', 0, 0, {old})",
        left: "message_runs WHERE tenant_id = '{tenant}' AND due_at <= {now} AND lease_id IS NULL",
    },
    Work {
        name: "enrichments",
        made_by: "INSERT INTO pending_work VALUES ('enrichments', '{tenant}') ON CONFLICT DO NOTHING;
            INSERT INTO enrichments (tenant_id, submission_id, due_at, tries, awaits_callback)
            VALUES ('{tenant}', 'submission_{id}', {old}, 0, FALSE)",
        left: "enrichments WHERE tenant_id = '{tenant}'",
    },
    Work {
        name: "person_imports",
        made_by: "INSERT INTO pending_work VALUES ('person_imports', '{tenant}') ON CONFLICT DO NOTHING;
            INSERT INTO person_imports (tenant_id, person_import_id, file_name, size, columns, status, created, updated,
                unchanged, refused, position, created_at, updated_at, due_at, tries)
            VALUES ('{tenant}', 'personimport_{id}', 'a', 1, '[]', 'checking', 0, 0, 0, 0, 0, {old}, {old}, {old}, 0)",
        left: "person_imports WHERE tenant_id = '{tenant}' AND due_at <= {now} AND lease_id IS NULL",
    },
    Work {
        name: "deliveries",
        made_by: "INSERT INTO deliveries (tenant_id, subscription_id, event_id, stage, timer_at, tries, attempts,
                created_at, updated_at)
            VALUES ('{tenant}', 'sub_{id}', 'event_{id}', 'waiting', {old}, 0, 0, {old}, {old})",
        left: "deliveries WHERE tenant_id = '{tenant}' AND timer_at <= {now}",
    },
    Work {
        name: "look_at_domains",
        made_by: "INSERT INTO tenant_domains (tenant_id, tenant_domain_id, domain, token, status, is_verified, is_default,
                next_look_at, looking_since, created_at, updated_at)
            VALUES ('{tenant}', 'domain_{id}', 'd{id}.example', 'a', 'pending_verification', FALSE, FALSE, {old}, {old},
                {old}, {old})",
        left: "tenant_domains WHERE tenant_id = '{tenant}' AND next_look_at <= {now}",
    },
    Work {
        name: "carry_out_schedules",
        made_by: "INSERT INTO version_schedules (tenant_id, version_id, audience_id, page_id, unpublish_at, due_at, actor,
                created_at, updated_at)
            VALUES ('{tenant}', 'version_{id}', 'audience_{id}', 'page_{id}', {old}, {old}, 'server', {old}, {old})",
        left: "version_schedules WHERE tenant_id = '{tenant}' AND due_at <= {now}",
    },
    Work {
        name: "send_invitations",
        made_by: "INSERT INTO invitations (tenant_id, invitation_id, digest, role, email, invited_by, created_at, expires_at,
                mail_state, mail_language, mail_tries, mail_due_at)
            VALUES ('{tenant}', 'invitation_{id}', {bytes}, 'viewer', 'a@acme.example', 'server', {old}, {later},
                'waiting', 'en', 0, {old})",
        left: "invitations WHERE tenant_id = '{tenant}' AND mail_due_at <= {now}",
    },
    Work {
        name: "index_persons",
        made_by: "INSERT INTO person_removals VALUES ('{tenant}', 1)",
        left: "person_removals WHERE tenant_id = '{tenant}'",
    },
    Work {
        name: "count_erased_audiences",
        made_by: "INSERT INTO tally_debts VALUES ('{tenant}', 'audience_{id}', 'page_{id}', -1, 0)",
        left: "tally_debts WHERE tenant_id = '{tenant}'",
    },
    Work {
        name: "sweep_webhooks",
        made_by: "INSERT INTO events (tenant_id, event_id, type, body, created_at)
            VALUES ('{tenant}', 'event_{id}', 'page.created', '{}', {old})",
        left: "events WHERE tenant_id = '{tenant}' AND event_id = 'event_{id}'",
    },
    Work {
        name: "sweep_deleted_subscriptions",
        made_by: "INSERT INTO webhook_subscriptions (tenant_id, subscription_id, url, event_bits, active, secrets, created_at,
                updated_at, deleted_at)
            VALUES ('{tenant}', 'sub_{other}', 'https://acme.example', 0, FALSE, {bytes}, {old}, {old}, {old})",
        left: "webhook_subscriptions WHERE tenant_id = '{tenant}' AND deleted_at IS NOT NULL",
    },
    Work {
        name: "queue_readings",
        made_by: "INSERT INTO entry_readings (tenant_id, topic_entry_id, topic_id, host, again_at, tries, log)
            VALUES ('{tenant}', 'topicentry_{other}', 'topic_{id}', 'a', {old}, 0, '[]')",
        left: "entry_readings WHERE tenant_id = '{tenant}' AND again_at <= {now}",
    },
    Work {
        name: "queue_files",
        made_by: "INSERT INTO topic_entries (tenant_id, topic_id, topic_entry_id, sort_order, status, created_at, updated_at,
                file_id, found, content)
            VALUES ('{tenant}', 'topic_{other}', 'topicentry_{third}', 1, 'success', {old}, {old}, 'file_{id}', '{}',
                '{\"type\":\"file\",\"fileId\":\"file_{id}\"}')",
        left: "topic_entries e WHERE tenant_id = '{tenant}' AND NOT EXISTS (SELECT r.topic_id FROM entry_readings r
            WHERE r.tenant_id = '{tenant}' AND r.topic_entry_id = e.topic_entry_id)",
    },
    Work {
        name: "queue_pictures",
        made_by: "INSERT INTO files (tenant_id, file_id, file_content_id, name, content_type, size, sha256, created_at)
            VALUES ('{tenant}', 'file_{id}', 'filecontent_{other}', 'a', 'image/png', 1, {digest}, {old})",
        left: "files f WHERE tenant_id = '{tenant}' AND NOT EXISTS (SELECT p.tries FROM pictures p
            WHERE p.tenant_id = '{tenant}' AND p.file_content_id = f.file_content_id)",
    },
    Work {
        name: "sweep_pending_work",
        made_by: "INSERT INTO pending_work VALUES ('sessions', '{tenant}') ON CONFLICT DO NOTHING",
        left: "pending_work WHERE tenant_id = '{tenant}' AND kind = 'sessions'",
    },
    Work {
        name: "sweep_unused_files",
        made_by: "INSERT INTO file_contents (tenant_id, file_content_id, sha256, size, file_count, unused_since)
            VALUES ('{tenant}', 'filecontent_{third}', {other digest}, 1, 0, {old})",
        left: "file_contents WHERE tenant_id = '{tenant}' AND file_content_id = 'filecontent_{third}'",
    },
    Work {
        name: "purge_trash",
        made_by: "INSERT INTO assets (tenant_id, asset_id, asset_type, name, folded, word_form, purpose, tags, other_folded,
                other_word_form, is_hidden, video_url, created_at, updated_at, trashed_at)
            VALUES ('{tenant}', 'asset_{other}', 'video', 'a', 'a', 'a', '', '[]', '', '', FALSE, 'https://acme.example',
                {old}, {old}, {old})",
        left: "assets WHERE tenant_id = '{tenant}' AND trashed_at IS NOT NULL",
    },
    Work {
        name: "sweep_person_imports",
        made_by: "INSERT INTO person_imports (tenant_id, person_import_id, file_name, size, columns, status, created, updated,
                unchanged, refused, position, created_at, updated_at, ended_at, tries)
            VALUES ('{tenant}', 'personimport_{other}', 'a', 1, '[]', 'done', 0, 0, 0, 0, 0, {old}, {old}, {old}, 0)",
        left: "person_imports WHERE tenant_id = '{tenant}' AND person_import_id = 'personimport_{other}'",
    },
    Work {
        name: "erase_persons",
        made_by: "INSERT INTO person_erasures SELECT tenant_id, person_id, 'server', {old} FROM persons
            WHERE tenant_id = '{tenant}'",
        left: "person_erasures WHERE tenant_id = '{tenant}'",
    },
    Work {
        name: "forget_merges",
        made_by: "INSERT INTO person_merges (tenant_id, person_id, into_person_id, fields, actor, merged_at)
            VALUES ('{tenant}', 'person_{id}', 'person_{other}', '{}', 'server', {old})",
        left: "person_merges WHERE tenant_id = '{tenant}' AND ended_at IS NULL",
    },
    Work {
        name: "shorten_histories",
        made_by: "INSERT INTO grown_histories (tenant_id, version_id, audience_id)
            VALUES ('{tenant}', 'version_{id}', 'audience_{id}')",
        left: "grown_histories WHERE tenant_id = '{tenant}'",
    },
    Work {
        name: "close_sessions",
        made_by: "INSERT INTO pending_work VALUES ('sessions', '{tenant}') ON CONFLICT DO NOTHING;
            INSERT INTO audience_sessions (tenant_id, audience_session_id, page_id, audience_id, closes_at, last_at,
                is_scripted, engaged_ms, scroll, clicks, interactions, questions, has_action, has_conversion, has_form,
                verdict)
            VALUES ('{tenant}', {bytes}, {bytes}, {bytes}, {old}, {old}, FALSE, 0, 0, 0, 0, 0, FALSE, FALSE, FALSE, 'bot')",
        left: "audience_sessions WHERE tenant_id = '{tenant}' AND closes_at IS NOT NULL",
    },
    Work {
        name: "sweep_visits",
        made_by: "INSERT INTO visit_settings (tenant_id, rows_from) VALUES ('{tenant}', 0)",
        left: "visit_settings WHERE tenant_id = '{tenant}' AND rows_from = 0",
    },
    Work {
        name: "sweep_sign_ins",
        made_by: "INSERT INTO invitations (tenant_id, invitation_id, digest, role, invited_by, created_at, expires_at)
            VALUES ('{tenant}', 'invitation_{other}', {bytes}, 'viewer', 'server', {old}, {old})",
        left: "invitations WHERE tenant_id = '{tenant}' AND expires_at <= {now}",
    },
    Work {
        name: "sweep_idempotency",
        made_by: "INSERT INTO idempotency_records (tenant_id, idempotency_key, method, path, request_digest, status, body,
                expires_at)
            VALUES ('{tenant}', 'a', 'POST', '/v0/pages', {bytes}, 200, {bytes}, {old})",
        left: "idempotency_records WHERE tenant_id = '{tenant}' AND expires_at <= {now}",
    },
];

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
    let told = WORK.iter().map(|work| work.name).chain(OF_NO_TENANT.iter().chain(OF_ALL_TENANTS).copied());
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
    for work in WORK {
        away.add(&app, work).await;
    }
    let held = if is_sharded() { Some(lock_others(&app, &reached.tenant).await) } else { None };
    let mut wrong = String::new();
    for name in QUEUES.iter().map(|queue| queue.name).chain(TASKS.iter().map(|task| task.name)) {
        let work = WORK.iter().find(|work| work.name == name);
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
    for work in WORK {
        run(&tools, work.name).await.unwrap();
    }
    for work in WORK {
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
