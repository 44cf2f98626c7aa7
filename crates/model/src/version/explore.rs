//! Model checking of the life of a version: every state that a few versions and two workers can reach, and long random runs.
//!
//! [`State`] carries commands and effects out as the operations do in a database, in memory. After each step the invariants of the
//! life are checked; for every reachable state also that no version waits for ever.

use std::collections::{HashSet, VecDeque};

use proptest::prelude::*;

use super::VersionStatus;
use super::VersionStatus::{Archived, Cancelled, Draft, Pending, Processing, Published, Queued};
use super::life::{Command, Effect, Life, Siblings, TRIES, VersionEvent};
use crate::time::Timestamp;

/// An audience with its versions, and the workers that write them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    versions: Vec<Life>,
    /// What each worker writes, and whether its lease is still valid.
    workers: [Option<(usize, bool)>; 2],
    is_archived: bool,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Create(bool),
    Claim(usize),
    Finish(usize),
    Fail(usize, bool),
    HandBack(usize),
    /// The worker is gone; what it writes stays leased until the lease ends.
    Crash(usize),
    EndLease(usize),
    Cancel(usize, bool),
    Publish(usize),
    Unpublish(usize),
    Edit(usize),
    Archive(bool),
    Restore,
}

type Events = Vec<(usize, VersionEvent)>;

impl State {
    fn new() -> State {
        State { versions: vec![], workers: [None; 2], is_archived: false }
    }

    fn siblings(&self, of: usize) -> Siblings {
        let others = || self.versions.iter().enumerate().filter(|(at, _)| *at != of).map(|(_, life)| life);
        Siblings {
            published: others().find(|life| life.status == Published).map(|life| life.number),
            is_generating: others().any(|life| life.status.is_generating()),
        }
    }

    fn carry_out(&mut self, at: usize, command: Command, now: Timestamp, events: &mut Events) -> bool {
        let live = self.versions.iter().position(|life| life.status == Published);
        let Ok(moved) = self.versions[at].after(command, self.siblings(at), now) else { return false };
        self.versions[at] = moved.life;
        self.follow(at, live, moved.effects, now, events);
        true
    }

    fn follow(
        &mut self,
        at: usize,
        live: Option<usize>,
        effects: Vec<Effect>,
        now: Timestamp,
        events: &mut Events,
    ) {
        for effect in effects {
            match effect {
                Effect::Emit(event) => events.push((at, event)),
                Effect::ReplaceLive => {
                    assert!(self.carry_out(live.unwrap(), Command::Replace, now, events));
                }
                Effect::OvertakeOlder => {
                    for older in 0..at {
                        let life = &self.versions[older];
                        if life.status == Draft && life.obsolete_at.is_none() {
                            assert!(self.carry_out(older, Command::Overtake, now, events));
                        }
                    }
                }
                Effect::PassTurn => {
                    if let Some(next) = self.versions.iter().position(|life| life.status == Pending) {
                        assert!(self.carry_out(next, Command::TakeTurn, now, events));
                    }
                }
            }
        }
    }

    /// Makes every lease on a version invalid.
    fn release(&mut self, version: usize) {
        for (leased, is_valid) in self.workers.iter_mut().flatten() {
            *is_valid &= *leased != version;
        }
    }

    /// Takes a step if it is possible, and returns the events that it emits.
    fn take(&mut self, step: Step, now: Timestamp) -> Option<Events> {
        let mut events = Events::new();
        let done = match step {
            Step::Create(publish) => {
                if self.is_archived {
                    return None;
                }
                let number = i64::try_from(self.versions.len()).unwrap() + 1;
                let moved = Life::begin(number, publish, self.siblings(usize::MAX), now);
                self.versions.push(moved.life);
                self.follow(self.versions.len() - 1, None, moved.effects, now, &mut events);
                true
            }
            Step::Claim(worker) => {
                let at = self.versions.iter().position(|life| life.status == Queued)?;
                if self.workers[worker].is_some() {
                    return None;
                }
                self.workers[worker] = Some((at, true));
                self.carry_out(at, Command::Claim, now, &mut events)
            }
            Step::Finish(worker) => self.end(worker, Command::Finish, now, &mut events)?,
            Step::Fail(worker, again) => {
                self.end(worker, Command::Fail { again, kept: false }, now, &mut events)?
            }
            Step::HandBack(worker) => self.end(worker, Command::HandBack, now, &mut events)?,
            Step::Crash(worker) => self.workers[worker].take().is_some(),
            Step::EndLease(at) => {
                self.release(at);
                self.versions.get(at)?;
                self.carry_out(at, Command::Fail { again: true, kept: false }, now, &mut events)
            }
            Step::Cancel(at, kept) => {
                self.versions.get(at)?;
                let done = self.carry_out(at, Command::Cancel { kept }, now, &mut events);
                if done {
                    self.release(at);
                }
                done
            }
            Step::Publish(at) => {
                self.versions.get(at)?;
                !self.is_archived && self.carry_out(at, Command::Publish, now, &mut events)
            }
            Step::Unpublish(at) => {
                self.versions.get(at)?;
                self.carry_out(at, Command::Unpublish, now, &mut events)
            }
            Step::Edit(at) => {
                self.versions.get(at)?;
                self.carry_out(at, Command::Edit, now, &mut events)
            }
            Step::Archive(kept) => {
                for at in 0..self.versions.len() {
                    if self.versions[at].status.is_unfinished() {
                        assert!(self.carry_out(at, Command::Abandon { kept }, now, &mut events));
                        self.release(at);
                    }
                }
                !std::mem::replace(&mut self.is_archived, true)
            }
            Step::Restore => std::mem::replace(&mut self.is_archived, false),
        };
        done.then_some(events)
    }

