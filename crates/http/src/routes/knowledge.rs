//! Knowledge: what the tenant knows, searched as a whole.

use pagesmith_model::key::Scope::Read;

use crate::api::knowledge;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![row!(POST "/v0/knowledge/search", knowledge::search_knowledge, Read)];
    Group { name: "Knowledge", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    What the entries of all topics say, cut into chunks of about 200 words. A chunk is found by its words in any of their forms, \
    without case and accents.";
