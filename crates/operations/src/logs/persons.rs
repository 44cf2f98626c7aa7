//! Entries for persons, who are found by their id or identifiers, or created.

use pagesmith_model::log::{LogOwner, NewPersonLog};
use pagesmith_model::person::{Identifiers, Person};
use pagesmith_model::{Error, Issue, IssueCode, PersonId, Result, person};
use pagesmith_store::tables::logs::{self as table, Writing};
use pagesmith_store::{Row, Tx};

use crate::context::TenantContext;
use crate::logs::{Written, replay};
use crate::persons::find_or_create::{self, PersonDraft};
use crate::persons::{change, domain_with, named, owners, the_one};

/// Writes an entry for the person who is named or has the identifiers, and creates that person if there is none; and
/// whether the person was created for it.
pub fn create(tx: &mut Tx<'_>, ctx: &TenantContext, new: &NewPersonLog) -> Result<(Written<PersonId>, bool)> {
    let identifiers = new.identifiers();
    if new.person_id.is_none() && identifiers.is_empty() {
        let message = "One of personId, email, linkedinProfileUrl and phoneNumber is required.";
        return Err(Error::invalid(vec![Issue::body(IssueCode::Required, &[], message)]));
    }
    let digest = new.idempotency_key.is_some().then(|| new.digest()).transpose()?;
    let log_id = PersonId::mint_log_id(ctx.uuid()?);
    let entry = new.entry();
    let writing = Writing { log_id: &log_id, entry, digest: digest.as_ref(), now: ctx.now };
    let written = |person_id| Written::new(person_id, log_id.clone(), &entry, ctx.now);
    // Mostly the person is known by just these identifiers: then this is all.
    if let Some(row) = tx.maybe(table::persons::insert_for_known(&ctx.tenant, new, &writing))? {
        return Ok((written(row.get("person_id")?), false));
    }
    let by_key = new.idempotency_key.as_ref().map(|key| table::by_key::<PersonId>(&ctx.tenant, key));
    let insert = |person: &Person, is_made: bool| {
        let account_id = person.account_id.as_ref();
        table::persons::insert(&ctx.tenant, &person.person_id, account_id, is_made, &writing)
    };
    let before = if let Some(id) = &new.person_id {
        if let Some(sent) = by_key.map(|by_key| tx.maybe(by_key)).transpose()?.flatten() {
            return again(&sent, digest.as_ref());
        }
        let person = named(tx, ctx, "personId", id)?;
        the_one(owners(tx, ctx, &identifiers)?, Some(&person.person_id))?;
        person
    } else {
        let draft =
            PersonDraft { name: name_of(new, &identifiers)?, identifiers, domain: None, context: None };
        let (owners, found) = find_or_create::look_up(tx, ctx, &draft, by_key)?;
        if let Some(sent) = found.extra.first() {
            return again(sent, digest.as_ref());
        }
        let Some(before) = the_one(owners, None)? else {
            let made = find_or_create::create(tx, ctx, draft, found, |person| vec![insert(person, true)]);
            return Ok((written(table::persons::lost_race(made)?.person_id), true));
        };
        before
    };
    let person = with_identifiers(tx, ctx, &before, new.identifiers())?;
    table::persons::lost_race(tx.run(insert(&person, false)))?;
    Ok((written(person.person_id), false))
}

/// The first answer again.
fn again(row: &Row, digest: Option<&[u8; 32]>) -> Result<(Written<PersonId>, bool)> {
    Ok((replay(row, digest)?, table::persons::created_person(row)?))
}

/// What somebody is called who is made for an entry.
fn name_of(new: &NewPersonLog, identifiers: &Identifiers) -> Result<String> {
    let Identifiers { email, linkedin_profile_url: profile, phone_number: phone } = identifiers;
    let by_identifiers = || person::name::from_identifiers(email.as_ref(), profile.as_ref(), phone.as_ref());
    let name = new.name.clone().or_else(by_identifiers);
    name.ok_or_else(|| Error::internal("a person without a name and without identifiers"))
}

/// The person with those of the identifiers that it lacked.
fn with_identifiers(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    before: &Person,
    identifiers: Identifiers,
) -> Result<Person> {
    let mut person = before.clone();
    let known = &mut person.identifiers;
    known.email = known.email.take().or(identifiers.email);
    known.linkedin_profile_url = known.linkedin_profile_url.take().or(identifiers.linkedin_profile_url);
    known.phone_number = known.phone_number.take().or(identifiers.phone_number);
    person.domain = domain_with(before, person.identifiers.email.as_ref());
    change(tx, ctx, before, person)
}
