//! An account as answers show it.

use pagesmith_model::account::Account;
use pagesmith_model::domain::Domain;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::linkedin::LinkedinProfile;
use pagesmith_model::person::Person;
use pagesmith_model::phone::PhoneNumber;
use pagesmith_model::{AccountId, PersonId, Timestamp};
use pagesmith_store::tables::accounts::ListedAccount;
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::collection::collection;

/// An account with the newest of its persons.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Account", deny_unknown_fields)]
pub(crate) struct AccountView {
    /// Its id.
    #[schemars(length(min = 1), regex(pattern = "^account_[a-z0-9]{26}$"))]
    account_id: AccountId,
    /// Its domain.
    #[schemars(length(min = 1))]
    domain: String,
    /// What the company is called.
    #[schemars(length(min = 1, max = 255))]
    name: Option<String>,
    /// When it was made.
    created_at: Timestamp,
    /// When it last changed.
    updated_at: Timestamp,
    /// When the latest entry of its log or its persons' was written.
    latest_activity_at: Option<Timestamp>,
    /// The newest 1,000 persons of its domain.
    linked_persons: Vec<LinkedPerson>,
}

impl AccountView {
    pub(crate) fn new(
        account: Account,
        latest_activity_at: Option<Timestamp>,
        persons: Vec<Person>,
    ) -> AccountView {
        AccountView {
            account_id: account.account_id,
            domain: account.domain.into_string(),
            name: account.name,
            created_at: account.created_at,
            updated_at: account.updated_at,
            latest_activity_at,
            linked_persons: persons.into_iter().map(LinkedPerson::from).collect(),
        }
    }
}

/// A person of an account.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
struct LinkedPerson {
    /// Its id.
    #[schemars(length(min = 1))]
    person_id: PersonId,
    /// What the person is called.
    #[schemars(length(min = 1, max = 255))]
    name: String,
    /// E-mail address.
    email: Option<String>,
    /// The domain of the person's company.
    #[schemars(length(min = 1))]
    domain: Option<String>,
    /// The last segment of the addresses of the person's own pages.
    #[schemars(length(min = 1, max = 255))]
    slug: String,
    /// Phone number, in E.164 form.
    phone_number: Option<String>,
    /// Address of the LinkedIn profile.
    linkedin_profile_url: Option<String>,
    /// When it was made.
    created_at: Timestamp,
    /// When it last changed.
    updated_at: Timestamp,
}

impl From<Person> for LinkedPerson {
    fn from(person: Person) -> LinkedPerson {
        let identifiers = person.identifiers;
        LinkedPerson {
            person_id: person.person_id,
            name: person.name,
            email: identifiers.email.map(EmailAddress::into_string),
            domain: person.domain.map(Domain::into_string),
            slug: person.slug,
            phone_number: identifiers.phone_number.map(PhoneNumber::into_string),
            linkedin_profile_url: identifiers.linkedin_profile_url.map(LinkedinProfile::into_string),
            created_at: person.created_at,
            updated_at: person.updated_at,
        }
    }
}

/// An account in a collection.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct ListedAccountView {
    /// Its id.
    #[schemars(length(min = 1), regex(pattern = "^account_[a-z0-9]{26}$"))]
    account_id: AccountId,
    /// Its domain.
    #[schemars(length(min = 1))]
    domain: String,
    /// What the company is called.
    #[schemars(length(min = 1, max = 255))]
    name: Option<String>,
    /// When it was made.
    created_at: Timestamp,
    /// When it last changed.
    updated_at: Timestamp,
    /// When the latest entry of its log or its persons' was written.
    latest_activity_at: Option<Timestamp>,
    /// How many persons belong to it.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    linked_persons_count: u64,
}

impl From<ListedAccount> for ListedAccountView {
    fn from(listed: ListedAccount) -> ListedAccountView {
        let account = listed.account;
        ListedAccountView {
            account_id: account.account_id,
            domain: account.domain.into_string(),
            name: account.name,
            created_at: account.created_at,
            updated_at: account.updated_at,
            latest_activity_at: listed.latest_activity_at,
            linked_persons_count: listed.linked_persons,
        }
    }
}

collection!(
    /// Accounts, as a part of a collection.
    AccountCollection,
    ListedAccountView,
    u64
);
