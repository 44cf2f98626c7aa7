//! Audiences: whom a page is made for, each with versions of its own.
//!
//! [`NewAudience`] and [`AudiencePatch`] are what a caller sends, [`Audience`] is what is kept. An audience may be a person's or an
//! account's own; then it is called like them, and has a second address that nobody guesses. Invariant: its slug stays as it was made.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bounds::{LongText, Name, SomeText, Text};
use crate::error::{Error, Result};
use crate::id::{AccountId, AudienceId, PageId, PersonId, VersionId};
use crate::json::{JsonText, given};
use crate::page::access::{self, PageAccess};
use crate::page::metadata::{Metadata, MetadataInput};
use crate::time::Timestamp;
use crate::version::{PublishBehavior, VersionStatus};

pub mod name;
pub mod overrides;

use overrides::ActionOverrides;

/// An audience to be created, with its first version.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreateAudienceRequest")]
#[schemars(example = json!({
    "customName": "Finance teams",
    "supplementaryContext": "Heads of finance in companies of 50 to 500 people. They close the books every month and \
        want fewer spreadsheets.",
    "publishBehavior": "publish",
    "actionUrlOverride": "https://example.com/demo/finance",
    "metadataOverride": { "title": "Forecasts for finance teams" },
}))]
pub struct NewAudience {
    /// Account whose page this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SomeText")]
    pub account_id: Option<String>,
    /// Form that replaces the form of the page's `form` actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub action_form_id_override: Option<String>,
    /// Text that visitors read above that form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub action_form_instructions_override: Option<String>,
    /// Address that the page's `open-url` actions open instead of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::page::Url")]
    pub action_url_override: Option<String>,
    /// Name of the audience, in place of the computed one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Name")]
    pub custom_name: Option<String>,
    /// Metadata that takes precedence over that of the page, field by field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "MetadataInput")]
    pub metadata_override: Option<MetadataInput>,
    /// Person whose page this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SomeText")]
    pub person_id: Option<String>,
    /// What happens to the first version when it is generated: `publish` lets it go live, `draft` keeps it a
    /// draft.
    #[serde(default)]
    pub publish_behavior: PublishBehavior,
    /// What the page agent should know about this particular audience.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LongText")]
    pub supplementary_context: Option<String>,
}

/// Changes of an audience. Fields that are left out keep their value; `null` clears one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdateAudienceRequest")]
#[schemars(example = json!({ "customName": "Finance and controlling", "actionUrlOverride": null }))]
pub struct AudiencePatch {
    /// Form that replaces the form of the page's `form` actions. `null` removes it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Text>")]
    pub action_form_id_override: Option<Option<String>>,
    /// Text that visitors read above that form. `null` removes it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Text>")]
    pub action_form_instructions_override: Option<Option<String>>,
    /// Address that the page's `open-url` actions open instead of their own. `null` removes it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<crate::page::Url>")]
    pub action_url_override: Option<Option<String>>,
    /// Name of the audience, in place of the computed one. `null` returns to the computed name.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Name>")]
    pub custom_name: Option<Option<String>>,
    /// Metadata that takes precedence over that of the page, field by field. Replaced as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "MetadataInput")]
    pub metadata_override: Option<MetadataInput>,
    /// What the page agent should know about this particular audience. Existing versions keep theirs.
    /// `null` removes it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<LongText>")]
    pub supplementary_context: Option<Option<String>>,
}

/// How to create or publish a version.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreateVersionRequest")]
#[schemars(example = json!({ "operationKey": "spring-launch-2" }))]
pub struct VersionRequest {
    /// Idempotency key of the operation, which is kept as long as the audience. The same key again returns
    /// the first answer and changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 128))]
    pub operation_key: Option<String>,
}

