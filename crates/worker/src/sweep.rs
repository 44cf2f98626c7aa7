//! What has expired is removed, a little at a time, so that no writer waits long.

use pagesmith_model::Result;
use pagesmith_operations::idempotency;

use crate::tasks::{Left, Tools};

/// Forgets answers that are older than a day.
pub(crate) async fn idempotency(tools: Tools) -> Result<Left> {
    let now = tools.world.clock().now();
    let swept = tools.store.claim(move |tx| idempotency::sweep(tx, now)).await?;
    Ok(if idempotency::is_behind(swept) { Left::More } else { Left::Nothing })
}
