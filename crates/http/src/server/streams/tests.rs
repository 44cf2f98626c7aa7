//! When a connection ends because of its requests, for every order of what may happen in them.

use proptest::prelude::*;

use super::*;

const IDLE: Duration = Duration::from_secs(30);
const STALL: Duration = Duration::from_secs(15);

#[derive(Debug, Clone)]
enum Step {
    Open,
    Offer(usize),
    Take(usize),
    TakeAll(usize),
    Wait(usize),
    End(usize),
    Pass(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let of = 0..4_usize;
    proptest::collection::vec(
        prop_oneof![
            3 => Just(Step::Open),
            3 => of.clone().prop_map(Step::Offer),
            2 => of.clone().prop_map(Step::Take),
            2 => of.clone().prop_map(Step::TakeAll),
            2 => of.clone().prop_map(Step::Wait),
            2 => of.prop_map(Step::End),
            4 => (1..20_u64).prop_map(Step::Pass),
        ],
        0..60,
    )
}

proptest! {
    /// A plain model: what is handed out and since when the client has taken nothing of it.
    #[test]
    fn a_connection_ends_exactly_when_it_idles_or_an_answer_is_not_taken(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let (streams, mut open) = (Streams::new(), Vec::<(Arc<Stream>, usize, Instant)>::new());
            let mut idle_since = Instant::now();
            for step in steps {
                match step {
                    Step::Open if open.len() < 4 => open.push((streams.open(None), 0, Instant::now())),
                    Step::Offer(at) if at < open.len() => {
                        let (stream, parts, since) = &mut open[at];
                        stream.offered();
                        if *parts == 0 {
                            *since = Instant::now();
                        }
                        *parts += 1;
                    }
                    Step::Take(at) if open.get(at).is_some_and(|of| of.1 > 0) => {
                        open[at].0.taken();
                        open[at].2 = Instant::now();
                    }
                    Step::TakeAll(at) if open.get(at).is_some_and(|of| of.1 > 0) => {
                        open[at].0.part_gone(true);
                        open[at].1 -= 1;
                        open[at].2 = Instant::now();
                        open[at].0.waits_for_answer();
                    }
                    Step::Wait(at) if at < open.len() => open[at].0.waits_for_answer(),
                    Step::End(at) if at < open.len() => {
                        open[at].0.complete();
                        drop(open.remove(at));
                        if open.is_empty() {
                            idle_since = Instant::now();
                        }
                    }
                    Step::Pass(seconds) => tokio::time::advance(Duration::from_secs(seconds)).await,
                    _ => {}
                }
                let now = Instant::now();
                let is_stalled = open.iter().any(|(_, parts, since)| *parts > 0 && now >= *since + STALL);
                let is_idle = open.is_empty() && now >= idle_since + IDLE;
                let expected = match (is_stalled, is_idle) {
                    (true, _) => Some(Reason::Stalled),
                    (_, true) => Some(Reason::Idle),
                    _ => None,
                };
                let due = streams.due(now, IDLE, STALL);
                assert_eq!(due.ok(), expected);
                assert!(due.is_ok() || due.is_err_and(|next| next > now && next <= now + STALL));
            }
        });
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_sees_answers_to_their_end_may_give_up_as_many() {
    let streams = Streams::new();
    let give_up = |count: u32| (0..count).for_each(|_| drop(streams.open(None)));
    give_up(CREDIT);
    let kept = streams.open(None);
    kept.complete();
    drop(kept);
    give_up(1);
    assert_eq!(streams.reason(IDLE, STALL).await, Reason::Idle);
    give_up(1);
    assert_eq!(streams.reason(IDLE * 2, STALL).await, Reason::Flooded);
}
