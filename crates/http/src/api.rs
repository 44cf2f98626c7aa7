//! The handlers, one file per noun: JSON types, and functions that call operations.

pub(crate) mod account_logs;
pub(crate) mod account_view;
pub(crate) mod accounts;
pub(crate) mod audience_view;
pub(crate) mod audiences;
pub(crate) mod audit;
mod collection;
pub(crate) mod document;
pub(crate) mod events;
pub(crate) mod home;
pub(crate) mod log_view;
mod logs;
pub(crate) mod page_view;
pub(crate) mod pages;
pub(crate) mod person_logs;
pub(crate) mod person_view;
pub(crate) mod persons;
pub(crate) mod site;
pub(crate) mod system;
pub(crate) mod version_content;
pub(crate) mod version_view;
pub(crate) mod versions;
pub(crate) mod webhook_deliveries;
pub(crate) mod webhook_subscriptions;
pub(crate) mod webhook_view;
