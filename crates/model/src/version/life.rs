//! The life of a version, as a pure state machine.
//!
//! ```text
//! pending ─► queued ◄─► processing ─► draft ─► published ─► archived
//!    └─────────┴─────── cancel ─┴─► cancelled ── publish ─┴────┘
//! ```
//!
//! A [`Command`] moves one version; what it must know of the audience's other versions comes in [`Siblings`], and what it sets
//! off there goes out as [`Effect`]s. Invariants, for whoever carries out every effect with its command at once: an audience has at
//! most one published version and at most one that is queued or processing; no version waits for ever; every event is emitted once.

use serde_json::json;

use super::VersionStatus;
use crate::error::{Error, Kind, Result};
use crate::time::Timestamp;

/// How often a version is tried to be written before it is given up.
pub const TRIES: i64 = 3;

/// Everything of a version that changes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Life {
    /// Its place among the audience's versions, from 1.
    pub number: i64,
    /// Where it is.
    pub status: VersionStatus,
    /// Whether it goes live as soon as it is written.
    pub publish_when_ready: bool,
    /// Whether there is something to read.
    pub has_content: bool,
    /// How often it was begun to be written since it was queued.
    pub tries: i64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last queued.
    pub queued_at: Option<Timestamp>,
    /// When it was first begun to be written since then.
    pub started_at: Option<Timestamp>,
    /// When it was written.
    pub became_draft_at: Option<Timestamp>,
    /// When it last went live.
    pub published_at: Option<Timestamp>,
    /// When it was called off, while it is.
    pub cancelled_at: Option<Timestamp>,
    /// When it was replaced or taken from its readers, while it is not live again.
    pub archived_at: Option<Timestamp>,
    /// Since when a newer version makes it one of the past.
    pub obsolete_at: Option<Timestamp>,
}

/// What can happen to a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// No other version of the audience is being written, and it is the oldest that waits.
    TakeTurn,
    /// A worker begins to write it.
    Claim,
    /// The worker is lost, or could not write it.
    Fail {
        /// Whether another try may help.
        again: bool,
        /// Whether something was written.
        kept: bool,
    },
    /// The worker stops and leaves it to another.
    HandBack,
    /// It is written.
    Finish,
    /// Its content was given by hand.
    Edit,
    /// It is called off.
    Cancel {
        /// Whether something had been written.
        kept: bool,
    },
    /// It shall be live.
    Publish,
    /// Another version has taken its place.
    Replace,
    /// A newer version has gone live before it.
    Overtake,
    /// It shall not be live any more, or not go live when it is written.
    Unpublish,
    /// Its audience was archived.
    Abandon {
        /// Whether something had been written.
        kept: bool,
    },
}

/// What a version must know of its siblings: the other versions of its audience.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Siblings {
    /// The number of the version that is live.
    pub published: Option<i64>,
    /// Whether another version is queued or processing.
    pub is_generating: bool,
}

/// What is reported to the tenant's webhooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VersionEvent {
    /// It was made.
    Created,
    /// It was written.
    Processed,
    /// It went live.
    Published,
}

/// What a command sets off beyond its version, in the same transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The event is emitted.
    Emit(VersionEvent),
    /// The version that was live until now is given [`Command::Replace`].
    ReplaceLive,
    /// Drafts of lower numbers that no version has overtaken yet are given [`Command::Overtake`].
    OvertakeOlder,
    /// The pending version of the lowest number is given [`Command::TakeTurn`].
    PassTurn,
}

/// A version after a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// What has become of it.
    pub life: Life,
    /// What follows from it.
    pub effects: Vec<Effect>,
}

impl Life {
    /// A new version.
    pub fn begin(number: i64, publish_when_ready: bool, siblings: Siblings, now: Timestamp) -> Moved {
        let life = Life {
            number,
            status: VersionStatus::Pending,
            publish_when_ready,
            has_content: false,
            tries: 0,
            created_at: now,
            queued_at: None,
            started_at: None,
            became_draft_at: None,
            published_at: None,
            cancelled_at: None,
            archived_at: None,
            obsolete_at: None,
        };
        Moved { life: life.wait(siblings, now), effects: vec![Effect::Emit(VersionEvent::Created)] }
    }

    /// A version that begins as a draft with the content of another one; nobody has to write it.
    pub fn copied(number: i64, now: Timestamp) -> Moved {
        let begun = Life::begin(number, false, Siblings { is_generating: true, ..Siblings::default() }, now);
        let life = Life {
            status: VersionStatus::Draft,
            has_content: true,
            became_draft_at: Some(now),
            ..begun.life
        };
        Moved { life, effects: begun.effects }
    }

