//! Sample events, for a test of a subscription: of the very shape of real ones, about things that do not exist.

use std::collections::BTreeMap;

use serde_json::Map;

use crate::json::JsonText;
use crate::time::Timestamp;
use crate::version::life::VersionEvent;
use crate::webhook::EventType;
use crate::webhook::payload::{FormEnriched, FormEnrichmentFailed, FormSubmitted, VersionPayload};

const PAGE_ID: &str = "page_00000000000000000000000000";
const VERSION_ID: &str = "version_00000000000000000000000000";
const FORM_ID: &str = "form_00000000000000000000000000";
const SUBMISSION_ID: &str = "submission_00000000000000000000000000";

/// A payload of that type.
pub fn payload(kind: EventType, now: Timestamp) -> crate::Result<JsonText> {
    let version = |event| JsonText::of(&VersionPayload::new(event, PAGE_ID, VERSION_ID, now));
    let (form_id, submission_id) = (FORM_ID, SUBMISSION_ID);
    match kind {
        EventType::VersionCreated => version(VersionEvent::Created),
        EventType::VersionProcessed => version(VersionEvent::Processed),
        EventType::VersionPublished => version(VersionEvent::Published),
        EventType::FormSubmitted => JsonText::of(&FormSubmitted {
            kind,
            form_id,
            submission_id,
            submitted_at: now,
            input: Map::from_iter([("email".to_owned(), "jane@example.com".into())]),
            utm_parameters: BTreeMap::new(),
        }),
        EventType::FormEnriched => JsonText::of(&FormEnriched {
            kind,
            form_id,
            submission_id,
            enriched_at: now,
            enriched_data: Map::new(),
        }),
        EventType::FormEnrichmentFailed => JsonText::of(&FormEnrichmentFailed {
            kind,
            form_id,
            submission_id,
            failed_at: now,
            error: "Nothing was found about jane@example.com.",
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_stands_first() {
        for kind in EventType::ALL {
            let payload = payload(kind, Timestamp::from_micros(0)).unwrap();
            assert!(payload.as_str().starts_with(&format!("{{\"type\":\"{}\",", kind.as_str())));
        }
    }
}
