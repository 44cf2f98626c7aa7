//! Forms: where visitors send them, with script or without.
//!
//! `GET …/f?token` gives a token to the script. `POST …/f` takes a form as browsers send it: without script it is answered by another address to
//! go to (303), or by a page that says what is wrong (422) and keeps what was entered; with script by JSON. Suspicious submissions are
//! kept apart and answered as all others are, so that nobody learns what gave them away.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, Response, StatusCode, header};
use pagesmith_model::content::address;
use pagesmith_model::form::FormContent;
use pagesmith_model::form::spam::{Findings, Sign};
use pagesmith_model::page::action::Action;
use pagesmith_model::visit::beacon::Beacon;
use pagesmith_model::visit::crawlers;
use pagesmith_model::{AudienceId, FormId, Kind, PageId, PathId, Result};
use pagesmith_operations::forms::submit::{self, Sent, ShownForm, SubmitOutcome};
use pagesmith_operations::forms::tokens::{self, Judged};
use pagesmith_render::{
    Entered, FORM_PATH, FORM_SCRIPT_PATH, FormAnswer, FormOrigin, HONEYPOT, Language, Theme, contact_form,
    fault_text, form_answer, form_script, thanks,
};
use pagesmith_store::Tx;
use serde_json::{Value, json};
use tower::BoxError;
use url::Url;
use url::form_urlencoded;

use crate::arrival;
use crate::hosts::Site;
use crate::path_ids::PathIds;
use crate::site::answer::wrong_method;
use crate::site::form_body::{self, Pairs, Received, named, one};
use crate::site::measure::{self, text};
use crate::site::response::{self, json_of, plain, script, typed, unavailable};
use crate::state::AppState;

/// More than this from one address in a minute is suspicious.
const MANY: u32 = 5;
/// More than this is refused.
const TOO_MANY: u32 = 60;
/// The same where files may be sent along.
const TOO_MANY_WITH_FILES: u32 = 10;
/// More than this with one form in a minute is suspicious, from whatever addresses it comes.
const MANY_WITH_FORM: u32 = 60;
/// The most `utm_` parameters, and the most characters of one.
const MOST_UTM: (usize, usize) = (10, 500);

/// Whether a path is one of these.
pub(crate) fn is_here(path: &str) -> bool {
    path == FORM_PATH || path == FORM_SCRIPT_PATH
}

/// The answer to a visitor.
pub(crate) async fn serve<B>(state: &AppState, site: &Site, head: &Parts, body: B) -> Response<Body>
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let is_script = head.uri.path() == FORM_SCRIPT_PATH;
    let answered = match head.method {
        Method::GET | Method::HEAD if is_script => return script(form_script()),
        Method::GET | Method::HEAD if head.uri.query() == Some("token") => token(state, site),
        Method::GET | Method::HEAD => done(state, site, head).await,
        Method::POST if !is_script => take(state, site, head, body).await,
        _ => return wrong_method(if is_script { "GET, HEAD" } else { "GET, HEAD, POST" }),
    };
    answered.unwrap_or_else(|error| {
        tracing::warn!(%error, "a form could not be taken");
        unavailable()
    })
}

fn token(state: &AppState, site: &Site) -> Result<Response<Body>> {
    let ctx = site.context(state);
    Ok(typed(StatusCode::OK, "text/plain; charset=utf-8", tokens::issue(&ctx)?.text()))
}

async fn take<B>(state: &AppState, site: &Site, head: &Parts, body: B) -> Result<Response<Body>>
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let is_scripted =
        text(&head.headers, header::ACCEPT).is_some_and(|accepted| accepted.contains("application/json"));
    let came = arrival::client(&head.extensions)
        .map_or(0, |address| state.form_arrivals.count(address, state.now()));
    // Files take room, so that fewer of them may come.
    let too_many = if form_body::has_files(head) { TOO_MANY_WITH_FILES } else { TOO_MANY };
    if came > too_many {
        return refuse(state, site, is_scripted, StatusCode::TOO_MANY_REQUESTS, &FormAnswer::NotNow).await;
    }
    let Some(received) = form_body::read(state, site, head, Body::new(body)).await? else {
        return refuse(state, site, is_scripted, StatusCode::PAYLOAD_TOO_LARGE, &FormAnswer::TooLarge).await;
    };
    let answered = take_received(state, site, head, (&received, came, is_scripted)).await;
    form_body::discard(state, site, &received).await;
    answered
}

