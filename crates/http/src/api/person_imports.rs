//! The operations on imports of persons. Ours, beyond the contract.

use std::io::Cursor;

use futures_util::TryStreamExt;
use pagesmith_endpoint::endpoint;
use pagesmith_model::file::File;
use pagesmith_model::person_import::{NewPersonImport, PersonImport, PersonImportPatch};
use pagesmith_model::{Error, PersonImportId, Result};
use pagesmith_operations::files;
use pagesmith_operations::person_imports::{self, Order};
use pagesmith_operations::persons::import::sheet::Sheet;
use pagesmith_store::tables::person_imports as table;

use crate::api::person_imports::view::{PersonImportView, PreviewView};
use crate::collection::Collection;
use crate::extract::{Body, Call, IdempotencyKey, IfMatch, Paging, Path};
use crate::reply::{Reply, Single};
use crate::watched::WatchedAnswer;

pub(crate) mod refusals;
pub(crate) mod view;

/// How much of a file is read to know its columns and first rows, in bytes.
const HEAD: u64 = 256 * 1024;
/// How many rows a preview has.
const PREVIEWED: usize = 5;

/// The beginning of a file as a table.
async fn head(call: &Call, file: &File, region: Option<String>) -> Result<Sheet<Cursor<Vec<u8>>>> {
    let range = 0..file.size.min(HEAD);
    let mut parts = call.state.files.read(&call.ctx.tenant, &file.content_id, range).await?;
    let mut bytes = Vec::new();
    while let Some(part) = parts.try_next().await? {
        bytes.extend_from_slice(&part);
    }
    Sheet::open(Cursor::new(bytes), region).map_err(|why| person_imports::unreadable(&why.to_string()))
}

/// Lists the imports of persons, newest first.
///
/// An import is kept for 90 days after its end.
#[endpoint]
pub(crate) async fn list_person_imports(
    call: Call,
    paging: Paging,
) -> Result<Reply<Collection<PersonImportView>>> {
    let list = paging.keyset::<PersonImportId>(&call, "person imports", &[])?;
    let found =
        list.read(&call, move |tx, ctx, after, extent| table::list(tx, &ctx.tenant, after, extent)).await?;
    let position = |import: &PersonImport| import.person_import_id.clone();
    list.answer(&call, found, position, PersonImportView::from).await
}

/// Creates an import of persons from an uploaded file.
///
/// Nothing is imported before `startPersonImport`. Columns are mapped to fields by their headings, in eight languages;
/// `updatePersonImport` changes the mapping, and `checkPersonImport` reports what would be done. A file that is no table or has
/// more than 120 columns or 64 MiB fails with 400. A draft that is not started within 24 hours is cancelled. A tenant may have
/// 1,000 imports that have not ended; one more fails with 409.
#[endpoint]
pub(crate) async fn create_person_import(
    call: Call,
    key: IdempotencyKey,
    Body(new): Body<NewPersonImport>,
) -> Result<Reply<PersonImportView, 201>> {
    let asked = new.clone();
    // A request that is repeated gets its answer, although its file may be gone by now.
    let columns = match call.read(move |tx, ctx| person_imports::file_of(tx, ctx, &asked)).await? {
        Some(file) => Some(head(&call, &file, None).await?.columns().clone()),
        None => None,
    };
    call.change_once(key, move |tx, ctx| {
        person_imports::create(tx, ctx, &new, columns.as_ref()).map(PersonImportView::from)
    })
    .await
}

/// Returns an import of persons.
///
/// The counts grow while a file is checked or imported; `getPersonImportProgress` streams them.
#[endpoint]
pub(crate) async fn get_person_import(
    call: Call,
    Path(id): Path<PersonImportId>,
) -> Result<Single<PersonImportView>> {
    let import = call.point_read(move |tx, ctx| person_imports::find(tx, ctx, &id)).await?;
    Ok(Single(PersonImportView::from(import)))
}

