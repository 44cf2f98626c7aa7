//! Account logs: what happened to accounts.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::logs::accounts;
use crate::table::Access::Persons;
use crate::table::{Group, row};

/// The group with its routes.
pub(in crate::routes) fn group() -> Group {
    let routes = vec![
        row!(POST "/v0/account_logs", accounts::create_account_log, Persons(Write)),
        row!(GET "/v0/accounts/{account_id}/logs", accounts::list_account_logs, Persons(Read)),
        row!(GET "/v0/accounts/{account_id}/logs/{account_log_id}", accounts::get_account_log, Persons(Read)),
        row!(PATCH "/v0/accounts/{account_id}/logs/{account_log_id}", accounts::update_account_log, Persons(Write)),
        row!(DELETE "/v0/accounts/{account_id}/logs/{account_log_id}", accounts::delete_account_log, Persons(Write)),
        row!(POST "/v0/accounts/{account_id}/logs/{account_log_id}/restore", accounts::restore_account_log, Persons(Write)),
    ];
    Group { name: "Account Logs", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    A log entry of an account records one thing that happened to a company as a whole, just as a \
    person's log does for a person. An entry finds its account by id or by domain, and creates the \
    account if there is none. Only the text of a note can be changed. Entries can be deleted and \
    restored.";
