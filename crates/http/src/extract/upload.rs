//! A body that is a file: taken as it arrives, and never whole in memory.
//!
//! The file is the body itself, or the field `file` of a form. Reading ends when nothing has arrived for as long as a whole JSON body may
//! take, when there is more than a file may have, or after [`LONGEST`].

mod disposition;

use std::time::Duration;

use axum::body::Body as RawBody;
use axum::http::header;
use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use http_body_util::BodyExt;
use pagesmith_model::file::FileName;
use pagesmith_model::{Error, Issue, IssueCode, Kind, Result};
use tokio::time::{Instant, timeout, timeout_at};

use crate::description::{Operation, Schemas};
use crate::extract::query::parameters;
use crate::extract::{Extract, Findings, Incoming};

/// How long an upload may take in all. Bytes without a row are removed only long after that.
const LONGEST: Duration = Duration::from_hours(1);
/// What a form may have around its file, in bytes.
const AROUND: u64 = 64 * 1024;
/// The field of a form that is the file.
const FIELD: &str = "file";

/// A file as it arrives.
pub struct Upload {
    /// What the client calls it.
    name: Option<FileName>,
    /// The boundary between the fields, if it is in a form.
    boundary: Option<String>,
    body: RawBody,
    /// How long nothing may arrive.
    time_limit: Duration,
    /// How many bytes the file may have.
    most: u64,
}

impl Extract for Upload {
    const TAKES_STREAM: bool = true;

    fn describe(operation: &mut Operation, _: &mut Schemas) {
        operation.takes_query(
            "name",
            &serde_json::json!({ "type": "string" }),
            "Name of the file. Left out, it is the one that the form or the header `Content-Disposition` has, else `file`.",
            &"price-list.pdf".into(),
        );
        operation.takes_file(FIELD);
    }

    fn extract(request: &Incoming, findings: &mut Findings) -> Option<Upload> {
        let headers = &request.parts.headers;
        let text = |name| headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()));
        let named = parameters(request, findings)?.one("name", findings).map(FileName::of);
        let disposed = || text(header::CONTENT_DISPOSITION).and_then(|text| disposition::file_name(&text));
        let declared = text(header::CONTENT_TYPE).unwrap_or_default();
        let boundary = if is_form(&declared) {
            let Ok(boundary) = multer::parse_boundary(&*declared) else {
                let message = "Content-Type: multipart/form-data needs a boundary.";
                findings.issues.add(Issue::header(IssueCode::InvalidValue, "content-type", message));
                return None;
            };
            Some(boundary)
        } else {
            None
        };
        let most = request.state.settings.files.largest;
        let room = if boundary.is_some() { most.saturating_add(AROUND) } else { most };
        let announced = text(header::CONTENT_LENGTH).and_then(|text| text.parse::<u64>().ok());
        if announced.is_some_and(|length| length > room) {
            findings.refuse(too_large(most));
            return None;
        }
        Some(Upload {
            name: named.or_else(|| disposed().map(|name| FileName::of(&name))),
            boundary,
            body: request.stream()?,
            time_limit: request.state.settings.body_timeout,
            most,
        })
    }
}

/// Whether a media type is that of forms with files.
pub(crate) fn is_form(declared: &str) -> bool {
    let name = declared.split(';').next().unwrap_or_default().trim();
    name.eq_ignore_ascii_case("multipart/form-data")
}

/// Takes the bytes of a file, piece by piece.
pub(crate) trait Sink: Send {
    /// Takes the next ones.
    fn take(&mut self, bytes: &[u8]) -> impl Future<Output = Result<()>> + Send;
}

impl Upload {
    /// Reads the file to its end, and to that of the body; what it is called.
    pub(crate) async fn read(self, sink: &mut impl Sink) -> Result<FileName> {
        let ends = Instant::now() + LONGEST;
        timeout_at(ends, self.read_patiently(sink))
            .await
            .map_err(|_| incomplete("The upload took too long"))?
    }

