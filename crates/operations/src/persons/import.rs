//! Importing persons: many rows in a transaction, each row found or made by its identifiers.
//!
//! What a row says is merged over what is kept; what it leaves out stays. Of several rows of one file about one person, the first
//! that says something counts, so that the same file twice changes nothing the second time. A refused row never stops the
//! others. What is changed goes through [`persons`], one person after the other; those who are new are looked up and written in bulk.

use std::collections::HashMap;

use pagesmith_model::domain::Domain;
use pagesmith_model::person::context::PersonContext;
use pagesmith_model::person::{self, Identifiers, Person};
use pagesmith_model::person_import::columns::MAX_COLUMNS;
use pagesmith_model::{Error, PersonId, Result, slug};
use pagesmith_store::Tx;
use pagesmith_store::tables;

use crate::context::TenantContext;
use crate::persons;
use crate::persons::find_or_create::PersonDraft;
use crate::persons::known::KnownPersons;

mod creation;
mod encoding;
pub mod sheet;

use creation::Creation;

/// How many rows are imported in one transaction: long enough to share a commit, short enough not to keep a server waiting.
pub const ROWS: usize = tables::persons::bulk::LOOKED_UP;

/// The same on an embedded database, which writes a page of an index once in a transaction however many rows go into it.
pub const EMBEDDED_ROWS: usize = 4 * ROWS;

/// The same where no server waits meanwhile.
pub const UNSERVED_ROWS: usize = 100 * ROWS;

// Each column of context has a bit beside those of the fields.
const _: () = assert!(MAX_COLUMNS + FIRST_COLUMN as usize <= u128::BITS as usize);

/// One row.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// The line of the file that it begins on.
    pub line: u64,
    /// What the person is called.
    pub name: Option<String>,
    /// What the person is told by; never none.
    pub identifiers: Identifiers,
    /// The domain of the person's company.
    pub domain: Option<Domain>,
    /// The other cells that hold something, by the number of their column.
    pub context: Vec<(usize, String)>,
}

/// What became of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowOutcome {
    /// A person was made.
    Created,
    /// A person was changed.
    Updated,
    /// Everything was known.
    Unchanged,
    /// Nothing was done, and why.
    Refused(String),
}

/// The fields that earlier rows of the file have filled, a bit for each field and column.
#[derive(Debug, Clone, Default)]
pub struct SeenFields(HashMap<PersonId, u128>);

impl SeenFields {
    /// Adds the fields of later rows.
    pub fn extend(&mut self, later: SeenFields) {
        for (person_id, bits) in later.0 {
            *self.0.entry(person_id).or_default() |= bits;
        }
    }
}

const NAME: u32 = 0;
const EMAIL: u32 = 1;
const LINKEDIN: u32 = 2;
const PHONE: u32 = 3;
const DOMAIN: u32 = 4;
const FIRST_COLUMN: u32 = 5;

/// The living persons that rows are about, for [`rehearse`].
pub fn look_up(tx: &mut Tx<'_>, ctx: &TenantContext, rows: &[Row]) -> Result<Vec<Person>> {
    let mut found = Vec::new();
    let mut identifiers: Vec<&Identifiers> = rows.iter().map(|row| &row.identifiers).collect();
    // Neighbours of an index are looked up one after the other.
    identifiers.sort_unstable_by_key(|some| (&some.email, &some.linkedin_profile_url));
    for some in identifiers.chunks(tables::persons::bulk::LOOKED_UP) {
        found.extend(tables::persons::bulk::owners(tx, &ctx.tenant, some)?);
    }
    Ok(found)
}

/// Imports some rows: what became of each, and the fields that they filled.
pub fn import(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    columns: &[String],
    rows: &[Row],
    before: &SeenFields,
) -> Result<(Vec<RowOutcome>, SeenFields)> {
    let mut known = KnownPersons::default();
    known.add(look_up(tx, ctx, rows)?);
    let mut seen = SeenFields::default();
    let mut outcomes = Vec::with_capacity(rows.len());
    let strangers: Vec<PersonDraft> = rows
        .iter()
        .filter(|row| known.owners(&row.identifiers).is_empty())
        .map(|row| draft(columns, row))
        .collect::<Result<_>>()?;
    let mut creation = Creation::expecting(tx, ctx, &strangers)?;
    for row in rows {
        let outcome = take(&mut known, before, &mut seen, columns, row, &mut |step| match step {
            Step::Create(draft) => creation.add(tx, ctx, draft),
            Step::Change(old, new) => {
                creation.pause(tx, ctx, old, &new)?;
                persons::change(tx, ctx, old, new)
            }
        })?;
        outcomes.push(outcome);
    }
    creation.finish(tx, ctx)?;
    Ok((outcomes, seen))
}

/// The fields that rows have filled which were imported before, in the words of [`SeenFields`]: for an import that goes on.
pub fn recall(rows: &[Row], found: Vec<Person>) -> SeenFields {
    let mut known = KnownPersons::default();
    known.add(found);
    let mut seen = SeenFields::default();
    for row in rows {
        let owners = known.owners(&row.identifiers);
        // A row about several persons was refused.
        if let Some((_, first)) = owners.first()
            && owners.iter().all(|(_, owner)| owner == first)
        {
            *seen.0.entry(first.clone()).or_default() |= bits_of(row);
        }
    }
    seen
}

