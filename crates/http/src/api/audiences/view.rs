//! An audience as answers show it.

use pagesmith_model::audience::overrides::ActionOverrides;
use pagesmith_model::audience::{Audience, effective_metadata};
use pagesmith_model::example::example;
use pagesmith_model::json::JsonText;
use pagesmith_model::page::PageFlag;
use pagesmith_model::page::metadata::Metadata;
use pagesmith_model::version::VersionStatus;
use pagesmith_model::{AudienceId, PageId, PersonId, Result, Timestamp};
use pagesmith_operations::files::pictures::Pictures;
use pagesmith_store::tables::audiences::names::Match;
use pagesmith_store::tables::audiences::{AudienceDetail, ListedAudience};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::api::versions::view::VersionView;
use crate::collection::CollectionItem;
use crate::extract::Call;
use crate::pictures::{self, PictureAddresses};

/// An audience of a page.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Audience", deny_unknown_fields)]
#[schemars(example = json!({
    "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "personId": null,
    "personRouteKey": null,
    "computedName": "Heads of finance in companies of 50 to",
    "customName": "Finance teams",
    "effectiveName": "Finance teams",
    "status": "published",
    "flags": [],
    "isNewPageAgent": true,
    "supplementaryContext": "Heads of finance in companies of 50 to 500 people.",
    "actionFormIdOverride": null,
    "actionFormInstructionsOverride": null,
    "actionUrlOverride": "https://example.com/demo/finance",
    "metadataOverride": { "title": "Forecasts for finance teams" },
    "effectiveMetadata": { "title": "Forecasts for finance teams", "robots": ["index", "follow"] },
    "latestVersion": example::<VersionView>(),
    "publishedVersion": example::<VersionView>(),
    "createdAt": "2026-03-20T09:30:00.000Z",
    "archivedAt": null,
}))]
pub(crate) struct AudienceView {
    /// Id of the audience.
    audience_id: AudienceId,
    /// Id of its page.
    page_id: PageId,
    /// Person whose page this is.
    person_id: Option<PersonId>,
    /// Last part of the address, if this is the page of a person.
    person_route_key: Option<String>,
    /// Name that was made for the audience: that of its person or account, otherwise the first words of the
    /// supplementary context, otherwise `Audience` and a number.
    computed_name: String,
    /// Name that was given to the audience.
    custom_name: Option<String>,
    /// `customName`, or `computedName` if there is none.
    effective_name: String,
    /// `archived` while `archivedAt` is set, otherwise `published` if there is a published version, otherwise
    /// the status of the newest version.
    status: VersionStatus,
    /// Marks of the audience. Always empty.
    flags: Vec<PageFlag>,
    /// Always true.
    is_new_page_agent: bool,
    /// What the page agent knows about this audience in particular.
    supplementary_context: Option<String>,
    /// Form that replaces the form of the page's `form` actions.
    action_form_id_override: Option<String>,
    /// Text that visitors read above that form.
    action_form_instructions_override: Option<String>,
    /// Address that the page's `open-url` actions open instead of their own.
    action_url_override: Option<String>,
    /// Metadata that takes precedence over that of the page. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Metadata")]
    metadata_override: Option<JsonText>,
    /// Metadata of the page and the audience together. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Metadata")]
    effective_metadata: Option<JsonText>,
    /// The newest version.
    latest_version: Option<VersionView>,
    /// The version that is live.
    published_version: Option<VersionView>,
    /// When the audience was created.
    created_at: Timestamp,
    /// When the audience was archived.
    archived_at: Option<Timestamp>,
}

/// What a view of an audience needs beside the audience.
#[derive(Clone)]
pub(crate) struct AudienceViews {
    addresses: PictureAddresses,
    shows_persons: bool,
}

impl AudienceViews {
    pub(crate) fn of(call: &Call) -> AudienceViews {
        let shows_persons = call.caller.sees_personal_data();
        AudienceViews { addresses: PictureAddresses::of(call), shows_persons }
    }

