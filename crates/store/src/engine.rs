//! The two engines behind queues of jobs.

use std::path::PathBuf;

use pagesmith_model::Result;

use crate::connection::postgres::servers::Servers;
use crate::database_url::DatabaseUrl;
use crate::job::Job;
use crate::tx::Tx;

pub(crate) mod postgres;
pub(crate) mod sqlite;
mod worker_pool;

use worker_pool::{Queues, WorkerPool};

/// A database to which connections are opened; clones share what has been found out about its servers.
#[derive(Clone)]
pub(crate) enum Connector {
    /// The file's path.
    Sqlite(PathBuf),
    Postgres(Servers),
}

impl Connector {
    /// That of an address; certificates that it names are read.
    pub(crate) fn of(url: &DatabaseUrl) -> Result<Connector> {
        Ok(match url {
            DatabaseUrl::Sqlite(path) => Connector::Sqlite(path.clone()),
            DatabaseUrl::Postgres(url) => Connector::Postgres(Servers::of(url)?),
        })
    }
}

/// The engine of an open store.
pub(crate) enum Engine {
    Sqlite(sqlite::Sqlite),
    Postgres(postgres::Postgres),
    Inline(Box<sqlite::Inline>),
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
    pub(crate) fn point_read<T>(&self, run: &mut dyn FnMut(&mut Tx<'_>) -> Result<T>) -> Option<Result<T>> {
        match self {
            Engine::Sqlite(engine) => engine.point_read(run),
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

    /// How often a connection to another process was made.
    pub(crate) fn connects(&self) -> u64 {
        match self {
            Engine::Postgres(engine) => engine.connects(),
            Engine::Sqlite(_) | Engine::Inline(_) => 0,
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
