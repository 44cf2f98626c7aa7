//! How deliveries are sent: by what, how many at the same time, and what is measured.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use pagesmith_operations::webhooks::deliveries::SOON;

use crate::egress::{Answer, Egress, Failure, Outgoing};

pub(crate) mod metrics;

use metrics::DeliveryMetrics;

/// How much of an answer is read, in bytes.
const READ: usize = pagesmith_model::webhook::attempt::KEPT_ANSWER;
/// How many deliveries are sent at the same time, by default.
pub const CONCURRENCY: usize = 1_024;

/// How long the worker sleeps without a wake-up: what another server has queued waits no longer than this. A claim looks further ahead.
const POLL: Duration = Duration::from_millis(500);
const _: () = assert!(POLL.as_millis() < SOON.as_millis());

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
    /// Whether the deliveries of each tenant are claimed and noted in transactions of their own, as they are on a cluster anyway.
    pub split_by_tenant: bool,
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
            split_by_tenant: false,
            metrics: DeliveryMetrics::default(),
        }
    }
}
