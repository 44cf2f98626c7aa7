//! The operations on deliveries of a webhook subscription, all of them beyond the contract.

use pagesmith_endpoint::endpoint;
use pagesmith_model::webhook::EventType;
use pagesmith_model::{DeliveryId, EventId, Result, SubscriptionId, Timestamp};
use pagesmith_operations::webhooks::history::{self as operations, History, RECOVERED, first_of};
use pagesmith_store::tables::webhooks::history::Filter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::api::webhooks::view::{DeliveryStatus, DeliveryView, Stats};
use crate::collection::Collection;
use crate::extract::body::{EmptyObject, OptionalBody};
use crate::extract::query::{BoundFilters, FromQuery, Parameter, Parameters, instant, one};
use crate::extract::{Body, Call, Findings, IdempotencyKey, Paging, Path, Query};
use crate::reply::Reply;
use crate::watched::WatchedAnswer;

/// Which deliveries are wanted.
pub(crate) struct DeliveryFilter {
    wanted: Filter,
    bound: BoundFilters,
}

impl DeliveryFilter {
    /// The wanted deliveries after that of an event, which are those of older events.
    fn after(&self, event_id: Option<&EventId>) -> Filter {
        let wanted = self.wanted.clone();
        Filter { before: event_id.cloned().or(wanted.before), ..wanted }
    }
}

impl FromQuery for DeliveryFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "type",
            description: "Only deliveries of events of this type.",
            example: "page.version.published",
        },
        Parameter {
            name: "status",
            description: "Only deliveries with this status: `waiting`, `delivered` or `failed`.",
            example: "failed",
        },
        Parameter {
            name: "since",
            description: "Only deliveries of events at or after this instant.",
            example: "2026-03-20T00:00:00Z",
        },
        Parameter {
            name: "until",
            description: "Only deliveries of events before this instant.",
            example: "2026-03-21T00:00:00Z",
        },
    ];

    fn read(parameters: &Parameters, findings: &mut Findings) -> DeliveryFilter {
        let bound = BoundFilters::sent(&["type", "status", "since", "until"], parameters, findings);
        let wanted = Filter {
            kind: one(parameters, "type", "the type of an event", EventType::parse, findings),
            stage: one(parameters, "status", "waiting, delivered or failed", DeliveryStatus::parse, findings),
            from: instant(parameters, "since", findings).map(first_of),
            before: instant(parameters, "until", findings).map(first_of),
        };
        DeliveryFilter { wanted, bound }
    }
}

/// Lists the deliveries of a webhook subscription with their attempts, newest first.
///
/// Deliveries are kept for 30 days and can be filtered by type, status and time. They are not counted:
/// `totalCount` is `null`.
#[endpoint]
pub(crate) async fn list_webhook_deliveries(
    call: Call,
    Path(subscription_id): Path<SubscriptionId>,
    paging: Paging,
    Query(filter): Query<DeliveryFilter>,
) -> Result<Reply<Collection<DeliveryView, Option<u64>>>> {
    let filters = filter.bound.after(&[("subscription", subscription_id.as_str())]);
    let list = paging.keyset(&call, "deliveries", &filters)?;
    let found = list.read(&call, move |tx, ctx, after, extent| {
        operations::list(tx, ctx, &subscription_id, &filter.after(after), extent)
    });
    let position = |of: &History| of.delivery.event_id.clone();
    list.answer(&call, (found.await?, None), position, DeliveryView::from).await
}

/// Returns a delivery with its attempts.
///
/// Each attempt has the status of the receiver's answer, how long it took, and the first 4 KiB of the answer's
/// body. With `Accept: text/event-stream`, the response is a stream of server-sent events called `delivery`: one
/// at once and one after every change, until the delivery has arrived or failed for good.
#[endpoint]
pub(crate) async fn get_webhook_delivery(
    call: Call,
    Path(subscription_id): Path<SubscriptionId>,
    Path(delivery_id): Path<DeliveryId>,
) -> Result<WatchedAnswer<DeliveryView>> {
    WatchedAnswer::read(call, (subscription_id, delivery_id.event_id())).await
}

