//! One connection to PostgreSQL: its own small runtime, its prepared statements, its open transaction.
//!
//! Statements of a batch are sent together and answered together. The transaction begins with the first statement, in the
//! same round trip; and a change whose answer nobody needs travels with whatever comes after it, be it the end.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::{join_all, join3};
use pagesmith_model::Result;
use tokio::runtime::Runtime;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Statement};

use crate::fault::Fault;
use crate::row::Row;
use crate::sql::{Dialect, Query, dialect};
use crate::verb::Verb;

#[cfg(test)]
pub(crate) mod fake_server;
mod plans;
mod pooler;
mod refusal;
pub(crate) mod servers;
mod tls;
mod wire;

use servers::Servers;
use wire::Notices;

/// So many statements travel together.
const BATCH: usize = 64;
/// Of so many futures `join_all` keeps the order in which they are first polled; of more it does not.
const ORDERED: usize = 16;
/// How much longer than a statement may take its answer is waited for: the server's own limit gives the better message.
const ANSWER: Duration = Duration::from_secs(5);
/// How long what is asked beside a server may take.
pub(crate) const ASIDE: Duration = Duration::from_secs(15);
/// How long a step of a migration may take.
const MIGRATION: Duration = Duration::from_secs(6 * 3600);
/// How to plan: every statement is written for an index of one tenant, and so is every join. What the planner knows about all tenants
/// misleads it about one (it would rather read a million persons than the few that are fresh, and merge or hash all versions for the
/// twenty audiences of a list), a plan made for certain values is no better than one for all (and planning again at each call made a list
/// take half as long again), compiling takes longer than running.
const SETTINGS: &str = "SET idle_in_transaction_session_timeout = '30s'; \
                        SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; \
                        SET max_parallel_workers_per_gather = 0; SET jit = off; ";
/// The limits: who waits for a lock is told so before the statement's time is over.
fn limits(time_limit: Duration) -> String {
    let millis = time_limit.as_millis().max(2);
    format!("SET statement_timeout = {millis}; SET lock_timeout = {}; ", (millis / 2).min(10_000))
}

pub(crate) struct Session {
    client: Client,
    notices: Notices,
    /// Whether tenants' rows lie on several nodes, so that a transaction for several tenants would have to be committed on each.
    pub(crate) is_cluster: bool,
    statements: HashMap<String, Prepared>,
    /// Whose turn it is in a sharded counter.
    pub(crate) shard: i64,
    transaction: Transaction,
    /// Changes of the transaction that are still to be sent.
    changes: Vec<(Prepared, Query)>,
    /// How long a transaction may take, and until when the present one may begin statements.
    time_limit: Duration,
    until: Option<Instant>,
    answer_limit: Duration,
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
    /// There is one statement at most, which is one by itself.
    OfOne,
}

