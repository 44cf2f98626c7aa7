//! The rows of an import that could not be taken, as a list and as a file.

use pagesmith_endpoint::endpoint;
use pagesmith_model::cursor::SortKey;
use pagesmith_model::person_import::ImportRefusal;
use pagesmith_model::{PersonImportId, Result, spreadsheet};
use pagesmith_operations::person_imports;
use pagesmith_store::ListPart;
use pagesmith_store::tables::person_imports as table;

use crate::api::person_imports::view::RefusalView;
use crate::collection::Collection;
use crate::extract::paging::Position;
use crate::extract::{Call, Paging, Path, Query};
use crate::file_export::{Export, Exported, Format, PIECE, lines_of, table_of};
use crate::reply::Reply;

/// A line of a file, by which its rows are sorted.
#[derive(Debug, Clone, Copy)]
struct Line(i64);

impl Position for Line {
    fn keys(&self) -> Vec<SortKey> {
        vec![SortKey::Integer(self.0)]
    }

    fn from_keys(keys: &[SortKey]) -> Option<Self> {
        let [SortKey::Integer(number @ 1..)] = keys else { return None };
        Some(Line(*number))
    }
}

/// Lists the rows of an import that were refused, in the order of the file.
///
/// At most 10,000 are kept; `refused` of the import counts all. A refused row never prevents others from being imported.
#[endpoint]
pub(crate) async fn list_person_import_refusals(
    call: Call,
    Path(id): Path<PersonImportId>,
    paging: Paging,
) -> Result<Reply<Collection<RefusalView>>> {
    let list = paging.keyset(&call, "person import refusals", &[("import", id.as_str())])?;
    let found = list.read(&call, move |tx, ctx, after: Option<&Line>, extent| {
        person_imports::find(tx, ctx, &id)?;
        let after = after.map_or(0, |Line(line)| line.unsigned_abs());
        let part = table::refusals(tx, &ctx.tenant, &id, after, extent)?;
        Ok((part, table::count_refusals(tx, &ctx.tenant, &id)?))
    });
    let position = |refusal: &ImportRefusal| Line(i64::try_from(refusal.line).unwrap_or(i64::MAX));
    list.answer(&call, found.await?, position, RefusalView::from).await
}

/// The rows of one import.
pub(crate) struct Refusals(PersonImportId);

impl Exported for Refusals {
    const NAME: &'static str = "refused-rows";
    const CSV_EXAMPLE: &'static str = "Line,Reason\n17,E-mail: is no e-mail address\n";
    const LINE_EXAMPLE: &'static str = "{\"line\":17,\"reason\":\"E-mail: is no e-mail address\"}\n";
    type Piece = ListPart<ImportRefusal>;
    type After = u64;

    async fn read(&self, call: &Call, after: Option<u64>) -> Result<Self::Piece> {
        let id = self.0.clone();
        call.read(move |tx, ctx| table::refusals(tx, &ctx.tenant, &id, after.unwrap_or_default(), PIECE))
            .await
    }

    fn last(piece: &Self::Piece) -> Option<u64> {
        piece.items.last().map(|refusal| refusal.line).filter(|_| piece.more)
    }

    fn bytes(piece: &Self::Piece) -> usize {
        piece.bytes
    }

    fn written(piece: Self::Piece, format: Format, with_heading: bool) -> Result<Vec<u8>> {
        if format == Format::Ndjson {
            return lines_of(piece.items.into_iter().map(RefusalView::from));
        }
        let rows = piece.items.iter().map(|refusal| (refusal.line, spreadsheet::guarded(&refusal.reason)));
        table_of(with_heading.then_some(&["Line", "Reason"][..]), rows)
    }
}

/// Exports the refused rows of an import, in the order of the file.
///
/// In CSV, a reason that a spreadsheet would run as a formula has an apostrophe in front. If the export fails midway, the
/// response ends without its terminator, which HTTP clients report as an error.
#[endpoint]
pub(crate) async fn export_person_import_refusals(
    call: Call,
    Path(id): Path<PersonImportId>,
    Query(format): Query<Format>,
) -> Result<Export<Refusals>> {
    let known = id.clone();
    call.read(move |tx, ctx| person_imports::find(tx, ctx, &known)).await?;
    Export::begin(call, Refusals(id), format).await
}
