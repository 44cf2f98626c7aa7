//! Trials: a tenant's agent is asked for a few words, to see whether it works. Nothing of it is kept but what it has used.
//!
//! What this is not: the asking, which is given as [`Trials`], since it speaks to the network.

use std::pin::Pin;

use pagesmith_model::agent::{AgentSettings, Used};

use super::ModelOwner;

/// A model that is tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// Which model, and how.
    pub settings: Box<AgentSettings>,
    /// The tokens that the month leaves; nothing: any number.
    pub left: Option<u64>,
    /// Whose it is.
    pub owner: ModelOwner,
    /// What it is asked about.
    pub text: String,
}

/// The result of a trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrialOutcome {
    /// What was said, or why nothing was.
    pub said: Result<String, String>,
    /// What that has used, also where it failed.
    pub used: Used,
}

/// A trial that is under way.
pub type Trying<'a> = Pin<Box<dyn Future<Output = TrialOutcome> + Send + 'a>>;

/// Who tries agents.
pub trait Trials: Send + Sync {
    /// Asks a model, once, and ends in time.
    fn ask<'a>(&'a self, trial: &'a Trial) -> Trying<'a>;

    /// What the template writes of a text, a line for each part of the page.
    fn compose(&self, text: &str) -> String;
}
