//! What has expired is removed, a little at a time, so that no writer waits long.

use pagesmith_model::Result;
use pagesmith_operations::{audience_erase, idempotency};

use crate::tasks::{Left, Tools};

/// Forgets answers that are older than a day.
pub(crate) async fn idempotency(tools: Tools) -> Result<Left> {
    let now = tools.world.clock().now();
    let swept = tools.store.claim(move |tx| idempotency::sweep(tx, now)).await?;
    Ok(if idempotency::is_behind(swept) { Left::More } else { Left::Nothing })
}

/// Counts audiences off their pages that a command has erased.
pub(crate) async fn erased_audiences(tools: Tools) -> Result<Left> {
    if !tools.store.read(audience_erase::owes).await? {
        return Ok(Left::Nothing);
    }
    let settled = tools.store.write(audience_erase::settle).await?;
    Ok(if settled > 0 { Left::More } else { Left::Nothing })
}

/// Empties what this process keeps of pages if somebody was erased.
pub(crate) async fn forget_erased(tools: Tools) -> Result<Left> {
    tools.erasures.look(&tools.store).await?;
    Ok(Left::Nothing)
}
