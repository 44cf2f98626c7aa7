//! Where events go: one address, signed as every delivery is.

use std::sync::Arc;
use std::time::Instant;

use pagesmith_model::webhook::{Secret, Secrets};
use pagesmith_operations::Platform;
use pagesmith_worker::delivery;
use pagesmith_worker::egress::Egress;

use super::super::output;
use super::gateway::gateway;
use super::source::Event;

/// How much of an answer is read; nothing of it is shown.
const READ: usize = 4 * 1024;

/// Sends events to one address.
pub struct Forward {
    egress: Egress,
    url: String,
    secrets: Secrets,
    platform: Arc<Platform>,
}

impl Forward {
    /// To that address, with that secret.
    pub fn new(url: String, secret: Secret, platform: Arc<Platform>) -> Forward {
        Forward { egress: gateway(), url, secrets: Secrets::new(secret), platform }
    }

    /// Sends an event once; a line that says what came of it.
    pub async fn send(&self, event: &Event) -> String {
        let begun = Instant::now();
        let (now, body) = (self.platform.clock().now(), event.body.clone());
        let outgoing = delivery::signed(self.url.clone(), &self.secrets, &event.id, body, now);
        match self.egress.send(outgoing, READ).await {
            Ok(answer) => format!("→ {} in {} ms", answer.status, begun.elapsed().as_millis()),
            Err(failure) => format!("→ {}", output::escape(&failure.to_string())),
        }
    }
}
