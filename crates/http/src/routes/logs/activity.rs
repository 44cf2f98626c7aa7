//! Account activity: the history of a company and its people.

use pagesmith_model::key::Scope::Read;

use crate::api::logs::accounts;
use crate::table::Access::Persons;
use crate::table::{Group, row};

/// The group with its routes.
pub(in crate::routes) fn group() -> Group {
    let routes =
        vec![row!(GET "/v0/accounts/{account_id}/activity", accounts::list_account_activity, Persons(Read))];
    Group { name: "Account Activity", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    The activity of an account is one list of what happened, newest first: the entries of the account's \
    own log and, on request, those of the logs of its persons.";