/// Changes what the columns of an import become.
///
/// `columns` has one entry for each column of the file, in its order. An import that was checked is a draft again and has to be checked
/// anew for counts. One that was started fails with 409.
#[endpoint]
pub(crate) async fn update_person_import(
    call: Call,
    Path(id): Path<PersonImportId>,
    if_match: IfMatch,
    Body(patch): Body<PersonImportPatch>,
) -> Result<Reply<PersonImportView>> {
    let precondition = if_match.of(&call, &id, person_imports::find, PersonImportView::from).await?;
    call.change(move |tx, ctx| {
        person_imports::update(tx, ctx, &id, &patch, &precondition).map(PersonImportView::from)
    })
    .await
}

/// Returns the first rows of the file of an import.
///
/// The cells are those of the file, before they are checked. When the import has ended there is no file, and `rows` is empty.
#[endpoint]
pub(crate) async fn preview_person_import(
    call: Call,
    Path(id): Path<PersonImportId>,
) -> Result<Reply<PreviewView>> {
    let found = call.read(move |tx, ctx| {
        let import = person_imports::find(tx, ctx, &id)?;
        let file = import.file_id.clone().map(|file| files::find(tx, ctx, &file)).transpose()?;
        Ok((import.region, file))
    });
    let mut rows = Vec::new();
    if let (region, Some(file)) = found.await? {
        let mut sheet = head(&call, &file, region).await?;
        while rows.len() < PREVIEWED {
            match sheet.next_cells().map_err(|why| Error::internal(why.to_string()))? {
                Some(cells) => rows.push(cells),
                None => break,
            }
        }
    }
    Reply::of(&PreviewView { rows })
}

/// Checks what an import would do, without writing.
///
/// Works in the background: `status` is `checking` and then `checked`, the counts report what would be done, and
/// `listPersonImportRefusals` lists the rows that cannot be imported. An import that is being checked or was checked is left as
/// it is. One without a column that identifies persons fails with 409; `details.reason` is `no_identifier`.
#[endpoint]
pub(crate) async fn check_person_import(
    call: Call,
    Path(id): Path<PersonImportId>,
    key: IdempotencyKey,
) -> Result<Reply<PersonImportView>> {
    ordered(call, id, key, Order::Check).await
}

/// Starts an import.
///
/// Works in the background, for each tenant one import after the other. A row creates a person or changes the one that it identifies: cells
/// that hold something replace what was there. Of several rows about one person the first that fills a field counts, so that importing the same file
/// again changes nothing. An import that is at work or done is left as it is: calling this twice imports once.
#[endpoint]
pub(crate) async fn start_person_import(
    call: Call,
    Path(id): Path<PersonImportId>,
    key: IdempotencyKey,
) -> Result<Reply<PersonImportView>> {
    ordered(call, id, key, Order::Start).await
}

async fn ordered(
    call: Call,
    id: PersonImportId,
    key: IdempotencyKey,
    order: Order,
) -> Result<Reply<PersonImportView>> {
    call.change_once(key, move |tx, ctx| {
        person_imports::order(tx, ctx, &id, order).map(PersonImportView::from)
    })
    .await
}

/// Cancels an import.
///
/// Persons that were written stay. The file is deleted unless something else uses it. An import that has ended is left as it is.
#[endpoint]
pub(crate) async fn cancel_person_import(
    call: Call,
    Path(id): Path<PersonImportId>,
    key: IdempotencyKey,
) -> Result<Reply<PersonImportView>> {
    call.change_once(key, move |tx, ctx| person_imports::cancel(tx, ctx, &id).map(PersonImportView::from))
        .await
}

/// Returns the progress of an import, once or as a stream.
///
/// With `Accept: text/event-stream` the answer is a stream of server-sent events called `progress`: one at once and one after every
/// change, until the import is no longer at work. A tenant may have 100 streams open on a server, unless the operator sets another limit; one
/// more fails with 429.
#[endpoint]
pub(crate) async fn get_person_import_progress(
    call: Call,
    Path(id): Path<PersonImportId>,
) -> Result<WatchedAnswer<PersonImportView>> {
    WatchedAnswer::read(call, id).await
}
