//! What an editor is asked, and what it answers.

use serde::{Deserialize, Serialize};

use crate::document::{Document, Material, Selection};
use crate::earlier::EarlierChange;
use crate::operation::Operation;

/// What an editor is asked.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The owner's message.
    pub message: &'a str,
    /// The page.
    pub document: &'a Document,
    /// What is selected.
    pub selection: Option<&'a Selection>,
    /// What may be put on the page.
    pub material: &'a Material,
    /// The changes before it, the newest first, which a message can take back one after the other.
    pub earlier: &'a [EarlierChange],
}

/// An operation with its reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edit {
    /// What was done.
    pub operation: Operation,
    /// The request that asked for it.
    pub reason: String,
}

/// How a message ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditOutcome {
    /// Something was changed.
    Done,
    /// It was ambiguous, and the answer names the candidates.
    Asked,
    /// It was understood, and cannot be done.
    Refused,
    /// It was not understood.
    NotUnderstood,
}

/// What an editor answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The page afterwards.
    pub document: Document,
    /// The page that the edits begin with: that of the request, without what was taken back.
    pub base: Document,
    /// What was done, in order.
    pub edits: Vec<Edit>,
    /// The answer to the owner.
    pub text: String,
    /// How it ended; the best of several requests.
    pub outcome: EditOutcome,
    /// Whether all of the message was understood.
    pub understood: bool,
    /// How many of the earlier changes were taken back, from the newest on.
    pub took_back: usize,
    /// Whether the page is to be written anew, for other readers.
    pub writes_anew: bool,
    /// The blocks that a question names.
    pub candidates: Vec<String>,
}
