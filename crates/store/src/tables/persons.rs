//! `persons`: the persons of all tenants, deleted ones included.
//!
//! An identifier is unique among the persons of a tenant that are not deleted. A transaction that loses a race for one runs again and
//! finds the other transaction's person.

use pagesmith_model::domain::Domain;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::linkedin::LinkedinProfile;
use pagesmith_model::list_order::{ListOrder, OrderBy, OrderedPlace};
use pagesmith_model::person::{Identifiers, Person};
use pagesmith_model::phone::PhoneNumber;
use pagesmith_model::{AccountId, Error, PersonId, Result, TenantId};

use crate::extent::{Extent, ListPart};
use crate::fault::{self, OnConstraint};
use crate::row::Row;
use crate::sql::Query;
use crate::tables::counters;
use crate::tables::ordered::{Ordered, OrderedPart, by_id, keyed, placed_by_id};
use crate::tx::Tx;
use crate::{sql, values};

pub mod bulk;
pub mod erasures;
pub mod merges;

/// The columns of a person, each behind an alias such as `p.`, which [`person`] reads.
macro_rules! person_columns {
    ($alias:literal) => {
        $crate::sql::columns!(
            $alias => person_id, name, email, domain, slug, phone_number, linkedin_profile_url, context, account_id,
            created_at, updated_at, deleted_at
        )
    };
}

pub(super) use person_columns;

/// The person in a row with all its columns.
pub fn person(row: &Row) -> Result<Person> {
    Ok(Person {
        person_id: row.take("person_id")?,
        name: row.take("name")?,
        identifiers: Identifiers {
            email: row.take::<Option<EmailAddress>>("email")?,
            linkedin_profile_url: row.take::<Option<LinkedinProfile>>("linkedin_profile_url")?,
            phone_number: row.take::<Option<PhoneNumber>>("phone_number")?,
        },
        domain: row.take::<Option<Domain>>("domain")?,
        slug: row.take("slug")?,
        context: row.take("context")?,
        account_id: row.take("account_id")?,
        created_at: row.take("created_at")?,
        updated_at: row.take("updated_at")?,
        deleted_at: row.take("deleted_at")?,
    })
}

/// The persons in rows with all their columns.
pub fn persons(rows: &[Row]) -> Result<Vec<Person>> {
    rows.iter().map(person).collect()
}

/// Adds persons, except those whose slugs are taken, and returns how many were added.
pub fn insert(tx: &mut Tx<'_>, tenant: &TenantId, persons: &[Person]) -> Result<u64> {
    let mut inserted = 0;
    for some in super::parts(tx.rows_at_once(), persons) {
        let insert = sql!(
            "INSERT INTO persons
                (tenant_id, person_id, name, email, domain, slug, phone_number, linkedin_profile_url, context,
                 account_id, created_at, updated_at, deleted_at)
             VALUES"
        );
        let text = sql!("($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)");
        let row = |person: &Person| {
            values![
                tenant,
                &person.person_id,
                &person.name,
                &person.identifiers.email,
                &person.domain,
                &person.slug,
                &person.identifiers.phone_number,
                &person.identifiers.linkedin_profile_url,
                &person.context,
                &person.account_id,
                person.created_at,
                person.updated_at,
                person.deleted_at,
            ]
        };
        let insert = super::rows(insert.with(vec![]), text, some.iter().map(row));
        let insert = insert.and(sql!("ON CONFLICT (tenant_id, slug) DO NOTHING"), vec![]);
        inserted += lost_race(tx.run(insert))?;
    }
    Ok(inserted)
}

/// Makes the transaction run again if another one has taken an identifier meanwhile.
fn lost_race<T>(result: Result<T>) -> Result<T> {
    let again = || fault::retry("another transaction has taken the identifier");
    result
        .on_constraint("persons_tenant_id_email_key", again)
        .on_constraint("persons_tenant_id_linkedin_profile_url_key", again)
        .on_constraint("persons_tenant_id_phone_number_key", again)
}

/// Replaces everything of a person but its id, slug and time of creation.
pub fn update(tx: &mut Tx<'_>, tenant: &TenantId, person: &Person) -> Result<()> {
    let update = sql!(
        "UPDATE persons SET name = $3, email = $4, domain = $5, phone_number = $6, linkedin_profile_url = $7,
                            context = $8, account_id = $9, updated_at = $10, deleted_at = $11
         WHERE tenant_id = $1 AND person_id = $2"
    );
    lost_race(tx.run(update.with(values![
        tenant,
        &person.person_id,
        &person.name,
        &person.identifiers.email,
        &person.domain,
        &person.identifiers.phone_number,
        &person.identifiers.linkedin_profile_url,
        &person.context,
        &person.account_id,
        person.updated_at,
        person.deleted_at,
    ])))?;
    Ok(())
}

