//! Events as receivers read them: the body of a delivery, and the payload of each type of event.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::example::example;
use crate::id::EventId;
use crate::time::Timestamp;
use crate::version::life::VersionEvent;
use crate::webhook::EventType;

/// The body of a delivery.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "{P}Event", example = json!({
    "timestamp": "2026-03-20T09:30:24.310Z",
    "eventId": "event_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "payload": example::<P>(),
}))]
pub struct EventBody<'a, P> {
    /// When the event happened.
    pub timestamp: Timestamp,
    /// Id of the event. It is the same in every delivery attempt, so that a receiver can recognise duplicates.
    #[schemars(with = "String")]
    pub event_id: &'a EventId,
    /// What happened.
    pub payload: P,
}

/// A version of an audience was created.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(example = json!({
    "type": "page.version.created",
    "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "versionId": "version_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "createdAt": "2026-03-20T09:30:24.310Z",
}))]
pub struct VersionCreated<'a> {
    /// Type of the event.
    #[serde(rename = "type")]
    #[schemars(with = "String", extend("const" = "page.version.created"))]
    kind: EventType,
    /// Id of the page.
    #[schemars(length(min = 1))]
    page_id: &'a str,
    /// Id of the version.
    #[schemars(length(min = 1))]
    version_id: &'a str,
    /// When the version was created.
    created_at: Timestamp,
}

/// The generation of a version has ended: it is a draft, or published.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(example = json!({
    "type": "page.version.processed",
    "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "versionId": "version_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "processedAt": "2026-03-20T09:30:24.310Z",
}))]
pub struct VersionProcessed<'a> {
    /// Type of the event.
    #[serde(rename = "type")]
    #[schemars(with = "String", extend("const" = "page.version.processed"))]
    kind: EventType,
    /// Id of the page.
    #[schemars(length(min = 1))]
    page_id: &'a str,
    /// Id of the version.
    #[schemars(length(min = 1))]
    version_id: &'a str,
    /// When the version was generated.
    processed_at: Timestamp,
}

/// A version has gone live.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(example = json!({
    "type": "page.version.published",
    "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "versionId": "version_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "publishedAt": "2026-03-20T09:30:24.310Z",
}))]
pub struct VersionPublished<'a> {
    /// Type of the event.
    #[serde(rename = "type")]
    #[schemars(with = "String", extend("const" = "page.version.published"))]
    kind: EventType,
    /// Id of the page.
    #[schemars(length(min = 1))]
    page_id: &'a str,
    /// Id of the version.
    #[schemars(length(min = 1))]
    version_id: &'a str,
    /// When the version went live.
    published_at: Timestamp,
}

/// The payload of an event of a version.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum VersionPayload<'a> {
    /// Of `page.version.created`.
    Created(VersionCreated<'a>),
    /// Of `page.version.processed`.
    Processed(VersionProcessed<'a>),
    /// Of `page.version.published`.
    Published(VersionPublished<'a>),
}

impl<'a> VersionPayload<'a> {
    /// The payload of the event, which happened at `at`.
    pub fn new(event: VersionEvent, page_id: &'a str, version_id: &'a str, at: Timestamp) -> Self {
        let kind = EventType::of(event);
        match event {
            VersionEvent::Created => {
                VersionPayload::Created(VersionCreated { kind, page_id, version_id, created_at: at })
            }
            VersionEvent::Processed => {
                VersionPayload::Processed(VersionProcessed { kind, page_id, version_id, processed_at: at })
            }
            VersionEvent::Published => {
                VersionPayload::Published(VersionPublished { kind, page_id, version_id, published_at: at })
            }
        }
    }
}

/// A visitor has submitted a form.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(example = json!({
    "type": "form.submitted",
    "formId": "form_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "submissionId": "submission_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "submittedAt": "2026-03-20T09:30:24.310Z",
    "input": { "email": "ada@example.com" },
    "utmParameters": { "utm_source": "newsletter" },
}))]
pub struct FormSubmitted<'a> {
    /// Type of the event.
    #[serde(rename = "type")]
    #[schemars(with = "String", extend("const" = "form.submitted"))]
    pub kind: EventType,
    /// Id of the form.
    #[schemars(length(min = 1))]
    pub form_id: &'a str,
    /// Id of the submission.
    #[schemars(length(min = 1))]
    pub submission_id: &'a str,
    /// When the form was submitted.
    pub submitted_at: Timestamp,
    /// What the visitor entered, by the names of the fields.
    pub input: Map<String, Value>,
    /// Campaign parameters of the page's address.
    #[serde(default)]
    pub utm_parameters: BTreeMap<String, String>,
}

/// A submission was enriched.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(example = json!({
    "type": "form.enriched",
    "formId": "form_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "submissionId": "submission_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "enrichedAt": "2026-03-20T09:30:24.310Z",
    "enrichedData": { "company": "Example Inc." },
}))]
pub struct FormEnriched<'a> {
    /// Type of the event.
    #[serde(rename = "type")]
    #[schemars(with = "String", extend("const" = "form.enriched"))]
    pub kind: EventType,
    /// Id of the form.
    #[schemars(length(min = 1))]
    pub form_id: &'a str,
    /// Id of the submission.
    #[schemars(length(min = 1))]
    pub submission_id: &'a str,
    /// When the submission was enriched.
    pub enriched_at: Timestamp,
    /// What was found out.
    pub enriched_data: Map<String, Value>,
}

/// A submission could not be enriched.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(example = json!({
    "type": "form.enrichment_failed",
    "formId": "form_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "submissionId": "submission_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "failedAt": "2026-03-20T09:30:24.310Z",
    "error": "Nothing was found about ada@example.com.",
}))]
pub struct FormEnrichmentFailed<'a> {
    /// Type of the event.
    #[serde(rename = "type")]
    #[schemars(with = "String", extend("const" = "form.enrichment_failed"))]
    pub kind: EventType,
    /// Id of the form.
    #[schemars(length(min = 1))]
    pub form_id: &'a str,
    /// Id of the submission.
    #[schemars(length(min = 1))]
    pub submission_id: &'a str,
    /// When the enrichment failed.
    pub failed_at: Timestamp,
    /// Why it failed.
    #[schemars(length(min = 1))]
    pub error: &'a str,
}
