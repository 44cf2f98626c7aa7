//! The database at a start: waited for where it may still come, and migrated to this version's schema.
//!
//! Only what may pass by itself is waited for; what a person must mend ends the start at once.

use std::time::Duration;

use pagesmith_store::{Store, fault};
use tokio::time::{Instant, sleep};

use crate::failure::{Failure, Result};

/// How long a start waits for a PostgreSQL server that starts at the same time.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// How long it rests between two attempts.
const PAUSE: Duration = Duration::from_secs(1);

/// Migrates the database to this version's schema.
pub async fn migrate(store: &Store) -> Result<()> {
    let time_limit = if store.url().is_embedded() { Duration::ZERO } else { TIME_LIMIT };
    let applied = until_time_limit(time_limit, async || store.migrate().await).await?;
    if let Some(newest) = applied.last() {
        tracing::info!(steps = applied.len(), newest, "migrated the database");
    }
    Ok(())
}

/// Tries again until it succeeds, fails for a reason that cannot pass, or the time is up; each reason is told once.
async fn until_time_limit<T>(
    time_limit: Duration,
    mut attempt: impl AsyncFnMut() -> pagesmith_model::Result<T>,
) -> Result<T> {
    let deadline = Instant::now() + time_limit;
    let mut told = String::new();
    loop {
        let error = match attempt().await {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        let may_pass = fault::of(&error).is_some_and(fault::Fault::may_pass);
        let (why, left) = (Failure::from(error), deadline.saturating_duration_since(Instant::now()));
        if !may_pass || time_limit.is_zero() {
            return Err(why);
        }
        if left.is_zero() {
            return Err(Failure::new(format!("{why} (tried for {} s)", time_limit.as_secs())));
        }
        if why.to_string() != told {
            told = why.to_string();
            tracing::warn!(
                error = told,
                "waiting up to {} s for the database",
                left.as_millis().div_ceil(1_000)
            );
        }
        sleep(PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use pagesmith_store::fault::Fault;

    use super::*;

    /// How many attempts were made, and what came of them when they fail so often.
    async fn attempts(failures: usize, fault: fn(String) -> Fault) -> (usize, Result<()>) {
        let mut made = 0;
        let outcome = until_time_limit(TIME_LIMIT, async || {
            made += 1;
            if made > failures { Ok(()) } else { Err(fault("why".to_owned()).into()) }
        });
        let outcome = outcome.await;
        (made, outcome)
    }

    #[tokio::test(start_paused = true)]
    async fn what_may_pass_is_waited_for_and_not_for_ever() {
        let (made, outcome) = attempts(5, Fault::Unavailable).await;
        assert_eq!((made, outcome.is_ok()), (6, true));
        let (made, outcome) = attempts(usize::MAX, Fault::Lost).await;
        assert_eq!(made, 31);
        let told = outcome.unwrap_err().to_string();
        assert!(told.ends_with("(tried for 30 s)"), "{told}");
    }

    #[tokio::test(start_paused = true)]
    async fn what_cannot_pass_ends_the_start_at_once() {
        for fault in [Fault::Refused, Fault::Defect] {
            let (made, outcome) = attempts(1, fault).await;
            assert_eq!(made, 1);
            assert!(outcome.unwrap_err().to_string().contains("why"));
        }
    }
}
