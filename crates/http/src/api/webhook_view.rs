//! Webhook subscriptions and their deliveries as answers show them.

use pagesmith_model::webhook::{Attempt, EventType, Secret, Stopped, Subscription};
use pagesmith_model::{DeliveryId, EventId, SubscriptionId, Timestamp};
use pagesmith_operations::webhook_history::History;
use pagesmith_store::tables::deliveries::{Counts, Stage};
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::collection::collection;

/// A webhook subscription.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookSubscription", deny_unknown_fields)]
pub(crate) struct SubscriptionView {
    /// Its id.
    subscription_id: SubscriptionId,
    /// Where deliveries go.
    #[schemars(with = "pagesmith_model::page::Url")]
    url: String,
    /// Of which events it is told; null: of all.
    events: Option<Vec<EventType>>,
    /// Whether it is told anything.
    active: bool,
    /// When it was made.
    created_at: Timestamp,
    /// When it was last changed.
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

/// A webhook subscription with its new signing secret, which is shown only once.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookSubscriptionCreated", deny_unknown_fields)]
pub(crate) struct SubscriptionWithSecret {
    /// Its id.
    subscription_id: SubscriptionId,
    /// Where deliveries go.
    #[schemars(with = "pagesmith_model::page::Url")]
    url: String,
    /// Of which events it is told; null: of all.
    events: Option<Vec<EventType>>,
    /// Whether it is told anything.
    active: bool,
    /// When it was made.
    created_at: Timestamp,
    /// When it was last changed.
    updated_at: Timestamp,
    /// What its deliveries are signed with.
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

collection!(
    /// Webhook subscriptions, as a part of a collection.
    WebhookSubscriptionCollection,
    SubscriptionView,
    u64
);

/// Where a delivery is.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
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
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookDeliveryAttempt", deny_unknown_fields)]
pub(crate) struct AttemptView {
    /// Its number, from 1.
    number: i64,
    /// When it began.
    at: Timestamp,
    /// How long it took, in milliseconds.
    duration_ms: u64,
    /// The status of the answer, if there was one.
    status: Option<u16>,
    /// What went wrong before an answer was there, or while it was read.
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
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookDelivery", deny_unknown_fields)]
pub(crate) struct DeliveryView {
    /// Its id.
    delivery_id: DeliveryId,
    /// The event.
    event_id: EventId,
    /// The event's type.
    event_type: String,
    /// Where it is.
    status: DeliveryStatus,
    /// When it is tried next, if it waits for that.
    next_attempt_at: Option<Timestamp>,
    /// Every attempt, oldest first.
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

collection!(
    /// Deliveries, as a part of a collection. They are not counted.
    WebhookDeliveryCollection,
    DeliveryView,
    Option<u64>
);

/// How many of the last 100,000 deliveries are where, and how the receiver fares.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookSubscriptionStats", deny_unknown_fields)]
pub(crate) struct Stats {
    /// On their way, or waiting for their next attempt.
    waiting: u64,
    /// Arrived.
    delivered: u64,
    /// Given up after the last attempt.
    failed: u64,
    /// Since when every attempt has failed, if the last one has.
    failing_since: Option<Timestamp>,
    /// Why the service deactivated the subscription, if it did: `gone` after an answer of 410, `failing` after five days of failures, `secret_lost` when the server's key was lost: it needs another secret (`rotate_secret`) before it is activated.
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
