//! The table of contents of the API: its groups. Sites are in the module `site`, the console in its own crate.
//!
//! Each group has a file with a row per route: its URL, its handler, and who may call it. What an operation does is said once, by its handler's doc comment.

mod accounts;
mod agent;
mod assets;
mod attention;
mod audiences;
mod audit;
mod brands;
mod events;
mod files;
mod forms;
mod keys;
mod knowledge;
mod link_blocks;
mod logs;
mod messages;
mod page_links;
mod pages;
mod person_imports;
mod persons;
mod questions;
mod server;
mod site;
mod tenant_domains;
mod topics;
mod versions;
mod visits;
mod webhooks;

pub use crate::table::{Access, Group, Route};

/// Every group of routes, in the order in which the documentation shows them.
pub fn groups() -> Vec<Group> {
    vec![
        pages::group(),
        audiences::group(),
        versions::group(),
        messages::group(),
        page_links::group(),
        link_blocks::group(),
        tenant_domains::group(),
        brands::group(),
        site::group(),
        forms::group(),
        questions::group(),
        visits::group(),
        attention::group(),
        persons::group(),
        person_imports::group(),
        logs::persons::group(),
        accounts::group(),
        logs::activity::group(),
        logs::accounts::group(),
        topics::group(),
        topics::entries::group(),
        knowledge::group(),
        files::group(),
        assets::group(),
        webhooks::group(),
        events::group(),
        agent::group(),
        keys::group(),
        audit::group(),
        server::group(),
    ]
}

/// Every route.
pub fn routes() -> Vec<Route> {
    groups().into_iter().flat_map(|group| group.routes).collect()
}
