//! A version's content as a new draft, and the history of versions.

use futures_util::future::join_all;
use pagesmith_model::actor::Actor;
use pagesmith_model::version::history::VersionAction;
use pagesmith_model::{AudienceId, Timestamp, Uuid7Source, VersionEntryId, VersionId};
use pagesmith_operations::versions::history::{self as operations, KEPT};
use pagesmith_store::Tx;
use pagesmith_store::tables::versions::history::{self as history_table, Added, HistoryEntry};
use serde_json::{Value, json};

use super::{Scene, document};

/// What was done with a version, newest first, and by whom.
async fn history(scene: &Scene, path: &str) -> Vec<(String, String)> {
    let listed = scene.get(&format!("{path}/history?limit=100")).await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let items = listed["items"].as_array().unwrap().iter();
    items.map(|item| (text(&item["action"]), text(&item["actor"]))).collect()
}

#[tokio::test]
async fn what_a_version_says_becomes_a_new_draft_once() {
    let scene = Scene::start().await;
    let first = scene.path(1).await;
    scene.client.post(&format!("{first}/restore"), &json!({})).await.expect(409);
    scene.write().await;
    let body = json!({ "operationKey": "once" });
    let made = scene.client.post(&format!("{first}/restore"), &body).await.expect(201).json();
    let again = scene.client.post(&format!("{first}/restore"), &body).await.expect(201).json();
    assert_eq!((&made, &made["status"], &made["versionNumber"]), (&again, &json!("draft"), &json!(2)));
    let second = scene.path(2).await;
    let content = scene.get(&format!("{second}/content")).await;
    assert_eq!(content, scene.get(&format!("{first}/content")).await);
    assert_eq!(scene.statuses().await, ["published", "draft"]);
    let listed = scene.get(&format!("{second}/history")).await;
    assert_eq!((&listed["items"][0]["action"], &listed["totalCount"]), (&json!("restored"), &json!(2)));
    assert_eq!(listed["items"][0]["sourceVersionId"], scene.get(&first).await["versionId"]);
    assert!(listed["items"][0]["requestId"].as_str().is_some_and(|id| id.starts_with("req_")));
    scene.client.delete(&scene.audience).await.expect(200);
    scene.client.post(&format!("{first}/restore"), &json!({})).await.expect(409);
}

#[tokio::test]
async fn a_history_tells_what_was_done_and_by_whom() {
    let scene = Scene::with_draft().await;
    let first = scene.path(1).await;
    scene.write().await;
    let body = Some(document("x").to_string().into_bytes());
    scene.client.send("PUT", &format!("{first}/content"), body).await.expect(200);
    scene.ask(&first, "publish").await;
    let second = scene.add().await;
    scene.ask(&second, "cancel").await;
    let told = history(&scene, &first).await;
    let actions: Vec<&str> = told.iter().map(|(action, _)| action.as_str()).collect();
    assert_eq!(actions, ["published", "edited", "generated", "created"]);
    assert_eq!(told[2].1, "worker");
    assert!([0, 1, 3].iter().all(|at| told[*at].1.starts_with("key_")), "{told:?}");
    let cancelled = history(&scene, &second).await;
    assert_eq!((cancelled[0].0.as_str(), cancelled.len()), ("cancelled", 2));
    let part = scene.get(&format!("{first}/history?limit=2")).await;
    let cursor = part["nextCursor"].as_str().unwrap();
    let rest = scene.get(&format!("{first}/history?limit=2&cursor={cursor}")).await;
    assert_eq!((&rest["items"][0]["action"], &rest["hasMore"]), (&json!("generated"), &json!(false)));
}

