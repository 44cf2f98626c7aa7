//! `person_erasures`: persons that wait to be erased, a row each until that is done.

use pagesmith_model::actor::Actor;
use pagesmith_model::{PersonId, Result, TenantId, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tx::Tx;
use crate::{sql, values};

/// A person that waits to be erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingErasure {
    /// Whose it is.
    pub tenant: TenantId,
    /// The person.
    pub person_id: PersonId,
    /// Who asked for it.
    pub actor: Actor,
}

/// Adds a person, unless it waits already.
pub fn insert(tenant: &TenantId, person_id: &PersonId, actor: &Actor, now: Timestamp) -> Query {
    sql!(
        "INSERT INTO person_erasures (tenant_id, person_id, actor, asked_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant_id, person_id) DO NOTHING"
    )
    .with(values![tenant, person_id, actor.to_stored(), now])
}

/// Whether a person waits.
pub fn is_asked(tx: &mut Tx<'_>, tenant: &TenantId, person_id: &PersonId) -> Result<bool> {
    let select = sql!("SELECT person_id FROM person_erasures WHERE tenant_id = $1 AND person_id = $2");
    Ok(tx.maybe(select.with(values![tenant, person_id]))?.is_some())
}

/// Up to `limit` persons that wait.
pub fn list(tx: &mut Tx<'_>, limit: i64) -> Result<Vec<PendingErasure>> {
    // across tenants: the work of all of them is done by one task
    let select = sql!(
        "SELECT tenant_id, person_id, actor FROM person_erasures ORDER BY tenant_id, person_id LIMIT $1"
    );
    tx.all(select.with(values![limit]))?.iter().map(pending).collect()
}

/// Up to `limit` persons of a tenant that wait.
pub fn list_of(tx: &mut Tx<'_>, tenant: &TenantId, limit: i64) -> Result<Vec<PendingErasure>> {
    let select = sql!(
        "SELECT tenant_id, person_id, actor FROM person_erasures WHERE tenant_id = $1 ORDER BY person_id LIMIT $2"
    );
    tx.all(select.with(values![tenant, limit]))?.iter().map(pending).collect()
}

fn pending(row: &Row) -> Result<PendingErasure> {
    let actor: String = row.take("actor")?;
    Ok(PendingErasure {
        tenant: row.take("tenant_id")?,
        person_id: row.take("person_id")?,
        actor: Actor::from_stored(&actor),
    })
}

/// Removes a person that is erased.
pub fn remove(tenant: &TenantId, person_id: &PersonId) -> Query {
    sql!("DELETE FROM person_erasures WHERE tenant_id = $1 AND person_id = $2")
        .with(values![tenant, person_id])
}
