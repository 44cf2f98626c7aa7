//! The sessions of a page as a file, read and sent piece by piece: CSV, or one JSON object a line.
//!
//! What this is not: a state of one instant. A session that begins or expires while the file is sent may be in it or not; none is in it twice, since
//! each piece begins behind the last session of the one before.

use axum::body::Body as Payload;
use axum::http::{HeaderValue, Response, header};
use bytes::Bytes;
use futures_util::stream;
use pagesmith_model::visit::session::Session;
use pagesmith_model::{AudienceId, AudienceSessionId, Error, PageId, Result, TenantId};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::visits::analytics::{self, Given};
use pagesmith_store::{Extent, ListPart, Tx};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::api::analytics::session_view::{Besides, SessionLine, SessionViews};
use crate::counts::Permit;
use crate::description::{Operation, Schemas};
use crate::extract::query::{self, FromQuery, Parameter, Parameters};
use crate::extract::{Call, Findings};
use crate::reply::{AnswerContext, IntoAnswer};

/// How much is read and sent at once.
const PIECE: Extent = Extent { items: 500, bytes: 512 * 1024 };
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

/// Which sessions are wanted.
#[derive(Clone)]
pub(crate) struct Selection {
    pub page_id: PageId,
    /// Those of this audience alone: see [`wanted`].
    pub audience: Option<Option<AudienceId>>,
    pub given: Given,
}

/// A file that is being sent.
pub(crate) struct Export {
    call: Call,
    selection: Selection,
    format: Format,
    /// The piece that is sent next, unless all were.
    next: Option<(ListPart<Session>, SessionViews)>,
    is_first: bool,
    ending: watch::Receiver<bool>,
    /// One of the streams that the tenant may have open.
    _permit: Permit<TenantId>,
}

impl Export {
    /// Reads the first piece.
    pub(crate) async fn begin(call: Call, selection: Selection, format: Format) -> Result<Export> {
        let permit = call.stream_permit()?;
        let next = Some(read(&call, &selection, None).await?);
        let ending = call.state.ending.subscribe();
        Ok(Export { call, selection, format, next, is_first: true, ending, _permit: permit })
    }

    /// The next piece of the file; `None` behind its end. Where it cannot go on it fails, so that nobody takes a part for the whole.
    async fn piece(&mut self) -> Result<Option<Bytes>> {
        let Some((part, views)) = self.next.take() else { return Ok(None) };
        if *self.ending.borrow() || !self.call.is_still_admitted() {
            return Err(Error::unavailable("The export was ended. Ask again."));
        }
        let last = part.items.last().map(|session| session.session_id.clone()).filter(|_| part.more);
        let (format, with_heading, bytes) = (self.format, self.is_first, part.bytes);
        let write = move || match format {
            Format::Csv => csv_of(part.items, &views, with_heading),
            Format::Ndjson => lines_of(part.items, &views),
        };
        let piece = self.call.share().hold(self.call.write(bytes, write).await?)?;
        self.is_first = false;
        if let Some(last) = last {
            self.next = Some(read(&self.call, &self.selection, Some(last)).await?);
        }
        Ok(Some(piece))
    }
}

/// Whose sessions are wanted: all, or those of one audience. What is no id is the id of no audience, which has none.
pub(super) fn wanted(audience: Option<&Option<AudienceId>>) -> Option<Option<&AudienceId>> {
    audience.map_or(Some(None), |id| id.as_ref().map(Some))
}

async fn read(
    call: &Call,
    selection: &Selection,
    after: Option<AudienceSessionId>,
) -> Result<(ListPart<Session>, SessionViews)> {
    let Selection { page_id, audience, given } = selection.clone();
    let read = move |tx: &mut Tx<'_>, ctx: &TenantContext| {
        let wanted = wanted(audience.as_ref());
        analytics::piece(tx, ctx, (&page_id, wanted), given, (after.as_ref(), PIECE))
    };
    let (part, place) = call.read(read).await?;
    Ok((part, SessionViews::of(call, place)))
}

fn lines_of(sessions: Vec<Session>, views: &SessionViews) -> Result<Vec<u8>> {
    let mut lines = Vec::new();
    for session in sessions {
        let besides = Besides::of(&session);
        let line = SessionLine { session: views.view(session), besides };
        serde_json::to_writer(&mut lines, &line).map_err(Error::internal)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

fn csv_of(sessions: Vec<Session>, views: &SessionViews, with_heading: bool) -> Result<Vec<u8>> {
    let mut table = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    if with_heading {
        table.write_record(SessionViews::COLUMNS).map_err(Error::internal)?;
    }
    for session in sessions {
        let besides = Besides::of(&session).guarded();
        table.serialize((views.view(session).guarded(), besides)).map_err(Error::internal)?;
    }
    table.into_inner().map_err(|error| Error::internal(error.to_string()))
}

impl IntoAnswer for Export {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        operation.file(CSV, "audienceSessionId,analyticsSessionId,audienceId,…\n");
        operation.also_file(NDJSON, "{\"audienceSessionId\":\"session_01jpbz8n4xf5k9w2d7hq3mv6ta\",…}\n");
    }

    fn into_answer(self, _: &AnswerContext<'_>) -> Result<Response<Payload>> {
        let (media_type, name) = match self.format {
            Format::Csv => (CSV, "attachment; filename=\"sessions.csv\""),
            Format::Ndjson => (NDJSON, "attachment; filename=\"sessions.ndjson\""),
        };
        let pieces = stream::try_unfold(self, |mut export| async move {
            Ok::<_, Error>(export.piece().await?.map(|piece| (piece, export)))
        });
        let mut response = Response::new(Payload::from_stream(pieces));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(name));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(response)
    }
}
