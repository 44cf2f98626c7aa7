//! A stream of server-sent events which say that something has changed and carry nothing else: live parts fetch what they show.
//!
//! What belongs to a tenant has its events from the API where it has any; this is for the rest, and for what belongs to the installation. A stream ends after ten minutes, and when
//! the server stops; the browser connects again.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Response, header};
use futures_util::future::{ready, try_join_all};
use futures_util::stream::{BoxStream, once, select, unfold};
use futures_util::{Stream, StreamExt};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::client::{Answered, Client, Refused, tag_of};
use crate::parts::live::{BESIDE, SINCE};
use crate::visit::{Drawn, Visit};

/// How long a stream is open at most.
const LONGEST: Duration = Duration::from_mins(10);
/// Said where nothing has changed, so that both sides know of each other.
const STILL_THERE: &str = ": still there\n\n";

/// How long it takes until a change is looked for again.
const INTERVAL: Duration = Duration::from_secs(2);

/// The events of what stands at a path of the API and has none there: one for each change since what was shown.
pub async fn changes(visit: &Visit, event: &'static str, path: String) -> Result<Drawn, Refused> {
    changes_of(visit, event, move |api| tag_at(api, vec![path.clone()])).await
}

/// The tag of what stands at these paths of the API: another one whenever one of them is answered otherwise.
pub async fn tag_at(api: Client, paths: Vec<String>) -> Result<String, Refused> {
    let found = try_join_all(paths.iter().map(|path| api.get(path))).await?;
    Ok(tag_of(found.iter().map(Answered::tag)))
}

/// The events of a state that has none at the API, of which calls of the API make a tag: one for each change since what was shown.
pub async fn changes_of<F, Found>(visit: &Visit, event: &'static str, state: F) -> Result<Drawn, Refused>
where
    F: Fn(Client) -> Found + Send + 'static,
    Found: Future<Output = Result<String, Refused>> + Send + 'static,
{
    let watched = watched(visit, SINCE, event, state).await?;
    Ok(Drawn::Response(of_events(Body::from_stream(watched))))
}

/// The events of what the API has at a path, which are passed on, and with them those of another state, as [`changes_of`] has them: the address
/// says which one was shown as [`BESIDE`]. They end with those of the API.
pub async fn beside<F, Found>(
    visit: &Visit,
    path: &str,
    event: &'static str,
    state: F,
) -> Result<Drawn, Refused>
where
    F: Fn(Client) -> Found + Send + 'static,
    Found: Future<Output = Result<String, Refused>> + Send + 'static,
{
    let shown = visit.asked(SINCE);
    let passed_on = visit.api.follow(path, shown.as_deref()).await?.into_body().into_data_stream();
    let watched = watched(visit, BESIDE, event, state).await?;
    // The API says itself that it is there.
    let watched = watched.filter(|said| ready(!matches!(said, Ok(said) if said == STILL_THERE.as_bytes())));
    let watched = watched.map(|said| said.map_err(|never| match never {}));
    let ends = once(ready(None));
    let all = select(passed_on.map(Some).chain(ends), watched.map(Some));
    let all = all.take_while(|said| ready(said.is_some())).filter_map(ready);
    Ok(Drawn::Response(of_events(Body::from_stream(all))))
}

async fn watched<F, Found>(
    visit: &Visit,
    shown: &str,
    event: &'static str,
    state: F,
) -> Result<BoxStream<'static, Result<Bytes, Infallible>>, Refused>
where
    F: Fn(Client) -> Found + Send + 'static,
    Found: Future<Output = Result<String, Refused>> + Send + 'static,
{
    let (api, ending) = (visit.api.clone(), visit.installation.ending.clone());
    let shown = match visit.asked(shown) {
        Some(tag) => tag,
        None => state(api.clone()).await?,
    };
    let next = move |(api, known): (Client, String)| {
        let found = state(api.clone());
        async move {
            // Gone, or refused: whoever connects again is told why.
            let now = found.await.ok()?;
            let is_new = now != known;
            if !is_new {
                tokio::time::sleep(INTERVAL).await;
            }
            Some(((api, now), is_new))
        }
    };
    Ok(frames(event, (api, shown), next, ending).boxed())
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
    of_events(Body::from_stream(frames(event, start, next, ending)))
}

fn of_events(body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn frames<S, F, Next>(
    event: &'static str,
    start: S,
    next: F,
    ending: watch::Receiver<bool>,
) -> impl Stream<Item = Result<Bytes, Infallible>> + Send + 'static
where
    S: Send + 'static,
    F: Fn(S) -> Next + Send + 'static,
    Next: Future<Output = Option<(S, bool)>> + Send + 'static,
{
    let until = Instant::now() + LONGEST;
    unfold((start, next, ending), move |(state, next, mut ending)| async move {
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
    })
}