/// Sends a delivery again, whatever its status.
///
/// The delivery starts its schedule of attempts again, with the same body and the same `eventId`, by which
/// the receiver recognises it.
#[endpoint]
pub(crate) async fn resend_webhook_delivery(
    call: Call,
    Path(subscription_id): Path<SubscriptionId>,
    Path(delivery_id): Path<DeliveryId>,
    key: IdempotencyKey,
    Body(EmptyObject {}): Body<EmptyObject>,
) -> Result<Reply<DeliveryView>> {
    let event_id = delivery_id.event_id();
    call.change_once(key, move |tx, ctx| {
        operations::resend(tx, ctx, &subscription_id, &event_id).map(DeliveryView::from)
    })
    .await
}

/// Which failed deliveries are sent again.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "RecoverWebhookDeliveriesRequest")]
#[schemars(example = json!({ "since": "2026-03-20T00:00:00Z" }))]
pub(crate) struct Since {
    /// Deliveries of events at or after this instant.
    since: Timestamp,
}

/// How many deliveries are sent again.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RecoveredWebhookDeliveries", deny_unknown_fields)]
#[schemars(example = json!({ "recovered": 42, "hasMore": false }))]
pub(crate) struct Recovered {
    /// Number of deliveries, the oldest first.
    recovered: u64,
    /// Whether there may be more. The same call again sends those.
    has_more: bool,
}

/// Sends again every failed delivery of events since a time.
///
/// Each delivery starts its schedule of attempts again. A call takes up to 1,000 deliveries, oldest first;
/// if `hasMore` is true, the same call again takes the next ones.
#[endpoint]
pub(crate) async fn recover_webhook_deliveries(
    call: Call,
    Path(subscription_id): Path<SubscriptionId>,
    key: IdempotencyKey,
    Body(Since { since }): Body<Since>,
) -> Result<Reply<Recovered>> {
    call.change_once(key, move |tx, ctx| {
        let recovered = operations::recover(tx, ctx, &subscription_id, since)?;
        Ok(Recovered { recovered, has_more: recovered >= RECOVERED.unsigned_abs() })
    })
    .await
}

/// Which sample event is sent.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "TestWebhookSubscriptionRequest")]
#[schemars(example = json!({ "type": "page.version.published" }))]
pub(crate) struct Sample {
    /// Type of the sample event. The subscription need not select it.
    #[serde(rename = "type", default = "published")]
    kind: EventType,
}

fn published() -> EventType {
    EventType::VersionPublished
}

/// Sends a sample event to a webhook subscription.
///
/// The sample looks like a real event of the given `type` and is signed like one, but its ids name nothing.
/// It goes to this subscription only, whether or not that selects the type, and is not part of the list of
/// events. The answer is the delivery; get it again to see the outcome of its first attempt. Fails with 409
/// if the subscription is not active.
#[endpoint]
pub(crate) async fn test_webhook_subscription(
    call: Call,
    Path(subscription_id): Path<SubscriptionId>,
    key: IdempotencyKey,
    OptionalBody(Sample { kind }): OptionalBody<Sample>,
) -> Result<Reply<DeliveryView, 201>> {
    call.change_once(key, move |tx, ctx| {
        operations::test(tx, ctx, &subscription_id, kind).map(DeliveryView::from)
    })
    .await
}

/// Counts the deliveries of a webhook subscription by status.
///
/// The newest 100,000 deliveries are counted. The answer also says since when every attempt has failed, and
/// why the service deactivated the subscription, if it did. With `Accept: text/event-stream`, the response
/// is a stream of server-sent events called `stats`: one at once and one after every change, for ten
/// minutes.
#[endpoint]
pub(crate) async fn get_webhook_subscription_stats(
    call: Call,
    Path(subscription_id): Path<SubscriptionId>,
) -> Result<WatchedAnswer<Stats>> {
    WatchedAnswer::read(call, subscription_id).await
}
