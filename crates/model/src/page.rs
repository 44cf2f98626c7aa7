//! Pages: the top-level containers of a customer experience.
//!
//! [`NewPage`] and [`PagePatch`] are what a caller sends, [`Page`] is what is kept. The parts that are never
//! queried into (actions, widgets, links, scripts, metadata) are kept as the JSON that answers carry, so that
//! reading a page takes nothing apart.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bounds::{self, List, LongText, Name, Text};
use crate::example::example;
use crate::id::PageId;
use crate::json::{JsonText, given};
use crate::link::{FooterLinkGroup, NavEntry, NavLink};
use crate::time::Timestamp;

pub mod access;
pub mod action;
pub mod metadata;
pub mod script;
pub mod widget;

use action::ActionInput;
use metadata::MetadataInput;
use script::Script;
use widget::ActionCardWidget;

/// What a page is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum PageType {
    /// For visitors who come by themselves.
    #[default]
    Inbound,
    /// For people who are written to.
    Outbound,
    /// After a call.
    CallFollowup,
    /// Slides for a sale.
    SalesDeck,
    /// Anything else.
    Custom,
}

impl PageType {
    /// The type as it is stored and answered.
    pub fn as_str(self) -> &'static str {
        match self {
            PageType::Inbound => "inbound",
            PageType::Outbound => "outbound",
            PageType::CallFollowup => "call_followup",
            PageType::SalesDeck => "sales_deck",
            PageType::Custom => "custom",
        }
    }

    /// The type of that text.
    pub fn parse(text: &str) -> Option<PageType> {
        [PageType::Inbound, PageType::Outbound, PageType::CallFollowup, PageType::SalesDeck, PageType::Custom]
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}

/// Where a page is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum PageStatus {
    /// Put away: still readable, its links are gone.
    Archived,
    /// No audience of it that is not archived has a published version.
    Draft,
    /// An audience of it that is not archived has a published version.
    Published,
}

/// A mark on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum PageFlag {
    /// Served at the root of its domain.
    HomePage,
}

/// The schema of an absolute address.
pub struct Url;

impl JsonSchema for Url {
    fn schema_name() -> Cow<'static, str> {
        "Url".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = bounds::address(generator);
        schema.insert("description".to_owned(), "An absolute URL.".into());
        schema.insert("examples".to_owned(), json!(["https://example.com/demo"]));
        schema
    }
}

/// A page to be created.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreatePageRequest")]
#[schemars(example = json!({
    "name": "Spring launch",
    "pageType": "inbound",
    "pageContext": "Acme Analytics answers questions about sales figures in plain language. The spring release adds \
        forecasts. Teams of up to ten people use it for free.",
    "brandId": "",
    "actions": [example::<action::OpenUrlActionInput>()],
    "headerActionId": "book-demo",
    "actionCardWidgets": [example::<widget::MarqueeWidget>()],
    "navLinks": [example::<NavLink>()],
    "footerLinks": [example::<FooterLinkGroup>()],
    "scripts": [],
    "metadata": example::<MetadataInput>(),
}))]
pub struct NewPage {
    /// Buttons of the page, in order.
    #[schemars(with = "List<ActionInput>")]
    pub actions: Vec<ActionInput>,
    /// Widgets on the action card of the page, in order.
    #[schemars(with = "List<ActionCardWidget>")]
    pub action_card_widgets: Vec<ActionCardWidget>,
    /// Brand of the page. Any text is stored; if it names no brand, the page has the default look.
    #[schemars(with = "Text")]
    pub brand_id: String,
    /// Link block whose links are shown in the footer, in place of `footerLinks`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Text>")]
    pub footer_link_block_id: Option<String>,
    /// Groups of links in the footer, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "List<FooterLinkGroup>")]
    pub footer_links: Vec<FooterLinkGroup>,
    /// `actionId` of the button in the header of the page; it must be one of `actions`.
    #[serde(default)]
    #[schemars(with = "Text")]
    pub header_action_id: Option<String>,
    /// Metadata for search engines and social networks.
    #[serde(default)]
    #[schemars(with = "MetadataInput")]
    pub metadata: Option<MetadataInput>,
    /// Name of the page. Its address is made from its first name and stays.
    #[schemars(with = "Name")]
    pub name: String,
    /// Link block whose links are the navigation, in place of `navLinks`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Text>")]
    pub nav_link_block_id: Option<String>,
    /// Entries of the navigation, in order.
    #[serde(default)]
    #[schemars(with = "List<NavEntry>")]
    pub nav_links: Vec<NavEntry>,
    /// What the page agent should know about the subject of the page: product, offer, facts to use.
    #[schemars(with = "LongText")]
    pub page_context: String,
    /// What the page is for: `inbound` for visitors who come by themselves, `outbound` for people who are
    /// written to, `call_followup` after a call, `sales_deck` for a presentation, `custom` for anything else.
    /// The page agent writes accordingly.
    #[serde(default)]
    pub page_type: PageType,
    /// Scripts that are added to the page, in order.
    #[schemars(with = "List<Script>")]
    pub scripts: Vec<Script>,
}

