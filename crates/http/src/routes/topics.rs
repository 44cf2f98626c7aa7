//! Topics: what the tenant knows, arranged by subject.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::topics;
use crate::table::{Group, row};

pub(super) mod entries;

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
