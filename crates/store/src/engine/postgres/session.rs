//! One connection to PostgreSQL: its own small runtime, its prepared statements, its open transaction.
//!
//! Statements of a batch are sent together and answered together. The transaction begins with the first statement, in the
//! same round trip.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{join, join_all};
use pagesmith_model::Result;
use tokio::runtime::Runtime;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Statement};

use crate::database_url::PostgresUrl;
use crate::engine::postgres::wire;
use crate::fault::Fault;
use crate::job::Verb;
use crate::row::Row;
use crate::sql::{Dialect, Query, dialect};

/// So many statements travel together: of more futures `join_all` does not keep the order.
const TOGETHER: usize = 16;
/// How long a connection attempt may take.
const CONNECT: Duration = Duration::from_secs(3);
/// How long any answer may take; the server's own limit is shorter and gives the better message.
const ANSWER: Duration = Duration::from_secs(20);
/// How long a step of a migration may take.
const MIGRATION: Duration = Duration::from_secs(6 * 3600);
/// Limits; and how to plan: every statement is written for an index of one tenant. What the planner knows about all tenants
/// misleads it about one (it would rather read a million persons than the few that are fresh), a plan made for certain values is no
/// better than one for all (and planning again at each call made a list take half as long again), compiling takes longer than running.
const SETTINGS: &str = "SET statement_timeout = '15s'; SET lock_timeout = '10s'; \
                        SET idle_in_transaction_session_timeout = '30s'; \
                        SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; \
                        SET max_parallel_workers_per_gather = 0; SET jit = off";

pub(crate) struct Session {
    client: Client,
    statements: HashMap<String, Prepared>,
    /// Whose turn it is in a sharded counter.
    pub(crate) shard: i64,
    transaction: Transaction,
    patience: Duration,
    // Last, so that the connection's task outlives what talks to it.
    runtime: Runtime,
}

