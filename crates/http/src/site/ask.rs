//! Questions: where visitors send them, with script or without.
//!
//! `POST …/q` takes a question as browsers send forms and answers with a page, or with JSON for programs that ask for it. What is known is
//! read in one transaction, the answer is put together outside of it, and what is kept of it is durable before it is sent. When
//! the questions are used up, the answer says so (429).

use axum::body::{Body, Bytes, HttpBody};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, Response, StatusCode, header};
use pagesmith_model::content::address;
use pagesmith_model::page::action::Action;
use pagesmith_model::question::LONGEST;
use pagesmith_model::visit::beacon::Beacon;
use pagesmith_model::{AudienceId, PageId, Result};
use pagesmith_operations::questions::keep;
use pagesmith_operations::questions::material::{self, Asked, Looked, Material, Told};
use pagesmith_render::{
    ASK_PATH, ASK_SCRIPT_PATH, AskAnswer, AskPage, AskQuote, Language, Measured, Rendered, Theme, ask_answer,
    ask_script, block_anchors,
};
use serde_json::{Value, json};
use tower::BoxError;

use crate::arrival;
use crate::hosts::Site;
use crate::site::answer::wrong_method;
use crate::site::form_body::{Pairs, one, read_pairs};
use crate::site::forms::location;
use crate::site::measure::{self, text};
use crate::site::response::{json_of, page, script, unavailable};
use crate::state::AppState;

/// Whether a path is one of these.
pub(crate) fn is_here(path: &str) -> bool {
    path == ASK_PATH || path == ASK_SCRIPT_PATH
}

/// The answer to a visitor.
pub(crate) async fn serve<B>(state: &AppState, site: &Site, head: &Parts, body: B) -> Response<Body>
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let is_script = head.uri.path() == ASK_SCRIPT_PATH;
    let answered = match head.method {
        Method::GET | Method::HEAD if is_script => return script(ask_script()),
        Method::POST if !is_script => take(state, site, head, body).await,
        _ => return wrong_method(if is_script { "GET, HEAD" } else { "POST" }),
    };
    answered.unwrap_or_else(|error| {
        tracing::warn!(%error, "a question could not be answered");
        unavailable()
    })
}

/// Whom an answer is for.
struct Visitor {
    /// What was asked.
    question: String,
    /// Where.
    place: Option<(PageId, AudienceId)>,
    /// The path of the page, if the browser has told it.
    back: Option<String>,
    /// Whether a program asks, which reads JSON.
    is_program: bool,
    /// The language of the page.
    language: Option<String>,
}

async fn take<B>(state: &AppState, site: &Site, head: &Parts, body: B) -> Result<Response<Body>>
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let is_program =
        text(&head.headers, header::ACCEPT).is_some_and(|accepted| accepted.contains("application/json"));
    let mut visitor =
        Visitor { question: String::new(), place: None, back: None, is_program, language: None };
    let address = arrival::client(&head.extensions);
    let limit = state.settings.reports_per_address;
    if address.is_some_and(|address| !state.reports.arrives(address, state.now(), limit)) {
        return say(state, site, &visitor, &AskAnswer::UsedUp).await;
    }
    let Some(pairs) = read_pairs(state, body).await else {
        return say(state, site, &visitor, &AskAnswer::NothingAsked).await;
    };
    let from = text(&head.headers, HeaderName::from_static("sec-fetch-site"));
    let place = one(&pairs, "ps.page")
        .and_then(PageId::parse)
        .zip(one(&pairs, "ps.audience").and_then(AudienceId::parse));
    let Some((page_id, audience_id)) = place.filter(|_| from.is_none_or(|from| from == "same-origin")) else {
        return say(state, site, &visitor, &AskAnswer::NotTaken).await;
    };
    visitor.place = Some((page_id.clone(), audience_id.clone()));
    visitor.question = asked(&pairs);
    let here = location(head, one(&pairs, "ps.search"));
    if head.headers.contains_key(header::REFERER) && address::is_linked(&here) {
        visitor.back = Some(here.clone());
    }
    let ctx = state.platform.context().of(site.tenant.tenant_id.clone());
    let beacon = Beacon::of_picture(ctx.random::<16>()?, page_id.clone(), audience_id.clone(), &here);
    let report = measure::report(state, site, head, (beacon, address)).await?;
    let asked = Asked { page_id, audience_id, question: visitor.question.clone(), report };
    let store = state.store.for_tenant(&site.tenant.tenant_id);
    let (looking, of_looking) = (asked.clone(), ctx.clone());
    let material = match store.search(move |tx| material::look(tx, &of_looking, &looking)).await? {
        Looked::NotTaken => return say(state, site, &visitor, &AskAnswer::NotTaken).await,
        Looked::UsedUp(language) => {
            visitor.language = language;
            return say(state, site, &visitor, &AskAnswer::UsedUp).await;
        }
        Looked::Taken(material) => material,
    };
    visitor.language.clone_from(&material.content().head.language);
    if visitor.question.is_empty() {
        return say(state, site, &visitor, &AskAnswer::NothingAsked).await;
    }
    let told = material.answer();
    let (kept, timeout) = (told.clone(), state.settings.session_timeout);
    store.write(move |tx| keep::keep(tx, &ctx, &asked, &kept, timeout)).await?;
    tell(state, site, &visitor, (&material, &told)).await
}

/// The question without what nobody types, cut to the longest one.
fn asked(pairs: &Pairs) -> String {
    let question = one(pairs, "q").unwrap_or_default();
    let plain: String =
        question.chars().map(|char| if char.is_control() { ' ' } else { char }).take(LONGEST).collect();
    plain.trim().to_owned()
}

/// Tells a visitor what is known.
async fn tell(
    state: &AppState,
    site: &Site,
    visitor: &Visitor,
    (material, told): (&Material, &Told),
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
            "language": told.language,
            "quotes": quotes.collect::<Vec<Value>>(),
            "missed": told.missed,
            "actionId": material.action.as_ref().map(|(_, action)| Action::id(action)),
        });
        return Ok(json_of(StatusCode::OK, &answer));
    }
    let quotes = told.quotes.iter().map(|quoted| AskQuote {
        sentences: quoted.sentences.iter().map(String::as_str).collect(),
        title: quoted.source.title.as_deref(),
        anchor: anchor(quoted.source.block),
        url: quoted.source.url.as_deref(),
    });
    let action = material.action.as_ref().map(|(at, action)| (*at, action));
    let answer = AskAnswer::Told { quotes: quotes.collect(), missed: &told.missed, action };
    say(state, site, visitor, &answer).await
}

/// Says something in the form that was asked for.
async fn say(
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
    } else {
        page(state, site, status, |name, theme| drawn(visitor, answer, name, theme)).await?
    };
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
