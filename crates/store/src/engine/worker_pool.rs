//! Threads that take jobs from bounded queues, next that of the tenant that has used the least of their time.
//!
//! Jobs wait in a [`FairQueue`]. For each job a token goes through a channel on which the threads wait. A thread that receives a
//! token takes the next job. If a limit forbids every waiting job, the token is parked until the work of some thread ends. So there
//! are always as many tokens as jobs: in a channel, parked, or with a thread.
//!
//! Claims are urgent: they pass the jobs of callers. There are few of them at a time, and behind callers they would fall
//! behind just when there is most to do.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, TrySendError};
use pagesmith_model::{Error, Result};

use crate::fair::{FairQueue, Flow, JobClass, Limits, Placed, ThreadLoad};
use crate::job::Job;

type AnyJob = Box<dyn Job>;

pub(crate) struct WorkerPool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    /// Empty once no more is taken.
    senders: RwLock<Option<Senders>>,
    state: Mutex<State>,
}

struct Senders {
    urgent: Sender<AnyJob>,
    /// Of writes and of reads.
    tokens: [Sender<()>; 2],
}

struct State {
    jobs: FairQueue<AnyJob>,
    /// Tokens of writes and of reads that are parked.
    parked: [usize; 2],
}

/// A thread's end of the queues.
#[derive(Clone)]
pub(crate) struct Queues {
    pub(crate) urgent: Receiver<AnyJob>,
    /// A token for each job that may be asked for by [`Queues::take`].
    pub(crate) writes: Receiver<()>,
    pub(crate) reads: Receiver<()>,
    shared: Arc<Shared>,
}

impl State {
    /// Whether the tenant of the next parked read has used less thread time than that of the next parked write.
    fn is_read_next(&self, load: &ThreadLoad) -> bool {
        if self.parked.contains(&0) {
            return false;
        }
        let [write, read] = JobClass::BOTH.map(|class| self.jobs.used_of_next(class, load));
        write.zip(read).is_some_and(|(write, read)| read < write)
    }

    /// The next job of the class, for a parked token.
    fn take_parked(&mut self, class: JobClass, load: &mut ThreadLoad) -> Option<AnyJob> {
        let job = if self.parked[class as usize] > 0 { self.jobs.take(class, load) } else { None };
        self.parked[class as usize] -= usize::from(job.is_some());
        job
    }

