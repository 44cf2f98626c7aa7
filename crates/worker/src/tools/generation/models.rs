//! The models that versions may be written by, and the one way to them.
//!
//! What this is not: the choice of who writes, which is the tenant's and made anew for every version
//! ([`pagesmith_operations::agent`]). Connections are kept by the gateway and shared by all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pagesmith_agent::llm::gateway::Gateway;
use pagesmith_agent::llm::plain::PlainWatch;
use pagesmith_agent::llm::{Form, Model, ModelSettings};
use pagesmith_agent::{AgentError, Fault, Usage};
use pagesmith_model::Timestamp;
use pagesmith_model::agent::{AgentKind, AgentSettings, ApiKey, Prices, Used};
use pagesmith_operations::agent::ModelOwner;

use super::metrics::ModelMetrics;

/// The most tokens of one try at a version: a long brief, asked twice, and two long answers.
pub(crate) const MOST_TOKENS: u64 = 200_000;

/// The most tokens of one message: a page and its brief, told in several rounds.
pub(crate) const MOST_TOKENS_OF_MESSAGE: u64 = 150_000;

/// The most tokens of one plain text: an answer, a summary, a description.
const MOST_TOKENS_OF_TEXT: u64 = 40_000;

/// The longest rest that a model's server can ask for.
pub(crate) const LONGEST_REST: Duration = Duration::from_secs(15 * 60);

/// How models are asked.
#[derive(Clone)]
pub struct Models {
    /// Who writes for tenants for which nothing else is set.
    pub usual: Arc<AgentSettings>,
    /// The way outside.
    pub gateway: Arc<dyn Gateway>,
    /// How long a try may take, all in all.
    pub time_limit: Duration,
    /// The most tokens of one answer.
    pub most_output_tokens: u64,
    /// How many versions they write at the same time.
    pub concurrency: usize,
    /// The models that get no requests for a while.
    pub cooldowns: Arc<Cooldowns>,
    /// What is measured.
    pub metrics: ModelMetrics,
}

/// Models whose servers asked clients to wait. A request before that time would only waste a try.
#[derive(Debug, Default)]
pub struct Cooldowns(Mutex<HashMap<ModelOwner, Timestamp>>);

impl Cooldowns {
    /// Sends a model no requests for as long as its server asks, if that is what went wrong.
    pub(crate) fn note_asked(&self, owner: &ModelOwner, now: Timestamp, error: &AgentError) {
        if let Fault::Retry(Some(asked)) = error.fault {
            self.note(owner, now.plus(asked.min(LONGEST_REST)));
        }
    }

    fn note(&self, owner: &ModelOwner, until: Timestamp) {
        let mut cooldowns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = cooldowns.entry(owner.clone()).or_insert(until);
        *kept = until.max(*kept);
    }

    /// Whether a model gets no requests now.
    pub(crate) fn is_cooling_down(&self, owner: &ModelOwner, now: Timestamp) -> bool {
        let mut cooldowns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cooldowns.retain(|_, until| *until > now);
        cooldowns.contains_key(owner)
    }
}

/// What a model has used so far that is asked for a plain text, also where nobody waits for its end.
#[derive(Debug)]
pub(crate) struct UsedSoFar {
    used: Mutex<Used>,
    prices: Prices,
}

impl UsedSoFar {
    /// Nothing yet, at these prices.
    pub(crate) fn at(prices: Prices) -> UsedSoFar {
        UsedSoFar { used: Mutex::default(), prices }
    }

    /// How much that is now.
    pub(crate) fn now(&self) -> Used {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PlainWatch for UsedSoFar {
    fn text(&self, _: &str) {}

    fn used(&self, Usage { input_tokens, output_tokens }: Usage) {
        let cost = self.prices.cost(input_tokens, output_tokens);
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) =
            Used { input_tokens, output_tokens, cost };
    }
}

impl Models {
    /// With the usual limits.
    pub fn new(usual: AgentSettings, gateway: Arc<dyn Gateway>) -> Models {
        Models {
            usual: Arc::new(usual),
            gateway,
            time_limit: Duration::from_secs(180),
            most_output_tokens: 8_000,
            concurrency: 32,
            cooldowns: Arc::default(),
            metrics: ModelMetrics::default(),
        }
    }

    /// The agent of these settings, which may use so many tokens.
    pub(crate) fn agent(&self, settings: &AgentSettings, most_tokens: u64) -> Model {
        Model::new(self.settings(settings, most_tokens.min(MOST_TOKENS)), Arc::clone(&self.gateway))
    }

    /// The model of these settings, which may use so many tokens for a message.
    pub(crate) fn for_message(&self, settings: &AgentSettings, most_tokens: u64) -> ModelSettings {
        self.settings(settings, most_tokens.min(MOST_TOKENS_OF_MESSAGE))
    }

    /// The model of these settings, asked for a plain text of so many tokens, which may use so many in all.
    pub(crate) fn for_text(&self, settings: &AgentSettings, most_tokens: u64, longest: u64) -> ModelSettings {
        let most_output_tokens = self.most_output_tokens.min(longest);
        ModelSettings { most_output_tokens, ..self.settings(settings, most_tokens.min(MOST_TOKENS_OF_TEXT)) }
    }

    fn settings(&self, settings: &AgentSettings, token_budget: u64) -> ModelSettings {
        let form = match settings.kind {
            AgentKind::Anthropic => Form::Messages,
            AgentKind::OpenAi | AgentKind::Template => Form::Chat,
        };
        ModelSettings {
            form,
            base_url: settings.base_url.clone(),
            model: settings.model.clone(),
            key: settings.key.as_ref().map(ApiKey::expose).unwrap_or_default().to_owned(),
            takes_schema: true,
            most_output_tokens: self.most_output_tokens,
            token_budget,
        }
    }
}
