//! Link blocks: links that several pages share as their navigation or as their footer.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;
use serde_json::value::RawValue;

use crate::bounds::{List, NameUpTo};
use crate::error::{Error, Result};
use crate::example::example;
use crate::id::{LinkBlockId, PageLinkId};
use crate::issue::{Issue, IssueCode};
use crate::json::JsonText;
use crate::link::{FillIds, FooterLinkGroup, NavEntry, NavLink};
use crate::time::Timestamp;

/// The most blocks of a tenant.
pub const MOST_LINK_BLOCKS: usize = 200;

/// The most bytes of a block's links as JSON: the list of blocks is not paged, and each page in a list shows those of its two blocks.
pub const MOST_BYTES: usize = 32 * 1024;

/// Where the links of a block are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum LinkBlockKind {
    /// In the footer.
    Footer,
    /// In the navigation.
    Navigation,
}

impl LinkBlockKind {
    /// Every kind.
    pub const ALL: [LinkBlockKind; 2] = [LinkBlockKind::Footer, LinkBlockKind::Navigation];

    /// Its name in requests, answers and the database.
    pub fn as_str(self) -> &'static str {
        match self {
            LinkBlockKind::Footer => "footer",
            LinkBlockKind::Navigation => "navigation",
        }
    }

    /// The kind of this name.
    pub fn parse(name: &str) -> Option<LinkBlockKind> {
        LinkBlockKind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// The links of a block, of either kind.
#[derive(Debug, Clone, PartialEq)]
pub enum BlockLinks {
    /// Entries of a navigation; also an empty list, which fits a footer as well.
    Navigation(Vec<NavEntry>),
    /// Groups of a footer.
    Footer(Vec<FooterLinkGroup>),
}

impl BlockLinks {
    /// The links as a block of this kind keeps them, each with an id; an issue if they are another kind's or too long.
    pub fn kept(
        mut self,
        kind: LinkBlockKind,
        mint: &mut dyn FnMut() -> Result<PageLinkId>,
    ) -> Result<JsonText> {
        let fits = match (&self, kind) {
            (BlockLinks::Navigation(entries), LinkBlockKind::Footer) => entries.is_empty(),
            (BlockLinks::Footer(_), LinkBlockKind::Navigation) => false,
            _ => true,
        };
        if !fits {
            let wanted = match kind {
                LinkBlockKind::Footer => "groups with `title` and `links`",
                LinkBlockKind::Navigation => "entries with a `type`",
            };
            let message = format!("links: a {} block has {wanted}.", kind.as_str());
            return Err(Error::invalid(vec![Issue::body(IssueCode::InvalidValue, &["links"], message)]));
        }
        match &mut self {
            BlockLinks::Navigation(entries) => entries.fill_ids(mint)?,
            BlockLinks::Footer(groups) => groups.fill_ids(mint)?,
        }
        let kept = JsonText::of(&self)?;
        if kept.as_str().len() > MOST_BYTES {
            let message = format!("links: must have at most {MOST_BYTES} bytes as JSON.");
            return Err(Error::invalid(vec![Issue::body(IssueCode::TooLong, &["links"], message)]));
        }
        Ok(kept)
    }
}

impl<'de> Deserialize<'de> for BlockLinks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        // An entry of a navigation has a `type`, a group of a footer must not.
        serde_json::from_str(raw.get())
            .map(BlockLinks::Navigation)
            .or_else(|_| serde_json::from_str(raw.get()).map(BlockLinks::Footer))
            .map_err(D::Error::custom)
    }
}

impl Serialize for BlockLinks {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            BlockLinks::Navigation(entries) => entries.serialize(serializer),
            BlockLinks::Footer(groups) => groups.serialize(serializer),
        }
    }
}

impl JsonSchema for BlockLinks {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "BlockLinks".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let variants =
            [generator.subschema_for::<List<NavEntry>>(), generator.subschema_for::<List<FooterLinkGroup>>()];
        json_schema!({ "anyOf": variants })
    }
}

