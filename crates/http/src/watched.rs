//! A state as an answer: once as JSON with its `ETag`, or, for whoever accepts server-sent events, now and again after every change.
//!
//! The state is read from the database each time, so it does not matter which server changes it. A stream ends with the state's last change, after ten
//! minutes, when its key is no longer valid, and when the server stops; the client connects again.
//!
//! An event's id is the `ETag` of its state. Who connects again names the last one, as browsers do by themselves, and is not told what they
//! know: the stream waits for the next change.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body as Payload;
use axum::http::{HeaderMap, HeaderValue, Response, header};
use bytes::Bytes;
use futures_util::stream;
use pagesmith_model::{Result, TenantId};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::watch;

use crate::counts::Permit;
use crate::description::{Operation, Schemas};
use crate::extract::Call;
use crate::reply::{AnswerContext, IntoAnswer, Single, etag, json};

/// What a client says that connects again: the id of the last event that it had.
const LAST_EVENT_ID: &str = "last-event-id";
/// How long a stream says nothing before it says that it is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// How often a stream asks whether it may go on. This process learns of a revoked key within two seconds, and the stream has to end within five,
/// however rarely its state is looked at and however long a look takes.
const ADMISSION_INTERVAL: Duration = Duration::from_secs(1);
/// How long a stream is open at most.
const LONGEST: Duration = Duration::from_mins(10);

/// A state that callers may watch.
pub(crate) trait Watched: Serialize + JsonSchema + PartialEq + Send + Sync + Sized + 'static {
    /// Says which state is meant.
    type Of: Send + Sync + 'static;
    /// The events' name.
    const EVENT: &'static str;
    /// An event's data, for the description.
    const EXAMPLE: &'static str;
    /// How long a stream waits between two looks at the state.
    const INTERVAL: Duration;

    /// The present state.
    fn read(call: &Call, of: &Self::Of) -> impl Future<Output = Result<Self>> + Send;

    /// Whether nothing will change without somebody asking for it.
    fn is_final(&self) -> bool {
        false
    }
}

/// A state as JSON or as a stream of events, whichever the caller accepts.
pub(crate) struct WatchedAnswer<W: Watched> {
    state: W,
    call: Call,
    of: W::Of,
}

impl<W: Watched> WatchedAnswer<W> {
    /// Reads the state.
    pub(crate) async fn read(call: Call, of: W::Of) -> Result<WatchedAnswer<W>> {
        let state = W::read(&call, &of).await?;
        Ok(WatchedAnswer { state, call, of })
    }

    /// An event now, unless the caller has had this one, and one with every change.
    fn events(self, last_event: Option<&HeaderValue>) -> Result<Payload> {
        let WatchedAnswer { state, call, of } = self;
        let permit = call.stream_permit()?;
        let ending = call.state.ending.subscribe();
        let polls = polls::<W>(LONGEST);
        let is_unsent = last_event.is_none_or(|last| last.as_bytes() != event_id(&state).as_bytes());
        let open = EventStream {
            call,
            of,
            known: state,
            is_unsent,
            waits_beyond_end: !is_unsent,
            polls,
            ending,
            _permit: permit,
        };
        let events = stream::unfold(open, |mut open| async move {
            let sent = open.next().await?;
            Some((Ok::<_, Infallible>(sent), open))
        });
        Ok(Payload::from_stream(events))
    }
}

impl<W: Watched> IntoAnswer for WatchedAnswer<W> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        Single::<W>::describe(operation, schemas);
        operation.takes_header(
            "Accept",
            "`text/event-stream` to get a stream of events instead of one answer.",
            "text/event-stream",
        );
        operation.takes_header(
            "Last-Event-ID",
            "The `id` of the last event that was received, or the `ETag` of the state without its quotes. While that is the present state, no event is sent.",
            "v1mJ0rZkQe2nTq8cXyA4Zw",
        );
        operation.streams(
            200,
            &format!("event: {}\ndata: {}\nid: v1mJ0rZkQe2nTq8cXyA4Zw\n\n", W::EVENT, W::EXAMPLE),
        );
    }

    fn into_answer(self, context: &AnswerContext<'_>) -> Result<Response<Payload>> {
        if !takes_events(context.headers) {
            return Single(self.state).into_answer(context);
        }
        let mut response = Response::new(self.events(context.headers.get(LAST_EVENT_ID))?);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(response)
    }
}

fn takes_events(request: &HeaderMap) -> bool {
    let accepted = request.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|form| {
        form.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("text/event-stream")
    })
}

/// How often a state is looked at in that time.
fn polls<W: Watched>(time: Duration) -> u128 {
    time.as_millis() / W::INTERVAL.as_millis().max(1)
}

/// An open stream of events.
struct EventStream<W: Watched> {
    call: Call,
    of: W::Of,
    /// What was sent last, or is sent next.
    known: W,
    /// Whether that has still to be sent.
    is_unsent: bool,
    /// Whether the caller knew the state, so that the end of what was followed is no end of the stream: something new may begin.
    waits_beyond_end: bool,
    /// How many polls are left.
    polls: u128,
    ending: watch::Receiver<bool>,
    /// One of the streams that the tenant may have open.
    _permit: Permit<TenantId>,
}

impl<W: Watched> EventStream<W> {
    /// What is sent next; `None` where the stream ends.
    async fn next(&mut self) -> Option<Bytes> {
        if std::mem::take(&mut self.is_unsent) {
            return Some(event(&self.known));
        }
        for _ in 0..polls::<W>(KEEP_ALIVE) {
            if (self.known.is_final() && !self.waits_beyond_end) || self.polls == 0 {
                return None;
            }
            self.polls -= 1;
            let EventStream { call, of, ending, .. } = &mut *self;
            let look = async {
                tokio::time::sleep(W::INTERVAL).await;
                // Gone, or the database is away: whoever asks again is told why.
                W::read(&call.at_present(), of).await.ok()
            };
            let now = tokio::select! {
                now = look => now?,
                () = refused(call) => return None,
                // The server stops, and closes the stream.
                _ = ending.wait_for(|ending| *ending) => return None,
            };
            if !self.call.is_still_admitted() {
                return None;
            }
            if now != self.known {
                self.known = now;
                self.waits_beyond_end = false;
                return Some(event(&self.known));
            }
        }
        Some(Bytes::from_static(b": still there\n\n"))
    }
}

/// Waits until a stream may not go on.
async fn refused(call: &Call) {
    while call.is_still_admitted() {
        tokio::time::sleep(ADMISSION_INTERVAL).await;
    }
}

fn event<W: Watched>(state: &W) -> Bytes {
    let data = data(state);
    let mut event = format!("event: {}\ndata: ", W::EVENT).into_bytes();
    event.extend_from_slice(&data);
    event.extend_from_slice(format!("\nid: {}\n\n", id_of(&data)).as_bytes());
    event.into()
}

fn event_id<W: Watched>(state: &W) -> String {
    id_of(&data(state))
}

/// The very bytes that answer whoever asks once.
fn data<W: Watched>(state: &W) -> Vec<u8> {
    json(state).unwrap_or_default()
}

fn id_of(data: &[u8]) -> String {
    etag(data).trim_matches('"').to_owned()
}
