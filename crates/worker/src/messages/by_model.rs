//! A message that the tenant's model carries out, as far as the month's budget goes.
//!
//! What is taken back is always taken back offline, because only that is exact. Where no model can be asked, or it ends without having done or
//! said anything, the offline editor carries the message out and says so. Invariant: somebody looks up at every beat, so that a message that is
//! interrupted is left within two seconds, and nobody is waited for longer than allowed.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use pagesmith_agent::llm::editing::{self, Edited, ModelEditor, Task};
use pagesmith_agent::{AgentError, Fault};
use pagesmith_editor::{Material, Reply, Request, Voice};
use pagesmith_model::agent::{AgentSettings, Used};
use pagesmith_model::brief::Brief;
use pagesmith_model::message::Role;
use pagesmith_model::{LeaseId, RequestId, Result};
use pagesmith_operations::agent::{ModelOwner, Writer};
use pagesmith_operations::messages::runs::{self, Claimed, StillClaimed, Turn};
use pagesmith_operations::messages::so_far::SoFar;
use pagesmith_operations::messages::usage::Attempt;
use tokio::sync::watch;

use super::notes::Notes;
use super::{computed, context, offline};
use crate::generation::{MOST_TOKENS_OF_MESSAGE, brief, known};
use crate::tools::Tools;

/// How long a model may take for one message, all in all.
pub const TIME_LIMIT: Duration = Duration::from_secs(90);

/// How a message ended.
pub(super) enum TurnEnd {
    /// With this answer.
    Answered(Box<Reply>),
    /// Its audience was archived.
    Archived,
    /// It is no longer this worker's.
    Lost,
    /// The process stops.
    Stopped,
}

/// How the model's part of it ended.
enum ModelOutcome {
    /// As it should, or with what it had done by then.
    Answered(Box<Reply>),
    /// Without anything.
    Failed(AgentError),
    /// It is not the model's any more.
    Over(TurnEnd),
}

/// One attempt to carry a message out.
pub(super) struct Try<'a> {
    tools: &'a Tools,
    claimed: &'a Claimed,
    turn: Box<Turn>,
    writer: Writer,
    notes: Notes,
    /// Its own id, by which its usage counts once.
    id: LeaseId,
}

