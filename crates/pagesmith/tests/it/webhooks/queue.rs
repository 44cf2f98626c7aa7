//! What a worker is given, and what its words do.

use std::collections::HashMap;
use std::time::Duration;

use pagesmith_model::key::Scope;
use pagesmith_operations::webhooks::deliveries::{self, Capacity, LEASE, SOON, Turn};
use pagesmith_store::{Tx, rows_read};
use pagesmith_testkit::TestApp;
use pagesmith_testkit::database::{ask_at, execute_at, is_postgres};
use serde_json::{Value, json};

use super::{Scene, URL, happen, id_of, subscribe};

#[tokio::test]
async fn an_event_becomes_a_delivery_for_every_subscription_that_wants_it() {
    let scene = Scene::start().await;
    let all = scene.subscribe(json!({ "url": URL })).await;
    let some = scene.subscribe(json!({ "url": URL, "events": ["page.version.created"] })).await;
    let other = scene.subscribe(json!({ "url": URL, "events": ["page.version.published"] })).await;
    let silent = scene.subscribe(json!({ "url": URL, "active": false })).await;
    scene.happen().await;
    let claimed = scene.claim(10, 10).await;
    let mut told: Vec<&str> = claimed.due.iter().map(|due| due.key.subscription_id.as_str()).collect();
    told.sort_unstable();
    assert_eq!(told, [id_of(&all), id_of(&some)]);
    // The same event, and the same bytes, for both.
    assert_eq!(claimed.due[0].key.event_id, claimed.due[1].key.event_id);
    assert_eq!(claimed.due[0].body, claimed.due[1].body);
    assert_eq!((claimed.due[0].number, claimed.due[0].kind.as_str()), (1, "page.version.created"));
    for path in [&other, &silent] {
        assert_eq!(scene.get(&format!("{path}/deliveries")).await["items"], json!([]));
    }
    // Nobody else is given what is held.
    assert_eq!(scene.claim(10, 10).await.due, []);
    let recorded = scene.answer(&claimed.due, 204).await;
    assert_eq!((recorded.kept, recorded.lost), (2, 0));
    scene.app.advance(LEASE);
    assert_eq!(scene.claim(10, 10).await.due, []);
}

#[tokio::test]
async fn what_a_lost_worker_held_is_given_to_another_and_the_first_one_counts_no_more() {
    let scene = Scene::start().await;
    scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    let lost = scene.claim(1, 1).await;
    assert_eq!(scene.claim(1, 1).await.next_at, None);
    scene.app.advance(LEASE.checked_sub(SOON).unwrap());
    assert_eq!(scene.claim(1, 1).await.next_at, Some(scene.app.platform.clock().now().plus(SOON)));
    scene.app.advance(SOON);
    let second = scene.claim(1, 1).await;
    assert_eq!(second.due[0].key, lost.due[0].key);
    assert_eq!(scene.answer(&lost.due, 200).await.lost, 1);
    assert_eq!(scene.answer(&second.due, 200).await.kept, 1);
}

#[tokio::test]
async fn what_has_arrived_together_is_noted_together_but_for_what_was_taken_away() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    for _ in 0..4 {
        scene.happen().await;
    }
    let mut due = scene.claim(4, 4).await.due;
    let (ctx, back) = (scene.app.platform.context(), vec![(due[1].key.clone(), due[1].lease.clone())]);
    scene.app.store.claim(move |tx| deliveries::release(tx, &ctx, &back)).await.unwrap();
    let unsent = due.pop().unwrap();
    let recorded = scene.answer(&due, 204).await;
    assert_eq!((recorded.kept, recorded.lost), (2, 1));
    let arrived = scene.get(&format!("{path}/deliveries?status=delivered")).await;
    let of = |at: usize| (arrived["items"][at]["eventId"].as_str(), &arrived["items"][at]["attempts"][0]);
    assert_eq!(of(0), (Some(due[2].key.event_id.as_str()), of(1).1));
    assert_eq!((of(1).0, &of(1).1["status"]), (Some(due[0].key.event_id.as_str()), &json!(204)));
    assert_eq!(of(2).0, None);
    assert_eq!(scene.claim(4, 4).await.due[0].key, due[1].key);
    assert_eq!(scene.answer(&[unsent], 204).await.kept, 1);
}

