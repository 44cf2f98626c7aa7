//! A version as answers show it.

use std::borrow::Cow;

use pagesmith_model::json::JsonText;
use pagesmith_model::version::{Version, VersionStatus};
use pagesmith_model::{AudienceId, Result, Timestamp, VersionId};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::collection::CollectionItem;

/// A version of an audience.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AudienceVersion", deny_unknown_fields)]
#[schemars(example = json!({
    "versionId": "version_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "versionNumber": 1,
    "status": "published",
    "isNewPageAgent": true,
    "supplementaryContext": "Heads of finance in companies of 50 to 500 people.",
    "queueDurationMs": 412,
    "createdAt": "2026-03-20T09:30:00.000Z",
    "queuedAt": "2026-03-20T09:30:00.000Z",
    "becameDraftAt": "2026-03-20T09:30:24.310Z",
    "publishedAt": "2026-03-20T09:30:24.310Z",
    "cancelledAt": null,
    "archivedAt": null,
    "obsoleteAt": null,
}))]
pub(crate) struct VersionView {
    /// Id of the version.
    version_id: VersionId,
    /// Id of its audience.
    audience_id: AudienceId,
    /// Number of the version within its audience, from 1 and without gaps.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = 9_007_199_254_740_991_u64))]
    version_number: i64,
    /// Where the version is: `pending`, `queued`, `processing`, `draft`, `published`, `archived` or
    /// `cancelled`.
    status: VersionStatus,
    /// Always true.
    is_new_page_agent: bool,
    /// What was known about the audience in particular when the version was created.
    supplementary_context: Option<String>,
    /// How long the version was queued, in milliseconds.
    #[schemars(with = "Option<f64>")]
    queue_duration_ms: Option<i64>,
    /// When the version was created.
    created_at: Timestamp,
    /// When the version was last queued.
    queued_at: Option<Timestamp>,
    /// When the version was generated.
    became_draft_at: Option<Timestamp>,
    /// When the version last went live.
    published_at: Option<Timestamp>,
    /// When the version was cancelled. Cleared when it goes live after all.
    cancelled_at: Option<Timestamp>,
    /// When the version was replaced by another one. Cleared when it goes live again.
    archived_at: Option<Timestamp>,
    /// When a newer version went live. Cleared when this one goes live again.
    obsolete_at: Option<Timestamp>,
}

impl From<Version> for VersionView {
    fn from(version: Version) -> VersionView {
        let life = version.life;
        VersionView {
            version_id: version.version_id,
            audience_id: version.audience_id,
            version_number: life.number,
            status: life.status,
            is_new_page_agent: true,
            supplementary_context: version.supplementary_context,
            queue_duration_ms: life.queue_duration_ms(),
            created_at: life.created_at,
            queued_at: life.queued_at,
            became_draft_at: life.became_draft_at,
            published_at: life.published_at,
            cancelled_at: life.cancelled_at,
            archived_at: life.archived_at,
            obsolete_at: life.obsolete_at,
        }
    }
}

impl CollectionItem for VersionView {
    const COLLECTION: &str = "A part of the list of an audience's versions.";
}

/// A [`VersionView`] as it was first answered.
pub(crate) struct VersionAnswer(pub(crate) JsonText);

impl VersionAnswer {
    /// The text of an answer.
    pub(crate) fn of(version: Version) -> Result<JsonText> {
        JsonText::of(&VersionView::from(version))
    }
}

impl Serialize for VersionAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl JsonSchema for VersionAnswer {
    fn schema_name() -> Cow<'static, str> {
        VersionView::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        VersionView::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        VersionView::json_schema(generator)
    }
}
