//! `sign_in_failures`: wrong attempts to sign in, by digest of who tried or for whom.

use pagesmith_model::user::guessing::Failures;
use pagesmith_model::{Result, Timestamp};

use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// The wrong attempts under a digest.
pub fn find(tx: &mut Tx<'_>, digest: &[u8; 32]) -> Result<Option<Failures>> {
    let select = sql!("SELECT attempts, last_at FROM sign_in_failures WHERE digest = $1");
    let row = tx.maybe(select.with(values![digest]))?;
    row.map(|row| {
        let attempts: i64 = row.take("attempts")?;
        Ok(Failures { count: u32::try_from(attempts).unwrap_or(u32::MAX), last_at: row.take("last_at")? })
    })
    .transpose()
}

/// Keeps the wrong attempts under a digest, in the place of those before.
pub fn save(digest: &[u8; 32], failures: Failures) -> Query {
    sql!(
        "INSERT INTO sign_in_failures (digest, attempts, last_at) VALUES ($1, $2, $3)
         ON CONFLICT (digest) DO UPDATE SET attempts = excluded.attempts, last_at = excluded.last_at"
    )
    .with(values![digest, i64::from(failures.count), failures.last_at])
}

/// Takes one attempt back, which was right after all.
pub fn take_back(digest: &[u8; 32]) -> Query {
    sql!("UPDATE sign_in_failures SET attempts = attempts - 1 WHERE digest = $1 AND attempts > 0")
        .with(values![digest])
}

/// Forgets the attempts under a digest.
pub fn remove(digest: &[u8; 32]) -> Query {
    sql!("DELETE FROM sign_in_failures WHERE digest = $1").with(values![digest])
}

/// Forgets those of which the last one was before that.
pub fn remove_older(than: Timestamp) -> Query {
    sql!("DELETE FROM sign_in_failures WHERE last_at <= $1").with(values![than])
}
