//! Questions as a model answers them: what it is given, and who asks it.
//!
//! What this is not: the asking, which is given as [`Answering`], since it speaks to the network; and not trust: what a model says is looked at
//! sentence by sentence ([`super::draft`]). A model is given the question and the passages, and nothing of a person, of the tenant, or secret.

use std::future::Future;
use std::pin::Pin;

use pagesmith_model::agent::{AgentSettings, Used};

use crate::agent::ModelOwner;

/// A passage that a model may answer from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// What stands above it; empty if nothing does.
    pub heading: String,
    /// What it says.
    pub text: String,
}

/// A question for a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelQuestion {
    /// Which model, and how.
    pub settings: Box<AgentSettings>,
    /// The tokens that the month leaves; nothing: any number.
    pub left: Option<u64>,
    /// Whose it is.
    pub owner: ModelOwner,
    /// What was asked.
    pub question: String,
    /// What it is answered from, numbered from 1 in this order.
    pub passages: Vec<Given>,
}

/// How a model ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerEnd {
    /// It has said everything.
    Whole,
    /// It has not: it broke off, took too long, was not to be asked, or would not answer.
    CutOff,
}

/// Whoever hears what a model says; called from inside of it, so that it must not wait for anything.
pub trait Heard: Send + Sync {
    /// More text.
    fn text(&self, more: &str);

    /// What has been used until now.
    fn used(&self, used: Used);
}

/// A model that is being asked; to stop it, drop this.
pub type Asking<'a> = Pin<Box<dyn Future<Output = AnswerEnd> + Send + 'a>>;

/// Who asks models.
pub trait Answering: Send + Sync {
    /// The agent of tenants for which nothing else is set.
    fn usual(&self) -> &AgentSettings;

    /// Asks a model, and ends in the time that a visitor waits.
    fn ask<'a>(&'a self, question: &'a ModelQuestion, heard: &'a dyn Heard) -> Asking<'a>;
}
