//! A question that the tenant's model answers: asked beside the request, checked while it comes, kept, and told.
//!
//! The work belongs to a task of its own, which ends in time whatever becomes of the visitor: a visitor who goes away ends the asking, and
//! the question, what was told of it and what the model has used are kept all the same, once. So nobody asks without being counted. Where the
//! model says nothing in time, the answer without a model is told. Invariant: the last word is said only when everything is durable.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pagesmith_model::agent::Used;
use pagesmith_model::{Result, TenantId};
use pagesmith_operations::agent::{self, Writer};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::questions::answering::{AnswerEnd, Answering, Heard, ModelQuestion};
use pagesmith_operations::questions::draft::Draft;
use pagesmith_operations::questions::keep;
use pagesmith_operations::questions::material::{Answered, AskedQuestion, Material, VisitorAnswer};
use tokio::sync::mpsc::{self, Receiver, Sender, UnboundedReceiver, UnboundedSender};
use tracing::Instrument;

use crate::counts::Permit;
use crate::state::AppState;

/// How many questions of a tenant models answer at a time; what is asked beside them is answered without one.
const PER_TENANT: usize = 8;
/// More than an answer has sentences.
const MOST_WAITING: usize = 32;

/// What is told of an answer while it comes.
pub(super) enum AnswerUpdate {
    /// One more sentence.
    Sentence(String),
    /// The whole answer, which is durable.
    All(Box<VisitorAnswer>),
}

/// A question with what is known of it.
pub(super) struct PreparedQuestion {
    pub ctx: TenantContext,
    pub asked: AskedQuestion,
    pub material: Arc<Material>,
    pub answered: Answered,
}

/// A question whose model may be asked.
pub(super) struct Modelled {
    answering: Arc<dyn Answering>,
    question: Box<ModelQuestion>,
    permit: Permit<TenantId>,
}

impl Modelled {
    /// Finds out whether a model may be asked: something is known, the tenant has a model and budget, and not too much is asked at once.
    pub(super) async fn of(state: &AppState, known: &PreparedQuestion) -> Result<Option<Modelled>> {
        let Some(answering) = state.answering.get().map(Arc::clone) else { return Ok(None) };
        if known.answered.told.quotes.is_empty() {
            return Ok(None);
        }
        let (ctx, usual) = (known.ctx.clone(), answering.usual().clone());
        let store = state.store.for_tenant(&known.ctx.tenant);
        let writer = store.read(move |tx| agent::writer(tx, &ctx, &usual)).await?;
        let Writer::Model { settings, left, owner } = writer else { return Ok(None) };
        let passages = known.material.given(&known.answered);
        if passages.is_empty() {
            return Ok(None);
        }
        let permit = state.model_answers_in_flight.take(known.ctx.tenant.clone(), PER_TENANT);
        let question = known.asked.question.clone();
        let question = Box::new(ModelQuestion { settings, left, owner, question, passages });
        Ok(permit.map(|permit| Modelled { answering, question, permit }))
    }

    /// Begins to ask; what comes of it. Whoever drops that has gone away.
    pub(super) fn begin(self, state: &AppState, known: PreparedQuestion) -> Receiver<AnswerUpdate> {
        let (telling, told) = mpsc::channel(MOST_WAITING);
        let state = state.clone();
        let carrying_out = async move {
            if let Err(error) = self.carry_out(&state, known, &telling).await {
                tracing::warn!(%error, "a model's answer could not be kept");
            }
        };
        tokio::spawn(carrying_out.in_current_span());
        told
    }

    async fn carry_out(
        self,
        state: &AppState,
        known: PreparedQuestion,
        telling: &Sender<AnswerUpdate>,
    ) -> Result<()> {
        let PreparedQuestion { ctx, asked, material, answered } = known;
        let Some(mut draft) = Draft::of(&material, &answered) else { return Ok(()) };
        let (heard, pieces) = mpsc::unbounded_channel();
        let notes = Notes { heard, used: Mutex::default() };
        let ended = self.listen(state, (&notes, pieces), &mut draft, telling).await;
        let told = match ended {
            // Nobody waits for what the model has not said.
            None => VisitorAnswer { missed: vec![], ..draft.answer(&asked.question, &answered.told) },
            Some(AnswerEnd::CutOff) if draft.is_empty() => answered.told,
            Some(_) => draft.answer(&asked.question, &answered.told),
        };
        let (used, timeout) = (notes.used(), state.settings.session_timeout);
        keep(state, (&ctx, &asked, &told), (used, timeout)).await?;
        drop(self.permit);
        // A visitor who has gone hears nothing.
        drop(telling.send(AnswerUpdate::All(Box::new(told))).await);
        Ok(())
    }

    /// Lets the model answer; nothing if the visitor goes away before its end, or the server stops.
    async fn listen(
        &self,
        state: &AppState,
        (notes, mut pieces): (&Notes, UnboundedReceiver<String>),
        draft: &mut Draft<'_>,
        telling: &Sender<AnswerUpdate>,
    ) -> Option<AnswerEnd> {
        let mut ending = state.ending.subscribe();
        let mut asking = self.answering.ask(&self.question, notes);
        let ended = loop {
            let piece = tokio::select! {
                biased;
                () = telling.closed() => return None,
                Some(piece) = pieces.recv() => piece,
                ended = &mut asking => break ended,
                () = async { drop(ending.wait_for(|ending| *ending).await) } => break AnswerEnd::CutOff,
            };
            send_sentences(telling, draft.hear(&piece)).await;
        };
        drop(asking);
        while let Ok(piece) = pieces.try_recv() {
            send_sentences(telling, draft.hear(&piece)).await;
        }
        send_sentences(telling, draft.end(ended == AnswerEnd::Whole)).await;
        Some(ended)
    }
}

async fn send_sentences(telling: &Sender<AnswerUpdate>, sentences: Vec<String>) {
    for sentence in sentences {
        // A visitor who has gone is noticed elsewhere.
        drop(telling.send(AnswerUpdate::Sentence(sentence)).await);
    }
}

/// Keeps a question with its answer and what that has used.
async fn keep(
    state: &AppState,
    (ctx, asked, told): (&TenantContext, &AskedQuestion, &VisitorAnswer),
    (used, timeout): (Used, Duration),
) -> Result<()> {
    let (ctx, asked, told) = (ctx.clone(), asked.clone(), told.clone());
    let tenant = ctx.tenant.clone();
    let store = state.store.for_tenant(&tenant);
    store.write(move |tx| keep::keep_with_usage(tx, &ctx, &asked, &told, (&used, timeout))).await
}

/// What is heard of a model.
struct Notes {
    heard: UnboundedSender<String>,
    used: Mutex<Used>,
}

impl Notes {
    fn used(&self) -> Used {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Heard for Notes {
    fn text(&self, more: &str) {
        // Whoever listens has all that counts.
        drop(self.heard.send(more.to_owned()));
    }

    fn used(&self, used: Used) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = used;
    }
}
