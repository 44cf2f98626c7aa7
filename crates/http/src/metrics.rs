//! What is measured: requests by operation and status with their times, and what the store tells.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pagesmith_model::{Error, Result};
use pagesmith_store::Store;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    operation: &'static str,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OperationLabel {
    operation: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ReasonLabel {
    reason: &'static str,
}

/// Connections that are open, and those that the server ended against the client's will.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    pub open: Gauge,
    cut_off: Family<ReasonLabel, Counter>,
}

impl Connections {
    fn register(registry: &mut Registry) -> Connections {
        let connections = Connections::default();
        registry.register("http_connections", "Open connections", connections.open.clone());
        let help = "Connections that were refused or cut off";
        registry.register("http_connections_cut_off", help, connections.cut_off.clone());
        connections
    }

    /// Counts one that was refused or cut off.
    pub(crate) fn cut_off(&self, reason: &'static str) {
        self.cut_off.get_or_create(&ReasonLabel { reason }).inc();
    }
}

/// The counters of one server.
pub struct Metrics {
    registry: Mutex<Registry>,
    requests: Family<RequestLabels, Counter>,
    seconds: Family<OperationLabel, Histogram, fn() -> Histogram>,
    queue: Gauge,
    pub(crate) connections: Connections,
    store: Store,
}

fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.000_1, 2.0, 18))
}

impl Metrics {
    pub(crate) fn new(store: &Store) -> Metrics {
        let mut registry = Registry::with_prefix("pagesmith");
        let requests = Family::<RequestLabels, Counter>::default();
        let seconds = Family::new_with_constructor(seconds as fn() -> Histogram);
        let queue = Gauge::default();
        registry.register("http_requests", "Requests answered", requests.clone());
        registry.register(
            "http_request_seconds",
            "Time from a request's head to its answer",
            seconds.clone(),
        );
        registry.register("database_queue_depth", "Transactions that wait for a thread", queue.clone());
        let connections = Connections::register(&mut registry);
        store.metrics().register(&mut registry);
        let store = store.clone();
        Metrics { registry: Mutex::new(registry), requests, seconds, queue, connections, store }
    }

    /// Lets somebody add measures of their own.
    pub fn add(&self, register: impl FnOnce(&mut Registry)) {
        register(&mut self.registry.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(crate) fn request(&self, operation: &'static str, status: u16, took: Duration) {
        self.requests.get_or_create(&RequestLabels { operation, status }).inc();
        self.seconds.get_or_create(&OperationLabel { operation }).observe(took.as_secs_f64());
    }

    /// Everything, in the format of Prometheus.
    pub(crate) fn text(&self) -> Result<String> {
        self.queue.set(i64::try_from(self.store.queue_depth()).unwrap_or(i64::MAX));
        let mut text = String::new();
        encode(&mut text, &self.registry.lock().unwrap_or_else(PoisonError::into_inner))
            .map_err(Error::internal)?;
        Ok(text)
    }
}
