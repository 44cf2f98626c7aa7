//! The way to identity providers.
//!
//! The operator has chosen them, and what they say of themselves leads on, so that no network is refused: a company's provider often
//! is in its own. Names, TLS and the proxy are as for everything else that goes out. Redirects are answers like any other.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, header};
use pagesmith_model::network::Networks;
use pagesmith_operations::users::identity_providers::{Calling, ProviderCall, ProviderGateway};
use url::form_urlencoded::Serializer;

use crate::egress::{Egress, Options};

/// How long a call may take: somebody waits for it.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// The largest answer that is read, in bytes.
const LARGEST: usize = 512 * 1024;

/// Calls identity providers.
pub struct ProviderCalls {
    egress: Egress,
}

impl ProviderCalls {
    /// With connections of its own, which live in the runtime that makes this.
    pub fn new(options: &Options) -> ProviderCalls {
        let options = Options { allowed: Networks::all(), total: TIME_LIMIT, ..options.clone() };
        ProviderCalls { egress: Egress::new(&options) }
    }
}

impl ProviderGateway for ProviderCalls {
    fn call(&self, call: ProviderCall) -> Calling<'_> {
        Box::pin(async move {
            let ProviderCall { url, form, authorization } = call;
            let request =
                request(&url, form, authorization).ok_or_else(|| format!("{url} cannot be called"))?;
            let answer = self.egress.exchange(request, LARGEST).await;
            let answer = answer.map_err(|failure| format!("{url}: {failure}"))?;
            Ok((answer.status().as_u16(), answer.into_body().to_vec()))
        })
    }
}

fn request(
    url: &str,
    form: Option<Vec<(String, String)>>,
    authorization: Option<String>,
) -> Option<Request<Bytes>> {
    let mut request = Request::builder().uri(url).header(header::ACCEPT, "application/json");
    if let Some(authorization) = authorization {
        let mut value = HeaderValue::try_from(authorization).ok()?;
        value.set_sensitive(true);
        request = request.header(header::AUTHORIZATION, value);
    }
    let Some(form) = form else { return request.body(Bytes::new()).ok() };
    let body = Serializer::new(String::new()).extend_pairs(form).finish();
    request
        .method(Method::POST)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(body.into())
        .ok()
}
