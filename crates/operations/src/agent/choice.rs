//! What a tenant itself chooses: the server's agent or one of its own, and less than what the operator allows.
//!
//! Invariants: nothing here raises what the operator allows, so that nobody spends the operator's money by choosing; and a key is used
//! for nothing but the address, the model and the prices that it was given for.

use pagesmith_model::agent::{AgentKind, AgentSettings, ApiKey, Budget, Prices, UnfitSetting};
use pagesmith_model::network::Networks;
use pagesmith_model::{Error, Issue, IssueCode, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::agent as table;
use pagesmith_store::tables::agent::StoredAgent;

use super::{AgentView, bound_to, merged, record, show, without_agent};
use crate::context::TenantContext;
use crate::precondition::Precondition;

/// What becomes of the key that is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyChange {
    /// It stays.
    Keep,
    /// It goes.
    Remove,
    /// Another one takes its place.
    Set(ApiKey),
}

/// An agent of the tenant's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnAgent {
    /// Which one.
    pub kind: AgentKind,
    /// The address of its API, unless it is the usual one.
    pub base_url: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The key.
    pub key: KeyChange,
    /// What tokens cost.
    pub prices: Prices,
}

/// What a tenant chooses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Its own agent; the server's if there is none.
    pub own: Option<OwnAgent>,
    /// What it allows itself in a month; of what is zero, what the operator allows.
    pub limits: Budget,
}

/// Replaces what the tenant has chosen; what would not fit together is refused at its field, and nothing is changed.
pub fn set(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    choice: &Choice,
    (usual, networks): (&AgentSettings, &Networks),
    precondition: &Precondition<AgentView>,
) -> Result<AgentView> {
    precondition.check(&show(tx, &ctx.tenant, usual)?)?;
    let before = table::find(tx, &ctx.tenant)?.unwrap_or_default();
    let wanted = wanted(ctx, choice, &before)?;
    let mut settings = merged(&wanted, usual);
    if wanted.api_key.as_ref().is_some_and(|sealed| !sealed.is_empty()) {
        // Any will do to see whether one is there.
        settings.key = ApiKey::parse("-");
    }
    // The server's own agent is the operator's to judge, but for what the tenant adds to it.
    let unfit = settings.unfit_setting(networks);
    if let Some(unfit) = unfit.filter(|unfit| choice.own.is_some() || unfit.setting == "cost_budget") {
        return Err(Error::invalid(vec![issue(&unfit, choice)]));
    }
    if wanted != before {
        tx.run(table::save(&ctx.tenant, &wanted, ctx.now))?;
        record(tx, ctx)?;
    }
    show(tx, &ctx.tenant, usual)
}

/// The row that holds the choice.
fn wanted(ctx: &TenantContext, choice: &Choice, before: &StoredAgent) -> Result<StoredAgent> {
    let limits = StoredAgent {
        token_limit: Some(choice.limits.tokens).filter(|tokens| *tokens > 0),
        cost_limit: Some(choice.limits.cost).filter(|cost| !cost.is_zero()),
        ..without_agent(before)
    };
    let Some(own) = &choice.own else { return Ok(limits) };
    if own.kind == AgentKind::Template {
        return Ok(StoredAgent { kind: Some(own.kind), ..limits });
    }
    let stays = before.kind == Some(own.kind);
    let api_key = match &own.key {
        KeyChange::Remove => None,
        KeyChange::Keep if !stays => None,
        KeyChange::Keep if before.api_key.is_some() && !is_for(before, own) => {
            let message = "own.apiKey: was given for another address, model or prices; give it again.";
            return Err(Error::invalid(vec![Issue::body(IssueCode::Required, &["own", "apiKey"], message)]));
        }
        KeyChange::Keep => before.api_key.clone(),
        KeyChange::Set(key) => Some(key.seal(&*ctx.secret()?, ctx.random()?, &bound_to(&ctx.tenant))),
    };
    Ok(StoredAgent {
        kind: Some(own.kind),
        base_url: own.base_url.clone(),
        model: own.model.clone(),
        api_key,
        prices: own.prices,
        ..limits
    })
}

/// Whether the key that is stored was given for just that. Whoever gave it may be an operator, who pays for that model at those prices.
fn is_for(before: &StoredAgent, own: &OwnAgent) -> bool {
    before.base_url == own.base_url && before.model == own.model && before.prices == own.prices
}

/// An unfit setting at its field.
fn issue(UnfitSetting { setting, expected }: &UnfitSetting, choice: &Choice) -> Issue {
    let path: &[&str] = match *setting {
        "api_key" => &["own", "apiKey"],
        "base_url" => &["own", "baseUrl"],
        "model" => &["own", "model"],
        // The operator's budget is one of money: it needs to know what tokens cost.
        _ if choice.limits.cost.is_zero() => &["own", "inputPrice"],
        _ => &["costLimit"],
    };
    let rule = match *setting {
        "cost_budget" => "what tokens cost has to be said where a budget is one of money".to_owned(),
        _ => format!("must be {expected}"),
    };
    Issue::body(IssueCode::InvalidValue, path, format!("{}: {rule}.", path.join(".")))
}
