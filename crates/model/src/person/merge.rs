//! Merging two persons into one: what is asked for, and what it comes to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bounds::SomeText;
use crate::domain::Domain;
use crate::email::EmailAddress;
use crate::id::{AudienceId, PageId};
use crate::json::JsonText;
use crate::linkedin::LinkedinProfile;
use crate::person::Person;
use crate::phone::PhoneNumber;

/// Whose field wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub enum Winner {
    /// The person that stays.
    This,
    /// The person that is merged into it.
    Other,
}

/// Which person's fields are kept. A field that is left out keeps the remaining person's value, or takes the other
/// person's if there is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "PersonMergeFields")]
#[schemars(example = json!({ "email": "other" }))]
pub struct Winners {
    /// Name.
    #[schemars(with = "Winner")]
    pub name: Option<Winner>,
    /// E-mail address.
    #[schemars(with = "Winner")]
    pub email: Option<Winner>,
    /// Phone number.
    #[schemars(with = "Winner")]
    pub phone_number: Option<Winner>,
    /// Address of the LinkedIn profile.
    #[schemars(with = "Winner")]
    pub linkedin_profile_url: Option<Winner>,
    /// Domain of the company.
    #[schemars(with = "Winner")]
    pub domain: Option<Winner>,
    /// Context: what imports have stored about the person beside these fields.
    #[schemars(with = "Winner")]
    pub context: Option<Winner>,
}

/// A request to merge two persons.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "MergePersonRequest")]
#[schemars(example = json!({ "otherPersonId": "person_01jpbz8n4xf5k9w2d7hq3mv6tb", "fields": { "email": "other" }, "dryRun": true }))]
pub struct NewPersonMerge {
    /// Id of the person that is merged into the one of the path, and is deleted.
    #[schemars(with = "SomeText")]
    pub other_person_id: String,
    /// Which person's fields are kept.
    #[serde(default)]
    #[schemars(with = "Winners")]
    pub fields: Winners,
    /// Whether to return what would be done, without doing it.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub dry_run: bool,
}

/// Number of records that move from one person to the other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PersonMergeMoves", deny_unknown_fields)]
#[schemars(example = json!({ "logs": 12, "audiences": 1, "submissions": 2, "sessions": 7 }))]
pub struct Moving {
    /// Number of log entries, deleted ones included.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    pub logs: u64,
    /// Number of audiences of its own.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    pub audiences: u64,
    /// Number of submissions of forms.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    pub submissions: u64,
    /// Number of visits.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    pub sessions: u64,
}

impl Moving {
    /// How many rows move.
    pub fn rows(&self) -> u64 {
        self.logs + self.audiences + self.submissions + self.sessions
    }
}

/// A page on which both persons have an audience of their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PersonMergeCollision", deny_unknown_fields)]
#[schemars(example = json!({
    "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6tb",
    "keptAudienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta",
}))]
pub struct Collision {
    /// Id of the page.
    #[schemars(length(min = 1))]
    pub page_id: PageId,
    /// Id of the other person's audience. It does not move, and its address answers 410.
    #[schemars(length(min = 1))]
    pub audience_id: AudienceId,
    /// Id of the audience of the person that stays.
    #[schemars(length(min = 1))]
    pub kept_audience_id: AudienceId,
}

/// The fields of a person that a merge chooses among, as they are stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MergedFields {
    name: String,
    email: Option<String>,
    phone_number: Option<String>,
    linkedin_profile_url: Option<String>,
    domain: Option<String>,
    context: Option<String>,
}

impl MergedFields {
    /// Those of a person.
    pub fn of(person: &Person) -> MergedFields {
        let identifiers = person.identifiers.clone();
        MergedFields {
            name: person.name.clone(),
            email: identifiers.email.map(EmailAddress::into_string),
            phone_number: identifiers.phone_number.map(PhoneNumber::into_string),
            linkedin_profile_url: identifiers.linkedin_profile_url.map(LinkedinProfile::into_string),
            domain: person.domain.clone().map(Domain::into_string),
            context: person.context.as_ref().map(|context| context.as_str().to_owned()),
        }
    }

    /// The person with these fields in the place of those that are still what a merge has made of them.
    #[must_use]
    pub fn set_back(self, merged: &MergedFields, mut person: Person) -> Person {
        let now = MergedFields::of(&person);
        let ids = &mut person.identifiers;
        if now.name == merged.name {
            person.name = self.name;
        }
        if now.email == merged.email {
            ids.email = self.email.and_then(|text| EmailAddress::parse(&text));
        }
        if now.phone_number == merged.phone_number {
            ids.phone_number = self.phone_number.and_then(|text| PhoneNumber::parse(&text));
        }
        if now.linkedin_profile_url == merged.linkedin_profile_url {
            ids.linkedin_profile_url =
                self.linkedin_profile_url.and_then(|text| LinkedinProfile::parse(&text));
        }
        if now.domain == merged.domain {
            person.domain = self.domain.and_then(|text| Domain::parse(&text));
        }
        if now.context == merged.context {
            person.context = self.context.map(JsonText::from_stored);
        }
        person
    }
}

/// The person that stays, with the fields that win.
pub fn merged(this: &Person, other: &Person, winners: &Winners) -> Person {
    fn pick<T: Clone>(winner: Option<Winner>, this: &Option<T>, other: &Option<T>) -> Option<T> {
        match winner {
            Some(Winner::This) => this.clone(),
            Some(Winner::Other) => other.clone(),
            None => this.clone().or_else(|| other.clone()),
        }
    }
    let mut person = this.clone();
    if winners.name == Some(Winner::Other) {
        person.name.clone_from(&other.name);
    }
    let (mine, theirs) = (&this.identifiers, &other.identifiers);
    person.identifiers.email = pick(winners.email, &mine.email, &theirs.email);
    person.identifiers.phone_number = pick(winners.phone_number, &mine.phone_number, &theirs.phone_number);
    person.identifiers.linkedin_profile_url =
        pick(winners.linkedin_profile_url, &mine.linkedin_profile_url, &theirs.linkedin_profile_url);
    person.domain = pick(winners.domain, &this.domain, &other.domain);
    person.context = pick(winners.context, &this.context, &other.context);
    person
}
