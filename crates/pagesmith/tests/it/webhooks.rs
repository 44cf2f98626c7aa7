//! Webhook subscriptions, their deliveries and the queue of what is to be sent.

use std::time::Duration;

use pagesmith_model::webhook::Attempt;
use pagesmith_operations::webhooks::deliveries::{
    self as queue_of_deliveries, AttemptResult, Capacity, Claimed, Due, Recorded, Turn,
};
use pagesmith_testkit::{Client, TestApp};
use serde_json::{Value, json};

use crate::audiences;

mod bad_input;
pub(crate) mod deliveries;
mod events;
mod giving_up;
mod history;
mod queue;
mod secrets;
mod subscriptions;
mod suspended;
mod sweep;

const PATH: &str = "/v0/webhook_subscriptions";
const URL: &str = "https://example.com/hooks";

/// A server, and a worker in the test's hand.
struct Scene {
    app: TestApp,
    client: Client,
}

impl Scene {
    async fn start() -> Scene {
        let app = TestApp::start().await;
        let client = app.client();
        Scene { app, client }
    }

    /// Makes a subscription; its path.
    async fn subscribe(&self, body: Value) -> String {
        subscribe(&self.client, body).await
    }

    /// Lets something happen that is told: `page.version.created`.
    async fn happen(&self) {
        happen(&self.client).await;
    }

    async fn get(&self, path: &str) -> Value {
        self.client.get(path).await.expect(200).json()
    }

    /// What a worker with that much free capacity is given, each queue at most `per_queue`.
    async fn claim(&self, free: usize, per_queue: usize) -> Claimed {
        self.claim_with(Turn::default(), Capacity { free, per_queue, ..Capacity::default() }).await
    }

    async fn claim_with(&self, turn: Turn, capacity: Capacity) -> Claimed {
        let ctx = self.app.platform.context();
        self.app.store.claim(move |tx| queue_of_deliveries::claim(tx, &ctx, &turn, &capacity)).await.unwrap()
    }

    async fn record(&self, results: Vec<AttemptResult>) -> Recorded {
        let ctx = self.app.platform.context();
        self.app.store.claim(move |tx| queue_of_deliveries::record(tx, &ctx, &results)).await.unwrap()
    }

    /// Notes that all of these were answered with a status.
    async fn answer(&self, due: &[Due], status: u16) -> Recorded {
        self.record(due.iter().map(|due| self.answered(due, status)).collect()).await
    }

    /// Sends the one delivery that is due, which is answered with a status.
    async fn attempt(&self, status: u16) -> Recorded {
        let due = self.claim(1, 1).await.due;
        assert_eq!(due.len(), 1);
        self.answer(&due, status).await
    }

    fn answered(&self, due: &Due, status: u16) -> AttemptResult {
        AttemptResult {
            key: due.key.clone(),
            lease: due.lease.clone(),
            number: due.number,
            tries: due.tries,
            attempt: Attempt {
                at: self.app.platform.clock().now(),
                duration_ms: 12,
                status: Some(status),
                error: None,
                response: Some("thanks".to_owned()),
            },
            retry_after: None,
        }
    }

    /// Turns the clock by hours.
    fn pass(&self, hours: u64) {
        self.app.advance(Duration::from_hours(hours));
    }
}

async fn subscribe(client: &Client, body: Value) -> String {
    let made = client.post(PATH, &body).await.expect(201).json();
    format!("{PATH}/{}", made["subscriptionId"].as_str().unwrap())
}

pub(crate) async fn happen(client: &Client) {
    let page = audiences::page(client).await;
    audiences::audience(client, &page, &json!({})).await;
}

/// The last part of a path.
fn id_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}
