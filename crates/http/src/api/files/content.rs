//! The bytes of a file as an answer: whole, a part, or that the client has them already.
//!
//! What a browser could run is a download, and no policy lets it run anything.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use hyper::body::{Frame, SizeHint};
use pagesmith_file_storage::{FileBytes, media_type};
use pagesmith_model::file::{File, FileName};
use pagesmith_model::hexadecimal::hexadecimal;
use pagesmith_model::{Error, Kind, Result, TenantId};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::byte_range::ByteRange;
use crate::description::{Operation, Schemas};
use crate::extract::{Extract, Findings, Incoming};
use crate::reply::{AnswerContext, Comparison, IntoAnswer, names_tag};
use crate::state::AppState;

/// What a browser may do with a file that is shown in place.
const SHOWN: HeaderValue = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'");
/// What it may do with any other.
const NOT_SHOWN: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");
/// What is in a name without an escape (RFC 8187, `attr-char`).
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// How a request wants bytes: which of them, and on which condition.
pub(crate) struct ContentRequest {
    is_head: bool,
    headers: HeaderMap,
}

impl ContentRequest {
    /// What a request with this method and these headers wants.
    pub(crate) fn of(method: &Method, headers: &HeaderMap) -> ContentRequest {
        let read = [header::RANGE, header::IF_RANGE, header::IF_NONE_MATCH];
        let of_name =
            |name: HeaderName| headers.get_all(&name).iter().map(move |value| (name.clone(), value.clone()));
        let headers = read.into_iter().flat_map(of_name).collect::<Vec<_>>().into_iter().collect();
        ContentRequest { is_head: *method == Method::HEAD, headers }
    }
}

impl Extract for ContentRequest {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        operation.takes_header(
            "Range",
            "Range of bytes that is wanted, in the form `bytes=0-1023`.",
            "bytes=0-1023",
        );
        operation.takes_header(
            "If-Range",
            "`ETag` of the bytes that the caller has a part of. If they are others now, all of them are sent.",
            "\"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"",
        );
        operation.fails_with(416);
    }

    fn extract(request: &Incoming, _: &mut Findings) -> Option<ContentRequest> {
        Some(ContentRequest::of(&request.parts.method, &request.parts.headers))
    }
}

/// Bytes as an answer.
pub(crate) struct FileContent(Response<Body>);

impl FileContent {
    /// The response, for a site.
    pub(crate) fn into_response(self) -> Response<Body> {
        self.0
    }
}

impl IntoAnswer for FileContent {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        operation.file("*/*", "(the bytes of the file)");
        operation.has_part("*/*");
        operation.has_tag(200);
    }

    fn into_answer(self, _: &AnswerContext<'_>) -> Result<Response<Body>> {
        Ok(self.0)
    }
}

/// Opens the bytes of a file, as far as a request wants them; those that are in memory already are not read again.
pub(crate) async fn open(
    state: &AppState,
    tenant: &TenantId,
    (file, in_memory): (&File, Option<Bytes>),
    request: &ContentRequest,
) -> Result<FileContent> {
    let tag = format!("\"{}\"", hexadecimal(&file.sha256));
    let mut response = Response::new(Body::empty());
    if names_tag(&request.headers, &header::IF_NONE_MATCH, &tag, Comparison::Weak) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response.headers_mut().insert(header::ETAG, HeaderValue::try_from(tag).map_err(Error::internal)?);
        return Ok(FileContent(response));
    }
    let range = match ByteRange::wanted(&request.headers, &tag).filter(|_| !request.is_head) {
        Some(range) => {
            let behind = || Error::new(Kind::OutOfRange(file.size), "The file has no byte of that range.");
            let range = range.within(file.size).ok_or_else(behind)?;
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            let place = format!("bytes {}-{}/{}", range.start(), range.end(), file.size);
            let place = HeaderValue::try_from(place).map_err(Error::internal)?;
            response.headers_mut().insert(header::CONTENT_RANGE, place);
            *range.start()..*range.end() + 1
        }
        None => 0..file.size,
    };
    let length = range.end - range.start;
    let bytes = match in_memory {
        _ if request.is_head => stream::empty().boxed(),
        Some(bytes) => {
            let place = |at: u64| usize::try_from(at).map_err(Error::internal);
            let wanted = bytes.slice(place(range.start)?..place(range.end)?);
            stream::once(async move { Ok(wanted) }).boxed()
        }
        None => state.files.read(tenant, &file.content_id, range).await?,
    };
    *response.body_mut() = Body::new(FileBody { bytes, left: length });
    describe(file, tag, response.headers_mut())?;
    Ok(FileContent(response))
}

fn describe(file: &File, tag: String, headers: &mut HeaderMap) -> Result<()> {
    let value = |text: String| HeaderValue::try_from(text).map_err(Error::internal);
    let is_shown = media_type::is_shown(&file.content_type);
    let charset = if file.content_type == "text/plain" { "; charset=utf-8" } else { "" };
    headers.insert(header::CONTENT_TYPE, value(format!("{}{charset}", file.content_type))?);
    headers.insert(header::CONTENT_DISPOSITION, value(disposition(&file.name, is_shown))?);
    headers.insert(header::CONTENT_SECURITY_POLICY, if is_shown { SHOWN } else { NOT_SHOWN });
    headers.insert(header::ETAG, value(tag)?);
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    Ok(())
}

/// Where a browser puts a file, and under which name: in ASCII for old readers, and as it is.
fn disposition(name: &FileName, is_shown: bool) -> String {
    let kind = if is_shown { "inline" } else { "attachment" };
    let ascii: String = name
        .as_str()
        .chars()
        .map(|character| match character {
            '"' | '\\' | '%' => '_',
            ' '..='~' => character,
            _ => '_',
        })
        .collect();
    let exact = utf8_percent_encode(name.as_str(), PLAIN);
    format!("{kind}; filename=\"{ascii}\"; filename*=UTF-8''{exact}")
}

/// Bytes as a body whose length is known.
struct FileBody {
    bytes: FileBytes,
    left: u64,
}

impl hyper::body::Body for FileBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        self.bytes.poll_next_unpin(context).map(|next| {
            let piece = next?;
            if let Ok(piece) = &piece {
                self.left = self.left.saturating_sub(piece.len() as u64);
            }
            Some(piece.map(Frame::data))
        })
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_in_the_header_in_both_forms_and_cannot_end_it() {
        let name = FileName::of("Größe \"50 %\".pdf");
        assert_eq!(
            disposition(&name, true),
            "inline; filename=\"Gr__e _50 __.pdf\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%2250%20%25%22.pdf"
        );
        assert!(disposition(&FileName::of("報告.svg"), false).starts_with("attachment; filename=\"__.svg\""));
    }
}
