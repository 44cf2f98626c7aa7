//! Questions: where visitors send them, with script or without.
//!
//! A page sends a question to its own address, so that the answer can lead back to it, whatever the address is and whether or not the browser
//! says where it comes from; programs send it to `…/q`. It is a form as browsers send them, and is answered with a page, or with JSON for
//! programs that ask for it; the script gets what a model writes as events, sentence by sentence. What is known is read in one transaction,
//! the answer is put together outside of it, and what is kept of it is durable before the last word is sent. When the questions are used up, the answer says so (429).

use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::request::Parts;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, HeaderName, Method, Response, header};
use pagesmith_model::content::address;
use pagesmith_model::question::LONGEST;
use pagesmith_model::visit::beacon::Beacon;
use pagesmith_model::{AudienceId, PageId, Result};
use pagesmith_operations::questions::keep;
use pagesmith_operations::questions::material::{self, AskedQuestion, Looked};
use pagesmith_render::{ASK_PATH, ASK_SCRIPT_PATH, AskAnswer, ask_script};
use tower::BoxError;

use crate::arrival;
use crate::hosts::Site;
use crate::site::answer::wrong_method;
use crate::site::form_body::{Pairs, one, read_pairs};
use crate::site::forms::location;
use crate::site::measure::{self, text};
use crate::site::response::{script, unavailable};
use crate::state::AppState;

mod modelled;
mod telling;

use modelled::{AnswerUpdate, Modelled, PreparedQuestion};
use telling::{Visitor, events, respond, say};

/// Whether a path is one of these.
pub(crate) fn is_here(path: &str) -> bool {
    path == ASK_PATH || path == ASK_SCRIPT_PATH
}

/// Whether this is a form that is sent to the address of a page.
pub(crate) fn is_form(method: &Method, headers: &HeaderMap) -> bool {
    let kind = || text(headers, header::CONTENT_TYPE).unwrap_or_default();
    // Most requests are to look at something.
    *method == Method::POST && kind().starts_with("application/x-www-form-urlencoded")
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

async fn take<B>(state: &AppState, site: &Site, head: &Parts, body: B) -> Result<Response<Body>>
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let accepted = text(&head.headers, header::ACCEPT).unwrap_or_default();
    let takes_events = accepted.contains("text/event-stream");
    let is_program = !takes_events && accepted.contains("application/json");
    let mut visitor = Visitor {
        question: String::new(),
        place: None,
        back: None,
        is_program,
        takes_events,
        language: None,
    };
    let address = arrival::client(&head.extensions);
    let limit = state.settings.reports_per_address;
    if address.is_some_and(|address| !state.reports.arrives(address, state.now(), limit)) {
        return say(state, site, &visitor, &AskAnswer::UsedUp).await;
    }
    let Some(pairs) = read_pairs(state, body).await else {
        return say(state, site, &visitor, &AskAnswer::NothingAsked).await;
    };
    // Another form, which is not sent to a page.
    if !is_here(head.uri.path()) && one(&pairs, "ps.page").is_none() {
        return Ok(wrong_method("GET, HEAD"));
    }
    let from = text(&head.headers, HeaderName::from_static("sec-fetch-site"));
    let place = one(&pairs, "ps.page")
        .and_then(PageId::parse)
        .zip(one(&pairs, "ps.audience").and_then(AudienceId::parse));
    let Some((page_id, audience_id)) = place.filter(|_| from.is_none_or(|from| from == "same-origin")) else {
        return say(state, site, &visitor, &AskAnswer::NotTaken).await;
    };
    visitor.place = Some((page_id.clone(), audience_id.clone()));
    visitor.question = asked(&pairs);
    let here = if is_here(head.uri.path()) {
        location(head, one(&pairs, "ps.search"))
    } else {
        let here = head.uri.path_and_query().map_or("/", PathAndQuery::as_str);
        visitor.back = Some(back_to(here)).filter(|back| address::is_linked(back));
        here.to_owned()
    };
    let ctx = site.context(state);
    let beacon = Beacon::of_picture(ctx.random::<16>()?, page_id.clone(), audience_id.clone(), &here);
    let report = measure::report(state, site, head, (beacon, address)).await?;
    let asked = AskedQuestion { page_id, audience_id, question: visitor.question.clone(), report };
    let store = state.store.for_tenant(&site.tenant.tenant_id);
    let (looking, of_looking, passages) = (asked.clone(), ctx.clone(), Arc::clone(&state.passages));
    let looked = store.search(move |tx| material::look(tx, &of_looking, &looking, &passages)).await?;
    let material = match looked {
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
    let material = Arc::new(*material);
    // Many passages take milliseconds, which nobody else is to wait for.
    let (read, passages) = (Arc::clone(&material), Arc::clone(&state.passages));
    let answered = state.offload.run(Some(&site.tenant.tenant_id), move || read.answer(&passages)).await?;
    let known = PreparedQuestion { ctx, asked, material: Arc::clone(&material), answered };
    if let Some(modelled) = Modelled::of(state, &known).await? {
        let mut saying = modelled.begin(state, known);
        if visitor.takes_events {
            return Ok(events(state, site, visitor, (material, saying)));
        }
        while let Some(said) = saying.recv().await {
            if let AnswerUpdate::All(told) = said {
                return respond(state, site, &visitor, (&material, &told)).await;
            }
        }
        return Ok(unavailable());
    }
    let PreparedQuestion { ctx, asked, answered, .. } = known;
    let (kept, timeout) = (answered.told.clone(), state.settings.session_timeout);
    store.write(move |tx| keep::keep(tx, &ctx, &asked, &kept, timeout)).await?;
    respond(state, site, &visitor, (&material, &answered.told)).await
}

/// An address of the page of another spelling: a link to the very address that shows the answer would not be followed.
fn back_to(here: &str) -> String {
    match here.split_once('?') {
        None => format!("{here}?"),
        Some((path, "")) => path.to_owned(),
        Some(_) => here.strip_suffix('&').map_or_else(|| format!("{here}&"), str::to_owned),
    }
}

/// The question without what nobody types, cut to the longest one.
fn asked(pairs: &Pairs) -> String {
    let question = one(pairs, "q").unwrap_or_default();
    let plain: String =
        question.chars().map(|char| if char.is_control() { ' ' } else { char }).take(LONGEST).collect();
    plain.trim().to_owned()
}