    async fn read_patiently(self, sink: &mut impl Sink) -> Result<FileName> {
        let Upload { name, boundary, body, time_limit, most } = self;
        let mut count = Count { bytes: 0, most };
        let mut pieces = pieces(body, time_limit);
        let Some(boundary) = boundary else {
            while let Some(piece) = pieces.try_next().await? {
                count.add(&piece)?;
                sink.take(&piece).await?;
            }
            count.verdict()?;
            return Ok(name.unwrap_or_else(|| FileName::of("")));
        };
        // Whatever its fields are, the form is no larger than its file may be.
        let mut whole = Count { bytes: 0, most: most.saturating_add(AROUND) };
        let counted = pieces.map(move |piece| {
            let piece = piece?;
            whole.add(&piece).map_err(|_| too_large(most))?;
            Ok::<_, Error>(piece)
        });
        let mut form = multer::Multipart::new(counted, boundary);
        let mut found = None;
        while let Some(mut field) = form.next_field().await.map_err(form_error)? {
            if field.name() != Some(FIELD) {
                continue;
            }
            if found.is_some() {
                let message = "file: stands more than once in the form.";
                return Err(Error::invalid(Issue::body(IssueCode::DuplicateKey, &[FIELD], message)));
            }
            found = Some(field.file_name().map(FileName::of));
            while let Some(piece) = field.chunk().await.map_err(form_error)? {
                count.add(&piece)?;
                sink.take(&piece).await?;
            }
            count.verdict()?;
        }
        let Some(called) = found else {
            let message = "file: the form needs a field of this name with the file.";
            return Err(Error::invalid(Issue::body(IssueCode::Required, &[FIELD], message)));
        };
        Ok(name.or(called).unwrap_or_else(|| FileName::of("")))
    }
}

/// How many bytes have arrived, of those that may.
struct Count {
    bytes: u64,
    most: u64,
}

impl Count {
    fn add(&mut self, piece: &Bytes) -> Result<()> {
        self.bytes = self.bytes.saturating_add(piece.len() as u64);
        if self.bytes > self.most { Err(too_large(self.most)) } else { Ok(()) }
    }

    /// A file without bytes is a mistake.
    fn verdict(&self) -> Result<()> {
        if self.bytes > 0 {
            return Ok(());
        }
        let message = "The file is empty.";
        Err(Error::invalid(Issue::body(IssueCode::TooShort, &[], message)))
    }
}

/// The body piece by piece, each of which must arrive in time.
pub(crate) fn pieces(body: RawBody, time_limit: Duration) -> BoxStream<'static, Result<Bytes>> {
    let pieces = stream::unfold(Some(body), move |body| async move {
        let mut body = body?;
        loop {
            match timeout(time_limit, body.frame()).await {
                Ok(None) => return None,
                Ok(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => return Some((Ok(data), Some(body))),
                    // Trailers are nothing of the file.
                    Err(_) => continue,
                },
                Ok(Some(Err(_))) => return Some((Err(incomplete("The body did not arrive whole")), None)),
                Err(_) => return Some((Err(incomplete("Nothing of the body arrived for too long")), None)),
            }
        }
    });
    pieces.boxed()
}

fn incomplete(message: &str) -> Error {
    Error::invalid(Issue::body(IssueCode::Incomplete, &[], format!("{message}.")))
}

fn too_large(most: u64) -> Error {
    Error::new(Kind::TooLarge, format!("The file is larger than {most} bytes."))
}

/// What is wrong with a form; an error of reading it is told as itself.
pub(crate) fn form_error(error: multer::Error) -> Error {
    match error {
        multer::Error::StreamReadFailed(source) => match source.downcast::<Error>() {
            Ok(error) => *error,
            Err(source) => Error::internal(source),
        },
        multer::Error::IncompleteFieldData { .. }
        | multer::Error::IncompleteHeaders
        | multer::Error::IncompleteStream => incomplete("The form did not arrive whole"),
        other => {
            let message = format!("The body is no form: {other}.");
            Error::invalid(Issue::body(IssueCode::InvalidFormat, &[], message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Collected(Vec<u8>);

    impl Sink for Collected {
        async fn take(&mut self, bytes: &[u8]) -> Result<()> {
            self.0.extend_from_slice(bytes);
            Ok(())
        }
    }

    /// What is read of a body whose pieces come after so many seconds each.
    async fn read(seconds: &'static [u64]) -> (Result<FileName>, usize) {
        let pieces = stream::iter(seconds).then(|seconds| async move {
            tokio::time::sleep(Duration::from_secs(*seconds)).await;
            Ok::<_, std::io::Error>(Bytes::from_static(b"x"))
        });
        let body = RawBody::from_stream(pieces);
        let (time_limit, mut sink) = (Duration::from_secs(15), Collected::default());
        let upload = Upload { name: None, boundary: None, body, time_limit, most: 1_000 };
        (upload.read(&mut sink).await, sink.0.len())
    }

    #[tokio::test(start_paused = true)]
    async fn an_upload_ends_when_nothing_arrives_and_not_before_an_hour() {
        let (read_whole, count) = read(&[14; 200]).await;
        assert_eq!((read_whole.unwrap().as_str(), count), ("file", 200));
        for (seconds, arrived) in [(&[1, 1, 16][..], 2), (&[14; 300], 257)] {
            let (cut, count) = read(seconds).await;
            assert!(matches!(cut.unwrap_err().kind(), Kind::Invalid(_)));
            assert_eq!(count, arrived);
        }
    }
}
