//! Topic entries: the single pieces of what the tenant knows.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::topics::entries;
use crate::table::{Group, row};

/// The group with its routes.
pub(in crate::routes) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/topics/{topic_id}/entries", entries::list_topic_entries, Read),
        row!(POST "/v0/topics/{topic_id}/entries", entries::create_topic_entry, Write),
        row!(GET "/v0/topics/{topic_id}/entries/{topic_entry_id}", entries::get_topic_entry, Read),
        row!(PATCH "/v0/topics/{topic_id}/entries/{topic_entry_id}", entries::update_topic_entry, Write),
        row!(DELETE "/v0/topics/{topic_id}/entries/{topic_entry_id}", entries::delete_topic_entry, Write),
        row!(GET "/v0/topics/{topic_id}/entries/{topic_entry_id}/log", entries::get_topic_entry_log, Read),
        row!(POST "/v0/topics/{topic_id}/entries/{topic_entry_id}/refresh", entries::refresh_topic_entry, Write),
    ];
    Group { name: "Topic Entries", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    An entry is a single piece of what the tenant knows: a text, a file, or a web page. A web page is read in the \
    background; its title, icon, description and a summary fill the fields that the caller left open. A tenant has at most \
    10,000 entries.";
