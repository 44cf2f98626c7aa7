//! Entries of persons' logs: written once for a person who is found or made, changed if they are notes, deleted, brought back.

use pagesmith_model::log::{LogPatch, NewPersonLog, PersonLog};
use pagesmith_model::person::{Identifiers, Person};
use pagesmith_model::{Error, Issue, IssueCode, PersonId, PersonLogId, Result, person_name};
use pagesmith_store::Tx;
use pagesmith_store::tables::person_logs::{self as table, SentLog, Writing};
use pagesmith_store::tables::persons;

use crate::persons::find_or_create::{self, PersonDraft};
use crate::persons::{change, domain_with, find as find_person, owners, the_one};
use crate::world::TenantContext;

/// What writing an entry came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The entry's person.
    pub person_id: PersonId,
    /// The entry.
    pub person_log_id: PersonLogId,
    /// When it was written.
    pub created_at: pagesmith_model::Timestamp,
    /// Whether the person was made for it.
    pub created_person: bool,
    /// Where it comes from.
    pub source: String,
    /// What happened.
    pub kind: String,
}

/// Writes an entry for the person who is named or has the identifiers, and makes that person if there is none.
pub fn create(tx: &mut Tx<'_>, ctx: &TenantContext, new: &NewPersonLog) -> Result<Written> {
    let identifiers = new.identifiers();
    if new.person_id.is_none() && identifiers.is_empty() {
        let message = "One of personId, email, linkedinProfileUrl and phoneNumber is required.";
        return Err(Error::invalid(vec![Issue::body(IssueCode::Required, &[], message)]));
    }
    let digest = new.idempotency_key.is_some().then(|| new.digest()).transpose()?;
    let person_log_id = PersonLogId::mint(ctx.uuid()?);
    let writing = Writing { person_log_id: &person_log_id, new, digest: digest.as_ref(), now: ctx.now };
    let written = |person_id: PersonId, created_person: bool| Written {
        person_id,
        person_log_id: person_log_id.clone(),
        created_at: ctx.now,
        created_person,
        source: new.source.as_str().to_owned(),
        kind: new.kind.as_str().to_owned(),
    };
    // Mostly the person is known by just these identifiers: then this is all.
    if let Some(row) = tx.maybe(table::insert_for_known(&ctx.tenant, &writing))? {
        return Ok(written(row.get("person_id")?, false));
    }
    let by_key = new.idempotency_key.as_ref().map(|key| table::by_key(&ctx.tenant, key));
    let insert = |person: &Person, is_made: bool| {
        let account_id = person.account_id.as_ref();
        table::insert(&ctx.tenant, &person.person_id, account_id, is_made, &writing)
    };
    let before = if let Some(id) = &new.person_id {
        if let Some(sent) = by_key.map(|by_key| tx.maybe(by_key)).transpose()?.flatten() {
            return replay(table::sent(&sent)?, digest.as_ref());
        }
        let named = named_person(tx, ctx, id)?;
        the_one(owners(tx, ctx, &identifiers)?, Some(&named.person_id))?;
        named
    } else {
        let draft =
            PersonDraft { name: name_of(new, &identifiers)?, identifiers, domain: None, context: None };
        let (owners, found) = find_or_create::look_up(tx, ctx, &draft, by_key)?;
        if let Some(sent) = found.extra.first() {
            return replay(table::sent(sent)?, digest.as_ref());
        }
        let Some(before) = the_one(owners, None)? else {
            let made = find_or_create::create(tx, ctx, draft, found, |person| vec![insert(person, true)]);
            return Ok(written(table::lost_race(made)?.person_id, true));
        };
        before
    };
    let person = with_identifiers(tx, ctx, &before, new.identifiers())?;
    table::lost_race(tx.run(insert(&person, false)))?;
    Ok(written(person.person_id, false))
}

