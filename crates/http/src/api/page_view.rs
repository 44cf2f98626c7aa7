//! A page as answers show it.

use pagesmith_model::json::JsonText;
use pagesmith_model::link::{FooterLinkGroup, NavEntry};
use pagesmith_model::page::action::Action;
use pagesmith_model::page::metadata::Metadata;
use pagesmith_model::page::script::Script;
use pagesmith_model::page::widget::ActionCardWidget;
use pagesmith_model::page::{Page, PageFlag, PageStatus, PageType};
use pagesmith_model::{PageId, Timestamp};
use pagesmith_store::tables::page_names::Match;
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::collection::collection;

/// A page.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Page", deny_unknown_fields)]
pub(crate) struct PageView {
    /// Its id.
    page_id: PageId,
    /// Its name.
    name: String,
    /// The metadata's title, else the name.
    title: String,
    /// What the page agent knows about the page's subject.
    page_context: String,
    /// What it is for.
    page_type: PageType,
    /// Where it is in its life.
    status: PageStatus,
    /// Marks.
    flags: Vec<PageFlag>,
    /// The brand that it wears, as sent.
    brand_id: String,
    /// How many audiences it has that are not archived.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    audiences_count: u64,
    /// When it was made.
    created_at: Timestamp,
    /// When it last changed.
    updated_at: Timestamp,
    /// When it was archived.
    archived_at: Option<Timestamp>,
    /// When it was deleted.
    deleted_at: Option<Timestamp>,
    /// The buttons, in order.
    #[schemars(with = "Vec<Action>")]
    actions: JsonText,
    /// The widgets, in order.
    #[schemars(with = "Vec<ActionCardWidget>")]
    action_card_widgets: JsonText,
    /// The scripts, in order.
    #[schemars(with = "Vec<Script>")]
    scripts: JsonText,
    /// The block whose links are the footer links.
    footer_link_block_id: Option<String>,
    /// The block whose links are the navigation.
    nav_link_block_id: Option<String>,
    /// The footer's link groups, in order.
    #[schemars(with = "Vec<FooterLinkGroup>")]
    footer_links: JsonText,
    /// The navigation, in order.
    #[schemars(with = "Vec<NavEntry>")]
    nav_links: JsonText,
    /// The action in the page's header.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    header_action_id: Option<String>,
    /// What search engines and social networks are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Metadata")]
    metadata: Option<JsonText>,
}

impl From<Page> for PageView {
    fn from(page: Page) -> PageView {
        PageView {
            status: page.status(),
            page_id: page.page_id,
            name: page.name,
            title: page.title,
            page_context: page.page_context,
            page_type: page.page_type,
            flags: if page.is_home { vec![PageFlag::HomePage] } else { vec![] },
            brand_id: page.brand_id,
            audiences_count: page.audiences.present,
            created_at: page.created_at,
            updated_at: page.updated_at,
            archived_at: page.archived_at,
            deleted_at: page.deleted_at,
            actions: page.actions,
            action_card_widgets: page.action_card_widgets,
            scripts: page.scripts,
            footer_link_block_id: page.footer_link_block_id,
            nav_link_block_id: page.nav_link_block_id,
            footer_links: page.footer_links,
            nav_links: page.nav_links,
            header_action_id: page.header_action_id,
            metadata: page.metadata,
        }
    }
}

collection!(
    /// Pages, as a part of a collection.
    PageCollection,
    PageView,
    u64
);

/// A page that a search found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, inline)]
pub(crate) struct FoundPage {
    /// How many audiences it has that are not archived.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    audiences_count: u64,
    /// Its name.
    name: String,
    /// Its id.
    page_id: PageId,
    /// What it is for.
    page_type: PageType,
}

impl FoundPage {
    pub(crate) fn new(found: Match) -> FoundPage {
        FoundPage {
            audiences_count: found.audiences,
            name: found.name,
            page_id: found.page_id,
            page_type: found.page_type,
        }
    }
}

collection!(
    /// Pages that a search found, as a part of a collection.
    PageSearchCollection,
    FoundPage,
    u64
);

/// What deleting a page answers.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DeletePageResponse", deny_unknown_fields)]
pub(crate) struct DeletedPage {
    /// Always true.
    #[schemars(extend("const" = true))]
    pub(crate) success: bool,
}

/// Where a page can be opened.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct ShareableLink {
    /// The whole address.
    pub(crate) url: String,
    /// Its domain.
    pub(crate) domain: String,
    /// Its path.
    pub(crate) path: String,
}
