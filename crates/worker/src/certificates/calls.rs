//! The calls of the library that speaks ACME, over our own way outwards.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body_util::BodyExt;
use instant_acme::{BodyWrapper, BytesResponse, Error, HttpClient};
use serde_json::Value;

use crate::egress::{Egress, pause_asked};

/// The most that is read of an answer: chains are a few kilobytes.
const LARGEST: usize = 256 * 1024;

/// How long the authority has asked us to wait, the last time that it did.
#[derive(Debug, Clone, Default)]
pub(super) struct RequestedPause(Arc<Mutex<Option<Duration>>>);

impl RequestedPause {
    /// Takes it.
    pub(super) fn take(&self) -> Option<Duration> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn keep(&self, pause: Option<Duration>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = pause;
    }
}

/// The names that the authority goes by in CAA records, as its directory tells them; none if it does not.
#[derive(Debug, Clone, Default)]
pub(super) struct Identities(Arc<Mutex<Vec<String>>>);

impl Identities {
    /// Those that were read.
    pub(super) fn read(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn keep(&self, directory: &[u8]) {
        let Ok(directory) = serde_json::from_slice::<Value>(directory) else { return };
        let named = directory["meta"]["caaIdentities"].as_array().map(Vec::as_slice).unwrap_or_default();
        let named = named.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = named;
    }
}

/// See above.
pub(super) struct Calls {
    pub(super) gateway: Egress,
    /// Where the directory is.
    pub(super) directory: String,
    pub(super) asked: RequestedPause,
    pub(super) identities: Identities,
}

impl HttpClient for Calls {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let (gateway, asked) = (self.gateway.clone(), self.asked.clone());
        // The library reads the directory, and does not tell all of it.
        let is_directory = request.uri().to_string() == self.directory;
        let identities = is_directory.then(|| self.identities.clone());
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let body = match body.collect().await {
                Ok(body) => body.to_bytes(),
                Err(never) => match never {},
            };
            let sent = gateway.exchange(Request::from_parts(head, body), LARGEST).await;
            let (parts, body) = sent.map_err(|failure| Error::Other(Box::new(failure)))?.into_parts();
            if !parts.status.is_success() {
                asked.keep(pause_asked(&parts.headers));
            } else if let Some(identities) = identities {
                identities.keep(&body);
            }
            Ok(BytesResponse { parts, body: Box::new(body) })
        })
    }
}