#[tokio::test]
async fn of_two_versions_that_go_live_in_turns_every_change_is_told_once_and_in_order() {
    let scene = Scene::with_draft().await;
    let first = scene.path(1).await;
    scene.write().await;
    let second = scene.add().await;
    scene.write().await;
    let rounds = 30;
    for _ in 0..rounds {
        scene.ask(&first, "publish").await;
        scene.ask(&second, "publish").await;
    }
    let told_of = async |path: &str| {
        let (mut told, mut cursor) = (Vec::new(), String::new());
        loop {
            let part = scene.get(&format!("{path}/history?limit=7{cursor}")).await;
            let items = part["items"].as_array().unwrap();
            told.extend(items.iter().map(|item| item["action"].as_str().unwrap().to_owned()));
            match part["nextCursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        told.reverse();
        let total = scene.get(&format!("{path}/history?limit=1")).await["totalCount"].as_u64().unwrap();
        assert_eq!(total, told.len() as u64);
        told
    };
    let mut expected = vec!["created", "generated"];
    expected.extend(["published", "archived"].repeat(rounds));
    assert_eq!(told_of(&first).await, expected);
    // The second is still live.
    assert_eq!(told_of(&second).await, expected[..expected.len() - 1]);
}

#[tokio::test]
async fn of_a_history_that_grows_on_the_newest_entries_stay() {
    let scene = Scene::with_draft().await;
    let first = scene.path(1).await;
    scene.write().await;
    let second = scene.add().await;
    scene.write().await;
    // More than are removed in one step.
    let old = 700;
    let audience_id = AudienceId::parse(scene.audience.rsplit('/').next().unwrap()).unwrap();
    let version_id = VersionId::parse(scene.get(&first).await["versionId"].as_str().unwrap()).unwrap();
    let (tenant, of) = (scene.app.tenant.clone(), (audience_id, version_id));
    let ids = Uuid7Source::new();
    let id = |number| VersionEntryId::mint(ids.next(Timestamp::from_micros(1_000 * number), 7));
    let filled: Vec<VersionEntryId> = (0..KEPT + old).map(id).collect();
    let all = filled.clone();
    let fill = move |tx: &mut Tx<'_>| {
        let mut changes = vec![history_table::note_growth(&tenant, &of.0, &of.1)];
        for id in &all {
            let entry = HistoryEntry {
                version_entry_id: id.clone(),
                action: VersionAction::Edited,
                actor: Actor::Worker,
                request_id: None,
                details: None,
                created_at: Timestamp::from_micros(7),
            };
            changes.push(history_table::append(&tenant, (&of.0, &of.1), &entry, None, None));
            let added = Added { last: Some(id.clone()), count: 1 };
            changes.push(history_table::advance(&tenant, &of.0, &of.1, &added));
        }
        tx.batch(changes).map(|_| ())
    };
    scene.app.store.write(fill).await.unwrap();
    let total = async |path: &str| {
        scene.get(&format!("{path}/history?limit=1")).await["totalCount"].as_i64().unwrap()
    };
    // Two are the version's own.
    assert_eq!(total(&first).await, KEPT + old + 2);
    let newest = scene.get(&format!("{first}/history?limit=100")).await;
    let before = total(&second).await;
    let mut steps = 0;
    loop {
        let ctx = scene.app.platform.context().of(scene.app.tenant.clone());
        let step = move |tx: &mut Tx<'_>| operations::shorten(tx, &ctx);
        if !scene.app.store.write(step).await.unwrap() {
            break;
        }
        steps += 1;
        // Between two steps it is one list.
        assert_eq!(walked(&scene, &first).await, total(&first).await);
    }
    assert_eq!((steps, total(&first).await, total(&second).await), (2, KEPT, before));
    assert_eq!(scene.get(&format!("{first}/history?limit=100")).await["items"], newest["items"]);
    // What is not listed any more is gone, and the list goes on.
    let left = scene.app.database.everything(&scene.app.store).await;
    let is_left =
        |id: &VersionEntryId| left.windows(id.as_str().len()).any(|part| part == id.as_str().as_bytes());
    let at = usize::try_from(old).unwrap();
    assert!(
        !filled[..at].iter().any(is_left) && is_left(&filled[at]),
        "{:?}",
        filled.iter().position(is_left)
    );
    scene.ask(&first, "publish").await;
    assert_eq!((total(&first).await, walked(&scene, &first).await), (KEPT + 1, KEPT + 1));
}

#[tokio::test]
async fn what_many_do_at_once_is_all_in_the_history() {
    let scene = Scene::with_draft().await;
    let first = scene.path(1).await;
    scene.write().await;
    scene.ask(&first, "publish").await;
    let second = scene.add().await;
    scene.write().await;
    let content = document("x").to_string().into_bytes();
    let (to_content, to_schedule) = (format!("{second}/content"), format!("{second}/schedule"));
    let edits = (0..8).map(|_| scene.client.send("PUT", &to_content, Some(content.clone())));
    let times = json!({ "publishAt": "2026-03-02T00:00:00.000Z" }).to_string().into_bytes();
    let schedules = (0..8).map(|_| scene.client.send("PUT", &to_schedule, Some(times.clone())));
    let (edited, scheduled) = tokio::join!(join_all(edits), join_all(schedules));
    let done = edited.iter().chain(&scheduled).filter(|answer| answer.status == 200).count();
    assert!(done > 8, "{done} of 16 were done");
    // Created, generated, and what was done.
    let expected = i64::try_from(done).unwrap() + 2;
    let total = scene.get(&format!("{second}/history?limit=1")).await["totalCount"].as_i64().unwrap();
    assert_eq!((total, walked(&scene, &second).await), (expected, expected));
}

/// How many entries the parts of a history have.
async fn walked(scene: &Scene, path: &str) -> i64 {
    let (mut count, mut cursor) = (0, String::new());
    loop {
        let part = scene.get(&format!("{path}/history?limit=90{cursor}")).await;
        count += part["items"].as_array().unwrap().len();
        match part["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return i64::try_from(count).unwrap(),
        }
    }
}
