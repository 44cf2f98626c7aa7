//! The promises of the queue, checked in random runs.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

const LIMITS: Limits = Limits { waiting: 12, of_tenant: 2, searches: 2, heavy: 1, recent: 8 };
const THREADS: usize = 3;

#[derive(Debug, Clone, Copy)]
enum Step {
    Push(u64, Kind),
    Take(usize, JobClass),
    Alike(usize),
    Finish(usize, Duration),
}

fn any_kind() -> impl Strategy<Value = Kind> {
    prop_oneof![Just(Kind::Write), Just(Kind::Read), Just(Kind::Search)]
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..5_u64, any_kind()).prop_map(|(flow, kind)| Step::Push(flow, kind)),
        3 => (0..THREADS, prop_oneof![Just(JobClass::Writes), Just(JobClass::Reads)])
            .prop_map(|(thread, class)| Step::Take(thread, class)),
        1 => (0..THREADS).prop_map(Step::Alike),
        2 => (0..THREADS, prop_oneof![0..3_u64, 4_000..60_000_u64])
            .prop_map(|(thread, took)| Step::Finish(thread, Duration::from_micros(took))),
    ]
}

/// What was pushed: whose, of which kind, and its number in the order of pushes.
type Item = (u64, Kind, usize);

/// A queue beside a plain model of what must be true of it.
struct Run {
    queue: FairQueue<Item>,
    loads: [ThreadLoad; THREADS],
    at_work: [Vec<Item>; THREADS],
    /// Which threads began work of a kind in which its tenant was heavy then.
    heavy: [bool; THREADS],
    /// The moving average of each tenant's jobs of each kind, in microseconds.
    averages: BTreeMap<(u64, usize), u64>,
    /// How often jobs of tenants have ended, and when those of each last did.
    ended: u64,
    last: BTreeMap<u64, u64>,
    waiting: Vec<Item>,
    pushed: usize,
}

impl Run {
    fn new() -> Run {
        let queue = FairQueue::new(LIMITS);
        Run {
            queue,
            loads: Default::default(),
            at_work: Default::default(),
            heavy: Default::default(),
            averages: BTreeMap::new(),
            ended: 0,
            last: BTreeMap::new(),
            waiting: vec![],
            pushed: 0,
        }
    }

    fn waiting_on(&self, class: JobClass) -> impl Iterator<Item = &Item> {
        self.waiting.iter().filter(move |item| item.1.class() == class)
    }

    fn push(&mut self, flow: u64, kind: Kind) {
        let item = (flow, kind, self.pushed);
        self.pushed += 1;
        let count = |run: &Run, of: u64| run.waiting_on(kind.class()).filter(|item| item.0 == of).count();
        let was_full = self.waiting_on(kind.class()).count() >= LIMITS.waiting;
        let own = count(self, flow);
        match self.queue.push(Flow(flow), kind, item) {
            Placed::Waits => {
                assert!(!was_full);
                self.waiting.push(item);
            }
            Placed::Refused(refused) => {
                assert!(was_full && refused == item);
                // Nobody else has more than one more than it.
                assert!((1..5).all(|of| count(self, of) <= own + usize::from(flow != 0)));
            }
            Placed::Replaces(old) => {
                assert!(was_full && old.0 != 0 && old.0 != flow && old.1.class() == kind.class());
                assert!((1..5).all(|of| count(self, of) <= count(self, old.0)), "not of whoever has most");
                assert!(
                    self.waiting.iter().all(|item| (item.0, item.1) != (old.0, old.1) || item.2 <= old.2)
                );
                self.waiting.retain(|item| *item != old);
                self.waiting.push(item);
            }
        }
    }

    fn taken(&mut self, thread: usize, item: Item) {
        let first = self.waiting.iter().find(|other| (other.0, other.1) == (item.0, item.1));
        assert_eq!(first, Some(&item), "what came first is taken first");
        self.waiting.retain(|other| *other != item);
        self.heavy[thread] |= self.is_heavy(item.0, item.1);
        self.at_work[thread].push(item);
    }

    fn is_heavy(&self, flow: u64, kind: Kind) -> bool {
        let recent =
            self.averages.iter().filter(|((flow, _), _)| self.ended - self.last[flow] < LIMITS.recent);
        let least = recent.map(|(_, average)| *average).min().unwrap_or_default();
        let average = self.averages.get(&(flow, kind as usize));
        average.is_some_and(|average| *average >= 5_000 && *average > 4 * least)
    }

