//! Webhook subscriptions and their deliveries as answers show them.

use std::time::Duration;

use pagesmith_model::example::example;
use pagesmith_model::webhook::{Attempt, EventType, Secret, Stopped, Subscription};
use pagesmith_model::{DeliveryId, EventId, Result, SubscriptionId, Timestamp};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::webhooks::history::{self as operations, COUNTED, History};
use pagesmith_store::Tx;
use pagesmith_store::tables::webhooks::deliveries::Stage;
use pagesmith_store::tables::webhooks::history::Counts;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::collection::CollectionItem;
use crate::extract::Call;
use crate::watched::Watched;

/// A webhook subscription.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookSubscription", deny_unknown_fields)]
#[schemars(example = json!({
    "subscriptionId": "sub_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "url": "https://example.com/webhooks/pagesmith",
    "events": ["page.version.processed", "page.version.published"],
    "active": true,
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-21T14:05:12.480Z",
}))]
pub(crate) struct SubscriptionView {
    /// Id of the webhook subscription.
    subscription_id: SubscriptionId,
    /// Address that receives the deliveries.
    #[schemars(with = "pagesmith_model::page::Url")]
    url: String,
    /// Types of events that are delivered. `null`: all types.
    events: Option<Vec<EventType>>,
    /// Whether events are delivered.
    active: bool,
    /// When the subscription was created.
    created_at: Timestamp,
    /// When the subscription was last changed.
    updated_at: Timestamp,
}

impl From<Subscription> for SubscriptionView {
    fn from(of: Subscription) -> SubscriptionView {
        SubscriptionView {
            events: of.selection.types().map(<[EventType]>::to_vec),
            subscription_id: of.subscription_id,
            url: of.url,
            active: of.active,
            created_at: of.created_at,
            updated_at: of.updated_at,
        }
    }
}

/// A webhook subscription with its new signing secret. No other answer shows the secret.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookSubscriptionCreated", deny_unknown_fields)]
#[schemars(example = json!({
    "subscriptionId": "sub_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "url": "https://example.com/webhooks/pagesmith",
    "events": ["page.version.processed", "page.version.published"],
    "active": true,
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-21T14:05:12.480Z",
    "signingSecret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
}))]
pub(crate) struct SubscriptionWithSecret {
    /// Id of the webhook subscription.
    subscription_id: SubscriptionId,
    /// Address that receives the deliveries.
    #[schemars(with = "pagesmith_model::page::Url")]
    url: String,
    /// Types of events that are delivered. `null`: all types.
    events: Option<Vec<EventType>>,
    /// Whether events are delivered.
    active: bool,
    /// When the subscription was created.
    created_at: Timestamp,
    /// When the subscription was last changed.
    updated_at: Timestamp,
    /// Secret with which deliveries are signed: `whsec_` and the base64 form of 32 bytes.
    signing_secret: String,
}

impl SubscriptionWithSecret {
    /// The subscription with that secret.
    pub(crate) fn new(of: Subscription, secret: &Secret) -> SubscriptionWithSecret {
        let SubscriptionView { subscription_id, url, events, active, created_at, updated_at } = of.into();
        let signing_secret = secret.expose().to_owned();
        SubscriptionWithSecret {
            subscription_id,
            url,
            events,
            active,
            created_at,
            updated_at,
            signing_secret,
        }
    }
}

impl CollectionItem for SubscriptionView {
    const COLLECTION: &str = "A part of the list of webhook subscriptions.";
}

/// Where a delivery is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum DeliveryStatus {
    /// On its way, or waiting for its next attempt.
    Waiting,
    /// Arrived.
    Delivered,
    /// Given up after the last attempt.
    Failed,
}

impl DeliveryStatus {
    /// The stage of that name.
    pub(crate) fn parse(text: &str) -> Option<Stage> {
        match text {
            "waiting" => Some(Stage::Waiting),
            "delivered" => Some(Stage::Delivered),
            "failed" => Some(Stage::Failed),
            _ => None,
        }
    }
}

impl From<Stage> for DeliveryStatus {
    fn from(stage: Stage) -> DeliveryStatus {
        match stage {
            Stage::Waiting => DeliveryStatus::Waiting,
            Stage::Delivered => DeliveryStatus::Delivered,
            Stage::Failed => DeliveryStatus::Failed,
        }
    }
}

/// An attempt to deliver an event.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookDeliveryAttempt", deny_unknown_fields)]
#[schemars(example = json!({
    "number": 1,
    "at": "2026-03-20T09:30:24.452Z",
    "durationMs": 87,
    "status": 204,
    "error": null,
    "response": null,
}))]
pub(crate) struct AttemptView {
    /// Number of the attempt, from 1.
    number: i64,
    /// When the attempt began.
    at: Timestamp,
    /// How long the attempt took, in milliseconds.
    duration_ms: u64,
    /// Status of the receiver's answer, if there was one.
    status: Option<u16>,
    /// What went wrong before the answer arrived or while it was read.
    error: Option<String>,
    /// The first 4 KiB of the answer's body.
    response: Option<String>,
}

