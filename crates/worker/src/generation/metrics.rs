//! What is measured of models: tries by outcome, how long they take, and the tokens that they use.

use std::time::Duration;

use pagesmith_model::agent::Used;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Direction {
    direction: &'static str,
}

/// How a try with a model ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TryEnd {
    /// It wrote the page.
    Written,
    /// It did not.
    Failed,
    /// Nobody wanted it any more, or the process stopped.
    Dropped,
    /// The template wrote, since the budget was used up.
    Spent,
}

/// Counters of one server's models; clones share them.
#[derive(Debug, Clone)]
pub struct ModelMetrics {
    tries: Family<Labels, Counter>,
    tokens: Family<Direction, Counter>,
    seconds: Histogram,
}

impl Default for ModelMetrics {
    fn default() -> ModelMetrics {
        let seconds = Histogram::new(exponential_buckets(0.25, 2.0, 12));
        ModelMetrics { tries: Family::default(), tokens: Family::default(), seconds }
    }
}

impl ModelMetrics {
    /// Adds these measures to `registry`.
    pub fn register(&self, registry: &mut Registry) {
        registry.register("model_tries", "Tries to have a version written by a model", self.tries.clone());
        registry.register("model_tokens", "Tokens that models read and wrote", self.tokens.clone());
        registry.register("model_try_seconds", "Time of a try with a model", self.seconds.clone());
    }

    pub(super) fn tried(&self, end: TryEnd, took: Duration, used: &Used) {
        let outcome = match end {
            TryEnd::Written => "written",
            TryEnd::Failed => "failed",
            TryEnd::Dropped => "dropped",
            TryEnd::Spent => "spent",
        };
        self.tries.get_or_create(&Labels { outcome }).inc();
        self.seconds.observe(took.as_secs_f64());
        for (direction, count) in [("read", used.input_tokens), ("written", used.output_tokens)] {
            self.tokens.get_or_create(&Direction { direction }).inc_by(count);
        }
    }
}
