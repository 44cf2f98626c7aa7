//! What a site has beside its pages: an icon, and what crawlers are told.
//!
//! Nothing of it is kept in memory: it is asked for seldom. A list of many pages is made one at a time, so that asking for lists costs no
//! page its answer.

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Response, StatusCode, header};
use pagesmith_model::tenant::Tenant;
use pagesmith_model::{Error, Result};
use pagesmith_operations::brands::pictures::LookPictures;
use pagesmith_operations::site::settings;
use pagesmith_store::Tx;
use pagesmith_store::tables::tenant_domains;

use crate::hosts::canonical_address;
use crate::reply::{Comparison, etag, names_tag};
use crate::site::draw::given_name;
use crate::site::sitemap;
use crate::state::AppState;
use crate::theme::theme_with;

/// How long a file may be used without asking again.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// The answer at a path that is not a page's; `None` for every other path.
pub(crate) async fn serve(
    state: &AppState,
    tenant: &Tenant,
    request: &Parts,
) -> Result<Option<Response<Body>>> {
    match request.uri.path() {
        "/robots.txt" => {
            let (id, store) = (tenant.tenant_id.clone(), state.store.for_tenant(&tenant.tenant_id));
            let domain = store.point_read(move |tx| tenant_domains::default_domain(tx, &id)).await?;
            let sitemap = canonical_address(&state.settings, &tenant.slug, domain.as_deref(), "/sitemap.xml");
            let text = format!("User-agent: *\nAllow: /\n\nSitemap: {sitemap}\n");
            file((state, tenant), request, "text/plain; charset=utf-8", text).map(Some)
        }
        "/favicon.svg" | "/favicon.ico" => icon(state, tenant, request).await.map(Some),
        path => {
            if let Some(picture) = state.settings.pictures.iter().find(|picture| picture.path == path) {
                return file((state, tenant), request, "image/svg+xml", picture.svg.to_owned()).map(Some);
            }
            let Some(part) = sitemap::SitemapFile::of(path) else { return Ok(None) };
            let list = sitemap::write(state, tenant, part).await?;
            list.map(|list| file((state, tenant), request, "application/xml; charset=utf-8", list))
                .transpose()
        }
    }
}

/// The site's icon: the brand's own, or its first letter.
async fn icon(state: &AppState, tenant: &Tenant, request: &Parts) -> Result<Response<Body>> {
    let (id, store) = (tenant.tenant_id.clone(), state.store.for_tenant(&tenant.tenant_id));
    let find = move |tx: &mut Tx<'_>| {
        let settings = settings::find(tx, &id)?;
        let pictures = LookPictures::find(tx, &id, &settings.brand)?;
        Ok((settings, pictures, tenant_domains::default_domain(tx, &id)?))
    };
    let (settings, pictures, domain) = store.point_read(find).await?;
    let address = |path: &str| canonical_address(&state.settings, &tenant.slug, domain.as_deref(), path);
    let theme = theme_with(&settings.brand, &[], &pictures, address);
    let Some(icon) = &theme.icon else {
        let picture = pagesmith_render::icon(&theme, given_name(&settings).unwrap_or(&tenant.name));
        return file((state, tenant), request, "image/svg+xml", picture);
    };
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::FOUND;
    let place = HeaderValue::try_from(icon.url()).map_err(Error::internal)?;
    response.headers_mut().insert(header::LOCATION, place);
    response.headers_mut().insert(header::CACHE_CONTROL, KEPT);
    Ok(response)
}

fn file(
    (state, tenant): (&AppState, &Tenant),
    request: &Parts,
    media_type: &'static str,
    text: String,
) -> Result<Response<Body>> {
    let tag = etag(text.as_bytes());
    let is_known = names_tag(&request.headers, &header::IF_NONE_MATCH, &tag, Comparison::Weak);
    let mut response = if is_known {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        Response::new(Body::from(state.answers.share(Some(&tenant.tenant_id)).hold(text.into_bytes())?))
    };
    let headers = response.headers_mut();
    headers.insert(header::ETAG, HeaderValue::try_from(tag).map_err(Error::internal)?);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(header::CACHE_CONTROL, KEPT);
    // A picture that is opened as a document runs nothing.
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'"));
    Ok(response)
}
