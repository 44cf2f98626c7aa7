//! The page agent: from what is known about a page and its audience it writes the document that visitors read.
//!
//! There are two agents behind one trait. [`Template`] works offline and always gives the same page for the same brief (the crate
//! `template-agent`); the agents under [`llm`] ask a model. What this crate is not: it knows no database, no clock and no network. A gateway to the outside is
//! handed in, and whoever drops the future that [`PageAgent::write`] gave has cancelled the work.
//! Invariant: a document that leaves this crate fits the schema, has no [`Content::issues`], and the checker of the template agent finds
//! nothing in it, whoever wrote it.

use std::future::Future;
use std::pin::Pin;

use pagesmith_model::brief::Brief;
use pagesmith_model::content::Content;
use pagesmith_template_agent::shared::check::Finding;

pub mod error;
pub mod llm;
mod sayable;
mod template;

pub use error::{AgentError, Fault};
pub use pagesmith_template_agent::shared::check::Rule;
pub use sayable::Sayable;
pub use template::Template;

/// What [`PageAgent::write`] gives.
pub type Writing<'a> = Pin<Box<dyn Future<Output = Result<Draft, AgentError>> + Send + 'a>>;

/// Whoever can write a page.
pub trait PageAgent: Send + Sync {
    /// Writes the page of a brief and tells `watch` how far it has come; to cancel it, drop the future.
    fn write<'a>(&'a self, brief: &'a Brief, watch: &'a dyn Watch) -> Writing<'a>;
}

/// A written page.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The document; every block has an id.
    pub content: Content,
    /// What it took.
    pub usage: Usage,
}

/// What a model charged for; nothing for the template.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens that the model read.
    pub input_tokens: u64,
    /// Tokens that the model wrote.
    pub output_tokens: u64,
}

impl Usage {
    /// All tokens together.
    pub fn total(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

/// Whoever follows the writing; called from inside of it, so that it must not wait for anything.
pub trait Watch: Send + Sync {
    /// A step begins.
    fn step(&self, step: Step);

    /// What is written so far: a valid document, kept if the writing is cancelled.
    fn so_far(&self, content: &Content);

    /// What the writing has used until now, all tries together; whoever drops it knows by this what it took.
    fn used(&self, usage: Usage);

    /// What the check of a document found before it was mended, one rule for each finding.
    fn found(&self, author: Author, answer: Answer, rules: &[Rule]);
}

/// Who wrote a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// The template agent.
    Template,
    /// A model.
    Model,
}

impl Author {
    /// The author's name in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Author::Template => "template",
            Author::Model => "model",
        }
    }
}

/// Which answer a document is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The first.
    First,
    /// The one after the faults of the first were told.
    Repaired,
}

impl Answer {
    /// The answer's name in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Answer::First => "first",
            Answer::Repaired => "repaired",
        }
    }
}

/// The rules that findings break, one for each finding.
fn rules(findings: &[Finding]) -> Vec<Rule> {
    findings.iter().map(|finding| finding.rule).collect()
}

/// Nobody follows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn step(&self, _: Step) {}

    fn so_far(&self, _: &Content) {}

    fn used(&self, _: Usage) {}

    fn found(&self, _: Author, _: Answer, _: &[Rule]) {}
}

/// How far the writing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The brief is read.
    Reading,
    /// The page's parts and their order are chosen.
    Planning,
    /// The page is written.
    Writing {
        /// The blocks that are finished.
        blocks: usize,
    },
    /// The document is checked.
    Checking,
    /// The document was not valid and is written once more.
    Again,
}

impl Step {
    /// The step's name as it is stored and answered.
    pub fn as_str(self) -> &'static str {
        match self {
            Step::Reading => "reading",
            Step::Planning => "planning",
            Step::Writing { .. } => "writing",
            Step::Checking => "checking",
            Step::Again => "again",
        }
    }
}
