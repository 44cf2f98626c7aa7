//! The answers of a tenant's site: pages, previews, and notices where there is none to show.

use std::sync::Arc;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Request, Response, StatusCode, header};
use pagesmith_model::FormId;
use pagesmith_model::site::SiteSettings;
use pagesmith_model::tenant::Tenant;
use pagesmith_operations::site::Address;
use pagesmith_operations::site::previews::{self, PreviewLink, Ticket};
use pagesmith_operations::site::settings;
use pagesmith_render::{Language, Notice, Theme};
use pagesmith_store::tables::forms;
use url::form_urlencoded;

use crate::arrival::Arrival;
use crate::coding::Coding;
use crate::hosts::Site;
use crate::in_flight::Share;
use crate::path_ids::{AboutIds, noted};
use crate::site::answer::{PageRequest, ROBOTS, answer, wrong_method};
use crate::site::draw::{draw_form_preview, draw_preview, name_without_page};
use crate::site::find::{OrNotice, blocking, find, now};
use crate::site::response::unavailable;
use crate::site::{files, links, well_known};
use crate::site_cache::Finished;
use crate::state::AppState;
use crate::theme::theme_without_pictures;

/// The page of a site that is in memory in the form that is wanted, and known to be right, and what it is about; `None` says nothing of
/// what there is.
pub(crate) fn from_memory<B>(
    state: &AppState,
    site: &Site,
    request: &Request<B>,
    arrival: Arrival,
) -> Option<AboutIds> {
    let wanted = PageRequest::of(request.method(), request.headers())?;
    match Address::parse(request.uri().path()) {
        // Its end is asked for at every visit.
        Some(Address::Signed { .. }) => return None,
        Some(address) => {
            let key = (site.tenant.tenant_id.clone(), address);
            if let Some(page) = state.pages.fresh(&key, now(state)) {
                page.form(wanted.coding)?;
                return answer(state, &site.tenant.tenant_id, &page, wanted).ok();
            }
        }
        None => {}
    }
    links::from_memory(state, site, (request.uri(), request.headers(), arrival.client()), wanted)
}

/// The response of a tenant's site; without a site, the host is that of none.
pub(crate) async fn serve(state: &AppState, site: Option<&Site>, request: &Parts) -> Response<Body> {
    let Some(wanted) = PageRequest::of(&request.method, &request.headers) else {
        return wrong_method("GET, HEAD");
    };
    let Some(site) = site else {
        return notice(&state.answers.share(None), Notice::NotFound, "", &Theme::default());
    };
    let tenant = &site.tenant;
    let share = state.answers.share(Some(&tenant.tenant_id));
    match respond(state, site, request, wanted).await {
        Ok(Ok(response)) => response,
        Ok(Err(instead)) => {
            let id = tenant.tenant_id.clone();
            let store = state.store.for_tenant(&tenant.tenant_id);
            let found = store.point_read(move |tx| settings::with_fonts(tx, &id)).await;
            let (settings, fonts) = found.unwrap_or_default();
            notice(
                &share,
                instead,
                name_without_page(&settings, tenant),
                &theme_without_pictures(&settings.brand, &fonts),
            )
        }
        Err(error) => {
            tracing::warn!(%error, "a site could not be served");
            let settings = SiteSettings::default();
            let name = name_without_page(&settings, tenant);
            let mut response = notice(&share, Notice::Unavailable, name, &Theme::default());
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
            response
        }
    }
}

