//! Events: what webhooks deliver, for clients that poll.

use pagesmith_model::key::Scope::Read;

use crate::api::events;
use crate::table::Access::Persons;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/events", events::list_events, Persons(Read)),
        row!(GET "/v0/events/{event_id}", events::get_event, Persons(Read)),
    ];
    Group { name: "Events", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    Events are for clients that cannot receive webhooks, or that want to catch up after an outage. The \
    list has every event of the last 30 days, oldest first, with the same bodies that webhooks deliver.";
