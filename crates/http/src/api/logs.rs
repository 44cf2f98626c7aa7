//! What the operations on persons' and accounts' logs have in common.

use std::fmt::Display;

use pagesmith_model::Result;
use pagesmith_model::log::{Log, LogPatch};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::logs::{self, CountedPart, Owner, tallies};
use pagesmith_operations::precondition::Precondition;
use pagesmith_store::{ListPart, Tx};
use serde::Serialize;

use crate::collection::Collection;
use crate::extract::paging::{Position, flag_value};
use crate::extract::{Call, IdempotencyKey, IfMatch, Paging};
use crate::reply::{DONE, Reply, Success};

pub(crate) mod accounts;
pub(crate) mod persons;
pub(crate) mod view;

/// What `If-Match` demands of an entry; `V` is the entry as answers show it.
async fn precondition<O: Owner, V: From<Log<O>> + Serialize>(
    call: &Call,
    (owner_id, log_id): (&O, &O::LogId),
    if_match: &IfMatch,
) -> Result<Precondition<Log<O>>> {
    let (owner_id, log_id) = (owner_id.clone(), log_id.clone());
    let read = move |tx: &mut Tx<'_>, ctx: &TenantContext| logs::find_shown(tx, ctx, &owner_id, &log_id);
    if_match.precondition(call, read, |log| Ok(V::from(log))).await
}

/// The entries of an owner, newest first. The cursor belongs to a collection with a filter for the owner.
async fn list<O, V>(
    call: Call,
    (collection, filter, owner_id): (&str, &str, O),
    paging: Paging,
    deleted: bool,
) -> Result<Reply<Collection<V>>>
where
    O: Owner + Display,
    O::LogId: Position,
    V: From<Log<O>> + Serialize + 'static,
{
    let owner = owner_id.to_string();
    let filters = [(filter, owner.as_str()), ("deleted", flag_value(deleted))];
    let list = paging.keyset(&call, collection, &filters)?;
    let of_owner = owner_id.clone();
    let read = list
        .read(&call, move |tx, ctx, after, extent| logs::list(tx, ctx, &of_owner, deleted, after, extent));
    let advance = move |tx: &mut Tx<'_>, ctx: &TenantContext| tallies::advance(tx, ctx, &owner_id.tallied());
    let found = with_total(&call, read.await?, advance);
    list.answer(&call, found, |log| log.log_id.clone(), V::from).await
}

/// A part of a log with its total; `advance` moves the tally on afterwards, if it is behind.
fn with_total<T>(
    call: &Call,
    (part, total, is_behind): CountedPart<T>,
    advance: impl Fn(&mut Tx<'_>, &TenantContext) -> Result<()> + Send + 'static,
) -> (ListPart<T>, u64) {
    if is_behind {
        call.afterwards(advance);
    }
    (part, total)
}

/// The entry, unless it is deleted.
async fn get<O: Owner, V: From<Log<O>>>(call: Call, owner_id: O, log_id: O::LogId) -> Result<V> {
    let log = call.point_read(move |tx, ctx| logs::find_shown(tx, ctx, &owner_id, &log_id)).await?;
    Ok(V::from(log))
}

/// Changes the text of a note.
async fn update<O: Owner, V: From<Log<O>> + Serialize>(
    call: Call,
    (owner_id, log_id): (O, O::LogId),
    if_match: IfMatch,
    patch: LogPatch,
) -> Result<Reply<Success>> {
    let precondition = precondition::<O, V>(&call, (&owner_id, &log_id), &if_match).await?;
    call.change(move |tx, ctx| {
        logs::update(tx, ctx, (&owner_id, &log_id), &patch, &precondition).map(|()| DONE)
    })
    .await
}

/// Deletes an entry.
async fn delete<O: Owner, V: From<Log<O>> + Serialize>(
    call: Call,
    (owner_id, log_id): (O, O::LogId),
    if_match: IfMatch,
) -> Result<Reply<Success>> {
    let precondition = precondition::<O, V>(&call, (&owner_id, &log_id), &if_match).await?;
    call.change(move |tx, ctx| logs::delete(tx, ctx, (&owner_id, &log_id), &precondition).map(|()| DONE))
        .await
}

/// Restores an entry.
async fn restore<O: Owner>(
    call: Call,
    (owner_id, log_id): (O, O::LogId),
    key: IdempotencyKey,
) -> Result<Reply<Success>> {
    call.change_once(key, move |tx, ctx| logs::restore(tx, ctx, (&owner_id, &log_id)).map(|()| DONE)).await
}
