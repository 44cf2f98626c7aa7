//! Navigation and footer links of a page.
//!
//! Links are kept as sent; those without an id are given one. The type of a navigation link is an open set:
//! `link` and `group` are checked strictly, any other keeps the fields that the specification lists.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds::{List, SomeText, Text, Title};
use crate::error::Result;
use crate::id::PageLinkId;
use crate::json::tagged_union;

/// A link with its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkItem {
    /// Its id; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub id: Option<String>,
    /// What the visitor reads.
    #[schemars(with = "Text")]
    pub text: String,
    /// Where it leads.
    #[schemars(with = "Text")]
    pub url: String,
}

/// A titled group of links in the footer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FooterLinkGroup {
    /// Its id; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub id: Option<String>,
    /// Its links, in order.
    #[schemars(with = "List<LinkItem>")]
    pub links: Vec<LinkItem>,
    /// Its heading.
    #[schemars(with = "Title")]
    pub title: String,
}

/// One link in the navigation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NavLink {
    /// `link`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "link"))]
    pub kind: String,
    /// Its id; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub id: Option<String>,
    /// What the visitor reads.
    #[schemars(with = "Text")]
    pub text: String,
    /// Where it leads.
    #[schemars(with = "Text")]
    pub url: String,
}

/// A titled group of links in the navigation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NavLinkGroup {
    /// `group`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "group"))]
    pub kind: String,
    /// Its id; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub id: Option<String>,
    /// Its heading.
    #[schemars(with = "Title")]
    pub title: String,
    /// Its links, in order.
    #[schemars(with = "List<LinkItem>")]
    pub links: Vec<LinkItem>,
}

/// An entry of the navigation of a type that this service does not know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OtherNavLink {
    /// The type, as sent.
    #[serde(rename = "type")]
    #[schemars(with = "SomeText")]
    pub kind: String,
    /// Its id; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub id: Option<String>,
    /// What the visitor reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Text")]
    pub text: Option<String>,
    /// Where it leads.
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
