//! Topics: what the tenant knows, arranged by subject.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::topics::{self, entries};
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/topics", topics::list_topics, Read),
        row!(POST "/v0/topics", topics::create_topic, Write),
        row!(GET "/v0/topics/search", topics::search_topics, Read),
        row!(GET "/v0/topics/{topic_id}", topics::get_topic, Read),
        row!(PATCH "/v0/topics/{topic_id}", topics::update_topic, Write),
        row!(DELETE "/v0/topics/{topic_id}", topics::delete_topic, Write),
    ];
    Group { name: "Topics", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    A topic holds what the tenant knows about one subject, such as its prices or its references. Every \
    tenant has a default topic from the start. Topics are arranged by `sortOrder`, which any number of \
    topics may share.";

/// The group of entries with its routes.
pub(super) fn entries_group() -> Group {
    let routes = vec![
        row!(GET "/v0/topics/{topic_id}/entries", entries::list_topic_entries, Read),
        row!(POST "/v0/topics/{topic_id}/entries", entries::create_topic_entry, Write),
        row!(GET "/v0/topics/{topic_id}/entries/{topic_entry_id}", entries::get_topic_entry, Read),
        row!(PATCH "/v0/topics/{topic_id}/entries/{topic_entry_id}", entries::update_topic_entry, Write),
        row!(DELETE "/v0/topics/{topic_id}/entries/{topic_entry_id}", entries::delete_topic_entry, Write),
        row!(GET "/v0/topics/{topic_id}/entries/{topic_entry_id}/log", entries::get_topic_entry_log, Read),
        row!(POST "/v0/topics/{topic_id}/entries/{topic_entry_id}/refresh", entries::refresh_topic_entry, Write),
    ];
    Group { name: "Topic Entries", description: ENTRIES, routes }
}

const ENTRIES: &str = "\
    An entry is a single piece of what the tenant knows: a text, a file, or a web page. A web page is read in the \
    background; its title, icon, description and a summary fill the fields that the caller left open. A tenant has at most \
    10,000 entries.";
