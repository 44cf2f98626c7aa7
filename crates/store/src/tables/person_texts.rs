//! `person_texts`: the living persons with their folded fields, for lists and searches.

use pagesmith_model::{PersonId, TenantId};

use crate::sql::Query;
use crate::{sql, values};

/// Makes a person show in lists and searches, or follows a change; a query, to travel with others.
pub fn put(tenant: &TenantId, person_id: &PersonId, fields: &str) -> Query {
    sql!(
        "INSERT INTO person_texts (tenant_id, person_id, fields) VALUES ($1, $2, $3)
         ON CONFLICT (tenant_id, person_id) DO UPDATE SET fields = excluded.fields"
    )
    .with(values![tenant, person_id, fields])
}

/// Takes a person out of lists and searches; a query, to travel with others.
pub fn remove(tenant: &TenantId, person_id: &PersonId) -> Query {
    sql!("DELETE FROM person_texts WHERE tenant_id = $1 AND person_id = $2").with(values![tenant, person_id])
}
