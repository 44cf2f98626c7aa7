//! Webhooks: who is told of events, how it is signed, when it is tried again and when it is given up.
//!
//! Pure rules only. Subscriptions and deliveries are stored and changed by `operations/webhooks.rs` and the files below
//! it; the network is the worker's.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;

use crate::error::{Error, Result};
use crate::id::SubscriptionId;
use crate::issue::Issue;
use crate::time::Timestamp;

pub mod attempt;
pub mod event_type;
pub mod health;
pub mod payload;
pub mod sample;
pub mod schedule;
pub mod secret;
pub mod signature;
pub mod url;

pub use attempt::Attempt;
pub use event_type::{EventType, Selection};
pub use health::Health;
pub use secret::{Secret, Secrets};

/// The most subscriptions that a tenant may have.
pub const MOST_SUBSCRIPTIONS: usize = 50;

/// A subscription as it is kept, without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    /// Its id.
    pub subscription_id: SubscriptionId,
    /// Where deliveries go.
    pub url: String,
    /// Of which events it is told.
    pub selection: Selection,
    /// Whether it is told anything.
    pub active: bool,
    /// Why it is not, where nobody asked for that.
    pub stopped: Option<Stopped>,
    /// How its receiver fares.
    pub health: Health,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Why a subscription was deactivated by the service itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Stopped {
    /// The receiver answered 410.
    Gone,
    /// Every attempt failed for days.
    Failing,
    /// The server's key was lost, and its signing secret with it.
    SecretLost,
}

impl Stopped {
    /// The reason as it is stored and answered.
    pub fn as_str(self) -> &'static str {
        match self {
            Stopped::Gone => "gone",
            Stopped::Failing => "failing",
            Stopped::SecretLost => "secret_lost",
        }
    }

    /// The reason of that text.
    pub fn parse(text: &str) -> Option<Stopped> {
        [Stopped::Gone, Stopped::Failing, Stopped::SecretLost]
            .into_iter()
            .find(|reason| reason.as_str() == text)
    }
}

/// A webhook subscription to be created.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreateWebhookSubscriptionRequest")]
#[schemars(example = json!({
    "url": "https://example.com/webhooks/pagesmith",
    "events": ["page.version.processed", "page.version.published"],
    "active": true,
}))]
pub struct NewSubscription {
    /// Address that receives the deliveries: http or https, at most 2,048 characters, without credentials or
    /// fragment. It must lead to a public address. A host in another script is stored in its ASCII form.
    #[schemars(with = "url::DeliveryUrl")]
    pub url: String,
    /// Types of events that are delivered. Left out or `null`: all types, including future ones.
    #[serde(default)]
    pub events: Option<EventTypes>,
    /// Whether events are delivered.
    #[serde(default = "yes")]
    pub active: bool,
}

/// Changes of a webhook subscription. Fields that are left out keep their value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdateWebhookSubscriptionRequest")]
#[schemars(example = json!({ "events": null, "active": true }))]
pub struct SubscriptionPatch {
    /// Address that receives the deliveries: http or https, at most 2,048 characters, without credentials or
    /// fragment. It must lead to a public address. A host in another script is stored in its ASCII form.
    #[serde(default)]
    #[schemars(with = "url::DeliveryUrl")]
    pub url: Option<String>,
    /// Types of events that are delivered. `null`: all types, including future ones.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<EventTypes>")]
    pub events: Option<Option<EventTypes>>,
    /// Whether events are delivered. `false` pauses the subscription.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub active: Option<bool>,
}

/// A list of event types, at least one.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct EventTypes(#[schemars(length(min = 1, max = 1000))] pub Vec<EventType>);

fn yes() -> bool {
    true
}

/// Tells `null` (some none) from a field that is not there (none).
fn given<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Option<Option<EventTypes>>, D::Error> {
    Option::<EventTypes>::deserialize(deserializer).map(Some)
}

/// The URL of a request as it is kept; what breaks a rule is an issue of the body.
pub fn accept_url(text: &str, networks: &crate::network::Networks) -> Result<String> {
    match url::check(text, networks) {
        Ok(()) => Ok(url::kept(text).into_owned()),
        Err(refusal) => {
            Err(Error::invalid(vec![Issue::body(refusal.code(), &["url"], format!("url: {refusal}."))]))
        }
    }
}
