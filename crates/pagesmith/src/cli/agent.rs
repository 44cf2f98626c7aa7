//! `tenant agent` and `tenant usage`: who writes a tenant's pages, what it may cost, and what it has cost.
//!
//! Beside a running server; what is set counts from the next version on. A key is read from a file or standard input, so that it is in no
//! list of processes and in no shell's history, and is never printed.

use std::path::Path;

use clap::Args;
use pagesmith_agent::llm;
use pagesmith_model::agent::{AgentKind, AgentSettings, ApiKey, Used};
use pagesmith_model::amount::Amount;
use pagesmith_operations::agent::usages;
use pagesmith_operations::agent::{self, AgentView, Change};
use pagesmith_operations::{Platform, tenants};
use pagesmith_store::Store;
use pagesmith_store::tables::agent::usages::Month;
use serde_json::{Value, json};

use super::session::Session;
use super::{input, output};
use crate::failure::{Failure, Result};

/// Flags of `tenant agent`; without any it shows what counts.
#[derive(Args)]
pub struct Flags {
    /// The tenant's id or slug.
    tenant: String,
    /// The tenant's own agent: template, openai or anthropic; changing the kind resets the other settings.
    #[arg(long)]
    kind: Option<AgentKind>,
    /// The base URL of the model's API.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// The model's name.
    #[arg(long)]
    model: Option<String>,
    /// A file with the API key; - reads standard input.
    #[arg(long, value_name = "FILE")]
    key_file: Option<String>,
    /// Price of a million input tokens, such as 2.50.
    #[arg(long, value_name = "AMOUNT")]
    input_price: Option<Amount>,
    /// Price of a million output tokens.
    #[arg(long, value_name = "AMOUNT")]
    output_price: Option<Amount>,
    /// Token budget per month; 0 for no limit.
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(..=i64::MAX.unsigned_abs()))]
    token_budget: Option<u64>,
    /// Money budget per month; 0 for no limit.
    #[arg(long, value_name = "AMOUNT")]
    cost_budget: Option<Amount>,
    /// Remove the tenant's own settings and use the server's agent and budgets.
    #[arg(long, conflicts_with_all = ["kind", "base_url", "model", "key_file", "input_price", "output_price", "token_budget", "cost_budget"])]
    clear: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Flags {
    fn change(&self) -> Result<Change> {
        Ok(Change {
            kind: self.kind,
            base_url: self.base_url.as_ref().map(|url| url.trim_end_matches('/').to_owned()),
            model: self.model.clone(),
            key: self.key_file.as_deref().map(read_key).transpose()?,
            input_price: self.input_price,
            output_price: self.output_price,
            token_budget: self.token_budget,
            cost_budget: self.cost_budget,
        })
    }
}

fn read_key(file: &str) -> Result<ApiKey> {
    let bytes = input::bytes((file != "-").then_some(Path::new(file)))?;
    let key = std::str::from_utf8(&bytes).ok().and_then(ApiKey::parse);
    key.ok_or_else(|| {
        Failure::new(format!("{file} must hold the API's key alone: one word of printable ASCII characters"))
    })
}

/// Changes what is asked for, and prints what counts then.
pub async fn run(session: &Session, store: &Store, flags: Flags) -> Result<()> {
    let config = session.config()?;
    let (usual, networks) = (config.agent.settings, config.egress.allow);
    let change = flags.change()?;
    let Flags { tenant, clear, json, .. } = flags;
    // Only a key has to be sealed.
    let platform = if change.key.is_some() { session.platform(store).await? } else { Platform::system() };
    let context = platform.context().by(session.operator());
    let (tenant, shown) = store
        .write(move |tx| {
            let tenant = tenants::find(tx, &tenant)?.tenant_id;
            let ctx = context.of(tenant.clone());
            if clear {
                agent::clear(tx, &ctx)?;
            } else if !change.is_empty() {
                agent::change(tx, &ctx, &change, &usual, &networks)?;
            }
            Ok((tenant.clone(), agent::show(tx, &tenant, &usual)?))
        })
        .await?;
    if json {
        return output::json(&to_json(tenant.as_str(), &shown));
    }
    output::table(["SETTING", "VALUE", "FROM"], &rows(&shown))?;
    warn(&shown.settings)
}