    fn threads_for(&self, is_theirs: impl Fn(&Item) -> bool) -> usize {
        self.at_work.iter().filter(|items| items.iter().any(&is_theirs)).count()
    }

    /// Whether this thread may take something of the kind for somebody.
    fn may_take(&self, thread: usize, flow: u64, kind: Kind) -> bool {
        let has = |is_theirs: &dyn Fn(&Item) -> bool| self.at_work[thread].iter().any(is_theirs);
        let tenant = flow == 0
            || has(&|item| item.0 == flow)
            || self.threads_for(|item| item.0 == flow) < LIMITS.of_tenant;
        let search = kind != Kind::Search
            || has(&|item| item.1 == Kind::Search)
            || self.threads_for(|item| item.1 == Kind::Search) < LIMITS.searches;
        let is_first =
            self.at_work[thread].is_empty() && self.heavy.iter().filter(|is| **is).count() < LIMITS.heavy;
        tenant && search && !self.heavy[thread] && (is_first || !self.is_heavy(flow, kind))
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Push(flow, kind) => self.push(flow, kind),
            Step::Take(thread, class) => {
                let any = self.waiting_on(class).any(|item| self.may_take(thread, item.0, item.1));
                let taken = self.queue.take(class, &mut self.loads[thread]);
                assert_eq!(taken.is_some(), any, "something is taken if anything may be");
                if let Some(item) = taken {
                    assert!(item.1.class() == class && self.may_take(thread, item.0, item.1));
                    self.taken(thread, item);
                }
            }
            Step::Alike(thread) => {
                let Some((flow, ..)) = self.at_work[thread].last().copied() else { return };
                let few = self.queue.batchable(Flow(flow), THREADS);
                assert!(few == 0 || !self.is_heavy(flow, Kind::Read));
                for _ in 0..few {
                    let item = self.queue.take_batchable(Flow(flow), &mut self.loads[thread]).unwrap();
                    assert_eq!((item.0, item.1), (flow, Kind::Read));
                    self.taken(thread, item);
                }
            }
            Step::Finish(thread, took) => {
                let tenants: BTreeSet<u64> =
                    self.at_work[thread].iter().map(|item| item.0).filter(|flow| *flow != 0).collect();
                let searches = self.at_work[thread].iter().any(|item| item.1 == Kind::Search);
                let freed = self.queue.finish(&mut self.loads[thread], took);
                assert_eq!(freed, tenants.len() + usize::from(searches) + usize::from(self.heavy[thread]));
                let jobs = u64::try_from(self.at_work[thread].len()).unwrap().max(1);
                let each = u64::try_from(took.as_micros()).unwrap() / jobs;
                self.ended += u64::from(!tenants.is_empty());
                // Of several kinds together nothing is known but that a search was among them.
                let first = self.at_work[thread].first().map(|item| item.1);
                let kind = if searches { Some(Kind::Search) } else { first };
                for tenant in tenants {
                    self.last.insert(tenant, self.ended);
                    let kind = kind.unwrap() as usize;
                    let average = self.averages.entry((tenant, kind)).or_insert(each);
                    *average = ((3 * *average + each) / 4).max(1);
                }
                self.heavy[thread] = false;
                self.at_work[thread].clear();
            }
        }
        for class in JobClass::BOTH {
            assert_eq!(self.queue.waiting(class), self.waiting_on(class).count());
            assert!(self.queue.waiting(class) <= LIMITS.waiting);
            if let Some(idle) = self.at_work.iter().position(Vec::is_empty) {
                let any = self.waiting_on(class).any(|item| self.may_take(idle, item.0, item.1));
                assert_eq!(self.queue.may_begin_any(class), any);
            }
        }
        assert!((1..5).all(|flow| self.threads_for(|item| item.0 == flow) <= LIMITS.of_tenant));
        assert!(self.threads_for(|item| item.1 == Kind::Search) <= LIMITS.searches);
        assert!(self.heavy.iter().filter(|is| **is).count() <= LIMITS.heavy);
    }
}

