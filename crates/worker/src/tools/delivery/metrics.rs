//! What is measured of deliveries: attempts by outcome, how long they take, how long events take to arrive, and what waits.

use std::time::Duration;

use pagesmith_operations::webhooks::deliveries::{AttemptResult, Depth};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

/// Counters of one server's deliveries; clones share them.
#[derive(Debug, Clone)]
pub struct DeliveryMetrics {
    attempts: Family<Outcome, Counter>,
    seconds: Histogram,
    arrival: Histogram,
    in_flight: Gauge,
    ready: Gauge,
    oldest: Gauge,
}

impl Default for DeliveryMetrics {
    fn default() -> DeliveryMetrics {
        DeliveryMetrics {
            attempts: Family::default(),
            seconds: Histogram::new(exponential_buckets(0.001, 2.0, 15)),
            arrival: Histogram::new(exponential_buckets(0.001, 4.0, 12)),
            in_flight: Gauge::default(),
            ready: Gauge::default(),
            oldest: Gauge::default(),
        }
    }
}

impl DeliveryMetrics {
    /// Adds these measures to `registry`.
    pub fn register(&self, registry: &mut Registry) {
        registry.register("delivery_attempts", "Attempts to deliver an event", self.attempts.clone());
        registry.register("delivery_attempt_seconds", "Time of an attempt", self.seconds.clone());
        let help = "Time from an event to its arrival at the first attempt";
        registry.register("delivery_arrival_seconds", help, self.arrival.clone());
        registry.register("deliveries_in_flight", "Attempts being made", self.in_flight.clone());
        registry.register(
            "deliveries_ready",
            "Deliveries that could be sent now, up to 10,000",
            self.ready.clone(),
        );
        registry.register(
            "deliveries_oldest_ready_seconds",
            "For how long the delivery that waits longest has been ready to be sent",
            self.oldest.clone(),
        );
    }

    pub(crate) fn attempted(&self, result: &AttemptResult, took: Duration, since_event: Duration) {
        let outcome = match (result.attempt.status, &result.attempt.error) {
            _ if result.attempt.is_success() => "delivered",
            (Some(410), _) => "gone",
            (Some(_), _) => "refused",
            (None, _) => "unanswered",
        };
        self.attempts.get_or_create(&Outcome { outcome }).inc();
        self.seconds.observe(took.as_secs_f64());
        if outcome == "delivered" && result.number == 1 {
            self.arrival.observe(since_event.as_secs_f64());
        }
    }

    pub(crate) fn in_flight(&self, count: usize) {
        self.in_flight.set(i64::try_from(count).unwrap_or(i64::MAX));
    }

    pub(crate) fn depth(&self, depth: Depth) {
        self.ready.set(i64::try_from(depth.ready).unwrap_or(i64::MAX));
        self.oldest.set(i64::try_from(depth.oldest.as_secs()).unwrap_or(i64::MAX));
    }
}