    /// The audience under a page with that metadata, with these of the pictures that both name.
    pub(crate) fn view(
        &self,
        listed: ListedAudience,
        page_metadata: Option<&JsonText>,
        pictures: &Pictures,
    ) -> Result<AudienceView> {
        let is_withheld = listed.audience.person_id.is_some() && !self.shows_persons;
        let listed = if is_withheld { without_person(listed) } else { listed };
        let ListedAudience { audience, latest, published, of_persons } = listed;
        let addresses = &self.addresses;
        let is_addressed = audience.person_id.is_some() && !is_withheld;
        let effective_metadata = effective_metadata(page_metadata, audience.metadata_override.as_ref())?;
        Ok(AudienceView {
            effective_name: audience.effective_name().to_owned(),
            status: audience.status(latest.life.status),
            person_route_key: is_addressed.then(|| audience.address(of_persons).to_owned()),
            audience_id: audience.audience_id,
            page_id: audience.page_id,
            person_id: audience.person_id,
            computed_name: audience.computed_name,
            custom_name: audience.custom_name,
            flags: vec![],
            is_new_page_agent: true,
            supplementary_context: audience.supplementary_context,
            action_form_id_override: audience.overrides.form_id,
            action_form_instructions_override: audience.overrides.form_instructions,
            action_url_override: audience.overrides.url,
            metadata_override: addresses.show(pictures, audience.metadata_override)?,
            effective_metadata: addresses.show(pictures, effective_metadata)?,
            latest_version: Some(VersionView::from(latest)),
            published_version: published.map(VersionView::from),
            created_at: audience.created_at,
            archived_at: audience.archived_at,
        })
    }

    /// What shows audiences of one page, which has that metadata; reads the pictures that these audiences and the page name.
    pub(crate) async fn of_page(
        self,
        call: &Call,
        page_metadata: Option<JsonText>,
        shown: impl Iterator<Item = &ListedAudience>,
    ) -> Result<impl Fn(ListedAudience) -> Result<AudienceView> + Send + 'static> {
        let overrides = shown.filter_map(|listed| listed.audience.metadata_override.as_ref());
        let pictures = pictures::read(call, page_metadata.iter().chain(overrides)).await?;
        Ok(move |listed| self.view(listed, page_metadata.as_ref(), &pictures))
    }

    /// The same of what was found.
    pub(crate) fn of_detail(&self, found: AudienceDetail, pictures: &Pictures) -> Result<AudienceView> {
        self.view(found.listed, found.page_metadata.as_ref(), pictures)
    }
}

/// What a person's audience is called for callers who do not see personal data.
pub(crate) const NAME_OF_PERSONS: &str = "A personal page";

/// A person's audience without what is known of the person: what was written for it may name the person as well.
fn without_person(listed: ListedAudience) -> ListedAudience {
    let ListedAudience { audience, mut latest, mut published, of_persons } = listed;
    let audience = Audience {
        computed_name: NAME_OF_PERSONS.to_owned(),
        custom_name: None,
        supplementary_context: None,
        metadata_override: None,
        overrides: ActionOverrides::default(),
        ..audience
    };
    for version in [Some(&mut latest), published.as_mut()].into_iter().flatten() {
        version.supplementary_context = None;
    }
    ListedAudience { audience, latest, published, of_persons }
}

/// The metadata that a view of an audience shows.
pub(crate) fn metadata_of(found: &AudienceDetail) -> impl Iterator<Item = &JsonText> {
    found.page_metadata.iter().chain(&found.listed.audience.metadata_override)
}

impl CollectionItem for AudienceView {
    const COLLECTION: &str = "A part of the list of a page's audiences.";
}

/// An audience that a search found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AudienceSearch", deny_unknown_fields, inline)]
#[schemars(example = json!({
    "audienceId": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "effectiveName": "Finance teams",
    "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "pageName": "Spring launch",
}))]
pub(crate) struct FoundAudience {
    /// Id of the audience.
    audience_id: AudienceId,
    /// Name of the audience.
    effective_name: String,
    /// Id of its page.
    page_id: PageId,
    /// Name of its page.
    page_name: String,
}

impl From<Match> for FoundAudience {
    fn from(found: Match) -> FoundAudience {
        FoundAudience {
            audience_id: found.audience_id,
            effective_name: found.effective_name,
            page_id: found.page_id,
            page_name: found.page_name,
        }
    }
}

impl CollectionItem for FoundAudience {
    const COLLECTION: &str = "A part of the audiences that a search found.";
}
