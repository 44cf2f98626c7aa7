//! Somebody new: looked for, and made if nobody is found.
//!
//! Whatever has to be known to make a person is asked together with who has its identifiers, and what follows from the person is
//! written together: to a database that is far away it takes three round trips.

use pagesmith_model::account::Account;
use pagesmith_model::domain::Domain;
use pagesmith_model::person::{self, Identifiers, Person};
use pagesmith_model::{AccountId, Error, PersonId, Result, slug};
use pagesmith_store::tables::{accounts as account_table, counters, person_texts, persons as table};
use pagesmith_store::{Query, Row, Tx};

use crate::accounts;
use crate::persons::{Owners, identity, owners_in};
use crate::world::TenantContext;

/// What a person without a usable name is called in an address.
const NAMELESS: &str = "person";

/// A person to be made.
pub(crate) struct Fresh {
    pub(crate) name: String,
    pub(crate) identifiers: Identifiers,
    pub(crate) domain: Option<Domain>,
    pub(crate) context: Option<pagesmith_model::json::JsonText>,
}

impl Fresh {
    pub(crate) fn domain(&self) -> Option<Domain> {
        self.domain.clone().or_else(|| person::domain_of(self.identifiers.email.as_ref()))
    }

    /// The domain of the company that it will belong to.
    pub(crate) fn company(&self) -> Option<Domain> {
        self.domain().as_ref().and_then(accounts::company_of)
    }
}

/// What was found when somebody was looked for.
pub(crate) struct Found {
    /// The answer to what was asked besides.
    pub(crate) besides: Vec<Row>,
    account: Option<Account>,
    is_buried: bool,
}

/// Looks for the living persons who have one of somebody's identifiers, and for all that has to be known to make that person;
/// something else may be asked besides.
pub(crate) fn look_for(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    fresh: &Fresh,
    besides: Option<Query>,
) -> Result<(Owners, Found)> {
    let (fields, mut questions): (Vec<_>, Vec<_>) = identity(ctx, &fresh.identifiers).into_iter().unzip();
    questions.push(table::buried(&ctx.tenant, &slug_digest(ctx, &slug_of(&fresh.name))?));
    let company = fresh.company().map(|company| account_table::by_domain(&ctx.tenant, &company));
    let asks_for_company = company.is_some();
    questions.extend(company.into_iter().chain(besides));
    let mut answers = tx.batch(questions)?.into_iter();
    let owners = owners_in(fields, answers.by_ref())?;
    let is_buried = answers.next().is_some_and(|rows| !rows.is_empty());
    let accounts = if asks_for_company { answers.next().unwrap_or_default() } else { vec![] };
    let account = accounts.first().map(account_table::account).transpose()?;
    Ok((owners, Found { besides: answers.next().unwrap_or_default(), account, is_buried }))
}

/// Makes a person whose identifiers nobody has, and writes what `follows` from it.
pub(crate) fn make(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    fresh: Fresh,
    found: Found,
    follows: impl FnOnce(&Person) -> Vec<Query>,
) -> Result<Person> {
    let company = fresh.company();
    let account_id = company.map(|company| accounts::join(tx, ctx, &company, found.account)).transpose()?;
    let person = insert(tx, ctx, person_of(ctx, fresh, account_id)?, Some(found.is_buried))?;
    let mut changes = appearance(tx, ctx, &person).to_vec();
    changes.extend(follows(&person));
    tx.change(changes)?;
    Ok(person)
}

/// Somebody new, with the slug that is wished for.
pub(crate) fn person_of(ctx: &TenantContext, fresh: Fresh, account_id: Option<AccountId>) -> Result<Person> {
    Ok(Person {
        person_id: PersonId::mint(ctx.uuid()?),
        slug: slug_of(&fresh.name),
        domain: fresh.domain(),
        name: fresh.name,
        identifiers: fresh.identifiers,
        context: fresh.context,
        account_id,
        created_at: ctx.now,
        updated_at: ctx.now,
        deleted_at: None,
    })
}

/// Writes somebody new under a slug that is nobody's and, if somebody was erased, never was; which is known of the one that is wished
/// for, or else asked.
pub(crate) fn insert(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    mut person: Person,
    mut is_buried: Option<bool>,
) -> Result<Person> {
    for wished in slug::wished(&person.slug, person.person_id.as_str()) {
        person.slug = wished;
        let is_buried = is_buried.take().map_or_else(|| self::is_buried(tx, ctx, &person.slug), Ok)?;
        if !is_buried && table::insert(tx, &ctx.tenant, std::slice::from_ref(&person))? > 0 {
            return Ok(person);
        }
    }
    Err(Error::internal("no free slug"))
}

/// The slug that is wished for by somebody of that name.
pub(crate) fn slug_of(name: &str) -> String {
    slug::slugify(name, NAMELESS)
}

/// What remains of the slug of someone who was erased.
pub(crate) fn slug_digest(ctx: &TenantContext, slug: &str) -> Result<[u8; 32]> {
    ctx.keyed_digest("erased slug", &[ctx.tenant.as_str(), slug])
}

/// Whether a slug was that of someone who was erased: its address leads to nobody else.
pub(crate) fn is_buried(tx: &mut Tx<'_>, ctx: &TenantContext, slug: &str) -> Result<bool> {
    Ok(tx.maybe(table::buried(&ctx.tenant, &slug_digest(ctx, slug)?))?.is_some())
}

/// What lets a person show in lists, searches and the total.
pub(crate) fn appearance(tx: &Tx<'_>, ctx: &TenantContext, person: &Person) -> [Query; 2] {
    [
        person_texts::insert(&ctx.tenant, &person.person_id, &person.searched()),
        counters::add(&ctx.tenant, counters::PERSONS, tx.shard(), 1),
    ]
}
