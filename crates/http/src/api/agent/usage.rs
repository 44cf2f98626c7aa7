//! What a tenant uses. Ours, beyond the contract.

use pagesmith_endpoint::endpoint;
use pagesmith_model::Result;
use pagesmith_operations::agent;
use pagesmith_operations::tenants::overview::{self, Counts, Month};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::extract::Call;
use crate::reply::Single;

/// What a tenant uses.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Usage", deny_unknown_fields)]
#[schemars(example = json!({
    "pages": 12, "persons": 2400, "accounts": 310, "files": 40, "fileBytes": 48_000_000, "fileQuota": 5_368_709_120_u64, "users": 3,
    "tokenBudget": 2_000_000, "costBudget": "0.00",
    "months": [{
        "month": "2026-03", "versions": 310, "visits": 4120, "deliveries": 620,
        "tries": 290, "inputTokens": 510_000, "outputTokens": 390_000, "cost": "5.175",
    }],
}))]
pub(crate) struct UsageView {
    /// Number of pages that are not deleted.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    pages: u64,
    /// Number of persons that are not deleted.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    persons: u64,
    /// Number of accounts.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    accounts: u64,
    /// Number of files.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    files: u64,
    /// Bytes of the files, each content once, with the variants of pictures.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    file_bytes: u64,
    /// Bytes that the files may take.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    file_quota: u64,
    /// Number of users with a role.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    users: u64,
    /// Tokens that models may use in a month; 0 for any number.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    token_budget: u64,
    /// Money that models may use in a month; `0.00` for any amount.
    cost_budget: String,
    /// The last twelve months (UTC), the present one first.
    #[schemars(length(max = 12))]
    months: Vec<MonthView>,
}

/// Usage in a month.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "UsageOfMonth", deny_unknown_fields)]
#[schemars(example = json!({
    "month": "2026-03", "versions": 310, "visits": 4120, "deliveries": 620,
    "tries": 290, "inputTokens": 510_000, "outputTokens": 390_000, "cost": "5.175",
}))]
struct MonthView {
    /// Month, such as `2026-03`.
    month: String,
    /// Number of versions that were created.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    versions: u64,
    /// Number of visits that were counted.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    visits: u64,
    /// Number of webhook deliveries that arrived.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    deliveries: u64,
    /// Number of model calls.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    tries: u64,
    /// Number of tokens that models read.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    input_tokens: u64,
    /// Number of tokens that models wrote.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    output_tokens: u64,
    /// What that cost, in the currency of the prices.
    cost: String,
}

impl From<Month> for MonthView {
    fn from(Month { month, sums, tries, used }: Month) -> MonthView {
        MonthView {
            month,
            versions: sums.versions,
            visits: sums.visits,
            deliveries: sums.deliveries,
            tries,
            input_tokens: used.input_tokens,
            output_tokens: used.output_tokens,
            cost: used.cost.to_string(),
        }
    }
}

/// Returns what the tenant uses: now, and month by month.
///
/// Versions, visits and deliveries are counted as they happen and stay counted, whatever is deleted later. Each budget is the
/// smaller of the operator's and the tenant's own limit.
#[endpoint]
pub(crate) async fn get_usage(call: Call) -> Result<Single<UsageView>> {
    let usual = call.state.settings.agent.clone();
    let file_quota = call.state.settings.files.quota;
    let read = call.read(move |tx, ctx| {
        let budget = agent::show(tx, &ctx.tenant, &usual)?.settings.budget;
        Ok((overview::counts(tx, &ctx.tenant)?, overview::months(tx, &ctx.tenant, ctx.now)?, budget))
    });
    let (counts, months, budget) = read.await?;
    let Counts { pages, persons, accounts, files, file_bytes, users } = counts;
    Ok(Single(UsageView {
        pages,
        persons,
        accounts,
        files,
        file_bytes,
        file_quota,
        users,
        token_budget: budget.tokens,
        cost_budget: budget.cost.to_string(),
        months: months.into_iter().map(MonthView::from).collect(),
    }))
}
