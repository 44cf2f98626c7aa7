//! Accounts: the companies that persons work at, one for each registrable domain.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::bounds::NameUpTo;
use crate::domain::Domain;
use crate::id::AccountId;
use crate::time::Timestamp;

/// An account to be created, or to be found by its domain.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreateAccountRequest")]
#[schemars(example = json!({ "domain": "example.com", "name": "Example Inc." }))]
pub struct NewAccount {
    /// Domain of the company. A whole address is accepted; it is reduced to the part that can be registered.
    pub domain: Domain,
    /// Name of the company. It is used if the account has none.
    #[serde(default)]
    #[schemars(with = "NameUpTo<255>")]
    pub name: Option<String>,
}

/// Changes of an account.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdateAccountRequest")]
#[schemars(example = json!({ "name": "Example Group" }))]
pub struct AccountPatch {
    /// Name of the company.
    #[schemars(with = "NameUpTo<255>")]
    pub name: String,
}

/// An account as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its id.
    pub account_id: AccountId,
    /// Its domain: registrable, in lower case.
    pub domain: Domain,
    /// What the company is called, if anyone said so.
    pub name: Option<String>,
    /// Whether no living person belongs to it.
    pub is_empty: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}
