//! The table of contents of the console: every screen, and who may open it.
//!
//! A path stands below the tenant's root. `GET` shows, `POST` does something and goes on.

mod audiences;
mod pages;
mod start;
mod status;

use std::pin::Pin;
use std::sync::Arc;

use pagesmith_model::user::Permission;
use pagesmith_model::user::Permission::{Read, Write};

use crate::client::Refused;
use crate::visit::{Drawn, Visit};

/// What is being drawn.
pub(crate) type Drawing = Pin<Box<dyn Future<Output = Result<Drawn, Refused>> + Send>>;

/// A screen, or something that is done on one.
pub struct Row {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The path below the tenant's root, with ids in braces.
    pub path: &'static str,
    /// What the user has to be allowed.
    pub needs: Permission,
    pub(crate) serve: Arc<dyn Fn(Visit) -> Drawing + Send + Sync>,
}

macro_rules! screen {
    ($method:ident $path:literal, $handler:path, $needs:expr) => {
        Row {
            method: stringify!($method),
            path: $path,
            needs: $needs,
            serve: Arc::new(|visit| Box::pin($handler(visit))),
        }
    };
}

/// Every screen.
pub fn rows() -> Vec<Row> {
    vec![
        screen!(GET "", start::start, Read),
        screen!(GET "/pages", pages::list, Read),
        screen!(GET "/pages/new", pages::new, Write),
        screen!(POST "/pages/new", pages::create, Write),
        screen!(GET "/pages/{page_id}", pages::show, Read),
        screen!(GET "/pages/{page_id}/edit", pages::edit, Write),
        screen!(POST "/pages/{page_id}/edit", pages::update, Write),
        screen!(GET "/pages/{page_id}/archive", pages::ask_archive, Write),
        screen!(POST "/pages/{page_id}/archive", pages::archive, Write),
        screen!(POST "/pages/{page_id}/restore", pages::restore, Write),
        screen!(GET "/pages/{page_id}/audiences/new", audiences::new, Write),
        screen!(POST "/pages/{page_id}/audiences/new", audiences::create, Write),
        screen!(GET "/pages/{page_id}/audiences/{audience_id}", audiences::show, Read),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/context", audiences::context, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/archive", audiences::archive, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/restore", audiences::restore, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/publish", audiences::publish, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/cancel", audiences::cancel, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/rewrite", audiences::rewrite, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/schedule", audiences::schedule, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/unschedule", audiences::unschedule, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/restore-version", audiences::restore_version, Write),
        screen!(GET "/pages/{page_id}/audiences/{audience_id}/versions", audiences::versions, Read),
        screen!(GET "/pages/{page_id}/audiences/{audience_id}/versions/{version_id}/events", audiences::writing_events, Read),
        screen!(GET "/pages/{page_id}/audiences/{audience_id}/compare/{from_id}/{to_id}", audiences::compare, Read),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/say", audiences::say, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/interrupt", audiences::interrupt, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/revert", audiences::revert, Write),
        screen!(POST "/pages/{page_id}/audiences/{audience_id}/snapshot", audiences::to_snapshot, Write),
        screen!(GET "/pages/{page_id}/audiences/{audience_id}/events", audiences::conversation_events, Read),
    ]
}
