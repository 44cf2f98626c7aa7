//! Attention: what waits for somebody.

use pagesmith_model::key::Scope::Read;

use crate::api::attention;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![row!(GET "/v0/attention", attention::get_attention, Read)];
    Group { name: "Attention", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    Everything that needs the tenant's attention, on all pages: versions to review, unanswered questions, deactivated webhooks, \
    and domains that do not serve yet.";