impl AttemptView {
    fn new((number, of): (i64, Attempt)) -> AttemptView {
        let Attempt { at, duration_ms, status, error, response } = of;
        AttemptView { number, at, duration_ms, status, error, response }
    }
}

/// The delivery of an event to a webhook subscription.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookDelivery", deny_unknown_fields)]
#[schemars(example = json!({
    "deliveryId": "delivery_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "eventId": "event_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "eventType": "page.version.published",
    "status": "delivered",
    "nextAttemptAt": null,
    "attempts": [example::<AttemptView>()],
    "createdAt": "2026-03-20T09:30:24.310Z",
    "updatedAt": "2026-03-20T09:30:24.539Z",
}))]
pub(crate) struct DeliveryView {
    /// Id of the delivery, unique within its subscription.
    delivery_id: DeliveryId,
    /// Id of the event.
    event_id: EventId,
    /// Type of the event.
    event_type: String,
    /// `waiting` while an attempt is under way or still to come, `delivered` after a success, `failed` after
    /// the last attempt.
    status: DeliveryStatus,
    /// When the next attempt is made, if one is planned.
    next_attempt_at: Option<Timestamp>,
    /// All attempts, oldest first.
    attempts: Vec<AttemptView>,
    /// When the event happened.
    created_at: Timestamp,
    /// When the delivery last changed.
    updated_at: Timestamp,
}

impl From<History> for DeliveryView {
    fn from(History { delivery, attempts }: History) -> DeliveryView {
        DeliveryView {
            delivery_id: DeliveryId::of(&delivery.event_id),
            event_id: delivery.event_id,
            event_type: delivery.kind,
            status: delivery.stage.into(),
            next_attempt_at: delivery.due_at,
            attempts: attempts.into_iter().map(AttemptView::new).collect(),
            created_at: delivery.created_at,
            updated_at: delivery.updated_at,
        }
    }
}

impl CollectionItem for DeliveryView {
    const COLLECTION: &str =
        "A part of the list of a subscription's deliveries. `totalCount` is always null.";
}

/// How the newest 100,000 deliveries of a webhook subscription fared.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookSubscriptionStats", deny_unknown_fields)]
#[schemars(example = json!({
    "waiting": 2,
    "delivered": 4180,
    "failed": 3,
    "failingSince": null,
    "deactivatedBecause": null,
}))]
pub(crate) struct Stats {
    /// Number of deliveries with an attempt under way or still to come.
    waiting: u64,
    /// Number of deliveries that succeeded.
    delivered: u64,
    /// Number of deliveries that failed for good.
    failed: u64,
    /// Since when every attempt has failed, if the last one has.
    failing_since: Option<Timestamp>,
    /// Why the service deactivated the subscription: `gone` after an answer of 410, `failing` after five days
    /// of failures, `secret_lost` when the server's key was lost. The last one needs `rotateWebhookSecret`
    /// before the subscription can be active again.
    deactivated_because: Option<Stopped>,
}

impl From<(Subscription, Counts)> for Stats {
    fn from((subscription, counts): (Subscription, Counts)) -> Stats {
        Stats {
            waiting: counts.waiting,
            delivered: counts.delivered,
            failed: counts.failed,
            failing_since: subscription.health.failing_since,
            deactivated_because: subscription.stopped,
        }
    }
}

impl Watched for DeliveryView {
    type Of = (SubscriptionId, EventId);
    const EVENT: &'static str = "delivery";
    const EXAMPLE: &'static str =
        "{\"deliveryId\":\"delivery_01jpbz8n4xf5k9w2d7hq3mv6ta\",\"status\":\"delivered\",…}";
    const INTERVAL: Duration = Duration::from_secs(2);

    async fn read(call: &Call, (subscription_id, event_id): &Self::Of) -> Result<DeliveryView> {
        let (subscription_id, event_id) = (subscription_id.clone(), event_id.clone());
        let found = call.read(move |tx, ctx| operations::find(tx, ctx, &subscription_id, &event_id)).await?;
        Ok(DeliveryView::from(found))
    }

    fn is_final(&self) -> bool {
        self.status != DeliveryStatus::Waiting
    }
}

impl Watched for Stats {
    type Of = SubscriptionId;
    const EVENT: &'static str = "stats";
    const EXAMPLE: &'static str = "{\"waiting\":2,\"delivered\":4180,\"failed\":3,…}";
    // Up to 100,000 rows are counted each time.
    const INTERVAL: Duration = Duration::from_secs(5);

    async fn read(call: &Call, subscription_id: &SubscriptionId) -> Result<Stats> {
        let subscription_id = subscription_id.clone();
        let read =
            move |tx: &mut Tx<'_>, ctx: &TenantContext| operations::stats(tx, ctx, &subscription_id, COUNTED);
        Ok(Stats::from(call.read(read).await?))
    }
}
