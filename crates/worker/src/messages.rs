//! Messages are carried out: claimed under a lease, understood outside every transaction, kept in one.
//!
//! Nothing is lost if this is stopped anywhere: a lease ends, and another worker goes on with the first message that is not answered. Each
//! tenant has its turn. Tenants with a model have a capacity of their own, so that a slow model keeps nobody else waiting. What this is not: an
//! editor; those are the crate `editor` and the models of the crate `agent`.

use pagesmith_editor::Reply;
use pagesmith_model::{Error, RequestId, Result, TenantId};
use pagesmith_operations::agent::{self, Writer};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::messages::runs::{self, Claimed, Next, Turn, TurnOutcome};
use pagesmith_operations::messages::usage::Attempt;
use pagesmith_store::tables::pending_work::WorkKind;
use pagesmith_store::{Tx, Wakeup};
use tokio::sync::watch;

use crate::claimed_work::{self, ClaimedWork};
use crate::tools::Tools;
use crate::turns::Turns;

mod by_model;
mod notes;
mod offline;

pub use by_model::TIME_LIMIT;

use by_model::{Try, TurnEnd};

/// How many audiences are served at the same time without a model.
const CONCURRENCY: usize = 4;
/// How many audiences are served at the same time with models, which mostly wait.
const CONCURRENCY_OF_MODELS: usize = 16;
/// How often a message is taken again because its draft was changed meanwhile.
const MOST_STALE: u32 = 5;

/// Messages that wait and that no model carries out.
enum Runs {}

impl ClaimedWork for Runs {
    type Claimed = Claimed;
    const WAKEUP: Wakeup = Wakeup::Messages;
    const CONCURRENCY: usize = CONCURRENCY;
    const NOUN: &'static str = "message";

    async fn claim(tools: &Tools, turns: &mut Turns, limit: usize) -> Result<Vec<Claimed>> {
        claim_of(tools, turns, limit, false).await
    }

    fn tenant(claimed: &Claimed) -> &TenantId {
        &claimed.of.tenant
    }

    async fn attempt(tools: Tools, claimed: Claimed, stop: watch::Receiver<bool>) {
        carry_on(tools, claimed, stop).await;
    }
}

/// Messages that wait for models.
enum ModelRuns {}

impl ClaimedWork for ModelRuns {
    type Claimed = Claimed;
    const WAKEUP: Wakeup = Wakeup::ModelMessages;
    const CONCURRENCY: usize = CONCURRENCY_OF_MODELS;
    const NOUN: &'static str = "message for a model";

    async fn claim(tools: &Tools, turns: &mut Turns, limit: usize) -> Result<Vec<Claimed>> {
        claim_of(tools, turns, limit, true).await
    }

    fn tenant(claimed: &Claimed) -> &TenantId {
        &claimed.of.tenant
    }

    async fn attempt(tools: Tools, claimed: Claimed, stop: watch::Receiver<bool>) {
        carry_on(tools, claimed, stop).await;
    }
}

/// Carries messages out until `stop` turns true; the message that is being carried out then is left to others.
pub async fn run(tools: Tools, stop: watch::Receiver<bool>) {
    tokio::join!(
        claimed_work::run::<Runs>(tools.clone(), stop.clone()),
        claimed_work::run::<ModelRuns>(tools, stop)
    );
}

/// Carries everything out that is due, in rounds; how a test steps it.
pub async fn drain(tools: &Tools) -> Result<()> {
    claimed_work::drain::<Runs>(tools).await?;
    claimed_work::drain::<ModelRuns>(tools).await
}

/// Claims up to `limit` runs, whoever carries them out; tenants have their turns.
pub async fn claim(tools: &Tools, turns: &mut Turns, limit: usize) -> Result<Vec<Claimed>> {
    let mut claimed = claim_of(tools, turns, limit, false).await?;
    claimed.extend(claim_of(tools, turns, limit - claimed.len(), true).await?);
    Ok(claimed)
}

