//! Persons: found or made by their identifiers, changed, deleted, brought back.
//!
//! An identifier belongs to one living person of the tenant. A living person is searchable, counts in the tenant's total and
//! belongs to the account of its domain; a deleted one does none of it, and its identifiers are free.

use pagesmith_model::domain::Domain;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::error::Kind;
use pagesmith_model::person::{self, Identifiers, NewPerson, Person, PersonPatch};
use pagesmith_model::{AccountId, Error, Issue, PersonId, Result};
use pagesmith_store::tables::logs::tallies::{self, Tallied};
use pagesmith_store::tables::{counters, logs, person_index, persons};
use pagesmith_store::{Query, Row, Tx};
use serde_json::json;

use crate::context::TenantContext;
use crate::precondition::Precondition;
use crate::{accounts, audiences, soft_deletion};

pub mod asked_erasures;
pub mod erase;
pub mod erasures;
pub mod export;
pub(crate) mod find_or_create;
pub mod import;
pub mod known;
pub mod merge;
pub mod search;

use find_or_create::PersonDraft;

/// A person, and whether it was made for this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpsertedPerson {
    /// The person.
    pub person: Person,
    /// Whether there was none before.
    pub created: bool,
}

/// Makes a person, or updates the one that has an identifier of it.
pub fn create(tx: &mut Tx<'_>, ctx: &TenantContext, new: &NewPerson) -> Result<UpsertedPerson> {
    let (name, identifiers, domain) = (new.name.clone(), new.identifiers(), new.domain.clone());
    let draft = PersonDraft { name, identifiers, domain, context: None };
    let (owners, found) = find_or_create::look_up(tx, ctx, &draft, None)?;
    let Some(before) = the_one(owners, None)? else {
        let person = find_or_create::create(tx, ctx, draft, found, |_| vec![])?;
        return Ok(UpsertedPerson { person, created: true });
    };
    let identifiers = draft.identifiers;
    let mut person = Person { name: new.name.clone(), ..before.clone() };
    let merged = &mut person.identifiers;
    merged.email = identifiers.email.or(merged.email.take());
    merged.linkedin_profile_url = identifiers.linkedin_profile_url.or(merged.linkedin_profile_url.take());
    merged.phone_number = identifiers.phone_number.or(merged.phone_number.take());
    person.domain = new.domain.clone().or_else(|| domain_with(&before, person.identifiers.email.as_ref()));
    let person = change(tx, ctx, &before, person)?;
    Ok(UpsertedPerson { person, created: false })
}

/// The domain of a person with this e-mail address: one that came with the old address goes with it, any other stays.
pub(crate) fn domain_with(before: &Person, email: Option<&EmailAddress>) -> Option<Domain> {
    let came_with_email = before.domain == person::domain_of(before.identifiers.email.as_ref());
    if came_with_email { person::domain_of(email) } else { before.domain.clone() }
}

