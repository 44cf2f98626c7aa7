//! A webhook subscription with a delivery, for the tests that cover every operation.

use crate::Client;
use serde_json::json;

use crate::samples::owned::{Owned, create, make_room};
use crate::samples::{Id, Sample, Work};

/// A webhook subscription with a delivery, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    groups: &[("Webhook Subscriptions", 5)],
    ids: &[
        Id::top("{subscription_id}", "sub"),
        Id::nested("{delivery_id}", "delivery"),
        Id::top("{event_id}", "event"),
    ],
    make: |client, owned| Box::pin(make(client, owned)),
    reads: &[
        "/v0/webhook_subscriptions",
        "/v0/webhook_subscriptions/{subscription_id}/deliveries",
        "/v0/webhook_subscriptions/{subscription_id}/stats",
    ],
    deletes: &["/v0/webhook_subscriptions/{subscription_id}"],
    differences: &[
        (
            "Required with a default: may be left out; the default applies.",
            &["form.submitted.payload.utmParameters: field optional → required"],
        ),
        (
            "Subscription: events omitted or null: all; an empty array: 400.",
            &[
                "request CreateWebhookSubscriptionRequest.events: minItems – → 1",
                "request CreateWebhookSubscriptionRequest.events: nullable false → true",
                "request UpdateWebhookSubscriptionRequest.events: minItems – → 1",
                "request UpdateWebhookSubscriptionRequest.events: nullable false → true",
            ],
        ),
        (
            "Subscription: a host in another script is taken and kept in its ASCII form.",
            &["request Url: format \"uri\" → \"iri\""],
        ),
    ],
    work: &[
        Work {
            name: "deliveries",
            made_by: "INSERT INTO deliveries (tenant_id, subscription_id, event_id, stage, timer_at, tries, attempts,
                    created_at, updated_at)
                VALUES ('{tenant}', 'sub_{id}', 'event_{id}', 'waiting', {old}, 0, 0, {old}, {old})",
            left: "deliveries WHERE tenant_id = '{tenant}' AND timer_at <= {now}",
        },
        Work {
            name: "sweep_webhooks",
            made_by: "INSERT INTO events (tenant_id, event_id, type, body, created_at)
                VALUES ('{tenant}', 'event_{id}', 'page.created', '{}', {old})",
            left: "events WHERE tenant_id = '{tenant}' AND event_id = 'event_{id}'",
        },
        Work {
            name: "sweep_deleted_subscriptions",
            made_by: "INSERT INTO webhook_subscriptions (tenant_id, subscription_id, url, event_bits, active, secrets, created_at,
                    updated_at, deleted_at)
                VALUES ('{tenant}', 'sub_{other}', 'https://acme.example', 0, FALSE, {bytes}, {old}, {old}, {old})",
            left: "webhook_subscriptions WHERE tenant_id = '{tenant}' AND deleted_at IS NOT NULL",
        },
    ],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    make_room(client, "/v0/webhook_subscriptions", "subscriptionId", 50).await;
    let subscription = json!({ "url": "https://example.com/hooks", "events": ["form.submitted"] });
    let subscription = create(client, "/v0/webhook_subscriptions", &subscription).await;
    owned.add("{subscription_id}", &subscription, "subscriptionId");
    let test = owned.fill("/v0/webhook_subscriptions/{subscription_id}/test");
    let delivery = create(client, &test, &json!({})).await;
    owned.add("{delivery_id}", &delivery, "deliveryId");
    owned.add("{event_id}", &delivery, "eventId");
}
