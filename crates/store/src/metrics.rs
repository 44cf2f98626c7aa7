//! What the store measures: transactions, batches, retries.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use crate::tables::integrity_checks::IntegrityCheck;
use crate::verb::Verb;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct VerbLabel {
    verb: &'static str,
}

/// Counters and histograms of one store; clones share them.
#[derive(Debug, Clone)]
pub struct StoreMetrics {
    seconds: Family<VerbLabel, Histogram, fn() -> Histogram>,
    batch: Histogram,
    retries: Counter,
    integrity_problems: Gauge,
    integrity_checked: Gauge,
}

fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.000_05, 2.0, 18))
}

impl StoreMetrics {
    pub(crate) fn new() -> StoreMetrics {
        StoreMetrics {
            seconds: Family::new_with_constructor(seconds as fn() -> Histogram),
            batch: Histogram::new(exponential_buckets(1.0, 2.0, 10)),
            retries: Counter::default(),
            integrity_problems: Gauge::default(),
            integrity_checked: Gauge::default(),
        }
    }

    /// Adds the store's measures to `registry`.
    pub fn register(&self, registry: &mut Registry) {
        let help = "Time of database transactions, from their begin to their end";
        registry.register("database_transaction_seconds", help, self.seconds.clone());
        registry.register("database_batch_size", "Writes committed under one sync", self.batch.clone());
        registry.register("database_retries", "Transactions that had to run again", self.retries.clone());
        registry.register(
            "database_integrity_problems",
            "Whether the last look through the embedded database's file found anything wrong",
            self.integrity_problems.clone(),
        );
        registry.register(
            "database_integrity_check_timestamp_seconds",
            "When that was, in seconds since 1970; 0 before the first",
            self.integrity_checked.clone(),
        );
    }

    /// What the last look through the file found.
    pub fn integrity(&self, check: &IntegrityCheck) {
        self.integrity_problems.set(i64::from(check.problem.is_some()));
        self.integrity_checked.set(check.checked_at.as_micros() / 1_000_000);
    }

    pub(crate) fn transaction(&self, verb: Verb, took: Duration) {
        self.seconds.get_or_create(&VerbLabel { verb: verb.name() }).observe(took.as_secs_f64());
    }

    pub(crate) fn batch(&self, size: usize) {
        self.batch.observe(f64::from(u32::try_from(size).unwrap_or(u32::MAX)));
    }

    pub(crate) fn retried(&self) {
        self.retries.inc();
    }
}
