//! Who writes a tenant's pages: the server's agent, or one that an operator has set for the tenant, as far as the month's budget goes.
//!
//! A tenant can set an agent of its own as well ([`choice`]), and allow itself less than the operator does.
//! An agent of a tenant's own is its own whole: nothing of the server's key or prices is mixed into it. Budgets alone may be a tenant's own
//! too. Keys are stored sealed under the server's key, bound to their row.

pub mod choice;
pub mod trials;
pub mod usages;

use pagesmith_model::agent::{
    AgentKind, AgentSettings, ApiKey, Budget, Prices, UnfitSetting, Used, month_of,
};
use pagesmith_model::amount::Amount;
use pagesmith_model::audit::Action;
use pagesmith_model::network::Networks;
use pagesmith_model::{Error, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::agent::{self as table, StoredAgent};

use crate::audit;
use crate::context::TenantContext;

/// What a sealed key is tied to: moved to another row, it does not open.
pub fn bound_to(tenant: &TenantId) -> String {
    format!("tenant_agents {tenant}")
}

/// Whose model is asked: those who share one share what its server puts up with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ModelOwner {
    /// The server's.
    Server,
    /// This tenant's own.
    Own(TenantId),
}

/// Whose model a tenant's versions are written by; nothing: by none.
pub fn model_owner(tx: &mut Tx<'_>, tenant: &TenantId, usual: &AgentSettings) -> Result<Option<ModelOwner>> {
    let own = table::find(tx, tenant)?.and_then(|stored| stored.kind);
    Ok((own.unwrap_or(usual.kind) != AgentKind::Template).then(|| owner_of(tenant, own)))
}

fn owner_of(tenant: &TenantId, own: Option<AgentKind>) -> ModelOwner {
    own.map_or(ModelOwner::Server, |_| ModelOwner::Own(tenant.clone()))
}

/// Who writes the next version of a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Writer {
    /// The template.
    Template,
    /// A model.
    Model {
        /// Which one, and how.
        settings: Box<AgentSettings>,
        /// The tokens that the month leaves; nothing: any number.
        left: Option<u64>,
        /// Whose it is.
        owner: ModelOwner,
    },
    /// A model would, but the month's budget is used up.
    Spent,
    /// A model would, but its key does not open.
    Locked,
}

/// Who writes, if the server's agent is `usual`.
pub fn writer(tx: &mut Tx<'_>, ctx: &TenantContext, usual: &AgentSettings) -> Result<Writer> {
    let stored = table::find(tx, &ctx.tenant)?.unwrap_or_default();
    let mut settings = merged(&stored, usual);
    if settings.kind == AgentKind::Template {
        return Ok(Writer::Template);
    }
    if let Some(sealed) = &stored.api_key {
        settings.key = ApiKey::open(&*ctx.secret()?, &bound_to(&ctx.tenant), sealed);
        if settings.key.is_none() {
            return Ok(Writer::Locked);
        }
    }
    let month = table::usages::find(tx, &ctx.tenant, &month_of(ctx.now))?;
    let used = month.map(|month| month.used).unwrap_or_default();
    Ok(match settings.budget.left(&used, &settings.prices) {
        // A budget that is too small from the beginning is told of by whoever knows what a page takes.
        Some(0) if used != Used::default() => Writer::Spent,
        left => {
            let owner = owner_of(&ctx.tenant, stored.kind);
            Writer::Model { settings: Box::new(settings), left, owner }
        }
    })
}

/// What the operator allows a tenant in a month.
fn allowed(stored: &StoredAgent, usual: &AgentSettings) -> Budget {
    Budget {
        tokens: stored.token_budget.unwrap_or(usual.budget.tokens),
        cost: stored.cost_budget.unwrap_or(usual.budget.cost),
    }
}

/// What a tenant allows itself, which is never more than what the operator does.
fn limits(stored: &StoredAgent) -> Budget {
    Budget { tokens: stored.token_limit.unwrap_or_default(), cost: stored.cost_limit.unwrap_or_default() }
}

/// What counts for a tenant; the key of an agent of its own is not in it.
fn merged(stored: &StoredAgent, usual: &AgentSettings) -> AgentSettings {
    let budget = allowed(stored, usual).least(limits(stored));
    let Some(kind) = stored.kind else { return AgentSettings { budget, ..usual.clone() } };
    AgentSettings {
        kind,
        base_url: stored.base_url.clone().unwrap_or_else(|| kind.usual_address().to_owned()),
        model: stored.model.clone().unwrap_or_default(),
        key: None,
        prices: stored.prices,
        budget,
    }
}

/// What an operator changes; what is not named stays.
#[derive(Debug, Clone, Default)]
pub struct Change {
    /// The kind of agent; another one than before begins anew.
    pub kind: Option<AgentKind>,
    /// The address of the model's API.
    pub base_url: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The key.
    pub key: Option<ApiKey>,
    /// What a million tokens cost that the model reads.
    pub input_price: Option<Amount>,
    /// What a million tokens cost that it writes.
    pub output_price: Option<Amount>,
    /// Tokens of a month; zero: any number.
    pub token_budget: Option<u64>,
    /// Money of a month; zero: any amount.
    pub cost_budget: Option<Amount>,
}

