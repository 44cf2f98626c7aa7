//! Audit: who changed what that matters for security and privacy.

use pagesmith_model::key::Scope::Read;

use crate::api::audit;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![row!(GET "/v0/audit", audit::list_audit, Read)];
    Group { name: "Audit", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    The audit has an entry for each administrative change of the tenant: keys that were created, rotated \
    or revoked, settings of the site and of access, secrets that were rotated, and persons who were \
    exported or erased. An entry is written in the transaction of its change and is never changed or \
    removed.";
