//! A submission: what a visitor has sent with a form, and what became of it.

use crate::form::enrichment::Enrichment;
use crate::id::{AudienceId, PageId, PersonId, SubmissionId};
use crate::json::JsonText;
use crate::time::Timestamp;

/// What a visitor has sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// Its id, which tells when it was begun.
    pub submission_id: SubmissionId,
    /// The form, as the page names it.
    pub form_id: String,
    /// The page.
    pub page_id: PageId,
    /// The audience.
    pub audience_id: AudienceId,
    /// The visit, if one was measured.
    pub session_id: Option<String>,
    /// Whose it is, once it is accepted and tells who that is.
    pub person_id: Option<PersonId>,
    /// Whether it is kept apart.
    pub is_spam: bool,
    /// Why it is suspicious: names of signs.
    pub spam_reasons: JsonText,
    /// The answers, by the keys of the fields.
    pub input: JsonText,
    /// What was agreed to.
    pub agreements: JsonText,
    /// What the visitor is called and can be told by, for when it is released.
    pub contact: JsonText,
    /// The `utm_` parameters of the page's address.
    pub utm_parameters: JsonText,
    /// What tells a repetition that came without a token.
    pub digest: Option<Vec<u8>>,
    /// When it came.
    pub submitted_at: Timestamp,
    /// When it was accepted and told to subscriptions.
    pub accepted_at: Option<Timestamp>,
    /// What came of its enrichment, if a hook was told of it.
    pub enrichment: Option<Enrichment>,
}
