//! What a visitor has sent, as answers show it.

use pagesmith_model::example::example;
use pagesmith_model::form::answers::Agreement;
use pagesmith_model::form::enrichment::Enrichment;
use pagesmith_model::form::submission::Submission;
use pagesmith_model::json::JsonText;
use pagesmith_model::{AudienceId, PageId, PersonId, SubmissionId, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::collection::CollectionItem;

/// What became of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Status {
    /// It is accepted.
    Accepted,
    /// It is kept apart.
    Spam,
}

/// A judgement of a submission.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdateFormSubmissionRequest", example = json!({ "status": "accepted" }))]
pub(crate) struct SubmissionPatch {
    /// `spam` to keep the submission apart, `accepted` to release it.
    status: Status,
}

impl SubmissionPatch {
    pub(crate) fn is_spam(self) -> bool {
        self.status == Status::Spam
    }
}

/// What a visitor has sent with a form.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FormSubmission", deny_unknown_fields)]
#[schemars(example = json!({
    "submissionId": "submission_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "formId": "form_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "audienceSessionId": "session_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "personId": "person_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "status": "accepted",
    "spamReasons": [],
    "input": { "email": "ada@example.com" },
    "agreements": [example::<Agreement>()],
    "utmParameters": { "utm_source": "newsletter" },
    "submittedAt": "2026-03-20T09:30:24.310Z",
    "acceptedAt": "2026-03-20T09:30:24.310Z",
    "enrichment": example::<EnrichmentView>(),
}))]
pub(crate) struct SubmissionView {
    /// Id of the submission.
    submission_id: SubmissionId,
    /// Id of the form, as the action of the page names it.
    form_id: String,
    /// Id of the page.
    page_id: PageId,
    /// Id of the audience.
    audience_id: AudienceId,
    /// Id of the visit. Null if it was not measured.
    audience_session_id: Option<String>,
    /// Id of the person. Null if the visitor could not be identified, or the submission was not
    /// accepted.
    person_id: Option<PersonId>,
    /// `accepted`, or `spam` if the submission is kept apart.
    status: Status,
    /// Reasons why the submission is suspicious.
    #[schemars(with = "Vec<String>")]
    spam_reasons: JsonText,
    /// Answers, by the keys of the fields.
    #[schemars(with = "Map<String, Value>")]
    input: JsonText,
    /// What the visitor agreed to: the words as they were shown, with the revision of the form and the language of the page.
    #[schemars(with = "Vec<Agreement>")]
    agreements: JsonText,
    /// Campaign parameters of the page's address.
    #[schemars(with = "std::collections::BTreeMap<String, String>")]
    utm_parameters: JsonText,
    /// When the form was submitted.
    submitted_at: Timestamp,
    /// When the submission was accepted and the event was sent.
    accepted_at: Option<Timestamp>,
    /// Result of the enrichment hook. Null if the tenant had no hook when the submission was accepted.
    enrichment: Option<EnrichmentView>,
}

/// What an enrichment hook returned about the sender of a submission.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FormEnrichment", deny_unknown_fields)]
#[schemars(example = json!({
    "status": "enriched",
    "enrichedData": { "company": "Example Inc." },
    "error": null,
    "endedAt": "2026-03-20T09:30:25.120Z",
}))]
pub(crate) struct EnrichmentView {
    /// `pending`, `enriched` or `failed`.
    #[schemars(extend("enum" = ["pending", "enriched", "failed"]))]
    status: &'static str,
    /// Data that the hook returned. Null unless the status is `enriched`.
    #[schemars(with = "Option<Map<String, Value>>")]
    enriched_data: Option<JsonText>,
    /// Why it failed. Null unless the status is `failed`.
    error: Option<String>,
    /// When it ended. Null while the status is `pending`.
    ended_at: Option<Timestamp>,
}

impl From<Enrichment> for EnrichmentView {
    fn from(enrichment: Enrichment) -> EnrichmentView {
        let Enrichment { status, data, error, ended_at } = enrichment;
        EnrichmentView { status: status.as_str(), enriched_data: data, error, ended_at }
    }
}

impl From<Submission> for SubmissionView {
    fn from(submission: Submission) -> SubmissionView {
        SubmissionView {
            submission_id: submission.submission_id,
            form_id: submission.form_id,
            page_id: submission.page_id,
            audience_id: submission.audience_id,
            audience_session_id: submission.session_id,
            person_id: submission.person_id,
            status: if submission.is_spam { Status::Spam } else { Status::Accepted },
            spam_reasons: submission.spam_reasons,
            input: submission.input,
            agreements: submission.agreements,
            utm_parameters: submission.utm_parameters,
            submitted_at: submission.submitted_at,
            accepted_at: submission.accepted_at,
            enrichment: submission.enrichment.map(EnrichmentView::from),
        }
    }
}

impl CollectionItem for SubmissionView {
    const COLLECTION: &str = "A part of the list of form submissions.";
}
