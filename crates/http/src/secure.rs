//! From HTTP to HTTPS, where this server speaks TLS itself: redirects, and what browsers are told.
//!
//! Only names with a certificate are concerned: whoever asks for another one would be led nowhere.

use axum::body::Body;
use axum::http::{HeaderValue, Request, Response, StatusCode, header};

use crate::arrival::Arrival;
use crate::hosts;
use crate::state::{AppState, Tls};

/// Where load balancers and monitors ask, in the clear as they always have.
const IN_THE_CLEAR: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// The redirect for a request that came in the clear to a name with a certificate. What trusted proxies pass on may have been encrypted
/// before, and a listener of the console's own speaks no TLS.
pub(crate) fn redirect<B>(
    state: &AppState,
    request: &Request<B>,
    arrival: Arrival,
) -> Option<Response<Body>> {
    let Tls { certificates, port, .. } = state.settings.tls.as_ref()?;
    let peer = arrival.peer?;
    let is_in_the_clear = !arrival.is_secure
        && !arrival.is_for_console
        && !state.settings.trusted_proxies.hold(peer)
        && !IN_THE_CLEAR.contains(&request.uri().path());
    let name = hosts::host_name(request.uri(), request.headers()).filter(|_| is_in_the_clear)?;
    if !certificates.is_there(name) {
        return None;
    }
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let place = HeaderValue::try_from(format!("https://{name}{port}{path}")).ok()?;
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
    response.headers_mut().insert(header::LOCATION, place);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Some(response)
}

/// What a browser is told about a site: to ask for it by TLS alone from now on.
pub(crate) struct StrictTransport(Option<HeaderValue>);

/// What the browser is told whose request came that way.
pub(crate) fn strict_transport(state: &AppState, arrival: Arrival) -> StrictTransport {
    let tls = state.settings.tls.as_ref().filter(|tls| !tls.strict_transport.is_zero());
    let tls = tls.filter(|_| arrival.is_secure);
    StrictTransport(
        tls.and_then(|tls| HeaderValue::try_from(format!("max-age={}", tls.strict_transport.as_secs())).ok()),
    )
}

impl StrictTransport {
    /// The response that tells it.
    pub fn on(self, mut response: Response<Body>) -> Response<Body> {
        if let Some(value) = self.0 {
            response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, value);
        }
        response
    }
}
