//! Finds a person by the identifiers, or creates the person.
//!
//! The lookup of the identifiers also reads everything that creating the person needs, and everything that follows from a new person is
//! written in one batch. With a remote database this takes three round trips.

use pagesmith_model::account::Account;
use pagesmith_model::domain::Domain;
use pagesmith_model::person::{self, Identifiers, Person};
use pagesmith_model::{AccountId, Error, PersonId, Result, slug};
use pagesmith_store::tables::{accounts as account_table, counters, person_index, persons as table};
use pagesmith_store::{Query, Row, Tx};

use crate::accounts;
use crate::context::TenantContext;
use crate::persons::{Owners, identity, owners_in};
use crate::retired_slugs::{self, slug_digest};

/// The slug of a person whose name yields none.
const NAMELESS: &str = "person";

/// A person who may have to be created.
pub(crate) struct PersonDraft {
    pub(crate) name: String,
    pub(crate) identifiers: Identifiers,
    pub(crate) domain: Option<Domain>,
    pub(crate) context: Option<pagesmith_model::json::JsonText>,
}

impl PersonDraft {
    pub(crate) fn domain(&self) -> Option<Domain> {
        self.domain.clone().or_else(|| person::domain_of(self.identifiers.email.as_ref()))
    }

    /// The domain of the company that it will belong to.
    pub(crate) fn company(&self) -> Option<Domain> {
        self.domain().as_ref().and_then(accounts::company_of)
    }
}

/// What [`look_up`] read besides the owners of the identifiers.
pub(crate) struct Lookup {
    /// The rows of the caller's own query.
    pub(crate) extra: Vec<Row>,
    account: Option<Account>,
    is_retired_slug: bool,
}

/// Finds the living persons who have one of the identifiers, and reads everything that creating the person needs. `extra` is a
/// query of the caller's own that travels in the same batch.
pub(crate) fn look_up(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    draft: &PersonDraft,
    extra: Option<Query>,
) -> Result<(Owners, Lookup)> {
    let (fields, mut questions): (Vec<_>, Vec<_>) = identity(ctx, &draft.identifiers).into_iter().unzip();
    questions.push(table::retired_slug(&ctx.tenant, &slug_digest(ctx, &slug_of(&draft.name))?));
    let company = draft.company().map(|company| account_table::by_domain(&ctx.tenant, &company));
    let asks_for_company = company.is_some();
    questions.extend(company.into_iter().chain(extra));
    let mut answers = tx.batch(questions)?.into_iter();
    let owners = owners_in(fields, answers.by_ref())?;
    let is_retired_slug = answers.next().is_some_and(|rows| !rows.is_empty());
    let accounts = if asks_for_company { answers.next().unwrap_or_default() } else { vec![] };
    let account = accounts.first().map(account_table::account).transpose()?;
    Ok((owners, Lookup { extra: answers.next().unwrap_or_default(), account, is_retired_slug }))
}

/// Creates a person whose identifiers nobody has, and writes what `follows` from it.
pub(crate) fn create(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    draft: PersonDraft,
    lookup: Lookup,
    follows: impl FnOnce(&Person) -> Vec<Query>,
) -> Result<Person> {
    let company = draft.company();
    let account_id = company.map(|company| accounts::join(tx, ctx, &company, lookup.account)).transpose()?;
    let person = insert(tx, ctx, person_of(ctx, draft, account_id)?, Some(lookup.is_retired_slug))?;
    let mut changes = appearance(tx, ctx, &person).to_vec();
    changes.extend(follows(&person));
    tx.change(changes)?;
    Ok(person)
}

/// The new person, with the preferred slug.
pub(crate) fn person_of(
    ctx: &TenantContext,
    draft: PersonDraft,
    account_id: Option<AccountId>,
) -> Result<Person> {
    Ok(Person {
        person_id: PersonId::mint(ctx.uuid()?),
        slug: slug_of(&draft.name),
        domain: draft.domain(),
        name: draft.name,
        identifiers: draft.identifiers,
        context: draft.context,
        account_id,
        created_at: ctx.now,
        updated_at: ctx.now,
        deleted_at: None,
    })
}

/// Inserts a new person under a free slug, which must not be the slug of an erased person. `is_retired_slug` says so of the
/// preferred slug, if the caller knows.
pub(crate) fn insert(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    mut person: Person,
    mut is_retired_slug: Option<bool>,
) -> Result<Person> {
    for wished in slug::wished(&person.slug, person.person_id.as_str()) {
        person.slug = wished;
        let is_retired_slug = is_retired_slug
            .take()
            .map_or_else(|| retired_slugs::is_retired_slug(tx, ctx, &person.slug), Ok)?;
        if !is_retired_slug && table::insert(tx, &ctx.tenant, std::slice::from_ref(&person))? > 0 {
            return Ok(person);
        }
    }
    Err(Error::internal("no free slug"))
}

/// The preferred slug of a person with this name.
pub(crate) fn slug_of(name: &str) -> String {
    slug::slugify(name, NAMELESS)
}

/// The statements that make a new person appear in lists, searches and the total.
pub(crate) fn appearance(tx: &Tx<'_>, ctx: &TenantContext, person: &Person) -> [Query; 2] {
    [
        person_index::texts::insert(&ctx.tenant, &person.person_id, &person.searched()),
        counters::add(&ctx.tenant, counters::PERSONS, tx.shard(), 1),
    ]
}
