//! What a user who does not see personal data is shown of a person's audience.

use pagesmith_model::user::Permission;
use serde_json::Value;

use crate::json::text;
use crate::visit::Visit;

/// Whether an audience is a person's and the user does not see personal data.
pub(super) fn is_withheld(visit: &Visit, audience: &Value) -> bool {
    !audience["personId"].is_null() && !visit.may(Permission::ReadPersonalData)
}

/// What an audience is called for the user.
pub(super) fn name_of(visit: &Visit, audience: &Value) -> String {
    if is_withheld(visit, audience) {
        return visit.text("audience-of-person");
    }
    text(audience, "effectiveName").to_owned()
}
