//! The outbox: an event is written in the transaction that makes it true.
//!
//! The body is fixed here, so that every attempt to deliver it sends the same bytes. The deliveries are created together with the
//! event: a second step could be lost, or run after the subscriptions have changed. Sending is the worker's task.

use pagesmith_model::json::JsonText;
use pagesmith_model::webhook::EventType;
use pagesmith_model::webhook::payload::EventBody;
use pagesmith_model::{EventId, Result, SubscriptionId};
use pagesmith_store::tables::events;
use pagesmith_store::tables::pending_work::{self, WorkKind};
use pagesmith_store::tables::webhooks::deliveries;
use pagesmith_store::{Query, Tx, Wakeup};
use serde::Serialize;

use crate::context::TenantContext;

/// Something that happened to a tenant's data.
pub(crate) struct Event<'a, P> {
    /// Its type.
    pub(crate) kind: EventType,
    /// What receivers read about it.
    pub(crate) payload: P,
    /// Who receives it.
    pub(crate) recipients: Recipients<'a>,
}

/// Who receives an event.
pub(crate) enum Recipients<'a> {
    /// Every active subscription to its type.
    Subscribed {
        /// Whether the transaction has read that `pending_work` lists the tenant for its deliveries.
        is_listed: bool,
    },
    /// One subscription alone. The event is a test and is not listed.
    Only(&'a SubscriptionId),
}

/// Emits an event: its id, and the statements that write it and its deliveries. They run in the transaction of the change,
/// together with the change's own statements.
pub(crate) fn emit<P: Serialize>(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    event: &Event<'_, P>,
) -> Result<(EventId, Vec<Query>)> {
    let (tenant, kind, request_id) = (&ctx.tenant, event.kind, ctx.request_id());
    // The time in the id is the transaction's, not the request's, which may have waited for long: events are read in the order of
    // their ids, and none may appear below one that was read.
    let event_id = EventId::mint(ctx.uuid_of_now()?);
    let body = JsonText::of(&EventBody { timestamp: ctx.now, event_id: &event_id, payload: &event.payload })?;
    tx.wake_after_commit(Wakeup::Deliveries);
    let statements = match event.recipients {
        Recipients::Subscribed { is_listed } => {
            let listing = (!is_listed).then(|| pending_work::add_matching(tenant, kind));
            let written = [
                events::insert(tenant, &event_id, kind, &body, ctx.now, request_id),
                deliveries::insert_matching(tenant, &event_id, kind, ctx.now, request_id),
            ];
            listing.into_iter().chain(written).collect()
        }
        Recipients::Only(subscription_id) => vec![
            pending_work::add(tenant, WorkKind::Deliveries),
            events::insert_for(tenant, subscription_id, &event_id, kind, &body, (ctx.now, request_id)),
            deliveries::insert(tenant, subscription_id, &event_id, ctx.now, request_id),
        ],
    };
    Ok((event_id, statements))
}
