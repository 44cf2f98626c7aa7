//! Accounts: the companies that persons work at, one for each registrable domain.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::bounds::NameUpTo;
use crate::domain::Domain;
use crate::id::AccountId;
use crate::time::Timestamp;

/// An account to be made, or found by its domain.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreateAccountRequest")]
pub struct NewAccount {
    /// Its domain.
    pub domain: Domain,
    /// What the company is called.
    #[serde(default)]
    #[schemars(with = "NameUpTo<255>")]
    pub name: Option<String>,
}

/// A change of an account.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdateAccountRequest")]
pub struct AccountPatch {
    /// What the company is called.
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
