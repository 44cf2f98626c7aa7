//! The console's place in the server: what it has of it, how a request gets there, and how its answer is compressed.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, LazyLock};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderMap, HeaderValue, Request, Response, StatusCode, header};
use http_body_util::BodyExt;
use pagesmith_console::{Console, Installation, ROOT, RequestInfo, assets};
use pagesmith_model::tenant::Tenant;
use pagesmith_model::{Error, Result};
use tower::BoxError;
use tracing::Instrument;

use crate::arrival::Arrival;
use crate::coding::Coding;
use crate::error::Refusal;
use crate::exchange::Exchange;
use crate::hosts::site_address;
use crate::offload::INLINE_BODY;
use crate::pipeline;
use crate::secure;
use crate::state::AppState;
use crate::static_text::StaticText;

/// Compressing fewer bytes saves no packet.
const LEAST_COMPRESSED: usize = 1024;
/// The longest screen that is compressed where it is drawn; larger ones would keep a thread from others.
const INLINE_SCREEN: usize = 64 * 1024;

/// The console's style, scripts and sign, by the ends of their addresses.
static FILES: LazyLock<Vec<(&str, StaticText)>> = LazyLock::new(|| {
    let text = |asset: &'static assets::Asset| StaticText::new(asset.content_type, asset.bytes);
    assets::all().iter().map(|asset| (asset.file.as_str(), text(asset))).collect()
});

/// What the console has of the server.
pub(crate) fn installation(state: &AppState) -> Installation {
    let settings = state.settings.clone();
    let (of_ready, of_examination, of_backups) = (state.clone(), state.clone(), state.clone());
    let offload = Arc::clone(&state.offload);
    Installation {
        store: state.store.clone(),
        platform: Arc::clone(&state.platform),
        keys: Arc::clone(&state.keys),
        hasher: state.hasher.clone(),
        rules: state.settings.sign_in,
        providers: Arc::clone(&state.identity_providers),
        sends_mail: state.settings.sends_mail,
        base_url: state.settings.base_url.clone(),
        console_url: state.settings.console_url().to_owned(),
        site_origin: Box::new(move |slug| site_address(&settings, slug, "")),
        read_large_form: Box::new(move |tenant, read| {
            let offload = Arc::clone(&offload);
            Box::pin(async move { offload.run(tenant.as_ref(), read).await })
        }),
        inline_form: INLINE_BODY,
        ready: Box::new(move || {
            let state = of_ready.clone();
            Box::pin(async move { state.readiness.check(&state.store, state.platform.clock()).await })
        }),
        examination: Box::new(move || of_examination.examination.get().map(Arc::clone)),
        backups: Box::new(move || of_backups.backups.get().map(Arc::clone)),
        ending: state.ending.subscribe(),
    }
}

/// Answers a request to a host or a listener that is the console's alone, for something else.
pub(crate) fn elsewhere<B>(state: &AppState, request: &Request<B>, arrival: Arrival) -> Response<Body> {
    let exchange = Exchange::begin(state, request, arrival, "console");
    if request.uri().path() != "/" {
        return exchange.end_with(state, Err(Refusal::from(Error::not_found("screen"))));
    }
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_static(ROOT));
    exchange.end(state, response)
}

/// Serves a request to the console.
pub(crate) fn serve<B>(
    state: &AppState,
    console: &Console,
    request: Request<B>,
    arrival: Arrival,
) -> impl Future<Output = Result<Response<Body>, Infallible>> + Send + use<B>
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let exchange = Exchange::begin(state, &request, arrival, "console");
    let (span, strict) = (exchange.span(), secure::strict_transport(state, arrival));
    let (state, console) = (state.clone(), console.clone());
    // A request that came over no connection is one of the process's own, or of a test.
    let address = arrival.client().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let info = RequestInfo { address, request_id: exchange.id.as_str().to_owned() };
    let coding = Coding::wanted(request.headers());
    let screen_coding = if is_own(request.headers()) { coding } else { Coding::Identity };
    let file = request.uri().path().strip_prefix(assets::PATH).map(str::to_owned);
    async move {
        let serving = async {
            if let Some(file) = file {
                return static_file(&state, &file, coding).await.map_err(Refusal::from);
            }
            let response = console.serve(request.map(Body::new), &info).await;
            compressed(&state, response, screen_coding).await.map_err(Refusal::from)
        };
        let answered = pipeline::within(state.settings.request_timeout, serving.instrument(span)).await;
        Ok(exchange.end_with(&state, answered.map(|response| strict.on(response))))
    }
}

/// A file of the console. Its name tells its bytes, so that a browser need never ask for it again.
async fn static_file(state: &AppState, file: &str, coding: Coding) -> Result<Response<Body>> {
    let found = FILES.iter().find(|(name, _)| *name == file);
    let (_, text) = found.ok_or_else(|| Error::not_found("file"))?;
    let form = text.form(coding, &state.offload).await?;
    let mut response = Response::new(Body::from(form.bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(form.media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    headers.insert(header::ETAG, form.tag);
    describe(&mut response, coding);
    Ok(response)
}

/// Whether the console or the user, and no other site, caused a request. What another site put into an address would be on a screen beside what only
/// the user may see, and how well the screen compresses would tell whether they are alike.
fn is_own(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-site").is_some_and(|site| site == "same-origin" || site == "none")
}

/// The answer with its screen in that coding; streams and downloads stay as they are.
async fn compressed(state: &AppState, response: Response<Body>, coding: Coding) -> Result<Response<Body>> {
    let of_type = response.headers().get(header::CONTENT_TYPE);
    let is_screen = of_type.is_some_and(|of_type| of_type.as_bytes().starts_with(b"text/html"));
    let length = response.body().size_hint().exact().and_then(|length| usize::try_from(length).ok());
    let Some(length) = length.filter(|length| is_screen && *length >= LEAST_COMPRESSED) else {
        return Ok(response);
    };
    let (head, body) = response.into_parts();
    let plain = body.collect().await.map_err(Error::internal)?.to_bytes();
    let body: Bytes = match coding {
        Coding::Identity => plain,
        _ if length <= INLINE_SCREEN => coding.encode(&plain)?.into(),
        _ => state.offload.run(None, move || coding.encode(&plain)).await??.into(),
    };
    let of_tenant = head.extensions.get::<Arc<Tenant>>().map(|tenant| &tenant.tenant_id);
    let body = state.answers.share(of_tenant).hold_shared(&body)?;
    let mut response = Response::from_parts(head, Body::from(body));
    response.headers_mut().remove(header::CONTENT_LENGTH);
    describe(&mut response, coding);
    Ok(response)
}

/// Tells browsers and caches how a body is coded.
fn describe(response: &mut Response<Body>, coding: Coding) {
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(name) = coding.name() {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
    }
}
