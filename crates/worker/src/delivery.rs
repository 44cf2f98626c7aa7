//! Deliveries are sent: claimed under leases, sent outside every transaction, and what came of many is noted in one.
//!
//! Nothing is lost if this is stopped anywhere: a lease that nobody ends ends by itself, and the delivery is sent again, with the same event
//! id. Work is looked for when a transaction of this process wakes the worker, when something becomes due by itself, and twice a
//! second for what other servers have made. `pace` decides how much a receiver is given at once.

mod attempt;
mod claims;
mod engine;
mod noting;
mod pace;
#[cfg(test)]
mod simulation;

use std::time::Duration;

use pagesmith_model::Result;
use tokio::sync::watch;

use crate::tools::{Left, Tools};

pub use crate::tools::delivery::metrics::DeliveryMetrics;
pub use crate::tools::delivery::{CONCURRENCY, DeliveryConfig, SendFuture, Sender};
pub use attempt::signed;

use engine::Engine;

/// How long what is on its way has to arrive once the process stops; the rest is left to others.
const GRACE: Duration = Duration::from_millis(2_500);

/// Sends deliveries until `stop` turns true. It wants a thread of its own, because signing and encrypting take time that requests would wait
/// for.
pub async fn run(tools: Tools, stop: watch::Receiver<bool>) {
    Engine::new(tools).run(stop).await;
}

/// Sends everything that is due, and ends; how a test steps it.
pub async fn drain(tools: &Tools) -> Result<()> {
    Engine::new(tools.clone()).drain().await
}

/// Looks how much waits, for the metrics.
pub(crate) async fn measure(tools: Tools) -> Result<Left> {
    let now = tools.platform.clock().now();
    let depth =
        tools.store.read(move |tx| pagesmith_operations::webhooks::deliveries::depth(tx, now)).await?;
    tools.delivery.metrics.depth(depth);
    Ok(Left::Nothing)
}
