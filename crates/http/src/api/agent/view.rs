//! The agent of a tenant as requests and answers have it.

use std::str::FromStr;

use pagesmith_model::agent::{AgentKind, AgentSettings, ApiKey, Budget, Prices};
use pagesmith_model::amount::Amount;
use pagesmith_model::bounds::{Bounded, Text};
use pagesmith_model::issues::Issues;
use pagesmith_model::{Error, Issue, IssueCode, Result, Timestamp};
use pagesmith_operations::agent::AgentView as TenantAgent;
use pagesmith_operations::agent::choice::{Choice, KeyChange, OwnAgent};
use pagesmith_operations::agent::trials::TrialOutcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Which agent writes.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum KindView {
    /// The template, which works offline.
    Template,
    /// A model behind an API of the chat-completions form.
    OpenAi,
    /// A model behind an API of the messages form.
    Anthropic,
}

impl From<AgentKind> for KindView {
    fn from(kind: AgentKind) -> KindView {
        match kind {
            AgentKind::Template => KindView::Template,
            AgentKind::OpenAi => KindView::OpenAi,
            AgentKind::Anthropic => KindView::Anthropic,
        }
    }
}

impl From<KindView> for AgentKind {
    fn from(kind: KindView) -> AgentKind {
        match kind {
            KindView::Template => AgentKind::Template,
            KindView::OpenAi => AgentKind::OpenAi,
            KindView::Anthropic => AgentKind::Anthropic,
        }
    }
}

/// An agent of a tenant's own.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OwnAgent", deny_unknown_fields)]
#[schemars(example = json!({
    "kind": "openai", "baseUrl": "https://models.example/v1", "model": "small", "hasKey": true, "isKeyLost": false,
    "inputPrice": "2.50", "outputPrice": "10.00",
}))]
struct OwnAgentView {
    /// Which agent: `template`, `openai` for an API of the chat-completions form, or `anthropic` for one of the messages form.
    kind: KindView,
    /// Address of the model's API. Null for the template.
    base_url: Option<String>,
    /// Name of the model. Null for the template.
    model: Option<String>,
    /// Whether a key is saved.
    has_key: bool,
    /// Whether the key that was saved can be opened no more, because the server has lost its own.
    is_key_lost: bool,
    /// Price of a million tokens that the model reads, in the currency that you count in.
    input_price: String,
    /// Price of a million tokens that the model writes.
    output_price: String,
}

/// The server's agent.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ServerAgent", deny_unknown_fields)]
#[schemars(example = json!({ "kind": "template", "model": null }))]
struct ServerAgentView {
    /// Which agent.
    kind: KindView,
    /// Name of the model. Null for the template.
    model: Option<String>,
}

/// The page agent of a tenant.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Agent", deny_unknown_fields)]
#[schemars(example = json!({
    "own": null, "server": { "kind": "template", "model": null },
    "tokenLimit": 0, "costLimit": "0.00", "tokenBudget": 2_000_000, "costBudget": "0.00",
}))]
pub(crate) struct AgentView {
    /// The tenant's own agent. Null if the server's writes.
    own: Option<OwnAgentView>,
    /// The server's agent.
    server: ServerAgentView,
    /// Tokens that the tenant allows itself in a month; 0 for what the operator allows.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    token_limit: u64,
    /// Money that the tenant allows itself in a month; `0.00` for what the operator allows.
    cost_limit: String,
    /// Tokens that the operator allows in a month; 0 for any number.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    token_budget: u64,
    /// Money that the operator allows in a month; `0.00` for any amount.
    cost_budget: String,
}

impl AgentView {
    /// What counts for a tenant, if the server's agent is `usual`.
    pub(super) fn of(shown: TenantAgent, usual: &AgentSettings) -> AgentView {
        let TenantAgent { settings, has_key, lost_key, own_agent, allowed, limits, .. } = shown;
        let is_model = |kind: AgentKind| kind != AgentKind::Template;
        let own = own_agent.then(|| OwnAgentView {
            kind: settings.kind.into(),
            base_url: is_model(settings.kind).then_some(settings.base_url),
            model: is_model(settings.kind).then_some(settings.model),
            has_key,
            is_key_lost: lost_key,
            input_price: settings.prices.input.to_string(),
            output_price: settings.prices.output.to_string(),
        });
        let model = is_model(usual.kind).then(|| usual.model.clone());
        AgentView {
            own,
            server: ServerAgentView { kind: usual.kind.into(), model },
            token_limit: limits.tokens,
            cost_limit: limits.cost.to_string(),
            token_budget: allowed.tokens,
            cost_budget: allowed.cost.to_string(),
        }
    }
}

/// An agent of a tenant's own, as it is chosen.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "SetOwnAgent")]
#[schemars(example = json!({
    "kind": "openai", "baseUrl": "https://models.example/v1", "model": "small", "apiKey": "sk-…", "inputPrice": "2.50", "outputPrice": "10.00",
}))]
struct OwnAgentBody {
    /// Which agent: `template`, `openai` for an API of the chat-completions form, or `anthropic` for one of the messages form.
    kind: KindView,
    /// Address of the model's API. Left out or null: the usual one of the kind.
    #[serde(default)]
    #[schemars(with = "Option<Bounded<0, 2_000>>")]
    base_url: Option<String>,
    /// Name of the model.
    #[serde(default)]
    #[schemars(with = "Option<Bounded<0, 200>>")]
    model: Option<String>,
    /// Key of the model's API. Left out or null: the saved one stays. An empty text removes it.
    #[serde(default)]
    #[schemars(with = "Option<Text>")]
    api_key: Option<String>,
    /// Price of a million tokens that the model reads, such as `2.50`. Left out or null: 0.
    #[serde(default)]
    #[schemars(with = "Option<Bounded<0, 40>>")]
    input_price: Option<String>,
    /// Price of a million tokens that the model writes. Left out or null: 0.
    #[serde(default)]
    #[schemars(with = "Option<Bounded<0, 40>>")]
    output_price: Option<String>,
}

