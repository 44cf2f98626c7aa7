//! Webhook subscriptions: where events are delivered, and what became of each delivery.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::webhooks::{deliveries, subscriptions};
use crate::table::Access::Persons;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/webhook_subscriptions", subscriptions::list_webhook_subscriptions, Read),
        row!(POST "/v0/webhook_subscriptions", subscriptions::create_webhook_subscription, Write),
        row!(GET "/v0/webhook_subscriptions/{subscription_id}", subscriptions::get_webhook_subscription, Read),
        row!(PATCH "/v0/webhook_subscriptions/{subscription_id}", subscriptions::update_webhook_subscription, Write),
        row!(DELETE "/v0/webhook_subscriptions/{subscription_id}", subscriptions::delete_webhook_subscription, Write),
        row!(POST "/v0/webhook_subscriptions/{subscription_id}/rotate_secret", subscriptions::rotate_webhook_secret, Write),
        row!(POST "/v0/webhook_subscriptions/{subscription_id}/test", deliveries::test_webhook_subscription, Write),
        row!(GET "/v0/webhook_subscriptions/{subscription_id}/stats", deliveries::get_webhook_subscription_stats, Read),
        row!(POST "/v0/webhook_subscriptions/{subscription_id}/recover", deliveries::recover_webhook_deliveries, Write),
        row!(GET "/v0/webhook_subscriptions/{subscription_id}/deliveries", deliveries::list_webhook_deliveries, Persons(Read)),
        row!(GET "/v0/webhook_subscriptions/{subscription_id}/deliveries/{delivery_id}", deliveries::get_webhook_delivery, Persons(Read)),
        row!(POST "/v0/webhook_subscriptions/{subscription_id}/deliveries/{delivery_id}/resend", deliveries::resend_webhook_delivery, Persons(Write)),
    ];
    Group { name: "Webhook Subscriptions", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    A webhook subscription delivers events to a URL as signed POST requests. A delivery that fails is \
    repeated up to nine times over three days. Every attempt is recorded with its status and the \
    beginning of the answer, can be looked at for 30 days, and can be sent again. The events themselves \
    are described under webhooks.";
