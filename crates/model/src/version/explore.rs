//! The life of a version, walked through: every state that a few versions and two workers can reach, and long random lives.
//!
//! [`World`] carries commands and effects out as the operations do in a database, in memory. Each step is checked against what the
//! life promises; in the walk through all states also that nothing can get stuck.

use std::collections::{HashSet, VecDeque};

use proptest::prelude::*;

use super::VersionStatus;
use super::VersionStatus::{Archived, Cancelled, Draft, Pending, Processing, Published, Queued};
use super::life::{Command, Effect, Life, Siblings, TRIES, VersionEvent};
use crate::time::Timestamp;

/// An audience with its versions, and the workers that write them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct World {
    versions: Vec<Life>,
    /// What each worker writes, and whether its hold on it still counts.
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
    /// The worker is gone; what it held stays held until its lease ends.
    Crash(usize),
    EndLease(usize),
    Cancel(usize, bool),
    Publish(usize),
    Edit(usize),
    Archive(bool),
    Restore,
}

type Events = Vec<(usize, VersionEvent)>;

impl World {
    fn new() -> World {
        World { versions: vec![], workers: [None; 2], is_archived: false }
    }

    fn siblings(&self, of: usize) -> Siblings {
        let others = || self.versions.iter().enumerate().filter(|(at, _)| *at != of).map(|(_, life)| life);
        Siblings {
            published: others().find(|life| life.status == Published).map(|life| life.number),
            is_generating: others().any(|life| life.status.is_generating()),
        }
    }

    fn carry_out(&mut self, at: usize, command: Command, now: Timestamp, told: &mut Events) -> bool {
        let live = self.versions.iter().position(|life| life.status == Published);
        let Ok(moved) = self.versions[at].after(command, self.siblings(at), now) else { return false };
        self.versions[at] = moved.life;
        self.follow(at, live, moved.effects, now, told);
        true
    }

    fn follow(
        &mut self,
        at: usize,
        live: Option<usize>,
        effects: Vec<Effect>,
        now: Timestamp,
        told: &mut Events,
    ) {
        for effect in effects {
            match effect {
                Effect::Tell(event) => told.push((at, event)),
                Effect::ReplaceLive => {
                    assert!(self.carry_out(live.unwrap(), Command::Replace, now, told));
                }
                Effect::OvertakeOlder => {
                    for older in 0..at {
                        let life = &self.versions[older];
                        if life.status == Draft && life.obsolete_at.is_none() {
                            assert!(self.carry_out(older, Command::Overtake, now, told));
                        }
                    }
                }
                Effect::PassTurn => {
                    if let Some(next) = self.versions.iter().position(|life| life.status == Pending) {
                        assert!(self.carry_out(next, Command::TakeTurn, now, told));
                    }
                }
            }
        }
    }

    /// Nobody's hold on a version counts any more.
    fn release(&mut self, version: usize) {
        for (held, counts) in self.workers.iter_mut().flatten() {
            *counts &= *held != version;
        }
    }

    /// Takes a step if it is possible; what was told.
    fn take(&mut self, step: Step, now: Timestamp) -> Option<Events> {
        let mut told = Events::new();
        let done = match step {
            Step::Create(publish) => {
                if self.is_archived {
                    return None;
                }
                let number = i64::try_from(self.versions.len()).unwrap() + 1;
                let moved = Life::begin(number, publish, self.siblings(usize::MAX), now);
                self.versions.push(moved.life);
                self.follow(self.versions.len() - 1, None, moved.effects, now, &mut told);
                true
            }
            Step::Claim(worker) => {
                let at = self.versions.iter().position(|life| life.status == Queued)?;
                if self.workers[worker].is_some() {
                    return None;
                }
                self.workers[worker] = Some((at, true));
                self.carry_out(at, Command::Claim, now, &mut told)
            }
            Step::Finish(worker) => self.end(worker, Command::Finish, now, &mut told)?,
            Step::Fail(worker, again) => {
                self.end(worker, Command::Fail { again, kept: false }, now, &mut told)?
            }
            Step::HandBack(worker) => self.end(worker, Command::HandBack, now, &mut told)?,
            Step::Crash(worker) => self.workers[worker].take().is_some(),
            Step::EndLease(at) => {
                self.release(at);
                self.versions.get(at)?;
                self.carry_out(at, Command::Fail { again: true, kept: false }, now, &mut told)
            }
            Step::Cancel(at, kept) => {
                self.versions.get(at)?;
                let done = self.carry_out(at, Command::Cancel { kept }, now, &mut told);
                if done {
                    self.release(at);
                }
                done
            }
            Step::Publish(at) => {
                self.versions.get(at)?;
                !self.is_archived && self.carry_out(at, Command::Publish, now, &mut told)
            }
            Step::Edit(at) => {
                self.versions.get(at)?;
                self.carry_out(at, Command::Edit, now, &mut told)
            }
            Step::Archive(kept) => {
                for at in 0..self.versions.len() {
                    if self.versions[at].status.is_unfinished() {
                        assert!(self.carry_out(at, Command::Abandon { kept }, now, &mut told));
                        self.release(at);
                    }
                }
                !std::mem::replace(&mut self.is_archived, true)
            }
            Step::Restore => std::mem::replace(&mut self.is_archived, false),
        };
        done.then_some(told)
    }