#[derive(Clone)]
struct Prepared {
    statement: Statement,
    names: Arc<[String]>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Transaction {
    None,
    /// To begin with the next statement.
    Due(Verb),
    Open,
}

/// The connection's settings from an address.
pub(crate) fn configure(url: &PostgresUrl) -> Result<Config> {
    let mut config = url.config()?;
    config.connect_timeout(CONNECT).application_name("pagesmith").keepalives_idle(Duration::from_secs(30));
    Ok(config)
}

impl Session {
    /// Connects; the shard tells its transactions from those of other connections.
    pub(crate) fn connect(config: &Config, shard: i64) -> Result<Session, Fault> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Fault::Unavailable(error.to_string()))?;
        let client = runtime.block_on(async {
            let connecting = wire::connect(config);
            let connected = async {
                let client = connecting.await?;
                client.batch_execute(SETTINGS).await.map_err(|error| wire::fault(&error))?;
                Ok(client)
            };
            let connected = tokio::time::timeout(CONNECT * 2, connected).await;
            connected.map_err(|_| Fault::Unavailable("the database does not answer".to_owned()))?
        })?;
        let (statements, transaction) = (HashMap::new(), Transaction::None);
        Ok(Session { client, statements, shard, transaction, patience: ANSWER, runtime })
    }

    /// Begins a transaction that may take hours: a migration may wait for another one, and rebuild a table.
    pub(crate) fn begin_migration(&mut self, lock: i64) -> Result<(), Fault> {
        self.patience = MIGRATION;
        self.execute("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")?;
        self.execute(&format!("SELECT pg_advisory_xact_lock({lock})"))?;
        // Locks of tables are another matter: everyone who comes later waits behind us.
        self.execute("SET LOCAL lock_timeout = '10s'")
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    pub(crate) fn begin_lazily(&mut self, verb: Verb) {
        self.transaction = Transaction::Due(verb);
    }

    pub(crate) fn commit(&mut self) -> Result<(), Fault> {
        self.end("COMMIT")
    }

    pub(crate) fn rollback(&mut self) -> Result<(), Fault> {
        self.end("ROLLBACK")
    }

    fn end(&mut self, how: &str) -> Result<(), Fault> {
        let open = self.transaction == Transaction::Open;
        self.transaction = Transaction::None;
        if open { self.execute(how) } else { Ok(()) }
    }

    /// Runs text that takes no values, outside the bookkeeping of transactions.
    pub(crate) fn execute(&mut self, text: &str) -> Result<(), Fault> {
        let answer = self.client.batch_execute(text);
        self.runtime.block_on(in_time(self.patience, answer))?.map_err(|error| wire::fault(&error))
    }

    pub(crate) fn run(&mut self, query: &Query) -> Result<u64> {
        crate::sql::record(query, Dialect::Postgres);
        let prepared = self.prepared(query)?;
        let values = parameters(query);
        let begin = self.take_begin();
        let answer = self.client.execute(&prepared.statement, &values);
        let touched =
            self.runtime.block_on(in_time(self.patience, after_begin(&self.client, begin, answer)))?;
        Ok(touched.map_err(|error| self.failed(&error, query))?)
    }

    pub(crate) fn batch(&mut self, queries: &[Query]) -> Result<Vec<Vec<Row>>> {
        let mut all = Vec::with_capacity(queries.len());
        for some in queries.chunks(TOGETHER) {
            all.extend(self.together(some)?);
        }
        Ok(all)
    }

    /// In one round trip, at most [`TOGETHER`].
    fn together(&mut self, queries: &[Query]) -> Result<Vec<Vec<Row>>> {
        let mut prepared = Vec::with_capacity(queries.len());
        for query in queries {
            crate::sql::record(query, Dialect::Postgres);
            prepared.push(self.prepared(query)?);
        }
        let values: Vec<_> = queries.iter().map(parameters).collect();
        let begin = self.take_begin();
        let answers = prepared
            .iter()
            .zip(&values)
            .map(|(prepared, values)| self.client.query(&prepared.statement, values))
            .collect::<Vec<_>>();
        let together = async { Ok(join_all(answers).await) };
        let answers = self
            .runtime
            .block_on(in_time(self.patience, after_begin(&self.client, begin, together)))?
            .map_err(|error| wire::fault(&error))?;
        let mut all = Vec::with_capacity(queries.len());
        for ((answer, prepared), query) in answers.into_iter().zip(prepared).zip(queries) {
            let rows = answer.map_err(|error| self.failed(&error, query))?;
            all.push(rows.iter().map(|row| wire::row(row, &prepared.names)).collect::<Result<_>>()?);
        }
        Ok(all)
    }

    fn failed(&self, error: &tokio_postgres::Error, query: &Query) -> Fault {
        match wire::fault(error) {
            Fault::Defect(why) => {
                Fault::Defect(format!("{why} in {} ({:?})", query.text, query.places.as_slice()))
            }
            fault if self.client.is_closed() && !matches!(fault, Fault::Lost(_)) => {
                Fault::Lost(fault.to_string())
            }
            fault => fault,
        }
    }

    /// The statement of a text, asked for once per connection.
    fn prepared(&mut self, query: &Query) -> Result<Prepared> {
        if let Some(prepared) = self.statements.get(query.text.as_ref()) {
            return Ok(prepared.clone());
        }
        let text = dialect(&query.text, Dialect::Postgres);
        let statement = self.runtime.block_on(in_time(self.patience, self.client.prepare(&text)))?;
        let statement = statement.map_err(|error| self.failed(&error, query))?;
        let names = statement.columns().iter().map(|column| column.name().to_owned()).collect();
        let prepared = Prepared { statement, names };
        self.statements.insert(query.text.clone().into_owned(), prepared.clone());
        Ok(prepared)
    }

    fn take_begin(&mut self) -> Option<&'static str> {
        let Transaction::Due(verb) = self.transaction else { return None };
        self.transaction = Transaction::Open;
        Some(match verb {
            Verb::Read => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Verb::Write => "BEGIN ISOLATION LEVEL SERIALIZABLE",
            Verb::Claim => "BEGIN ISOLATION LEVEL READ COMMITTED",
        })
    }
}

fn parameters(query: &Query) -> Vec<&(dyn ToSql + Sync)> {
    query.values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

/// Sends BEGIN and the statement together; the statement's answer counts unless BEGIN itself failed.
async fn after_begin<T>(
    client: &Client,
    begin: Option<&str>,
    answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, tokio_postgres::Error> {
    let Some(begin) = begin else { return answer.await };
    // `join` polls in order, and each request is sent when it is first polled.
    let (began, answered) = join(client.batch_execute(begin), answer).await;
    began?;
    answered
}

async fn in_time<F: Future>(patience: Duration, answer: F) -> Result<F::Output, Fault> {
    let answer = tokio::time::timeout(patience, answer).await;
    answer.map_err(|_| Fault::Lost(format!("no answer within {} seconds", patience.as_secs())))
}
