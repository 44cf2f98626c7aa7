//! `audience_sessions` over all pages of a tenant, by when they began.

use std::ops::Range;

use pagesmith_model::visit::session::Session;
use pagesmith_model::{Result, TenantId, Timestamp};

use crate::sql::Query;
use crate::tables::visits::sessions::{SESSION, bound, session};
use crate::tx::Tx;
use crate::{sql, values};

/// The counted sessions of all pages of a tenant that began in a range and are closed.
pub fn closed(tx: &mut Tx<'_>, tenant: &TenantId, range: &Range<Timestamp>) -> Result<Vec<Session>> {
    tx.all(all_closed(tenant, range))?.iter().map(session).collect()
}

pub(in crate::tables) fn all_closed(tenant: &TenantId, range: &Range<Timestamp>) -> Query {
    SESSION.with(vec![]).and(
        sql!(
            "FROM audience_sessions WHERE tenant_id = $1 AND audience_session_id >= $2 AND audience_session_id < $3
             AND verdict IS NULL AND closes_at IS NULL"
        ),
        values![tenant, bound(range.start), bound(range.end)],
    )
}

/// The open sessions of all pages of a tenant, counted or not: up to `limit`, those first that close first.
pub fn open(tx: &mut Tx<'_>, tenant: &TenantId, limit: i64) -> Result<Vec<Session>> {
    tx.all(all_open(tenant, limit))?.iter().map(session).collect()
}

pub(in crate::tables) fn all_open(tenant: &TenantId, limit: i64) -> Query {
    SESSION.with(vec![]).and(
        sql!(
            "FROM audience_sessions WHERE tenant_id = $1 AND closes_at IS NOT NULL
             ORDER BY closes_at, audience_session_id LIMIT $2"
        ),
        values![tenant, limit],
    )
}
