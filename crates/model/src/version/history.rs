//! The history of a version: what was done with it. Names of actions are stored and never change.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident $text:literal,)*) => {
        /// What was done with a version.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        #[schemars(inline)]
        pub enum VersionAction { $($(#[$doc])* $name,)* }

        impl VersionAction {
            /// Every action.
            pub const ALL: &[VersionAction] = &[$(VersionAction::$name,)*];

            /// The action as it is stored and answered.
            pub fn as_str(self) -> &'static str {
                match self { $(VersionAction::$name => $text,)* }
            }

            /// The action of that text.
            pub fn parse(text: &str) -> Option<VersionAction> {
                VersionAction::ALL.iter().copied().find(|action| action.as_str() == text)
            }
        }
    };
}

actions! {
    /// It was made.
    Created "created",
    /// It was made with the content of another version.
    Restored "restored",
    /// It was generated.
    Generated "generated",
    /// It could not be generated.
    Failed "failed",
    /// Its content was given by hand.
    Edited "edited",
    /// Its content was changed for a message.
    EditedByMessage "edited-by-message",
    /// It was called off.
    Cancelled "cancelled",
    /// It shall go live when it is generated.
    PublishRequested "publish-requested",
    /// It went live.
    Published "published",
    /// Another version has taken its place.
    Archived "archived",
    /// It was taken from its readers.
    Unpublished "unpublished",
    /// It was given a schedule.
    Scheduled "scheduled",
    /// Its schedule was removed.
    Unscheduled "unscheduled",
    /// The time of its schedule had come, and it could not be published.
    ScheduleFailed "schedule-failed",
}

/// What else is known of what was done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    /// The version whose content it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_version_id: Option<String>,
    /// The message that was carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// When it shall go live.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publish_at: Option<Timestamp>,
    /// When it shall not be live any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unpublish_at: Option<Timestamp>,
    /// Why it could not be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_is_answered_as_it_is_stored() {
        for action in VersionAction::ALL {
            assert_eq!(serde_json::to_value(action).unwrap(), action.as_str());
            assert_eq!(VersionAction::parse(action.as_str()), Some(*action));
        }
    }
}
