//! How a request came: the address at the other end of its connection, the client's behind trusted proxies, and over which listener.

use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::Error;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::FORWARDED;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Request, Response};
use hyper::body::{Frame, SizeHint};
use pagesmith_model::forwarded::{self, Lines};
use pagesmith_model::{Kind, network};

use crate::counts::Permit;
use crate::error::Refusal;
use crate::state::AppState;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// After how many seconds a client may try again that has too many requests in flight.
const RETRY_AFTER: u32 = 1;

/// The address of a client for a request that comes over no connection, as in tests; an extension of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

/// How a request came.
///
/// It is handed on beside the request, since an extension costs three allocations: only a request that goes further than the front has it
/// as one ([`Arrival::mark`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Arrival {
    /// The address at the other end of its connection, where it came over one.
    pub peer: Option<IpAddr>,
    /// The address behind a trusted proxy.
    behind_proxy: Option<IpAddr>,
    /// Whether it came by TLS.
    pub is_secure: bool,
    /// Whether it came to a listener that is the console's alone.
    pub is_for_console: bool,
}

impl Arrival {
    /// Over a connection.
    pub fn over_connection(peer: IpAddr, is_secure: bool, is_for_console: bool) -> Arrival {
        Arrival { peer: Some(peer), behind_proxy: None, is_secure, is_for_console }
    }

    /// How a request came, by its extensions.
    pub fn of(extensions: &Extensions) -> Arrival {
        extensions.get().copied().unwrap_or_else(|| {
            let peer = extensions.get::<Peer>().map(|Peer(address)| *address);
            Arrival { peer, ..Arrival::default() }
        })
    }

    /// Says of a request how it came.
    pub fn mark<B>(self, request: &mut Request<B>) {
        request.extensions_mut().insert(self);
    }

    /// The address that the request comes from, where it came over a connection.
    pub fn client(&self) -> Option<IpAddr> {
        self.behind_proxy.or(self.peer)
    }
}

/// The address that a request comes from, where it came over a connection.
pub(crate) fn client(extensions: &Extensions) -> Option<IpAddr> {
    Arrival::of(extensions).client()
}

/// Notes the client's address where it is another one than the connection's. What comes through a trusted proxy takes a permit of the client, which is given back when its
/// answer was sent: the proxy's own connections are not counted.
pub(crate) fn admit(
    state: &AppState,
    headers: &HeaderMap,
    arrival: &mut Arrival,
) -> Result<Option<Permit<IpAddr>>, Refusal> {
    let settings = &state.settings;
    let Some(peer) = arrival.peer.filter(|peer| settings.trusted_proxies.hold(*peer)) else {
        return Ok(None);
    };
    let values = |name: HeaderName| headers.get_all(name).iter().map(HeaderValue::as_bytes).collect();
    let lines = Lines { forwarded: values(FORWARDED), x_forwarded_for: values(X_FORWARDED_FOR) };
    let client = forwarded::client(peer, &settings.trusted_proxies, settings.proxy_header, &lines);
    arrival.behind_proxy = Some(client);
    permit(state, client).map(Some)
}

/// The same for a request by HTTP/2, whose connection may have many: a permit of the address at its other end, unless that is a proxy.
pub(crate) fn admit_stream(state: &AppState, arrival: Arrival) -> Result<Option<Permit<IpAddr>>, Refusal> {
    let counted = arrival.peer.filter(|peer| !state.settings.trusted_proxies.hold(*peer));
    counted.map(|peer| permit(state, peer)).transpose()
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
