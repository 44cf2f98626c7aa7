//! What is measured of the writing of versions: how many wait and for how long, how many are in work, tries by writer and outcome, how long
//! they take; and of models the tokens that they use.

use std::time::Duration;

use pagesmith_agent::{Answer, Author, Rule};
use pagesmith_model::agent::Used;
use pagesmith_operations::versions::generations::Depth;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
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

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TryLabels {
    writer: &'static str,
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WriterLabel {
    writer: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct FindingLabels {
    agent: &'static str,
    rule: &'static str,
    answer: &'static str,
}

/// How a try ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TryEnd {
    /// It wrote the page.
    Written,
    /// It did not.
    Failed,
    /// Nobody wanted it any more, or the process stopped.
    Dropped,
    /// The template wrote, since the budget was used up.
    Spent,
}

impl TryEnd {
    fn outcome(self) -> &'static str {
        match self {
            TryEnd::Written => "written",
            TryEnd::Failed => "failed",
            TryEnd::Dropped => "dropped",
            TryEnd::Spent => "spent",
        }
    }
}

/// Counters and gauges of one server's writing of versions; clones share them.
#[derive(Debug, Clone)]
pub struct GenerationMetrics {
    tries: Family<TryLabels, Counter>,
    seconds: Family<WriterLabel, Histogram, fn() -> Histogram>,
    findings: Family<FindingLabels, Counter>,
    in_flight: Gauge,
    waiting: Gauge,
    oldest: Gauge,
}

/// From what the template needs to what a model may take.
fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.001, 2.0, 20))
}

impl Default for GenerationMetrics {
    fn default() -> GenerationMetrics {
        GenerationMetrics {
            tries: Family::default(),
            seconds: Family::new_with_constructor(seconds as fn() -> Histogram),
            findings: Family::default(),
            in_flight: Gauge::default(),
            waiting: Gauge::default(),
            oldest: Gauge::default(),
        }
    }
}

/// A version in work, until this is dropped.
pub(crate) struct InFlight(Gauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl GenerationMetrics {
    /// Adds these measures to `registry`.
    pub fn register(&self, registry: &mut Registry) {
        registry.register("generation_tries", "Tries to write a version", self.tries.clone());
        registry.register("generation_try_seconds", "Time of a try to write a version", self.seconds.clone());
        registry.register(
            "generation_findings",
            "What the check of written pages found before it was taken out",
            self.findings.clone(),
        );
        registry.register("generations_in_flight", "Versions being written", self.in_flight.clone());
        registry.register(
            "generations_waiting",
            "Versions that could be written now, up to 10,000",
            self.waiting.clone(),
        );
        registry.register(
            "generations_oldest_waiting_seconds",
            "For how long the version that waits longest could have been written",
            self.oldest.clone(),
        );
    }

    pub(crate) fn begin(&self) -> InFlight {
        self.in_flight.inc();
        InFlight(self.in_flight.clone())
    }

    pub(crate) fn tried(&self, by_model: bool, end: TryEnd, took: Duration) {
        let writer = if by_model { "model" } else { "template" };
        self.tries.get_or_create(&TryLabels { writer, outcome: end.outcome() }).inc();
        self.seconds.get_or_create(&WriterLabel { writer }).observe(took.as_secs_f64());
    }

    pub(crate) fn found(&self, author: Author, answer: Answer, rules: &[Rule]) {
        for rule in rules {
            let labels =
                FindingLabels { agent: author.as_str(), rule: rule.as_str(), answer: answer.as_str() };
            self.findings.get_or_create(&labels).inc();
        }
    }

    pub(crate) fn depth(&self, depth: Depth) {
        self.waiting.set(i64::try_from(depth.waiting).unwrap_or(i64::MAX));
        self.oldest.set(i64::try_from(depth.oldest.as_secs()).unwrap_or(i64::MAX));
    }
}

/// Counters of one server's models; clones share them.
#[derive(Debug, Clone)]
pub struct ModelMetrics {
    tries: Family<Labels, Counter>,
    messages: Family<Labels, Counter>,
    answers: Family<Labels, Counter>,
    summaries: Family<Labels, Counter>,
    descriptions: Family<Labels, Counter>,
    tokens: Family<Direction, Counter>,
    seconds: Histogram,
}

impl Default for ModelMetrics {
    fn default() -> ModelMetrics {
        let seconds = Histogram::new(exponential_buckets(0.25, 2.0, 12));
        ModelMetrics {
            tries: Family::default(),
            messages: Family::default(),
            answers: Family::default(),
            summaries: Family::default(),
            descriptions: Family::default(),
            tokens: Family::default(),
            seconds,
        }
    }
}

impl ModelMetrics {
    /// Adds these measures to `registry`.
    pub fn register(&self, registry: &mut Registry) {
        registry.register("model_tries", "Tries to have a version written by a model", self.tries.clone());
        registry.register(
            "model_messages",
            "Attempts to have a message carried out by a model",
            self.messages.clone(),
        );
        registry.register(
            "model_answers",
            "Questions of visitors that a model was asked",
            self.answers.clone(),
        );
        registry.register(
            "model_summaries",
            "Summaries of what was read that a model was asked for",
            self.summaries.clone(),
        );
        registry.register(
            "model_descriptions",
            "Descriptions of pictures that a model was asked for",
            self.descriptions.clone(),
        );
        registry.register("model_tokens", "Tokens that models read and wrote", self.tokens.clone());
        registry.register("model_try_seconds", "Time of a try with a model", self.seconds.clone());
    }

    pub(crate) fn tried(&self, end: TryEnd, took: Duration, used: &Used) {
        let outcome = end.outcome();
        self.tries.get_or_create(&Labels { outcome }).inc();
        self.seconds.observe(took.as_secs_f64());
        self.used(used);
    }

    /// One attempt with a message: `answered`, `failed` or `dropped`.
    pub(crate) fn edited(&self, outcome: &'static str, used: &Used) {
        self.messages.get_or_create(&Labels { outcome }).inc();
        self.used(used);
    }

    /// One question of a visitor: `answered`, `failed` or `dropped`.
    pub(crate) fn answered(&self, outcome: &'static str, used: &Used) {
        self.answers.get_or_create(&Labels { outcome }).inc();
        self.used(used);
    }

    /// One summary of what was read: `written` or `failed`.
    pub(crate) fn summed(&self, outcome: &'static str, used: &Used) {
        self.summaries.get_or_create(&Labels { outcome }).inc();
        self.used(used);
    }

    /// One description of a picture: `written` or `failed`.
    pub(crate) fn described(&self, outcome: &'static str, used: &Used) {
        self.descriptions.get_or_create(&Labels { outcome }).inc();
        self.used(used);
    }

    fn used(&self, used: &Used) {
        for (direction, count) in [("read", used.input_tokens), ("written", used.output_tokens)] {
            self.tokens.get_or_create(&Direction { direction }).inc_by(count);
        }
    }
}