/// The answer to a form that has arrived.
async fn take_received(
    state: &AppState,
    site: &Site,
    head: &Parts,
    (received, came, is_scripted): (&Received, u32, bool),
) -> Result<Response<Body>> {
    let pairs = &received.pairs;
    let Some(named) = named(pairs, ["ps.page", "ps.audience", "ps.action"]) else {
        return refuse(state, site, is_scripted, StatusCode::BAD_REQUEST, &FormAnswer::Gone).await;
    };
    let sent = sent(state, site, head, (received, named, came, is_scripted)).await?;
    let (ctx, timeout) = (site.context(state), state.settings.session_timeout);
    let (asked, counts, now) = (sent.clone(), Arc::clone(state), state.now());
    let tenant = site.tenant.tenant_id.clone();
    let store = state.store.for_tenant(&site.tenant.tenant_id);
    let written = store.write(move |tx| {
        let (page_id, audience_id) = (&asked.page_id, &asked.audience_id);
        let form = submit::find_shown(tx, &ctx, page_id, audience_id, &asked.action_id, contact_form)?;
        let Some(form) = form else { return Ok(None) };
        // Only looked at here: a transaction may be tried several times.
        let so_far = counts.submissions.so_far(&(ctx.tenant.clone(), form.action.form_id.clone()), now);
        let mut asked = asked.clone();
        asked.findings.add(Sign::ManyWithForm, so_far >= MANY_WITH_FORM);
        let outcome = submit::submit(tx, &ctx, &asked, &form, timeout)?;
        Ok(Some((outcome, form)))
    });
    let written = match written.await {
        // The tenant has no room for the files.
        Err(error) if matches!(error.kind(), Kind::Conflict(_)) => {
            let status = StatusCode::PAYLOAD_TOO_LARGE;
            return refuse(state, site, is_scripted, status, &FormAnswer::NotNow).await;
        }
        written => written?,
    };
    let Some((outcome, form)) = written else {
        return refuse(state, site, is_scripted, StatusCode::NOT_FOUND, &FormAnswer::Gone).await;
    };
    // Of one address only the first few count, so that it turns nobody else's submissions into suspicious ones.
    if matches!(outcome, SubmitOutcome::Kept(_)) && came <= MANY {
        state.submissions.count_as((tenant, form.action.form_id.clone()), now);
    }
    let mut answered = answer(state, site, head, (&sent, pairs, is_scripted), outcome, &form).await?;
    about(&sent.page_id, &sent.audience_id, &form).note_on(&mut answered);
    Ok(answered)
}

/// What a submission is about.
fn about(page_id: &PageId, audience_id: &AudienceId, form: &ShownForm) -> PathIds {
    PathIds::found(&[
        (PageId::PARAMETER, page_id.as_str()),
        (AudienceId::PARAMETER, audience_id.as_str()),
        (FormId::PARAMETER, &form.action.form_id),
    ])
}

