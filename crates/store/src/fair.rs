//! Fair queueing: which tenant's waiting job is taken next. No tenant gets all threads at once.
//!
//! A plain data structure without threads and without a clock, so that its invariants are tested by themselves:
//!
//! * Jobs of one tenant and kind are first in, first out. Between tenants, the one that has used the least thread time is next; equals take
//!   turns (round robin), however many jobs each has waiting. So short jobs never wait for a round of others' long ones. A tenant that had
//!   nothing to do saves nothing up (virtual time).
//! * At most [`Limits::of_tenant`] threads run jobs of one tenant, at most [`Limits::searches`] run searches, and at most [`Limits::heavy`]
//!   run jobs in which tenants are heavy. So a thread is always free, or soon becomes free, for other tenants' short jobs.
//! * A tenant is heavy in a kind of jobs while they take at least [`HEAVY_MICROS`] on average and more than [`HEAVY_FACTOR`] times as long as
//!   the jobs of whoever has the shortest: if the jobs of all are alike, no tenant is heavy. Each kind counts by itself, so that many short
//!   searches do not hide the long reads between them. Only tenants count of whom a job was among the
//!   last [`Limits::recent`]: for nobody, no thread is kept free. A heavy job shares a batch with no other.
//! * At most [`Limits::waiting`] jobs of a class wait. When the queue is full, the tenant with the most waiting jobs loses its newest one,
//!   which may be the one that is being pushed.
//! * Every job that was accepted leaves the queue exactly once: by [`FairQueue::take`], [`FairQueue::take_batchable`] or
//!   [`FairQueue::take_any`], or as [`Placed::Replaces`].

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use pagesmith_model::TenantId;

/// A flow of fair queueing: the jobs of one tenant, or of the server. Two tenants have the same flow with a probability of 2⁻⁶³
/// and then share their turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Flow(u64);

impl Flow {
    /// The server itself: what it does for all tenants is not limited, and never gives way.
    pub(crate) const SERVER: Flow = Flow(0);

    pub(crate) fn of(tenant: &TenantId) -> Flow {
        let mut hasher = DefaultHasher::new();
        tenant.as_str().hash(&mut hasher);
        Flow(hasher.finish() | 1)
    }
}

/// The kinds of jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Write,
    Read,
    /// A read that may take long.
    Search,
}

/// The classes that threads ask for separately, since not every thread runs both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JobClass {
    Writes,
    Reads,
}

impl JobClass {
    pub(crate) const BOTH: [JobClass; 2] = [JobClass::Writes, JobClass::Reads];

    fn kinds(self) -> &'static [Kind] {
        match self {
            JobClass::Writes => &[Kind::Write],
            JobClass::Reads => &[Kind::Read, Kind::Search],
        }
    }
}

impl Kind {
    pub(crate) fn class(self) -> JobClass {
        match self {
            Kind::Write => JobClass::Writes,
            Kind::Read | Kind::Search => JobClass::Reads,
        }
    }
}

/// How many jobs may wait, and how many threads may run them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// How many jobs of each class may wait.
    pub(crate) waiting: usize,
    /// How many threads may run jobs of one tenant.
    pub(crate) of_tenant: usize,
    /// How many threads may run searches.
    pub(crate) searches: usize,
    /// How many threads may run jobs of heavy tenants; [`usize::MAX`] if no tenant counts as heavy.
    pub(crate) heavy: usize,
    /// For how many ends of jobs a tenant that has had one counts as one that others are compared with.
    pub(crate) recent: u64,
}

impl Limits {
    /// For so many threads: one is always left to other tenants, and half of them to tenants that are not heavy.
    pub(crate) fn of_threads(threads: usize, waiting: usize) -> Limits {
        let most = threads.saturating_sub(1).max(1);
        Limits { waiting, of_tenant: most, searches: most, heavy: (threads / 2).max(1), recent: RECENT }
    }

    /// For a single thread, which takes all waiting jobs as one batch: only the order is fair.
    pub(crate) fn turns_only(waiting: usize) -> Limits {
        Limits { waiting, of_tenant: usize::MAX, searches: usize::MAX, heavy: usize::MAX, recent: RECENT }
    }
}