/// Changes of a page. Fields that are left out keep their value; arrays are replaced as a whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdatePageRequest")]
#[schemars(example = json!({
    "name": "Spring launch 2026",
    "actions": [example::<action::OpenUrlActionInput>()],
    "metadata": { "title": "Forecasts for every team" },
}))]
pub struct PagePatch {
    /// Buttons of the page, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "List<ActionInput>")]
    pub actions: Option<Vec<ActionInput>>,
    /// Widgets on the action card of the page, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "List<ActionCardWidget>")]
    pub action_card_widgets: Option<Vec<ActionCardWidget>>,
    /// Brand of the page. Any text is stored; if it names no brand, the page has the default look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub brand_id: Option<String>,
    /// Link block whose links are shown in the footer, in place of `footerLinks`. `null` removes it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Text>")]
    pub footer_link_block_id: Option<Option<String>>,
    /// Groups of links in the footer, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "List<FooterLinkGroup>")]
    pub footer_links: Option<Vec<FooterLinkGroup>>,
    /// `actionId` of the button in the header of the page; it must be one of the page's actions. `null`
    /// removes it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Text>")]
    pub header_action_id: Option<Option<String>>,
    /// Metadata for search engines and social networks; replaced as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "MetadataInput")]
    pub metadata: Option<MetadataInput>,
    /// Name of the page. The address stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Name")]
    pub name: Option<String>,
    /// Link block whose links are the navigation, in place of `navLinks`. `null` removes it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Text>")]
    pub nav_link_block_id: Option<Option<String>>,
    /// Entries of the navigation, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "List<NavEntry>")]
    pub nav_links: Option<Vec<NavEntry>>,
    /// What the page agent should know about the subject of the page: product, offer, facts to use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LongText")]
    pub page_context: Option<String>,
    /// What the page is for: `inbound` for visitors who come by themselves, `outbound` for people who are
    /// written to, `call_followup` after a call, `sales_deck` for a presentation, `custom` for anything else.
    /// The page agent writes accordingly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PageType")]
    pub page_type: Option<PageType>,
    /// Scripts that are added to the page, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "List<Script>")]
    pub scripts: Option<Vec<Script>>,
}

/// A page as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// Its id.
    pub page_id: PageId,
    /// Its name.
    pub name: String,
    /// The metadata's title, else the name.
    pub title: String,
    /// What the page agent knows about the page's subject.
    pub page_context: String,
    /// What it is for.
    pub page_type: PageType,
    /// The brand that it wears, as sent.
    pub brand_id: String,
    /// The path of its link without the slash: fixed when it was made, never used again.
    pub slug: String,
    /// An array of [`action::Action`].
    pub actions: JsonText,
    /// An array of [`widget::ActionCardWidget`].
    pub action_card_widgets: JsonText,
    /// An array of [`script::Script`].
    pub scripts: JsonText,
    /// An array of [`FooterLinkGroup`].
    pub footer_links: JsonText,
    /// An array of [`NavEntry`].
    pub nav_links: JsonText,
    /// The block of its footer links.
    pub footer_link_block_id: Option<String>,
    /// The block of its navigation.
    pub nav_link_block_id: Option<String>,
    /// The links of its footer's block, which are shown in place of its own; said by the block.
    pub shared_footer_links: Option<JsonText>,
    /// The links of its navigation's block, which are shown in place of its own; said by the block.
    pub shared_nav_links: Option<JsonText>,
    /// The action in its header.
    pub header_action_id: Option<String>,
    /// A [`metadata::Metadata`].
    pub metadata: Option<JsonText>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it was put away.
    pub archived_at: Option<Timestamp>,
    /// When it was deleted.
    pub deleted_at: Option<Timestamp>,
    /// How many audiences it has; counted beside the page.
    pub audiences: Tally,
    /// Whether it is at the root of its site; said by the site.
    pub is_home: bool,
}

/// How many audiences a page has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Those that are not archived.
    pub present: u64,
    /// Those of them that have a live version.
    pub shown: u64,
}

impl Page {
    /// Where it is in its life.
    pub fn status(&self) -> PageStatus {
        match (self.archived_at, self.audiences.shown) {
            (Some(_), _) => PageStatus::Archived,
            (None, 0) => PageStatus::Draft,
            (None, _) => PageStatus::Published,
        }
    }

    /// What its footer shows: an array of [`FooterLinkGroup`].
    pub fn shown_footer_links(&self) -> &JsonText {
        self.shared_footer_links.as_ref().unwrap_or(&self.footer_links)
    }

    /// What its navigation shows: an array of [`NavEntry`].
    pub fn shown_nav_links(&self) -> &JsonText {
        self.shared_nav_links.as_ref().unwrap_or(&self.nav_links)
    }

    /// The title of a page with this name and this title in its metadata.
    pub fn title_of(name: &str, metadata_title: Option<&str>) -> String {
        metadata_title.filter(|title| !title.is_empty()).unwrap_or(name).to_owned()
    }
}
