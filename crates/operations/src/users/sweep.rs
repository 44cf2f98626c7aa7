//! What has expired of users' sessions, links and attempts is removed.

use pagesmith_model::user::guessing::FORGOTTEN_AFTER;
use pagesmith_model::{Result, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::users::{addresses, failures, half_sign_ins, identities, links, sessions};

use super::attempts::KNOWN_FOR;

/// Removes what opens nothing any more and what is counted no more, but for invitations, which are their tenants'; how many rows.
pub fn sweep(tx: &mut Tx<'_>, now: Timestamp) -> Result<u64> {
    let mut removed = 0;
    for expired in [
        sessions::remove_expired(now),
        half_sign_ins::remove_expired(now),
        links::remove_expired(now),
        identities::forget_used(now),
        failures::remove_older(now.minus(FORGOTTEN_AFTER)),
        addresses::remove_older(now.minus(KNOWN_FOR)),
    ] {
        removed += tx.run(expired)?;
    }
    Ok(removed)
}
