//! Nouns and pure rules of Pagesmith.
//!
//! Nothing here touches SQL, HTTP, threads, the clock or randomness: whoever needs the time or fresh bits
//! hands them in. So every rule can be tested as a plain function, and every crate above speaks the same
//! words. Start with [`page`] for a noun and [`error`] for how a refusal is said.

pub mod account;
pub mod actor;
pub mod agent;
pub mod amount;
pub mod asset;
pub mod audience;
pub mod audit;
pub mod bounds;
pub mod brand;
pub mod brief;
pub mod certificate;
pub mod content;
pub mod cursor;
pub mod domain;
pub mod duration;
pub mod email;
pub mod error;
pub mod example;
pub mod fields;
pub mod file;
pub mod form;
pub mod forwarded;
pub mod hexadecimal;
pub mod id;
pub mod identity_provider;
pub mod issue;
pub mod issues;
pub mod json;
pub mod key;
pub mod link;
pub mod link_block;
pub mod linkedin;
pub mod list_order;
pub mod log;
pub mod message;
pub mod network;
pub mod normal;
pub mod page;
pub mod page_link;
pub mod person;
pub mod person_import;
pub mod phone;
pub mod picture;
mod public_mail;
pub mod question;
pub mod redaction;
pub mod seal;
pub mod site;
pub mod slug;
pub mod sort_order;
pub mod spreadsheet;
pub mod tenant;
pub mod tenant_domain;
pub mod text;
pub(crate) mod text_rule;
pub mod time;
pub mod topic;
pub mod traceparent;
pub mod user;
pub mod version;
pub mod visit;
pub mod webhook;
pub mod window;

pub use error::{Error, Kind, Result};
pub use id::*;
pub use issue::{Field, Issue, IssueCode};
pub use issues::Issues;
pub use time::Timestamp;
