//! `[agent]`: who writes versions, and what that may cost a tenant in a month.
//!
//! A combination that cannot work is refused here, by the key that is wrong. The key of the API is never shown.

use std::time::Duration;

use pagesmith_model::agent::{AgentKind, AgentSettings, ApiKey, Budget, Prices};
use pagesmith_model::amount::Amount;
use pagesmith_model::network::Networks;

use super::{ConfigError, Settings};

/// The agent of tenants that have none of their own.
#[derive(Debug, Clone)]
pub struct Agent {
    /// Which one, with its key, prices and budgets.
    pub settings: AgentSettings,
    /// From the first question to the finished page.
    pub timeout: Duration,
    /// The most tokens of one answer.
    pub max_output_tokens: u64,
    /// How many versions models write at the same time.
    pub concurrency: usize,
    /// Whether models answer questions of visitors.
    pub answers_questions: bool,
}

impl Agent {
    /// Reads the section; reserved addresses in `allow` may be spoken to.
    pub fn read(settings: &Settings, allow: &Networks) -> Result<Agent, ConfigError> {
        let kind: AgentKind = settings.parse("agent.kind", "template, openai or anthropic")?;
        let base_url = settings.optional("agent.base_url")?.unwrap_or_else(|| kind.usual_address());
        let key = settings.optional("agent.api_key")?.map(|text| {
            ApiKey::parse(text).ok_or_else(|| {
                settings.refuse("agent.api_key", "one word of printable ASCII characters, or empty")
            })
        });
        let amount = |key: &str| settings.parse::<Amount>(key, "an amount such as \"12.50\"");
        let agent = AgentSettings {
            kind,
            base_url: base_url.trim_end_matches('/').to_owned(),
            model: settings.text("agent.model")?.to_owned(),
            key: key.transpose()?,
            prices: Prices { input: amount("agent.input_price")?, output: amount("agent.output_price")? },
            budget: Budget {
                tokens: settings.number("agent.token_budget", 0..=i64::MAX.unsigned_abs())?,
                cost: amount("agent.cost_budget")?,
            },
        };
        if let Some(unfit) = agent.unfit_setting(allow) {
            return Err(settings.refuse(&format!("agent.{}", unfit.setting), &unfit.expected));
        }
        Ok(Agent {
            settings: agent,
            timeout: settings.duration("agent.timeout")?,
            max_output_tokens: settings.number("agent.max_output_tokens", 500..=100_000)?,
            concurrency: settings.number("agent.concurrency", 1..=10_000)?,
            answers_questions: settings.flag("agent.answers_questions")?,
        })
    }
}
