//! What is measured of certificates: how many names have one, for how long, and what orders come to.

use pagesmith_model::Timestamp;
use pagesmith_store::tables::certificates::CertificateCounts;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

/// Counters of one server's orders, and gauges of all; clones share them.
#[derive(Debug, Clone, Default)]
pub struct CertificateMetrics {
    orders: Family<Outcome, Counter>,
    authority_failures: Counter,
    wanted: Gauge,
    missing: Gauge,
    failing: Gauge,
    days_left: Gauge,
}

impl CertificateMetrics {
    /// Adds these measures to `registry`.
    pub fn register(&self, registry: &mut Registry) {
        registry.register("certificate_orders", "Orders of certificates that ended", self.orders.clone());
        let help = "How often the certificate authority could not be spoken to";
        registry.register("certificate_authority_failures", help, self.authority_failures.clone());
        registry.register("certificates_wanted", "Names that want a certificate", self.wanted.clone());
        registry.register("certificates_missing", "Names that have none", self.missing.clone());
        let help = "Names whose last order failed";
        registry.register("certificates_failing", help, self.failing.clone());
        let help = "Whole days until the first certificate ends; below zero: for how long one has ended";
        registry.register("certificates_days_left", help, self.days_left.clone());
    }

    pub(crate) fn ordered(&self, outcome: &'static str) {
        self.orders.get_or_create(&Outcome { outcome }).inc();
    }

    pub(crate) fn authority_failed(&self) {
        self.authority_failures.inc();
    }

    pub(crate) fn record_counts(&self, counts: &CertificateCounts, now: Timestamp) {
        let count = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        self.wanted.set(count(counts.wanted));
        self.missing.set(count(counts.missing));
        self.failing.set(count(counts.failing));
        const DAY: i64 = 24 * 3_600 * 1_000_000;
        let left = counts.first_end.map(|end| (end.as_micros() - now.as_micros()).div_euclid(DAY));
        self.days_left.set(left.unwrap_or_default());
    }
}
