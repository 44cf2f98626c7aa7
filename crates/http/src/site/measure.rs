//! Reports of page views: where they arrive, and how many of them travel to the database together.
//!
//! A report is answered with 204 when it is in the database, or when it is clear that it is not counted; then `x-pagesmith-dropped` says why. What comes while a
//! tenant's reports are being written waits and is written with the next, all in one transaction, so that reports are written as fast as they come
//! and other writes wait no longer than for one such transaction. Invariants: a report that is answered without that header is
//! durable; nothing of a request but what [`Report`] holds is kept, and its address is not.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use pagesmith_model::visit::beacon::{Beacon, MOST_BYTES};
use pagesmith_model::visit::client::{self, Device};
use pagesmith_model::visit::{Reason, crawlers};
use pagesmith_model::{AudienceId, PageId, PathId, Result, TenantId, network};
use pagesmith_operations::visits::collect::{self, Report};
use pagesmith_operations::visits::salts::{Traits, consented_visitor};
use tokio::sync::oneshot;
use tower::BoxError;
use url::Url;

use crate::arrival;
use crate::extract::query::Parameters;
use crate::hosts::{self, Site};
use crate::path_ids::PathIds;
use crate::reports::Taken;
use crate::site::answer::wrong_method;
use crate::state::AppState;

/// Where reports are sent, on every site.
pub(crate) const PATH: &str = "/.pagesmith/v";

const DROPPED: HeaderName = HeaderName::from_static("x-pagesmith-dropped");
/// A picture of one transparent point.
const PICTURE: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

/// The answer to a report.
pub(crate) async fn serve<B>(state: &AppState, site: &Site, head: &Parts, body: B) -> Response<Body>
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let read = match head.method {
        Method::POST => read(state, head, body).await,
        Method::GET => read_picture(state, head),
        _ => return wrong_method("GET, POST"),
    };
    let mut about = None;
    let outcome = match read {
        Ok(beacon) => {
            about = Some(view_of(&beacon.page_id, &beacon.audience_id));
            take(state, site, head, beacon).await
        }
        Err(reason) => Some(reason),
    };
    let mut response = answer(outcome, head.method == Method::GET);
    if let Some(about) = about {
        about.note_on(&mut response);
    }
    response
}

/// What a visitor of that page sees.
pub(super) fn view_of(page_id: &PageId, audience_id: &AudienceId) -> PathIds {
    PathIds::found(&[(PageId::PARAMETER, page_id.as_str()), (AudienceId::PARAMETER, audience_id.as_str())])
}

async fn read<B>(state: &AppState, head: &Parts, body: B) -> std::result::Result<Beacon, Reason>
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let collected =
        tokio::time::timeout(state.settings.body_timeout, Limited::new(body, MOST_BYTES).collect());
    match collected.await {
        Ok(Ok(collected)) => {
            is_from_here(&head.headers)?;
            Beacon::parse(&collected.to_bytes()).ok_or(Reason::Invalid)
        }
        Ok(Err(_)) => Err(Reason::TooLarge),
        Err(_) => Err(Reason::Invalid),
    }
}

fn read_picture(state: &AppState, head: &Parts) -> std::result::Result<Beacon, Reason> {
    is_from_here(&head.headers)?;
    let parameters = Parameters::parse(head.uri.query().unwrap_or_default()).ok_or(Reason::Invalid)?;
    let mut findings = crate::extract::Findings::default();
    let page = parameters.one("p", &mut findings).and_then(PageId::parse).ok_or(Reason::Invalid)?;
    let audience = parameters.one("a", &mut findings).and_then(AudienceId::parse).ok_or(Reason::Invalid)?;
    let view = state.platform.context().random::<16>().map_err(|_| Reason::Busy)?;
    // The page with the picture is the one before, seen from the picture.
    let here = text(&head.headers, header::REFERER).and_then(|here| Url::parse(here).ok());
    let location = here.map(|here| match here.query() {
        Some(query) => format!("{}?{query}", here.path()),
        None => here.path().to_owned(),
    });
    Ok(Beacon::of_picture(view, page, audience, &location.unwrap_or_default()))
}

/// Browsers say from what kind of site a request comes; those that are too old to say so are believed.
fn is_from_here(headers: &HeaderMap) -> std::result::Result<(), Reason> {
    match text(headers, HeaderName::from_static("sec-fetch-site")) {
        None | Some("same-origin") => Ok(()),
        Some(_) => Err(Reason::OtherSite),
    }
}

async fn take(state: &AppState, site: &Site, head: &Parts, beacon: Beacon) -> Option<Reason> {
    let (address, now) = (arrival::client(&head.extensions), state.now());
    let limit = state.settings.reports_per_address;
    if address.is_some_and(|address| !state.reports.arrives(address, now, limit)) {
        return Some(Reason::TooMany);
    }
    match report(state, site, head, (beacon, address)).await {
        Ok(report) => submit(state, &site.tenant.tenant_id, report).await,
        Err(error) => {
            tracing::warn!(%error, "a report of a page view could not be taken");
            Some(Reason::Busy)
        }
    }
}

