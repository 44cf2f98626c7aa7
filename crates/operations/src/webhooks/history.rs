//! What became of a subscription's deliveries, and sending them once more.
//!
//! A delivery keeps its id and its body however often it is sent: a resend is a further attempt with the whole schedule before it.

use pagesmith_model::id::Uuid7;
use pagesmith_model::json::JsonText;
use pagesmith_model::webhook::{Attempt, EventType, Subscription, sample};
use pagesmith_model::{DeliveryId, Error, EventId, Kind, Result, SubscriptionId, Timestamp};
use pagesmith_store::tables::events::{self, Event};
use pagesmith_store::tables::pending_work::{self, WorkKind};
use pagesmith_store::tables::webhooks;
use pagesmith_store::tables::webhooks::deliveries::{self, DeliveryKey};
use pagesmith_store::tables::webhooks::history::{Counts, Delivery, Filter};
use pagesmith_store::{Extent, ListPart, Tx, Wakeup};
use serde_json::json;

use crate::context::TenantContext;
use crate::outbox::{self, Recipients};
use crate::webhooks::subscriptions::find as subscription;

/// How many failed deliveries one call sends anew at most.
pub const RECOVERED: i64 = 1_000;
/// How many deliveries are counted at most: whoever looks at a subscription again and again holds up nobody.
pub const COUNTED: i64 = 100_000;

/// A delivery with its attempts, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    /// The delivery.
    pub delivery: Delivery,
    /// Number and outcome of each attempt.
    pub attempts: Vec<(i64, Attempt)>,
}

/// The least id of an event that happened at an instant or later.
pub fn first_of(instant: Timestamp) -> EventId {
    EventId::mint(Uuid7::first_of(instant))
}

fn key(ctx: &TenantContext, subscription_id: &SubscriptionId, event_id: &EventId) -> DeliveryKey {
    DeliveryKey {
        tenant: ctx.tenant.clone(),
        subscription_id: subscription_id.clone(),
        event_id: event_id.clone(),
    }
}

/// A subscription's deliveries, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    subscription_id: &SubscriptionId,
    filter: &Filter,
    extent: Extent,
) -> Result<ListPart<History>> {
    subscription(tx, ctx, subscription_id)?;
    let part = webhooks::history::list(tx, &ctx.tenant, subscription_id, filter, extent)?;
    let items = with_attempts(tx, ctx, subscription_id, part.items)?;
    Ok(ListPart { items, more: part.more, bytes: part.bytes })
}

fn with_attempts(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    subscription_id: &SubscriptionId,
    deliveries: Vec<Delivery>,
) -> Result<Vec<History>> {
    let again: Vec<EventId> = deliveries
        .iter()
        .filter(|delivery| delivery.attempts > 1)
        .map(|delivery| delivery.event_id.clone())
        .collect();
    let further = webhooks::attempts::list(tx, &ctx.tenant, subscription_id, &again)?;
    let read = |text: &JsonText| serde_json::from_str::<Attempt>(text.as_str()).map_err(Error::internal);
    let mut histories = Vec::new();
    for delivery in deliveries {
        let mut attempts = Vec::new();
        if let Some(first) = &delivery.first_attempt {
            attempts.push((1, read(first)?));
        }
        for (_, number, text) in further.iter().filter(|(event_id, ..)| *event_id == delivery.event_id) {
            attempts.push((*number, read(text)?));
        }
        histories.push(History { delivery, attempts });
    }
    Ok(histories)
}

fn history(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    subscription_id: &SubscriptionId,
    event_id: &EventId,
) -> Result<History> {
    let found = webhooks::history::find(tx, &key(ctx, subscription_id, event_id))?;
    let found = found.ok_or_else(|| Error::not_found(DeliveryId::NOUN))?;
    let mut histories = with_attempts(tx, ctx, subscription_id, vec![found])?;
    histories.pop().ok_or_else(|| Error::not_found(DeliveryId::NOUN))
}

