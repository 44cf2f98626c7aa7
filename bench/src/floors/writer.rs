//! How a floor writes: one thread takes whatever waits in its channel, writes it in one transaction with
//! `synchronous=FULL` in WAL mode, and answers after COMMIT. Nothing else is done: no savepoints, no second chance.

use std::path::Path;

use axum::http::StatusCode;
use crossbeam_channel::{Receiver, Sender};
use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::Result;

type Waiting<J, A> = (J, oneshot::Sender<A>);

/// The way to the writer.
pub struct Queue<J, A>(Sender<Waiting<J, A>>);

impl<J, A> Clone for Queue<J, A> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<J: Send + 'static, A: Send + 'static> Queue<J, A> {
    /// Makes the tables and starts the thread, which does a job by `run`.
    pub fn open(
        database: &Path,
        schema: &str,
        run: fn(&Connection, J) -> rusqlite::Result<A>,
    ) -> Result<Self> {
        let connection = Connection::open(database)?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "full")?;
        connection.execute_batch(schema)?;
        connection.set_prepared_statement_cache_capacity(64);
        let (sender, receiver) = crossbeam_channel::bounded(4096);
        let write = move || write_all(&connection, &receiver, run);
        std::thread::Builder::new().name("writer".to_owned()).spawn(write)?;
        Ok(Self(sender))
    }

    /// What the job came to, once it is durable.
    pub async fn write(&self, job: J) -> Result<A, StatusCode> {
        let (sender, receiver) = oneshot::channel();
        self.0.try_send((job, sender)).map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?;
        receiver.await.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
    }
}

/// The writer: everything that waits goes into one transaction; nobody is answered before its commit.
fn write_all<J, A>(
    connection: &Connection,
    queue: &Receiver<Waiting<J, A>>,
    run: fn(&Connection, J) -> rusqlite::Result<A>,
) {
    while let Ok(first) = queue.recv() {
        let batch = std::iter::once(first).chain(queue.try_iter());
        let answers = transaction(connection, batch, run);
        for (answer, waiting) in answers.unwrap_or_default() {
            // One whose client has gone needs no answer.
            let _ = waiting.send(answer);
        }
    }
}

fn transaction<J, A>(
    connection: &Connection,
    batch: impl Iterator<Item = Waiting<J, A>>,
    run: fn(&Connection, J) -> rusqlite::Result<A>,
) -> rusqlite::Result<Vec<(A, oneshot::Sender<A>)>> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let mut answers = Vec::new();
    for (job, waiting) in batch {
        match run(connection, job) {
            Ok(answer) => answers.push((answer, waiting)),
            Err(error) => {
                connection.execute_batch("ROLLBACK")?;
                return Err(error);
            }
        }
    }
    connection.execute_batch("COMMIT")?;
    Ok(answers)
}