impl Session {
    /// Connects; the shard tells its transactions from those of other connections.
    pub(crate) fn connect(servers: &Servers, shard: i64, time_limit: Duration) -> Result<Session, Fault> {
        let settings = limits(time_limit) + SETTINGS;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Fault::Unavailable(error.to_string()))?;
        let (client, notices) = runtime.block_on(servers.connect(&settings))?;
        let (statements, transaction, changes) = (HashMap::new(), Transaction::None, vec![]);
        let (answer_limit, until) = (time_limit + ANSWER, None);
        Ok(Session {
            client,
            notices,
            is_cluster: servers.is_cluster(),
            statements,
            shard,
            transaction,
            changes,
            time_limit,
            until,
            answer_limit,
            runtime,
        })
    }

    /// Begins a transaction that may take hours: a migration may wait for another one, and rebuild a table.
    pub(crate) fn begin_migration(&mut self, lock: i64) -> Result<(), Fault> {
        self.answer_limit = MIGRATION;
        // What is read after a wait has to show what the other migrator has committed.
        self.execute("BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")?;
        self.execute(&format!("SELECT pg_advisory_xact_lock({lock})"))
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    pub(crate) fn begin_lazily(&mut self, verb: Verb) {
        self.transaction = if verb == Verb::Single { Transaction::OfOne } else { Transaction::Due(verb) };
        self.until = Some(Instant::now() + self.time_limit);
        // Those of a transaction that was refused.
        self.changes.clear();
    }

    pub(crate) fn commit(&mut self) -> Result<(), Fault> {
        // Without a statement and without a change it was never begun.
        let has_work = self.transaction == Transaction::Open || !self.changes.is_empty();
        let front = self.take_front();
        self.transaction = Transaction::None;
        if !has_work {
            return Ok(());
        }
        // Those of statements before do not count.
        self.notices.take();
        let commit = front.send(&self.client, self.client.batch_execute("COMMIT"));
        let committed = self.runtime.block_on(in_time(self.answer_limit, commit))?;
        let committed = committed.map_err(|unwanted| self.unwanted(unwanted))?;
        committed.map_err(|error| wire::failed_commit(&error, &self.notices.take()))
    }

    pub(crate) fn rollback(&mut self) -> Result<(), Fault> {
        let open = self.transaction == Transaction::Open;
        self.transaction = Transaction::None;
        if open { self.execute("ROLLBACK") } else { Ok(()) }
    }

    /// Runs text that takes no values, outside the bookkeeping of transactions.
    pub(crate) fn execute(&mut self, text: &str) -> Result<(), Fault> {
        let answer = self.client.batch_execute(text);
        self.runtime.block_on(in_time(self.answer_limit, answer))?.map_err(|error| wire::fault(&error))
    }

    /// Lets the connection's runtime carry out what is not a statement with an answer, outside the bookkeeping of transactions.
    pub(crate) fn with_client<T>(
        &mut self,
        work: impl AsyncFnOnce(&Client) -> Result<T, tokio_postgres::Error>,
    ) -> Result<T, Fault> {
        let done = in_time(self.answer_limit, work(&self.client));
        self.runtime.block_on(done)?.map_err(|error| wire::fault(&error))
    }

    pub(crate) fn run(&mut self, query: &Query) -> Result<u64> {
        crate::sql::record(query, Dialect::Postgres);
        let prepared = self.prepared(query)?;
        let values = parameters(query);
        let front = self.take_front();
        let answer = self.client.execute(&prepared.statement, &values);
        let touched = self.runtime.block_on(in_time(self.answer_limit, front.send(&self.client, answer)))?;
        let touched = touched.map_err(|unwanted| self.unwanted(unwanted))?;
        Ok(touched.map_err(|error| self.failed(&error, query))?)
    }

    /// Lets a change of the transaction be made with whatever comes next. A constraint that it violates counts as a race that is lost.
    pub(crate) fn change(&mut self, query: Query) -> Result<()> {
        crate::sql::record(&query, Dialect::Postgres);
        let prepared = self.prepared(&query)?;
        self.changes.push((prepared, query));
        if self.changes.len() == ORDERED {
            self.batch_of(&[])?;
        }
        Ok(())
    }

    pub(crate) fn batch(&mut self, queries: &[Query]) -> Result<Vec<Vec<Row>>> {
        let mut all = Vec::with_capacity(queries.len());
        for some in queries.chunks(BATCH) {
            all.extend(self.batch_of(some)?);
        }
        Ok(all)
    }

    /// In one round trip, at most [`BATCH`].
    fn batch_of(&mut self, queries: &[Query]) -> Result<Vec<Vec<Row>>> {
        let mut prepared = Vec::with_capacity(queries.len());
        for query in queries {
            crate::sql::record(query, Dialect::Postgres);
            prepared.push(self.prepared(query)?);
        }
        let values: Vec<_> = queries.iter().map(parameters).collect();
        let front = self.take_front();
        let mut answers = prepared
            .iter()
            .zip(&values)
            .zip(queries)
            .map(|((prepared, values), query)| {
                wire::rows(&self.client, &prepared.statement, values, query.most_bytes, &prepared.names)
            })
            .collect::<Vec<_>>();
        let mut parts = Vec::with_capacity(answers.len().div_ceil(ORDERED));
        while !answers.is_empty() {
            let later = answers.split_off(answers.len().min(ORDERED));
            parts.push(join_all(std::mem::replace(&mut answers, later)));
        }
        let answers = front.send(&self.client, join_all(parts));
        let answers = self
            .runtime
            .block_on(in_time(self.answer_limit, answers))?
            .map_err(|unwanted| self.unwanted(unwanted))?;
        let mut all = Vec::with_capacity(queries.len());
        for (answer, query) in answers.into_iter().flatten().zip(queries) {
            all.push(answer.map_err(|error| self.failed(&error, query))??);
        }
        Ok(all)
    }

    /// What it means that something in front of a statement was refused.
    fn unwanted(&self, (error, change): Unwanted) -> Fault {
        let Some(change) = change else {
            return match wire::fault(&error) {
                // Only a standby cannot begin a transaction.
                Fault::Defect(why) => Fault::Lost(why),
                fault => fault,
            };
        };
        match self.failed(&error, &change) {
            Fault::Constraint(name) => Fault::Retry(format!("violates {name}")),
            fault => fault,
        }
    }

    fn failed(&self, error: &tokio_postgres::Error, query: &Query) -> Fault {
        match wire::fault(error) {
            Fault::Defect(why) => {
                Fault::Defect(format!("{why} in {} ({:?})", query.text, query.locations.as_slice()))
            }
            fault if self.client.is_closed() && !matches!(fault, Fault::Lost(_)) => {
                Fault::Lost(fault.to_string())
            }
            fault => fault,
        }
    }

    /// The statement of a text, asked for once per connection.
    fn prepared(&mut self, query: &Query) -> Result<Prepared> {
        if self.until.is_some_and(|until| until <= Instant::now()) {
            return Err(Fault::TooLong("its transaction has used up its time".to_owned()).into());
        }
        if let Some(prepared) = self.statements.get(query.text.as_ref()) {
            return Ok(prepared.clone());
        }
        let text = dialect(&query.text, Dialect::Postgres);
        let statement = self.runtime.block_on(in_time(self.answer_limit, self.client.prepare(&text)))?;
        let statement = statement.map_err(|error| self.failed(&error, query))?;
        let names = statement.columns().iter().map(|column| column.name().to_owned()).collect();
        let prepared = Prepared { statement, names };
        self.statements.insert(query.text.clone().into_owned(), prepared.clone());
        Ok(prepared)
    }

    /// What the next statement has in front of it.
    fn take_front(&mut self) -> Front {
        let mut begin = None;
        if let Transaction::Due(verb) = self.transaction {
            self.transaction = Transaction::Open;
            begin = Some(match verb {
                Verb::Read | Verb::Single | Verb::Search => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                Verb::Write => "BEGIN ISOLATION LEVEL SERIALIZABLE",
                Verb::Claim => "BEGIN ISOLATION LEVEL READ COMMITTED",
            });
        }
        Front { begin, changes: std::mem::take(&mut self.changes) }
    }
}

