//! Lookups share statements: whoever wants a row of a tenant when a statement is sent gets it by that one.
//!
//! The callers who wait for rows of one tenant by one [`Lookup`](crate::Lookup) are a group. A group has at most one job in the
//! queue of the connections; when a connection takes that job, the job takes the callers who wait by then, and its statement is sent
//! afterwards. So a caller sees everything that was committed before it asked. Callers of different tenants never share a statement.
//!
//! Invariants:
//!
//! * Each caller is answered once: with its row, with nothing, or with an error.
//! * While callers wait, a job of their group is queued or running, and the end of one queues the next.
//! * At most [`RUNNING`] statements of a group run at once. Fewer statements with more callers cost less.
//! * At most `most` callers wait, and those of one group are no more than there is room left for others.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pagesmith_model::{Error, Result, TenantId};
use tokio::sync::oneshot;

use crate::engine::worker_pool::too_much;
use crate::fair::Flow;
use crate::fault;
use crate::job::{Job, JobOutcome, Spans, panic_text};
use crate::lookup;
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::value::Value;
use crate::verb::Verb;

/// How many statements of a group run at once: while one is answered, another may be sent.
const RUNNING: usize = 2;

pub(crate) type Answer = Result<Option<Row>>;

/// A statement and the tenant that it is for.
#[derive(Debug, Clone)]
struct Subject {
    select: Sql,
    at_once: usize,
    tenant: TenantId,
}