proptest! {
    #[test]
    fn a_run_keeps_order_limits_and_everything_that_was_taken_in(
        steps in prop::collection::vec(any_step(), 0..200),
    ) {
        let mut run = Run::new();
        steps.into_iter().for_each(|step| run.step(step));
        let mut left = Vec::new();
        while let Some(item) = run.queue.take_any() {
            left.push(item);
        }
        left.sort_by_key(|item| item.2);
        run.waiting.sort_by_key(|item| item.2);
        prop_assert_eq!(left, run.waiting);
    }

    #[test]
    fn nobody_waits_for_more_than_a_turn_of_everybody_else(
        crowd in prop::collection::vec((1..12_u64, 1..50_usize), 0..12),
    ) {
        let mut queue = FairQueue::new(Limits::turns_only(10_000));
        let mut others = BTreeMap::new();
        for (flow, count) in crowd {
            (0..count).for_each(|_| assert_eq!(queue.push(Flow(flow), Kind::Read, flow), Placed::Waits));
            *others.entry(flow).or_insert(0) += count;
        }
        queue.push(Flow(100), Kind::Read, 100);
        let mut load = ThreadLoad::default();
        let before = (0..).take_while(|_| queue.take(JobClass::Reads, &mut load) != Some(100)).count();
        prop_assert!(before <= others.len(), "{} before it, of {} tenants", before, others.len());
    }
}

proptest! {
    #[test]
    fn short_work_waits_for_nobodys_round_of_long_work(
        crowd in 2..20_u64,
        rounds in 1..20_usize,
        long in 1_000..100_000_u64,
        short in 0..500_u64,
    ) {
        let mut queue = FairQueue::new(Limits::of_threads(4, 10_000));
        let (long, short) = (Duration::from_micros(long), Duration::from_micros(short));
        for flow in 1..=crowd {
            (0..100).for_each(|_| assert_eq!(queue.push(Flow(flow), Kind::Read, flow), Placed::Waits));
        }
        let mut load = ThreadLoad::default();
        // Everybody of the crowd has had a turn.
        for _ in 0..crowd {
            prop_assert!(queue.take(JobClass::Reads, &mut load).is_some());
            queue.finish(&mut load, long);
        }
        let mut waited = 0;
        for _ in 0..rounds {
            queue.push(Flow(1_000), Kind::Read, 1_000);
            loop {
                let taken = queue.take(JobClass::Reads, &mut load);
                let is_short = taken == Some(1_000);
                queue.finish(&mut load, if is_short { short } else { long });
                if is_short {
                    break;
                }
                waited += 1;
            }
        }
        // It uses less than one of the crowd does in a turn, so that it goes ahead each time but the first, when it is one of equals.
        let used = short * u32::try_from(rounds).unwrap();
        prop_assert!(waited <= 1 + used.as_micros() / long.as_micros() * u128::from(crowd), "{} turns", waited);
    }

    #[test]
    fn nobody_saves_up_for_a_time_without_work(idle in 1..1_000_usize) {
        let mut queue = FairQueue::new(Limits::of_threads(4, 10_000));
        let mut load = ThreadLoad::default();
        let second = Duration::from_secs(1);
        // One has worked for long while the other had nothing to do.
        for _ in 0..idle {
            queue.push(Flow(1), Kind::Read, 1);
            prop_assert_eq!(queue.take(JobClass::Reads, &mut load), Some(1));
            queue.finish(&mut load, second);
        }
        for flow in [1, 2] {
            (0..10).for_each(|_| assert_eq!(queue.push(Flow(flow), Kind::Read, flow), Placed::Waits));
        }
        let mut taken = Vec::new();
        while let Some(flow) = queue.take(JobClass::Reads, &mut load) {
            queue.finish(&mut load, second);
            taken.push(flow);
        }
        // From then on they alternate, but for the second that the other one has left.
        let most = taken.chunk_by(|one, next| one == next).map(<[u64]>::len).take(10).max();
        prop_assert!(most <= Some(2), "{:?}", taken);
    }
}

#[test]
fn one_tenant_leaves_a_thread_to_others_and_searches_leave_one_to_short_reads() {
    let mut queue = FairQueue::new(Limits::of_threads(4, 1000));
    for tenant in 1..=12 {
        (0..10).for_each(|_| assert_eq!(queue.push(Flow(tenant), Kind::Search, tenant), Placed::Waits));
    }
    let mut loads: Vec<ThreadLoad> = (0..4).map(|_| ThreadLoad::default()).collect();
    for load in &mut loads[..3] {
        assert!(queue.take(JobClass::Reads, load).is_some());
    }
    assert_eq!(queue.take(JobClass::Reads, &mut loads[3]), None);
    (0..20).for_each(|_| assert_eq!(queue.push(Flow(20), Kind::Read, 20), Placed::Waits));
    assert_eq!(queue.take(JobClass::Reads, &mut loads[3]), Some(20));
    // When a search ends, a search may follow, and the short reads' thread takes only such.
    assert_eq!(queue.finish(&mut loads[3], Duration::ZERO), 1);
    assert_eq!(queue.take(JobClass::Reads, &mut loads[3]), Some(20));
    assert_eq!(queue.finish(&mut loads[0], Duration::ZERO), 2);
    assert_eq!(queue.take(JobClass::Reads, &mut loads[0]), Some(4));
}

