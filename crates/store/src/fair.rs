//! Whose waiting work is taken next: every tenant in its turn, and none on all threads at once.
//!
//! A plain data structure without threads and without time, so that its promises are tested by themselves:
//!
//! * Of one tenant and kind, what came first is taken first. Between tenants, whoever has used the least time of threads is next, and among
//!   equals each has its turn, however much the others have waiting: so short work never waits for a round of others' long work. What was
//!   not used while a tenant had nothing to do is not saved up.
//! * A tenant is worked for by at most [`Limits::of_tenant`] threads, all searches by at most [`Limits::searches`], all heavy tenants by at
//!   most [`Limits::heavy`]. So a thread is always left, or becomes free soon, for somebody else's short work.
//! * A tenant is heavy while its jobs take at least [`HEAVY`] on average and over [`MUCH`] times as long as those of the tenant whose jobs are
//!   shortest: where all work alike, nobody is. The work of a heavy tenant shares a thread's turn with nothing else.
//! * At most [`Limits::waiting`] wait. When there is no more room, whoever has most waiting loses its newest, be it the one that has just come.
//! * What was taken in is handed out once: by [`FairQueue::take`], by [`FairQueue::take_any`] or as [`Placed::Replaces`].

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

/// See the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// How many jobs of each class may wait.
    pub(crate) waiting: usize,
    /// How many threads may work for one tenant.
    pub(crate) of_tenant: usize,
    /// How many threads may search.
    pub(crate) searches: usize,
    /// How many threads may work for heavy tenants; [`usize::MAX`] if nobody counts as heavy.
    pub(crate) heavy: usize,
}

impl Limits {
    /// For so many threads: one is always left to others, and half of them to whoever is not heavy.
    pub(crate) fn of_threads(threads: usize, waiting: usize) -> Limits {
        let most = threads.saturating_sub(1).max(1);
        Limits { waiting, of_tenant: most, searches: most, heavy: (threads / 2).max(1) }
    }

    /// For a single thread, which takes all that waits at once.
    pub(crate) fn turns_only(waiting: usize) -> Limits {
        Limits { waiting, of_tenant: usize::MAX, searches: usize::MAX, heavy: usize::MAX }
    }
}

/// The flows that one thread works for right now.
#[derive(Debug, Default)]
pub(crate) struct ThreadLoad {
    flows: Vec<Flow>,
    searches: bool,
    is_heavy: bool,
    jobs: u32,
}

/// What became of something that was to wait.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Placed<T> {
    /// It waits.
    Waits,
    /// It waits, and this does not any more.
    Replaces(T),
    /// There is no room for it.
    Refused(T),
}

/// See the file.
pub(crate) struct FairQueue<T> {
    limits: Limits,
    tenants: HashMap<Flow, Tenant<T>>,
    /// The flows that have jobs of each class waiting, in the order of turns.
    turns: [VecDeque<(Flow, Kind)>; 2],
    waiting: [usize; 2],
    /// How many threads search.
    searches: usize,
    /// How many threads work for heavy tenants.
    heavy: usize,
    /// The shortest average of a tenant's jobs of late, in microseconds; zero if there is none.
    lightest: u64,
    /// What the tenant whose work was taken last had used: whoever has nothing to do is taken to have used as much.
    clock: u64,
}

struct Tenant<T> {
    waiting: [VecDeque<T>; 3],
    /// How many threads work for it.
    at_work: usize,
    /// The time of threads that it has used, in microseconds, or a later value of the clock.
    used: u64,
    /// How long its jobs took of late, in microseconds: a moving average; zero before the first has ended.
    average: u64,
}

impl<T> Tenant<T> {
    fn is_heavy(&self, lightest: u64) -> bool {
        self.average >= HEAVY && self.average > lightest.saturating_mul(MUCH)
    }

    fn note(&mut self, took: u64) {
        // At least one: zero means that nothing is known.
        self.average = if self.average == 0 { took } else { (3 * self.average + took) / 4 }.max(1);
    }

