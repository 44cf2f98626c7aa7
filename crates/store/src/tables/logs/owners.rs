//! The texts in which `person_logs` and `account_logs` differ.

use pagesmith_model::log::LogOwner;
use pagesmith_model::{AccountId, AccountLogId, PersonId, PersonLogId};

use crate::row::FromValue;
use crate::sql;
use crate::sql::Sql;
use crate::tables::logs::tallies::Tallied;
use crate::value::Value;

/// An owner whose entries are in a table of its own, which the statements call `l`.
pub trait LogTable: LogOwner<LogId: FromValue> + FromValue {
    /// `SELECT` with the ids as `owner_id` and `log_id`; further columns follow.
    const IDS: Sql;
    /// The entry of a tenant and an idempotency key, with what was kept of the request.
    const OF_KEY: Sql;
    /// The entries of a tenant and an owner.
    const OF_OWNER: Sql;
    /// The entry of an id.
    const THIS: Sql;
    /// The entries before an id.
    const BEFORE: Sql;
    /// The newest first, as many as this.
    const NEWEST_FIRST: Sql;
    /// Replaces payload, change and deletion of an entry.
    const UPDATE: Sql;

    /// The owner's id.
    fn value(&self) -> Value;
    /// The id of an entry.
    fn log_value(log_id: &Self::LogId) -> Value;
    /// The tally of the owner's entries.
    fn tallied(&self) -> Tallied<'_>;
}

impl LogTable for PersonId {
    const IDS: Sql = sql!("SELECT l.person_id AS owner_id, l.person_log_id AS log_id,");
    const OF_KEY: Sql = sql!(
        ", l.request_digest, l.created_person
         FROM person_logs l WHERE l.tenant_id = $1 AND l.idempotency_key = $2"
    );
    const OF_OWNER: Sql = sql!("FROM person_logs l WHERE l.tenant_id = $1 AND l.person_id = $2");
    const THIS: Sql = sql!("AND l.person_log_id = $1");
    const BEFORE: Sql = sql!("AND l.person_log_id < $1");
    const NEWEST_FIRST: Sql = sql!("ORDER BY l.person_log_id DESC LIMIT $1");
    const UPDATE: Sql = sql!(
        "UPDATE person_logs SET payload = $4, updated_at = $5, deleted_at = $6
         WHERE tenant_id = $1 AND person_id = $2 AND person_log_id = $3"
    );

    fn value(&self) -> Value {
        Value::from(self)
    }

    fn log_value(log_id: &PersonLogId) -> Value {
        Value::from(log_id)
    }

    fn tallied(&self) -> Tallied<'_> {
        Tallied::Person(self)
    }
}

impl LogTable for AccountId {
    const IDS: Sql = sql!("SELECT l.account_id AS owner_id, l.account_log_id AS log_id,");
    const OF_KEY: Sql =
        sql!(", l.request_digest FROM account_logs l WHERE l.tenant_id = $1 AND l.idempotency_key = $2");
    const OF_OWNER: Sql = sql!("FROM account_logs l WHERE l.tenant_id = $1 AND l.account_id = $2");
    const THIS: Sql = sql!("AND l.account_log_id = $1");
    const BEFORE: Sql = sql!("AND l.account_log_id < $1");
    const NEWEST_FIRST: Sql = sql!("ORDER BY l.account_log_id DESC LIMIT $1");
    const UPDATE: Sql = sql!(
        "UPDATE account_logs SET payload = $4, updated_at = $5, deleted_at = $6
         WHERE tenant_id = $1 AND account_id = $2 AND account_log_id = $3"
    );

    fn value(&self) -> Value {
        Value::from(self)
    }

    fn log_value(log_id: &AccountLogId) -> Value {
        Value::from(log_id)
    }

    fn tallied(&self) -> Tallied<'_> {
        Tallied::Account(self)
    }
}
