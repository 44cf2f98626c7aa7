//! Questions of visitors, asked of the models that tenants have.
//!
//! A visitor waits: there is one try, and little time. What this is not: the check of what a model says, and the budget, which whoever asks has
//! looked at. A model whose server has asked clients to wait is not asked. Invariant: what was used is told before the future ends or is dropped.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pagesmith_agent::llm::answering;
use pagesmith_agent::llm::plain::{PlainModel, PlainWatch};
use pagesmith_agent::{AgentError, Usage};
use pagesmith_model::agent::{AgentSettings, Prices, Used};
use pagesmith_operations::Platform;
use pagesmith_operations::questions::answering::{AnswerEnd, Answering, Asking, Heard, ModelQuestion};
use tokio::sync::Notify;

use crate::generation::{ModelMetrics, Models};

/// The most tokens of an answer. Models that think before they answer need most of them for that.
const LONGEST_ANSWER: u64 = 1_000;

/// How long a visitor waits at most.
pub const LONGEST: Duration = Duration::from_secs(12);

/// How long a visitor waits.
#[derive(Debug, Clone)]
pub enum TimeLimit {
    /// So long.
    For(Duration),
    /// Until a test says so.
    ByHand(Arc<Notify>),
}

impl TimeLimit {
    async fn end(&self) {
        match self {
            TimeLimit::For(time) => tokio::time::sleep(*time).await,
            TimeLimit::ByHand(end) => end.notified().await,
        }
    }
}

/// Asks the models of tenants.
pub struct ModelAnswers {
    models: Models,
    platform: Arc<Platform>,
    time_limit: TimeLimit,
}

impl ModelAnswers {
    /// One that asks these models.
    pub fn new(models: Models, platform: Arc<Platform>, time_limit: TimeLimit) -> ModelAnswers {
        ModelAnswers { models, platform, time_limit }
    }

    async fn answer(&self, question: &ModelQuestion, heard: &dyn Heard) -> AnswerEnd {
        let now = self.platform.clock().now();
        if self.models.cooldowns.is_cooling_down(&question.owner, now) {
            return AnswerEnd::CutOff;
        }
        let settings = &question.settings;
        let most = question.left.unwrap_or(u64::MAX);
        let settings_of_model = self.models.for_text(settings, most, LONGEST_ANSWER);
        let model = PlainModel::new(settings_of_model, Arc::clone(&self.models.gateway));
        let passages = question.passages.iter().map(|given| (given.heading.as_str(), given.text.as_str()));
        let asked = answering::question(&question.question, passages);
        let mut noting = Noting::new(heard, settings.prices, &self.models.metrics);
        let answered = tokio::select! {
            biased;
            answered = model.ask(&asked, &noting) => answered,
            () = self.time_limit.end() => Err(AgentError::retry(None, "The model did not answer in time.")),
        };
        let Err(error) = answered else {
            noting.outcome = "answered";
            return AnswerEnd::Whole;
        };
        noting.outcome = "failed";
        tracing::warn!(owner = ?question.owner, %error, "a model did not answer a visitor");
        self.models.cooldowns.note_asked(&question.owner, now, &error);
        AnswerEnd::CutOff
    }
}

impl Answering for ModelAnswers {
    fn usual(&self) -> &AgentSettings {
        &self.models.usual
    }

    fn ask<'a>(&'a self, question: &'a ModelQuestion, heard: &'a dyn Heard) -> Asking<'a> {
        Box::pin(self.answer(question, heard))
    }
}

/// Passes on what a model says, and measures it in the end, also where nobody waits for that.
struct Noting<'a> {
    heard: &'a dyn Heard,
    prices: Prices,
    metrics: &'a ModelMetrics,
    outcome: &'static str,
    used: Mutex<Used>,
}

impl<'a> Noting<'a> {
    fn new(heard: &'a dyn Heard, prices: Prices, metrics: &'a ModelMetrics) -> Noting<'a> {
        Noting { heard, prices, metrics, outcome: "dropped", used: Mutex::default() }
    }
}

impl PlainWatch for Noting<'_> {
    fn text(&self, more: &str) {
        self.heard.text(more);
    }

    fn used(&self, Usage { input_tokens, output_tokens }: Usage) {
        let used = Used { input_tokens, output_tokens, cost: self.prices.cost(input_tokens, output_tokens) };
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = used;
        self.heard.used(used);
    }
}

impl Drop for Noting<'_> {
    fn drop(&mut self) {
        let used = *self.used.lock().unwrap_or_else(PoisonError::into_inner);
        self.metrics.answered(self.outcome, &used);
    }
}
