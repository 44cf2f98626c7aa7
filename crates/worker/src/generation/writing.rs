//! Who writes a version: the template, or the model of its tenant for as long as the month's budget lasts.
//!
//! What this is not: the last word to the database. Invariant: whoever writes, somebody looks up at every beat, so that a version which is
//! called off is left within two seconds, and nobody is waited for longer than allowed.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use pagesmith_agent::{AgentError, Draft, Fault, PageAgent};
use pagesmith_model::agent::{AgentKind, AgentSettings, Prices, Used};
use pagesmith_model::brief::Brief;
use pagesmith_model::{RequestId, Result, Timestamp};
use pagesmith_operations::agent::usages::Tally;
use pagesmith_operations::agent::{ModelOwner, Writer};
use pagesmith_operations::versions::generations::{self, Claimed};
use pagesmith_store::tables::versions::generations::QueuedVersion;
use tokio::sync::watch;

use super::notes::Notes;
use crate::tools::Tools;
use crate::tools::generation::metrics::TryEnd;
use crate::tools::generation::models::MOST_TOKENS;

/// After which time a lease is renewed even if there is nothing to note.
const RENEWED: Duration = Duration::from_secs(5);
/// What is noted where the template had to write.
const SPENT: &str = "The tenant's budget for models is used up this month, so the template wrote.";

/// What is noted where the key of the tenant's model cannot be read.
const LOCKED: &str = "The key of the tenant's model was sealed under a server key that is gone, so no model wrote: an operator has to set it again (`pagesmith tenant agent --key-file`).";

/// How the writing ended.
pub(super) enum WritingEnd {
    Written(Result<Draft, AgentError>),
    /// The version is no longer this worker's.
    Lost,
    /// The process stops.
    Stopped,
}

/// One try at writing: what for, and what is known of it.
pub(super) struct Try<'a> {
    tools: &'a Tools,
    claimed: &'a Claimed,
    brief: &'a Brief,
    stop: watch::Receiver<bool>,
    notes: Notes,
    begun: Timestamp,
    /// Who wrote last.
    kind: AgentKind,
    model: Option<String>,
    prices: Prices,
    problem: Option<String>,
    /// Whose model was asked.
    owner: Option<ModelOwner>,
}

