//! The handlers: for each noun the functions that call operations, and its JSON types in `view`.

pub(crate) mod accounts;
pub(crate) mod analytics;
pub(crate) mod assets;
pub(crate) mod audiences;
pub(crate) mod audit;
pub(crate) mod brands;
pub(crate) mod documentation;
pub(crate) mod events;
pub(crate) mod files;
pub(crate) mod forms;
mod guides;
pub(crate) mod home;
pub(crate) mod knowledge;
pub(crate) mod link_blocks;
pub(crate) mod logs;
pub(crate) mod messages;
pub(crate) mod page_links;
pub(crate) mod pages;
pub(crate) mod person_imports;
pub(crate) mod persons;
pub(crate) mod questions;
pub(crate) mod site;
pub(crate) mod system;
pub(crate) mod tenant_domains;
pub(crate) mod topics;
pub(crate) mod versions;
pub(crate) mod webhooks;
