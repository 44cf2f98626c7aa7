//! Events on their way to receivers: real ones, on ports of the machine, with time in the test's hand.

use std::time::Duration;

use pagesmith_testkit::{Client, Receiver, TestApp};
use serde_json::{Value, json};

use crate::audiences;

pub mod crash;
mod crowd;
mod hostile;
mod proxy;
mod retrying;
mod sending;
mod traces;
pub(crate) mod unreachable;

const SECOND: Duration = Duration::from_secs(1);

/// A subscription as its owner knows it.
struct Subscription {
    path: String,
    secret: String,
}

/// A server that may send to its own machine, and a receiver.
struct Scene {
    app: TestApp,
    client: Client,
    receiver: Receiver,
    /// The path of a page.
    page: String,
}

impl Scene {
    async fn start() -> Scene {
        let app = TestApp::with(|plan| plan.settings.allowed_networks = "127.0.0.0/8".parse().unwrap()).await;
        let client = app.client();
        let page = audiences::page(&client).await;
        Scene { app, client, receiver: Receiver::start().await, page }
    }

    /// Subscribes the receiver to these events, or to all.
    async fn subscribe(&self, events: Option<&[&str]>) -> Subscription {
        self.subscribe_url(&self.receiver.url(), events).await
    }

    async fn subscribe_url(&self, url: &str, events: Option<&[&str]>) -> Subscription {
        let body = json!({ "url": url, "events": events });
        let made = self.client.post("/v0/webhook_subscriptions", &body).await.expect(201).json();
        let path = format!("/v0/webhook_subscriptions/{}", made["subscriptionId"].as_str().unwrap());
        Subscription { path, secret: made["signingSecret"].as_str().unwrap().to_owned() }
    }

    /// Lets one event happen: a version is made.
    async fn happen(&self) {
        audiences::audience(&self.client, &self.page, &json!({})).await;
    }

    /// Sends what is due.
    async fn deliver(&self) {
        self.app.deliver().await;
    }

    async fn get(&self, path: &str) -> Value {
        self.client.get(path).await.expect(200).json()
    }

    /// The deliveries of a subscription, newest first.
    async fn deliveries(&self, of: &Subscription) -> Vec<Value> {
        self.get(&format!("{}/deliveries", of.path)).await["items"].as_array().unwrap().clone()
    }
}