/// Claims up to `limit` runs of tenants with a model, or without.
async fn claim_of(tools: &Tools, turns: &mut Turns, limit: usize, by_model: bool) -> Result<Vec<Claimed>> {
    let now = tools.platform.clock().now();
    let usual = tools.generation.models.usual.clone();
    let is_due = move |tx: &mut Tx<'_>, tenant: &TenantId| {
        let is_due = runs::is_due(tx, tenant, now)?;
        Ok(is_due && agent::model_owner(tx, tenant, &usual)?.is_some() == by_model)
    };
    let of = (WorkKind::Messages, &runs::LEASES);
    let tenants = claimed_work::due_tenants(tools, of, (turns, limit), is_due).await?;
    let claim = |tenant: TenantId, share, _: &[Claimed]| {
        let ctx = tools.context();
        tools.store.claim(move |tx| runs::claim(tx, &ctx, (&tenant, share)))
    };
    claimed_work::claim_each(tools, tenants, (turns, limit), claim).await
}

/// Carries the messages of a run out, one after the other.
pub async fn carry_on(tools: Tools, claimed: Claimed, mut stop: watch::Receiver<bool>) {
    let audience = claimed.of.audience_id.to_string();
    let cause = claimed.of.request_id.clone();
    let request_id = cause.as_ref().map(RequestId::as_str);
    let mut stale = 0;
    loop {
        if *stop.borrow() || stale >= MOST_STALE {
            break;
        }
        match turn(&tools, &claimed, &mut stop).await {
            Ok(Some(TurnOutcome::Kept)) => stale = 0,
            Ok(Some(TurnOutcome::Stale)) => stale += 1,
            Ok(Some(TurnOutcome::Lost) | None) => return,
            // Its lease ends, and then it is tried again.
            Err(error) => {
                tracing::warn!(audience, request_id, %error, "a message was left unanswered");
                return;
            }
        }
    }
    if let Err(error) = tools.store.write(move |tx| runs::hand_back(tx, &claimed)).await {
        tracing::warn!(audience, request_id, %error, "a run was not handed back");
    }
}

/// Carries one message out; nothing if there is none.
async fn turn(
    tools: &Tools,
    claimed: &Claimed,
    stop: &mut watch::Receiver<bool>,
) -> Result<Option<TurnOutcome>> {
    let (ctx, of) = (context(tools, claimed), claimed.clone());
    let next = tools.store.write(move |tx| runs::next(tx, &ctx, &of)).await?;
    let Next::Turn(turn) = next else { return Ok(None) };
    let (ctx, usual) = (context(tools, claimed), tools.generation.models.usual.clone());
    let writer = tools.store.read(move |tx| agent::writer(tx, &ctx, &usual)).await?;
    if writer == Writer::Template {
        let (turn, reply) = offline::answer(turn).await?;
        return finish(tools, claimed, turn, reply, None).await;
    }
    let this = Try::new(tools, claimed, turn, writer)?;
    let ended = this.run(stop).await?;
    let attempt = this.attempt();
    let turn = this.into_turn();
    match ended {
        TurnEnd::Answered(reply) => finish(tools, claimed, turn, *reply, attempt).await,
        // The others find out what has become of the message.
        TurnEnd::Archived => give_up(tools, claimed, turn, attempt).await.map(|()| Some(TurnOutcome::Stale)),
        TurnEnd::Lost => give_up(tools, claimed, turn, attempt).await.map(|()| Some(TurnOutcome::Lost)),
        TurnEnd::Stopped => {
            give_up(tools, claimed, turn, attempt).await?;
            let claimed = claimed.clone();
            tools.store.write(move |tx| runs::hand_back(tx, &claimed)).await?;
            Ok(None)
        }
    }
}

async fn finish(
    tools: &Tools,
    claimed: &Claimed,
    turn: Box<Turn>,
    reply: Reply,
    attempt: Option<Attempt>,
) -> Result<Option<TurnOutcome>> {
    let (ctx, of) = (context(tools, claimed), claimed.clone());
    let kept =
        tools.store.write(move |tx| runs::finish(tx, &ctx, &of, &turn, &reply, attempt.as_ref())).await?;
    Ok(Some(kept))
}

/// Keeps nothing of a message but what it has used of a model.
async fn give_up(tools: &Tools, claimed: &Claimed, turn: Box<Turn>, attempt: Option<Attempt>) -> Result<()> {
    let (ctx, of) = (context(tools, claimed), claimed.clone());
    tools.store.write(move |tx| runs::give_up(tx, &ctx, &of, &turn, attempt.as_ref())).await
}

fn context(tools: &Tools, claimed: &Claimed) -> TenantContext {
    tools.context_of(&claimed.of.tenant, claimed.of.request_id.as_ref())
}

/// Runs what computes where it keeps nothing else waiting.
async fn computed<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}
