//! An audience as answers show it.

use pagesmith_model::audience::effective_metadata;
use pagesmith_model::json::JsonText;
use pagesmith_model::page::PageFlag;
use pagesmith_model::page::metadata::Metadata;
use pagesmith_model::version::VersionStatus;
use pagesmith_model::{AudienceId, PageId, PersonId, Result, Timestamp};
use pagesmith_store::tables::audience_names::Match;
use pagesmith_store::tables::audiences::{AudienceDetail, ListedAudience};
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::collection::collection;
use crate::api::version_view::VersionView;

/// An audience of a page.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Audience", deny_unknown_fields)]
pub(crate) struct AudienceView {
    /// Its id.
    audience_id: AudienceId,
    /// Its page.
    page_id: PageId,
    /// The person whose page it is.
    person_id: Option<PersonId>,
    /// The last part of the address of a person's own page.
    person_route_key: Option<String>,
    /// The name that was made for it.
    computed_name: String,
    /// The name that was given to it.
    custom_name: Option<String>,
    /// What it is called.
    effective_name: String,
    /// Where it is in its life.
    status: VersionStatus,
    /// Marks.
    flags: Vec<PageFlag>,
    /// Always true.
    is_new_page_agent: bool,
    /// What the page agent knows especially of it.
    supplementary_context: Option<String>,
    /// The form that the page's forms are replaced by.
    action_form_id_override: Option<String>,
    /// What visitors are told about the form instead.
    action_form_instructions_override: Option<String>,
    /// Where the page's links lead instead.
    action_url_override: Option<String>,
    /// What search engines and social networks are told instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Metadata")]
    metadata_override: Option<JsonText>,
    /// What they are told in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Metadata")]
    effective_metadata: Option<JsonText>,
    /// Its newest version.
    latest_version: Option<VersionView>,
    /// Its live version.
    published_version: Option<VersionView>,
    /// When it was made.
    created_at: Timestamp,
    /// When it was archived.
    archived_at: Option<Timestamp>,
}

impl AudienceView {
    /// The audience under a page with that metadata.
    pub(crate) fn new(listed: ListedAudience, page_metadata: Option<&JsonText>) -> Result<AudienceView> {
        let ListedAudience { audience, latest, published, of_persons } = listed;
        let effective_metadata = effective_metadata(page_metadata, audience.metadata_override.as_ref())?;
        Ok(AudienceView {
            effective_name: audience.effective_name().to_owned(),
            status: audience.status(latest.life.status),
            person_route_key: audience.person_id.is_some().then(|| audience.address(of_persons).to_owned()),
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
            metadata_override: audience.metadata_override,
            effective_metadata,
            latest_version: Some(VersionView::from(latest)),
            published_version: published.map(VersionView::from),
            created_at: audience.created_at,
            archived_at: audience.archived_at,
        })
    }
}

impl TryFrom<AudienceDetail> for AudienceView {
    type Error = pagesmith_model::Error;

    fn try_from(found: AudienceDetail) -> Result<AudienceView> {
        AudienceView::new(found.listed, found.page_metadata.as_ref())
    }
}

collection!(
    /// Audiences, as a part of a collection.
    AudienceCollection,
    AudienceView,
    u64
);

/// An audience that a search found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct FoundAudience {
    /// Its id.
    audience_id: AudienceId,
    /// What it is called.
    effective_name: String,
    /// Its page.
    page_id: PageId,
    /// What its page is called.
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

collection!(
    /// Audiences that a search found, as a part of a collection.
    AudienceSearchCollection,
    FoundAudience,
    u64
);