#[tokio::test]
async fn of_two_results_of_a_delivery_that_are_noted_together_the_one_with_the_lease_counts() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    scene.happen().await;
    let lost = scene.claim(2, 2).await.due;
    scene.app.advance(LEASE);
    let held = scene.claim(2, 2).await.due;
    for both in [[&held[0], &lost[0]], [&lost[1], &held[1]]] {
        let results = both.map(|due| scene.answered(due, 204));
        let recorded = scene.record(results.to_vec()).await;
        assert_eq!((recorded.kept, recorded.lost), (1, 1));
    }
    let arrived = scene.get(&format!("{path}/deliveries?status=delivered")).await;
    let attempts = |at: usize| arrived["items"][at]["attempts"].as_array().map(Vec::len);
    assert_eq!((attempts(0), attempts(1), attempts(2)), (Some(1), Some(1), None));
}

#[tokio::test]
async fn many_results_are_noted_together_each_as_it_is() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    for _ in 0..11 {
        scene.happen().await;
    }
    let due = scene.claim(11, 11).await.due;
    assert!(due.is_sorted_by(|left, right| left.key.event_id < right.key.event_id));
    let fails = |at: usize| at.is_multiple_of(3);
    let status = |at: usize| if fails(at) { 503 } else { 200 + u16::try_from(at).unwrap() };
    let results = due.iter().enumerate().map(|(at, due)| scene.answered(due, status(at))).rev();
    assert_eq!(scene.record(results.collect()).await.kept, 11);
    let listed = scene.get(&format!("{path}/deliveries?limit=100")).await;
    for (at, due) in due.iter().enumerate() {
        let is_it = |item: &&Value| item["eventId"] == due.key.event_id.as_str();
        let found = listed["items"].as_array().unwrap().iter().find(is_it).unwrap();
        let expected = if fails(at) { "waiting" } else { "delivered" };
        assert_eq!(
            (&found["status"], &found["attempts"][0]["status"]),
            (&json!(expected), &json!(status(at)))
        );
        assert_eq!(found["nextAttemptAt"].is_null(), !fails(at));
    }
}

#[tokio::test]
async fn the_result_of_a_delivery_that_was_removed_meanwhile_leaves_nothing() {
    let scene = Scene::start().await;
    scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    scene.happen().await;
    let due = scene.claim(2, 2).await.due;
    let left = format!("DELETE FROM deliveries WHERE event_id = '{}'", due[0].key.event_id);
    execute_at(&scene.app.database.address, &left).await;
    let recorded = scene.answer(&due, 204).await;
    assert_eq!((recorded.kept, recorded.lost), (1, 1));
    let count = "SELECT CAST(COUNT(*) AS TEXT) FROM deliveries";
    assert_eq!(ask_at(&scene.app.database.address, count).await, "1");
}

#[tokio::test]
async fn what_a_worker_hands_back_is_due_at_once() {
    let scene = Scene::start().await;
    scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    let held = scene.claim(1, 1).await.due;
    let (ctx, back) = (scene.app.platform.context(), vec![(held[0].key.clone(), held[0].lease.clone())]);
    scene.app.store.claim(move |tx| deliveries::release(tx, &ctx, &back)).await.unwrap();
    let again = scene.claim(1, 1).await.due;
    assert_eq!((again[0].number, &again[0].key), (1, &held[0].key));
}

#[tokio::test]
async fn a_failed_attempt_is_repeated_by_the_schedule() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    let gaps = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (at, gap) in gaps.iter().enumerate() {
        let due = scene.claim(1, 1).await.due;
        assert_eq!(due[0].number, i64::try_from(at).unwrap() + 1);
        scene.answer(&due, 500).await;
        let early = Duration::from_secs(*gap).mul_f64(0.79);
        scene.app.advance(early);
        assert_eq!(scene.claim(1, 1).await.due, []);
        scene.app.advance(Duration::from_secs(*gap).mul_f64(1.21) - early);
    }
    let last = scene.claim(1, 1).await.due;
    scene.answer(&last, 500).await;
    scene.pass(48);
    assert_eq!(scene.claim(1, 1).await.due, []);
    let failed = scene.get(&format!("{path}/deliveries?status=failed")).await;
    assert_eq!(failed["items"][0]["attempts"].as_array().unwrap().len(), 10);
    assert_eq!(failed["items"][0]["nextAttemptAt"], json!(null));
}

#[tokio::test]
async fn a_receiver_may_ask_for_patience() {
    let scene = Scene::start().await;
    scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    let due = scene.claim(1, 1).await.due;
    let mut result = scene.answered(&due[0], 503);
    result.retry_after = Some(Duration::from_secs(120));
    scene.record(vec![result]).await;
    scene.app.advance(Duration::from_secs(119));
    assert_eq!(scene.claim(1, 1).await.due, []);
    scene.app.advance(Duration::from_secs(1));
    assert_eq!(scene.claim(1, 1).await.due.len(), 1);
}