    /// A worker ends its work; without a hold that counts it has no effect.
    fn end(&mut self, worker: usize, command: Command, now: Timestamp, told: &mut Events) -> Option<bool> {
        let (at, counts) = self.workers[worker].take()?;
        if counts {
            assert!(self.carry_out(at, command, now, told), "{command:?} with a hold that counts");
        }
        Some(true)
    }

    /// What holds at every instant.
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
            assert!(life.obsolete_at.is_some() || !is(Archived), "{life:?}");
            let is_overtaken = is(Draft) && live.is_some_and(|live| live > life.number);
            assert!(life.obsolete_at.is_some() || !is_overtaken, "{life:?} beside {live:?}");
            assert!(!life.publish_when_ready || life.status.is_unfinished(), "{life:?}");
            let holds = self.workers.iter().flatten().filter(|hold| **hold == (at, true)).count();
            assert!(holds <= usize::from(is(Processing)), "{self:#?}");
        }
    }

    /// What was told is exactly what happened.
    fn check_told(&self, before: &World, told: &Events) {
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
        let mut told = told.clone();
        told.sort_by_key(|(at, _)| *at);
        assert_eq!(told, expected);
    }

    /// With workers that work, everything that was to be written comes to an end.
    fn check_nothing_is_stuck(&self) {
        let (mut world, now) = (self.clone(), Timestamp::from_micros(0));
        world.workers = [None; 2];
        for at in 0..world.versions.len() {
            // The leases of workers that are gone end.
            drop(world.take(Step::EndLease(at), now));
        }
        for _ in 0..world.versions.len() {
            if world.take(Step::Claim(0), now).is_some() {
                world.take(Step::Finish(0), now).unwrap();
            }
        }
        assert!(world.versions.iter().all(|life| !life.status.is_unfinished()), "{self:#?}\n{world:#?}");
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
        steps.push(Step::EndLease(at));
    }
    steps
}

/// Walks through every state that so many versions can reach; how many there are. Time stands still, so that states meet again.
fn walk(most: usize) -> usize {
    let now = Timestamp::from_micros(0);
    let (mut seen, mut waiting) = (HashSet::from([World::new()]), VecDeque::from([World::new()]));
    while let Some(world) = waiting.pop_front() {
        world.check_nothing_is_stuck();
        for step in steps(world.versions.len(), most) {
            let mut next = world.clone();
            let Some(told) = next.take(step, now) else { continue };
            next.check();
            next.check_told(&world, &told);
            next.forget_what_is_behind();
            if seen.insert(next.clone()) {
                waiting.push_back(next);
            }
        }
    }
    seen.len()
}

impl World {
    /// Drops what no command reads, so that states meet that differ only in their past.
    fn forget_what_is_behind(&mut self) {
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
    let states = walk(2);
    assert!(states > 800, "only {states} states were reached");
}

#[test]
fn no_order_of_events_breaks_a_promise_to_three_versions() {
    let states = walk(3);
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
        1 => version.prop_map(Step::Edit),
        1 => any::<bool>().prop_map(Step::Archive),
        1 => Just(Step::Restore),
    ]
}

proptest! {
    #[test]
    fn long_lives_keep_every_promise_and_note_when_it_happened(taken in prop::collection::vec(any_step(), 1..120)) {
        let mut world = World::new();
        for (second, step) in (1..).zip(taken) {
            let (before, now) = (world.clone(), Timestamp::from_micros(second * 1_000_000));
            let Some(told) = world.take(step, now) else {
                prop_assert!(before.versions == world.versions);
                continue;
            };
            world.check();
            world.check_told(&before, &told);
            for (at, life) in world.versions.iter().enumerate() {
                let was = before.versions.get(at);
                let came = |status| life.status == status && was.is_none_or(|was| was.status != status);
                prop_assert!(!came(Published) || life.published_at == Some(now));
                prop_assert!(!came(Cancelled) || life.cancelled_at == Some(now));
                prop_assert!(!came(Archived) || (life.archived_at, life.obsolete_at) == (Some(now), Some(now)));
                prop_assert!(!came(Draft) || life.became_draft_at == Some(now));
                let begun = came(Queued) && was.is_none_or(|was| was.status != Processing);
                prop_assert!(!begun || life.queued_at == Some(now));
                let back = came(Queued) && was.is_some_and(|was| was.status == Processing);
                prop_assert!(!back || life.queued_at == was.and_then(|was| was.queued_at));
                let numbers = was.is_none_or(|was| (was.number, was.created_at) == (life.number, life.created_at));
                prop_assert!(numbers);
            }
        }
        world.check_nothing_is_stuck();
    }
}
