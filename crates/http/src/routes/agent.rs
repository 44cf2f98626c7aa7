//! Agent: who writes the pages of a tenant, and what that may use.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::agent::{self, usage};
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/agent", agent::get_agent, Read),
        row!(PUT "/v0/agent", agent::set_agent, Write),
        row!(POST "/v0/agent/try", agent::try_agent, Write),
        row!(GET "/v0/usage", usage::get_usage, Read),
    ];
    Group { name: "Agent", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    Pages are written by the template, which works offline, or by a model behind an API: the server's, or one of the tenant's own. The operator says \
    what a tenant may use of models in a month; a tenant can allow itself less. Beyond that the template writes.";
