//! How versions are written: by whom, how many at the same time, and what is measured.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_agent::PageAgent;
use tokio::sync::Notify;

pub(crate) mod metrics;
pub(crate) mod models;

use metrics::GenerationMetrics;
use models::Models;

/// How versions are written.
#[derive(Clone)]
pub struct GenerationConfig {
    /// Who writes where no model does.
    pub agent: Arc<dyn PageAgent>,
    /// Which model does, where one does.
    pub models: Models,
    /// How many versions are written at the same time where no model does.
    pub concurrency: usize,
    /// When a worker reports progress.
    pub heartbeat: Heartbeat,
    /// What is measured.
    pub metrics: GenerationMetrics,
}

/// When a worker renews its lease, records its progress and checks whether the version was cancelled.
#[derive(Debug, Clone)]
pub enum Heartbeat {
    /// Periodically.
    Every(Duration),
    /// When a test says so.
    ByHand(Arc<Notify>),
}

impl Heartbeat {
    /// The server's: a cancelled version is noticed within two seconds.
    pub const USUAL: Heartbeat = Heartbeat::Every(Duration::from_secs(1));

    pub(crate) async fn next(&self) {
        match self {
            Heartbeat::Every(pause) => tokio::time::sleep(*pause).await,
            Heartbeat::ByHand(heartbeat) => heartbeat.notified().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_interrupts_waits_no_longer_than_two_seconds() {
        let Heartbeat::Every(pause) = Heartbeat::USUAL else { panic!("{:?}", Heartbeat::USUAL) };
        assert!(pause < Duration::from_secs(2), "{pause:?}");
    }
}
