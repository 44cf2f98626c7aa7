//! A stream of server-sent events which say that something has changed and carry nothing else: live parts fetch what they show.
//!
//! What belongs to a tenant has its events from the API where it has any; this is for the rest, and for what belongs to the installation. A stream ends after ten minutes, and when
//! the server stops; the browser connects again.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Response, header};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::client::{Client, Refused};
use crate::parts::live::SINCE;
use crate::visit::{Drawn, Visit};

/// How long a stream is open at most.
const LONGEST: Duration = Duration::from_mins(10);
/// Said where nothing has changed, so that both sides know of each other.
const STILL_THERE: &str = ": still there\n\n";

/// How long it takes until a change is looked for again.
const INTERVAL: Duration = Duration::from_secs(2);

/// The events of what stands at a path of the API and has none there: one for each change since what was shown.
pub async fn changes(visit: &Visit, event: &'static str, path: String) -> Result<Drawn, Refused> {
    let (api, ending) = (visit.api.clone(), visit.installation.ending.clone());
    let shown = match visit.asked(SINCE) {
        Some(tag) => tag,
        None => visit.api.get(&path).await?.tag(),
    };
    let next = move |(api, path, known): (Client, String, String)| async move {
        // Gone, or refused: whoever connects again is told why.
        let now = api.get(&path).await.ok()?.tag();
        let is_new = now != known;
        if !is_new {
            tokio::time::sleep(INTERVAL).await;
        }
        Some(((api, path, now), is_new))
    };
    Ok(Drawn::Response(stream(event, (api, path, shown), next, ending)))
}

/// A stream of events of this name. `next` waits a little, or for a change, and tells whether there was one; nothing where the stream ends.
pub fn stream<S, F, Next>(
    event: &'static str,
    start: S,
    next: F,
    ending: watch::Receiver<bool>,
) -> Response<Body>
where
    S: Send + 'static,
    F: Fn(S) -> Next + Send + 'static,
    Next: Future<Output = Option<(S, bool)>> + Send + 'static,
{
    let until = Instant::now() + LONGEST;
    let events =
        futures_util::stream::unfold((start, next, ending), move |(state, next, mut ending)| async move {
            if Instant::now() >= until {
                return None;
            }
            let (state, is_new) = tokio::select! {
                found = next(state) => found?,
                _ = ending.wait_for(|ending| *ending) => return None,
            };
            let said = if is_new {
                Bytes::from(format!("event: {event}\ndata: {{}}\n\n"))
            } else {
                Bytes::from_static(STILL_THERE.as_bytes())
            };
            Some((Ok::<_, Infallible>(said), (state, next, ending)))
        });
    let mut response = Response::new(Body::from_stream(events));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