impl<'a> Try<'a> {
    pub(super) fn new(
        tools: &'a Tools,
        claimed: &'a Claimed,
        turn: Box<Turn>,
        writer: Writer,
    ) -> Result<Try<'a>> {
        let id = LeaseId::mint(tools.context().uuid()?);
        Ok(Try { tools, claimed, turn, writer, notes: Notes::default(), id })
    }

    /// The message again.
    pub(super) fn into_turn(self) -> Box<Turn> {
        self.turn
    }

    /// What was used of the model, if it was asked.
    pub(super) fn attempt(&self) -> Option<Attempt> {
        let Writer::Model { settings, .. } = &self.writer else { return None };
        let usage = self.notes.used();
        let used = Used {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cost: settings.prices.cost(usage.input_tokens, usage.output_tokens),
        };
        Some(Attempt { id: self.id.clone(), kind: settings.kind, model: settings.model.clone(), used })
    }

    /// Carries the message out.
    pub(super) async fn run(&self, stop: &mut watch::Receiver<bool>) -> Result<TurnEnd> {
        let (brief, without) = self.prepared().await?;
        if without.took_back > 0 && without.understood {
            return Ok(TurnEnd::Answered(Box::new(without)));
        }
        let (settings, left, owner) = match &self.writer {
            Writer::Model { settings, left, owner } => (settings.clone(), *left, owner.clone()),
            Writer::Spent => return Ok(self.instead("model-spent", without)),
            Writer::Locked | Writer::Template => return Ok(self.instead("model-away", without)),
        };
        let models = &self.tools.generation.models;
        if models.cooldowns.is_cooling_down(&owner, self.tools.platform.clock().now()) {
            return Ok(self.instead("model-away", without));
        }
        let said = self.said().await?;
        let asked = self.asked(&settings, left, &owner, &brief, &said, stop).await?;
        if let Some(Attempt { used, .. }) = self.attempt() {
            let outcome = match asked {
                ModelOutcome::Answered(_) => "answered",
                ModelOutcome::Failed(_) => "failed",
                ModelOutcome::Over(_) => "dropped",
            };
            models.metrics.edited(outcome, &used);
        }
        Ok(match asked {
            ModelOutcome::Answered(reply) => TurnEnd::Answered(reply),
            ModelOutcome::Over(ended) => ended,
            ModelOutcome::Failed(error) => self.instead(why_not(&settings, left, &error), without),
        })
    }

    /// The brief of the page with what the tenant knows about it, and what the offline editor makes of the message.
    async fn prepared(&self) -> Result<(Brief, Reply)> {
        let found = known(self.tools, &self.claimed.of.tenant, &self.turn.material).await?;
        let turn = self.turn.clone();
        computed(move || {
            let whole = brief::of(turn.material.clone(), found)?;
            // The offline editor takes its words from the page's own brief.
            let own = Brief { knowledge: Vec::new(), ..whole.clone() };
            let reply = offline::edited(&turn, &own)?;
            Ok((whole, reply))
        })
        .await
    }

    async fn said(&self) -> Result<Vec<(Role, String)>> {
        let (ctx, of, turn) = (context(self.tools, self.claimed), self.claimed.clone(), self.turn.clone());
        self.tools.store.read(move |tx| runs::said_before(tx, &ctx, &of, &turn)).await
    }

    /// What the offline editor has made of it, with the reason why no model has.
    fn instead(&self, why: &str, mut reply: Reply) -> TurnEnd {
        let voice = Voice::of(&self.turn.message.content, &self.turn.document);
        reply.text = format!("{} {}", voice.say(why, &[]), reply.text);
        TurnEnd::Answered(Box::new(reply))
    }

    /// Lets the model carry the message out, and looks up at every beat.
    async fn asked(
        &self,
        settings: &AgentSettings,
        left: Option<u64>,
        owner: &ModelOwner,
        brief: &Brief,
        said: &[(Role, String)],
        stop: &mut watch::Receiver<bool>,
    ) -> Result<ModelOutcome> {
        let (tools, turn, notes) = (self.tools, &self.turn, &self.notes);
        let models = &tools.generation.models;
        let editor = ModelEditor::new(
            models.for_message(settings, left.unwrap_or(u64::MAX)),
            Arc::clone(&models.gateway),
        );
        let (selection, material) = (offline::selection(turn), Material::default());
        let request = Request {
            message: &turn.message.content,
            document: &turn.document,
            selection: selection.as_ref(),
            material: &material,
            earlier: &turn.earlier,
        };
        let task = Task { request, brief, said };
        let begun = tools.platform.clock().now();
        let editing = AssertUnwindSafe(editor.edit(&task, notes)).catch_unwind();
        tokio::pin!(editing);
        let ended = loop {
            tokio::select! {
                biased;
                edited = &mut editing => {
                    break edited.unwrap_or_else(|_| Err(AgentError::retry(None, "The editor panicked.")));
                }
                _ = stop.wait_for(|stop| *stop) => return Ok(ModelOutcome::Over(TurnEnd::Stopped)),
                () = notes.edited() => {}
                () = tools.generation.heartbeat.next() => {}
            }
            // An operation that is finished is noted at once, so that an interruption keeps it.
            match self.noted().await {
                Ok(StillClaimed::Yes) => {}
                Ok(StillClaimed::Archived) => return Ok(ModelOutcome::Over(TurnEnd::Archived)),
                Ok(StillClaimed::Lost) => return Ok(ModelOutcome::Over(TurnEnd::Lost)),
                // The lease lasts longer than most outages.
                Err(error) => {
                    let audience = self.claimed.of.audience_id.as_str();
                    let request_id = self.request_id();
                    tracing::warn!(audience, request_id, %error, "what a model has done so far was not noted");
                }
            }
            if tools.platform.clock().now().since(begun) >= TIME_LIMIT {
                break Err(AgentError::retry(None, "The model did not finish in time."));
            }
        };
        let error = match ended {
            Ok(Edited { reply, cut_off: None }) => return Ok(ModelOutcome::Answered(Box::new(reply))),
            Ok(Edited { reply, cut_off: Some(error) }) => {
                self.report_failure(owner, &error);
                return Ok(ModelOutcome::Answered(Box::new(reply)));
            }
            Err(error) => error,
        };
        self.report_failure(owner, &error);
        let (said, edits) = notes.present();
        Ok(if edits.is_empty() {
            ModelOutcome::Failed(error)
        } else {
            ModelOutcome::Answered(Box::new(editing::cut_short(&request, &said, edits)))
        })
    }

    /// The request that began the run.
    fn request_id(&self) -> Option<&str> {
        self.claimed.of.request_id.as_ref().map(RequestId::as_str)
    }

    /// Tells the operator what went wrong, and leaves the model alone for as long as its server asks.
    fn report_failure(&self, owner: &ModelOwner, error: &AgentError) {
        let audience = self.claimed.of.audience_id.as_str();
        let request_id = self.request_id();
        tracing::warn!(audience, request_id, %error, "a model did not carry a message out");
        let now = self.tools.platform.clock().now();
        self.tools.generation.models.cooldowns.note_asked(owner, now, error);
    }

    async fn noted(&self) -> Result<StillClaimed> {
        let (text, edits) = self.notes.present();
        let number = self.turn.message.number;
        let so_far = SoFar { number, version_id: self.turn.version.version_id.to_string(), text, edits };
        let (ctx, of) = (context(self.tools, self.claimed), self.claimed.clone());
        self.tools.store.claim(move |tx| runs::note(tx, &ctx, &of, &so_far)).await
    }
}

/// Why a model did not carry a message out, as the owner is told; `left` are the tokens that the month left before it.
fn why_not(settings: &AgentSettings, left: Option<u64>, error: &AgentError) -> &'static str {
    if left.is_none_or(|left| left >= MOST_TOKENS_OF_MESSAGE) {
        return "model-away";
    }
    let whole = settings.budget.left(&Used::default(), &settings.prices).unwrap_or(u64::MAX);
    match error.fault {
        Fault::Budget => "model-spent",
        Fault::TooLittle(needed) if whole < needed => "model-budget-small",
        Fault::TooLittle(_) => "model-rest-small",
        Fault::Retry(_) | Fault::Permanent => "model-away",
    }
}
