//! The calls of the library that speaks ACME, over our own way outwards.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body_util::BodyExt;
use instant_acme::{BodyWrapper, BytesResponse, Error, HttpClient};

use crate::egress::{Egress, pause_asked};

/// The most that is read of an answer: chains are a few kilobytes.
const LARGEST: usize = 256 * 1024;

/// How long the authority has asked us to wait, the last time that it did.
#[derive(Debug, Clone, Default)]
pub(super) struct Asked(Arc<Mutex<Option<Duration>>>);

impl Asked {
    /// Takes it.
    pub(super) fn take(&self) -> Option<Duration> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn keep(&self, pause: Option<Duration>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = pause;
    }
}

/// See above.
pub(super) struct Calls {
    pub(super) gateway: Egress,
    pub(super) asked: Asked,
}

impl HttpClient for Calls {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let (gateway, asked) = (self.gateway.clone(), self.asked.clone());
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
            }
            Ok(BytesResponse { parts, body: Box::new(body) })
        })
    }
}
