//! A page as answers show it.

use pagesmith_model::example::example;
use pagesmith_model::json::JsonText;
use pagesmith_model::link::{FooterLinkGroup, NavEntry, NavLink};
use pagesmith_model::list_order::{ListOrder, OrderedPlace};
use pagesmith_model::page::action::{Action, OpenUrlAction};
use pagesmith_model::page::metadata::Metadata;
use pagesmith_model::page::script::Script;
use pagesmith_model::page::widget::{ActionCardWidget, MarqueeWidget};
use pagesmith_model::page::{Page, PageFlag, PageStatus, PageType};
use pagesmith_model::{PageId, Result, TenantId, Timestamp};
use pagesmith_operations as operations;
use pagesmith_operations::files::pictures::Pictures;
use pagesmith_store::tables::pages::names::Match;
use pagesmith_store::tables::pages::{self, stamps};
use pagesmith_store::{Lookup, Stamp, StampedPart, Tx};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::collection::CollectionItem;
use crate::extract::Call;
use crate::hosts;
use crate::kept_resource::KeptResource;
use crate::pictures::{self, PictureAddresses};

/// A page.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Page", deny_unknown_fields)]
#[schemars(example = json!({
    "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "name": "Spring launch",
    "title": "Forecasts for every team",
    "pageContext": "Acme Analytics answers questions about sales figures in plain language.",
    "pageType": "inbound",
    "status": "published",
    "flags": ["home_page"],
    "brandId": "",
    "audiencesCount": 3,
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-21T14:05:12.480Z",
    "archivedAt": null,
    "deletedAt": null,
    "actions": [example::<OpenUrlAction>()],
    "actionCardWidgets": [example::<MarqueeWidget>()],
    "scripts": [example::<Script>()],
    "footerLinkBlockId": null,
    "navLinkBlockId": null,
    "footerLinks": [example::<FooterLinkGroup>()],
    "navLinks": [example::<NavLink>()],
    "headerActionId": "book-demo",
    "metadata": example::<Metadata>(),
}))]
pub(crate) struct PageView {
    /// Id of the page.
    page_id: PageId,
    /// Name of the page.
    name: String,
    /// Title of the metadata, or the name if there is none.
    title: String,
    /// What the page agent knows about the subject of the page.
    page_context: String,
    /// What the page is for: `inbound`, `outbound`, `call_followup`, `sales_deck` or `custom`.
    page_type: PageType,
    /// `archived` while `archivedAt` is set, otherwise `published` if an audience that is not archived has a
    /// published version, otherwise `draft`.
    status: PageStatus,
    /// Marks of the page: `home_page` is on the page at the root of the site.
    flags: Vec<PageFlag>,
    /// Brand of the page, as it was sent.
    brand_id: String,
    /// Number of audiences that are not archived.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    audiences_count: u64,
    /// When the page was created.
    created_at: Timestamp,
    /// When the page was last changed.
    updated_at: Timestamp,
    /// When the page was archived.
    archived_at: Option<Timestamp>,
    /// When the page was deleted.
    deleted_at: Option<Timestamp>,
    /// Buttons of the page, in order.
    #[schemars(with = "Vec<Action>")]
    actions: JsonText,
    /// Widgets on the action card, in order.
    #[schemars(with = "Vec<ActionCardWidget>")]
    action_card_widgets: JsonText,
    /// Scripts that are added to the page, in order.
    #[schemars(with = "Vec<Script>")]
    scripts: JsonText,
    /// Link block whose links are shown in the footer.
    footer_link_block_id: Option<String>,
    /// Link block whose links are the navigation.
    nav_link_block_id: Option<String>,
    /// Groups of links in the footer, in order.
    #[schemars(with = "Vec<FooterLinkGroup>")]
    footer_links: JsonText,
    /// Entries of the navigation, in order.
    #[schemars(with = "Vec<NavEntry>")]
    nav_links: JsonText,
    /// `actionId` of the button in the header of the page. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    header_action_id: Option<String>,
    /// Metadata for search engines and social networks. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Metadata")]
    metadata: Option<JsonText>,
}

