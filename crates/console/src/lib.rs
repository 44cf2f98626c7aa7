//! The console: screens on which people do what programs do over the API.
//!
//! A screen is drawn on the server, from answers of the API, and works without anything that has to be built: links and forms
//! first, which [`assets`] then make handier. [`parts`] are what screens are made of, [`words`] what they say.
//! Invariants: every text of another is escaped; no inline style, script or handler, so that the strictest policy holds.

mod arrival;
pub mod assets;
mod client;
mod command_lines;
pub mod cookies;
mod cross_site;
mod dispatch;
mod entered;
mod events;
mod form_calls;
mod form_key;
mod headers;
mod installation;
mod json;
mod listener;
pub mod mail;
mod notice;
mod operator;
pub mod parts;
mod problem;
mod respond;
pub mod screens;
mod shared;
mod side_by_side;
mod sign_in;
#[cfg(test)]
mod style_tests;
mod visit;
pub mod words;

pub use dispatch::{Console, RequestInfo};
pub use installation::{FormRead, Installation, ReadForm};
pub use shared::shared_address;
pub use visit::ROOT;
