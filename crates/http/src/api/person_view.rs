//! A person as answers show it.

use pagesmith_model::domain::Domain;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::linkedin::LinkedinProfile;
use pagesmith_model::person::Person;
use pagesmith_model::phone::PhoneNumber;
use pagesmith_model::{PersonId, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::collection::collection;

/// A person.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Person", deny_unknown_fields)]
pub(crate) struct PersonView {
    /// Its id.
    #[schemars(length(min = 1))]
    person_id: PersonId,
    /// What the person is called.
    name: String,
    /// E-mail address.
    email: Option<String>,
    /// The domain of the person's company.
    #[schemars(length(min = 1))]
    domain: Option<String>,
    /// The last segment of the addresses of the person's own pages.
    slug: String,
    /// Phone number, in E.164 form.
    #[schemars(regex(pattern = PhoneNumber::PATTERN))]
    phone_number: Option<String>,
    /// Address of the LinkedIn profile.
    #[schemars(length(min = 1))]
    linkedin_profile_url: Option<String>,
    /// When it was made.
    created_at: Timestamp,
    /// When it last changed.
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

collection!(
    /// Persons, as a part of a collection. A search that finds more than 1,000 does not count them.
    PersonCollection,
    PersonView,
    Option<u64>
);
