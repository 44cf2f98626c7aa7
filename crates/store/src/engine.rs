//! The two engines behind one queue of jobs.

use crossbeam_channel::{Sender, TrySendError};
use pagesmith_model::{Error, Result};

use crate::job::Job;
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

/// Threads that take jobs from one bounded queue.
pub(crate) struct Crew {
    queue: std::sync::RwLock<Option<Sender<Box<dyn Job>>>>,
    threads: std::sync::Mutex<Vec<std::thread::JoinHandle<()>>>,
}

impl Crew {
    /// Starts `count` threads named `name`, each running what `make` returns for its number.
    pub(crate) fn start<W>(
        name: &str,
        count: usize,
        queue: usize,
        mut make: impl FnMut(usize, crossbeam_channel::Receiver<Box<dyn Job>>) -> Result<W>,
    ) -> Result<Crew>
    where
        W: FnOnce() + Send + 'static,
    {
        let (sender, receiver) = crossbeam_channel::bounded(queue.max(1));
        let mut threads = Vec::with_capacity(count);
        for number in 0..count.max(1) {
            let work = make(number, receiver.clone())?;
            let thread = std::thread::Builder::new().name(format!("{name}-{number}")).spawn(work);
            threads.push(thread.map_err(Error::internal)?);
        }
        Ok(Crew { queue: std::sync::RwLock::new(Some(sender)), threads: std::sync::Mutex::new(threads) })
    }

    pub(crate) fn submit(&self, job: Box<dyn Job>) -> Result<()> {
        let queue = self.queue.read().map_err(|_| Error::internal("the queue's lock is poisoned"))?;
        let Some(queue) = queue.as_ref() else {
            return Err(Error::unavailable("The server is shutting down."));
        };
        queue.try_send(job).map_err(|refused| match refused {
            TrySendError::Full(_) => Error::unavailable("The server has too much to do right now."),
            TrySendError::Disconnected(_) => Error::unavailable("The server is shutting down."),
        })
    }

    pub(crate) fn depth(&self) -> usize {
        self.queue.read().ok().and_then(|queue| queue.as_ref().map(Sender::len)).unwrap_or_default()
    }

    /// Takes no more jobs, and waits until those that were taken have ended.
    pub(crate) fn stop(&self) {
        if let Ok(mut queue) = self.queue.write() {
            queue.take();
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
