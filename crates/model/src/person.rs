//! Persons: the people that pages are meant for.
//!
//! What makes someone the same person is an identifier: an e-mail address, a LinkedIn profile or a phone number, each of which
//! belongs to one living person of a tenant. [`NewPerson`] and [`PersonPatch`] are what a caller sends, [`Person`] is what
//! is kept.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;

use crate::bounds::NameUpTo;
use crate::domain::Domain;
use crate::email::EmailAddress;
use crate::fields;
use crate::id::{AccountId, PersonId};
use crate::json::JsonText;
use crate::linkedin::LinkedinProfile;
use crate::phone::PhoneNumber;
use crate::time::Timestamp;

pub mod context;
pub mod merge;
pub mod name;

/// What a person can be told by; in the order in which one is looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identifiers {
    /// E-mail address.
    pub email: Option<EmailAddress>,
    /// LinkedIn profile.
    pub linkedin_profile_url: Option<LinkedinProfile>,
    /// Phone number.
    pub phone_number: Option<PhoneNumber>,
}

impl Identifiers {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.email.is_none() && self.linkedin_profile_url.is_none() && self.phone_number.is_none()
    }
}

/// A person to be created, or to be found by an identifier and updated.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreatePersonRequest")]
#[schemars(example = json!({
    "name": "Ada Lovelace",
    "email": "ada@example.com",
    "domain": "example.com",
    "phoneNumber": "+14155550123",
    "linkedinProfileUrl": "https://www.linkedin.com/in/ada-lovelace",
}))]
pub struct NewPerson {
    /// Full name of the person.
    #[schemars(with = "NameUpTo<255>")]
    pub name: String,
    /// E-mail address, in any spelling; it is stored in lower case.
    #[serde(default)]
    #[schemars(with = "EmailAddress")]
    pub email: Option<EmailAddress>,
    /// Domain of the person's company. That of the e-mail address is used if it is left out, unless everyone
    /// can have an address there.
    #[serde(default)]
    #[schemars(with = "Domain")]
    pub domain: Option<Domain>,
    /// Phone number in E.164 form.
    #[serde(default)]
    #[schemars(with = "PhoneNumber")]
    pub phone_number: Option<PhoneNumber>,
    /// Address of the LinkedIn profile, in any usual spelling.
    #[serde(default)]
    #[schemars(with = "LinkedinProfile")]
    pub linkedin_profile_url: Option<LinkedinProfile>,
}

impl NewPerson {
    /// What the person can be told by.
    pub fn identifiers(&self) -> Identifiers {
        Identifiers {
            email: self.email.clone(),
            linkedin_profile_url: self.linkedin_profile_url.clone(),
            phone_number: self.phone_number.clone(),
        }
    }
}

/// Changes of a person. Fields that are left out keep their value; `null` clears one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdatePersonRequest")]
#[schemars(example = json!({ "name": "Ada King", "phoneNumber": null }))]
pub struct PersonPatch {
    /// Full name of the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NameUpTo<255>")]
    pub name: Option<String>,
    /// E-mail address, in any spelling; it is stored in lower case. `null` removes it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<EmailAddress>")]
    pub email: Option<Option<EmailAddress>>,
    /// Domain of the person's company. `null` removes it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Domain>")]
    pub domain: Option<Option<Domain>>,
    /// Phone number in E.164 form. `null` removes it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<PhoneNumber>")]
    pub phone_number: Option<Option<PhoneNumber>>,
    /// Address of the LinkedIn profile, in any usual spelling. `null` removes it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<LinkedinProfile>")]
    pub linkedin_profile_url: Option<Option<LinkedinProfile>>,
}

/// Tells `null` (some none) from a field that is not there (none).
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(deserializer).map(Some)
}

/// A person as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Its id.
    pub person_id: PersonId,
    /// What the person is called.
    pub name: String,
    /// What the person is told by.
    pub identifiers: Identifiers,
    /// The domain of the person's company.
    pub domain: Option<Domain>,
    /// The last segment of the person's own pages: fixed when it was made, never used again.
    pub slug: String,
    /// What an import knew besides, as an object; for the page agent.
    pub context: Option<JsonText>,
    /// The account of its domain.
    pub account_id: Option<AccountId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it was deleted.
    pub deleted_at: Option<Timestamp>,
}

impl Person {
    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        let context = self.context.as_ref().map_or(0, |context| context.as_str().len());
        // What else there is has bounds of its own.
        1_000 + self.name.len() + self.slug.len() + context
    }

    /// The folded fields that a search looks at, one a line; a folded text has no line breaks of its own.
    pub fn searched(&self) -> String {
        let identifiers = &self.identifiers;
        let all = [
            Some(self.name.as_str()),
            identifiers.email.as_ref().map(EmailAddress::as_str),
            self.domain.as_ref().map(Domain::as_str),
            identifiers.phone_number.as_ref().map(PhoneNumber::as_str),
            identifiers.linkedin_profile_url.as_ref().map(LinkedinProfile::as_str),
            Some(self.slug.as_str()),
        ];
        fields::join(all.into_iter().flatten())
    }
}

/// The domain that a person belongs to by its e-mail address: none if that is a public mail provider's.
pub fn domain_of(email: Option<&EmailAddress>) -> Option<Domain> {
    email.map(EmailAddress::domain).filter(|domain| !domain.is_public_mail_provider())
}
