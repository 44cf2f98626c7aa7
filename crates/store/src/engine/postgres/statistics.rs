//! Statistics of tables that grow quickly.
//!
//! Plans are made by what ANALYZE has counted, and until it has they are made for tables that are nearly empty: then any index seems as good as
//! the right one, and a statement walks all of a tenant's rows. PostgreSQL counts by itself once a minute at most, so that an
//! import would be over before it does. Here whoever has written looks every now and then which tables have grown by half since they were
//! counted, and has them counted; with that PostgreSQL makes the plans of every connection anew.

use std::sync::{Mutex, TryLockError};
use std::time::{Duration, Instant};

/// What is done. Tables that somebody else counts just now are left out, those of another owner with a warning.
pub(super) const COUNT: &str = "DO $$ DECLARE grown OID; BEGIN
    FOR grown IN SELECT oid FROM pg_class
        WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relkind = 'r'
            AND pg_stat_get_mod_since_analyze(oid) > 20 + pg_stat_get_live_tuples(oid) / 3
    LOOP EXECUTE 'ANALYZE (SKIP_LOCKED) ' || CAST(CAST(grown AS REGCLASS) AS TEXT); END LOOP; END $$";

/// When to look first, once there was a write: connections tell what they have written once a second.
const FIRST: Duration = Duration::from_secs(1);
/// As seldom as PostgreSQL looks itself.
const LAST: Duration = Duration::from_mins(1);

/// When to look next.
pub(super) struct Schedule(Mutex<Option<Next>>);

struct Next {
    due: Instant,
    pause: Duration,
}

impl Schedule {
    pub(super) fn new() -> Schedule {
        Schedule(Mutex::new(None))
    }

    /// Whether the caller, who has just written, is to look now.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        let mut next = match self.0.try_lock() {
            Ok(next) => next,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // Somebody else asks just now.
            Err(TryLockError::WouldBlock) => return false,
        };
        let Some(Next { due, pause }) = &mut *next else {
            *next = Some(Next { due: now + FIRST, pause: FIRST });
            return false;
        };
        let is_due = *due <= now;
        if is_due {
            *pause = (*pause * 2).min(LAST);
            *due = now + *pause;
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_looks_more_and_more_seldom_until_once_a_minute() {
        let (schedule, start) = (Schedule::new(), Instant::now());
        let looks = (0..300).filter(|second| schedule.is_due(start + Duration::from_secs(*second)));
        assert_eq!(looks.collect::<Vec<_>>(), [1, 3, 7, 15, 31, 63, 123, 183, 243]);
    }

    #[test]
    fn whoever_writes_after_a_long_rest_looks_at_once() {
        let (schedule, start) = (Schedule::new(), Instant::now());
        assert!(!schedule.is_due(start));
        let later = start + Duration::from_hours(1);
        assert!(schedule.is_due(later) && !schedule.is_due(later));
    }
}