/// What a visitor has sent, with what its request shows.
async fn sent(
    state: &AppState,
    site: &Site,
    head: &Parts,
    (Received { pairs, files }, (page_id, audience_id, action_id), came, is_scripted): (
        &Received,
        (PageId, AudienceId, String),
        u32,
        bool,
    ),
) -> Result<Sent> {
    let ctx = site.context(state);
    let mut findings = Findings::default();
    let token = one(pairs, "ps.token").filter(|token| !token.is_empty());
    let submission_id = match token.map(|token| tokens::judge(&ctx, token)).transpose()? {
        Some(Judged::Ours(submission_id, is_fast)) => {
            findings.add(Sign::TooFast, is_fast);
            Some(submission_id)
        }
        Some(Judged::Bad) => {
            findings.add(Sign::BadToken, true);
            None
        }
        None => {
            findings.add(Sign::NoToken, true);
            None
        }
    };
    let user_agent = text(&head.headers, header::USER_AGENT).unwrap_or_default();
    let from = text(&head.headers, HeaderName::from_static("sec-fetch-site"));
    findings.add(Sign::HiddenField, one(pairs, HONEYPOT).is_some_and(|note| !note.trim().is_empty()));
    findings.add(Sign::ManyFromAddress, came > MANY);
    findings.add(Sign::Crawler, crawlers::is_crawler(user_agent));
    findings.add(Sign::OtherSite, from.is_some_and(|from| from != "same-origin"));
    let location = location(head, one(pairs, "ps.search"));
    let beacon = Beacon::of_picture(ctx.random::<16>()?, page_id.clone(), audience_id.clone(), &location);
    let report = measure::report(state, site, head, (beacon, arrival::client(&head.extensions))).await?;
    Ok(Sent {
        page_id,
        audience_id,
        action_id,
        region: site.tenant.default_region.clone(),
        fields: pairs.iter().filter(|(name, _)| !name.contains('.')).cloned().collect(),
        files: files.clone(),
        file_quota: state.settings.files.quota,
        submission_id,
        proof: one(pairs, "ps.proof").map(str::to_owned),
        is_scripted,
        findings,
        utm_parameters: utm_parameters(&location),
        report,
    })
}

/// Path and query of the page that a form is on, as the browser tells them.
pub(super) fn location(head: &Parts, search: Option<&str>) -> String {
    let here = text(&head.headers, header::REFERER).and_then(|here| Url::parse(here).ok());
    let path = here.as_ref().map_or("/", Url::path);
    let query = search
        .map(|search| search.trim_start_matches('?').to_owned())
        .or_else(|| here.as_ref().and_then(Url::query).map(str::to_owned));
    match query.filter(|query| !query.is_empty()) {
        Some(query) => format!("{path}?{query}"),
        None => path.to_owned(),
    }
}

fn utm_parameters(location: &str) -> BTreeMap<String, String> {
    let query = location.split_once('?').map_or("", |(_, query)| query);
    let (most, longest) = MOST_UTM;
    form_urlencoded::parse(query.as_bytes())
        .filter(|(name, value)| name.starts_with("utm_") && name.len() <= 50 && !value.is_empty())
        .take(most)
        .map(|(name, value)| {
            (name.into_owned(), value.chars().filter(|char| !char.is_control()).take(longest).collect())
        })
        .collect()
}

async fn answer(
    state: &AppState,
    site: &Site,
    head: &Parts,
    (sent, pairs, is_scripted): (&Sent, &Pairs, bool),
    outcome: SubmitOutcome,
    form: &ShownForm,
) -> Result<Response<Body>> {
    let (language, content) = (form.language.as_deref(), &form.content);
    match outcome {
        SubmitOutcome::NeedsWork(task) => {
            Ok(json_of(StatusCode::PRECONDITION_REQUIRED, &json!({ "task": task })))
        }
        SubmitOutcome::Invalid(faults) if is_scripted => {
            let told = faults.iter().map(|(key, fault)| {
                json!({ "key": key, "code": fault.as_str(), "message": fault_text(*fault, language) })
            });
            let told: Vec<Value> = told.collect();
            Ok(json_of(StatusCode::UNPROCESSABLE_ENTITY, &json!({ "faults": told })))
        }
        SubmitOutcome::Invalid(faults) => {
            let invalid = FormAnswer::Invalid {
                title: content.title.as_deref().unwrap_or(&form.action.button_title),
                content,
                origin: FormOrigin {
                    page_id: sent.page_id.as_str(),
                    audience_id: sent.audience_id.as_str(),
                    action_id: &sent.action_id,
                },
                entered: Entered { values: pairs, faults: &faults },
            };
            page(state, site, StatusCode::UNPROCESSABLE_ENTITY, &invalid, language).await
        }
        SubmitOutcome::Kept(submission_id) if is_scripted => {
            let after = &content.after_submission;
            let told = json!({
                "submissionId": submission_id,
                "message": thanks(content, language),
                "url": after.redirect_url,
                "actionId": after.next_action_id,
            });
            Ok(json_of(StatusCode::OK, &told))
        }
        SubmitOutcome::Kept(_) => {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query
                .append_pair("page", sent.page_id.as_str())
                .append_pair("audience", sent.audience_id.as_str());
            query.append_pair("action", &sent.action_id);
            let here = location(head, None);
            if address::is_linked(&here) {
                query.append_pair("back", &here);
            }
            let mut response = plain(StatusCode::SEE_OTHER, Body::empty());
            let location = format!("{FORM_PATH}?{}", query.finish());
            let location = HeaderValue::try_from(location).map_err(pagesmith_model::Error::internal)?;
            response.headers_mut().insert(header::LOCATION, location);
            Ok(response)
        }
    }
}

