//! Everything that speaks HTTP inwards.
//!
//! Read [`routes`] first: it lists the groups of the API, each a file with every URL, its handler and who may call it. `table` turns a row into what serves it and what
//! documents it; [`front`] parts sites and API, `pipeline` is the way of every request to the API, to the handler and back. An answer that is not a success is made in [`error`] and nowhere else.

pub mod api;
mod arrival;
mod arriving_file;
mod byte_range;
mod challenge;
mod coding;
mod collection;
mod console;
mod counts;
pub mod description;
pub mod error;
mod exchange;
pub mod extract;
mod file_export;
pub mod front;
mod head;
mod hosts;
pub mod in_flight;
mod json;
mod kept_json;
mod kept_resource;
mod listing;
pub mod metrics;
pub mod offload;
pub mod openapi;
mod path_ids;
mod persons_own;
pub mod pictures;
mod pipeline;
mod readiness;
pub mod reply;
mod reports;
mod request_span;
pub mod routes;
mod running;
mod schema;
mod secure;
pub mod server;
mod site;
mod site_cache;
pub mod state;
mod static_text;
mod table;
mod theme;
pub mod tls;
mod validate;
mod watched;

pub use arrival::Peer;
pub use front::{App, app};
pub use hosts::site_address;

pub use state::{AppState, Settings};
