//! A person as answers show it.

use pagesmith_model::domain::Domain;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::linkedin::LinkedinProfile;
use pagesmith_model::person::Person;
use pagesmith_model::phone::PhoneNumber;
use pagesmith_model::{PersonId, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::collection::CollectionItem;

/// A person.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Person", deny_unknown_fields)]
#[schemars(example = json!({
    "personId": "person_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "name": "Ada Lovelace",
    "email": "ada@example.com",
    "domain": "example.com",
    "slug": "ada-lovelace",
    "phoneNumber": "+14155550123",
    "linkedinProfileUrl": "https://www.linkedin.com/in/ada-lovelace",
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-21T14:05:12.480Z",
}))]
pub(crate) struct PersonView {
    /// Id of the person.
    #[schemars(length(min = 1))]
    person_id: PersonId,
    /// Full name of the person.
    name: String,
    /// E-mail address, in lower case.
    email: Option<String>,
    /// Domain of the person's company.
    #[schemars(length(min = 1))]
    domain: Option<String>,
    /// Last part of the addresses of the person's pages. It never changes.
    slug: String,
    /// Phone number in E.164 form.
    #[schemars(regex(pattern = PhoneNumber::PATTERN))]
    phone_number: Option<String>,
    /// Address of the LinkedIn profile.
    #[schemars(length(min = 1))]
    linkedin_profile_url: Option<String>,
    /// When the person was created.
    created_at: Timestamp,
    /// When the person was last changed.
    updated_at: Timestamp,
}

impl From<Person> for PersonView {
    fn from(person: Person) -> PersonView {
        let identifiers = person.identifiers;
        PersonView {
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

impl CollectionItem for PersonView {
    const COLLECTION: &str =
        "A part of a list of persons. `totalCount` is null if a search finds more than 1,000.";
}
