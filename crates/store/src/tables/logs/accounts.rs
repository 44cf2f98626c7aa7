//! `account_logs`: what only this table does.

use pagesmith_model::{AccountId, TenantId};

use crate::sql::Query;
use crate::tables::logs::Writing;
use crate::{sql, values};

/// Adds an entry, unless there is one with its idempotency key; then no row is touched.
pub fn insert(tenant: &TenantId, account_id: &AccountId, writing: &Writing<'_, AccountId>) -> Query {
    let entry = &writing.entry;
    sql!(
        "INSERT INTO account_logs
            (tenant_id, account_id, account_log_id, source, type, payload, idempotency_key, request_digest,
             created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING"
    )
    .with(values![
        tenant,
        account_id,
        writing.log_id,
        entry.source.as_str(),
        entry.kind.as_str(),
        entry.payload,
        entry.idempotency_key,
        writing.digest.map(<[u8; 32]>::as_slice),
        writing.now
    ])
}
