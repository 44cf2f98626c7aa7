//! A simulation of lookups with everything that can happen to a statement, in any order.

use std::cell::Cell;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::*;
use crate::connection::sqlite::{Connection, Mode};
use crate::fault::Fault;
use crate::job::tests::{note_spans, spans_below};
use crate::sql;
use crate::tx::Link;

/// `$1` comes back with each row, so that a row tells for whom it was read.
// only: sqlite
const SELECT: Sql = sql!("SELECT name AS id, revision, $1 AS tenant FROM revisions WHERE name IN (");

/// What happens next.
#[derive(Debug, Clone)]
enum Step {
    /// A caller of this tenant asks for this row.
    Ask(usize, u8),
    /// The caller that asked this many callers ago hangs up.
    HangUp(usize),
    /// A row changes.
    Change(u8),
    /// A connection takes a queued job and sends its statement.
    Send(usize),
    /// A statement that was sent ends like this.
    End(usize, End),
    /// A queued job is refused: the queue is full, or the database is away.
    Refuse(usize),
    /// From now on the queue takes jobs, or none.
    Accept(bool),
}

#[derive(Debug, Clone, Copy)]
enum End {
    Answered,
    /// The connection was lost and the statement is sent again.
    SentAgain,
    TookTooLong,
    /// The connection was lost again and again.
    GivenUp,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let end = prop_oneof![
        6 => Just(End::Answered),
        1 => Just(End::SentAgain),
        1 => Just(End::TookTooLong),
        1 => Just(End::GivenUp),
    ];
    let step = prop_oneof![
        8 => (0..3_usize, b'a'..=b'e').prop_map(|(tenant, name)| Step::Ask(tenant, name)),
        1 => (0..8_usize).prop_map(Step::HangUp),
        2 => (b'a'..=b'd').prop_map(Step::Change),
        4 => (0..4_usize).prop_map(Step::Send),
        4 => (0..4_usize, end).prop_map(|(at, end)| Step::End(at, end)),
        1 => (0..4_usize).prop_map(Step::Refuse),
        1 => prop_oneof![3 => Just(true), 1 => Just(false)].prop_map(Step::Accept),
    ];
    prop::collection::vec(step, 0..120)
}

/// A caller that has asked: for whom and for what, and how the row was when it did.
struct Caller {
    tenant: TenantId,
    name: String,
    revision: i64,
    answer: Option<oneshot::Receiver<Answer>>,
}

/// How much waits at most: so little that it happens.
const MOST: usize = 12;
/// How many rows a statement may answer.
const AT_ONCE: usize = 3;

#[derive(Default)]
struct Queue {
    jobs: Vec<Box<dyn Job>>,
    is_full: bool,
}

struct Simulation<'a> {
    connection: &'a Connection,
    lookups: SharedLookups,
    queue: Arc<Mutex<Queue>>,
    sent: Vec<Box<dyn Job>>,
    callers: Vec<Caller>,
}

fn tenant(number: usize) -> TenantId {
    TenantId::parse(&format!("tenant_0000000000000000000000000{number}")).unwrap()
}

