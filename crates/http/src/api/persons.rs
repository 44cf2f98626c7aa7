//! The operations on persons.

use std::collections::HashMap;
use std::sync::Arc;

use pagesmith_model::cursor::{Scope, SortKey};
use pagesmith_model::person::{NewPerson, Person, PersonPatch};
use pagesmith_model::{PersonId, Result, text};
use pagesmith_operations::{person_search, persons};
use pagesmith_store::{ListPart, tables};

use crate::api::log_view::{DONE, Success};
use crate::api::person_view::{PersonCollection, PersonView};
use crate::extract::query::Search;
use crate::extract::{Body, Call, IdempotencyKey, IfMatch, Paging, Path, Query};
use crate::reply::{Reply, Single, Upsert};

/// The greatest number that stands for a rank in a cursor.
const WORST_RANK: i64 = text::Rank::Anywhere as i64;

pub(crate) async fn list_persons(call: Call, paging: Paging) -> Result<Reply<PersonCollection>> {
    let scope = Scope::new("persons", call.ctx.tenant.as_str(), &[]);
    let after = paging.position(&scope, |parts| match parts {
        [SortKey::Text(person_id)] => PersonId::parse(person_id),
        _ => None,
    })?;
    let extent = paging.extent();
    let (found, total_count) = call
        .read(move |tx, ctx| {
            tables::persons::list(tx, &ctx.tenant, after.as_ref().map(PersonId::as_str), extent)
        })
        .await?;
    let position = |person: &Person| vec![SortKey::Text(person.person_id.to_string())];
    let around = move |next| PersonCollection::around(next, Some(total_count));
    paging.answer(&call, found, scope, position, |person| Ok(PersonView::from(person)), around).await
}

pub(crate) async fn create_person(
    call: Call,
    key: IdempotencyKey,
    Body(new): Body<NewPerson>,
) -> Result<Upsert<PersonView>> {
    call.upsert_once(key, move |tx, ctx| {
        let found = persons::create(tx, ctx, &new)?;
        Ok((found.created, PersonView::from(found.person)))
    })
    .await
}

pub(crate) async fn get_person(call: Call, Path(person_id): Path<PersonId>) -> Result<Single<PersonView>> {
    let person = call.point_read(move |tx, ctx| persons::find(tx, ctx, &person_id)).await?;
    Ok(Single(PersonView::from(person)))
}

pub(crate) async fn update_person(
    call: Call,
    Path(person_id): Path<PersonId>,
    if_match: IfMatch,
    Body(patch): Body<PersonPatch>,
) -> Result<Reply<PersonView>> {
    call.change(move |tx, ctx| {
        let precondition = |person: &Person| if_match.check(&PersonView::from(person.clone()));
        persons::update(tx, ctx, &person_id, &patch, &precondition).map(PersonView::from)
    })
    .await
}

pub(crate) async fn delete_person(
    call: Call,
    Path(person_id): Path<PersonId>,
    if_match: IfMatch,
) -> Result<Reply<Success>> {
    call.change(move |tx, ctx| {
        let precondition = |person: &Person| if_match.check(&PersonView::from(person.clone()));
        persons::delete(tx, ctx, &person_id, &precondition).map(|()| DONE)
    })
    .await
}

pub(crate) async fn restore_person(
    call: Call,
    Path(person_id): Path<PersonId>,
    key: IdempotencyKey,
) -> Result<Reply<Success>> {
    call.change_once(key, move |tx, ctx| persons::restore(tx, ctx, &person_id).map(|()| DONE)).await
}

pub(crate) async fn search_persons(
    call: Call,
    paging: Paging,
    Query(search): Query<Search>,
) -> Result<Reply<PersonCollection>> {
    let words = text::Query::parse(&search.query);
    if words.is_blank() {
        return list_persons(call, paging).await;
    }
    let scope = Scope::new("persons/search", call.ctx.tenant.as_str(), &[("query", &words.phrase)]);
    let after = paging.position(&scope, |parts| match parts {
        [SortKey::Integer(rank @ 0..=WORST_RANK), SortKey::Text(id)] => Some((*rank, PersonId::parse(id)?)),
        _ => None,
    })?;
    let extent = paging.extent();
    let searches = Arc::clone(&call.state.searches);
    let (found, total) = call
        .search(move |tx, ctx| {
            let after = after.as_ref().map(|(rank, person_id)| (*rank, person_id.as_str()));
            let found = person_search::search(tx, &ctx.tenant, &words, after, extent.items + 1, &searches)?;
            let ids: Vec<PersonId> = found.matches.iter().map(|(_, person_id)| person_id.clone()).collect();
            let mut persons: HashMap<PersonId, Person> = tables::persons::find_many(tx, &ctx.tenant, &ids)?
                .into_iter()
                .map(|person| (person.person_id.clone(), person))
                .collect();
            let ranked = found.matches.into_iter().filter_map(|(rank, id)| {
                let person = persons.remove(&id)?;
                Some((person.bytes(), (rank, person)))
            });
            Ok((ListPart::of(ranked, extent), found.total))
        })
        .await?;
    let position = |(rank, person): &(i64, Person)| {
        vec![SortKey::Integer(*rank), SortKey::Text(person.person_id.to_string())]
    };
    let around = move |next| PersonCollection::around(next, total);
    paging.answer(&call, found, scope, position, |(_, person)| Ok(PersonView::from(person)), around).await
}
