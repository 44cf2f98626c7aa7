//! Webhooks: subscriptions to events, the delivery of events, its history, and the removal of what is old.

pub mod deliveries;
pub mod history;
pub mod subscriptions;
pub mod sweep;