/// The first answer again, for the same entry under the same key.
fn replay(sent: SentLog, digest: Option<&[u8; 32]>) -> Result<Written> {
    if sent.digest.as_deref() != digest.map(<[u8; 32]>::as_slice) {
        return Err(Error::conflict("This idempotencyKey was used for another entry."));
    }
    let PersonLog { person_id, person_log_id, entry } = sent.log;
    Ok(Written {
        person_id,
        person_log_id,
        created_at: entry.created_at,
        created_person: sent.created_person,
        source: entry.source,
        kind: entry.kind,
    })
}

/// What somebody is called who is made for an entry.
fn name_of(new: &NewPersonLog, identifiers: &Identifiers) -> Result<String> {
    let Identifiers { email, linkedin_profile_url: profile, phone_number: phone } = identifiers;
    let by_identifiers = || person_name::from_identifiers(email.as_ref(), profile.as_ref(), phone.as_ref());
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

/// The living person of an id in a body.
fn named_person(tx: &mut Tx<'_>, ctx: &TenantContext, id: &str) -> Result<Person> {
    let person = match PersonId::parse(id) {
        Some(person_id) => persons::find(tx, &ctx.tenant, &person_id)?,
        None => None,
    };
    person.filter(|person| person.deleted_at.is_none()).ok_or_else(|| {
        let message = format!("personId: there is no person '{id}'.");
        Error::invalid(vec![Issue::body(IssueCode::UnknownReference, &["personId"], message)])
    })
}

/// The entry of a living person, deleted or not.
pub fn find(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    person_id: &PersonId,
    person_log_id: &PersonLogId,
) -> Result<PersonLog> {
    find_person(tx, ctx, person_id)?;
    let log = table::find(tx, &ctx.tenant, person_id, person_log_id)?;
    log.ok_or_else(|| Error::not_found("log entry"))
}

/// The entry of a living person, unless it is deleted.
pub fn find_shown(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    person_id: &PersonId,
    person_log_id: &PersonLogId,
) -> Result<PersonLog> {
    let log = find(tx, ctx, person_id, person_log_id)?;
    if log.entry.deleted_at.is_some() {
        return Err(Error::not_found("log entry"));
    }
    Ok(log)
}

/// Gives a note a new text.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    log: (&PersonId, &PersonLogId),
    patch: &LogPatch,
    precondition: &dyn Fn(&PersonLog) -> Result<()>,
) -> Result<()> {
    let mut log = find_shown(tx, ctx, log.0, log.1)?;
    precondition(&log)?;
    let payload = patch.applied(&log.entry.payload).ok_or_else(no_note)?;
    if payload == log.entry.payload {
        return Ok(());
    }
    log.entry.payload = payload;
    log.entry.updated_at = Some(ctx.now);
    table::update(tx, &ctx.tenant, &log)
}

/// Why an entry without a text cannot be given one.
pub(crate) fn no_note() -> Error {
    Error::conflict("Only a note can be changed: an entry whose payload has a text.")
}

/// Deletes an entry; again changes nothing.
pub fn delete(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    log: (&PersonId, &PersonLogId),
    precondition: &dyn Fn(&PersonLog) -> Result<()>,
) -> Result<()> {
    let mut log = find(tx, ctx, log.0, log.1)?;
    if log.entry.deleted_at.is_some() {
        return Ok(());
    }
    precondition(&log)?;
    log.entry.deleted_at = Some(ctx.now);
    table::update(tx, &ctx.tenant, &log)
}

/// Brings a deleted entry back; one that is not is left as it is.
pub fn restore(tx: &mut Tx<'_>, ctx: &TenantContext, log: (&PersonId, &PersonLogId)) -> Result<()> {
    let mut log = find(tx, ctx, log.0, log.1)?;
    if log.entry.deleted_at.is_none() {
        return Ok(());
    }
    log.entry.deleted_at = None;
    table::update(tx, &ctx.tenant, &log)
}
