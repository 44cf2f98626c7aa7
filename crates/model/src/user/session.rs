//! Sessions of users: how long one lasts, when its token is replaced, and when its use is written down.
//!
//! What this is not: a visitor's session ([`crate::visit`]), nor the token, of which only a digest is kept elsewhere.
//! A session ends when nobody has used it for a while, at the latest after its lifetime. Its token is replaced now and then: the old
//! one is taken for a minute more, for what the browser has sent meanwhile, and never longer.

use std::time::Duration;

use crate::id::{UserId, UserSessionId};
use crate::time::Timestamp;

/// A token that is as old is replaced.
pub const ROTATED_AFTER: Duration = Duration::from_hours(1);
/// A token that was replaced is taken for so long.
pub const OLDER_TOKEN_FOR: Duration = Duration::from_mins(1);
/// When a session was last seen is written down no more often.
pub const NOTED_EVERY: Duration = Duration::from_mins(1);
/// How many sessions a user may have; beyond that, the one ends that was not seen for longest.
pub const MOST_OF_USER: usize = 50;
/// The most characters of what a browser says of itself that are kept.
pub const LONGEST_CLIENT: usize = 200;

/// How long sessions last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionLimits {
    /// Without use for so long a session ends.
    pub idle: Duration,
    /// After so long it ends in any case.
    pub lifetime: Duration,
}

impl SessionLimits {
    /// What the settings say unless they are changed.
    pub const USUAL: SessionLimits =
        SessionLimits { idle: Duration::from_hours(12), lifetime: Duration::from_hours(30 * 24) };
}

/// A session, without its token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its id, safe to show.
    pub user_session_id: UserSessionId,
    /// Who is signed in.
    pub user_id: UserId,
    /// What the browser said of itself when it was last seen.
    pub client: String,
    /// The network it was last seen in: 24 bits of an IPv4 address, 48 of an IPv6 one.
    pub network: String,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last seen, to the minute.
    pub last_seen_at: Timestamp,
    /// When it ends unless it is used until then.
    pub expires_at: Timestamp,
    /// When it ends in any case.
    pub ends_at: Timestamp,
    /// From when on its token is to be replaced.
    pub rotates_at: Timestamp,
}

/// Which of a session's tokens was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresentedToken {
    /// The present one.
    Present,
    /// The one before, which is taken until then.
    Older(Timestamp),
}

/// What is to be written when a session is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Upkeep {
    /// Nothing.
    Nothing,
    /// When it was seen.
    Seen,
    /// When it was seen, and another token.
    Rotate,
}

impl Session {
    /// A session that begins now.
    pub fn begin(
        user_session_id: UserSessionId,
        user_id: UserId,
        client: (String, String),
        now: Timestamp,
        limits: SessionLimits,
    ) -> Session {
        let (client, network) = client;
        let ends_at = now.plus(limits.lifetime);
        Session {
            user_session_id,
            user_id,
            client,
            network,
            created_at: now,
            last_seen_at: now,
            expires_at: now.plus(limits.idle).min(ends_at),
            ends_at,
            rotates_at: now.plus(ROTATED_AFTER),
        }
    }

    /// Whether a token of it opens anything at `now`.
    pub fn is_open(&self, shown: PresentedToken, now: Timestamp) -> bool {
        let is_taken = match shown {
            PresentedToken::Present => true,
            PresentedToken::Older(until) => now < until,
        };
        is_taken && now < self.expires_at && now < self.ends_at
    }

    /// What is to be written when it is used at `now`. Who shows an older token gets no other one: that belongs to whoever has the present one.
    pub fn upkeep(&self, shown: PresentedToken, now: Timestamp) -> Upkeep {
        if shown == PresentedToken::Present && now >= self.rotates_at {
            Upkeep::Rotate
        } else if now.since(self.last_seen_at) >= NOTED_EVERY {
            Upkeep::Seen
        } else {
            Upkeep::Nothing
        }
    }