impl<'a> Try<'a> {
    pub(super) fn new(
        tools: &'a Tools,
        claimed: &'a Claimed,
        brief: &'a Brief,
        stop: watch::Receiver<bool>,
    ) -> Try<'a> {
        Try {
            tools,
            claimed,
            brief,
            stop,
            notes: Notes::default(),
            begun: tools.platform.clock().now(),
            kind: AgentKind::Template,
            model: None,
            prices: Prices::default(),
            problem: None,
            owner: None,
        }
    }

    /// Lets whoever is to write do so.
    pub(super) async fn run(&mut self, writer: &Writer) -> WritingEnd {
        match writer {
            Writer::Template => self.by_template().await,
            Writer::Spent => self.instead(SPENT.to_owned()).await,
            Writer::Locked => WritingEnd::Written(Err(AgentError::permanent(LOCKED))),
            Writer::Model { settings, left, owner } => {
                let models = &self.tools.generation.models;
                let agent = models.agent(settings, left.unwrap_or(u64::MAX));
                self.kind = settings.kind;
                self.model = Some(settings.model.clone());
                self.prices = settings.prices;
                self.owner = Some(owner.clone());
                let ended = self.by(&agent, Some(models.time_limit)).await;
                let Some(left) = left.filter(|left| *left < MOST_TOKENS) else { return ended };
                match &ended {
                    WritingEnd::Written(Err(AgentError { fault: Fault::Budget, .. })) => {
                        self.instead(SPENT.to_owned()).await
                    }
                    WritingEnd::Written(Err(AgentError { fault: Fault::TooLittle(needed), .. })) => {
                        self.instead(too_little(settings, left, *needed)).await
                    }
                    _ => ended,
                }
            }
        }
    }

    /// Who asked for a page gets one, although no model may be asked.
    async fn instead(&mut self, problem: String) -> WritingEnd {
        let QueuedVersion { tenant, version_id, request_id, .. } = &self.claimed.of;
        let (tenant, version) = (tenant.as_str(), version_id.as_str());
        let request_id = request_id.as_ref().map(RequestId::as_str);
        tracing::warn!(tenant, version, request_id, "{problem}");
        self.problem = Some(problem);
        self.by_template().await
    }

    async fn by_template(&mut self) -> WritingEnd {
        self.kind = AgentKind::Template;
        self.model = None;
        let tools = self.tools;
        self.by(&*tools.generation.agent, None).await
    }

    /// Lets an agent write, and looks up at every beat.
    async fn by(&mut self, agent: &dyn PageAgent, time_limit: Option<Duration>) -> WritingEnd {
        let (tools, brief, notes) = (self.tools, self.brief, &self.notes);
        let writing = AssertUnwindSafe(async { agent.write(brief, notes).await }).catch_unwind();
        tokio::pin!(writing);
        let mut renewed = tools.platform.clock().now();
        loop {
            tokio::select! {
                biased;
                written = &mut writing => {
                    let panicked = |_| Err(AgentError::retry(None, "The agent panicked."));
                    return WritingEnd::Written(written.unwrap_or_else(panicked));
                }
                () = stopped(&mut self.stop) => return WritingEnd::Stopped,
                () = tools.generation.heartbeat.next() => {
                    match look_up(tools, self.claimed, brief, notes, &mut renewed).await {
                        Ok(true) => {}
                        Ok(false) => return WritingEnd::Lost,
                        // The lease lasts longer than most outages.
                        Err(error) => {
                            let version = self.claimed.of.version_id.as_str();
                            let request_id = self.claimed.of.request_id.as_ref().map(RequestId::as_str);
                            tracing::warn!(version, request_id, %error, "the lease and the brief could not be checked");
                        }
                    }
                    if time_limit.is_some_and(|time_limit| tools.platform.clock().now().since(self.begun) >= time_limit) {
                        let message = "The model did not finish in time.";
                        return WritingEnd::Written(Err(AgentError::retry(None, message)));
                    }
                }
            }
        }
    }

    /// Whose model was asked, if one was.
    pub(super) fn owner(&self) -> Option<&ModelOwner> {
        self.owner.as_ref()
    }

    fn used(&self) -> Used {
        let usage = self.notes.used();
        Used {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cost: self.prices.cost(usage.input_tokens, usage.output_tokens),
        }
    }

    /// Measures the try; as one of a model too, if a model was to write.
    pub(super) fn measure(&self, end: TryEnd) {
        let is_spent = self.problem.is_some();
        let took = self.tools.platform.clock().now().since(self.begun);
        self.tools.generation.metrics.tried(self.kind != AgentKind::Template, end, took);
        for found in self.notes.take_found() {
            self.tools.generation.metrics.found(found.author, found.answer, &found.rules);
        }
        if self.owner.is_some() || is_spent {
            let end = if is_spent && end == TryEnd::Written { TryEnd::Spent } else { end };
            self.tools.generation.models.metrics.tried(end, took, &self.used());
        }
    }

    /// What the try came to, if there is anything to note; `failure` is why it failed, and `noted` whether something was noted of an
    /// earlier one.
    pub(super) fn tally(&self, failure: Option<&AgentError>, noted: bool) -> Option<Tally> {
        let used = self.used();
        let problem = failure.map(|error| error.message.clone()).or_else(|| self.problem.clone());
        let is_news = noted || self.owner.is_some() || problem.is_some() || used != Used::default();
        is_news.then(|| Tally { kind: self.kind, model: self.model.clone(), used, problem })
    }
}

/// What is noted where so many tokens are left for the month, and a page takes more.
fn too_little(settings: &AgentSettings, left: u64, needed: u64) -> String {
    let whole = settings.budget.left(&Used::default(), &settings.prices).unwrap_or(u64::MAX);
    if whole < needed {
        return format!(
            "The tenant's budget for models, {}, is smaller than what one page takes (at least {needed} tokens), so no model was asked and the template wrote.",
            settings.budget.shown(&settings.prices)
        );
    }
    format!(
        "What is left of the tenant's budget for models this month, {left} tokens, is less than what one page takes (at least {needed}), so the template wrote."
    )
}

/// Waits until the process stops.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    // Without a sender nobody would ever say so: then it has stopped.
    drop(stop.wait_for(|stop| *stop).await);
}

/// Notes how far the work is, and tells whether it is still wanted.
async fn look_up(
    tools: &Tools,
    claimed: &Claimed,
    brief: &Brief,
    notes: &Notes,
    renewed: &mut Timestamp,
) -> Result<bool> {
    let now = tools.platform.clock().now();
    let claimed = claimed.clone();
    let context = tools.context();
    let changed = notes.take(|content| generations::ready(&context, content, &brief.actions).ok());
    if changed.is_none() && now.since(*renewed) < RENEWED {
        return tools.store.point_read(move |tx| generations::is_held(tx, &claimed)).await;
    }
    *renewed = now;
    let note = changed.unwrap_or_else(|| notes.present());
    tools.store.claim(move |tx| generations::renew(tx, &claimed, &note, now)).await
}