/// What is sent in front of a statement, in the same round trip.
struct Front {
    begin: Option<&'static str>,
    changes: Vec<(Prepared, Query)>,
}

/// Why nothing came of a statement: BEGIN or a change in front of it was refused.
type Unwanted = (tokio_postgres::Error, Option<Query>);

impl Front {
    /// Sends all of it with the statement; the statement's answer counts unless something in front of it failed.
    async fn send<T>(self, client: &Client, answer: impl Future<Output = T>) -> Result<T, Unwanted> {
        let begun = async {
            match self.begin {
                Some(begin) => client.batch_execute(begin).await,
                None => Ok(()),
            }
        };
        let values: Vec<_> = self.changes.iter().map(|(_, change)| parameters(change)).collect();
        let changes = self.changes.iter().zip(&values);
        let changed = changes.map(|((prepared, _), values)| client.execute(&prepared.statement, values));
        // `join` polls in order, and each request is sent when it is first polled.
        let (begun, changed, answer) = join3(begun, join_all(changed), answer).await;
        begun.map_err(|error| (error, None))?;
        for (changed, (_, change)) in changed.into_iter().zip(&self.changes) {
            changed.map_err(|error| (error, Some(change.clone())))?;
        }
        Ok(answer)
    }
}

fn parameters(query: &Query) -> Vec<&(dyn ToSql + Sync)> {
    query.values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

async fn in_time<F: Future>(answer_limit: Duration, answer: F) -> Result<F::Output, Fault> {
    let answer = tokio::time::timeout(answer_limit, answer).await;
    answer.map_err(|_| Fault::Lost(format!("no answer within {} seconds", answer_limit.as_secs())))
}