/// An audience as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Audience {
    /// Its id.
    pub audience_id: AudienceId,
    /// Its page.
    pub page_id: PageId,
    /// The person whose page it is.
    pub person_id: Option<PersonId>,
    /// The account whose page it is.
    pub account_id: Option<AccountId>,
    /// The last part of its address where everybody may open it, unique in the page.
    pub slug: String,
    /// The last part of its address otherwise; somebody's own page has one unless it was made before there were any.
    pub secret_slug: Option<String>,
    /// Who may open it, where that is set for it.
    pub access: Option<PageAccess>,
    /// How often that has changed: what was signed before is not valid any more.
    pub access_changes: i64,
    /// The name that was made for it.
    pub computed_name: String,
    /// The name that was given to it.
    pub custom_name: Option<String>,
    /// What the page agent knows especially of it.
    pub supplementary_context: Option<String>,
    /// A [`Metadata`].
    pub metadata_override: Option<JsonText>,
    /// What it changes of the page's actions.
    pub overrides: ActionOverrides,
    /// The number of its newest version; there are as many.
    pub last_number: i64,
    /// Its newest version.
    pub latest_version_id: VersionId,
    /// The version that is live.
    pub published_version_id: Option<VersionId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it was put away.
    pub archived_at: Option<Timestamp>,
}

impl Audience {
    /// What it is called.
    pub fn effective_name(&self) -> &str {
        self.custom_name.as_deref().unwrap_or(&self.computed_name)
    }

    /// Whether it is a person's or an account's own page.
    pub fn is_own(&self) -> bool {
        self.person_id.is_some() || self.account_id.is_some()
    }

    /// Who may open it, where persons' pages are as the tenant decides.
    pub fn access(&self, of_persons: PageAccess) -> PageAccess {
        let (has_secret, is_persons) = (self.secret_slug.is_some(), self.person_id.is_some());
        access::effective(has_secret, is_persons, self.access, of_persons)
    }

    /// The last part of the address at which it is.
    pub fn address(&self, of_persons: PageAccess) -> &str {
        let secret = self.secret_slug.as_deref().filter(|_| self.access(of_persons) != PageAccess::Open);
        secret.unwrap_or(&self.slug)
    }

    /// Where it is in its life, with a newest version of that status.
    pub fn status(&self, latest: VersionStatus) -> VersionStatus {
        match (self.archived_at, &self.published_version_id) {
            (Some(_), _) => VersionStatus::Archived,
            (None, Some(_)) => VersionStatus::Published,
            (None, None) => latest,
        }
    }

    /// What its versions depend on.
    pub fn life(&self) -> AudienceLife {
        AudienceLife {
            is_own: self.is_own(),
            last_number: self.last_number,
            published_version_id: self.published_version_id.clone(),
            archived_at: self.archived_at,
        }
    }
}

/// What of an audience the lives of its versions depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AudienceLife {
    /// Whether it is a person's or an account's own page.
    pub is_own: bool,
    /// The number of its newest version.
    pub last_number: i64,
    /// The version that is live.
    pub published_version_id: Option<VersionId>,
    /// When it was put away.
    pub archived_at: Option<Timestamp>,
}

impl AudienceLife {
    /// Whether visitors see it: it has a live version and is not archived.
    pub fn is_shown(&self) -> bool {
        self.archived_at.is_none() && self.published_version_id.is_some()
    }
}

/// The metadata of a page under that of an audience, which wins where it says something.
pub fn effective_metadata(page: Option<&JsonText>, own: Option<&JsonText>) -> Result<Option<JsonText>> {
    let (Some(page), Some(own)) = (page, own) else { return Ok(page.or(own).cloned()) };
    type Fields = serde_json::Map<String, serde_json::Value>;
    let read = |text: &JsonText| serde_json::from_str::<Fields>(text.as_str()).map_err(Error::internal);
    let mut merged = read(page)?;
    merged.extend(read(own)?);
    // Through the type, so that fields are in its order whoever said them.
    let merged: Metadata = serde_json::from_value(merged.into()).map_err(Error::internal)?;
    JsonText::of(&merged).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> JsonText {
        JsonText::from_stored(text.to_owned())
    }

    #[test]
    fn an_audience_wins_over_its_page_field_by_field() {
        let page = text(r#"{"title":"Page","description":"D","robots":["noindex"]}"#);
        let own = text(r#"{"title":"Own","robots":[]}"#);
        let merged = effective_metadata(Some(&page), Some(&own)).unwrap().unwrap();
        assert_eq!(merged.as_str(), r#"{"title":"Own","description":"D","robots":[]}"#);
        assert_eq!(effective_metadata(Some(&page), None).unwrap(), Some(page));
        assert_eq!(effective_metadata(None, Some(&own)).unwrap(), Some(own));
        assert_eq!(effective_metadata(None, None).unwrap(), None);
    }
}
