//! Trials of tenants' agents: a model is asked once for a few words, or the template composes a text.
//!
//! What this is not: the budget, which whoever asks has looked at. A model whose server has asked clients to wait is not asked.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_agent::AgentError;
use pagesmith_agent::llm::plain::PlainModel;
use pagesmith_agent::llm::trial;
use pagesmith_model::agent::Used;
use pagesmith_model::brief::Brief;
use pagesmith_model::content::texts;
use pagesmith_model::page::PageType;
use pagesmith_operations::Platform;
use pagesmith_operations::agent::trials::{Trial, TrialOutcome, Trials, Trying};

use crate::generation::{Models, UsedSoFar};

/// The most tokens of an answer. Models that think before they answer need most of them for that.
const LONGEST_ANSWER: u64 = 800;
/// How long somebody waits at most.
pub const LONGEST: Duration = Duration::from_secs(20);

/// Tries agents.
pub struct AgentTrials {
    models: Models,
    platform: Arc<Platform>,
    time_limit: Duration,
}

impl AgentTrials {
    /// One that asks these models and waits so long for them.
    pub fn new(models: Models, platform: Arc<Platform>, time_limit: Duration) -> AgentTrials {
        AgentTrials { models, platform, time_limit }
    }

    async fn answer(&self, trial: &Trial) -> TrialOutcome {
        let now = self.platform.clock().now();
        if self.models.cooldowns.is_cooling_down(&trial.owner, now) {
            let why = "The model's server has asked clients to wait. Try again in some minutes.";
            return TrialOutcome { said: Err(why.to_owned()), used: Used::default() };
        }
        let most = trial.left.unwrap_or(u64::MAX);
        let settings = self.models.for_text(&trial.settings, most, LONGEST_ANSWER);
        let model = PlainModel::new(settings, Arc::clone(&self.models.gateway));
        let (question, used) = (trial::question(&trial.text), UsedSoFar::at(trial.settings.prices));
        let answered = tokio::time::timeout(self.time_limit, model.ask(&question, &used));
        let said = match answered.await {
            Ok(Ok(text)) => Ok(text.trim().to_owned()),
            Ok(Err(error)) => Err(error),
            Err(_) => {
                let message =
                    format!("The model did not answer within {} seconds.", self.time_limit.as_secs());
                Err(AgentError::retry(None, message))
            }
        };
        if let Err(error) = &said {
            self.models.cooldowns.note_asked(&trial.owner, now, error);
        }
        TrialOutcome { said: said.map_err(|error| error.message), used: used.now() }
    }
}

impl Trials for AgentTrials {
    fn ask<'a>(&'a self, trial: &'a Trial) -> Trying<'a> {
        Box::pin(self.answer(trial))
    }

    fn compose(&self, text: &str) -> String {
        let brief = Brief::new(PageType::Inbound, "", text);
        let content = pagesmith_template_agent::compose(&brief).content;
        let parts = texts::of(&content).into_iter().map(|part| match part.heading.as_str() {
            "" => part.text,
            heading => format!("{heading}\n{}", part.text),
        });
        let head = [content.head.title.clone(), content.head.description.clone()];
        head.into_iter().flatten().chain(parts).collect::<Vec<_>>().join("\n\n")
    }
}
