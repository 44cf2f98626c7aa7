//! What can be told, and a choice among it.
//!
//! A choice is kept as the list that was given and as bits, by which a statement finds the subscriptions of an event. Bits are
//! never given another meaning: they are stored.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::version::life::VersionEvent;

/// A type of event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub enum EventType {
    /// A version was made.
    #[serde(rename = "page.version.created")]
    VersionCreated,
    /// A version was written.
    #[serde(rename = "page.version.processed")]
    VersionProcessed,
    /// A version went live.
    #[serde(rename = "page.version.published")]
    VersionPublished,
    /// A visitor sent a form.
    #[serde(rename = "form.submitted")]
    FormSubmitted,
    /// What a visitor sent was enriched.
    #[serde(rename = "form.enriched")]
    FormEnriched,
    /// What a visitor sent could not be enriched.
    #[serde(rename = "form.enrichment_failed")]
    FormEnrichmentFailed,
}

impl EventType {
    /// Every type.
    pub const ALL: [EventType; 6] = [
        EventType::VersionCreated,
        EventType::VersionProcessed,
        EventType::VersionPublished,
        EventType::FormSubmitted,
        EventType::FormEnriched,
        EventType::FormEnrichmentFailed,
    ];

    /// The type as it is stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            EventType::VersionCreated => "page.version.created",
            EventType::VersionProcessed => "page.version.processed",
            EventType::VersionPublished => "page.version.published",
            EventType::FormSubmitted => "form.submitted",
            EventType::FormEnriched => "form.enriched",
            EventType::FormEnrichmentFailed => "form.enrichment_failed",
        }
    }

    /// The type of that text.
    pub fn parse(text: &str) -> Option<EventType> {
        EventType::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// The type that tells of this event of a version.
    pub fn of(event: VersionEvent) -> EventType {
        match event {
            VersionEvent::Created => EventType::VersionCreated,
            VersionEvent::Processed => EventType::VersionProcessed,
            VersionEvent::Published => EventType::VersionPublished,
        }
    }

    /// The type's bit in a stored choice.
    pub fn bit(self) -> i64 {
        match self {
            EventType::VersionCreated => 1,
            EventType::VersionProcessed => 2,
            EventType::VersionPublished => 4,
            EventType::FormSubmitted => 8,
            EventType::FormEnriched => 16,
            EventType::FormEnrichmentFailed => 32,
        }
    }
}

/// Which types a subscription wants: a list without doubles, or all, also those to come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection(Option<Vec<EventType>>);

impl Selection {
    /// The choice of a list that was given; doubles are dropped.
    pub fn of(given: Option<&[EventType]>) -> Selection {
        Selection(given.map(|given| {
            let mut kept = Vec::new();
            for kind in given {
                if !kept.contains(kind) {
                    kept.push(*kind);
                }
            }
            kept
        }))
    }

    /// The list; `None` for all.
    pub fn types(&self) -> Option<&[EventType]> {
        self.0.as_deref()
    }

    /// The bits of everything chosen.
    pub fn bits(&self) -> i64 {
        self.0.as_ref().map_or(-1, |types| types.iter().fold(0, |bits, kind| bits | kind.bit()))
    }

    /// The list as it is stored: names with blanks between them.
    pub fn to_stored(&self) -> Option<String> {
        self.0.as_ref().map(|types| types.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(" "))
    }

    /// The choice that was stored; `None` if it has a name of no type.
    pub fn from_stored(text: Option<&str>) -> Option<Selection> {
        let Some(text) = text else { return Some(Selection(None)) };
        text.split(' ').map(EventType::parse).collect::<Option<Vec<_>>>().map(|types| Selection(Some(types)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_type_has_a_bit_and_a_name_of_its_own() {
        let all = EventType::ALL.iter().fold(0, |bits, kind| bits | kind.bit());
        assert_eq!(all.count_ones(), 6);
        for kind in EventType::ALL {
            assert_eq!(EventType::parse(kind.as_str()), Some(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
            assert_ne!(Selection::of(None).bits() & kind.bit(), 0);
        }
    }

    proptest! {
        #[test]
        fn a_choice_comes_back_and_holds_just_its_types(
            given in prop::collection::vec(prop::sample::select(EventType::ALL.to_vec()), 1..9),
        ) {
            let selection = Selection::of(Some(&given));
            for kind in EventType::ALL {
                prop_assert_eq!(selection.bits() & kind.bit() != 0, given.contains(&kind));
            }
            let stored = selection.to_stored();
            prop_assert_eq!(Selection::from_stored(stored.as_deref()), Some(selection.clone()));
            let types = selection.types().unwrap();
            prop_assert!(types.iter().enumerate().all(|(at, kind)| !types[..at].contains(kind)));
        }
    }
}
