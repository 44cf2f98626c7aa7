//! What is said to whoever asks: a page, JSON, or events of a stream.
//!
//! A stream has an event `sentence` with the text of each sentence as it is checked, and at last an event `answer` with the whole answer as
//! HTML. A stream without that has failed. What needs no stream is told to the script as that HTML alone.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Response, StatusCode, header};
use futures_util::stream;
use http_body_util::BodyExt;
use pagesmith_model::page::action::Action;
use pagesmith_model::{AudienceId, PageId, Result};
use pagesmith_operations::questions::material::{Material, VisitorAnswer, Writer};
use pagesmith_render::{
    AskAnswer, AskPage, AskQuote, Language, Measured, Rendered, Theme, ask_answer, ask_answer_alone,
    block_anchors,
};
use serde_json::{Value, json};
use tokio::sync::mpsc::Receiver;

use super::modelled::AnswerUpdate;
use crate::hosts::Site;
use crate::path_ids::PathIds;
use crate::site::measure::view_of;
use crate::site::response::{json_of, page, plain, typed};
use crate::state::AppState;

/// Whom an answer is for.
pub(super) struct Visitor {
    /// What was asked.
    pub question: String,
    /// Where.
    pub place: Option<(PageId, AudienceId)>,
    /// The address that leads back to the page, if it was asked there.
    pub back: Option<String>,
    /// Whether a program asks, which reads JSON.
    pub is_program: bool,
    /// Whether the script asks, which takes an answer as it comes.
    pub takes_events: bool,
    /// The language of the page.
    pub language: Option<String>,
}

impl Visitor {
    /// What the question is about, for the log.
    fn about(&self) -> PathIds {
        self.place.as_ref().map(|(page_id, audience_id)| view_of(page_id, audience_id)).unwrap_or_default()
    }
}

/// An answer that comes sentence by sentence.
pub(super) fn events(
    state: &AppState,
    site: &Site,
    visitor: Visitor,
    (material, saying): (Arc<Material>, Receiver<AnswerUpdate>),
) -> Response<Body> {
    let about = visitor.about();
    let open = (state.clone(), site.clone(), visitor, material, Some(saying));
    let events = stream::unfold(open, |(state, site, visitor, material, saying)| async move {
        let mut saying = saying?;
        let (event, rest) = match saying.recv().await? {
            AnswerUpdate::Sentence(text) => (event("sentence", &Value::from(text)), Some(saying)),
            AnswerUpdate::All(told) => (last(&state, &site, &visitor, (&material, &told)).await?, None),
        };
        Some((Ok::<_, Infallible>(event), (state, site, visitor, material, rest)))
    });
    let mut response = plain(StatusCode::OK, Body::from_stream(events));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    about.note_on(&mut response);
    response
}

/// The last event; nothing if there can be none.
async fn last(
    state: &AppState,
    site: &Site,
    visitor: &Visitor,
    (material, told): (&Material, &VisitorAnswer),
) -> Option<Bytes> {
    let page = respond(state, site, visitor, (material, told)).await.ok()?;
    let html = page.into_body().collect().await.ok()?.to_bytes();
    Some(event("answer", &Value::from(String::from_utf8_lossy(&html))))
}

fn event(name: &str, data: &Value) -> Bytes {
    Bytes::from(format!("event: {name}\ndata: {data}\n\n"))
}

/// Responds to a visitor with what is known.
pub(super) async fn respond(
    state: &AppState,
    site: &Site,
    visitor: &Visitor,
    (material, told): (&Material, &VisitorAnswer),
) -> Result<Response<Body>> {
    let anchors = block_anchors(material.content());
    let anchor = |block: Option<usize>| block.and_then(|block| anchors.get(block)).map(String::as_str);
    if visitor.is_program {
        let quotes = told.quotes.iter().map(|quoted| {
            let source = &quoted.source;
            json!({
                "sentences": quoted.sentences,
                "chunkId": source.chunk_id,
                "title": source.title,
                "url": source.url,
                "anchor": anchor(source.block),
            })
        });
        let answer = json!({
            "isKnown": !told.quotes.is_empty(),
            "isQuoted": told.writer == Writer::Quoted,
            "language": told.language,
            "quotes": quotes.collect::<Vec<Value>>(),
            "missed": told.missed,
            "actionId": material.action.as_ref().map(|(_, action)| Action::id(action)),
        });
        let mut response = json_of(StatusCode::OK, &answer);
        visitor.about().note_on(&mut response);
        return Ok(response);
    }
    let quotes = told.quotes.iter().map(|quoted| AskQuote {
        sentences: quoted.sentences.iter().map(String::as_str).collect(),
        title: quoted.source.title.as_deref(),
        anchor: anchor(quoted.source.block),
        url: quoted.source.url.as_deref(),
    });
    let action = material.action.as_ref().map(|(at, action)| (*at, action));
    let is_written = told.writer == Writer::Model;
    let answer = AskAnswer::Told { quotes: quotes.collect(), is_written, missed: &told.missed, action };
    say(state, site, visitor, &answer).await
}

/// Says something in the form that was asked for.
pub(super) async fn say(
    state: &AppState,
    site: &Site,
    visitor: &Visitor,
    answer: &AskAnswer<'_>,
) -> Result<Response<Body>> {
    let status = match answer {
        AskAnswer::Told { .. } => StatusCode::OK,
        AskAnswer::NothingAsked => StatusCode::UNPROCESSABLE_ENTITY,
        AskAnswer::UsedUp => StatusCode::TOO_MANY_REQUESTS,
        AskAnswer::NotTaken => StatusCode::NOT_FOUND,
    };
    let mut response = if visitor.is_program {
        json_of(status, &json!({ "error": status.canonical_reason().unwrap_or_default() }))
    } else if visitor.takes_events {
        let language = Language::of(visitor.language.as_deref());
        let html = ask_answer_alone(answer, visitor.back.as_deref(), &language);
        typed(status, "text/html; charset=utf-8", html)
    } else {
        let mut page = page(state, site, status, |name, theme| drawn(visitor, answer, name, theme)).await?;
        // The address that shows it may be a secret.
        page.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        page
    };
    visitor.about().note_on(&mut response);
    if status == StatusCode::TOO_MANY_REQUESTS {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("3600"));
    }
    Ok(response)
}

/// The page that says it.
fn drawn(visitor: &Visitor, answer: &AskAnswer<'_>, site_name: &str, theme: &Theme) -> Rendered {
    let place = visitor.place.as_ref();
    let measured =
        place.map(|(page, audience)| Measured { page_id: page.as_str(), audience_id: audience.as_str() });
    ask_answer(
        answer,
        &AskPage {
            question: &visitor.question,
            measured,
            back: visitor.back.as_deref(),
            site_name,
            theme,
            language: &Language::of(visitor.language.as_deref()),
        },
    )
}
