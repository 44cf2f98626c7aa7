//! The body of a form: names and values, and files, whose bytes are stored as they arrive.
//!
//! Files are taken only for fields of the form that is shown, which are in front of them; all others are read over. Invariant: bytes that no
//! submission names are removed when the request ends.

use axum::body::{Body, Bytes, HttpBody};
use axum::http::header;
use axum::http::request::Parts;
use futures_util::StreamExt;
use http_body_util::{BodyExt, Limited};
use pagesmith_model::file::FileName;
use pagesmith_model::form::field::{FieldKind, MOST_FILE_BYTES};
use pagesmith_model::{AudienceId, Error, Kind, PageId, Result};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::files::{self, StoredBytes};
use pagesmith_operations::forms::submit;
use pagesmith_render::contact_form;
use tower::BoxError;
use url::form_urlencoded;

use crate::arriving_file::{ArrivingFile, remove_surplus, turn};
use crate::extract::upload::{Sink, form_error, is_form, pieces};
use crate::hosts::Site;
use crate::site::measure::text;
use crate::state::AppState;

/// The most bytes of a form without its files.
const MOST_BYTES: usize = 256 * 1024;
/// The most names and values of a form.
const MOST_PAIRS: usize = 1_000;

/// Names and values of a form.
pub(super) type Pairs = Vec<(String, String)>;

/// What has arrived of a form.
#[derive(Default)]
pub(super) struct Received {
    pub pairs: Pairs,
    /// Files by the names of their fields.
    pub files: Vec<(String, StoredBytes)>,
}

/// Whether the body of a request may have files.
pub(super) fn has_files(head: &Parts) -> bool {
    text(&head.headers, header::CONTENT_TYPE).is_some_and(is_form)
}

/// Reads a form; nothing if it is larger than anybody sends, or did not come in time.
pub(super) async fn read(
    state: &AppState,
    site: &Site,
    head: &Parts,
    body: Body,
) -> Result<Option<Received>> {
    let declared = text(&head.headers, header::CONTENT_TYPE).unwrap_or_default();
    if has_files(head) {
        let Ok(boundary) = multer::parse_boundary(declared) else { return Ok(None) };
        return read_parts(state, site, boundary, body).await;
    }
    Ok(read_pairs(state, body).await.map(|pairs| Received { pairs, files: vec![] }))
}

/// Reads names and values; nothing if there are more than anybody sends, or they did not come in time.
pub(super) async fn read_pairs<B>(state: &AppState, body: B) -> Option<Pairs>
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let collected = Limited::new(body, MOST_BYTES).collect();
    let collected = tokio::time::timeout(state.settings.body_timeout, collected).await.ok()?.ok()?;
    let pairs = pairs_of(&collected.to_bytes());
    (pairs.len() <= MOST_PAIRS).then_some(pairs)
}

/// The names and values of a query, or of a body without files; one more than may be, if there are more.
pub(super) fn pairs_of(encoded: &[u8]) -> Pairs {
    let owned = |(name, value): (std::borrow::Cow<'_, str>, std::borrow::Cow<'_, str>)| {
        (name.into_owned(), value.into_owned())
    };
    form_urlencoded::parse(encoded).take(MOST_PAIRS + 1).map(owned).collect()
}

pub(super) fn one<'a>(pairs: &'a Pairs, name: &str) -> Option<&'a str> {
    pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Which form of which page: ids as the form or the address of its answer names them.
pub(super) fn named(
    pairs: &Pairs,
    [page, audience, action]: [&str; 3],
) -> Option<(PageId, AudienceId, String)> {
    let page_id = one(pairs, page).and_then(PageId::parse)?;
    let audience_id = one(pairs, audience).and_then(AudienceId::parse)?;
    Some((page_id, audience_id, one(pairs, action)?.chars().take(200).collect()))
}