#[test]
fn half_of_the_threads_are_left_by_tenants_whose_work_is_long() {
    let mut queue = FairQueue::new(Limits::of_threads(4, 1000));
    let mut loads: Vec<ThreadLoad> = (0..4).map(|_| ThreadLoad::default()).collect();
    let long = Duration::from_millis(40);
    let push = |queue: &mut FairQueue<u64>, tenant| {
        assert_eq!(queue.push(Flow(tenant), Kind::Write, tenant), Placed::Waits);
    };
    for tenant in 1..=6 {
        push(&mut queue, tenant);
        assert_eq!(queue.take(JobClass::Writes, &mut loads[0]), Some(tenant));
        queue.finish(&mut loads[0], long);
    }
    // All work alike: nobody is heavy, and all threads work.
    (1..=4).for_each(|tenant| push(&mut queue, tenant));
    assert!(loads.iter_mut().all(|load| queue.take(JobClass::Writes, load).is_some()));
    loads.iter_mut().for_each(|load| assert_eq!(queue.finish(load, long), 1));
    // Since somebody's work is short, the others' is long.
    push(&mut queue, 7);
    assert_eq!(queue.take(JobClass::Writes, &mut loads[0]), Some(7));
    queue.finish(&mut loads[0], Duration::from_millis(1));
    (1..=6).for_each(|tenant| push(&mut queue, tenant));
    assert!(loads[..2].iter_mut().all(|load| queue.take(JobClass::Writes, load).is_some()));
    assert_eq!(queue.take(JobClass::Writes, &mut loads[2]), None);
    // Long work shares no transaction, neither with its like nor with what is short.
    push(&mut queue, 7);
    assert_eq!(queue.take(JobClass::Writes, &mut loads[0]), None);
    assert_eq!(queue.take(JobClass::Writes, &mut loads[2]), Some(7));
    queue.finish(&mut loads[0], long);
    assert_eq!(queue.take(JobClass::Writes, &mut loads[2]), None);
    assert!(queue.take(JobClass::Writes, &mut loads[3]).is_some());
}

#[test]
fn a_flood_costs_its_own_tenant_its_place() {
    let mut queue = FairQueue::new(Limits::of_threads(4, 10));
    (0..10).for_each(|number| assert_eq!(queue.push(Flow(1), Kind::Write, number), Placed::Waits));
    assert_eq!(queue.push(Flow(1), Kind::Write, 10), Placed::Refused(10));
    assert_eq!(queue.push(Flow(2), Kind::Write, 20), Placed::Replaces(9));
    assert_eq!(queue.push(Flow::SERVER, Kind::Write, 30), Placed::Replaces(8));
    // Reads wait apart.
    assert_eq!(queue.push(Flow(1), Kind::Read, 40), Placed::Waits);
}

#[test]
fn short_searches_do_not_hide_the_long_reads_between_them() {
    let mut queue = FairQueue::new(Limits::of_threads(4, 1000));
    let mut loads: Vec<ThreadLoad> = (0..4).map(|_| ThreadLoad::default()).collect();
    for tenant in 1..=6 {
        for _ in 0..3 {
            for (kind, took) in [(Kind::Read, 60_000), (Kind::Search, 1_000), (Kind::Search, 1_000)] {
                assert_eq!(queue.push(Flow(tenant), kind, tenant), Placed::Waits);
                assert_eq!(queue.take(JobClass::Reads, &mut loads[0]), Some(tenant));
                queue.finish(&mut loads[0], Duration::from_micros(took));
            }
        }
    }
    for tenant in 1..=6 {
        assert_eq!(queue.push(Flow(tenant), Kind::Read, tenant), Placed::Waits);
    }
    assert!(loads[..2].iter_mut().all(|load| queue.take(JobClass::Reads, load).is_some()));
    assert_eq!(queue.take(JobClass::Reads, &mut loads[2]), None);
    // Their searches are as short as anybody's.
    assert_eq!(queue.push(Flow(6), Kind::Search, 6), Placed::Waits);
    assert_eq!(queue.take(JobClass::Reads, &mut loads[2]), Some(6));
}