/// Says what [`import`] would do. `known` are the persons as the rows until now would have left them; `found`, what
/// [`look_up`] found for these.
pub fn rehearse(
    ctx: &TenantContext,
    columns: &[String],
    rows: &[Row],
    found: Vec<Person>,
    known: &mut KnownPersons,
    seen: &mut SeenFields,
) -> Result<Vec<RowOutcome>> {
    known.add(found);
    let before = SeenFields::default();
    let mut step = |step: Step<'_>| match step {
        Step::Change(_, new) => Ok(new),
        Step::Create(draft) => Ok(Person {
            person_id: PersonId::mint(ctx.uuid()?),
            slug: slug::slugify(&draft.name, ""),
            domain: draft.domain.or_else(|| person::domain_of(draft.identifiers.email.as_ref())),
            name: draft.name,
            identifiers: draft.identifiers,
            context: draft.context,
            account_id: None,
            created_at: ctx.now,
            updated_at: ctx.now,
            deleted_at: None,
        }),
    };
    rows.iter().map(|row| take(known, &before, seen, columns, row, &mut step)).collect()
}

/// What a row asks for.
enum Step<'a> {
    Create(PersonDraft),
    Change(&'a Person, Person),
}

fn take(
    known: &mut KnownPersons,
    before: &SeenFields,
    seen: &mut SeenFields,
    columns: &[String],
    row: &Row,
    write: &mut dyn FnMut(Step<'_>) -> Result<Person>,
) -> Result<RowOutcome> {
    let owners = known.owners(&row.identifiers);
    let Some((_, first)) = owners.first().cloned() else {
        let draft = draft(columns, row)?;
        let person = write(Step::Create(draft))?;
        seen.0.insert(person.person_id.clone(), bits_of(row));
        known.put(person);
        return Ok(RowOutcome::Created);
    };
    if owners.iter().any(|(_, owner)| *owner != first) {
        let whose: Vec<_> =
            owners.iter().map(|(field, owner)| format!("{field} is that of {owner}")).collect();
        return Ok(RowOutcome::Refused(format!("belongs to different persons: {}", whose.join(", "))));
    }
    let old = known.get(&first).ok_or_else(|| Error::internal("an owner that is not known"))?.clone();
    let earlier = seen.0.get(&first).or_else(|| before.0.get(&first)).copied().unwrap_or_default();
    seen.0.insert(first, earlier | bits_of(row));
    let new = merged(&old, columns, row, earlier)?;
    if new == old {
        return Ok(RowOutcome::Unchanged);
    }
    known.put(write(Step::Change(&old, new))?);
    Ok(RowOutcome::Updated)
}

fn draft(columns: &[String], row: &Row) -> Result<PersonDraft> {
    let identifiers = row.identifiers.clone();
    let by_identifiers = || {
        let Identifiers { email, linkedin_profile_url: linkedin, phone_number: phone } = &identifiers;
        person::name::from_identifiers(email.as_ref(), linkedin.as_ref(), phone.as_ref())
    };
    let name = row.name.clone().or_else(by_identifiers);
    let mut context = PersonContext::default();
    add_context(&mut context, columns, row, 0);
    Ok(PersonDraft {
        name: name.ok_or_else(|| Error::internal("a row without identifiers"))?,
        identifiers,
        domain: row.domain.clone(),
        context: context.written()?,
    })
}

/// The person with what the row says, except for the fields that an earlier row of the file has filled.
fn merged(old: &Person, columns: &[String], row: &Row, filled: u128) -> Result<Person> {
    let mut new = old.clone();
    let is_open = |bit: u32| filled & (1 << bit) == 0;
    if let Some(name) = row.name.as_ref().filter(|_| is_open(NAME)) {
        new.name.clone_from(name);
    }
    let (given, kept) = (&row.identifiers, &mut new.identifiers);
    if given.email.is_some() && is_open(EMAIL) {
        kept.email.clone_from(&given.email);
    }
    if given.linkedin_profile_url.is_some() && is_open(LINKEDIN) {
        kept.linkedin_profile_url.clone_from(&given.linkedin_profile_url);
    }
    if given.phone_number.is_some() && is_open(PHONE) {
        kept.phone_number.clone_from(&given.phone_number);
    }
    if row.domain.is_some() && is_open(DOMAIN) {
        new.domain.clone_from(&row.domain);
    } else if new.domain.is_none() && person::domain_of(old.identifiers.email.as_ref()).is_none() {
        // Whose address tells a domain and who has none had it taken away, and an empty cell does not bring it back.
        new.domain = person::domain_of(new.identifiers.email.as_ref());
    }
    if !row.context.is_empty() {
        let mut context = PersonContext::read(old.context.as_ref())?;
        add_context(&mut context, columns, row, filled);
        new.context = context.written()?;
    }
    Ok(new)
}

fn add_context(context: &mut PersonContext, columns: &[String], row: &Row, filled: u128) {
    for (column, text) in &row.context {
        let name = columns.get(*column).filter(|_| filled & column_bit(*column) == 0);
        if let Some(name) = name {
            context.set(name, text);
        }
    }
}

fn column_bit(column: usize) -> u128 {
    u32::try_from(column)
        .ok()
        .and_then(|column| 1_u128.checked_shl(FIRST_COLUMN + column))
        .unwrap_or_default()
}

fn bits_of(row: &Row) -> u128 {
    let fields = [
        (NAME, row.name.is_some()),
        (EMAIL, row.identifiers.email.is_some()),
        (LINKEDIN, row.identifiers.linkedin_profile_url.is_some()),
        (PHONE, row.identifiers.phone_number.is_some()),
        (DOMAIN, row.domain.is_some()),
    ];
    let fields = fields.into_iter().filter(|(_, given)| *given).fold(0, |bits, (bit, _)| bits | 1 << bit);
    row.context.iter().fold(fields, |bits, (column, _)| bits | column_bit(*column))
}
