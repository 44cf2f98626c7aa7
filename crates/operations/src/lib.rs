//! Every state change of Pagesmith, as a synchronous function of a transaction.
//!
//! An operation gets a [`pagesmith_store::Tx`] and a [`Context`] (actor, time, fresh ids) and depends on nothing but these and its
//! arguments, so the store may run it again. Handlers, tasks and commands change tenants' data only by operations. They may
//! read tables directly, and write what is the server's own: health checks and integrity checks. Not here: HTTP, waiting,
//! the network.

pub mod access;
pub mod accounts;
pub mod agent;
pub mod assets;
pub mod attention;
pub mod audiences;
pub mod audit;
pub mod bootstrap;
pub mod brands;
pub mod certificates;
pub mod context;
pub mod files;
pub mod forms;
pub mod idempotency;
pub mod installation;
pub mod keys;
pub mod knowledge;
pub mod link_blocks;
pub mod logs;
pub mod messages;
pub mod names;
mod outbox;
pub mod page_links;
pub mod pages;
pub mod parent_pages;
pub mod pending_work;

pub mod person_imports;
pub mod personal_data;
pub mod persons;
pub mod platform;
pub mod precondition;
pub mod publishing;
pub mod questions;
mod retired_slugs;
pub mod server_keys;
pub mod site;
mod soft_deletion;
pub mod subject_requests;
pub mod tenant_domains;
pub mod tenants;
pub mod timeline;
pub mod topics;
mod trash;
pub mod users;
pub mod versions;
pub mod visits;
pub mod webhooks;

pub use context::Context;
pub use platform::{Clock, Platform, Random};
