//! Webhook subscriptions and their deliveries.

pub(crate) mod deliveries;
pub(crate) mod subscriptions;
pub(crate) mod view;
