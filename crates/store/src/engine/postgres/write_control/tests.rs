use std::sync::Arc;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;

use super::state::{BatchSize, COMMITS, FEWEST, LARGEST, WriteLimit, pause_before_next, runs_alone};
use super::{WriteControl, WriteRule, Writer};

/// What happens to a connection.
#[derive(Debug, Clone, Copy)]
enum Event {
    Take,
    Release,
    Single,
    Success { writes: usize },
    Conflict { attempt: u32 },
    SharedConflict,
    SharedFailure,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        3 => Just(Event::Take),
        1 => Just(Event::Release),
        1 => Just(Event::Single),
        9 => (1..=LARGEST).prop_map(|writes| Event::Success { writes }),
        3 => (1..40_u32).prop_map(|attempt| Event::Conflict { attempt }),
        2 => Just(Event::SharedConflict),
        1 => Just(Event::SharedFailure),
    ]
}

fn happen(writer: &mut Writer, event: Event) {
    match event {
        Event::Take if writer.may_write() => {}
        Event::Take => {
            if let Ok(permit) = writer.free_permits().try_recv() {
                writer.accept(permit);
            }
        }
        Event::Release => writer.release(),
        Event::Single => writer.on_single(),
        Event::Success { writes } => writer.on_success(writes),
        Event::Conflict { attempt } => drop(writer.on_conflict(attempt)),
        Event::SharedConflict => writer.on_shared_conflict(),
        Event::SharedFailure => writer.on_shared_failure(),
    }
}

proptest! {
    #[test]
    fn permits_are_neither_lost_nor_made(
        connections in 1..12_usize,
        events in vec((0..12_usize, event()), 0..400),
    ) {
        let control = Arc::new(WriteControl::new(connections, None));
        let mut writers: Vec<Writer> =
            (0..connections).map(|number| Writer::new(Arc::clone(&control), number as u32)).collect();
        for (which, event) in events {
            happen(&mut writers[which % connections], event);
            let held = writers.iter().filter(|writer| writer.may_write()).count();
            let total = control.limit().total();
            prop_assert_eq!(held + control.free.1.len(), total);
            prop_assert!(total <= connections && total >= FEWEST.min(connections));
        }
    }

    #[test]
    fn a_batch_has_a_bounded_size_and_leaves_the_others_their_first(
        changes in vec(any::<bool>(), 0..100),
        waiting in 0..10_000_usize,
        writers in 1..64_usize,
    ) {
        let mut size = BatchSize::new();
        for grows in changes {
            if grows { size.grow() } else { size.shrink() }
        }
        let taken = size.of(waiting, writers);
        prop_assert!((1..=LARGEST).contains(&taken));
        prop_assert!(taken == 1 || (taken - 1) * writers <= waiting);
    }

    #[test]
    fn commits_in_a_row_restore_every_permit(connections in 1..12_usize, conflicts in 0..30_usize) {
        let mut limit = WriteLimit::new(connections);
        for _ in 0..conflicts {
            limit.on_conflict();
        }
        let missing = connections - limit.total();
        let restored = (0..missing * COMMITS).filter(|_| limit.on_success()).count();
        prop_assert_eq!((restored, limit.total()), (missing, connections));
        prop_assert!((0..10 * COMMITS).all(|_| !limit.on_success()));
    }

    #[test]
    fn attempts_become_stricter_and_pauses_longer(attempt in 1..60_u32, connection in 0..64_u32) {
        prop_assert!(runs_alone(attempt) <= runs_alone(attempt + 1));
        let pause = pause_before_next(attempt, connection);
        prop_assert!(pause <= pause_before_next(attempt + 1, connection));
        prop_assert!(pause > Duration::ZERO && pause < Duration::from_millis(10));
    }
}

#[test]
fn a_conflict_delays_the_next_permit() {
    let mut limit = WriteLimit::new(4);
    assert!(limit.on_conflict());
    (1..COMMITS).for_each(|_| assert!(!limit.on_success()));
    assert!(limit.on_conflict());
    (1..COMMITS).for_each(|_| assert!(!limit.on_success()));
    assert!(limit.on_success());
    assert_eq!(limit.total(), 3);
}

#[test]
fn a_transaction_runs_alone_after_the_twentieth_attempt() {
    assert_eq!([1, 20, 21, 40].map(runs_alone), [false, false, true, true]);
}

#[test]
fn no_write_runs_beside_one_that_is_alone() {
    let control = WriteControl::new(2, None);
    let (mut first, mut second) = (control.attempts(true), control.attempts(true));
    first.begin(1);
    second.begin(20);
    assert!(control.attempts.try_write().is_err());
    second.end();
    first.end();
    first.begin(21);
    assert!(control.attempts.try_read().is_err());
    drop(first);
    assert!(control.attempts.try_write().is_ok());
}

#[test]
fn a_disabled_rule_is_not_applied_and_the_others_are() {
    let rules = [WriteRule::WriteLimit, WriteRule::SharedCommits, WriteRule::RunningAlone, WriteRule::Pause];
    for disabled in rules.map(Some).into_iter().chain([None]) {
        let control = Arc::new(WriteControl::new(4, disabled));
        let mut writer = Writer::new(Arc::clone(&control), 0);
        happen(&mut writer, Event::Take);
        let batch = writer.batch_size(100);
        let pause = writer.on_conflict(1);
        let limit = control.limit().total();
        let mut attempts = control.attempts(true);
        attempts.begin(21);
        let is_alone = control.attempts.try_read().is_err();
        let applied = [limit == 3, batch > 1, is_alone, pause > Duration::ZERO];
        let expected = rules.map(|rule| disabled != Some(rule));
        assert_eq!(applied, expected, "{disabled:?}");
    }
}
