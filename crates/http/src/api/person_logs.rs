//! The operations on persons' logs.

use pagesmith_model::cursor::{Scope, SortKey};
use pagesmith_model::log::{LogPatch, NewPersonLog, PersonLog};
use pagesmith_model::{PersonId, PersonLogId, Result};
use pagesmith_operations::{log_tallies, person_logs, persons};
use pagesmith_store::tables::{self, log_tallies::Owner};

use crate::api::log_view::{DONE, PersonLogCollection, PersonLogCreated, PersonLogView, Success};
use crate::extract::body::EmptyObject;
use crate::extract::query::IncludeDeleted;
use crate::extract::{Body, Call, IdempotencyKey, IfMatch, Paging, Path, Query};
use crate::reply::{Reply, Single};

pub(crate) async fn create_person_log(
    call: Call,
    key: IdempotencyKey,
    Body(new): Body<NewPersonLog>,
) -> Result<Reply<PersonLogCreated, 201>> {
    call.change_once(key, move |tx, ctx| person_logs::create(tx, ctx, &new).map(PersonLogCreated::from)).await
}

pub(crate) async fn list_person_logs(
    call: Call,
    Path(person_id): Path<PersonId>,
    paging: Paging,
    Query(IncludeDeleted(deleted)): Query<IncludeDeleted>,
) -> Result<Reply<PersonLogCollection>> {
    let filters = [("person", person_id.as_str()), ("deleted", if deleted { "1" } else { "0" })];
    let scope = Scope::new("person_logs", call.ctx.tenant.as_str(), &filters);
    let after = paging.position(&scope, |parts| match parts {
        [SortKey::Text(id)] => PersonLogId::parse(id),
        _ => None,
    })?;
    let extent = paging.extent();
    let whose = person_id.clone();
    let (logs, total, is_behind) = call
        .read(move |tx, ctx| {
            persons::find(tx, ctx, &whose)?;
            let after = after.as_ref().map(PersonLogId::as_str);
            let (logs, total) = tables::person_logs::list(tx, &ctx.tenant, &whose, deleted, after, extent)?;
            let is_behind = log_tallies::is_behind(tx, ctx, &Owner::Person(&whose), &total)?;
            Ok((logs, total, is_behind))
        })
        .await?;
    if is_behind {
        call.afterwards(move |tx, ctx| log_tallies::advance(tx, ctx, &Owner::Person(&person_id)));
    }
    let position = |log: &PersonLog| vec![SortKey::Text(log.person_log_id.to_string())];
    let around = move |next| PersonLogCollection::around(next, total.entries);
    paging.answer(&call, logs, scope, position, |log| Ok(PersonLogView::from(log)), around).await
}

pub(crate) async fn get_person_log(
    call: Call,
    Path(person_id): Path<PersonId>,
    Path(log_id): Path<PersonLogId>,
) -> Result<Single<PersonLogView>> {
    let log = call.point_read(move |tx, ctx| person_logs::find_shown(tx, ctx, &person_id, &log_id)).await?;
    Ok(Single(PersonLogView::from(log)))
}

pub(crate) async fn update_person_log(
    call: Call,
    Path(person_id): Path<PersonId>,
    Path(log_id): Path<PersonLogId>,
    if_match: IfMatch,
    Body(patch): Body<LogPatch>,
) -> Result<Reply<Success>> {
    call.change(move |tx, ctx| {
        let precondition = |log: &PersonLog| if_match.check(&PersonLogView::from(log.clone()));
        person_logs::update(tx, ctx, (&person_id, &log_id), &patch, &precondition).map(|()| DONE)
    })
    .await
}

pub(crate) async fn delete_person_log(
    call: Call,
    Path(person_id): Path<PersonId>,
    Path(log_id): Path<PersonLogId>,
    if_match: IfMatch,
) -> Result<Reply<Success>> {
    call.change(move |tx, ctx| {
        let precondition = |log: &PersonLog| if_match.check(&PersonLogView::from(log.clone()));
        person_logs::delete(tx, ctx, (&person_id, &log_id), &precondition).map(|()| DONE)
    })
    .await
}

pub(crate) async fn restore_person_log(
    call: Call,
    Path(person_id): Path<PersonId>,
    Path(log_id): Path<PersonLogId>,
    key: IdempotencyKey,
    Body(EmptyObject {}): Body<EmptyObject>,
) -> Result<Reply<Success>> {
    call.change_once(key, move |tx, ctx| person_logs::restore(tx, ctx, (&person_id, &log_id)).map(|()| DONE))
        .await
}
