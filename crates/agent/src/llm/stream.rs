//! What a model says, piece by piece, whichever form its API has.
//!
//! A server that answers in one piece of JSON although a stream was asked for is understood as well.

use std::future::ready;

use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt, TryStreamExt};
use serde_json::Value;
use sse_stream::{Sse, SseByteStream};

use super::gateway::GatewayBody;
use super::piece::StreamPiece;
use super::{Form, chat, messages};
use crate::AgentError;

/// The most bytes of one answer that are read, however a server counts its tokens. This also bounds what a single
/// event takes in memory, because the parser of events has no limit of its own.
const MOST_ANSWER: usize = 2 << 20;

/// The answer in the body, event by event.
pub fn pieces(
    form: Form,
    body: Box<dyn GatewayBody>,
) -> impl Stream<Item = Result<Vec<StreamPiece>, AgentError>> + Send {
    let opened = async move {
        let mut chunks = Box::pin(chunks(body).peekable());
        let is_json = match chunks.as_mut().peek().await {
            Some(Ok(chunk)) => chunk.trim_ascii_start().starts_with(b"{"),
            _ => false,
        };
        Ok(if is_json { whole(form, chunks).left_stream() } else { events(form, chunks).right_stream() })
    };
    stream::once(opened).try_flatten()
}

/// The bytes of the body, as long as there are not too many. Blank chunks at the start mean nothing and are left out.
fn chunks(body: Box<dyn GatewayBody>) -> impl Stream<Item = Result<Bytes, AgentError>> + Send {
    let chunks = stream::try_unfold((body, 0), |(mut body, before)| async move {
        let Some(chunk) = body.next().await.map_err(super::gateway_error)? else { return Ok(None) };
        let read = before + chunk.len();
        if read > MOST_ANSWER { Err(too_long()) } else { Ok(Some((chunk, (body, read)))) }
    });
    chunks.try_skip_while(|chunk| ready(Ok(chunk.trim_ascii().is_empty())))
}

/// The error of an answer that is longer than it may be.
pub fn too_long() -> AgentError {
    AgentError::budget("The model's answer was longer than it may be.")
}

/// What an answer in one piece of JSON says.
fn whole(
    form: Form,
    chunks: impl Stream<Item = Result<Bytes, AgentError>> + Send,
) -> impl Stream<Item = Result<Vec<StreamPiece>, AgentError>> + Send {
    stream::once(async move {
        let join = |mut all: Vec<u8>, chunk: Bytes| {
            all.extend_from_slice(&chunk);
            ready(Ok(all))
        };
        let text = chunks.try_fold(Vec::new(), join).await?;
        Ok(match (form, serde_json::from_slice::<Value>(&text)) {
            (Form::Chat, Ok(value)) => chat::whole(&value),
            (Form::Messages, Ok(value)) => messages::whole(&value),
            (_, Err(_)) => Vec::new(),
        })
    })
}

/// What the events of a stream say.
fn events(
    form: Form,
    chunks: impl Stream<Item = Result<Bytes, AgentError>> + Send,
) -> impl Stream<Item = Result<Vec<StreamPiece>, AgentError>> + Send {
    // Some servers leave out the empty line that completes the last event.
    let end = stream::once(ready(Ok(Bytes::from_static(b"\n\n"))));
    let read = move |event: Sse| match (form, serde_json::from_str(&event.data.unwrap_or_default())) {
        (Form::Chat, Ok(value)) => chat::pieces(&value),
        (Form::Messages, Ok(value)) => messages::pieces(&value),
        // `[DONE]`, which says nothing that has not been said.
        (_, Err(_)) => Vec::new(),
    };
    SseByteStream::new(chunks.chain(end)).map_ok(read).map_err(|error| match error {
        sse_stream::Error::Body(source) => source.downcast().map_or_else(|_| not_text(), |error| *error),
        _ => not_text(),
    })
}

fn not_text() -> AgentError {
    AgentError::retry(None, "The model's answer was not UTF-8.")
}
