//! The operations on persons' logs.

use pagesmith_endpoint::endpoint;
use pagesmith_model::log::{LogPatch, NewPersonLog};
use pagesmith_model::{PersonId, PersonLogId, Result};
use pagesmith_operations::logs as operations;

use crate::api::logs;
use crate::api::logs::view::{PersonLogCreated, PersonLogView};
use crate::collection::Collection;
use crate::extract::body::EmptyObject;
use crate::extract::query::IncludeDeleted;
use crate::extract::{Body, Call, IdempotencyKey, IfMatch, Paging, Path, Query};
use crate::reply::{Reply, Single, Success};

/// Creates a log entry for a person, who is created if no identifier matches.
///
/// Finds the person by `personId`, or else by the identifiers. If no identifier matches, creates the
/// person: `createdPerson` is then true, and the name is `name` or is made from the identifiers.
/// Identifiers that the person lacks are added; existing ones are never overwritten. Fails with 400 if
/// neither an id nor an identifier is given, or if `personId` names no person. Fails with 409 if the
/// identifiers belong to different persons. The same entry again with the same `idempotencyKey` returns the
/// first answer and creates nothing; another entry with that key fails with 409.
#[endpoint]
pub(crate) async fn create_person_log(
    call: Call,
    key: IdempotencyKey,
    Body(new): Body<NewPersonLog>,
) -> Result<Reply<PersonLogCreated, 201>> {
    call.change_once(key, move |tx, ctx| {
        operations::persons::create(tx, ctx, &new).map(PersonLogCreated::from)
    })
    .await
}

/// Lists the log entries of a person, newest first.
///
/// Deleted entries are left out unless `includeDeleted` is true.
#[endpoint]
pub(crate) async fn list_person_logs(
    call: Call,
    Path(person_id): Path<PersonId>,
    paging: Paging,
    Query(IncludeDeleted(deleted)): Query<IncludeDeleted>,
) -> Result<Reply<Collection<PersonLogView>>> {
    logs::list(call, ("person_logs", "person", person_id), paging, deleted).await
}

/// Returns a log entry of a person.
///
/// A deleted entry is not found until it is restored.
#[endpoint]
pub(crate) async fn get_person_log(
    call: Call,
    Path(person_id): Path<PersonId>,
    Path(log_id): Path<PersonLogId>,
) -> Result<Single<PersonLogView>> {
    logs::get(call, person_id, log_id).await.map(Single)
}

/// Changes the text of a note in the log of a person.
///
/// Replaces `payload.text`; everything else in the payload stays as it was sent. Fails with 409 if the
/// payload has no `text`: other entries are history and cannot be changed.
#[endpoint]
pub(crate) async fn update_person_log(
    call: Call,
    Path(person_id): Path<PersonId>,
    Path(log_id): Path<PersonLogId>,
    if_match: IfMatch,
    Body(patch): Body<LogPatch>,
) -> Result<Reply<Success>> {
    logs::update::<PersonId, PersonLogView>(call, (person_id, log_id), if_match, patch).await
}

/// Deletes a log entry of a person.
///
/// The entry is left out of lists and of the account's activity unless deleted entries are asked for.
/// Deleting a deleted entry is answered with 200. `restorePersonLog` undoes it.
#[endpoint]
pub(crate) async fn delete_person_log(
    call: Call,
    Path(person_id): Path<PersonId>,
    Path(log_id): Path<PersonLogId>,
    if_match: IfMatch,
) -> Result<Reply<Success>> {
    logs::delete::<PersonId, PersonLogView>(call, (person_id, log_id), if_match).await
}

/// Restores a deleted log entry of a person.
///
/// An entry that is not deleted stays unchanged.
#[endpoint]
pub(crate) async fn restore_person_log(
    call: Call,
    Path(person_id): Path<PersonId>,
    Path(log_id): Path<PersonLogId>,
    key: IdempotencyKey,
    Body(EmptyObject {}): Body<EmptyObject>,
) -> Result<Reply<Success>> {
    logs::restore(call, (person_id, log_id), key).await
}