async fn respond(
    state: &AppState,
    site: &Site,
    request: &Parts,
    wanted: PageRequest<'_>,
) -> OrNotice<Response<Body>> {
    let (tenant, path) = (&site.tenant, request.uri.path());
    if let Some(response) = well_known::serve(state, tenant, request).await? {
        return Ok(Ok(response));
    }
    match files::serve(state, tenant, request).await? {
        Ok(Some(response)) => return Ok(Ok(response)),
        Ok(None) => {}
        Err(instead) => return Ok(Err(instead)),
    }
    let coding = wanted.coding;
    let found = match previews::read_path(&state.platform.context(), &tenant.tenant_id, path)? {
        Some(PreviewLink::Forged) => Err(Notice::NotFound),
        Some(PreviewLink::Expired) => Err(Notice::PreviewExpired),
        Some(PreviewLink::Open(ticket)) => preview(state, tenant, ticket, coding).await?,
        Some(PreviewLink::OpenForm(form_id)) => {
            form_preview(state, tenant, form_id, request.uri.query(), coding).await?
        }
        None => match Address::parse(path) {
            Some(address) => find(state, tenant, address, coding).await?,
            None => Err(Notice::NotFound),
        },
    };
    match found {
        Ok(page) => answer(state, &tenant.tenant_id, &page, wanted).map(noted).map(Ok),
        Err(Notice::NotFound) => links::follow(state, site, request, wanted).await,
        Err(instead) => Ok(Err(instead)),
    }
}

/// The version that a link to a preview leads to.
async fn preview(
    state: &AppState,
    tenant: &Arc<Tenant>,
    ticket: Ticket,
    coding: Coding,
) -> OrNotice<Arc<Finished>> {
    let (tenant_id, wanted) = (tenant.tenant_id.clone(), ticket.clone());
    let store = state.store.for_tenant(&tenant.tenant_id);
    let found = store.read(move |tx| previews::read(tx, &tenant_id, &wanted)).await?;
    let Some(found) = found else { return Ok(Err(Notice::NotFound)) };
    if found.is_gone {
        return Ok(Err(Notice::Gone));
    }
    let Some(parts) = found.parts else { return Ok(Err(Notice::NotPublished)) };
    let version = found.version;
    let (state, tenant) = (state.clone(), tenant.clone());
    let draw = move || draw_preview(&state.settings, &tenant, (&version, &ticket), *parts)?.with(coding);
    let page = blocking(draw).await?;
    Ok(Ok(Arc::new(page)))
}

/// The form that a link to a preview leads to, in the language that the query names.
async fn form_preview(
    state: &AppState,
    tenant: &Arc<Tenant>,
    form_id: FormId,
    query: Option<&str>,
    coding: Coding,
) -> OrNotice<Arc<Finished>> {
    let id = tenant.tenant_id.clone();
    let read = state.store.for_tenant(&tenant.tenant_id).read(move |tx| {
        let form = forms::find(tx, &id, form_id.as_str())?.filter(|form| form.deleted_at.is_none());
        Ok((form, settings::with_fonts(tx, &id)?))
    });
    let (form, (settings, fonts)) = read.await?;
    let Some(form) = form else { return Ok(Err(Notice::NotFound)) };
    let theme = theme_without_pictures(&settings.brand, &fonts);
    let language = form_urlencoded::parse(query.unwrap_or_default().as_bytes())
        .find(|(name, _)| name == "lang")
        .map(|(_, tag)| tag.into_owned());
    let name = name_without_page(&settings, tenant);
    let page = draw_form_preview(&state.settings, &form.content, (name, &theme), language.as_deref())?;
    Ok(Ok(Arc::new(page.with(coding)?)))
}

/// A page that says one thing; where there is no room for it, an answer without a body.
fn notice(share: &Share, notice: Notice, site_name: &str, theme: &Theme) -> Response<Body> {
    let rendered = pagesmith_render::notice(notice, site_name, theme, &Language::of(None));
    let Ok(html) = share.hold(rendered.html.into_bytes()) else { return unavailable() };
    let mut response = Response::new(Body::from(html));
    *response.status_mut() = match notice {
        Notice::NotFound | Notice::NotPublished => StatusCode::NOT_FOUND,
        Notice::Gone | Notice::PreviewExpired | Notice::LinkExpired => StatusCode::GONE,
        Notice::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
    if let Ok(policy) = HeaderValue::try_from(rendered.content_security_policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}
