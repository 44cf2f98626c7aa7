//! Where events go: one address, signed as every delivery is.

use std::sync::Arc;
use std::time::Instant;

use http::{HeaderMap, HeaderName, HeaderValue, header};
use pagesmith_model::network::Networks;
use pagesmith_model::webhook::{Secret, Secrets, signature};
use pagesmith_operations::World;
use pagesmith_worker::egress::{Egress, Options, Outgoing};

use super::super::output;
use super::source::Event;

/// How much of an answer is read; nothing of it is shown.
const READ: usize = 4 * 1024;

/// A door to every address: it is the developer's own machine, and the developer who says where to.
pub fn door() -> Egress {
    let everywhere: Networks = "0.0.0.0/0,::/0".parse().unwrap_or_default();
    Egress::new(&Options::new(everywhere))
}

/// See above.
pub struct Forward {
    egress: Egress,
    url: String,
    secrets: Secrets,
    world: Arc<World>,
}

impl Forward {
    /// To that address, with that secret.
    pub fn new(url: String, secret: Secret, world: Arc<World>) -> Forward {
        Forward { egress: door(), url, secrets: Secrets::new(secret), world }
    }

    /// Sends an event once; a line that says what came of it.
    pub async fn send(&self, event: &Event) -> String {
        let begun = Instant::now();
        match self.egress.send(self.outgoing(event), READ).await {
            Ok(answer) => format!("→ {} in {} ms", answer.status, begun.elapsed().as_millis()),
            Err(failure) => format!("→ {}", output::escape(&failure.to_string())),
        }
    }

    fn outgoing(&self, event: &Event) -> Outgoing {
        let mut headers = HeaderMap::with_capacity(8);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(
            header::USER_AGENT,
            HeaderValue::from_static(concat!("Pagesmith/", env!("CARGO_PKG_VERSION"))),
        );
        let now = self.world.clock().now();
        for (name, value) in signature::headers(&self.secrets, &event.id, &event.body, now) {
            // An id that no header can hold is none of ours; without it the receiver refuses.
            if let (Ok(name), Ok(value)) =
                (HeaderName::from_bytes(name.as_bytes()), HeaderValue::try_from(value))
            {
                headers.insert(name, value);
            }
        }
        Outgoing { url: self.url.clone(), headers, body: event.body.clone() }
    }
}
