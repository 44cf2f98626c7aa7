//! What came of attempts: noted many at a time, as long as the worker's lease lasts.
//!
//! How the receiver fares is a matter of its subscription, which may be deactivated for it.

use std::collections::BTreeMap;
use std::time::Duration;

use pagesmith_model::json::JsonText;
use pagesmith_model::webhook::{Attempt, Stopped, schedule};
use pagesmith_model::{LeaseId, Result, SubscriptionId, TenantId, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::webhooks;
use pagesmith_store::tables::webhooks::deliveries::{self, AttemptOutcome, DeliveryKey, Stage};

use super::QueueKey;
use crate::context::Context;
use crate::tenants::months::{self, Happening};

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptResult {
    /// The delivery.
    pub key: DeliveryKey,
    /// The worker's lease.
    pub lease: LeaseId,
    /// The attempt's number, as [`Due`](super::Due) told it.
    pub number: i64,
    /// How many attempts of the round had failed before, as [`Due`](super::Due) told it.
    pub tries: i64,
    /// What happened.
    pub attempt: Attempt,
    /// How long the receiver asked to be left alone.
    pub retry_after: Option<Duration>,
}

/// What became of a worker's words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recorded {
    /// How many count.
    pub kept: usize,
    /// How many came too late: the lease had ended.
    pub lost: usize,
    /// Subscriptions that were deactivated.
    pub stopped: Vec<(QueueKey, Stopped)>,
}

type QueueRef<'a> = (&'a TenantId, &'a SubscriptionId);

/// What a queue's attempts of one record say about its receiver.
#[derive(Default)]
struct ReceiverOutcomes {
    has_succeeded: bool,
    has_failed: bool,
    is_gone: bool,
}

/// Notes what came of attempts, all in one transaction.
pub fn record(tx: &mut Tx<'_>, ctx: &Context, results: &[AttemptResult]) -> Result<Recorded> {
    let mut recorded = Recorded::default();
    let mut queues: BTreeMap<QueueRef<'_>, ReceiverOutcomes> = BTreeMap::new();
    let mut arrived: BTreeMap<&TenantId, i64> = BTreeMap::new();
    let mut results: Vec<&AttemptResult> = results.iter().collect();
    results.sort_by(|left, right| left.key.cmp(&right.key));
    for (result, text, has_counted) in end(tx, ctx, &results)? {
        if !has_counted {
            recorded.lost += 1;
            continue;
        }
        recorded.kept += 1;
        if result.number > 1 {
            tx.change(vec![webhooks::attempts::insert(&result.key, result.number, &text)])?;
        }
        let fared = queues.entry((&result.key.tenant, &result.key.subscription_id)).or_default();
        fared.has_succeeded |= result.attempt.is_success();
        fared.has_failed |= !result.attempt.is_success();
        fared.is_gone |= result.attempt.is_gone();
        if result.attempt.is_success() {
            *arrived.entry(&result.key.tenant).or_default() += 1;
        }
    }
    let shard = tx.shard();
    let counted =
        |(tenant, count): (&TenantId, i64)| months::count(tenant, Happening::Delivery, ctx.now, shard, count);
    tx.change(arrived.into_iter().map(counted).collect())?;
    for ((tenant, id), _) in queues.iter().filter(|(_, fared)| fared.has_succeeded && !fared.is_gone) {
        tx.change(vec![webhooks::subscriptions::recover(tenant, id)])?;
    }
    // In the order of ids, so that two workers do not wait for each other in a circle.
    for ((tenant, subscription_id), fared) in &queues {
        if fared.is_gone || fared.has_failed && !fared.has_succeeded {
            let stopped = note_failure(tx, (tenant, subscription_id), fared.is_gone, ctx.now)?;
            recorded
                .stopped
                .extend(stopped.map(|why| (((*tenant).clone(), (*subscription_id).clone()), why)));
        }
    }
    Ok(recorded)
}

/// Ends the attempts of deliveries, in the order of their keys; each with its text, and whether it counts.
fn end<'a>(
    tx: &mut Tx<'_>,
    ctx: &Context,
    results: &[&'a AttemptResult],
) -> Result<Vec<(&'a AttemptResult, JsonText, bool)>> {
    let texts = results.iter().map(|result| JsonText::of(&result.attempt)).collect::<Result<Vec<_>>>()?;
    let outcomes = results.iter().zip(&texts).map(|(result, text)| outcome(ctx, result, text));
    let outcomes = outcomes.collect::<Result<Vec<_>>>()?;
    let parts = deliveries::parts_of_outcomes(tx, &outcomes);
    let answers = tx.batch(parts.iter().map(|part| deliveries::end(part, ctx.now)).collect())?;
    let mut counted = Vec::with_capacity(results.len());
    for (part, rows) in parts.into_iter().zip(answers) {
        let ended = deliveries::ended(&rows)?;
        for DeliveryKey { tenant, subscription_id, event_id } in ended.removed {
            deliveries::remove(tx, &tenant, &subscription_id, &[event_id])?;
        }
        counted.extend(part.iter().map(|outcome| ended.recorded.contains(outcome.key)));
    }
    let all = results.iter().zip(texts).zip(counted);
    Ok(all.map(|((result, text), has_counted)| (*result, text, has_counted)).collect())
}

fn outcome<'a>(ctx: &Context, result: &'a AttemptResult, text: &'a JsonText) -> Result<AttemptOutcome<'a>> {
    let is_success = result.attempt.is_success();
    let tries = result.tries + i64::from(!is_success);
    let wait = if is_success {
        None
    } else {
        let chance = u32::from_le_bytes(ctx.random()?);
        schedule::after(usize::try_from(tries).unwrap_or_default(), chance, result.retry_after)
    };
    let stage = match (is_success, wait) {
        (true, _) => Stage::Delivered,
        (false, Some(_)) => Stage::Waiting,
        (false, None) => Stage::Failed,
    };
    Ok(AttemptOutcome {
        key: &result.key,
        lease: &result.lease,
        stage,
        retry_at: wait.map(|wait| ctx.now.plus(wait)),
        tries,
        number: result.number,
        attempt: text,
    })
}

/// Notes that a receiver failed, and why its subscription is deactivated for it, if it is.
fn note_failure(
    tx: &mut Tx<'_>,
    (tenant, subscription_id): (&TenantId, &SubscriptionId),
    is_gone: bool,
    now: Timestamp,
) -> Result<Option<Stopped>> {
    let Some(health) = webhooks::subscriptions::find_health(tx, tenant, subscription_id)? else {
        return Ok(None);
    };
    let verdict = health.failed(now);
    if verdict.health != health {
        tx.run(webhooks::subscriptions::update_health(tenant, subscription_id, verdict.health))?;
    }
    let why = match (is_gone, verdict.gives_up) {
        (true, _) => Stopped::Gone,
        (false, true) => Stopped::Failing,
        (false, false) => return Ok(None),
    };
    tx.run(webhooks::subscriptions::stop(tenant, subscription_id, why, now))?;
    Ok(Some(why))
}
