//! What is told to the world: each event is written down in the transaction that makes it true.
//!
//! The body is fixed here, once, so that every attempt to deliver it sends the same bytes. With it goes a delivery for every subscription
//! that wants it: a second step could be lost, or come after the subscription has changed. Whether it arrives is not known here.

use pagesmith_model::json::JsonText;
use pagesmith_model::version::Version;
use pagesmith_model::version::life::VersionEvent;
use pagesmith_model::webhook::EventType;
use pagesmith_model::webhook::payload::{EventBody, VersionPayload};
use pagesmith_model::{EventId, Result};
use pagesmith_store::tables::events;
use pagesmith_store::tables::webhooks::deliveries;
use pagesmith_store::{Query, Tx, Wakeup};
use serde::Serialize;

use crate::world::TenantContext;

/// An id for an event that happens in this transaction. Its time is that of the transaction and not of the request, which may have waited
/// for long: whoever reads events in the order of ids must not meet one too late.
pub(crate) fn event_id(ctx: &TenantContext) -> Result<EventId> {
    Ok(EventId::mint(ctx.uuid_of_now()?))
}

/// The bytes that tell of an event.
pub(crate) fn body(ctx: &TenantContext, event_id: &EventId, payload: &impl Serialize) -> Result<JsonText> {
    JsonText::of(&EventBody { timestamp: ctx.now, event_id, payload })
}

/// The statements that tell what happened to a version, to travel with the change.
pub(crate) fn version(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    version: &Version,
    event: VersionEvent,
) -> Result<[Query; 2]> {
    let (page, version) = (version.page_id.as_str(), version.version_id.as_str());
    let (kind, payload) = (EventType::of(event), VersionPayload::new(event, page, version, ctx.now));
    let event_id = event_id(ctx)?;
    let body = body(ctx, &event_id, &payload)?;
    // Who delivers is called when all of this is committed.
    tx.wake_after_commit(Wakeup::Deliveries);
    Ok([
        events::insert(&ctx.tenant, &event_id, kind, &body, ctx.now, ctx.request_id()),
        deliveries::insert_matching(&ctx.tenant, &event_id, kind, ctx.now, ctx.request_id()),
    ])
}