/// What tells groups apart: the tenant, and where the statement is in the source.
type GroupKey = (TenantId, &'static str);

impl Subject {
    fn key(&self) -> GroupKey {
        (self.tenant.clone(), self.select.location)
    }
}

/// Somebody who wants a row: where the answer goes, and what a trace shows of the wait for it.
struct Caller {
    reply: oneshot::Sender<Answer>,
    spans: Spans,
}

/// Callers with the id that each wants, oldest first.
type Callers = Vec<(Box<str>, Caller)>;

impl Caller {
    /// Its spans end before it has the answer, so that they end within those of whoever asked.
    fn answer(self, answer: Answer) {
        let Caller { reply, spans } = self;
        drop(spans);
        drop(reply.send(answer));
    }
}

#[derive(Default)]
struct Group {
    waiting: Callers,
    /// Whether a job is queued that will take some of them.
    is_queued: bool,
    running: usize,
}

#[derive(Default)]
struct State {
    groups: HashMap<GroupKey, Group>,
    waiting: usize,
}

/// Everyone who waits for a row.
struct Lookups {
    state: Mutex<State>,
    most: usize,
}

impl Lookups {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a caller wait; whether a job must be queued for its group.
    fn wait(&self, key: GroupKey, id: &str, caller: Caller) -> Result<bool> {
        let mut state = self.state();
        let own = state.groups.get(&key).map_or(0, |group| group.waiting.len());
        if own >= self.most.saturating_sub(state.waiting) {
            return Err(too_much());
        }
        let group = state.groups.entry(key).or_default();
        group.waiting.push((id.into(), caller));
        let must_queue = group.must_queue();
        state.waiting += 1;
        Ok(must_queue)
    }

    /// A job begins: at most so many of those who wait, and still want an answer.
    fn take(&self, key: &GroupKey, most: usize) -> Callers {
        let mut state = self.state();
        let Some(group) = state.groups.get_mut(key) else { return vec![] };
        (group.is_queued, group.running) = (false, group.running + 1);
        let before = group.waiting.len();
        group.waiting.retain(|(_, caller)| !caller.reply.is_closed());
        let rest = group.waiting.split_off(group.waiting.len().min(most));
        let taken = std::mem::replace(&mut group.waiting, rest);
        let left = before - group.waiting.len();
        state.waiting -= left;
        taken
    }

    /// A job has ended; whether another one must be queued.
    fn end(&self, key: &GroupKey) -> bool {
        let mut state = self.state();
        let Some(group) = state.groups.get_mut(key) else { return false };
        group.running -= 1;
        let must_queue = group.must_queue();
        state.drop_idle(key);
        must_queue
    }

    /// A job that was queued will not run: those who wait for it.
    fn refuse(&self, key: &GroupKey) -> Callers {
        let mut state = self.state();
        let Some(group) = state.groups.get_mut(key) else { return vec![] };
        group.is_queued = false;
        let taken = std::mem::take(&mut group.waiting);
        state.waiting -= taken.len();
        state.drop_idle(key);
        taken
    }
}

impl Group {
    /// Whether a job must be queued, which then counts as queued.
    fn must_queue(&mut self) -> bool {
        let must = !self.is_queued && self.running < RUNNING && !self.waiting.is_empty();
        self.is_queued |= must;
        must
    }
}

impl State {
    fn drop_idle(&mut self, key: &GroupKey) {
        if self
            .groups
            .get(key)
            .is_some_and(|group| group.waiting.is_empty() && !group.is_queued && group.running == 0)
        {
            self.groups.remove(key);
        }
    }
}

/// How a job gets into the queue of the connections.
type Submit = Arc<dyn Fn(Box<dyn Job>) -> Result<()> + Send + Sync>;

/// The lookups, and the way to the connections that carry them out.
#[derive(Clone)]
pub(crate) struct SharedLookups {
    lookups: Arc<Lookups>,
    submit: Submit,
}

impl SharedLookups {
    /// Lookups of which at most this many wait.
    pub(super) fn new(submit: Submit, most: usize) -> SharedLookups {
        SharedLookups { lookups: Arc::new(Lookups { state: Mutex::default(), most }), submit }
    }

    /// The row with this id, by a statement that is sent after now.
    pub(crate) fn find(
        &self,
        (select, at_once): (Sql, usize),
        tenant: &TenantId,
        id: &str,
    ) -> Result<oneshot::Receiver<Answer>> {
        let subject = Subject { select, at_once, tenant: tenant.clone() };
        let (reply, answer) = oneshot::channel();
        let caller = Caller { reply, spans: Spans::begin(Verb::Single) };
        if self.lookups.wait(subject.key(), id, caller)? {
            self.queue(subject);
        }
        Ok(answer)
    }

    fn queue(&self, subject: Subject) {
        let key = subject.key();
        let job = SharedLookup { shared: self.clone(), subject, callers: None, answer: Ok(HashMap::new()) };
        if let Err(error) = (self.submit)(Box::new(job)) {
            refuse_all(self.lookups.refuse(&key), &error);
        }
    }
}

/// A statement for several callers.
struct SharedLookup {
    shared: SharedLookups,
    subject: Subject,
    /// Those who get an answer, by the ids; nobody before it begins.
    callers: Option<BTreeMap<Box<str>, Vec<Caller>>>,
    answer: Result<HashMap<String, Row>>,
}

impl SharedLookup {
    fn statement(&self, tx: &mut Tx<'_>) -> Result<HashMap<String, Row>> {
        let ids = self.callers.iter().flatten().map(|(id, _)| Value::from(&**id)).collect::<Vec<_>>();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let rows = tx.all(lookup::query(self.subject.select, &self.subject.tenant, ids.into_iter()))?;
        rows.into_iter().map(|row| Ok((row.take("id")?, row))).collect()
    }
}

impl Job for SharedLookup {
    fn verb(&self) -> Verb {
        Verb::Single
    }

    fn flow(&self) -> Flow {
        Flow::of(&self.subject.tenant)
    }

    /// Before it begins somebody may still come who wants an answer.
    fn is_abandoned(&self) -> bool {
        self.callers
            .as_ref()
            .is_some_and(|callers| callers.values().flatten().all(|caller| caller.reply.is_closed()))
    }

    fn run(&mut self, tx: &mut Tx<'_>) -> JobOutcome {
        let (shared, subject) = (&self.shared, &self.subject);
        // Those whom an attempt before has taken are still to be answered.
        let callers = self.callers.get_or_insert_with(|| {
            let mut by_id = BTreeMap::<_, Vec<_>>::new();
            for (id, caller) in shared.lookups.take(&subject.key(), subject.at_once) {
                by_id.entry(id).or_default().push(caller);
            }
            by_id
        });
        // All callers share the statement: it is a span below that of each of them.
        for caller in callers.values_mut().flatten() {
            drop(caller.spans.run(Verb::Single));
        }
        self.answer = catch_unwind(AssertUnwindSafe(|| self.statement(tx)))
            .unwrap_or_else(|panic| Err(Error::internal(panic_text(&*panic))));
        self.answer.as_ref().map_or_else(JobOutcome::of, |_| JobOutcome::Done)
    }

    fn finish(self: Box<Self>, instead: Option<Error>) {
        let SharedLookup { shared, subject, callers, answer } = *self;
        let key = subject.key();
        let answer = instead.map_or(answer, Err);
        let Some(callers) = callers else {
            let error = answer.err().unwrap_or_else(|| Error::internal("a lookup ended before it ran"));
            return refuse_all(shared.lookups.refuse(&key), &error);
        };
        // Before the answers: who has one may come again at once.
        if shared.lookups.end(&key) {
            shared.queue(subject);
        }
        match answer {
            Ok(mut rows) => {
                for (id, callers) in callers {
                    let row = rows.remove(&*id);
                    // A caller that has gone needs no answer.
                    callers.into_iter().for_each(|caller| caller.answer(Ok(row.clone())));
                }
            }
            Err(error) => {
                let callers = callers.into_values().flatten();
                callers.for_each(|caller| caller.answer(Err(same(&error))));
            }
        }
    }
}

fn refuse_all(callers: Callers, error: &Error) {
    callers.into_iter().for_each(|(_, caller)| caller.answer(Err(same(error))));
}

/// The same error, for another caller.
fn same(error: &Error) -> Error {
    match fault::of(error) {
        Some(fault) => Error::new(error.kind().clone(), error.detail()).caused_by(fault.clone()),
        None => Error::new(error.kind().clone(), error.detail()).caused_by(error.to_string()),
    }
}

#[cfg(test)]
mod tests;
