//! Accounts: the companies that persons work for.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::{accounts, timeline};
use crate::table::Access::Persons;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/accounts", accounts::list_accounts, Read),
        row!(POST "/v0/accounts", accounts::create_account, Write),
        row!(GET "/v0/accounts/search", accounts::search_accounts, Read),
        row!(GET "/v0/accounts/{account_id}", accounts::get_account, Read),
        row!(PATCH "/v0/accounts/{account_id}", accounts::update_account, Write),
        row!(GET "/v0/accounts/{account_id}/timeline", timeline::list_account_timeline, Persons(Read)),
    ];
    Group { name: "Accounts", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    An account is a company, identified by its registrable domain. There is at most one account per \
    domain. The first person with a company's domain creates the account, and persons belong to the \
    account of their domain automatically. Public mail providers such as gmail.com have no account.";