    /// How long it waited to be written, in milliseconds.
    pub fn queue_duration_ms(&self) -> Option<i64> {
        let waited = self.started_at?.since(self.queued_at?);
        i64::try_from(waited.as_millis()).ok()
    }

    /// The version after a command, or a conflict that names its status.
    pub fn after(&self, command: Command, siblings: Siblings, now: Timestamp) -> Result<Moved> {
        use VersionStatus::{Archived, Cancelled, Draft, Pending, Processing, Published, Queued};
        let still = |life: Life| Ok(Moved { life, effects: vec![] });
        let life = self.clone();
        match (command, self.status) {
            (Command::TakeTurn, Pending) => {
                still(life.wait(Siblings { is_generating: false, ..siblings }, now))
            }
            (Command::Claim, Queued) => still(Life {
                status: Processing,
                started_at: self.started_at.or(Some(now)),
                tries: self.tries + 1,
                ..life
            }),
            (Command::HandBack, Processing) => still(Life { status: Queued, tries: self.tries - 1, ..life }),
            (Command::Fail { again: true, .. }, Processing) if self.tries < TRIES => {
                still(Life { status: Queued, ..life })
            }
            (Command::Fail { kept, .. }, Processing) | (Command::Cancel { kept }, Queued | Processing) => {
                Ok(life.cancelled(kept, now, true))
            }
            (Command::Cancel { kept }, Pending)
            | (Command::Abandon { kept }, Pending | Queued | Processing) => {
                Ok(life.cancelled(kept, now, false))
            }
            (Command::Finish, Processing) => Ok(life.finished(siblings, now)),
            (Command::Edit, Draft) => still(life),
            (Command::Edit, Cancelled) => still(Life { has_content: true, ..life }),
            (Command::Publish, Published) => still(life),
            (Command::Publish, Pending | Queued | Processing) => {
                still(Life { publish_when_ready: true, ..life })
            }
            (Command::Publish, Cancelled) if !self.has_content => {
                let waiting = Life { publish_when_ready: true, cancelled_at: None, tries: 0, ..life };
                still(waiting.wait(siblings, now))
            }
            (Command::Publish, Draft | Cancelled | Archived) => Ok(life.live(siblings, now)),
            (Command::Replace, Published) => {
                still(Life { status: Archived, archived_at: Some(now), obsolete_at: Some(now), ..life })
            }
            (Command::Unpublish, Published) => {
                still(Life { status: Archived, archived_at: Some(now), ..life })
            }
            (Command::Unpublish, Pending | Queued | Processing) => {
                still(Life { publish_when_ready: false, ..life })
            }
            (Command::Overtake, Draft) => still(Life { obsolete_at: self.obsolete_at.or(Some(now)), ..life }),
            _ => Err(self.refusal()),
        }
    }

    /// Why a command is not possible now.
    fn refusal(&self) -> Error {
        let status = self.status.as_str();
        let details = json!({ "status": status });
        Error::new(Kind::Conflict(Some(details)), format!("This is not possible: the version is {status}."))
    }

    /// Queued, or pending while another version has the turn.
    fn wait(self, siblings: Siblings, now: Timestamp) -> Life {
        let (status, queued_at) = if siblings.is_generating {
            (VersionStatus::Pending, None)
        } else {
            (VersionStatus::Queued, Some(now))
        };
        Life { status, queued_at, started_at: None, ..self }
    }

    fn cancelled(self, kept: bool, now: Timestamp, had_the_turn: bool) -> Moved {
        let effects = if had_the_turn { vec![Effect::PassTurn] } else { vec![] };
        let life = Life {
            status: VersionStatus::Cancelled,
            publish_when_ready: false,
            has_content: self.has_content || kept,
            cancelled_at: Some(now),
            ..self
        };
        Moved { life, effects }
    }

    fn finished(self, siblings: Siblings, now: Timestamp) -> Moved {
        let is_overtaken = siblings.published.is_some_and(|published| published > self.number);
        let goes_live = self.publish_when_ready;
        let draft = Life {
            status: VersionStatus::Draft,
            has_content: true,
            became_draft_at: Some(now),
            obsolete_at: is_overtaken.then_some(now),
            ..self
        };
        let mut moved = Moved { life: draft, effects: vec![] };
        if goes_live {
            moved = moved.life.live(siblings, now);
        }
        moved.effects.insert(0, Effect::Emit(VersionEvent::Processed));
        moved.effects.push(Effect::PassTurn);
        moved
    }