    /// A worker ends its work; without a valid lease it has no effect.
    fn end(&mut self, worker: usize, command: Command, now: Timestamp, events: &mut Events) -> Option<bool> {
        let (at, is_valid) = self.workers[worker].take()?;
        if is_valid {
            assert!(self.carry_out(at, command, now, events), "{command:?} with a valid lease");
        }
        Some(true)
    }

    /// The invariants of every state.
    fn check(&self) {
        let count = |wanted: &dyn Fn(VersionStatus) -> bool| {
            self.versions.iter().filter(|life| wanted(life.status)).count()
        };
        assert!(count(&|status| status == Published) <= 1, "{self:#?}");
        assert!(count(&VersionStatus::is_generating) <= 1, "{self:#?}");
        assert!(count(&|status| status == Pending) == 0 || count(&VersionStatus::is_generating) == 1);
        assert!(!self.is_archived || count(&VersionStatus::is_unfinished) == 0);
        let live = self.versions.iter().find(|life| life.status == Published).map(|life| life.number);
        for (at, life) in self.versions.iter().enumerate() {
            assert_eq!(life.number, i64::try_from(at).unwrap() + 1);
            assert!(life.tries <= TRIES);
            let is = |status| life.status == status;
            assert_eq!(life.cancelled_at.is_some(), is(Cancelled), "{life:?}");
            assert_eq!(life.archived_at.is_some(), is(Archived), "{life:?}");
            assert!(life.published_at.is_some() || !(is(Published) || is(Archived)), "{life:?}");
            assert!(life.queued_at.is_some() || !life.status.is_generating(), "{life:?}");
            assert!(life.started_at.is_some() || !is(Processing), "{life:?}");
            assert!(life.became_draft_at.is_some() || !is(Draft), "{life:?}");
            assert!(life.has_content || !(is(Draft) || is(Published) || is(Archived)), "{life:?}");
            assert!(life.obsolete_at.is_none() || is(Draft) || is(Archived), "{life:?}");
            let is_overtaken = is(Draft) && live.is_some_and(|live| live > life.number);
            assert!(life.obsolete_at.is_some() || !is_overtaken, "{life:?} beside {live:?}");
            assert!(!life.publish_when_ready || life.status.is_unfinished(), "{life:?}");
            let leases = self.workers.iter().flatten().filter(|lease| **lease == (at, true)).count();
            assert!(leases <= usize::from(is(Processing)), "{self:#?}");
        }
    }

    /// The emitted events are exactly the changes between two states.
    fn check_events(&self, before: &State, events: &Events) {
        let mut expected = Events::new();
        for (at, life) in self.versions.iter().enumerate() {
            let Some(was) = before.versions.get(at) else {
                expected.push((at, VersionEvent::Created));
                continue;
            };
            if was.status == Processing && matches!(life.status, Draft | Published) {
                expected.push((at, VersionEvent::Processed));
            }
            if was.status != Published && life.status == Published {
                expected.push((at, VersionEvent::Published));
            }
        }
        let mut events = events.clone();
        events.sort_by_key(|(at, _)| *at);
        assert_eq!(events, expected);
    }

    /// If workers do not fail any more, every version that waits is written.
    fn check_nothing_is_stuck(&self) {
        let (mut state, now) = (self.clone(), Timestamp::from_micros(0));
        state.workers = [None; 2];
        for at in 0..state.versions.len() {
            // The leases of workers that are gone end.
            drop(state.take(Step::EndLease(at), now));
        }
        for _ in 0..state.versions.len() {
            if state.take(Step::Claim(0), now).is_some() {
                state.take(Step::Finish(0), now).unwrap();
            }
        }
        assert!(state.versions.iter().all(|life| !life.status.is_unfinished()), "{self:#?}\n{state:#?}");
    }
}

