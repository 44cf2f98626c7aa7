//! The histories of versions that take each other's place, at random, against lists that are kept beside them.

use std::collections::BTreeSet;

use pagesmith_model::{AudienceId, VersionId};
use pagesmith_store::Tx;
use pagesmith_store::tables::versions::history as table;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::audiences;
use crate::property::{self, Case};

const VERSIONS: usize = 3;

/// Something that is done with one of the versions.
#[derive(Debug, Clone)]
enum Step {
    Publish(usize),
    /// An entry that is of one version alone.
    Schedule(usize),
    /// So many stay, and so many of those behind them go.
    Shorten(usize, usize, usize),
}

fn any_step() -> impl Strategy<Value = Step> {
    let version = 0..VERSIONS;
    prop_oneof![
        6 => version.clone().prop_map(Step::Publish),
        2 => version.clone().prop_map(Step::Schedule),
        1 => (version, 1..4_usize, 1..4_usize).prop_map(|(version, kept, gone)| Step::Shorten(version, kept, gone)),
    ]
}

/// The versions of one audience, and what their histories must be: ids and actions, newest first.
struct Histories {
    case: Case,
    paths: Vec<String>,
    live: Option<usize>,
    expected: Vec<Vec<String>>,
}

impl Histories {
    async fn start(case: Case) -> Histories {
        let page = audiences::page(&case.client).await;
        let audience = audiences::audience(&case.client, &page, &json!({ "publishBehavior": "draft" })).await;
        case.app.write_versions().await;
        let versions = format!("{audience}/versions");
        for _ in 1..VERSIONS {
            case.client.post(&versions, &json!({})).await.expect(201);
            case.app.write_versions().await;
        }
        let listed = case.client.get(&versions).await.expect(200).json();
        let ids = listed["items"].as_array().unwrap().iter().map(|version| &version["versionId"]);
        let paths = ids.map(|id| format!("{versions}/{}", id.as_str().unwrap())).collect();
        let expected = vec![vec!["generated".to_owned(), "created".to_owned()]; VERSIONS];
        Histories { case, paths, live: None, expected }
    }

    fn ids(&self, version: usize) -> (AudienceId, VersionId) {
        let mut parts = self.paths[version].rsplit('/');
        let version_id = VersionId::parse(parts.next().unwrap()).unwrap();
        (AudienceId::parse(parts.nth(1).unwrap()).unwrap(), version_id)
    }

    fn note(&mut self, version: usize, action: &str) {
        self.expected[version].insert(0, action.to_owned());
    }

    async fn take(&mut self, step: &Step) {
        match *step {
            Step::Publish(version) => {
                let path = format!("{}/publish", self.paths[version]);
                let answer = self.case.client.post(&path, &json!({})).await;
                if self.live == Some(version) {
                    return;
                }
                answer.expect(200);
                self.note(version, "published");
                if let Some(replaced) = self.live.replace(version) {
                    self.note(replaced, "archived");
                }
            }
            Step::Schedule(version) => {
                let path = format!("{}/schedule", self.paths[version]);
                let body = json!({ "unpublishAt": "2036-01-01T00:00:00.000Z" });
                if self.case.client.send("PUT", &path, Some(body.to_string().into_bytes())).await.status
                    == 200
                {
                    self.note(version, "scheduled");
                }
            }
            Step::Shorten(version, kept, gone) => {
                let tenant = self.case.tenant_id.clone();
                let (audience_id, version_id) = self.ids(version);
                let shorten = move |tx: &mut Tx<'_>| {
                    let (kept, gone) = (i64::try_from(kept).unwrap(), i64::try_from(gone).unwrap());
                    table::shorten(tx, &tenant, (&audience_id, &version_id), kept, gone)
                };
                self.case.app.store.write(shorten).await.unwrap();
                let expected = &mut self.expected[version];
                let end = (kept + gone).min(expected.len());
                expected.drain(kept.min(end)..end);
            }
        }
    }

    /// The entries of a version, newest first, read in parts.
    async fn told(&self, version: usize) -> Vec<Value> {
        let (mut told, mut cursor) = (Vec::new(), String::new());
        loop {
            let path = format!("{}/history?limit=3{cursor}", self.paths[version]);
            let part = self.case.client.get(&path).await.expect(200).json();
            told.extend(part["items"].as_array().unwrap().clone());
            match part["nextCursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => {
                    assert_eq!(part["totalCount"], told.len());
                    return told;
                }
            }
        }
    }
}

#[test]
fn each_version_has_its_own_history_whatever_becomes_of_the_others() {
    property::holds(12, &prop::collection::vec(any_step(), 1..25), async |case, steps| {
        let mut histories = Histories::start(case).await;
        let mut seen = BTreeSet::new();
        for step in &steps {
            histories.take(step).await;
            for version in 0..VERSIONS {
                let told = histories.told(version).await;
                let actions: Vec<&str> = told.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
                assert_eq!(actions, histories.expected[version], "of version {version} after {step:?}");
                seen.extend(told.iter().map(|entry| entry["versionEntryId"].as_str().unwrap().to_owned()));
            }
        }
        // What is in no list any more is nowhere; all of it goes with the audience.
        let mut listed = Vec::new();
        for version in 0..VERSIONS {
            let told = histories.told(version).await;
            listed.extend(told.iter().map(|entry| entry["versionEntryId"].as_str().unwrap().to_owned()));
        }
        let case = &histories.case;
        let kept = case.app.database.everything(&case.app.store).await;
        for id in &seen {
            assert_eq!(holds(&kept, id), listed.contains(id), "{id}");
        }
        let (tenant, (audience_id, _)) = (case.tenant_id.clone(), histories.ids(0));
        let remove = move |tx: &mut Tx<'_>| tx.run(table::remove_all(&tenant, &audience_id)).map(drop);
        case.app.store.write(remove).await.unwrap();
        let kept = case.app.database.everything(&case.app.store).await;
        let left: Vec<&String> = seen.iter().filter(|id| holds(&kept, id)).collect();
        // The versions' rows still name their last entries.
        assert!(left.len() <= VERSIONS, "{left:?}");
    });
}

fn holds(bytes: &[u8], id: &str) -> bool {
    bytes.windows(id.len()).any(|part| part == id.as_bytes())
}
