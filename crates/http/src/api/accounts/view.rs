//! An account as answers show it.

use pagesmith_model::domain::Domain;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::example::example;
use pagesmith_model::linkedin::LinkedinProfile;
use pagesmith_model::person::Person;
use pagesmith_model::phone::PhoneNumber;
use pagesmith_model::{AccountId, PersonId, Timestamp};
use pagesmith_operations::accounts::AccountDetail;
use pagesmith_store::tables::accounts::ListedAccount;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::api::persons::view::PersonView;
use crate::collection::CollectionItem;

/// An account with its newest persons.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Account", deny_unknown_fields)]
#[schemars(example = json!({
    "accountId": "account_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "domain": "example.com",
    "name": "Example Inc.",
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-21T14:05:12.480Z",
    "latestActivityAt": "2026-03-24T16:20:05.120Z",
    "linkedPersons": [example::<PersonView>()],
}))]
pub(crate) struct AccountView {
    /// Id of the account.
    #[schemars(length(min = 1), regex(pattern = "^account_[a-z0-9]{26}$"))]
    account_id: AccountId,
    /// Registrable domain of the company, in lower case.
    #[schemars(length(min = 1))]
    domain: String,
    /// Name of the company, if it is known.
    #[schemars(length(min = 1, max = 255))]
    name: Option<String>,
    /// When the account was created.
    created_at: Timestamp,
    /// When the account was last changed.
    updated_at: Timestamp,
    /// When the newest entry in the log of the account or of its persons was created.
    latest_activity_at: Option<Timestamp>,
    /// The newest 1,000 persons of the account.
    linked_persons: Vec<LinkedPerson>,
}

impl From<AccountDetail> for AccountView {
    fn from(found: AccountDetail) -> AccountView {
        let AccountDetail { account, latest_activity_at, persons } = found;
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

/// A person of the account.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
struct LinkedPerson {
    /// Id of the person.
    #[schemars(length(min = 1))]
    person_id: PersonId,
    /// Full name of the person.
    #[schemars(length(min = 1, max = 255))]
    name: String,
    /// E-mail address, in lower case.
    email: Option<String>,
    /// Domain of the person's company.
    #[schemars(length(min = 1))]
    domain: Option<String>,
    /// Last part of the addresses of the person's pages. It never changes.
    #[schemars(length(min = 1, max = 255))]
    slug: String,
    /// Phone number in E.164 form.
    phone_number: Option<String>,
    /// Address of the LinkedIn profile.
    linkedin_profile_url: Option<String>,
    /// When the person was created.
    created_at: Timestamp,
    /// When the person was last changed.
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
#[schemars(rename = "Account", deny_unknown_fields, inline)]
#[schemars(example = json!({
    "accountId": "account_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "domain": "example.com",
    "name": "Example Inc.",
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-21T14:05:12.480Z",
    "latestActivityAt": "2026-03-24T16:20:05.120Z",
    "linkedPersonsCount": 12,
}))]
pub(crate) struct ListedAccountView {
    /// Id of the account.
    #[schemars(length(min = 1), regex(pattern = "^account_[a-z0-9]{26}$"))]
    account_id: AccountId,
    /// Registrable domain of the company, in lower case.
    #[schemars(length(min = 1))]
    domain: String,
    /// Name of the company, if it is known.
    #[schemars(length(min = 1, max = 255))]
    name: Option<String>,
    /// When the account was created.
    created_at: Timestamp,
    /// When the account was last changed.
    updated_at: Timestamp,
    /// When the newest entry in the log of the account or of its persons was created.
    latest_activity_at: Option<Timestamp>,
    /// Number of persons of the account.
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

impl CollectionItem for ListedAccountView {
    const COLLECTION: &str = "A part of a list of accounts.";
}
