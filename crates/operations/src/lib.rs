//! Every state change of Pagesmith, as a synchronous function of a transaction.
//!
//! An operation gets a [`pagesmith_store::Tx`] and a [`Context`] (who, when, fresh ids) and is a function of these and its arguments, so
//! that the store may run it again. Handlers, tasks and commands never write past this crate; reads may call a
//! table directly. What is not here: HTTP, waiting, the network.

pub mod access;
pub mod accounts;
pub mod audiences;
pub mod audit;
pub mod bootstrap;
pub mod idempotency;
pub mod keys;
pub mod logs;
mod outbox;
pub mod pages;
pub mod parent_pages;
pub mod personal_data;
pub mod persons;
pub mod precondition;
pub mod server_keys;
pub mod site;
mod soft_deletion;
pub mod tenants;
pub mod topics;
pub mod versions;
pub mod webhooks;
pub mod world;

pub use world::{Clock, Context, Random, World};