/// One delivery.
pub fn find(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    subscription_id: &SubscriptionId,
    event_id: &EventId,
) -> Result<History> {
    subscription(tx, ctx, subscription_id)?;
    history(tx, ctx, subscription_id, event_id)
}

/// Sends an event to a subscription once more, whatever became of it before.
pub fn resend(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    subscription_id: &SubscriptionId,
    event_id: &EventId,
) -> Result<History> {
    find(tx, ctx, subscription_id, event_id)?;
    let key = key(ctx, subscription_id, event_id);
    tx.change(vec![
        pending_work::add(&ctx.tenant, WorkKind::Deliveries),
        deliveries::resend(&key, ctx.now, ctx.request_id()),
    ])?;
    tx.wake_after_commit(Wakeup::Deliveries);
    history(tx, ctx, subscription_id, event_id)
}

/// Sends what has failed of the events since an instant anew, oldest first; how many, up to [`RECOVERED`].
pub fn recover(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    subscription_id: &SubscriptionId,
    since: Timestamp,
) -> Result<u64> {
    subscription(tx, ctx, subscription_id)?;
    let from = first_of(since);
    tx.wake_after_commit(Wakeup::Deliveries);
    let cause = (ctx.now, ctx.request_id());
    tx.change(vec![pending_work::add(&ctx.tenant, WorkKind::Deliveries)])?;
    tx.run(deliveries::resend_failed(&ctx.tenant, subscription_id, &from, cause, RECOVERED))
}

/// Sends a sample event to one subscription, signed like a real one.
pub fn test(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    subscription_id: &SubscriptionId,
    kind: EventType,
) -> Result<History> {
    if !subscription(tx, ctx, subscription_id)?.active {
        let details = json!({ "active": false });
        let detail = "The webhook subscription is not active, so that nothing is sent to it.";
        return Err(Error::new(Kind::Conflict(Some(details)), detail));
    }
    let payload = sample::payload(kind, ctx.now)?;
    let event = outbox::Event { kind, payload, recipients: Recipients::Only(subscription_id) };
    let (event_id, statements) = outbox::emit(tx, ctx, &event)?;
    tx.batch(statements)?;
    history(tx, ctx, subscription_id, &event_id)
}

/// A subscription and how many of its last `most` deliveries are at each stage.
pub fn stats(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    subscription_id: &SubscriptionId,
    most: i64,
) -> Result<(Subscription, Counts)> {
    let subscription = subscription(tx, ctx, subscription_id)?;
    Ok((subscription, webhooks::history::count(tx, &ctx.tenant, subscription_id, most)?))
}

/// Events, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happened {
    /// The events.
    pub events: ListPart<Event>,
    /// How many of them, from the first on, have their place: nothing can come before them any more.
    pub settled: usize,
}

/// One event, also a test of one subscription.
pub fn event(tx: &mut Tx<'_>, ctx: &TenantContext, event_id: &EventId) -> Result<Event> {
    let found = events::find(tx, &ctx.tenant, event_id)?;
    found.ok_or_else(|| Error::not_found(EventId::NOUN))
}

/// What happened to a tenant's things, oldest first, behind an event.
///
/// Ids are given out before their transactions are committed, and on PostgreSQL several are under way at a time. So only what nothing can
/// come before any more is shown, unless all of it is wanted that is there.
pub fn events(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    after: Option<&EventId>,
    kind: Option<EventType>,
    is_live: bool,
    extent: Extent,
) -> Result<Happened> {
    let settles = tx.settles_after().map(|settled| first_of(ctx.now.minus(settled)));
    let before = settles.as_ref().filter(|_| !is_live);
    let events = events::list(tx, &ctx.tenant, after, before, kind, extent)?;
    let has_place = |event: &Event| settles.as_ref().is_none_or(|end| event.event_id < *end);
    let settled = events.items.partition_point(has_place);
    Ok(Happened { events, settled })
}
