//! The operations on persons.

use std::sync::Arc;

use pagesmith_endpoint::endpoint;
use pagesmith_model::list_order::{ListOrder, OrderBy};
use pagesmith_model::person::{NewPerson, PersonPatch};
use pagesmith_model::{PersonId, Result};
use pagesmith_operations::persons;
use pagesmith_operations::persons::search::{self, RankedPerson};
use pagesmith_store::tables;

use crate::api::persons::view::PersonView;
use crate::collection::Collection;
use crate::extract::query::{Parameter, Search};
use crate::extract::sort::{Orders, sort_parameter};
use crate::extract::{Body, Call, IdempotencyKey, IfMatch, Paging, Path, Query, Sort};
use crate::reply::{DONE, Reply, Single, Success, Upsert};

pub(crate) mod export;
pub(crate) mod merge;
pub(crate) mod personal_data;
pub(crate) mod view;

/// The collection of those who are found, whose cursors the list does not take.
const SEARCH: &str = "persons/search";

/// Persons are counted up to a limit only where they are searched.
type PersonCollection = Collection<PersonView, Option<u64>>;

/// Lists the persons of the tenant, newest first.
///
/// Deleted persons are left out. `totalCount` is the exact number of persons.
#[endpoint]
pub(crate) async fn list_persons(
    call: Call,
    paging: Paging,
    Query(Sort { order, .. }): Query<Sort<AllPersons>>,
) -> Result<Reply<PersonCollection>> {
    all_persons(call, paging, "persons", order).await
}

/// The orders of the list of persons.
pub(crate) struct AllPersons;

impl Orders for AllPersons {
    const BY: &'static [OrderBy] = &[OrderBy::Name, OrderBy::Email, OrderBy::CreatedAt];
    const PARAMETER: &'static [Parameter] = sort_parameter!(
        "Persons of one name are sorted by their e-mail addresses, and who has no name by the first of e-mail address, domain and phone number that is \
         known; persons without an e-mail address are the last by `email`, in both directions. A cursor goes on in its own order only."
    );
}

/// All persons, as the collection of that name, in an order or newest first.
async fn all_persons(
    call: Call,
    paging: Paging,
    collection: &str,
    order: Option<ListOrder>,
) -> Result<Reply<PersonCollection>> {
    let list = paging.ordered(&call, collection, &[], order)?;
    let found = list.read(&call, move |tx, ctx, after, extent| {
        let (found, total) = tables::persons::list_in_order(tx, &ctx.tenant, order, after, extent)?;
        Ok((found, Some(total)))
    });
    list.answer(&call, found.await?, |(place, _)| place.clone(), |(_, person)| PersonView::from(person)).await
}

/// Creates a person, or updates the person that an identifier matches.
///
/// Looks for a person by e-mail address, then by LinkedIn profile, then by phone number. Creates a person
/// if none matches (201). Otherwise updates the match (200): the given fields replace the old values,
/// fields that are left out stay. Deleted persons never match. If the identifiers belong to different
/// persons, the request fails with 409, and `details.conflicts` names each field and person. The person
/// joins the account of its domain, which is created if it does not exist.
#[endpoint]
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

/// Returns a person.
///
/// A deleted person is not found until it is restored.
#[endpoint]
pub(crate) async fn get_person(call: Call, Path(person_id): Path<PersonId>) -> Result<Single<PersonView>> {
    let person = call.single_read(move |tx, ctx| persons::find(tx, ctx, &person_id)).await?;
    Ok(Single(PersonView::from(person)))
}

/// Changes the given fields of a person.
///
/// Fields that are left out keep their value; `null` clears a field. An identifier that belongs to another
/// person fails with 409, and `details.conflicts` names each field and person. If the domain came with the
/// old e-mail address, a new address changes it too, and with it the account. Audiences of the person take
/// over a new name; addresses stay.
#[endpoint]
pub(crate) async fn update_person(
    call: Call,
    Path(person_id): Path<PersonId>,
    if_match: IfMatch,
    Body(patch): Body<PersonPatch>,
) -> Result<Reply<PersonView>> {
    let precondition = if_match.of(&call, &person_id, persons::find, PersonView::from).await?;
    call.change(move |tx, ctx| {
        persons::update(tx, ctx, &person_id, &patch, &precondition).map(PersonView::from)
    })
    .await
}

/// Deletes a person.
///
/// The person and its log are not found from then on, its identifiers become free, its pages answer 410,
/// and its log entries leave the activity of its account. Deleting a deleted person is answered with 200.
/// `restorePerson` undoes it. `erasePerson` removes the data of a person for good.
#[endpoint]
pub(crate) async fn delete_person(
    call: Call,
    Path(person_id): Path<PersonId>,
    if_match: IfMatch,
) -> Result<Reply<Success>> {
    let precondition = if_match.of(&call, &person_id, persons::find, PersonView::from).await?;
    call.change(move |tx, ctx| persons::delete(tx, ctx, &person_id, &precondition).map(|()| DONE)).await
}

/// Restores a deleted person, with its log and its pages.
///
/// Fails with 409 if another person has one of the identifiers by now; `details.conflicts` names each field
/// and person. A person that is not deleted stays unchanged.
#[endpoint]
pub(crate) async fn restore_person(
    call: Call,
    Path(person_id): Path<PersonId>,
    key: IdempotencyKey,
) -> Result<Reply<Success>> {
    call.change_once(key, move |tx, ctx| persons::restore(tx, ctx, &person_id).map(|()| DONE)).await
}

/// Searches the persons, best match first.
///
/// Every word of `query` must occur in the name, e-mail address, domain, phone number, LinkedIn address or
/// slug, in any case and with or without accents. The ranking is that of all searches: equal to the query,
/// begins with it, every word at the start of a word, anywhere; the newest first within each. Without words
/// the persons are listed, newest first. `totalCount` is `null` if more than 1,000 persons match.
#[endpoint]
pub(crate) async fn search_persons(
    call: Call,
    paging: Paging,
    Query(Search(words)): Query<Search>,
) -> Result<Reply<PersonCollection>> {
    if words.is_blank() {
        return all_persons(call, paging, SEARCH, None).await;
    }
    let list = paging.ranked(&call, SEARCH, &[("query", &words.phrase)])?;
    let searches = Arc::clone(&call.state.searches);
    let found = list.search(&call, move |tx, ctx, after, extent| {
        search::search(tx, ctx, &words, after, extent, &searches)
    });
    let position = |found: &RankedPerson| (found.rank, found.person.person_id.clone());
    list.answer(&call, found.await?, position, |found| PersonView::from(found.person)).await
}
