//! Where a request comes from: the address at the other end of its connection, and the client's behind trusted proxies.

use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::Error;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::FORWARDED;
use axum::http::{Extensions, HeaderName, HeaderValue, Request, Response};
use hyper::body::{Frame, SizeHint};
use pagesmith_model::forwarded::{self, Lines};
use pagesmith_model::{Kind, network};

use crate::counts::Permit;
use crate::error::Refusal;
use crate::state::AppState;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// After how many seconds a client may try again that has too many requests in flight.
const RETRY_AFTER: u32 = 1;

/// The address at the other end of a request's connection; an extension of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

/// That a request came by TLS; an extension of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Secure;

/// That a request came to a listener that is the console's alone; an extension of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ForConsole;

/// The address behind a trusted proxy that a request comes from; an extension of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Client(IpAddr);

/// The address that a request comes from, where it came over a connection.
pub(crate) fn client(extensions: &Extensions) -> Option<IpAddr> {
    let client = extensions.get::<Client>().map(|Client(address)| *address);
    client.or_else(|| extensions.get::<Peer>().map(|Peer(address)| *address))
}

/// Notes the client's address where it is another one than the connection's. What comes through a trusted proxy takes a permit of the client, which is given back when its
/// answer was sent: the proxy's own connections are not counted.
pub(crate) fn admit<B>(
    state: &AppState,
    request: &mut Request<B>,
) -> Result<Option<Permit<IpAddr>>, Refusal> {
    let Some(Peer(peer)) = request.extensions().get::<Peer>().copied() else { return Ok(None) };
    let settings = &state.settings;
    if !settings.trusted_proxies.hold(peer) {
        return Ok(None);
    }
    let values =
        |name: HeaderName| request.headers().get_all(name).iter().map(HeaderValue::as_bytes).collect();
    let lines = Lines { forwarded: values(FORWARDED), x_forwarded_for: values(X_FORWARDED_FOR) };
    let client = forwarded::client(peer, &settings.trusted_proxies, settings.proxy_header, &lines);
    request.extensions_mut().insert(Client(client));
    permit(state, client).map(Some)
}

/// The same for a request by HTTP/2, whose connection may have many: a permit of the address at its other end, unless that is a proxy.
pub(crate) fn admit_stream(state: &AppState, Peer(peer): Peer) -> Result<Option<Permit<IpAddr>>, Refusal> {
    if state.settings.trusted_proxies.hold(peer) { Ok(None) } else { permit(state, peer).map(Some) }
}

fn permit(state: &AppState, address: IpAddr) -> Result<Permit<IpAddr>, Refusal> {
    let limit = state.settings.connections_per_address;
    state.requests_in_flight.take(network::origin(address), limit).ok_or_else(|| {
        let resets_at = state.now().plus(std::time::Duration::from_secs(RETRY_AFTER.into()));
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        let kind = Kind::Limited { limit, resets_at, retry_after: RETRY_AFTER };
        let detail = format!("There are {limit} requests from this address already.");
        pagesmith_model::Error::new(kind, detail).into()
    })
}

/// The response, which has the permit until all of it was sent.
pub(crate) fn until_sent(permit: Permit<IpAddr>, response: Response<Body>) -> Response<Body> {
    response.map(|body| Body::new(WithPermit { body, _permit: permit }))
}

struct WithPermit {
    body: Body,
    _permit: Permit<IpAddr>,
}

impl HttpBody for WithPermit {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
