//! `tenant_agents`: who writes a tenant's pages, and what it may use of models, where that is not as the server is set.

use pagesmith_model::agent::{AgentKind, Prices};
use pagesmith_model::amount::Amount;
use pagesmith_model::{Result, TenantId, Timestamp};

use crate::sql::Query;
use crate::tables::whole;
use crate::tx::Tx;
use crate::{sql, values};

pub mod usages;

/// A row of the table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredAgent {
    /// The agent; nothing: the server's, with address, model, key and prices.
    pub kind: Option<AgentKind>,
    /// The address of the model's API, unless it is the usual one.
    pub base_url: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The key, sealed.
    pub api_key: Option<Vec<u8>>,
    /// What tokens cost.
    pub prices: Prices,
    /// Tokens of a month, if the tenant has a budget of its own.
    pub token_budget: Option<u64>,
    /// Money of a month, likewise.
    pub cost_budget: Option<Amount>,
    /// What the tenant itself allows: tokens of a month.
    pub token_limit: Option<u64>,
    /// Money of a month, likewise.
    pub cost_limit: Option<Amount>,
}

/// What is stored for a tenant, if anything is.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Option<StoredAgent>> {
    let select = sql!(
        "SELECT kind, base_url, model, api_key, input_price, output_price, token_budget, cost_budget, token_limit, cost_limit
         FROM tenant_agents WHERE tenant_id = $1"
    );
    let Some(row) = tx.maybe(select.with(values![tenant]))? else { return Ok(None) };
    Ok(Some(StoredAgent {
        kind: row.get("kind")?,
        base_url: row.take("base_url")?,
        model: row.take("model")?,
        api_key: row.take("api_key")?,
        prices: Prices { input: row.get("input_price")?, output: row.get("output_price")? },
        token_budget: row.get("token_budget")?,
        cost_budget: row.get("cost_budget")?,
        token_limit: row.get("token_limit")?,
        cost_limit: row.get("cost_limit")?,
    }))
}

/// Stores it in place of what was stored.
pub fn save(tenant: &TenantId, stored: &StoredAgent, now: Timestamp) -> Query {
    sql!(
        "INSERT INTO tenant_agents (tenant_id, kind, base_url, model, api_key, input_price, output_price,
                                    token_budget, cost_budget, updated_at, token_limit, cost_limit)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         ON CONFLICT (tenant_id) DO UPDATE SET
            kind = excluded.kind, base_url = excluded.base_url, model = excluded.model, api_key = excluded.api_key,
            input_price = excluded.input_price, output_price = excluded.output_price,
            token_budget = excluded.token_budget, cost_budget = excluded.cost_budget,
            updated_at = excluded.updated_at, token_limit = excluded.token_limit,
            cost_limit = excluded.cost_limit"
    ).with(values![
        tenant,
        stored.kind.as_ref(),
        &stored.base_url,
        &stored.model,
        stored.api_key.as_deref(),
        stored.prices.input,
        stored.prices.output,
        stored.token_budget.map(whole),
        stored.cost_budget,
        now,
        stored.token_limit.map(whole),
        stored.cost_limit,
    ])
}

/// Sealed keys of all tenants in the order of the tenants' ids, behind one of them.
pub fn list_sealed(
    tx: &mut Tx<'_>,
    after: Option<&TenantId>,
    limit: i64,
) -> Result<Vec<(TenantId, Vec<u8>)>> {
    // across tenants: the server's key seals everyone's
    let select = sql!(
        "SELECT tenant_id, api_key FROM tenant_agents
         WHERE tenant_id > $1 AND api_key IS NOT NULL ORDER BY tenant_id LIMIT $2"
    );
    let rows = tx.all(select.with(values![after.map_or("", TenantId::as_str), limit]))?;
    rows.iter().map(|row| Ok((row.take("tenant_id")?, row.take("api_key")?))).collect()
}

/// Replaces what a tenant's key is sealed as.
pub fn update_key(tenant: &TenantId, sealed: &[u8]) -> Query {
    sql!("UPDATE tenant_agents SET api_key = $2 WHERE tenant_id = $1").with(values![tenant, sealed])
}

/// Forgets it: the server's agent and budgets count again.
pub fn remove(tenant: &TenantId) -> Query {
    sql!("DELETE FROM tenant_agents WHERE tenant_id = $1").with(values![tenant])
}