/// The page agent to set for a tenant.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "SetAgentRequest")]
#[schemars(example = json!({ "own": null, "tokenLimit": 500_000, "costLimit": "0.00" }))]
pub(crate) struct SetAgentRequest {
    /// The tenant's own agent. Left out or null: the server's writes.
    #[serde(default)]
    own: Option<OwnAgentBody>,
    /// Tokens that the tenant allows itself in a month; 0 for what the operator allows.
    #[serde(default)]
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    token_limit: u64,
    /// Money that the tenant allows itself in a month; `0.00` for what the operator allows.
    #[serde(default)]
    #[schemars(with = "Option<Bounded<0, 40>>")]
    cost_limit: Option<String>,
}

impl SetAgentRequest {
    /// The choice, with every text read; each that cannot be read is told at its place.
    pub(super) fn choice(self) -> Result<Choice> {
        let mut issues = Issues::default();
        let cost = amount(&["costLimit"], self.cost_limit.as_deref(), &mut issues);
        let own = self.own.map(|own| {
            let key = match own.api_key.as_deref() {
                None => KeyChange::Keep,
                Some("") => KeyChange::Remove,
                Some(text) => ApiKey::parse(text).map_or_else(
                    || {
                        let message = "own.apiKey: must be one word of printable ASCII characters.";
                        issues.add(Issue::body(IssueCode::InvalidFormat, &["own", "apiKey"], message));
                        KeyChange::Keep
                    },
                    KeyChange::Set,
                ),
            };
            let text = |text: Option<String>| text.map(|text| text.trim().to_owned());
            let address = text(own.base_url).map(|url| url.trim_end_matches('/').to_owned());
            OwnAgent {
                kind: own.kind.into(),
                base_url: address.filter(|address| !address.is_empty()),
                model: text(own.model).filter(|model| !model.is_empty()),
                key,
                prices: Prices {
                    input: amount(&["own", "inputPrice"], own.input_price.as_deref(), &mut issues),
                    output: amount(&["own", "outputPrice"], own.output_price.as_deref(), &mut issues),
                },
            }
        });
        if !issues.is_empty() {
            return Err(Error::invalid(issues));
        }
        Ok(Choice { own, limits: Budget { tokens: self.token_limit, cost } })
    }
}

fn amount(path: &[&str], text: Option<&str>, issues: &mut Issues) -> Amount {
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    let Some(text) = text else { return Amount::default() };
    Amount::from_str(text).unwrap_or_else(|error| {
        let message = format!("{}: must be {error}.", path.join("."));
        issues.add(Issue::body(IssueCode::InvalidFormat, path, message));
        Amount::default()
    })
}

/// A test request to an agent.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "TryAgentRequest")]
#[schemars(example = json!({ "text": "Acme makes anvils for smiths who work all day. Each lasts 50 years." }))]
pub(crate) struct TryAgentRequest {
    /// Text that the agent writes about.
    #[schemars(with = "Bounded<1, 2_000, true>")]
    pub(super) text: String,
}

/// The result of a trial.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AgentTrial", deny_unknown_fields)]
#[schemars(example = json!({
    "model": "small", "text": "An anvil from Acme outlasts the smith.", "problem": null,
    "inputTokens": 90, "outputTokens": 12, "durationMs": 640,
}))]
pub(crate) struct TryView {
    /// Name of the model that was called. Null if no model was called.
    model: Option<String>,
    /// What was written. Null if nothing was.
    text: Option<String>,
    /// Why nothing was written. Null if something was.
    problem: Option<String>,
    /// Number of tokens that the model read.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    input_tokens: u64,
    /// Number of tokens that the model wrote.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    output_tokens: u64,
    /// How long the model took, in milliseconds.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    duration_ms: u64,
}

impl TryView {
    const NOTHING: TryView =
        TryView { model: None, text: None, problem: None, input_tokens: 0, output_tokens: 0, duration_ms: 0 };

    /// What the template wrote.
    pub(super) fn template(text: String) -> TryView {
        TryView { text: Some(text), ..TryView::NOTHING }
    }

    /// Nobody was asked.
    pub(super) fn refused(problem: &str) -> TryView {
        TryView { problem: Some(problem.to_owned()), ..TryView::NOTHING }
    }

    /// What came of asking a model, between two instants.
    pub(super) fn model(
        model: String,
        outcome: TrialOutcome,
        (begun, ended): (Timestamp, Timestamp),
    ) -> TryView {
        let (text, problem) = match outcome.said {
            Ok(text) => (Some(text), None),
            Err(problem) => (None, Some(problem)),
        };
        let duration_ms = u64::try_from(ended.since(begun).as_millis()).unwrap_or(u64::MAX);
        let (input_tokens, output_tokens) = (outcome.used.input_tokens, outcome.used.output_tokens);
        TryView { model: Some(model), text, problem, input_tokens, output_tokens, duration_ms }
    }
}
