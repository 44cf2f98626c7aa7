//! The embedded database's file is looked through once a day.

use std::time::Duration;

use pagesmith_model::Result;
use pagesmith_store::tables::integrity_checks::{self, IntegrityCheck};

use crate::tools::{Left, Tools};

/// How old the last look may become, across restarts.
const DAY: Duration = Duration::from_hours(24);

/// Looks through the file if the last look is a day old, and shows what the last one found.
pub(crate) async fn check(tools: Tools) -> Result<Left> {
    if !tools.store.url().is_embedded() {
        return Ok(Left::Nothing);
    }
    let now = tools.platform.clock().now();
    let last = tools.store.read(integrity_checks::last).await?;
    // A clock that was set back must not put it off for ever.
    let last = last.filter(|last| last.checked_at <= now && now < last.checked_at.plus(DAY));
    let found = match last {
        Some(last) => last,
        None => {
            let problems = tools.store.check_integrity().await?.unwrap_or_default();
            let problem = (!problems.is_empty()).then(|| problems.join("; "));
            if let Some(problem) = &problem {
                tracing::error!(
                    database = %tools.store.url(),
                    problem,
                    "the database's file is damaged: stop the server and restore a backup"
                );
            }
            let found = IntegrityCheck { checked_at: now, problem };
            let noted = found.clone();
            tools.store.claim(move |tx| tx.run(integrity_checks::note(&noted))).await?;
            found
        }
    };
    tools.store.metrics().integrity(&found);
    Ok(Left::Nothing)
}
