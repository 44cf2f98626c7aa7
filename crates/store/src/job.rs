//! A closure on its way through an engine and back to the task that waits for it.
//!
//! A job runs inside a transaction, perhaps more than once, keeps its result, and hands it over only when the engine says what became of
//! the transaction. A panic inside is caught and becomes an error of that job alone.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use pagesmith_model::{Error, Result};
use tokio::sync::oneshot;
use tracing::Span;

use crate::fair::Flow;
use crate::fault::{self, Fault};
use crate::tx::Tx;
use crate::verb::Verb;
use crate::wakeup::{Wakeup, Wakeups};

/// What a run of the closure came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum JobOutcome {
    /// To be committed.
    Done,
    /// To be rolled back.
    Refused,
    /// To be rolled back and run again.
    Again,
    /// The connection is gone before anything was committed.
    Lost,
}

impl JobOutcome {
    /// What it means for a transaction that its work failed so.
    pub(crate) fn of(error: &Error) -> JobOutcome {
        match fault::of(error) {
            Some(Fault::Retry(_)) => JobOutcome::Again,
            Some(Fault::Lost(_)) => JobOutcome::Lost,
            _ => JobOutcome::Refused,
        }
    }
}

pub(crate) trait Job: Send {
    fn verb(&self) -> Verb;
    /// For whom it is done.
    fn flow(&self) -> Flow;
    /// Whether nobody waits for it any more.
    fn is_abandoned(&self) -> bool;
    fn run(&mut self, tx: &mut Tx<'_>) -> JobOutcome;
    /// Hands over the result, or `instead` if the transaction did not end as the closure meant.
    fn finish(self: Box<Self>, instead: Option<Error>);
}

pub(crate) struct Closure<T, F> {
    verb: Verb,
    flow: Flow,
    run: F,
    result: Option<Result<T>>,
    reply: oneshot::Sender<Result<T>>,
    /// Notified after the commit, for the wake-ups that the closure requested.
    wakeups: Arc<Wakeups>,
    requested: Vec<Wakeup>,
    spans: Spans,
}

/// What a trace shows of a job: its wait and its transaction, both below whoever asked for it, though they end on other threads.
pub(crate) struct Spans {
    caller: Span,
    wait: Span,
    transaction: Span,
}

impl Spans {
    /// The wait begins, below the span of whoever calls this.
    pub(crate) fn begin(verb: Verb) -> Spans {
        let wait = tracing::info_span!(target: "span", "database.queue", verb = verb.name());
        // Where nobody collects spans, none is looked for.
        let caller = if wait.is_disabled() { Span::none() } else { Span::current() };
        Spans { caller, wait, transaction: Span::none() }
    }

    /// The transaction begins, perhaps once more.
    pub(crate) fn run(&mut self, verb: Verb) -> Span {
        self.wait = Span::none();
        let parent = &self.caller;
        self.transaction =
            tracing::info_span!(target: "span", parent: parent, "database.transaction", verb = verb.name());
        self.transaction.clone()
    }
}

impl<T, F> Closure<T, F>
where
    T: Send + 'static,
    F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
{
    pub(crate) fn boxed(
        (verb, flow): (Verb, Flow),
        run: F,
        wakeups: Arc<Wakeups>,
    ) -> (Box<dyn Job>, oneshot::Receiver<Result<T>>) {
        let (reply, receiver) = oneshot::channel();
        (
            Box::new(Closure {
                verb,
                flow,
                run,
                result: None,
                reply,
                wakeups,
                requested: vec![],
                spans: Spans::begin(verb),
            }),
            receiver,
        )
    }
}

impl<T, F> Job for Closure<T, F>
where
    T: Send + 'static,
    F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
{
    fn verb(&self) -> Verb {
        self.verb
    }

    fn flow(&self) -> Flow {
        self.flow
    }

    fn is_abandoned(&self) -> bool {
        self.reply.is_closed()
    }

    fn run(&mut self, tx: &mut Tx<'_>) -> JobOutcome {
        let _running = self.spans.run(self.verb).entered();
        let mut result = catch_unwind(AssertUnwindSafe(|| (self.run)(tx)))
            .unwrap_or_else(|panic| Err(Error::internal(panic_text(&*panic))));
        if result.is_ok() && tx.has_failed() {
            result = Err(Error::internal("a statement failed and the transaction passed over it"));
        }
        let outcome = result.as_ref().map_or_else(JobOutcome::of, |_| JobOutcome::Done);
        self.requested = tx.take_wakeups();
        self.result = Some(result);
        outcome
    }

    fn finish(self: Box<Self>, instead: Option<Error>) {
        let Closure { run, result, reply, wakeups, requested, spans, .. } = *self;
        let result = match instead {
            Some(error) => Err(error),
            None => result.unwrap_or_else(|| Err(Error::internal("a job ended before it ran"))),
        };
        if result.is_ok() {
            requested.into_iter().for_each(|wakeup| wakeups.of(wakeup).notify_one());
        }
        // What the closure holds is let go before its caller goes on: the caller may come again at once and want it.
        let Spans { wait, transaction, .. } = spans;
        drop((run, wait, transaction));
        // A caller that has gone needs no answer.
        drop(reply.send(result));
    }
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panic in a transaction: {}", text.unwrap_or_default())
}

#[cfg(test)]
pub(crate) mod tests;