/// The person, deleted or not; a query, to travel with others.
pub fn by_id(tenant: &TenantId, person_id: &PersonId) -> Query {
    sql!("SELECT ", person_columns!(""), " FROM persons WHERE tenant_id = $1 AND person_id = $2")
        .with(values![tenant, person_id])
}

/// The person, not deleted, with that e-mail address; a query, to travel with others.
pub fn by_email(tenant: &TenantId, email: &EmailAddress) -> Query {
    sql!(
        "SELECT ",
        person_columns!(""),
        " FROM persons WHERE tenant_id = $1 AND email = $2 AND deleted_at IS NULL"
    )
    .with(values![tenant, email])
}

/// The person, not deleted, with that LinkedIn profile; a query, to travel with others.
pub fn by_linkedin(tenant: &TenantId, profile: &LinkedinProfile) -> Query {
    sql!(
        "SELECT ",
        person_columns!(""),
        " FROM persons WHERE tenant_id = $1 AND linkedin_profile_url = $2 AND deleted_at IS NULL"
    )
    .with(values![tenant, profile])
}

/// The person, not deleted, with that phone number; a query, to travel with others.
pub fn by_phone(tenant: &TenantId, phone: &PhoneNumber) -> Query {
    sql!(
        "SELECT ",
        person_columns!(""),
        " FROM persons WHERE tenant_id = $1 AND phone_number = $2 AND deleted_at IS NULL"
    )
    .with(values![tenant, phone])
}

/// The person, deleted or not.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, person_id: &PersonId) -> Result<Option<Person>> {
    tx.maybe(by_id(tenant, person_id))?.as_ref().map(person).transpose()
}

/// The persons that are not deleted, newest first, after a position; and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    after: Option<&PersonId>,
    extent: Extent,
) -> Result<(ListPart<Person>, u64)> {
    // `person_texts` has a row for each of these persons, in the same order.
    let select = sql!(
        "SELECT ",
        person_columns!("p."),
        " FROM person_texts t JOIN persons p ON p.tenant_id = $1 AND p.person_id = t.person_id
         WHERE t.tenant_id = $1"
    );
    let mut select = select.with(values![tenant]);
    if let Some(person_id) = after {
        select = select.and(sql!("AND t.person_id < $1"), values![person_id]);
    }
    select = select.and(sql!("ORDER BY t.person_id DESC LIMIT $1"), values![extent.rows()]);
    let mut answers =
        tx.batch(vec![select.within(extent.bytes), counters::count(tenant, counters::PERSONS)])?;
    let total = counters::total(&answers.pop().unwrap_or_default())?;
    Ok((ListPart::read(&answers.pop().unwrap_or_default(), extent, person)?, total))
}

/// The same in an order, by name, e-mail address or creation, or without one newest first.
pub fn list_in_order(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    order: Option<ListOrder>,
    after: Option<&OrderedPlace<PersonId>>,
    extent: Extent,
) -> Result<(OrderedPart<PersonId, Person>, u64)> {
    let Some(order) = order else {
        let (part, total) = list(tx, tenant, after.map(|place| &place.id), extent)?;
        return Ok((placed_by_id(part, |person| person.person_id.clone()), total));
    };
    let part = in_order(tenant, order.by)?.list(tx, order, "person_id", after, extent, person)?;
    Ok((part, counters::total(&tx.all(counters::count(tenant, counters::PERSONS))?)?))
}

