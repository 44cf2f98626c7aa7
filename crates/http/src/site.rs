//! What visitors open: pages, on host names of their own.
//!
//! The `Host` header decides which site ([`crate::hosts`]). A page is drawn
//! ([`draw`]) when it is first asked for and then kept in memory ([`cache`]); whether that still is the page the database is asked once a
//! second, and after everything that this process commits ([`serve`]), so that a change shows at once where it was made and within the
//! second on every other server. It travels compressed ([`coding`]), whole or in part ([`answer`]).

mod answer;
pub(crate) mod cache;
pub(crate) mod coding;
mod draw;
mod files;
mod find;
pub(crate) mod forms;
pub(crate) mod link_cache;
mod links;
pub(crate) mod measure;
mod serve;
mod sitemap;
mod well_known;

pub(crate) use serve::{from_memory, serve};