async fn read_parts(state: &AppState, site: &Site, boundary: String, body: Body) -> Result<Option<Received>> {
    let _turn = turn(state, &site.tenant.tenant_id)?;
    let mut received = Received::default();
    match receive(state, site, (boundary, body), &mut received).await {
        Ok(()) => Ok(Some(received)),
        Err(error) => {
            discard(state, site, &received).await;
            match error.kind() {
                Kind::Unavailable(_) | Kind::Internal => Err(error),
                _ => Ok(None),
            }
        }
    }
}

/// Removes the bytes of files that did not become files of the tenant.
pub(super) async fn discard(state: &AppState, site: &Site, received: &Received) {
    for (_, stored) in &received.files {
        remove_surplus(state, &site.tenant.tenant_id, stored.content_id.clone()).await;
    }
}

async fn receive(
    state: &AppState,
    site: &Site,
    (boundary, body): (String, Body),
    received: &mut Received,
) -> Result<()> {
    let ctx = site.context(state);
    // Whatever its fields are, the form is no larger than this.
    let mut left = MOST_FILE_BYTES + MOST_BYTES as u64;
    let counted = pieces(body, state.settings.body_timeout).map(move |piece| {
        let piece = piece?;
        left = left.checked_sub(piece.len() as u64).ok_or_else(too_large)?;
        Ok::<Bytes, Error>(piece)
    });
    let mut form = multer::Multipart::new(counted, boundary);
    let mut takes_file: Option<Vec<String>> = None;
    let mut text_bytes = 0;
    while let Some(mut part) = form.next_field().await.map_err(form_error)? {
        let name = part.name().unwrap_or_default().to_owned();
        let Some(file_name) = part.file_name().map(FileName::of) else {
            let value = part.text().await.map_err(form_error)?;
            text_bytes += name.len() + value.len();
            if text_bytes > MOST_BYTES || received.pairs.len() >= MOST_PAIRS {
                return Err(too_large());
            }
            received.pairs.push((name, value));
            continue;
        };
        let Some(first) = part.chunk().await.map_err(form_error)?.filter(|first| !first.is_empty()) else {
            // Browsers send a field in which nothing was chosen as a file without a name and bytes.
            continue;
        };
        if takes_file.is_none() {
            takes_file = Some(file_fields(state, &ctx, &received.pairs).await?);
        }
        let is_asked_for = takes_file.as_ref().is_some_and(|keys| keys.contains(&name));
        let is_wanted = is_asked_for && !received.files.iter().any(|(known, _)| *known == name);
        if !is_wanted {
            while part.chunk().await.map_err(form_error)?.is_some() {}
            continue;
        }
        let mut arriving = ArrivingFile::begin(state, &ctx)?;
        let stored = async {
            arriving.take(&first).await?;
            while let Some(piece) = part.chunk().await.map_err(form_error)? {
                arriving.take(&piece).await?;
            }
            Ok(())
        };
        match stored.await {
            Ok(()) => received.files.push((name, arriving.finish(state, file_name).await?)),
            Err(error) => {
                arriving.abort().await;
                return Err(error);
            }
        }
    }
    Ok(())
}

/// The keys of the fields for files of the form that is shown, if the tenant has room for any.
async fn file_fields(state: &AppState, ctx: &TenantContext, pairs: &Pairs) -> Result<Vec<String>> {
    let Some((page_id, audience_id, action_id)) = named(pairs, ["ps.page", "ps.audience", "ps.action"])
    else {
        return Ok(vec![]);
    };
    let store = state.store.for_tenant(&ctx.tenant);
    let (ctx, quota) = (ctx.clone(), state.settings.files.quota);
    let found = store.read(move |tx| {
        files::check_usage(tx, &ctx, quota)?;
        submit::find_shown(tx, &ctx, &page_id, &audience_id, &action_id, contact_form)
    });
    let fields = found.await?.map(|form| form.content.fields).unwrap_or_default();
    Ok(fields.into_iter().filter(|field| field.kind == FieldKind::File).map(|field| field.key).collect())
}

fn too_large() -> Error {
    Error::new(Kind::TooLarge, "The form is too large.".to_owned())
}
