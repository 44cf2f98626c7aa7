//! Versions are written: claimed under a lease, written outside every transaction, kept in one.
//!
//! Nothing is lost if this is stopped anywhere: a lease that nobody renews ends, and another worker takes the version. Versions are looked
//! for after a wake-up ([`Wakeup`]), which comes within half a second for what other servers have queued, too. Each tenant has its turn.

use futures_util::future::join_all;
use pagesmith_model::Result;
use pagesmith_operations::versions::generations::{self, Claimed};
use pagesmith_store::Wakeup;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::claimed_work;
use crate::tools::{Left, Tools};

mod attempt;
pub(crate) mod brief;
mod capacity;
mod find;
mod notes;
mod writing;

pub use crate::tools::generation::metrics::{GenerationMetrics, ModelMetrics};
pub use crate::tools::generation::models::{Cooldowns, Models};
pub(crate) use crate::tools::generation::models::{MOST_TOKENS_OF_MESSAGE, UsedSoFar};
pub use crate::tools::generation::{GenerationConfig, Heartbeat};
pub use attempt::attempt;
pub(crate) use attempt::known;

use capacity::{Capacity, Free};

/// The tenants that were served last; the next ones in the order of ids follow.
#[derive(Debug, Clone, Default)]
pub struct LastTenants {
    template: String,
    models: String,
    /// The last one of a round while tenants are looked at one by one.
    one_by_one: String,
}

/// Takes back what lost workers hold and claims up to `limit` versions for the template and as many for models; tenants have their turns.
pub async fn claim(tools: &Tools, turns: &mut LastTenants, limit: usize) -> Result<Vec<Claimed>> {
    let claimed = claim_for(tools, turns, Free { template: limit, models: limit }).await?;
    Ok(claimed.into_iter().map(|(claimed, _)| claimed).collect())
}

/// The same for the free capacity; with each version, whether a model is to write it.
async fn claim_for(tools: &Tools, turns: &mut LastTenants, free: Free) -> Result<Vec<(Claimed, bool)>> {
    let mut found = find::work(tools, turns, free).await?;
    if !found.expired.is_empty() {
        for of in found.expired {
            let ctx = attempt::context(tools, &of);
            tools.store.write(move |tx| generations::take_back(tx, &ctx, &of)).await?;
        }
        // What was taken back is due now.
        found = find::work(tools, turns, free).await?;
    }
    let mut claimed = Vec::new();
    let of_template = (found.template, free.template, &mut turns.template);
    let of_models = (found.models, free.models, &mut turns.models);
    for ((tenants, limit, turn), by_model) in [(of_template, false), (of_models, true)] {
        let Some(last) = tenants.last() else { continue };
        last.as_str().clone_into(turn);
        let ctx = tools.context();
        let of_these = tools.store.claim(move |tx| generations::claim(tx, &ctx, &tenants, limit)).await?;
        claimed.extend(of_these.into_iter().map(|claimed| (claimed, by_model)));
    }
    Ok(claimed)
}

/// Writes versions until `stop` turns true; what is not finished then is left to others at once. It wants a thread of its own, because the
/// template composes a page in one go: requests do not wait for it.
pub async fn run(tools: Tools, mut stop: watch::Receiver<bool>) {
    let mut running = JoinSet::new();
    let mut turns = LastTenants::default();
    let capacity = Capacity::of(&tools.generation);
    loop {
        while running.try_join_next().is_some() {}
        if capacity.free().all() > 0 {
            match claim_for(&tools, &mut turns, capacity.free()).await {
                Ok(claimed) => {
                    for (claimed, by_model) in claimed {
                        let permit = capacity.take(by_model);
                        let attempt = attempt(tools.clone(), claimed, stop.clone());
                        running.spawn(async move {
                            attempt.await;
                            drop(permit);
                        });
                    }
                }
                Err(error) => tracing::warn!(%error, "no version could be claimed"),
            }
        }
        tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => break,
            Some(_) = running.join_next() => {}
            () = tools.store.wait_for(Wakeup::Generations), if capacity.free().all() > 0 => {}
            () = tokio::time::sleep(claimed_work::POLL) => {}
        }
    }
    // Each of them leaves its version to others.
    while running.join_next().await.is_some() {}
}

/// Looks how much waits, for the metrics.
pub(crate) async fn measure(tools: Tools) -> Result<Left> {
    let now = tools.platform.clock().now();
    let depth = tools.store.read(move |tx| generations::depth(tx, now)).await?;
    tools.generation.metrics.depth(depth);
    Ok(Left::Nothing)
}

/// Writes everything that is due, in rounds; how a test steps it.
pub async fn drain(tools: &Tools) -> Result<()> {
    let (_running, stop) = watch::channel(false);
    let mut turns = LastTenants::default();
    loop {
        let claimed = claim(tools, &mut turns, tools.generation.concurrency).await?;
        if claimed.is_empty() {
            return Ok(());
        }
        join_all(claimed.into_iter().map(|claimed| attempt(tools.clone(), claimed, stop.clone()))).await;
    }
}