#[tokio::test]
async fn a_queue_gets_no_more_capacity_than_it_is_allowed() {
    let scene = Scene::start().await;
    let slow = scene.subscribe(json!({ "url": URL })).await;
    for _ in 0..5 {
        scene.happen().await;
    }
    let quick = scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    let count = |due: &[deliveries::Due], path: &str| {
        due.iter().filter(|due| due.key.subscription_id.as_str() == id_of(path)).count()
    };
    let claimed = scene.claim(100, 3).await;
    assert_eq!((count(&claimed.due, &slow), count(&claimed.due, &quick)), (3, 1));
    let key = (scene.app.tenant.clone(), claimed.due[0].key.subscription_id.clone());
    let none = Capacity { free: 100, per_queue: 100, queues: HashMap::from([(key, 0)]) };
    let others = scene.claim_with(Turn::default(), none).await;
    assert!(others.due.iter().all(|due| due.key.subscription_id != claimed.due[0].key.subscription_id));
}

#[tokio::test]
async fn what_one_queue_leaves_of_its_share_goes_to_the_others() {
    let scene = Scene::start().await;
    scene.subscribe(json!({ "url": URL })).await;
    for _ in 0..9 {
        scene.happen().await;
    }
    scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    // Capacity for six of each of two queues, of which one has a single delivery.
    let first = scene.claim(12, 12).await;
    assert_eq!((first.due.len(), first.is_more), (7, true));
    let rest = scene.claim(5, 12).await;
    assert_eq!((rest.due.len(), rest.is_more), (4, false));
    // A queue that has all that it may have wants no more.
    scene.happen().await;
    assert_eq!(scene.claim(12, 1).await.due.len(), 2);
    scene.happen().await;
    let full = scene.claim(12, 1).await;
    assert_eq!((full.due.len(), full.is_more), (2, false));
}

#[tokio::test]
async fn tenants_share_the_capacity_and_no_queue_starves() {
    let scene = Scene::start().await;
    let other = scene.app.stranger().await;
    let third = {
        scene.app.add_tenant("initech").await;
        let key = scene.app.add_key("initech", Scope::Write).await;
        scene.app.client_with(&key)
    };
    // One has much in many queues, two have little in one.
    for _ in 0..6 {
        scene.subscribe(json!({ "url": URL })).await;
    }
    for client in [&other, &third] {
        subscribe(client, json!({ "url": URL })).await;
    }
    for _ in 0..6 {
        scene.happen().await;
    }
    for _ in 0..2 {
        happen(&other).await;
        happen(&third).await;
    }
    let first = scene.claim(6, 100).await.due;
    let mut of_tenants: HashMap<_, usize> = HashMap::new();
    for due in &first {
        *of_tenants.entry(due.key.tenant.clone()).or_default() += 1;
    }
    assert_eq!(of_tenants.values().copied().collect::<Vec<_>>(), [2, 2, 2]);
    let (mut rest, mut turn) = (0, Turn::default());
    loop {
        let capacity = Capacity { free: 5, per_queue: 100, ..Capacity::default() };
        let claimed = scene.claim_with(turn, capacity).await;
        if claimed.due.is_empty() {
            break;
        }
        rest += claimed.due.len();
        turn = claimed.turn;
    }
    assert_eq!(first.len() + rest, 36 + 4);
}

#[tokio::test]
async fn a_paused_subscription_keeps_what_waits_and_misses_what_happens() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    scene.client.patch(&path, &json!({ "active": false })).await.expect(200);
    scene.happen().await;
    assert_eq!(scene.claim(10, 10).await.due, []);
    scene.client.patch(&path, &json!({ "active": true })).await.expect(200);
    assert_eq!(scene.claim(10, 10).await.due.len(), 1);
}

#[tokio::test]
async fn a_deleted_subscription_is_told_nothing_more() {
    let scene = Scene::start().await;
    let path = scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    let held = scene.claim(1, 1).await.due;
    scene.happen().await;
    scene.client.delete(&path).await.expect(200);
    assert_eq!(scene.claim(10, 10).await.due, []);
    // What is under way may still be noted.
    assert_eq!(scene.answer(&held, 500).await.kept, 1);
    scene.pass(1);
    assert_eq!(scene.claim(10, 10).await.due, []);
}

#[tokio::test]
async fn many_queues_are_all_served_though_a_claim_reads_few() {
    let scene = Scene::start().await;
    for number in 0..70 {
        let name = format!("t{number}");
        scene.app.add_tenant(&name).await;
        let key = scene.app.add_key(&name, Scope::Write).await;
        let client = scene.app.client_with(&key);
        subscribe(&client, json!({ "url": URL })).await;
        happen(&client).await;
    }
    let first = scene.claim(1_000, 10).await;
    assert_eq!((first.due.len(), first.is_more), (64, true));
    let capacity = Capacity { free: 1_000, per_queue: 10, ..Capacity::default() };
    let second = scene.claim_with(first.turn, capacity).await;
    assert_eq!((second.due.len(), second.is_more), (6, false));
}

