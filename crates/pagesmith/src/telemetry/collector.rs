//! The way to the OpenTelemetry collector: plain HTTP/1.1, small answers, a time limit.
//!
//! The exporter calls from a thread of its own that knows nothing of tokio, so each request runs as a task of the
//! given runtime. The log says once that the collector is away, and once that it is back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full, Limited};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use opentelemetry_http::{HttpClient, HttpError};
use tokio::runtime::Handle;

/// How long the collector may take to answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How much of its answer is read.
const ANSWER_SIZE: usize = 64 * 1024;

/// A client of the collector.
#[derive(Debug)]
pub struct Collector {
    client: Client<HttpConnector, Full<Bytes>>,
    runtime: Handle,
    away: Arc<AtomicBool>,
}

impl Collector {
    /// A client whose requests run on `runtime`.
    pub fn new(runtime: Handle) -> Collector {
        let client = Client::builder(TokioExecutor::new()).build_http();
        Collector { client, runtime, away: Arc::default() }
    }

    fn note(&self, failure: Option<String>) {
        let was_away = self.away.swap(failure.is_some(), Ordering::Relaxed);
        match failure {
            Some(error) if !was_away => tracing::warn!(error, "traces do not reach the collector"),
            None if was_away => tracing::info!("traces reach the collector again"),
            _ => {}
        }
    }
}

#[async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        // The time limit too is made inside the task: its clock is the runtime's.
        let task = async move { tokio::time::timeout(TIMEOUT, exchange(client, request)).await? };
        let outcome = self.runtime.spawn(task).await.unwrap_or_else(|stopped| Err(stopped.into()));
        self.note(match &outcome {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("it answered {}", answer.status())),
            Err(error) => Some(with_causes(error.as_ref())),
        });
        outcome
    }
}

async fn exchange(
    client: Client<HttpConnector, Full<Bytes>>,
    request: Request<Bytes>,
) -> Result<Response<Bytes>, HttpError> {
    let (parts, body) = client.request(request.map(Full::new)).await?.into_parts();
    let body = Limited::new(body, ANSWER_SIZE).collect().await?.to_bytes();
    Ok(Response::from_parts(parts, body))
}

/// The error and what is behind it: "client error" alone helps nobody.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
