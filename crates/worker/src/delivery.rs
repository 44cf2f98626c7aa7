//! Deliveries are sent: claimed under leases, sent outside every transaction, and what came of many is noted in one.
//!
//! Nothing is lost if this is stopped anywhere: a lease that nobody ends ends by itself, and the delivery is sent again, with the same event
//! id. Work is looked for when a transaction of this process wakes the worker, when something becomes due by itself, and twice a
//! second for what other servers have made. `pace` decides how much a receiver is given at once.

mod attempt;
mod engine;
mod metrics;
mod pace;
#[cfg(test)]
mod simulation;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use pagesmith_model::Result;
use tokio::sync::watch;

use crate::egress::{Answer, Egress, Failure, Outgoing};
use crate::tasks::{Left, Tools};

pub use attempt::signed;
pub use metrics::DeliveryMetrics;

use engine::Engine;

/// How much of an answer is read, in bytes.
const READ: usize = pagesmith_model::webhook::attempt::KEPT_ANSWER;
/// How many deliveries are sent at the same time, by default.
pub const CONCURRENCY: usize = 1_024;

/// How long the worker sleeps without a wake-up: what another server has queued waits no longer than this.
const POLL: Duration = Duration::from_millis(500);

/// How long an attempt takes at least whose receiver cannot be reached: longer than looking up a name and making a connection may
/// ([`crate::egress::Options::connect`]), so that the time does not tell one cause from another.
const UNREACHABLE: Duration = Duration::from_secs(6);

/// What came back, or why nothing did.
pub type SendFuture<'a> = Pin<Box<dyn Future<Output = Result<Answer, Failure>> + Send + 'a>>;

/// Sends a delivery to its receiver.
pub trait Sender: Send + Sync {
    /// Sends it and reads the beginning of the answer.
    fn deliver(&self, outgoing: Outgoing) -> SendFuture<'_>;
}

impl Sender for Egress {
    fn deliver(&self, outgoing: Outgoing) -> SendFuture<'_> {
        Box::pin(self.send(outgoing, READ))
    }
}

/// How deliveries are sent.
#[derive(Clone)]
pub struct DeliveryConfig {
    /// What sends them.
    pub sender: Arc<dyn Sender>,
    /// How many are sent at the same time.
    pub concurrency: usize,
    /// How long the worker sleeps without a wake-up.
    pub poll: Duration,
    /// How long an attempt takes, and is said to have taken, whose receiver cannot be reached.
    pub unreachable_takes: Duration,
    /// What is measured.
    pub metrics: DeliveryMetrics,
}

impl DeliveryConfig {
    /// The configuration of a server.
    pub fn new(sender: Arc<dyn Sender>) -> DeliveryConfig {
        DeliveryConfig {
            sender,
            concurrency: CONCURRENCY,
            poll: POLL,
            unreachable_takes: UNREACHABLE,
            metrics: DeliveryMetrics::default(),
        }
    }
}

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
    let now = tools.world.clock().now();
    let depth = tools.store.read(move |tx| pagesmith_operations::deliveries::depth(tx, now)).await?;
    tools.delivery.metrics.depth(depth);
    Ok(Left::Nothing)
}