impl PageView {
    /// The page with these of the pictures that its metadata names.
    pub(crate) fn new(page: Page, addresses: &PictureAddresses, pictures: &Pictures) -> Result<PageView> {
        Ok(PageView {
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
            footer_links: page.shared_footer_links.unwrap_or(page.footer_links),
            nav_links: page.shared_nav_links.unwrap_or(page.nav_links),
            header_action_id: page.header_action_id,
            metadata: addresses.show(pictures, page.metadata)?,
        })
    }

    /// The page with its pictures.
    pub(crate) fn find(
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        page: Page,
        addresses: &PictureAddresses,
    ) -> Result<PageView> {
        let pictures = pictures::find(tx, tenant, &page.metadata)?;
        PageView::new(page, addresses, &pictures)
    }
}

impl KeptResource for PageView {
    type Id = PageId;
    type Stored = Page;

    const STAMPS: &'static Lookup<Stamp> = &stamps::STAMPS;
    const ROWS: &'static Lookup<(Stamp, Page)> = &pages::ROWS;

    fn list(
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        after: Option<&PageId>,
        items: usize,
    ) -> Result<StampedPart<PageId>> {
        stamps::list(tx, tenant, after, items)
    }

    fn list_in_order(
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        order: ListOrder,
        after: Option<&OrderedPlace<PageId>>,
        items: usize,
    ) -> Result<StampedPart<OrderedPlace<PageId>>> {
        pages::in_order::list(tx, tenant, order, after, items)
    }

    fn metadata(page: &Page) -> Option<&JsonText> {
        page.metadata.as_ref()
    }

    fn view(found: Option<Page>, addresses: &PictureAddresses, pictures: &Pictures) -> Result<PageView> {
        operations::pages::present(found).and_then(|page| PageView::new(page, addresses, pictures))
    }
}

impl CollectionItem for PageView {
    const COLLECTION: &str = "A part of the list of pages.";
}

/// A page that a search found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PageSearch", deny_unknown_fields, inline)]
#[schemars(example = json!({
    "audiencesCount": 3,
    "name": "Spring launch",
    "pageId": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "pageType": "inbound",
}))]
pub(crate) struct FoundPage {
    /// Number of audiences that are not archived.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    audiences_count: u64,
    /// Name of the page.
    name: String,
    /// Id of the page.
    page_id: PageId,
    /// What the page is for: `inbound`, `outbound`, `call_followup`, `sales_deck` or `custom`.
    page_type: PageType,
}

impl From<Match> for FoundPage {
    fn from(found: Match) -> FoundPage {
        FoundPage {
            audiences_count: found.audiences,
            name: found.name,
            page_id: found.page_id,
            page_type: found.page_type,
        }
    }
}

impl CollectionItem for FoundPage {
    const COLLECTION: &str = "A part of the pages that a search found.";
}

/// Confirms that a page is deleted.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DeletePageResponse", deny_unknown_fields)]
#[schemars(example = json!({ "success": true }))]
pub(crate) struct DeletedPage {
    /// Always true.
    #[schemars(extend("const" = true))]
    pub(crate) success: bool,
}

/// Where a page can be opened.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[schemars(example = json!({
    "url": "https://acme.pages.example.com/spring-launch",
    "domain": "acme.pages.example.com",
    "path": "/spring-launch",
}))]
pub(crate) struct ShareableLink {
    /// The whole URL, to be shared.
    pub(crate) url: String,
    /// Domain of the URL, without a port.
    pub(crate) domain: String,
    /// Path of the URL.
    pub(crate) path: String,
}

impl ShareableLink {
    /// The link to a path of the caller's site, on this domain or else on the fallback domain.
    pub(crate) fn on(call: &Call, domain: Option<String>, path: String) -> ShareableLink {
        let settings = &call.state.settings;
        let domain = domain.unwrap_or_else(|| hosts::fallback_domain(settings, call.tenant_slug()));
        ShareableLink { url: hosts::url(settings, &domain, &path), domain, path }
    }
}
