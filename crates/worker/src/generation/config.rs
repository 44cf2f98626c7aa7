//! How versions are written: by whom, how many at the same time, and what is measured.

use std::sync::Arc;
use std::time::Duration;

use pagesmith_agent::PageAgent;
use tokio::sync::Notify;

use super::metrics::GenerationMetrics;
use super::models::Models;

/// How versions are written.
#[derive(Clone)]
pub struct GenerationConfig {
    /// Who writes where no model does.
    pub agent: Arc<dyn PageAgent>,
    /// Which model does, where one does.
    pub models: Models,
    /// How many versions are written at the same time where no model does.
    pub concurrency: usize,
    /// When a worker looks up from its work.
    pub beat: Beat,
    /// What is measured.
    pub metrics: GenerationMetrics,
}

/// When a worker notes how far it is and looks whether its work is still wanted.
#[derive(Debug, Clone)]
pub enum Beat {
    /// Again and again after this time.
    Every(Duration),
    /// When a test says so.
    ByHand(Arc<Notify>),
}

impl Beat {
    /// Often enough that a cancelled version is noticed within two seconds.
    pub const USUAL: Beat = Beat::Every(Duration::from_secs(1));

    pub(super) async fn next(&self) {
        match self {
            Beat::Every(pause) => tokio::time::sleep(*pause).await,
            Beat::ByHand(beat) => beat.notified().await,
        }
    }
}