/// Living persons who have an identifier of somebody, each with the field's name; the first is the one to be found.
pub(crate) type Owners = Vec<(&'static str, Person)>;

/// The questions who has these identifiers, by the names of their fields.
pub(crate) fn identity(ctx: &TenantContext, identifiers: &Identifiers) -> Vec<(&'static str, Query)> {
    let tenant = &ctx.tenant;
    let Identifiers { email, linkedin_profile_url: profile, phone_number: phone } = identifiers;
    let asked = [
        email.as_ref().map(|email| ("email", persons::by_email(tenant, email))),
        profile.as_ref().map(|profile| ("linkedinProfileUrl", persons::by_linkedin(tenant, profile))),
        phone.as_ref().map(|phone| ("phoneNumber", persons::by_phone(tenant, phone))),
    ];
    asked.into_iter().flatten().collect()
}

/// The persons in the answers to [`identity`], which come first.
pub(crate) fn owners_in(
    fields: Vec<&'static str>,
    answers: &mut impl Iterator<Item = Vec<Row>>,
) -> Result<Owners> {
    let mut owners = Vec::new();
    for (field, rows) in fields.into_iter().zip(answers) {
        for row in &rows {
            owners.push((field, persons::person(row)?));
        }
    }
    Ok(owners)
}

/// The living persons who have one of the identifiers.
pub(crate) fn owners(tx: &mut Tx<'_>, ctx: &TenantContext, identifiers: &Identifiers) -> Result<Owners> {
    let (fields, queries): (Vec<_>, Vec<_>) = identity(ctx, identifiers).into_iter().unzip();
    if queries.is_empty() {
        return Ok(vec![]);
    }
    owners_in(fields, &mut tx.batch(queries)?.into_iter())
}

/// The one person who has all identifiers that anyone has; 409 if they are several, or not `expected`.
pub(crate) fn the_one(owners: Owners, expected: Option<&PersonId>) -> Result<Option<Person>> {
    let first = expected.or(owners.first().map(|(_, person)| &person.person_id)).cloned();
    let foreign = owners.iter().any(|(_, person)| Some(&person.person_id) != first.as_ref());
    if !foreign {
        return Ok(owners.into_iter().next().map(|(_, person)| person));
    }
    let conflicts: Vec<_> = owners
        .iter()
        .filter(|(_, person)| Some(&person.person_id) != expected)
        .map(|(field, person)| json!({ "field": field, "personId": person.person_id.as_str() }))
        .collect();
    let detail = "The identifiers belong to different persons.";
    Err(Error::new(Kind::Conflict(Some(json!({ "conflicts": conflicts }))), detail))
}

/// The account of a domain; none if that is no company's.
pub(crate) fn account_of(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    domain: Option<&Domain>,
) -> Result<Option<AccountId>> {
    let Some(company) = domain.and_then(accounts::company_of) else { return Ok(None) };
    let found = accounts::of_domain(tx, ctx, &company)?;
    Ok(Some(accounts::join(tx, ctx, &company, found)?))
}

/// The person, unless it is deleted.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, person_id: &PersonId) -> Result<Person> {
    soft_deletion::present(persons::find(tx, &ctx.tenant, person_id)?)
}

/// The living person of an id in this field of a body.
pub(crate) fn named(tx: &mut Tx<'_>, ctx: &TenantContext, field: &str, id: &str) -> Result<Person> {
    let person_id = PersonId::parse(id);
    let person = person_id.map_or(Ok(None), |person_id| persons::find(tx, &ctx.tenant, &person_id))?;
    let unknown = || Error::invalid(vec![Issue::unknown_reference(&[field], PersonId::NOUN, id)]);
    person.filter(|person| person.deleted_at.is_none()).ok_or_else(unknown)
}

/// Changes the fields that are given.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    person_id: &PersonId,
    patch: &PersonPatch,
    precondition: &Precondition<Person>,
) -> Result<Person> {
    let before = find(tx, ctx, person_id)?;
    precondition.check(&before)?;
    let given = Identifiers {
        email: patch.email.clone().flatten(),
        linkedin_profile_url: patch.linkedin_profile_url.clone().flatten(),
        phone_number: patch.phone_number.clone().flatten(),
    };
    the_one(owners(tx, ctx, &given)?, Some(person_id))?;
    let mut person = before.clone();
    if let Some(name) = &patch.name {
        person.name.clone_from(name);
    }
    if let Some(email) = &patch.email {
        person.identifiers.email.clone_from(email);
    }
    if let Some(profile) = &patch.linkedin_profile_url {
        person.identifiers.linkedin_profile_url.clone_from(profile);
    }
    if let Some(phone) = &patch.phone_number {
        person.identifiers.phone_number.clone_from(phone);
    }
    person.domain = match &patch.domain {
        Some(domain) => domain.clone(),
        None => domain_with(&before, person.identifiers.email.as_ref()),
    };
    change(tx, ctx, &before, person)
}