/// What one thread is running right now.
#[derive(Debug, Default)]
pub(crate) struct ThreadLoad {
    flows: Vec<Flow>,
    /// The kind of its jobs; a search, if one of them is.
    kind: Option<Kind>,
    searches: bool,
    is_heavy: bool,
    jobs: u32,
}

/// The outcome of a push.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Placed<T> {
    /// The job waits.
    Waits,
    /// The job waits, and this one was dropped for it.
    Replaces(T),
    /// The queue is full.
    Refused(T),
}

/// The queue; its rules are at the top of the file.
pub(crate) struct FairQueue<T> {
    limits: Limits,
    tenants: HashMap<Flow, Tenant<T>>,
    /// The flows that have jobs of each class waiting, in the order of turns.
    turns: [VecDeque<(Flow, Kind)>; 2],
    waiting: [usize; 2],
    /// How many threads run searches.
    searches: usize,
    /// How many threads run jobs of heavy tenants.
    heavy: usize,
    /// The shortest average of all kinds of jobs of the tenants that had one lately, in microseconds; zero if there is none.
    lightest: u64,
    /// How often a thread has ended jobs of tenants.
    ended: u64,
    /// The thread time that the tenant whose job was taken last had used. A tenant that comes back counts as having used at least as much.
    virtual_time: u64,
}

struct Tenant<T> {
    waiting: [VecDeque<T>; 3],
    /// How many threads run its jobs.
    threads: usize,
    /// The thread time that it has used, in microseconds, raised to the virtual time whenever it comes back.
    used: u64,
    /// How long its jobs of each kind take, in microseconds: a moving average; zero before the first has ended.
    averages: [u64; 3],
    /// The count of ends at which one of its jobs last ended.
    last: u64,
}

impl<T> Tenant<T> {
    fn is_heavy(&self, kind: Kind, lightest: u64) -> bool {
        let average = self.averages[kind as usize];
        average >= HEAVY_MICROS && average > lightest.saturating_mul(HEAVY_FACTOR)
    }

    fn record(&mut self, kind: Kind, took: u64) {
        let average = &mut self.averages[kind as usize];
        // At least one, since zero means that nothing is known.
        *average = if *average == 0 { took } else { (3 * *average + took) / 4 }.max(1);
    }

    /// The average of its shortest kind of jobs, if one has ended.
    fn shortest(&self) -> Option<u64> {
        self.averages.into_iter().filter(|average| *average > 0).min()
    }

    fn is_idle(&self) -> bool {
        self.threads == 0 && self.waiting.iter().all(VecDeque::is_empty)
    }

    fn waiting_on(&self, class: JobClass) -> usize {
        class.kinds().iter().map(|kind| self.waiting[*kind as usize].len()).sum()
    }
}

/// How many tenants without jobs are kept, so that coming and going costs no allocation.
const IDLE_TENANTS: usize = 64;
/// The shortest average, in microseconds, with which a tenant may be heavy.
const HEAVY_MICROS: u64 = 5_000;
/// For how many ends of jobs tenants are compared with one that has had a job.
const RECENT: u64 = 256;
/// How many times the shortest average a heavy tenant's average exceeds.
const HEAVY_FACTOR: u64 = 4;

impl<T> FairQueue<T> {
    pub(crate) fn new(limits: Limits) -> FairQueue<T> {
        FairQueue {
            limits,
            tenants: HashMap::new(),
            turns: Default::default(),
            waiting: [0; 2],
            searches: 0,
            heavy: 0,
            lightest: 0,
            ended: 0,
            virtual_time: 0,
        }
    }

    /// How many jobs of a class wait.
    pub(crate) fn waiting(&self, class: JobClass) -> usize {
        self.waiting[class as usize]
    }

    /// Adds a job.
    pub(crate) fn push(&mut self, flow: Flow, kind: Kind, item: T) -> Placed<T> {
        let class = kind.class();
        let mut replaced = None;
        if self.waiting(class) >= self.limits.waiting {
            match self.make_room(flow, class) {
                Some(newest) => replaced = Some(newest),
                None => return Placed::Refused(item),
            }
        }
        let tenant = self.tenants.entry(flow).or_insert_with(|| Tenant {
            waiting: Default::default(),
            threads: 0,
            used: 0,
            averages: [0; 3],
            last: 0,
        });
        if tenant.is_idle() {
            tenant.used = tenant.used.max(self.virtual_time);
        }
        let queue = &mut tenant.waiting[kind as usize];
        if queue.is_empty() {
            self.turns[class as usize].push_back((flow, kind));
        }
        queue.push_back(item);
        self.waiting[class as usize] += 1;
        replaced.map_or(Placed::Waits, Placed::Replaces)
    }

