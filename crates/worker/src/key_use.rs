//! Keys in memory: brought up to date, and written down when they were seen.

use pagesmith_model::Result;
use pagesmith_operations::keys;

use crate::tools::{Left, Tools};

/// Reloads keys and tenants if something has changed.
pub(crate) async fn refresh(tools: Tools) -> Result<Left> {
    tools.keys.refresh().await?;
    Ok(Left::Nothing)
}

/// Writes down when keys were last seen, all in one transaction.
pub(crate) async fn note(tools: Tools) -> Result<Left> {
    let seen = tools.keys.take_seen();
    if !seen.is_empty() {
        tools.store.claim(move |tx| keys::note_use(tx, &seen)).await?;
    }
    Ok(Left::Nothing)
}