/// Thanks a visitor without script.
async fn done(state: &AppState, site: &Site, head: &Parts) -> Result<Response<Body>> {
    let pairs = form_body::pairs_of(head.uri.query().unwrap_or_default().as_bytes());
    let Some((page_id, audience_id, action_id)) = named(&pairs, ["page", "audience", "action"]) else {
        return page(state, site, StatusCode::NOT_FOUND, &FormAnswer::Gone, None).await;
    };
    let ctx = site.context(state);
    let store = state.store.for_tenant(&site.tenant.tenant_id);
    let (on_page, of_audience) = (page_id.clone(), audience_id.clone());
    let find =
        move |tx: &mut Tx<'_>| submit::find_shown(tx, &ctx, &on_page, &of_audience, &action_id, contact_form);
    let Some(form) = store.read(find).await? else {
        return page(state, site, StatusCode::NOT_FOUND, &FormAnswer::Gone, None).await;
    };
    let (language, content) = (form.language.as_deref(), &form.content);
    let redirect = content.after_submission.redirect_url.as_deref().map(|url| (url, None));
    // Only a path of this site: the address may be anybody's making.
    let back = one(&pairs, "back").filter(|back| back.starts_with('/') && address::is_linked(back));
    let thanks = FormAnswer::Thanks {
        content,
        next: redirect.or_else(|| next_action(content, &form.actions)),
        leads_there: redirect.is_some(),
        back,
    };
    let mut answered = page(state, site, StatusCode::OK, &thanks, language).await?;
    about(&page_id, &audience_id, &form).note_on(&mut answered);
    Ok(answered)
}

/// The action that is offered next, if it leads anywhere without the page.
fn next_action<'a>(content: &FormContent, actions: &'a [Action]) -> Option<(&'a str, Option<&'a str>)> {
    let wanted = content.after_submission.next_action_id.as_deref()?;
    let action = actions.iter().find(|action| action.id() == wanted)?;
    action.url().filter(|url| address::is_linked(url)).map(|url| (url, action.button_title()))
}

/// Says that nothing was taken, in the form that was asked for.
async fn refuse(
    state: &AppState,
    site: &Site,
    is_scripted: bool,
    status: StatusCode,
    answer: &FormAnswer<'_>,
) -> Result<Response<Body>> {
    if is_scripted {
        return Ok(json_of(status, &json!({ "error": status.canonical_reason().unwrap_or_default() })));
    }
    page(state, site, status, answer, None).await
}

/// A page that answers, in a language.
async fn page(
    state: &AppState,
    site: &Site,
    status: StatusCode,
    answer: &FormAnswer<'_>,
    language: Option<&str>,
) -> Result<Response<Body>> {
    let draw = |name: &str, theme: &Theme| form_answer(answer, name, theme, &Language::of(language));
    response::page(state, site, status, draw).await
}