impl Simulation<'_> {
    fn new(connection: &Connection) -> Simulation<'_> {
        let queue = Arc::<Mutex<Queue>>::default();
        let into = Arc::clone(&queue);
        let submit = move |job| {
            let mut queue = into.lock().unwrap();
            if queue.is_full {
                return Err(too_much());
            }
            queue.jobs.push(job);
            Ok(())
        };
        let lookups = SharedLookups::new(Arc::new(submit), MOST);
        Simulation { connection, lookups, queue, sent: vec![], callers: vec![] }
    }

    fn revision(&self, name: &str) -> i64 {
        let ask = "SELECT COALESCE(MAX(revision), 0) FROM revisions WHERE name = ?1";
        self.connection.raw().query_row(ask, [name], |row| row.get(0)).unwrap()
    }

    fn run(&self, job: &mut Box<dyn Job>) -> JobOutcome {
        job.run(&mut Tx::new(Link::Sqlite(self.connection)))
    }

    fn queued(&self, at: usize) -> Option<Box<dyn Job>> {
        let jobs = &mut self.queue.lock().unwrap().jobs;
        (!jobs.is_empty()).then(|| jobs.remove(at % jobs.len()))
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Ask(number, name) => {
                let (tenant, name) = (tenant(number), char::from(name).to_string());
                let revision = self.revision(&name);
                // Whoever is refused at once has its answer.
                if let Ok(answer) = self.lookups.find((SELECT, AT_ONCE), &tenant, &name) {
                    self.callers.push(Caller { tenant, name, revision, answer: Some(answer) });
                }
            }
            Step::HangUp(ago) => {
                if let Some(caller) = self.callers.iter_mut().rev().nth(ago) {
                    caller.answer = None;
                }
            }
            Step::Change(name) => {
                let change =
                    "INSERT INTO revisions VALUES (?1, 1) ON CONFLICT DO UPDATE SET revision = revision + 1";
                self.connection.raw().execute(change, [char::from(name).to_string()]).unwrap();
            }
            Step::Send(at) => {
                if let Some(mut job) = self.queued(at) {
                    assert_eq!(self.run(&mut job), JobOutcome::Done);
                    self.sent.push(job);
                }
            }
            Step::End(at, end) if !self.sent.is_empty() => {
                let mut job = self.sent.remove(at % self.sent.len());
                let fault = match end {
                    End::Answered => None,
                    End::SentAgain => {
                        self.run(&mut job);
                        None
                    }
                    End::TookTooLong => Some(Fault::TooLong(String::new())),
                    End::GivenUp => Some(Fault::Lost(String::new())),
                };
                job.finish(fault.map(Error::from));
            }
            Step::Refuse(at) => {
                if let Some(job) = self.queued(at) {
                    job.finish(Some(too_much()));
                }
            }
            Step::Accept(accepts) => self.queue.lock().unwrap().is_full = !accepts,
            Step::End(..) => {}
        }
        let state = self.lookups.lookups.state();
        assert!(state.waiting <= MOST);
        assert_eq!(state.waiting, state.groups.values().map(|group| group.waiting.len()).sum::<usize>());
        for group in state.groups.values() {
            assert!(group.running <= RUNNING);
            assert!(group.waiting.is_empty() || group.is_queued || group.running > 0);
        }
    }

    /// Everything that is under way ends, and what comes of it.
    fn end(&mut self) {
        self.step(&Step::Accept(true));
        while !self.sent.is_empty() || !self.queue.lock().unwrap().jobs.is_empty() {
            self.step(&Step::Send(0));
            self.step(&Step::End(0, End::Answered));
        }
        assert!(self.lookups.lookups.state().groups.is_empty());
    }
}

#[test]
fn each_caller_is_answered_once_with_its_own_row_as_it_was_when_asked_or_later() {
    let folder = tempfile::tempdir().unwrap();
    let connection = Connection::open(&folder.path().join("test.db"), Mode::Write).unwrap();
    let table = "CREATE TABLE revisions (name TEXT PRIMARY KEY, revision BIGINT); PRAGMA synchronous = OFF";
    connection.raw().execute_batch(table).unwrap();
    let (answered, refused) = (Cell::new(0), Cell::new(0));
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(300) });
    let outcome = runner.run(&steps(), |steps| {
        let mut simulation = Simulation::new(&connection);
        steps.iter().for_each(|step| simulation.step(step));
        simulation.end();
        for caller in simulation.callers {
            let Some(mut answer) = caller.answer else { continue };
            match answer.try_recv() {
                Ok(Ok(row)) => {
                    let revision = row.as_ref().map_or(0, |row| row.get("revision").unwrap());
                    let of: Option<TenantId> = row.map(|row| row.get("tenant").unwrap());
                    prop_assert!(revision >= caller.revision, "{} of {}", revision, caller.revision);
                    prop_assert!(of.is_none_or(|of| of == caller.tenant));
                    prop_assert!(caller.name != "e" || revision == 0);
                    answered.set(answered.get() + 1);
                }
                Ok(Err(error)) => {
                    prop_assert!(matches!(error.kind(), pagesmith_model::Kind::Unavailable(_)));
                    refused.set(refused.get() + 1);
                }
                Err(error) => prop_assert!(false, "{}: {}", caller.name, error),
            }
        }
        Ok(())
    });
    outcome.unwrap();
    let (answered, refused) = (answered.get(), refused.get());
    assert!(answered > 1_000 && refused > 100, "{answered} answered, {refused} refused");
}

#[test]
fn wait_and_transaction_of_a_shared_statement_stand_below_each_who_asked() {
    let folder = tempfile::tempdir().unwrap();
    let connection = Connection::open(&folder.path().join("test.db"), Mode::Write).unwrap();
    connection
        .raw()
        .execute_batch("CREATE TABLE revisions (name TEXT PRIMARY KEY, revision BIGINT)")
        .unwrap();
    note_spans();
    let mut simulation = Simulation::new(&connection);
    for name in [b'a', b'b'] {
        let request = tracing::info_span!(target: "span", "request of lookups");
        request.in_scope(|| simulation.step(&Step::Ask(0, name)));
    }
    let (queue, transaction) = ("database.queue", "database.transaction");
    assert_eq!(spans_below("request of lookups"), [queue, queue]);
    simulation.step(&Step::Send(0));
    assert_eq!(spans_below("request of lookups"), [queue, queue, transaction, transaction]);
    // What is sent again is another transaction.
    simulation.step(&Step::End(0, End::SentAgain));
    assert_eq!(spans_below("request of lookups").len(), 6);
    simulation.end();
}