pub(in crate::tables) fn in_order(tenant: &TenantId, by: OrderBy) -> Result<Ordered> {
    // What is sorted is the beginning of what is searched: the name, or what is known in its place. Fresh texts are not in the index of it yet.
    let numbered = sql!(
        "SELECT n.order_key, ",
        person_columns!("p."),
        " FROM (SELECT n.person_id, substr(n.fields, 1, 60) AS order_key FROM person_texts n
                WHERE n.tenant_id = $1 AND n.document >= 0"
    );
    let fresh = sql!(
        "SELECT n.order_key, ",
        person_columns!("p."),
        " FROM (SELECT n.person_id, substr(n.fields, 1, 60) AS order_key FROM person_texts n
                WHERE n.tenant_id = $1 AND n.document < 0"
    );
    let by_email = sql!(
        "SELECT p.email AS order_key, ",
        person_columns!("p."),
        " FROM persons p WHERE p.tenant_id = $1 AND p.email IS NOT NULL AND p.deleted_at IS NULL"
    );
    let without_email = sql!(
        "SELECT ",
        person_columns!("p."),
        " FROM persons p WHERE p.tenant_id = $1 AND p.email IS NULL AND p.deleted_at IS NULL"
    );
    let by_creation = sql!(
        "SELECT ",
        person_columns!("p."),
        " FROM (SELECT n.person_id FROM person_texts n WHERE n.tenant_id = $1"
    );
    // Joined crosswise, SQLite reads the subquery first.
    let joins = sql!(") n CROSS JOIN persons p WHERE p.tenant_id = $1 AND p.person_id = n.person_id");
    let joins = joins.with(values![tenant]);
    let tenant = values![tenant];
    match by {
        OrderBy::Name => Ok(Ordered::KeyInTwo(
            keyed!(numbered.with(tenant.clone()), "substr(n.fields, 1, 60)", "n.person_id", joins.clone()),
            keyed!(fresh.with(tenant), "substr(n.fields, 1, 60)", "n.person_id", joins),
        )),
        OrderBy::Email => Ok(Ordered::KeyOrLast(
            keyed!(by_email.with(tenant.clone()), "p.email", "p.person_id"),
            by_id!(without_email.with(tenant), "p.person_id"),
        )),
        OrderBy::CreatedAt => Ok(Ordered::Id(by_id!(by_creation.with(tenant), "n.person_id", joins))),
        OrderBy::Domain => Err(Error::internal("persons have no such order")),
    }
}

/// The persons of an account that are not deleted, newest first.
pub fn of_account(tenant: &TenantId, account_id: &AccountId, limit: i64) -> Query {
    sql!(
        "SELECT ",
        person_columns!(""),
        " FROM persons WHERE tenant_id = $1 AND account_id = $2 AND deleted_at IS NULL
         ORDER BY person_id DESC LIMIT $3"
    )
    .with(values![tenant, account_id, limit])
}

/// The persons with these ids, in no order.
pub fn find_many(tx: &mut Tx<'_>, tenant: &TenantId, ids: &[PersonId]) -> Result<Vec<Person>> {
    let Some(last) = ids.last() else { return Ok(vec![]) };
    // Padded to one of few lengths, so that few statements have to be prepared.
    let length = if ids.len() <= 21 { 21 } else { 101.max(ids.len()) };
    let mut ids = ids.iter().chain(std::iter::repeat_n(last, length - ids.len()));
    let select =
        sql!("SELECT ", person_columns!(""), " FROM persons WHERE tenant_id = $1 AND person_id IN ($2");
    let mut select = select.with(values![tenant, ids.next().unwrap_or(last)]);
    for id in ids {
        select = select.and(sql!(", $1"), values![id]);
    }
    persons(&tx.all(select.and(sql!(")"), values![]))?)
}

/// Removes a person for good.
pub fn remove(tenant: &TenantId, person_id: &PersonId) -> Query {
    sql!("DELETE FROM persons WHERE tenant_id = $1 AND person_id = $2").with(values![tenant, person_id])
}

/// Keeps the digest of an erased slug, so that no other person or audience gets it.
pub fn retire_slug(tenant: &TenantId, digest: &[u8; 32]) -> Query {
    sql!(
        "INSERT INTO erased_slugs (tenant_id, digest) VALUES ($1, $2)
         ON CONFLICT (tenant_id, digest) DO NOTHING"
    )
    .with(values![tenant, digest])
}

/// Whether the tenant has retired slugs.
pub fn has_retired_slugs(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<bool> {
    let select = sql!("SELECT 1 AS found FROM erased_slugs WHERE tenant_id = $1 LIMIT 1");
    Ok(tx.maybe(select.with(values![tenant]))?.is_some())
}

/// Returns a row if a slug is retired; a query, to travel with others.
pub fn retired_slug(tenant: &TenantId, digest: &[u8; 32]) -> Query {
    sql!("SELECT 1 AS found FROM erased_slugs WHERE tenant_id = $1 AND digest = $2")
        .with(values![tenant, digest])
}
