//! A topic, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::{Owned, create};
use crate::samples::{Id, Sample};

pub(super) mod entries;

/// A topic, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    groups: &[("Topics", 6)],
    ids: &[Id::top("{topic_id}", "topic")],
    make: |client, owned| Box::pin(make(client, owned)),
    reads: &["/v0/topics?limit=100"],
    deletes: &["/v0/topics/{topic_id}"],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    let topic = create(client, "/v0/topics", &json!({ "title": "Pricing" })).await;
    owned.add("{topic_id}", &topic, "topicId");
}