    /// Takes at most so many tokens of writes and of reads out of the parked ones; none of a class of which no thread without work
    /// may begin anything.
    fn unpark(&mut self, most: usize) -> [usize; 2] {
        JobClass::BOTH.map(|class| {
            let parked = &mut self.parked[class as usize];
            let count = if *parked > 0 && self.jobs.may_begin_any(class) { most.min(*parked) } else { 0 };
            *parked -= count;
            count
        })
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queues {
    /// The job for a token, or nothing if none may be taken now.
    pub(crate) fn take(&self, class: JobClass, load: &mut ThreadLoad) -> Option<AnyJob> {
        let mut state = self.shared.state();
        let job = state.jobs.take(class, load);
        if job.is_none() {
            state.parked[class as usize] += 1;
        }
        job
    }

    /// The next job; nothing once there can be no more.
    pub(crate) fn next(&self, load: &mut ThreadLoad) -> Option<AnyJob> {
        loop {
            let taken = crossbeam_channel::select_biased! {
                recv(self.urgent) -> job => job.map(Some),
                recv(self.writes) -> token => token.map(|()| self.take(JobClass::Writes, load)),
                recv(self.reads) -> token => token.map(|()| self.take(JobClass::Reads, load)),
            };
            match taken {
                Ok(Some(job)) => return Some(job),
                Ok(None) => {}
                Err(_) => return self.left(),
            }
        }
    }

    /// A job that is left once no more can come.
    pub(crate) fn left(&self) -> Option<AnyJob> {
        self.urgent.try_recv().ok().or_else(|| self.shared.state().jobs.take_any())
    }

    /// Adds writes that wait by now and may be done together with those, each tenant's in turn, until there are `most`.
    pub(crate) fn more_writes(&self, most: usize, load: &mut ThreadLoad, jobs: &mut Vec<AnyJob>) {
        let mut state = self.shared.state();
        while jobs.len() < most && self.take_token(JobClass::Writes, &mut state) {
            match state.jobs.take(JobClass::Writes, load) {
                Some(job) => jobs.push(job),
                None => {
                    drop(state);
                    // Another thread may begin what must not be added here.
                    return self.give_back([1, 0]);
                }
            }
        }
    }

    /// Takes a token that nobody else is about to use: a thread that already works may use one that is parked.
    fn take_token(&self, class: JobClass, state: &mut State) -> bool {
        let parked = &mut state.parked[class as usize];
        if *parked > 0 {
            *parked -= 1;
            return true;
        }
        let tokens = [&self.writes, &self.reads][class as usize];
        tokens.try_recv().is_ok()
    }

    /// More reads of the tenant of one that was just taken, as many as a thread of `threads` does well to take with it.
    pub(crate) fn more_reads(
        &self,
        flow: Flow,
        threads: usize,
        load: &mut ThreadLoad,
        jobs: &mut Vec<AnyJob>,
    ) {
        let mut state = self.shared.state();
        for _ in 0..state.jobs.batchable(flow, threads) {
            // A job is taken with a token: where there is none, another thread is about to take the job.
            if !self.take_token(JobClass::Reads, &mut state) {
                return;
            }
            match state.jobs.take_batchable(flow, load) {
                Some(job) => jobs.push(job),
                None => state.parked[JobClass::Reads as usize] += 1,
            }
        }
    }

    /// How many writes wait.
    pub(crate) fn writes_waiting(&self) -> usize {
        self.shared.state().jobs.waiting(JobClass::Writes)
    }

    /// The work of a thread is done and took so long: what was parked because of it may be taken.
    pub(crate) fn done(&self, load: &mut ThreadLoad, took: Duration) {
        let freed = {
            let mut state = self.shared.state();
            let freed = state.jobs.finish(load, took);
            state.unpark(freed)
        };
        self.give_back(freed);
    }

    /// Like [`done`](Self::done), and returns the next urgent or parked job for this thread, if there is one. The thread takes the jobs that its own work
    /// has parked, so that no other thread is woken for them. Of a write and a read it takes the one whose tenant has used less thread
    /// time, or else the write. Writes only if it may write, and reads beside which no write is parked only if none waits for a thread.
    pub(crate) fn done_and_take(
        &self,
        load: &mut ThreadLoad,
        took: Duration,
        may_write: bool,
    ) -> Option<AnyJob> {
        let urgent = self.urgent.try_recv().ok();
        let (job, freed) = {
            let mut state = self.shared.state();
            let freed = state.jobs.finish(load, took);
            let mut job = urgent;
            let is_read_next = job.is_none() && may_write && state.is_read_next(load);
            if job.is_none() && may_write && !is_read_next {
                job = state.take_parked(JobClass::Writes, load);
            }
            if job.is_none() && (is_read_next || self.writes.is_empty()) {
                job = state.take_parked(JobClass::Reads, load);
            }
            (job, state.unpark(freed))
        };
        self.give_back(freed);
        job
    }

    /// The same, or the next job that comes; nothing once there can be no more.
    pub(crate) fn done_and_next(&self, load: &mut ThreadLoad, took: Duration) -> Option<AnyJob> {
        self.done_and_take(load, took, true).or_else(|| self.next(load))
    }

    /// Lets threads take so many more writes and reads.
    fn give_back(&self, tokens: [usize; 2]) {
        if tokens == [0, 0] {
            return;
        }
        let senders = self.shared.senders.read().unwrap_or_else(PoisonError::into_inner);
        let Some(senders) = senders.as_ref() else { return };
        for (sender, count) in senders.tokens.iter().zip(tokens) {
            (0..count).for_each(|_| send(sender));
        }
    }
}

impl WorkerPool {
    /// Starts `count` threads named `name`, each running what `make` returns for its number.
    pub(crate) fn start<W>(
        name: &str,
        count: usize,
        limits: Limits,
        mut make: impl FnMut(usize, Queues) -> Result<W>,
    ) -> Result<WorkerPool>
    where
        W: FnOnce() + Send + 'static,
    {
        let limits = Limits { waiting: limits.waiting.max(1), ..limits };
        let urgent = crossbeam_channel::bounded(limits.waiting);
        let [writes, reads] = [(); 2].map(|()| crossbeam_channel::bounded(limits.waiting));
        let senders = Senders { urgent: urgent.0, tokens: [writes.0, reads.0] };
        let state = State { jobs: FairQueue::new(limits), parked: [0; 2] };
        let shared = Arc::new(Shared { senders: RwLock::new(Some(senders)), state: Mutex::new(state) });
        let queues =
            Queues { urgent: urgent.1, writes: writes.1, reads: reads.1, shared: Arc::clone(&shared) };
        let mut threads = Vec::with_capacity(count);
        for number in 0..count.max(1) {
            let work = make(number, queues.clone())?;
            let thread = std::thread::Builder::new().name(format!("{name}-{number}")).spawn(work);
            threads.push(thread.map_err(Error::internal)?);
        }
        Ok(WorkerPool { shared, threads: Mutex::new(threads) })
    }

    pub(crate) fn submit(&self, job: AnyJob) -> Result<()> {
        let senders =
            self.shared.senders.read().map_err(|_| Error::internal("the queue's lock is poisoned"))?;
        let Some(senders) = senders.as_ref() else {
            return Err(Error::unavailable("The server is shutting down."));
        };
        let Some(kind) = job.verb().kind() else {
            return senders.urgent.try_send(job).map_err(|refused| match refused {
                TrySendError::Full(_) => too_much(),
                TrySendError::Disconnected(_) => Error::unavailable("The server is shutting down."),
            });
        };
        let class = kind.class();
        let (placed, has_token) = {
            let mut state = self.shared.state();
            let flow = job.flow();
            let placed = state.jobs.push(flow, kind, job);
            if matches!(placed, Placed::Waits) && !state.jobs.may_begin(flow, kind) {
                // No thread needs to wake up for it: those that work for the tenant take it when they are done.
                state.parked[class as usize] += 1;
                return Ok(());
            }
            // The token of a job that goes is now this one's; a parked one comes back, for this one may be taken.
            let has_token = matches!(placed, Placed::Replaces(_)) && state.parked[class as usize] == 0;
            if matches!(placed, Placed::Replaces(_)) && !has_token {
                state.parked[class as usize] -= 1;
            }
            (placed, has_token)
        };
        if !has_token && !matches!(placed, Placed::Refused(_)) {
            send(&senders.tokens[class as usize]);
        }
        match placed {
            Placed::Waits => {}
            Placed::Replaces(other) => other.finish(Some(too_much())),
            Placed::Refused(_) => return Err(too_much()),
        }
        Ok(())
    }

    pub(crate) fn depth(&self) -> usize {
        let senders = self.shared.senders.read().ok();
        let urgent = senders.and_then(|senders| senders.as_ref().map(|senders| senders.urgent.len()));
        let state = self.shared.state();
        urgent.unwrap_or_default()
            + JobClass::BOTH.into_iter().map(|class| state.jobs.waiting(class)).sum::<usize>()
    }

    /// Takes no more jobs, and waits until those that were taken have ended.
    pub(crate) fn stop(&self) {
        if let Ok(mut senders) = self.shared.senders.write() {
            senders.take();
        }
        let threads =
            self.threads.lock().map(|mut threads| std::mem::take(&mut *threads)).unwrap_or_default();
        for thread in threads {
            if thread.join().is_err() {
                tracing::error!("a database thread ended in a panic");
            }
        }
    }
}

impl Drop for WorkerPool {
    /// Lets the threads end by themselves; they hold the other end of the queues.
    fn drop(&mut self) {
        if let Ok(mut senders) = self.shared.senders.write() {
            senders.take();
        }
    }
}

/// There is room for a token of every job that may wait, and at the end nobody needs one any more.
fn send(sender: &Sender<()>) {
    if let Err(TrySendError::Full(())) = sender.try_send(()) {
        tracing::error!("there are more tokens than jobs");
    }
}

pub(crate) fn too_much() -> Error {
    Error::unavailable("The server has too much to do right now.")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::job::Closure;
    use crate::verb::Verb;

    fn job(verb: Verb) -> AnyJob {
        Closure::boxed((verb, Flow::SERVER), |_| Ok(()), Arc::default()).0
    }

    fn job_of(tenant: u64, verb: Verb) -> AnyJob {
        let tenant = pagesmith_model::TenantId::parse(&format!("tenant_{tenant:026}")).unwrap();
        Closure::boxed((verb, Flow::of(&tenant)), |_| Ok(()), Arc::default()).0
    }

    /// A pool whose threads do nothing, and the end of its queues that one of them would have.
    fn without_work(threads: usize, limits: Limits) -> (WorkerPool, Queues) {
        let (hand_over, handed_over) = crossbeam_channel::unbounded();
        let pool = WorkerPool::start("test", threads, limits, |_, queues| {
            hand_over.send(queues).unwrap();
            Ok(|| {})
        });
        (pool.unwrap(), handed_over.recv().unwrap())
    }

    #[test]
    fn what_works_by_itself_goes_ahead_of_callers_and_everything_is_taken_before_the_end() {
        let (order, told) = crossbeam_channel::unbounded();
        let (gate, opened) = crossbeam_channel::bounded::<()>(0);
        let pool = WorkerPool::start("test", 1, Limits::of_threads(1, 4), |_, queues| {
            let (order, opened) = (order.clone(), opened.clone());
            Ok(move || {
                while opened.recv().is_ok() {}
                let mut load = ThreadLoad::default();
                while let Some(job) = queues.next(&mut load) {
                    order.send(job.verb()).unwrap();
                    queues.done(&mut load, Duration::ZERO);
                }
            })
        });
        let pool = pool.unwrap();
        for verb in [Verb::Write, Verb::Read, Verb::Claim, Verb::Write, Verb::Search, Verb::Claim] {
            pool.submit(job(verb)).unwrap();
        }
        assert_eq!(pool.depth(), 6);
        drop(gate);
        pool.stop();
        assert!(pool.submit(job(Verb::Write)).is_err());
        let expected = [Verb::Claim, Verb::Claim, Verb::Write, Verb::Write, Verb::Read, Verb::Search];
        assert_eq!(told.try_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_had_to_wait_for_a_limit_is_taken_when_work_ends_and_nothing_is_left_at_the_end() {
        let (order, told) = crossbeam_channel::unbounded();
        let (tell, gate) = crossbeam_channel::unbounded::<()>();
        let pool = WorkerPool::start("test", 3, Limits::of_threads(3, 200), |number, queues| {
            let (order, gate) = (order.clone(), gate.clone());
            Ok(move || {
                let mut load = ThreadLoad::default();
                let mut next = queues.next(&mut load);
                while let Some(job) = next {
                    order.send(number).unwrap();
                    gate.recv().ok();
                    drop(job);
                    next = queues.done_and_next(&mut load, Duration::ZERO);
                }
            })
        });
        let pool = pool.unwrap();
        (0..2).for_each(|_| pool.submit(job_of(1, Verb::Read)).unwrap());
        // Two threads are in work of the first tenant; the third waits for somebody else.
        let busy = [told.recv().unwrap(), told.recv().unwrap()];
        for _ in 0..200 {
            pool.submit(job_of(1, Verb::Read)).unwrap();
            pool.submit(job_of(1, Verb::Write)).unwrap();
        }
        // Until every token is parked.
        while !pool.shared.state().parked.iter().all(|parked| *parked == 200) {
            std::thread::yield_now();
        }
        // Whoever comes into the full queue is taken at once all the same.
        pool.submit(job_of(2, Verb::Read)).unwrap();
        let third = told.recv().unwrap();
        assert!(!busy.contains(&third));
        (0..402).for_each(|_| tell.send(()).unwrap());
        (0..399).for_each(|_| assert!(told.recv().unwrap() < 3));
        assert_eq!(pool.depth(), 0);
        pool.stop();
    }

    #[test]
    fn a_thread_takes_what_was_parked_because_of_it_and_wakes_no_thread_that_may_not_begin() {
        let (pool, queues) = without_work(2, Limits::of_threads(2, 200));
        let write = job(Verb::Write);
        let job = || job_of(1, Verb::Read);
        let tokens = || (queues.shared.state().parked, queues.reads.len());
        let mut load = ThreadLoad::default();
        pool.submit(job()).unwrap();
        assert!(queues.next(&mut load).is_some());
        (0..2).for_each(|_| pool.submit(job()).unwrap());
        assert_eq!(tokens(), ([0, 2], 0));
        assert!(queues.done_and_next(&mut load, Duration::ZERO).is_some());
        assert_eq!(tokens(), ([0, 1], 0));
        assert!(queues.done_and_next(&mut load, Duration::ZERO).is_some());
        assert_eq!(tokens(), ([0, 0], 0));
        // A write that waits for a thread goes before parked reads.
        pool.submit(job()).unwrap();
        pool.submit(write).unwrap();
        assert!(queues.done_and_take(&mut load, Duration::ZERO, false).is_none());
        assert_eq!(tokens(), ([0, 0], 1));
        assert_eq!(queues.next(&mut load).map(|job| job.verb()), Some(Verb::Write));
    }

    #[test]
    fn a_read_of_whoever_has_used_less_goes_before_writes_that_are_parked_for_the_same_limit() {
        let limits = Limits { waiting: 9, of_tenant: 9, searches: 9, heavy: 1, recent: 9 };
        let (pool, queues) = without_work(1, limits);
        let submit = |tenant, verb| pool.submit(job_of(tenant, verb)).unwrap();
        let mut load = ThreadLoad::default();
        let mut done = |tenant, verb, millis| {
            submit(tenant, verb);
            assert_eq!(queues.next(&mut load).map(|job| job.verb()), Some(verb));
            queues.done(&mut load, Duration::from_millis(millis));
        };
        // Somebody with short jobs, beside whom the two others are heavy.
        done(1, Verb::Read, 1);
        done(2, Verb::Write, 900);
        done(3, Verb::Read, 90);
        submit(2, Verb::Write);
        assert_eq!(queues.next(&mut load).map(|job| job.verb()), Some(Verb::Write));
        submit(2, Verb::Write);
        submit(3, Verb::Read);
        let next = queues.done_and_take(&mut load, Duration::from_millis(900), true);
        assert_eq!(next.map(|job| job.verb()), Some(Verb::Read));
        let next = queues.done_and_take(&mut load, Duration::from_millis(90), true);
        assert_eq!(next.map(|job| job.verb()), Some(Verb::Write));
    }
}