fn steps(versions: usize, most: usize) -> Vec<Step> {
    let mut steps = vec![Step::Archive(false), Step::Archive(true), Step::Restore];
    if versions < most {
        steps.extend([Step::Create(true), Step::Create(false)]);
    }
    for worker in 0..2 {
        let ends = [Step::Finish(worker), Step::HandBack(worker), Step::Crash(worker), Step::Claim(worker)];
        steps.extend(ends);
        steps.extend([Step::Fail(worker, true), Step::Fail(worker, false)]);
    }
    for at in 0..versions {
        steps.extend([Step::Cancel(at, false), Step::Cancel(at, true), Step::Publish(at), Step::Edit(at)]);
        steps.extend([Step::EndLease(at), Step::Unpublish(at)]);
    }
    steps
}

/// Explores every state that so many versions can reach, and returns how many there are. Time stands still, so that equal states are
/// recognized as such.
fn explore(most: usize) -> usize {
    let now = Timestamp::from_micros(0);
    let (mut seen, mut waiting) = (HashSet::from([State::new()]), VecDeque::from([State::new()]));
    while let Some(state) = waiting.pop_front() {
        state.check_nothing_is_stuck();
        for step in steps(state.versions.len(), most) {
            let mut next = state.clone();
            let Some(events) = next.take(step, now) else { continue };
            next.check();
            next.check_events(&state, &events);
            next.forget_history();
            if seen.insert(next.clone()) {
                waiting.push_back(next);
            }
        }
    }
    seen.len()
}

impl State {
    /// Drops what no command reads, so that states that differ only in their history are equal.
    fn forget_history(&mut self) {
        let now = Some(Timestamp::from_micros(0));
        for life in &mut self.versions {
            if !life.status.is_unfinished() {
                (life.tries, life.queued_at, life.started_at) = (0, None, None);
            }
            life.became_draft_at = now;
            life.published_at = now;
        }
        self.workers.sort_unstable();
    }
}

#[test]
fn no_order_of_events_breaks_a_promise_to_two_versions() {
    let states = explore(2);
    assert!(states > 800, "only {states} states were reached");
}

#[test]
fn no_order_of_events_breaks_a_promise_to_three_versions() {
    let states = explore(3);
    assert!(states > 9_000, "only {states} states were reached");
}

fn any_step() -> impl Strategy<Value = Step> {
    let version = 0..8_usize;
    let worker = 0..2_usize;
    prop_oneof![
        2 => any::<bool>().prop_map(Step::Create),
        6 => worker.clone().prop_map(Step::Claim),
        4 => worker.clone().prop_map(Step::Finish),
        1 => (worker.clone(), any::<bool>()).prop_map(|(worker, again)| Step::Fail(worker, again)),
        1 => worker.clone().prop_map(Step::HandBack),
        1 => worker.prop_map(Step::Crash),
        1 => version.clone().prop_map(Step::EndLease),
        2 => (version.clone(), any::<bool>()).prop_map(|(at, kept)| Step::Cancel(at, kept)),
        3 => version.clone().prop_map(Step::Publish),
        1 => version.clone().prop_map(Step::Unpublish),
        1 => version.prop_map(Step::Edit),
        1 => any::<bool>().prop_map(Step::Archive),
        1 => Just(Step::Restore),
    ]
}

proptest! {
    #[test]
    fn long_lives_keep_every_promise_and_note_when_it_happened(taken in prop::collection::vec(any_step(), 1..120)) {
        let mut state = State::new();
        for (second, step) in (1..).zip(taken) {
            let (before, now) = (state.clone(), Timestamp::from_micros(second * 1_000_000));
            let Some(events) = state.take(step, now) else {
                prop_assert!(before.versions == state.versions);
                continue;
            };
            state.check();
            state.check_events(&before, &events);
            for (at, life) in state.versions.iter().enumerate() {
                let was = before.versions.get(at);
                let came = |status| life.status == status && was.is_none_or(|was| was.status != status);
                prop_assert!(!came(Published) || life.published_at == Some(now));
                prop_assert!(!came(Cancelled) || life.cancelled_at == Some(now));
                prop_assert!(!came(Archived) || life.archived_at == Some(now));
                let obsolete_at = if matches!(step, Step::Unpublish(_)) { None } else { Some(now) };
                prop_assert!(!came(Archived) || life.obsolete_at == obsolete_at);
                prop_assert!(!came(Draft) || life.became_draft_at == Some(now));
                let begun = came(Queued) && was.is_none_or(|was| was.status != Processing);
                prop_assert!(!begun || life.queued_at == Some(now));
                let back = came(Queued) && was.is_some_and(|was| was.status == Processing);
                prop_assert!(!back || life.queued_at == was.and_then(|was| was.queued_at));
                let numbers = was.is_none_or(|was| (was.number, was.created_at) == (life.number, life.created_at));
                prop_assert!(numbers);
            }
        }
        state.check_nothing_is_stuck();
    }
}