/// Keeps what a person has become, with everything that follows from it.
pub(crate) fn change(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    before: &Person,
    mut person: Person,
) -> Result<Person> {
    if person.domain != before.domain {
        person.account_id = account_of(tx, ctx, person.domain.as_ref())?;
    }
    if person == *before {
        return Ok(person);
    }
    person.updated_at = ctx.now;
    persons::update(tx, &ctx.tenant, &person)?;
    if person.searched() != before.searched() {
        tx.batch(person_index::texts::update(&ctx.tenant, &person.person_id, &person.searched()).into())?;
    }
    if person.name != before.name {
        audiences::follow_person(tx, ctx, &person)?;
    }
    if person.account_id != before.account_id {
        move_logs(tx, ctx, &person.person_id, before.account_id.as_ref(), person.account_id.as_ref())?;
        if let Some(account_id) = &before.account_id {
            accounts::left(tx, ctx, account_id, person.person_id.as_str())?;
        }
    }
    Ok(person)
}

/// Lets a person's entries show in the activity of another account.
fn move_logs(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    person_id: &PersonId,
    from: Option<&AccountId>,
    to: Option<&AccountId>,
) -> Result<()> {
    let mut moved = vec![logs::persons::move_to(&ctx.tenant, person_id, to)];
    let owners = [from, to].into_iter().flatten();
    moved.extend(owners.map(|account_id| tallies::forget(&ctx.tenant, &Tallied::PersonsOf(account_id))));
    tx.batch(moved)?;
    Ok(())
}

/// Deletes a person; again changes nothing.
pub fn delete(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    person_id: &PersonId,
    precondition: &Precondition<Person>,
) -> Result<()> {
    let found = persons::find(tx, &ctx.tenant, person_id)?;
    let Some(mut person) = soft_deletion::delete(found, ctx.now, precondition)? else { return Ok(()) };
    person.updated_at = ctx.now;
    persons::update(tx, &ctx.tenant, &person)?;
    disappear(tx, ctx, person_id)?;
    if let Some(account_id) = &person.account_id {
        move_logs(tx, ctx, person_id, Some(account_id), None)?;
        accounts::left(tx, ctx, account_id, person_id.as_str())?;
    }
    Ok(())
}

/// Takes a person out of lists, searches and the total.
fn disappear(tx: &mut Tx<'_>, ctx: &TenantContext, person_id: &PersonId) -> Result<()> {
    let shard = tx.shard();
    let mut gone = Vec::from(person_index::texts::remove(&ctx.tenant, person_id));
    gone.push(counters::add(&ctx.tenant, counters::PERSONS, shard, -1));
    tx.batch(gone)?;
    Ok(())
}

/// Brings a deleted person back, unless somebody has one of its identifiers now; a living one is left as it is.
pub fn restore(tx: &mut Tx<'_>, ctx: &TenantContext, person_id: &PersonId) -> Result<()> {
    let found = persons::find(tx, &ctx.tenant, person_id)?;
    let Some(mut person) = soft_deletion::restore(found)? else { return Ok(()) };
    if persons::erasures::is_asked(tx, &ctx.tenant, person_id)? {
        return Err(Error::not_found(PersonId::NOUN));
    }
    merge::require_none(tx, ctx, person_id)?;
    the_one(owners(tx, ctx, &person.identifiers)?, Some(person_id))?;
    // It is somebody of its own again, and what has moved stays.
    tx.run(persons::merges::remove(&ctx.tenant, person_id))?;
    person.account_id = account_of(tx, ctx, person.domain.as_ref())?;
    person.updated_at = ctx.now;
    persons::update(tx, &ctx.tenant, &person)?;
    tx.batch(find_or_create::appearance(tx, ctx, &person).into())?;
    if let Some(account_id) = &person.account_id {
        move_logs(tx, ctx, person_id, None, Some(account_id))?;
    }
    Ok(())
}
