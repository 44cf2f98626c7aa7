//! A version as answers show it.

use std::borrow::Cow;

use pagesmith_model::json::JsonText;
use pagesmith_model::version::{Version, VersionStatus};
use pagesmith_model::{AudienceId, Result, Timestamp, VersionId};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use crate::api::collection::collection;

/// A version of an audience.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AudienceVersion", deny_unknown_fields)]
pub(crate) struct VersionView {
    /// Its id.
    version_id: VersionId,
    /// Its audience.
    audience_id: AudienceId,
    /// Its place among the audience's versions, from 1.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = 9_007_199_254_740_991_u64))]
    version_number: i64,
    /// Where it is in its life.
    status: VersionStatus,
    /// Always true.
    is_new_page_agent: bool,
    /// What was known especially of the audience when it was made.
    supplementary_context: Option<String>,
    /// How long it waited to be written, in milliseconds.
    #[schemars(with = "Option<f64>")]
    queue_duration_ms: Option<i64>,
    /// When it was made.
    created_at: Timestamp,
    /// When it was last queued.
    queued_at: Option<Timestamp>,
    /// When it was written.
    became_draft_at: Option<Timestamp>,
    /// When it last went live.
    published_at: Option<Timestamp>,
    /// When it was called off, while it is.
    cancelled_at: Option<Timestamp>,
    /// When it was replaced, while it is not live again.
    archived_at: Option<Timestamp>,
    /// Since when a newer version makes it one of the past.
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

collection!(
    /// Versions, as a part of a collection.
    AudienceVersionCollection,
    VersionView,
    u64
);

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