/// Whether a month's budget is too small for a single page, however short its brief is.
fn is_too_small(settings: &AgentSettings) -> bool {
    let whole = settings.budget.left(&Used::default(), &settings.prices);
    settings.kind != AgentKind::Template && whole.is_some_and(|whole| whole < llm::least_tokens())
}

/// Says so where a budget lets no model write.
fn warn(settings: &AgentSettings) -> Result<()> {
    if !is_too_small(settings) {
        return Ok(());
    }
    let (budget, least) = (settings.budget.shown(&settings.prices), llm::least_tokens());
    output::line(&format!(
        "The budget, {budget}, is smaller than what one page takes (at least {least} tokens): no model is asked and the template writes, until it is raised."
    ))
}

fn rows(shown: &AgentView) -> Vec<[String; 3]> {
    let settings = &shown.settings;
    let from = |own: bool| if own { "tenant" } else { "server" }.to_owned();
    let agent = |name: &str, value: String| [name.to_owned(), value, from(shown.own_agent)];
    let key = match shown {
        AgentView { has_key: true, .. } => "set",
        AgentView { lost_key: true, .. } => "lost with the server's key: set it again with --key-file",
        _ => "none",
    };
    let mut rows = vec![agent("agent", settings.kind.to_string())];
    if settings.kind != AgentKind::Template {
        rows.extend([
            agent("base URL", settings.base_url.clone()),
            agent("model", settings.model.clone()),
            agent("key", key.to_owned()),
            agent("input price", settings.prices.input.to_string()),
            agent("output price", settings.prices.output.to_string()),
        ]);
    }
    let tokens = settings.budget.tokens;
    let tokens = if tokens == 0 { "any".to_owned() } else { tokens.to_string() };
    let cost = settings.budget.cost;
    let cost = if cost.is_zero() { "any".to_owned() } else { cost.to_string() };
    rows.push(["tokens a month".to_owned(), tokens, from(shown.own_tokens)]);
    rows.push(["cost a month".to_owned(), cost, from(shown.own_cost)]);
    rows
}

fn to_json(tenant: &str, shown: &AgentView) -> Value {
    let settings = &shown.settings;
    let is_model = settings.kind != AgentKind::Template;
    json!({
        "tenantId": tenant,
        "kind": settings.kind.as_str(),
        "baseUrl": is_model.then_some(&settings.base_url),
        "model": is_model.then_some(&settings.model),
        "hasKey": shown.has_key,
        "inputPriceMicros": settings.prices.input.micros(),
        "outputPriceMicros": settings.prices.output.micros(),
        "tokenBudget": settings.budget.tokens,
        "costBudgetMicros": settings.budget.cost.micros(),
        "own": { "agent": shown.own_agent, "tokenBudget": shown.own_tokens, "costBudget": shown.own_cost },
    })
}

/// Prints what a tenant has used, and whether its budget is of any use.
pub async fn usage(session: &Session, store: &Store, tenant: String, json: bool) -> Result<()> {
    let usual = session.config()?.agent.settings;
    let (tenant, months, shown) = store
        .read(move |tx| {
            let tenant = tenants::find(tx, &tenant)?.tenant_id;
            let shown = agent::show(tx, &tenant, &usual)?;
            Ok((tenant.clone(), usages::of_tenant(tx, &tenant)?, shown))
        })
        .await?;
    if json {
        let months: Vec<Value> = months.iter().map(month_to_json).collect();
        return output::json(&json!({
            "tenantId": tenant.as_str(),
            "months": months,
            "leastTokensOfPage": llm::least_tokens(),
            "budgetIsTooSmall": is_too_small(&shown.settings),
        }));
    }
    let row = |Month { month, tries, used }: &Month| {
        let Used { input_tokens, output_tokens, cost } = used;
        [
            month.clone(),
            tries.to_string(),
            input_tokens.to_string(),
            output_tokens.to_string(),
            cost.to_string(),
        ]
    };
    let rows: Vec<_> = months.iter().map(row).collect();
    output::table(["MONTH", "TRIES", "TOKENS READ", "TOKENS WRITTEN", "COST"], &rows)?;
    warn(&shown.settings)
}

fn month_to_json(Month { month, tries, used }: &Month) -> Value {
    json!({
        "month": month,
        "tries": tries,
        "inputTokens": used.input_tokens,
        "outputTokens": used.output_tokens,
        "costMicros": used.cost.micros(),
    })
}