    /// Drops the newest job of the tenant with the most waiting ones, unless the arriving job is of that tenant, or its tenant has hardly fewer.
    fn make_room(&mut self, arriving: Flow, class: JobClass) -> Option<T> {
        let own = self.tenants.get(&arriving).filter(|_| arriving != Flow::SERVER);
        let own = own.map_or(0, |tenant| tenant.waiting_on(class));
        let others = self.tenants.iter().filter(|(flow, _)| **flow != Flow::SERVER);
        let (most, flow) = others.map(|(flow, tenant)| (tenant.waiting_on(class), *flow)).max()?;
        if most <= own + usize::from(arriving != Flow::SERVER) {
            return None;
        }
        let tenant = self.tenants.get_mut(&flow)?;
        let kind = *class.kinds().iter().max_by_key(|kind| tenant.waiting[**kind as usize].len())?;
        let newest = tenant.waiting[kind as usize].pop_back()?;
        if tenant.waiting[kind as usize].is_empty() {
            self.turns[class as usize].retain(|turn| *turn != (flow, kind));
        }
        self.waiting[class as usize] -= 1;
        Some(newest)
    }

    /// The next job for a thread that already runs `load`, if any may be taken now.
    pub(crate) fn take(&mut self, class: JobClass, load: &mut ThreadLoad) -> Option<T> {
        let (at, used) = self.find_next(class, load)?;
        let (flow, kind) = self.turns[class as usize].remove(at)?;
        self.virtual_time = self.virtual_time.max(used);
        self.count(flow, kind, load);
        let queue = &mut self.tenants.get_mut(&flow)?.waiting[kind as usize];
        let item = queue.pop_front()?;
        if !queue.is_empty() {
            self.turns[class as usize].push_back((flow, kind));
        }
        self.waiting[class as usize] -= 1;
        Some(item)
    }

    /// The thread time that the tenant has used whose job would be taken next.
    pub(crate) fn used_of_next(&self, class: JobClass, load: &ThreadLoad) -> Option<u64> {
        self.find_next(class, load).map(|(_, used)| used)
    }

    /// Whose turn it is, and what they have used: of several with the least, the first in the order of turns.
    fn find_next(&self, class: JobClass, load: &ThreadLoad) -> Option<(usize, u64)> {
        let turns = self.turns[class as usize].iter().enumerate();
        let allowed = turns.filter(|(_, (flow, kind))| self.may_take(*flow, *kind, load));
        allowed.map(|(at, (flow, _))| (at, self.used(*flow))).min_by_key(|(_, used)| *used)
    }

    /// The server's own jobs count as if they had used the virtual time: they take turns with the tenants that are next.
    fn used(&self, flow: Flow) -> u64 {
        let tenant = self.tenants.get(&flow).filter(|_| flow != Flow::SERVER);
        tenant.map_or(self.virtual_time, |tenant| tenant.used)
    }

    fn may_take(&self, flow: Flow, kind: Kind, load: &ThreadLoad) -> bool {
        let is_free =
            |tenant: &Tenant<T>| tenant.threads < self.limits.of_tenant || load.flows.contains(&flow);
        // A heavy tenant's job is taken only by a thread without other jobs, and none is added to it.
        let may_be_heavy = load.jobs == 0 && self.heavy < self.limits.heavy;
        (kind != Kind::Search || load.searches || self.searches < self.limits.searches)
            && (flow == Flow::SERVER || self.tenants.get(&flow).is_some_and(is_free))
            && !load.is_heavy
            && (may_be_heavy || !self.is_heavy(flow, kind))
    }

    /// Whether a thread without jobs may take such a job now.
    pub(crate) fn may_begin(&self, flow: Flow, kind: Kind) -> bool {
        self.may_take(flow, kind, &ThreadLoad::default())
    }

    /// Whether a thread without jobs may take any job of that class now.
    pub(crate) fn may_begin_any(&self, class: JobClass) -> bool {
        self.turns[class as usize].iter().any(|(flow, kind)| self.may_begin(*flow, *kind))
    }

