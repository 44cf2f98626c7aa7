//! What an event tells, as receivers read it.

use serde::Serialize;

use crate::time::Timestamp;
use crate::version::life::VersionEvent;
use crate::webhook::EventType;

/// What happened to a version; only the instant of that event is given.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionPayload<'a> {
    #[serde(rename = "type")]
    kind: EventType,
    page_id: &'a str,
    version_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    processed_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    published_at: Option<Timestamp>,
}

impl<'a> VersionPayload<'a> {
    /// Tells of the event that happened at an instant.
    pub fn new(event: VersionEvent, page_id: &'a str, version_id: &'a str, at: Timestamp) -> Self {
        let at = |wanted| (event == wanted).then_some(at);
        VersionPayload {
            kind: EventType::of(event),
            page_id,
            version_id,
            created_at: at(VersionEvent::Created),
            processed_at: at(VersionEvent::Processed),
            published_at: at(VersionEvent::Published),
        }
    }
}
