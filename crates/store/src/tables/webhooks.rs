//! Webhooks: the subscriptions to events, and the deliveries of events to them.

pub mod attempts;
pub mod deliveries;
pub mod history;
pub mod subscriptions;
