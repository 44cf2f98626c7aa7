//! What must be true when a run is over.

use std::time::Duration;

use pagesmith_model::Timestamp;
use pagesmith_model::webhook::schedule::GAPS;

use super::network::Entry;
use super::run::{CLOCKS_APART, Disturbance, Member, SimulationRun, Suspension};

/// What a claim and its note may cost in time.
const MOMENT: Duration = Duration::from_millis(100);
/// Within which a receiver that is well has everything.
const PROMPT: Duration = Duration::from_secs(1);

impl SimulationRun {
    /// Ends the test if something is not as it must be; else tells what happened.
    pub(super) async fn check(&self) -> String {
        let (mut arrived, mut attempts, mut doubles) = (0, 0, 0);
        let disturbances = self.disturbances.lock().unwrap().clone();
        let suspensions = self.suspensions.lock().unwrap().clone();
        for member in self.members.lock().unwrap().iter() {
            let receivers = self.receivers.lock().unwrap();
            let suspended = suspensions.get(&member.tenant).map(Vec::as_slice).unwrap_or_default();
            let diary = &receivers[&member.url].diary;
            for (event, entries) in diary {
                assert!(
                    member.expected.contains_key(event),
                    "{member:?} was told of {event}, which it did not want"
                );
                in_time(member, entries, &disturbances);
                held_back(member, entries, suspended);
                attempts += entries.len();
                let successes = entries.iter().filter(|entry| entry.is_success()).count();
                arrived += successes.min(1);
                doubles += successes.saturating_sub(1);
            }
            for (event, made_at) in &member.expected {
                let entries = diary.get(event).map(Vec::as_slice).unwrap_or_default();
                let first = entries.iter().find(|entry| entry.is_success());
                assert!(
                    first.is_some() || member.deleted_at.is_some(),
                    "{event} never arrived at {member:?}: {entries:#?}"
                );
                if self.is_calm() && member.is_well && !member.was_inactive && member.deleted_at.is_none() {
                    let arrived_at = first.and_then(|entry| entry.ended).unwrap();
                    let took = arrived_at.since(due_at(*made_at, suspended));
                    assert!(took <= PROMPT, "{event} took {took:?} to a receiver that is well");
                }
            }
        }
        let count = disturbances.len();
        format!("{arrived} arrived after {attempts} attempts, {doubles} twice, {count} disturbances")
    }
}

/// Since when an event could be sent: what happens while its tenant is suspended waits for the end of that, and so does what had not been
/// sent when it began.
fn due_at(made_at: Timestamp, suspended: &[Suspension]) -> Timestamp {
    suspended.iter().fold(made_at, |due_at, (from, to)| match to {
        Some(to) if *from <= due_at.plus(PROMPT) => due_at.max(*to),
        _ => due_at,
    })
}

/// Nothing is sent while the tenant is suspended but what had been claimed when that began.
fn held_back(member: &Member, entries: &[Entry], suspended: &[Suspension]) {
    for entry in entries {
        let is_held =
            |(from, to): &Suspension| entry.begun > from.plus(MOMENT) && to.is_none_or(|to| entry.begun < to);
        assert!(!suspended.iter().any(is_held), "sent while the tenant was suspended: {member:?} {entry:?}");
    }
}

/// Attempts at one delivery come one after the other, in their time, and never after the subscription's deletion.
fn in_time(member: &Member, entries: &[Entry], disturbances: &[Disturbance]) {
    for entry in entries {
        let late = member.deleted_at.is_some_and(|deleted| entry.begun > deleted.plus(MOMENT));
        assert!(!late, "sent after the deletion: {member:?} {entry:?}");
    }
    let mut failed = 0;
    for pair in entries.windows(2) {
        let [before, after] = pair else { continue };
        // Whose word was lost may be asked again at any time; how many attempts have failed is then not known either.
        let is_disturbed = disturbances.iter().any(|(at, worker)| {
            (before.begun..=after.begun).contains(at) && worker.is_none_or(|worker| worker == before.worker)
        });
        let Some(ended) = before.ended.filter(|_| !is_disturbed) else {
            assert!(is_disturbed, "two attempts at once: {pair:#?}");
            continue;
        };
        assert!(
            !before.is_success(),
            "sent again although it had arrived and nothing had failed: {entries:#?}"
        );
        failed += 1;
        let wait = after.begun.since(ended);
        let shortest = GAPS[failed - 1].mul_f64(0.8).saturating_sub(CLOCKS_APART);
        assert!(wait >= shortest, "attempt {} came after {wait:?}: {entries:#?}", failed + 1);
        if let Some(asked) = before.asked {
            let honoured = asked.min(GAPS[failed]);
            assert!(
                wait + CLOCKS_APART + Duration::from_micros(1) >= honoured,
                "asked for {honoured:?}: {entries:#?}"
            );
        }
    }
}
