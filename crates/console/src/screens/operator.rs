//! The screens of operators: tenants, servers, queues, health, backups. None of them shows what belongs to a tenant.

mod backup;
mod state;
mod tenants;

use std::sync::Arc;

use maud::{Markup, html};

use super::Drawing;
use crate::operator::OperatorVisit;
use crate::parts::tabs;
use crate::visit::Screen;

/// A screen of operators, or something that is done on one.
pub struct OperatorRow {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The path below `/console/operator`, with ids in braces.
    pub path: &'static str,
    pub(crate) serve: Arc<dyn Fn(OperatorVisit) -> Drawing + Send + Sync>,
}

macro_rules! screen {
    ($method:ident $path:literal, $handler:path) => {
        OperatorRow {
            method: stringify!($method),
            path: $path,
            serve: Arc::new(|visit| Box::pin($handler(visit))),
        }
    };
}

/// Every screen of operators.
pub fn rows() -> Vec<OperatorRow> {
    vec![
        screen!(GET "/tenants", tenants::list),
        screen!(GET "/tenants/new", tenants::new),
        screen!(POST "/tenants/new", tenants::create),
        screen!(GET "/tenants/{tenant_id}/suspend", tenants::ask_suspend),
        screen!(POST "/tenants/{tenant_id}/suspend", tenants::suspend),
        screen!(POST "/tenants/{tenant_id}/resume", tenants::resume),
        screen!(GET "/servers", state::servers),
        screen!(GET "/queues", state::queues),
        screen!(GET "/queues/events", state::queue_events),
        screen!(GET "/health", state::health),
        screen!(POST "/health", state::examine),
        screen!(GET "/backup", backup::show),
        screen!(POST "/backup", backup::start),
        screen!(GET "/backup/events", backup::events),
    ]
}

/// A tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tab {
    Tenants,
    Servers,
    Queues,
    Health,
    Backup,
}

impl Tab {
    const ALL: [Tab; 5] = [Tab::Tenants, Tab::Servers, Tab::Queues, Tab::Health, Tab::Backup];

    fn path(self) -> &'static str {
        match self {
            Tab::Tenants => "/tenants",
            Tab::Servers => "/servers",
            Tab::Queues => "/queues",
            Tab::Health => "/health",
            Tab::Backup => "/backup",
        }
    }

    fn label(self, visit: &OperatorVisit) -> String {
        match self {
            Tab::Tenants => visit.text("operator-tenants"),
            Tab::Servers => visit.text("operator-servers"),
            Tab::Queues => visit.text("operator-queues"),
            Tab::Health => visit.text("operator-health"),
            Tab::Backup => visit.text("operator-backup"),
        }
    }
}

/// A screen with the tabs above it.
fn tabbed(visit: &OperatorVisit, tab: Tab, content: &Markup) -> Screen {
    let texts = Tab::ALL.map(|tab| (tab.label(visit), visit.url(tab.path())));
    let links: Vec<tabs::Tab<'_>> =
        texts.iter().map(|(label, href)| tabs::Tab { label, href, count: None }).collect();
    let at = Tab::ALL.iter().position(|one| *one == tab).unwrap_or_default();
    let main = html! { div.stack { (tabs::tabs(&visit.text("operator"), &links, at)) (content) } };
    Screen { area: None, ..Screen::new(crate::parts::navigation::Area::Start, tab.label(visit), main) }
}