/// A block to be made.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreatePageLinkBlockRequest")]
#[schemars(example = json!({ "kind": "navigation", "name": "Main navigation", "links": [example::<NavLink>()] }))]
pub struct NewLinkBlock {
    /// Where the links are shown: `footer` or `navigation`. It cannot be changed.
    pub kind: LinkBlockKind,
    /// Links, in order: groups of a footer, or links and groups of a navigation. At most 32 KiB as JSON.
    pub links: BlockLinks,
    /// Name of the block.
    #[schemars(with = "NameUpTo<120>")]
    pub name: String,
}

/// Changes of a block.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdatePageLinkBlockRequest")]
#[schemars(example = json!({ "name": "Navigation of the shop" }))]
pub struct LinkBlockPatch {
    /// Links, in order, in place of all of the block's. They must fit its `kind`.
    #[serde(default)]
    #[schemars(with = "BlockLinks")]
    pub links: Option<BlockLinks>,
    /// Name of the block.
    #[serde(default)]
    #[schemars(with = "NameUpTo<120>")]
    pub name: Option<String>,
}

/// A block as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkBlock {
    /// Its id.
    pub link_block_id: LinkBlockId,
    /// Where its links are shown.
    pub kind: LinkBlockKind,
    /// Its name.
    pub name: String,
    /// An array of [`NavEntry`] or [`FooterLinkGroup`], as its kind says.
    pub links: JsonText,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Uuid7Source;

    fn links(value: &serde_json::Value) -> BlockLinks {
        serde_json::from_str(&value.to_string()).unwrap()
    }

    fn kept(value: &serde_json::Value, kind: LinkBlockKind) -> Result<JsonText> {
        let ids = Uuid7Source::new();
        links(value).kept(kind, &mut || Ok(PageLinkId::mint(ids.next(Timestamp::from_micros(0), 1))))
    }

    #[test]
    fn links_fit_their_kind_and_nothing_fits_both() {
        let entries = json!([{ "type": "link", "text": "a", "url": "/a" }, { "type": "badge" }]);
        let groups = json!([{ "title": "a", "links": [] }]);
        assert!(kept(&entries, LinkBlockKind::Navigation).is_ok());
        assert!(kept(&entries, LinkBlockKind::Footer).is_err());
        assert!(kept(&groups, LinkBlockKind::Footer).is_ok());
        assert!(kept(&groups, LinkBlockKind::Navigation).is_err());
        for kind in LinkBlockKind::ALL {
            assert_eq!(kept(&json!([]), kind).unwrap().as_str(), "[]");
            assert_eq!(LinkBlockKind::parse(kind.as_str()), Some(kind));
        }
        let mixed = json!([{ "type": "link", "text": "a", "url": "/a" }, { "title": "a", "links": [] }]);
        assert!(serde_json::from_str::<BlockLinks>(&mixed.to_string()).is_err());
    }

    #[test]
    fn links_without_ids_are_given_some_and_others_stay() {
        let group = json!([{ "id": "own", "title": "a", "links": [{ "text": "b", "url": "/b" }] }]);
        let kept = kept(&group, LinkBlockKind::Footer).unwrap();
        assert!(kept.as_str().contains("\"id\":\"own\"") && kept.as_str().contains("\"id\":\"pagelink_"));
    }

    #[test]
    fn more_than_a_page_can_carry_is_refused() {
        let entry =
            |length: usize| json!([{ "type": "link", "id": "a", "text": "b".repeat(length), "url": "/" }]);
        let around = entry(0).to_string().len();
        assert!(kept(&entry(MOST_BYTES - around), LinkBlockKind::Navigation).is_ok());
        assert!(kept(&entry(MOST_BYTES - around + 1), LinkBlockKind::Navigation).is_err());
    }
}
