//! A collection as a file, read and sent piece by piece: CSV with a heading, or one JSON object a line.
//!
//! What this is not: a state of one instant. An item that is created or removed while the file is sent may be in it or not; none is in it
//! twice, since each piece begins behind the last item of the one before.

use axum::body::Body as Payload;
use axum::http::{HeaderValue, Response, header};
use bytes::Bytes;
use futures_util::stream;
use pagesmith_model::{Error, Result, TenantId};
use pagesmith_store::Extent;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::counts::Permit;
use crate::description::{Operation, Schemas};
use crate::extract::query::{self, FromQuery, Parameter, Parameters};
use crate::extract::{Call, Findings};
use crate::reply::{AnswerContext, IntoAnswer};

/// How much is read and sent at once.
pub(crate) const PIECE: Extent = Extent { items: 500, bytes: 512 * 1024 };
const CSV: &str = "text/csv; charset=utf-8";
const NDJSON: &str = "application/x-ndjson";

/// The form of the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Format {
    #[default]
    Csv,
    Ndjson,
}

impl FromQuery for Format {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "format",
        description: "`csv` for a table with a heading, or `ndjson` for one JSON object a line. Left out, it is `csv`.",
        example: "ndjson",
    }];

    fn schema(_: &str) -> Value {
        json!({ "type": "string", "enum": ["csv", "ndjson"] })
    }

    fn read(parameters: &Parameters, findings: &mut Findings) -> Format {
        parameters.one("format", findings);
        let read = |text: &str| match text {
            "csv" => Some(Format::Csv),
            "ndjson" => Some(Format::Ndjson),
            _ => None,
        };
        query::one(parameters, "format", "csv or ndjson", read, findings).unwrap_or_default()
    }
}

/// What a file is made of.
pub(crate) trait Exported: Send + 'static {
    /// The name of the file, without its ending.
    const NAME: &'static str;
    /// The beginning of a table, for the API's description.
    const CSV_EXAMPLE: &'static str;
    /// A line, for the API's description.
    const LINE_EXAMPLE: &'static str;
    /// A piece of the collection, with all that its items are shown with.
    type Piece: Send + 'static;
    /// What the next piece begins behind.
    type After: Send + 'static;

    /// Reads a piece: about [`PIECE`].
    fn read(
        &self,
        call: &Call,
        after: Option<Self::After>,
    ) -> impl Future<Output = Result<Self::Piece>> + Send;

    /// What the next piece begins behind; nothing if this is the last.
    fn last(piece: &Self::Piece) -> Option<Self::After>;

    /// About how many bytes a piece takes.
    fn bytes(piece: &Self::Piece) -> usize;

    /// The piece as it is sent; a table begins with a heading.
    fn written(piece: Self::Piece, format: Format, with_heading: bool) -> Result<Vec<u8>>;
}

/// A file that is being sent.
pub(crate) struct Export<E: Exported> {
    call: Call,
    exported: E,
    format: Format,
    /// The piece that is sent next, unless all were.
    next: Option<E::Piece>,
    is_first: bool,
    ending: watch::Receiver<bool>,
    /// One of the streams that the tenant may have open.
    _permit: Permit<TenantId>,
}

impl<E: Exported> Export<E> {
    /// Reads the first piece.
    pub(crate) async fn begin(call: Call, exported: E, format: Format) -> Result<Export<E>> {
        let permit = call.stream_permit()?;
        let next = Some(exported.read(&call, None).await?);
        let ending = call.state.ending.subscribe();
        Ok(Export { call, exported, format, next, is_first: true, ending, _permit: permit })
    }

    /// The next piece of the file; `None` behind its end. Where it cannot go on it fails, so that nobody takes a part for the whole.
    async fn piece(&mut self) -> Result<Option<Bytes>> {
        let Some(piece) = self.next.take() else { return Ok(None) };
        if *self.ending.borrow() || !self.call.is_still_admitted() {
            return Err(Error::unavailable("The export was ended. Ask again."));
        }
        let (last, bytes) = (E::last(&piece), E::bytes(&piece));
        let (format, with_heading) = (self.format, self.is_first);
        let write = move || E::written(piece, format, with_heading);
        let written = self.call.share().hold(self.call.write(bytes, write).await?)?;
        self.is_first = false;
        if let Some(last) = last {
            self.next = Some(self.exported.read(&self.call, Some(last)).await?);
        }
        Ok(Some(written))
    }
}

/// One JSON object a line.
pub(crate) fn lines_of<T: Serialize>(items: impl IntoIterator<Item = T>) -> Result<Vec<u8>> {
    let mut lines = Vec::new();
    for item in items {
        serde_json::to_writer(&mut lines, &item).map_err(Error::internal)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

/// Rows of a table, below a heading if one is given. Texts that a spreadsheet would take for formulas are the caller's to guard.
pub(crate) fn table_of<T: Serialize>(
    heading: Option<&[&str]>,
    rows: impl IntoIterator<Item = T>,
) -> Result<Vec<u8>> {
    let mut table = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    if let Some(heading) = heading {
        table.write_record(heading).map_err(Error::internal)?;
    }
    for row in rows {
        table.serialize(row).map_err(Error::internal)?;
    }
    table.into_inner().map_err(|error| Error::internal(error.to_string()))
}

impl<E: Exported + Sync> IntoAnswer for Export<E>
where
    E::Piece: Sync,
{
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        operation.file(CSV, E::CSV_EXAMPLE);
        operation.also_file(NDJSON, E::LINE_EXAMPLE);
    }

    fn into_answer(self, _: &AnswerContext<'_>) -> Result<Response<Payload>> {
        let (media_type, ending) = match self.format {
            Format::Csv => (CSV, "csv"),
            Format::Ndjson => (NDJSON, "ndjson"),
        };
        let name = format!("attachment; filename=\"{}.{ending}\"", E::NAME);
        let pieces = stream::try_unfold(self, |mut export| async move {
            Ok::<_, Error>(export.piece().await?.map(|piece| (piece, export)))
        });
        let mut response = Response::new(Payload::from_stream(pieces));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        headers.insert(header::CONTENT_DISPOSITION, HeaderValue::try_from(name).map_err(Error::internal)?);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(response)
    }
}
