//! Navigation and footer links of a page.
//!
//! Links are kept as sent; those without an id are given one. The type of a navigation link is an open set:
//! `link` and `group` are checked strictly, any other keeps the fields that the specification lists.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bounds::{List, SomeText, Text, Title};
use crate::error::Result;
use crate::example::example;
use crate::id::PageLinkId;
use crate::json::tagged_union;

/// A link with its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "id": "imprint", "text": "Imprint", "url": "https://example.com/imprint" }))]
pub struct LinkItem {
    /// Id of the link. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub id: Option<String>,
    /// Text of the link.
    #[schemars(with = "Text")]
    pub text: String,
    /// Address that the link leads to.
    #[schemars(with = "Text")]
    pub url: String,
}

/// A group of links in the footer, under a heading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "id": "legal", "title": "Legal", "links": [example::<LinkItem>()] }))]
pub struct FooterLinkGroup {
    /// Id of the group. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub id: Option<String>,
    /// Links of the group, in order.
    #[schemars(with = "List<LinkItem>")]
    pub links: Vec<LinkItem>,
    /// Heading of the group.
    #[schemars(with = "Title")]
    pub title: String,
}

/// A single link in the navigation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "type": "link", "id": "pricing", "text": "Pricing", "url": "https://example.com/pricing" }))]
pub struct NavLink {
    /// Type of the entry: `link`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "link"))]
    pub kind: String,
    /// Id of the link. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub id: Option<String>,
    /// Text of the link.
    #[schemars(with = "Text")]
    pub text: String,
    /// Address that the link leads to.
    #[schemars(with = "Text")]
    pub url: String,
}

/// A group of links in the navigation, under a heading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "type": "group", "id": "company", "title": "Company", "links": [example::<LinkItem>()] }))]
pub struct NavLinkGroup {
    /// Type of the entry: `group`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "group"))]
    pub kind: String,
    /// Id of the group. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub id: Option<String>,
    /// Heading of the group.
    #[schemars(with = "Title")]
    pub title: String,
    /// Links of the group, in order.
    #[schemars(with = "List<LinkItem>")]
    pub links: Vec<LinkItem>,
}

/// An entry of another type. It is stored and returned as sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "type": "badge", "id": "new", "text": "New", "url": "https://example.com/news" }))]
pub struct OtherNavLink {
    /// Type of the entry: any text that is not one of the known types.
    #[serde(rename = "type")]
    #[schemars(with = "SomeText")]
    pub kind: String,
    /// Id of the entry. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub id: Option<String>,
    /// Text of the entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub text: Option<String>,
    /// Address that the entry leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub url: Option<String>,
}

tagged_union! {
    /// An entry of the navigation.
    NavEntry by "type" {
        "link" => Link(NavLink),
        "group" => Group(NavLinkGroup),
        _ => Other(OtherNavLink),
    }
}

/// Gives every link and group without an id a fresh one.
pub trait FillIds {
    /// Fills what is missing with ids from `mint`.
    fn fill_ids(&mut self, mint: &mut dyn FnMut() -> Result<PageLinkId>) -> Result<()>;
}

fn fill(id: &mut Option<String>, mint: &mut dyn FnMut() -> Result<PageLinkId>) -> Result<()> {
    if id.is_none() {
        *id = Some(mint()?.into_string());
    }
    Ok(())
}

impl FillIds for LinkItem {
    fn fill_ids(&mut self, mint: &mut dyn FnMut() -> Result<PageLinkId>) -> Result<()> {
        fill(&mut self.id, mint)
    }
}

impl FillIds for FooterLinkGroup {
    fn fill_ids(&mut self, mint: &mut dyn FnMut() -> Result<PageLinkId>) -> Result<()> {
        fill(&mut self.id, mint)?;
        self.links.fill_ids(mint)
    }
}

impl FillIds for NavEntry {
    fn fill_ids(&mut self, mint: &mut dyn FnMut() -> Result<PageLinkId>) -> Result<()> {
        match self {
            NavEntry::Link(link) => fill(&mut link.id, mint),
            NavEntry::Group(group) => {
                fill(&mut group.id, mint)?;
                group.links.fill_ids(mint)
            }
            NavEntry::Other(other) => fill(&mut other.id, mint),
        }
    }
}

impl<T: FillIds> FillIds for Vec<T> {
    fn fill_ids(&mut self, mint: &mut dyn FnMut() -> Result<PageLinkId>) -> Result<()> {
        self.iter_mut().try_for_each(|one| one.fill_ids(mint))
    }
}
