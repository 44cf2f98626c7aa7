//! Walks over a log while entries come and go: none that was there all along is lost, none is met twice, every total is exact.

use std::collections::BTreeSet;

use pagesmith_testkit::Client;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use super::{ids, log_of, text, write};
use crate::property;

/// What happens between two parts of a walk.
#[derive(Debug, Clone)]
enum Step {
    Take(usize),
    Write,
    Delete(Index),
    Restore(Index),
}

struct Known {
    entry: Value,
    deleted: bool,
    /// Whether it was there at every instant of the walk.
    throughout: bool,
}

struct Walk {
    client: Client,
    deleted_too: bool,
    entries: Vec<Known>,
    cursor: Option<String>,
    last: Option<String>,
    met: Vec<String>,
}

#[test]
fn a_walk_over_a_log_loses_and_repeats_nothing_while_entries_come_and_go() {
    let step = prop_oneof![
        4 => (1..6_usize).prop_map(Step::Take),
        2 => Just(Step::Write),
        2 => any::<Index>().prop_map(Step::Delete),
        2 => any::<Index>().prop_map(Step::Restore),
    ];
    let history = (any::<bool>(), 1..20_usize, prop::collection::vec(step, 0..25));
    property::holds(24, &history, async |case, (deleted_too, first, steps)| {
        let mut walk =
            Walk { client: case.client, deleted_too, entries: vec![], cursor: None, last: None, met: vec![] };
        for _ in 0..first {
            walk.write(true).await;
        }
        walk.run(steps).await;
    });
}

impl Walk {
    async fn run(mut self, steps: Vec<Step>) {
        let mut ended = false;
        for step in steps {
            match step {
                Step::Take(limit) if !ended => ended = self.take(limit).await,
                Step::Take(_) => {}
                Step::Write => self.write(false).await,
                Step::Delete(at) => self.set_deleted(at, true).await,
                Step::Restore(at) => self.set_deleted(at, false).await,
            }
        }
        while !ended {
            ended = self.take(3).await;
        }
        assert_eq!(self.met.iter().collect::<BTreeSet<_>>().len(), self.met.len(), "an entry was met twice");
        for known in self.entries.iter().filter(|known| known.throughout) {
            let id = text(&known.entry, "personLogId");
            assert!(self.met.iter().any(|met| met == id), "{id} was lost");
        }
    }

    /// Takes the next part, which must be what the model says; whether it was the last.
    async fn take(&mut self, limit: usize) -> bool {
        let mut parameters = format!("includeDeleted={}&limit={limit}", self.deleted_too);
        if let Some(cursor) = &self.cursor {
            parameters = format!("{parameters}&cursor={cursor}");
        }
        let part = log_of(&self.client, &self.entries[0].entry, &parameters).await;
        let shown = self.entries.iter().rev().filter(|known| self.deleted_too || !known.deleted);
        let mut shown: Vec<&str> = shown.map(|known| text(&known.entry, "personLogId")).collect();
        assert_eq!(part["totalCount"], shown.len());
        shown.retain(|id| self.last.as_deref().is_none_or(|last| *id < last));
        let more = shown.len() > limit;
        shown.truncate(limit);
        assert_eq!(ids(&part), shown);
        assert_eq!((part["hasMore"] == true, part["nextCursor"].is_string()), (more, more));
        self.cursor = part["nextCursor"].as_str().map(str::to_owned);
        self.last = shown.last().map(|id| (*id).to_owned()).or(self.last.take());
        self.met.extend(ids(&part).into_iter().map(str::to_owned));
        !more
    }

    async fn write(&mut self, throughout: bool) {
        let entry = write(&self.client, &json!({ "phoneNumber": "+12" })).await;
        self.entries.push(Known { entry, deleted: false, throughout });
    }

    async fn set_deleted(&mut self, at: Index, deleted: bool) {
        let deleted_too = self.deleted_too;
        let known = at.get_mut(&mut self.entries);
        let address = super::address(&known.entry);
        if deleted {
            self.client.delete(&address).await.expect(200);
            known.throughout &= deleted_too;
        } else {
            self.client.post(&format!("{address}/restore"), &json!({})).await.expect(200);
        }
        known.deleted = deleted;
    }
}