    fn is_idle(&self) -> bool {
        self.at_work == 0 && self.waiting.iter().all(VecDeque::is_empty)
    }

    fn waiting_on(&self, class: JobClass) -> usize {
        class.kinds().iter().map(|kind| self.waiting[*kind as usize].len()).sum()
    }
}

/// So many tenants without work are remembered, so that coming and going costs no memory management.
const REMEMBERED: usize = 64;
/// From how long on average, in microseconds, jobs may count as heavy.
const HEAVY: u64 = 5_000;
/// How many times as long as the shortest jobs they take then.
const MUCH: u64 = 4;

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
            clock: 0,
        }
    }

    /// How many jobs of a class wait.
    pub(crate) fn waiting(&self, class: JobClass) -> usize {
        self.waiting[class as usize]
    }

    /// Lets something wait.
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
            at_work: 0,
            used: 0,
            average: 0,
        });
        if tenant.is_idle() {
            tenant.used = tenant.used.max(self.clock);
        }
        let line = &mut tenant.waiting[kind as usize];
        if line.is_empty() {
            self.turns[class as usize].push_back((flow, kind));
        }
        line.push_back(item);
        self.waiting[class as usize] += 1;
        replaced.map_or(Placed::Waits, Placed::Replaces)
    }

    /// Takes the newest away from whoever has most waiting, unless that is the newcomer or has hardly more than it.
    fn make_room(&mut self, newcomer: Flow, class: JobClass) -> Option<T> {
        let own = self.tenants.get(&newcomer).filter(|_| newcomer != Flow::SERVER);
        let own = own.map_or(0, |tenant| tenant.waiting_on(class));
        let others = self.tenants.iter().filter(|(flow, _)| **flow != Flow::SERVER);
        let (most, flow) = others.map(|(flow, tenant)| (tenant.waiting_on(class), *flow)).max()?;
        if most <= own + usize::from(newcomer != Flow::SERVER) {
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

    /// The next job for a thread that already works for the flows in `load`, if anything may be taken now.
    pub(crate) fn take(&mut self, class: JobClass, load: &mut ThreadLoad) -> Option<T> {
        let turns = self.turns[class as usize].iter().enumerate();
        let allowed = turns.filter(|(_, (flow, kind))| self.may_take(*flow, *kind, load));
        // The first of those who have used equally little.
        let (at, used) =
            allowed.map(|(at, (flow, _))| (at, self.used(*flow))).min_by_key(|(_, used)| *used)?;
        let (flow, kind) = self.turns[class as usize].remove(at)?;
        self.clock = self.clock.max(used);
        self.note(flow, kind, load);
        let line = &mut self.tenants.get_mut(&flow)?.waiting[kind as usize];
        let item = line.pop_front()?;
        if !line.is_empty() {
            self.turns[class as usize].push_back((flow, kind));
        }
        self.waiting[class as usize] -= 1;
        Some(item)
    }

    /// The server's own work has its turn among tenants that have used as much as the one before.
    fn used(&self, flow: Flow) -> u64 {
        let tenant = self.tenants.get(&flow).filter(|_| flow != Flow::SERVER);
        tenant.map_or(self.clock, |tenant| tenant.used)
    }

    fn may_take(&self, flow: Flow, kind: Kind, load: &ThreadLoad) -> bool {
        let is_free =
            |tenant: &Tenant<T>| tenant.at_work < self.limits.of_tenant || load.flows.contains(&flow);
        // What is heavy is begun by a thread without other work, and nothing is added to it.
        let may_be_heavy = load.jobs == 0 && self.heavy < self.limits.heavy;
        (kind != Kind::Search || load.searches || self.searches < self.limits.searches)
            && (flow == Flow::SERVER || self.tenants.get(&flow).is_some_and(is_free))
            && !load.is_heavy
            && (may_be_heavy || !self.is_heavy(flow))
    }

    /// Whether a thread without work may begin with such a job now.
    pub(crate) fn may_begin(&self, flow: Flow, kind: Kind) -> bool {
        self.may_take(flow, kind, &ThreadLoad::default())
    }

    /// Whether a thread without work may begin with anything of that class now.
    pub(crate) fn may_begin_any(&self, class: JobClass) -> bool {
        self.turns[class as usize].iter().any(|(flow, kind)| self.may_begin(*flow, *kind))
    }

    fn is_heavy(&self, flow: Flow) -> bool {
        let is_counted = flow != Flow::SERVER && self.limits.heavy != usize::MAX;
        is_counted && self.tenants.get(&flow).is_some_and(|tenant| tenant.is_heavy(self.lightest))
    }

    fn note(&mut self, flow: Flow, kind: Kind, load: &mut ThreadLoad) {
        load.jobs += 1;
        if self.is_heavy(flow) {
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
                tenant.at_work += 1;
            }
        }
    }

    /// How many more reads of the tenant of a read that was just taken a thread does well to take with it: its part of what that tenant has
    /// waiting among `threads`, and only a few while others wait.
    pub(crate) fn batchable(&self, flow: Flow, threads: usize) -> usize {
        const FEW: usize = 8;
        let Some(tenant) = self.tenants.get(&flow).filter(|_| !self.is_heavy(flow)) else { return 0 };
        let waiting = tenant.waiting[Kind::Read as usize].len();
        let part = waiting / threads.max(1);
        if self.waiting(JobClass::Reads) > waiting { part.min(FEW) } else { part }
    }

    /// The next read of a tenant for which the thread works already, out of turn.
    pub(crate) fn take_batchable(&mut self, flow: Flow, load: &mut ThreadLoad) -> Option<T> {
        let line = &mut self.tenants.get_mut(&flow)?.waiting[Kind::Read as usize];
        let item = line.pop_front()?;
        if line.is_empty() {
            self.turns[JobClass::Reads as usize].retain(|turn| *turn != (flow, Kind::Read));
        }
        self.waiting[JobClass::Reads as usize] -= 1;
        load.jobs += 1;
        Some(item)
    }

    /// The thread's work is done and took so long, for all for whom it was done together. How many takes that were not allowed may be so now, at
    /// most.
    pub(crate) fn finish(&mut self, load: &mut ThreadLoad, took: Duration) -> usize {
        let ThreadLoad { flows, searches, is_heavy, jobs } = std::mem::take(load);
        let freed = flows.len() + usize::from(searches) + usize::from(is_heavy);
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let each = took / u64::try_from(flows.len().max(1)).unwrap_or(1);
        for flow in &flows {
            if let Some(tenant) = self.tenants.get_mut(flow) {
                tenant.at_work -= 1;
                tenant.used = tenant.used.saturating_add(each);
                tenant.note(took / u64::from(jobs.max(1)));
            }
        }
        self.searches -= usize::from(searches);
        self.heavy -= usize::from(is_heavy);
        if self.tenants.len() > REMEMBERED {
            self.tenants.retain(|_, tenant| !tenant.is_idle());
        }
        if !flows.is_empty() {
            let averages = self.tenants.values().map(|tenant| tenant.average).filter(|average| *average > 0);
            self.lightest = averages.min().unwrap_or(0);
        }
        freed
    }

    /// What is left, whatever the limits say: for the end.
    pub(crate) fn take_any(&mut self) -> Option<T> {
        let class = JobClass::BOTH.into_iter().find(|class| self.waiting(*class) > 0)?;
        let (flow, kind) = self.turns[class as usize].pop_front()?;
        let line = &mut self.tenants.get_mut(&flow)?.waiting[kind as usize];
        let item = line.pop_front()?;
        if !line.is_empty() {
            self.turns[class as usize].push_back((flow, kind));
        }
        self.waiting[class as usize] -= 1;
        Some(item)
    }
}

#[cfg(test)]
mod tests;
