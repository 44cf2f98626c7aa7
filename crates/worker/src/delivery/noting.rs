//! What came of attempts is noted, and what is not sent is handed back: of all tenants at once, or of one after the other as it is
//! [claimed](super::claims).

use std::sync::Arc;

use pagesmith_model::{LeaseId, Result};
use pagesmith_operations::webhooks::deliveries::{self, AttemptResult, Recorded};
use pagesmith_store::tables::webhooks::deliveries::DeliveryKey;

use super::claims::are_split;
use crate::outage::{self, is_unavailable};
use crate::tools::Tools;

/// The outcome of recording results, and the results.
pub(super) struct RecordedBatch {
    pub(super) results: Vec<AttemptResult>,
    pub(super) result: Result<Recorded>,
    /// Those of tenants whose rows could not be reached, while others' could.
    pub(super) unreached: Vec<AttemptResult>,
}

/// Notes results. Tenants whose rows cannot be reached keep no others waiting.
pub(super) async fn note(tools: Tools, mut results: Vec<AttemptResult>) -> RecordedBatch {
    results.sort_by(|left, right| left.key.cmp(&right.key));
    if !are_split(&tools) && !tools.outage.is_on(tools.platform.clock().now()) {
        let result;
        (results, result) = record(&tools, results).await;
        if !matches!(&result, Err(error) if is_unavailable(error)) {
            return RecordedBatch { results, result, unreached: vec![] };
        }
    }
    note_by_tenant(&tools, results).await
}

async fn note_by_tenant(tools: &Tools, results: Vec<AttemptResult>) -> RecordedBatch {
    let now = tools.platform.clock().now();
    let (mut all, mut noted, mut unreached) = (Recorded::default(), vec![], vec![]);
    let mut is_there = false;
    for of_one in results.chunk_by(|left, right| left.key.tenant == right.key.tenant) {
        let Some(tenant) = of_one.first().map(|result| &result.key.tenant) else { continue };
        if !tools.outage.lets_try(tenant, now) {
            unreached.extend_from_slice(of_one);
            continue;
        }
        let (_, result) = record(tools, of_one.to_vec()).await;
        match tools.outage.after_one(tenant, result, now) {
            Ok(Some(recorded)) => {
                is_there = true;
                noted.extend_from_slice(of_one);
                all.kept += recorded.kept;
                all.lost += recorded.lost;
                all.stopped.extend(recorded.stopped);
            }
            Ok(None) => {
                // What every node has tells whether the whole database is away.
                if !is_there && let Err(error) = tools.store.read(|tx| outage::round(tx, "").map(drop)).await
                {
                    return RecordedBatch { results, result: Err(error), unreached: vec![] };
                }
                is_there = true;
                unreached.extend_from_slice(of_one);
            }
            Err(error) => {
                // They are sent again when their leases end.
                tracing::error!(%tenant, %error, "results of a tenant's deliveries were lost");
                noted.extend_from_slice(of_one);
            }
        }
    }
    RecordedBatch { results: noted, result: Ok(all), unreached }
}

async fn record(tools: &Tools, results: Vec<AttemptResult>) -> (Vec<AttemptResult>, Result<Recorded>) {
    let ctx = tools.context();
    // Shared with the closure, which may run again, and here again if it is refused.
    let shared = Arc::new(results);
    let noted = Arc::clone(&shared);
    let result = tools.store.claim(move |tx| deliveries::record(tx, &ctx, &noted)).await;
    (Arc::try_unwrap(shared).unwrap_or_else(|shared| shared.as_ref().clone()), result)
}

/// Lets others have what will not be sent.
pub(super) async fn hand_back(tools: &Tools, mut held: Vec<(DeliveryKey, LeaseId)>) {
    held.sort_unstable();
    let is_split = are_split(tools);
    for part in held.chunk_by(|(left, _), (right, _)| !is_split || left.tenant == right.tenant) {
        let (ctx, part) = (tools.context(), part.to_vec());
        if let Err(error) = tools.store.claim(move |tx| deliveries::release(tx, &ctx, &part)).await {
            tracing::warn!(%error, "deliveries could not be handed back");
        }
    }
}