impl Change {
    /// Whether something of the agent itself is named.
    fn is_of_agent(&self) -> bool {
        let prices = self.input_price.or(self.output_price);
        self.base_url.is_some() || self.model.is_some() || self.key.is_some() || prices.is_some()
    }

    /// Whether nothing is named.
    pub fn is_empty(&self) -> bool {
        let budgets = self.token_budget.is_some() || self.cost_budget.is_some();
        self.kind.is_none() && !self.is_of_agent() && !budgets
    }
}

/// Changes what is named; what would not fit together is refused, and nothing is changed.
pub fn change(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    change: &Change,
    usual: &AgentSettings,
    networks: &Networks,
) -> Result<()> {
    let mut stored = table::find(tx, &ctx.tenant)?.unwrap_or_default();
    if change.kind.is_some() && change.kind != stored.kind {
        stored = StoredAgent { kind: change.kind, ..without_agent(&stored) };
    }
    if change.is_of_agent() && !stored.kind.is_some_and(|kind| kind != AgentKind::Template) {
        return Err(Error::conflict(
            "Address, model, key and prices are those of an agent of the tenant's own: say which with --kind openai or --kind anthropic.",
        ));
    }
    if change.base_url.is_some() && change.base_url != stored.base_url {
        if stored.api_key.is_some() && change.key.is_none() {
            return Err(Error::conflict(
                "The key was given for another address: give it again with --key-file, or begin anew with --clear.",
            ));
        }
        stored.base_url.clone_from(&change.base_url);
    }
    if change.model.is_some() {
        stored.model.clone_from(&change.model);
    }
    stored.prices = Prices {
        input: change.input_price.unwrap_or(stored.prices.input),
        output: change.output_price.unwrap_or(stored.prices.output),
    };
    stored.token_budget = change.token_budget.or(stored.token_budget);
    stored.cost_budget = change.cost_budget.or(stored.cost_budget);
    if let Some(key) = &change.key {
        stored.api_key = Some(key.seal(&*ctx.secret()?, ctx.random()?, &bound_to(&ctx.tenant)));
    }
    let mut settings = merged(&stored, usual);
    if stored.api_key.is_some() {
        // Any will do to see whether one is there.
        settings.key = ApiKey::parse("-");
    }
    if let Some(unfit) = settings.unfit_setting(networks) {
        return Err(Error::conflict(message(&unfit)));
    }
    tx.run(table::save(&ctx.tenant, &stored, ctx.now))?;
    record(tx, ctx)
}

/// The budgets and limits alone.
fn without_agent(stored: &StoredAgent) -> StoredAgent {
    let StoredAgent { token_budget, cost_budget, token_limit, cost_limit, .. } = *stored;
    StoredAgent { token_budget, cost_budget, token_limit, cost_limit, ..StoredAgent::default() }
}

fn record(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<()> {
    audit::record(tx, ctx, Some(&ctx.tenant), Action::AgentUpdated, ctx.tenant.as_str()).map(drop)
}

/// An unfit setting in the words of the command.
fn message(UnfitSetting { setting, expected }: &UnfitSetting) -> String {
    match *setting {
        "api_key" => format!("--key-file must hold {expected}."),
        "base_url" => format!("--base-url must be {expected}."),
        "cost_budget" => {
            "--cost-budget must be 0 as long as neither --input-price nor --output-price says what tokens cost."
                .to_owned()
        }
        _ => format!("--model must be {expected}."),
    }
}

/// Forgets what is set for a tenant: the server's agent and budgets count again.
pub fn clear(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<()> {
    tx.run(table::remove(&ctx.tenant))?;
    record(tx, ctx)
}

/// What counts for a tenant, as it may be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentView {
    /// The agent and its budgets, without a key.
    pub settings: AgentSettings,
    /// Whether it has a key.
    pub has_key: bool,
    /// Whether it had one that was lost with a key of the server.
    pub lost_key: bool,
    /// Whether the agent is the tenant's own.
    pub own_agent: bool,
    /// Whether the budget of tokens is.
    pub own_tokens: bool,
    /// Whether the budget of money is.
    pub own_cost: bool,
    /// What the operator allows in a month.
    pub allowed: Budget,
    /// What the tenant allows itself.
    pub limits: Budget,
}

/// What counts for a tenant, if the server's agent is `usual`.
pub fn show(tx: &mut Tx<'_>, tenant: &TenantId, usual: &AgentSettings) -> Result<AgentView> {
    let stored = table::find(tx, tenant)?.unwrap_or_default();
    let settings = merged(&stored, usual);
    Ok(AgentView {
        has_key: stored.api_key.as_ref().is_some_and(|sealed| !sealed.is_empty()) || settings.key.is_some(),
        lost_key: stored.api_key.as_ref().is_some_and(Vec::is_empty),
        own_agent: stored.kind.is_some(),
        own_tokens: stored.token_budget.is_some(),
        own_cost: stored.cost_budget.is_some(),
        allowed: allowed(&stored, usual),
        limits: limits(&stored),
        settings: AgentSettings { key: None, ..settings },
    })
}