    fn live(self, siblings: Siblings, now: Timestamp) -> Moved {
        let life = Life {
            status: VersionStatus::Published,
            publish_when_ready: false,
            published_at: Some(now),
            cancelled_at: None,
            archived_at: None,
            obsolete_at: None,
            ..self
        };
        let mut effects = vec![Effect::Emit(VersionEvent::Published)];
        if siblings.published.is_some() {
            effects.push(Effect::ReplaceLive);
        }
        effects.push(Effect::OvertakeOlder);
        Moved { life, effects }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    fn after(life: &Life, command: Command, siblings: Siblings, seconds: i64) -> Life {
        life.after(command, siblings, at(seconds)).unwrap().life
    }

    #[test]
    fn a_version_goes_from_the_queue_to_its_readers() {
        let free = Siblings::default();
        let queued = Life::begin(1, true, free, at(1)).life;
        assert_eq!((queued.status, queued.queued_at), (VersionStatus::Queued, Some(at(1))));
        let processing = after(&queued, Command::Claim, free, 3);
        assert_eq!(processing.queue_duration_ms(), Some(2_000));
        let moved = processing.after(Command::Finish, free, at(4)).unwrap();
        assert_eq!(moved.life.status, VersionStatus::Published);
        assert_eq!((moved.life.became_draft_at, moved.life.published_at), (Some(at(4)), Some(at(4))));
        let emitted = [VersionEvent::Processed, VersionEvent::Published].map(Effect::Emit);
        assert_eq!(moved.effects, [emitted[0], emitted[1], Effect::OvertakeOlder, Effect::PassTurn]);
        let archived = after(&moved.life, Command::Replace, free, 5);
        assert_eq!((archived.archived_at, archived.obsolete_at), (Some(at(5)), Some(at(5))));
        let again = after(&archived, Command::Publish, Siblings { published: Some(2), ..free }, 6);
        assert_eq!((again.published_at, again.archived_at, again.obsolete_at), (Some(at(6)), None, None));
    }

    #[test]
    fn a_lost_try_keeps_its_place_and_the_third_is_the_last() {
        let mut life = Life::begin(1, false, Siblings::default(), at(1)).life;
        for second in 2..4 {
            life = after(&life, Command::Claim, Siblings::default(), second);
            life = after(&life, Command::Fail { again: true, kept: false }, Siblings::default(), 10);
            assert_eq!((life.status, life.queued_at), (VersionStatus::Queued, Some(at(1))));
        }
        life = after(&life, Command::Claim, Siblings::default(), 11);
        assert_eq!(life.queue_duration_ms(), Some(1_000));
        life = after(&life, Command::Fail { again: true, kept: true }, Siblings::default(), 12);
        assert_eq!((life.status, life.has_content), (VersionStatus::Cancelled, true));
    }

    #[test]
    fn a_worker_that_stops_costs_no_try() {
        let mut life = Life::begin(1, false, Siblings::default(), at(1)).life;
        for _ in 0..10 {
            life = after(&life, Command::Claim, Siblings::default(), 2);
            life = after(&life, Command::HandBack, Siblings::default(), 2);
        }
        assert_eq!((life.status, life.tries), (VersionStatus::Queued, 0));
    }

    #[test]
    fn what_is_not_possible_is_refused_with_the_status() {
        let life = Life::begin(1, false, Siblings::default(), at(1)).life;
        let life = after(&life, Command::Cancel { kept: false }, Siblings::default(), 2);
        let refused = life.after(Command::Cancel { kept: false }, Siblings::default(), at(3)).unwrap_err();
        assert_eq!(*refused.kind(), Kind::Conflict(Some(json!({ "status": "cancelled" }))));
    }

    #[test]
    fn a_cancelled_version_without_content_is_queued_to_be_published() {
        let life = Life::begin(1, false, Siblings::default(), at(1)).life;
        let life = after(&life, Command::Claim, Siblings::default(), 2);
        let life = after(&life, Command::Cancel { kept: false }, Siblings::default(), 3);
        let busy = Siblings { is_generating: true, ..Siblings::default() };
        let pending = after(&life, Command::Publish, busy, 4);
        assert_eq!((pending.status, pending.queued_at), (VersionStatus::Pending, None));
        let queued = after(&life, Command::Publish, Siblings::default(), 4);
        assert_eq!((queued.status, queued.queued_at), (VersionStatus::Queued, Some(at(4))));
        assert_eq!((queued.cancelled_at, queued.started_at, queued.publish_when_ready), (None, None, true));
    }
}
