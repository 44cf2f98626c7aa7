//! What a page agent is given: the page, its actions, and the person or account that it is for.
//!
//! What this is not: instructions of the service. Every text in it came from a caller or a visitor and is data, whatever it says.

use crate::Timestamp;
use crate::brand::Voice;
use crate::page::PageType;
use crate::page::action::Action;

/// The most log entries of a brief.
pub const MOST_LOGS: usize = 20;

/// A page to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct Brief {
    /// What the page is for.
    pub page_type: PageType,
    /// What the operator calls it.
    pub page_name: String,
    /// What it is about.
    pub page_context: String,
    /// What is special for this audience.
    pub supplementary_context: Option<String>,
    /// How the page's brand speaks.
    pub voice: Voice,
    /// The page's actions in their order, the audience's overrides applied.
    pub actions: Vec<Action>,
    /// The person whose page it is.
    pub person: Option<PersonBrief>,
    /// The company that it is for.
    pub account: Option<AccountBrief>,
    /// What happened lately, newest first, at most [`MOST_LOGS`].
    pub logs: Vec<LogBrief>,
}

impl Brief {
    /// A page without actions, for nobody in particular.
    pub fn new(page_type: PageType, page_name: &str, page_context: &str) -> Brief {
        Brief {
            page_type,
            page_name: page_name.to_owned(),
            page_context: page_context.to_owned(),
            supplementary_context: None,
            voice: Voice::default(),
            actions: Vec::new(),
            person: None,
            account: None,
            logs: Vec::new(),
        }
    }
}

/// A person, as far as an agent may know them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonBrief {
    /// What they are called.
    pub name: String,
    /// Their e-mail address.
    pub email: Option<String>,
    /// Their company's domain.
    pub domain: Option<String>,
    /// What an import knew besides: names of columns and texts.
    pub columns: Vec<(String, String)>,
}

/// A company.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountBrief {
    /// What it is called.
    pub name: Option<String>,
    /// Its domain.
    pub domain: String,
}

/// An entry of the log of the person or the account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogBrief {
    /// The system that it comes from.
    pub source: String,
    /// What happened.
    pub kind: String,
    /// When.
    pub at: Timestamp,
    /// The text of a JSON object.
    pub payload: String,
}