pub(super) async fn report(
    state: &AppState,
    site: &Site,
    head: &Parts,
    (beacon, address): (Beacon, Option<IpAddr>),
) -> Result<Report> {
    let (headers, tenant) = (&head.headers, &site.tenant.tenant_id);
    let user_agent = text(headers, header::USER_AGENT).unwrap_or_default();
    let host = hosts::host_name(&head.uri, headers).unwrap_or_default().to_ascii_lowercase();
    let ctx = state.platform.context();
    let visitors = match beacon.consented_id {
        Some(id) => vec![consented_visitor(&ctx, tenant, id)?],
        None => {
            let salts = state.salts.of_today(&state.store, &ctx).await?;
            let address = address.map(|address| network::canonical(address).to_string()).unwrap_or_default();
            salts.visitors(&Traits { tenant, host: &host, address: &address, user_agent })
        }
    };
    Ok(Report {
        verdict: verdict(state, &beacon, address, head),
        visitors,
        domain_id: site.domain_id().cloned(),
        device: Device::of(user_agent),
        language: text(headers, header::ACCEPT_LANGUAGE).and_then(client::language),
        asks_for_privacy: ["sec-gpc", "dnt"]
            .into_iter()
            .any(|name| headers.get(name).is_some_and(|value| value == "1")),
        host,
        address,
        beacon,
    })
}

fn verdict(state: &AppState, beacon: &Beacon, address: Option<IpAddr>, head: &Parts) -> Option<Reason> {
    let headers = &head.headers;
    let is_prefetch = ["sec-purpose", "purpose", "x-moz"].into_iter().any(|name| {
        let value = text(headers, HeaderName::from_static(name)).unwrap_or_default();
        value.contains("prefetch") || value.contains("prerender")
    });
    if crawlers::is_crawler(text(headers, header::USER_AGENT).unwrap_or_default()) {
        Some(Reason::Crawler)
    } else if beacon.is_automated {
        Some(Reason::Automated)
    } else if is_prefetch {
        Some(Reason::Prefetch)
    } else {
        let is_there = |address| state.settings.data_centres.hold(address);
        address.is_some_and(is_there).then_some(Reason::DataCentre)
    }
}

/// Has a report written with others; why it is not counted, if it is not.
async fn submit(state: &AppState, tenant: &TenantId, report: Report) -> Option<Reason> {
    let (reply, answer) = oneshot::channel();
    match state.reports.push(tenant, report, reply) {
        Taken::Waits => {}
        Taken::IsFirst => drop(tokio::spawn(write_all(Arc::clone(state), tenant.clone()))),
        Taken::Refused => return Some(Reason::Busy),
    }
    match answer.await {
        Ok(Ok(reason)) => reason,
        _ => Some(Reason::Busy),
    }
}

/// Writes a tenant's reports until none waits.
async fn write_all(state: AppState, tenant: TenantId) {
    while let Some((reports, replies)) = state.reports.next(&tenant) {
        match write(&state, &tenant, Arc::clone(&reports)).await {
            Ok(verdicts) => replies.into_iter().zip(verdicts).for_each(|(reply, verdict)| {
                // Whoever has gone needs no answer.
                drop(reply.send(Ok(verdict)));
            }),
            // One of them may be the reason: each by itself.
            Err(_) if reports.len() > 1 => {
                for (report, reply) in reports.iter().zip(replies) {
                    let written = write(&state, &tenant, Arc::new(vec![report.clone()])).await;
                    drop(reply.send(written.map(|verdicts| verdicts.first().copied().flatten())));
                }
            }
            Err(error) => {
                tracing::warn!(%error, "reports of page views could not be written");
                replies.into_iter().for_each(|reply| drop(reply.send(Ok(Some(Reason::Busy)))));
            }
        }
    }
}

async fn write(
    state: &AppState,
    tenant: &TenantId,
    reports: Arc<Vec<Report>>,
) -> Result<Vec<Option<Reason>>> {
    let ctx = state.platform.context().of(tenant.clone());
    let timeout = state.settings.session_timeout;
    let write = state.store.for_tenant(tenant).write(move |tx| collect::collect(tx, &ctx, &reports, timeout));
    write.await
}

fn answer(outcome: Option<Reason>, is_picture: bool) -> Response<Body> {
    let mut response = Response::new(if is_picture { Body::from(PICTURE) } else { Body::empty() });
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(reason) = outcome {
        headers.insert(DROPPED, HeaderValue::from_static(reason.as_str()));
    }
    if is_picture {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/gif"));
    } else {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    response
}

/// A header as text, if it is one.
pub(super) fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}
