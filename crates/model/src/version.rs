//! Versions: what an audience's page says, from the first draft to the archive.
//!
//! [`Version`] is what is kept of one besides its content. How it may move from state to state, what each move notes and what it
//! sets off elsewhere is in [`life`] and nowhere else; what runs it in a database is `operations/versions.rs`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{AudienceId, PageId, VersionId};

#[cfg(test)]
mod explore;
pub mod history;
pub mod life;
pub mod schedule;

pub use life::Life;

/// Where a version is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum VersionStatus {
    /// Was live and has been replaced.
    Archived,
    /// Called off; what had been written is kept.
    Cancelled,
    /// Written, and not live.
    Draft,
    /// Waits because another version of the audience is being written.
    Pending,
    /// Is being written.
    Processing,
    /// Live.
    Published,
    /// Waits for somebody to write it.
    Queued,
}

impl VersionStatus {
    /// Every status.
    pub const ALL: [VersionStatus; 7] = [
        VersionStatus::Archived,
        VersionStatus::Cancelled,
        VersionStatus::Draft,
        VersionStatus::Pending,
        VersionStatus::Processing,
        VersionStatus::Published,
        VersionStatus::Queued,
    ];

    /// The status as it is stored and answered.
    pub fn as_str(self) -> &'static str {
        match self {
            VersionStatus::Archived => "archived",
            VersionStatus::Cancelled => "cancelled",
            VersionStatus::Draft => "draft",
            VersionStatus::Pending => "pending",
            VersionStatus::Processing => "processing",
            VersionStatus::Published => "published",
            VersionStatus::Queued => "queued",
        }
    }

    /// The status of that text.
    pub fn parse(text: &str) -> Option<VersionStatus> {
        VersionStatus::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// Whether it takes its audience's one turn at being written.
    pub fn is_generating(self) -> bool {
        matches!(self, VersionStatus::Queued | VersionStatus::Processing)
    }

    /// Whether it will still be written.
    pub fn is_unfinished(self) -> bool {
        self.is_generating() || self == VersionStatus::Pending
    }
}

/// What becomes of an audience's first version when it is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum PublishBehavior {
    /// It stays a draft.
    Draft,
    /// It goes live at once.
    #[default]
    Publish,
}

/// A version as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Its id.
    pub version_id: VersionId,
    /// Whose version it is.
    pub audience_id: AudienceId,
    /// The audience's page.
    pub page_id: PageId,
    /// What was known especially of the audience when it was made.
    pub supplementary_context: Option<String>,
    /// Everything that changes.
    pub life: Life,
}
