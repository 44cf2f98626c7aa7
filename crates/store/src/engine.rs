//! The two engines behind queues of jobs.

use crossbeam_channel::{Receiver, Sender, TrySendError};
use pagesmith_model::{Error, Result};

use crate::job::{Job, Verb};
use crate::tx::Tx;

pub(crate) mod postgres;
pub(crate) mod sqlite;

/// The engine of an open store.
pub(crate) enum Engine {
    Sqlite(sqlite::Sqlite),
    Postgres(postgres::Postgres),
    Inline(sqlite::Inline),
}

impl Engine {
    pub(crate) fn submit(&self, job: Box<dyn Job>) -> Result<()> {
        match self {
            Engine::Sqlite(engine) => engine.submit(job),
            Engine::Postgres(engine) => engine.submit(job),
            Engine::Inline(engine) => {
                engine.run(job);
                Ok(())
            }
        }
    }

    /// Runs a short read on the caller's thread; `None` if the engine cannot do that now.
    pub(crate) fn glance<T>(&self, run: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>) -> Option<Result<T>> {
        match self {
            Engine::Sqlite(engine) => engine.glance(run),
            Engine::Postgres(_) | Engine::Inline(_) => None,
        }
    }

    pub(crate) fn commits(&self) -> u64 {
        match self {
            Engine::Sqlite(engine) => engine.commits(),
            Engine::Postgres(engine) => engine.commits(),
            Engine::Inline(engine) => engine.commits(),
        }
    }

    pub(crate) fn queue_depth(&self) -> usize {
        match self {
            Engine::Sqlite(engine) => engine.queue_depth(),
            Engine::Postgres(engine) => engine.queue_depth(),
            Engine::Inline(_) => 0,
        }
    }

    pub(crate) fn close(&self) {
        match self {
            Engine::Sqlite(engine) => engine.close(),
            Engine::Postgres(engine) => engine.close(),
            Engine::Inline(engine) => engine.close(),
        }
    }
}

/// Threads that take jobs from bounded queues.
pub(crate) struct Crew {
    /// Empty once no more is taken.
    queues: std::sync::RwLock<Option<Inlets>>,
    threads: std::sync::Mutex<Vec<std::thread::JoinHandle<()>>>,
}

type Inlets = Queues<Sender<Box<dyn Job>>>;

/// What works by itself goes ahead of callers: there is little of it at a time, and behind callers it would fall back just when there is
/// most to do.
#[derive(Clone)]
pub(crate) struct Queues<Q> {
    pub(crate) ahead: Q,
    pub(crate) writes: Q,
    pub(crate) reads: Q,
}

impl Queues<Receiver<Box<dyn Job>>> {
    /// The next job; nothing once there can be no more.
    pub(crate) fn next(&self) -> Option<Box<dyn Job>> {
        let next = crossbeam_channel::select_biased! {
            recv(self.ahead) -> job => job,
            recv(self.writes) -> job => job,
            recv(self.reads) -> job => job,
        };
        next.ok().or_else(|| self.left())
    }

    /// A job that is left once no more can come.
    pub(crate) fn left(&self) -> Option<Box<dyn Job>> {
        self.waiting().next()
    }

    /// What waits by now.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = Box<dyn Job>> {
        self.ahead.try_iter().chain(self.writes.try_iter()).chain(self.reads.try_iter())
    }

    /// How much that is.
    pub(crate) fn len(&self) -> usize {
        self.ahead.len() + self.writes.len() + self.reads.len()
    }
}

impl Crew {
    /// Starts `count` threads named `name`, each running what `make` returns for its number.
    pub(crate) fn start<W>(
        name: &str,
        count: usize,
        queue: usize,
        mut make: impl FnMut(usize, Queues<Receiver<Box<dyn Job>>>) -> Result<W>,
    ) -> Result<Crew>
    where
        W: FnOnce() + Send + 'static,
    {
        let [ahead, writes, reads] = [(); 3].map(|()| crossbeam_channel::bounded(queue.max(1)));
        let taken = Queues { ahead: ahead.1, writes: writes.1, reads: reads.1 };
        let mut threads = Vec::with_capacity(count);
        for number in 0..count.max(1) {
            let work = make(number, taken.clone())?;
            let thread = std::thread::Builder::new().name(format!("{name}-{number}")).spawn(work);
            threads.push(thread.map_err(Error::internal)?);
        }
        let queues =
            std::sync::RwLock::new(Some(Queues { ahead: ahead.0, writes: writes.0, reads: reads.0 }));
        Ok(Crew { queues, threads: std::sync::Mutex::new(threads) })
    }

    pub(crate) fn submit(&self, job: Box<dyn Job>) -> Result<()> {
        let queues = self.queues.read().map_err(|_| Error::internal("the queue's lock is poisoned"))?;
        let Some(queues) = queues.as_ref() else {
            return Err(Error::unavailable("The server is shutting down."));
        };
        let queue = match job.verb() {
            Verb::Claim => &queues.ahead,
            Verb::Write => &queues.writes,
            Verb::Read => &queues.reads,
        };
        queue.try_send(job).map_err(|refused| match refused {
            TrySendError::Full(_) => Error::unavailable("The server has too much to do right now."),
            TrySendError::Disconnected(_) => Error::unavailable("The server is shutting down."),
        })
    }

    pub(crate) fn depth(&self) -> usize {
        let queues = self.queues.read().ok();
        let depth = queues.and_then(|queues| {
            queues.as_ref().map(|queues| queues.ahead.len() + queues.writes.len() + queues.reads.len())
        });
        depth.unwrap_or_default()
    }

    /// Takes no more jobs, and waits until those that were taken have ended.
    pub(crate) fn stop(&self) {
        if let Ok(mut queues) = self.queues.write() {
            queues.take();
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::job::Closure;

    fn job(verb: Verb) -> Box<dyn Job> {
        Closure::boxed(verb, |_| Ok(()), Arc::default()).0
    }

    #[test]
    fn what_works_by_itself_goes_ahead_of_callers_and_everything_is_taken_before_the_end() {
        let (order, told) = crossbeam_channel::unbounded();
        let (gate, opened) = crossbeam_channel::bounded::<()>(0);
        let crew = Crew::start("test", 1, 4, |_, queues| {
            let (order, opened) = (order.clone(), opened.clone());
            Ok(move || {
                while opened.recv().is_ok() {}
                while let Some(job) = queues.next() {
                    order.send((job.verb(), queues.len())).unwrap();
                }
            })
        });
        let crew = crew.unwrap();
        for verb in [Verb::Write, Verb::Read, Verb::Claim, Verb::Write, Verb::Claim] {
            crew.submit(job(verb)).unwrap();
        }
        assert_eq!(crew.depth(), 5);
        drop(gate);
        crew.stop();
        assert!(crew.submit(job(Verb::Write)).is_err());
        let expected =
            [(Verb::Claim, 4), (Verb::Claim, 3), (Verb::Write, 2), (Verb::Write, 1), (Verb::Read, 0)];
        assert_eq!(told.try_iter().collect::<Vec<_>>(), expected);
    }
}