#[tokio::test]
async fn what_becomes_due_together_is_all_given_though_a_claim_makes_a_thousand_ready() {
    let scene = Scene::start().await;
    for _ in 0..50 {
        scene.subscribe(json!({ "url": URL })).await;
    }
    for _ in 0..21 {
        scene.happen().await;
    }
    assert_eq!(scene.claim(2_000, 21).await.due.len(), 1_050);
    scene.app.advance(LEASE);
    let first = scene.claim(2_000, 21).await;
    assert_eq!((first.due.len(), first.is_more), (1_000, true));
    let rest = scene.claim(2_000, 21).await;
    assert_eq!((rest.due.len(), rest.is_more), (50, false));
}

#[tokio::test]
async fn two_workers_are_never_given_the_same() {
    let scene = Scene::start().await;
    scene.subscribe(json!({ "url": URL })).await;
    for _ in 0..20 {
        scene.happen().await;
    }
    let (mut keys, mut claims) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        let (store, ctx) = (scene.app.store.clone(), scene.app.platform.context());
        claims.push(tokio::spawn(async move {
            let capacity = Capacity { free: 10, per_queue: 10, ..Capacity::default() };
            store.claim(move |tx| deliveries::claim(tx, &ctx, &Turn::default(), &capacity)).await.unwrap()
        }));
    }
    for claim in claims {
        keys.extend(claim.await.unwrap().due.into_iter().map(|due| due.key));
    }
    keys.extend(scene.claim(20, 20).await.due.into_iter().map(|due| due.key));
    let all = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!((all, keys.len()), (20, 20));
}

#[tokio::test]
async fn claims_and_notes_read_what_they_are_about_and_not_all_that_the_tenant_has() {
    if !is_postgres() {
        return;
    }
    // One connection: its plans are made while the table is small, and are kept.
    let app = TestApp::with(|plan| plan.options = Box::new(|options| options.connections = 1)).await;
    let scene = Scene { client: app.client(), app };
    scene.subscribe(json!({ "url": URL })).await;
    for _ in 0..4 {
        scene.happen().await;
    }
    let first = scene.claim(2, 2).await;
    assert_eq!(scene.answer(&first.due, 204).await.kept, 2);
    // Past the service, which would otherwise have PostgreSQL look how large the table is.
    let grow = "INSERT INTO deliveries (tenant_id, subscription_id, event_id, tries, attempts, created_at, updated_at)
                SELECT tenant_id, subscription_id, event_id || n, 0, 1, created_at, updated_at
                FROM deliveries, generate_series(1, 1000) n";
    execute_at(&scene.app.database.address, grow).await;
    let (store, ctx) = (scene.app.store.clone(), scene.app.platform.context());
    let claim = move |tx: &mut Tx<'_>| {
        let capacity = Capacity { free: 2, per_queue: 2, ..Capacity::default() };
        let before = rows_read::of(tx, "deliveries")?;
        let claimed = deliveries::claim(tx, &ctx, &Turn::default(), &capacity)?;
        Ok((claimed.due, rows_read::of(tx, "deliveries")? - before))
    };
    let (due, read) = store.claim(claim).await.unwrap();
    assert_eq!(due.len(), 2);
    assert!(read < 100, "a claim of two has read {read} deliveries");
    let results: Vec<_> = due.iter().map(|due| scene.answered(due, 204)).collect();
    let ctx = scene.app.platform.context();
    let record = move |tx: &mut Tx<'_>| {
        let before = rows_read::of(tx, "deliveries")?;
        let recorded = deliveries::record(tx, &ctx, &results)?;
        Ok((recorded.kept, rows_read::of(tx, "deliveries")? - before))
    };
    let (kept, read) = store.claim(record).await.unwrap();
    assert_eq!(kept, 2);
    assert!(read < 100, "a note of two has read {read} deliveries");
}

#[tokio::test]
async fn an_operator_sees_how_much_waits_and_for_how_long() {
    let scene = Scene::start().await;
    let now = scene.app.platform.clock().now();
    let depth = async |now| scene.app.store.read(move |tx| deliveries::depth(tx, now)).await.unwrap();
    assert_eq!(depth(now).await, deliveries::Depth::default());
    scene.subscribe(json!({ "url": URL })).await;
    scene.happen().await;
    scene.happen().await;
    let later = now.plus(Duration::from_secs(9));
    assert_eq!(depth(later).await, deliveries::Depth { ready: 2, oldest: Duration::from_secs(9) });
}