    /// The same session, seen at `now`, with another token if that is due.
    #[must_use]
    pub fn seen(mut self, upkeep: Upkeep, now: Timestamp, limits: SessionLimits) -> Session {
        if upkeep == Upkeep::Nothing {
            return self;
        }
        self.last_seen_at = self.last_seen_at.max(now);
        self.expires_at = self.last_seen_at.plus(limits.idle).min(self.ends_at);
        if upkeep == Upkeep::Rotate {
            self.rotates_at = now.plus(ROTATED_AFTER);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LIMITS: SessionLimits =
        SessionLimits { idle: Duration::from_hours(12), lifetime: Duration::from_hours(48) };

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(1_772_366_400_000_000).plus(Duration::from_secs(seconds))
    }

    fn begin() -> Session {
        let (id, user) = (UserSessionId::from_bytes([1; 16]), UserId::from_bytes([2; 16]));
        Session::begin(id, user, ("Browser".to_owned(), "192.0.2.0/24".to_owned()), at(0), LIMITS)
    }

    #[test]
    fn a_session_ends_without_use_and_after_its_lifetime() {
        let session = begin();
        assert!(session.is_open(PresentedToken::Present, at(12 * 3600 - 1)));
        assert!(!session.is_open(PresentedToken::Present, at(12 * 3600)));
        let mut used = session;
        for hour in 1..48 {
            assert!(used.is_open(PresentedToken::Present, at(hour * 3600)));
            used = used.clone().seen(
                used.upkeep(PresentedToken::Present, at(hour * 3600)),
                at(hour * 3600),
                LIMITS,
            );
        }
        assert!(!used.is_open(PresentedToken::Present, at(48 * 3600)), "it was used all the time");
    }

    #[test]
    fn a_lifetime_that_is_shorter_than_the_idle_time_counts() {
        let limits = SessionLimits { idle: Duration::from_hours(12), lifetime: Duration::from_hours(1) };
        let (id, user) = (UserSessionId::from_bytes([1; 16]), UserId::from_bytes([2; 16]));
        let session = Session::begin(id, user, (String::new(), String::new()), at(0), limits);
        assert_eq!(session.expires_at, at(3600));
    }

    /// A session with its tokens, which are numbers here.
    struct SessionModel {
        session: Session,
        present: usize,
        older: Option<(usize, Timestamp)>,
    }

    proptest! {
        /// Requests with the present token, the one before it and even older ones, at any pace.
        #[test]
        fn tokens_and_times_are_as_promised(requests in prop::collection::vec((0..4_usize, prop_oneof![0..50_u64, 50..4_000_u64, 4_000..40_000_u64]), 1..300)) {
            let mut kept = SessionModel { session: begin(), present: 0, older: None };
            let (mut seconds, mut last_use, mut noted) = (0_u64, 0_u64, 0_u64);
            let mut made_at = vec![0_u64];
            for (behind, pause) in requests {
                seconds += pause;
                let now = at(seconds);
                let Some(token) = kept.present.checked_sub(behind) else { continue };
                let shown = if token == kept.present {
                    Some(PresentedToken::Present)
                } else {
                    kept.older.filter(|(older, _)| *older == token).map(|(_, until)| PresentedToken::Older(until))
                };
                let opens = shown.filter(|shown| kept.session.is_open(*shown, now));
                // What it should be, from the history alone.
                let replaced_at = made_at.get(token + 1).copied();
                let is_fresh = replaced_at.is_none_or(|at| token + 1 == kept.present && seconds < at + 60);
                let is_alive = seconds < 48 * 3600 && seconds < noted + 12 * 3600;
                prop_assert_eq!(opens.is_some(), is_fresh && is_alive, "token {} at {}", token, seconds);
                let Some(shown) = opens else { continue };
                last_use = last_use.max(seconds);
                let upkeep = kept.session.upkeep(shown, now);
                if upkeep == Upkeep::Rotate {
                    prop_assert!(token == kept.present && seconds >= made_at[token] + 3600);
                    kept.older = Some((kept.present, now.plus(OLDER_TOKEN_FOR)));
                    kept.present += 1;
                    made_at.push(seconds);
                }
                if upkeep != Upkeep::Nothing {
                    prop_assert!(upkeep == Upkeep::Rotate || seconds >= noted + 60, "written too often");
                    noted = seconds;
                }
                kept.session = kept.session.clone().seen(upkeep, now, LIMITS);
                prop_assert!(last_use - noted < 60);
                prop_assert!(kept.session.expires_at <= kept.session.ends_at);
            }
        }
    }
}