    fn is_heavy(&self, flow: Flow, kind: Kind) -> bool {
        let is_counted = flow != Flow::SERVER && self.limits.heavy != usize::MAX;
        is_counted && self.tenants.get(&flow).is_some_and(|tenant| tenant.is_heavy(kind, self.lightest))
    }

    fn count(&mut self, flow: Flow, kind: Kind, load: &mut ThreadLoad) {
        load.jobs += 1;
        load.kind = load.kind.filter(|_| kind != Kind::Search).or(Some(kind));
        if self.is_heavy(flow, kind) {
            load.is_heavy = true;
            self.heavy += 1;
        }
        if kind == Kind::Search && !load.searches {
            load.searches = true;
            self.searches += 1;
        }
        let is_counted = flow != Flow::SERVER && self.limits.of_tenant != usize::MAX;
        if is_counted && !load.flows.contains(&flow) {
            load.flows.push(flow);
            if let Some(tenant) = self.tenants.get_mut(&flow) {
                tenant.threads += 1;
            }
        }
    }

    /// How many more reads of a flow a thread should batch with the one that it has just taken: its share, among `threads`, of the flow's
    /// waiting reads, and only a few while other tenants' reads wait.
    pub(crate) fn batchable(&self, flow: Flow, threads: usize) -> usize {
        const FEW: usize = 8;
        let Some(tenant) = self.tenants.get(&flow).filter(|_| !self.is_heavy(flow, Kind::Read)) else {
            return 0;
        };
        let waiting = tenant.waiting[Kind::Read as usize].len();
        let part = waiting / threads.max(1);
        if self.waiting(JobClass::Reads) > waiting { part.min(FEW) } else { part }
    }

    /// The next read of a tenant whose reads the thread already runs, out of turn.
    pub(crate) fn take_batchable(&mut self, flow: Flow, load: &mut ThreadLoad) -> Option<T> {
        let queue = &mut self.tenants.get_mut(&flow)?.waiting[Kind::Read as usize];
        let item = queue.pop_front()?;
        if queue.is_empty() {
            self.turns[JobClass::Reads as usize].retain(|turn| *turn != (flow, Kind::Read));
        }
        self.waiting[JobClass::Reads as usize] -= 1;
        load.jobs += 1;
        Some(item)
    }

    /// Ends the thread's jobs, which took so long together. Returns how many jobs that a limit kept waiting may be taken now, at most.
    pub(crate) fn finish(&mut self, load: &mut ThreadLoad, took: Duration) -> usize {
        let ThreadLoad { flows, kind, searches, is_heavy, jobs } = std::mem::take(load);
        let freed = flows.len() + usize::from(searches) + usize::from(is_heavy);
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let each = took / u64::try_from(flows.len().max(1)).unwrap_or(1);
        self.ended += u64::from(!flows.is_empty());
        for flow in &flows {
            if let Some(tenant) = self.tenants.get_mut(flow) {
                tenant.threads -= 1;
                tenant.last = self.ended;
                tenant.used = tenant.used.saturating_add(each);
                if let Some(kind) = kind {
                    tenant.record(kind, took / u64::from(jobs.max(1)));
                }
            }
        }
        self.searches -= usize::from(searches);
        self.heavy -= usize::from(is_heavy);
        if self.tenants.len() > IDLE_TENANTS {
            self.tenants.retain(|_, tenant| !tenant.is_idle());
        }
        if !flows.is_empty() {
            let (ended, recent) = (self.ended, self.limits.recent);
            let recent = self.tenants.values().filter(|tenant| ended - tenant.last < recent);
            self.lightest = recent.filter_map(Tenant::shortest).min().unwrap_or(0);
        }
        freed
    }

    /// Any waiting job, regardless of limits: for draining the queue at shutdown.
    pub(crate) fn take_any(&mut self) -> Option<T> {
        let class = JobClass::BOTH.into_iter().find(|class| self.waiting(*class) > 0)?;
        let (flow, kind) = self.turns[class as usize].pop_front()?;
        let queue = &mut self.tenants.get_mut(&flow)?.waiting[kind as usize];
        let item = queue.pop_front()?;
        if !queue.is_empty() {
            self.turns[class as usize].push_back((flow, kind));
        }
        self.waiting[class as usize] -= 1;
        Some(item)
    }
}

#[cfg(test)]
mod tests;
