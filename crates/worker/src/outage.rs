//! Looking for work while a part of the database is away: a node of a cluster has the rows of some tenants, and nobody else has them.
//!
//! A look at all tenants at once fails then. For a while after that, workers look at one tenant after the other, in a transaction of its
//! own, so that only those wait whose rows cannot be reached. Each of these is left alone for a time that grows with its failures, because
//! a node that does not answer costs a time-out.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pagesmith_model::{Error, Kind, Result, TenantId, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::tenants;

/// For how long tenants are looked at one by one before all are tried again.
const LASTS: Duration = Duration::from_secs(15);
/// For how long a tenant is left alone after its first failure; twice as long after each further one.
const FIRST_REST: Duration = Duration::from_secs(1);
/// And at most.
const LONGEST_REST: Duration = Duration::from_secs(64);
/// How many tenants one round looks at.
const ROUND: usize = 64;

/// What the workers of this process know of it.
#[derive(Debug, Default)]
pub struct Outage(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// Until when tenants are looked at one by one.
    until: Option<Timestamp>,
    /// The tenants whose rows could not be reached: how often in a row, and until when they are left alone.
    unreached: HashMap<TenantId, (u32, Timestamp)>,
}

/// The tenants of one round, and where the next one begins.
pub(crate) struct Round {
    pub(crate) tenants: Vec<TenantId>,
    /// The last of them; empty if they were the last of all.
    pub(crate) last: String,
}

/// The next tenants behind a position, in the order of ids. Every server and node has the list of tenants.
pub(crate) fn round(tx: &mut Tx<'_>, after: &str) -> Result<Round> {
    let tenants = tenants::ids_after(tx, after, i64::try_from(ROUND).unwrap_or(i64::MAX))?;
    let last = tenants.last().filter(|_| tenants.len() == ROUND);
    Ok(Round { last: last.map(ToString::to_string).unwrap_or_default(), tenants })
}

impl Outage {
    /// Whether tenants are looked at one by one.
    pub(crate) fn is_on(&self, now: Timestamp) -> bool {
        self.state().until.is_some_and(|until| now < until)
    }

    /// From now on tenants are looked at one by one, for a while.
    pub fn begin(&self, now: Timestamp) {
        self.state().until = Some(now.plus(LASTS));
    }

    /// Notes how a look at all tenants ended; whether they are to be looked at one by one now.
    pub(crate) fn after_all<T>(&self, result: &Result<T>, now: Timestamp) -> bool {
        match result {
            Ok(_) => *self.state() = State::default(),
            Err(error) if is_unavailable(error) => self.begin(now),
            Err(_) => {}
        }
        self.is_on(now)
    }

    /// Whether a tenant may be looked at.
    pub(crate) fn lets_try(&self, tenant: &TenantId, now: Timestamp) -> bool {
        self.state().unreached.get(tenant).is_none_or(|(_, until)| *until <= now)
    }

    /// Notes how a look at one tenant ended; nothing if its rows could not be reached.
    pub(crate) fn after_one<T>(
        &self,
        tenant: &TenantId,
        result: Result<T>,
        now: Timestamp,
    ) -> Result<Option<T>> {
        let mut state = self.state();
        match result {
            Ok(found) => {
                state.unreached.remove(tenant);
                Ok(Some(found))
            }
            Err(error) if is_unavailable(&error) => {
                let (failures, until) = state.unreached.entry(tenant.clone()).or_insert((0, now));
                let rest = FIRST_REST.saturating_mul(1 << (*failures).min(16)).min(LONGEST_REST);
                (*failures, *until) = (*failures + 1, now.plus(rest));
                tracing::warn!(tenant = tenant.as_str(), %error, "the rows of a tenant cannot be reached");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn is_unavailable(error: &Error) -> bool {
    matches!(error.kind(), Kind::Unavailable(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: Timestamp = Timestamp::from_micros(1_900_000_000_000_000);

    fn away() -> Result<()> {
        Err(Error::unavailable("a node is away"))
    }

    #[test]
    fn a_failed_look_at_all_is_followed_by_looks_at_one_for_a_while() {
        let outage = Outage::default();
        assert!(!outage.is_on(T));
        assert!(outage.after_all(&away(), T));
        assert!(outage.is_on(T.plus(LASTS - Duration::from_millis(1))) && !outage.is_on(T.plus(LASTS)));
        assert!(!outage.after_all(&Ok(()), T));
        assert!(!outage.is_on(T));
        // What another look would not change is none.
        assert!(!outage.after_all::<()>(&Err(Error::internal("a defect")), T));
    }

    #[test]
    fn a_tenant_that_cannot_be_reached_rests_longer_each_time_until_it_answers() {
        let outage = Outage::default();
        let [one, other] = ["a", "b"]
            .map(|last| TenantId::parse(&format!("tenant_01jpbz8n4xf5k9w2d7hq3mv6t{last}")).unwrap());
        let (mut now, mut rests) = (T, Vec::new());
        for _ in 0..9 {
            assert!(outage.after_one(&one, away(), now).unwrap().is_none());
            let begun = now;
            while !outage.lets_try(&one, now) {
                assert!(outage.lets_try(&other, now));
                now = now.plus(Duration::from_secs(1));
            }
            rests.push(now.since(begun).as_secs());
        }
        assert_eq!(rests, [1, 2, 4, 8, 16, 32, 64, 64, 64]);
        assert_eq!(outage.after_one(&one, Ok(7), now).unwrap(), Some(7));
        assert!(outage.after_one(&one, away(), now).unwrap().is_none());
        assert!(outage.lets_try(&one, now.plus(Duration::from_secs(1))));
        assert!(outage.after_one::<()>(&one, Err(Error::internal("a defect")), now).is_err());
    }
}
