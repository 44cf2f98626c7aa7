//! What an editor works on and with: the page, what it may take words from, and what the owner has selected.

use pagesmith_model::content::Content;
use pagesmith_model::content::component::Component;
use pagesmith_model::content::part::Picture;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a page tells browsers and search engines for one audience; absent fields come from the page itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Head {
    /// Title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Keywords, joined by commas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keywords: Option<String>,
}

/// A page as it is edited.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Document {
    /// The blocks. Every block has an id.
    pub content: Content,
    /// What the audience sets of the page's metadata.
    #[serde(default)]
    pub head: Head,
    /// The notes about the audience.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

/// What an editor may put on the page beside the words of a message.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Material {
    /// Blocks that were written from the same facts; the editor inserts them whole.
    #[serde(default)]
    pub blocks: Vec<Component>,
    /// Sentences about the same subject, for visitors.
    #[serde(default)]
    pub facts: Vec<String>,
    /// Pictures with their descriptions.
    #[serde(default)]
    pub pictures: Vec<Picture>,
    /// Pictures of the tenant's that can be asked for by their words.
    #[serde(default)]
    pub offers: Vec<Offer>,
    /// The page's actions: id and label.
    #[serde(default)]
    pub actions: Vec<(String, String)>,
    /// The metadata that applies where the document's head has none.
    #[serde(default)]
    pub head: Head,
}

/// A picture that can be asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Offer {
    /// The picture as it would be on the page.
    pub picture: Picture,
    /// What its owner calls it.
    pub name: String,
    /// Everything that tells what it shows.
    pub words: Vec<String>,
}

/// What the owner has selected: nothing else may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The block.
    pub block_id: String,
    /// Where in the block, as a JSON pointer; nothing if the block as a whole is selected.
    pub path: Option<String>,
}

impl Document {
    /// An id that no block has.
    pub(crate) fn free_id(&self, wanted: &str) -> String {
        let mut number = 2;
        let mut id = wanted.to_owned();
        while self.block(&id).is_some() {
            id = format!("{wanted}-{number}");
            number += 1;
        }
        id
    }

    /// The place of a block.
    pub(crate) fn position(&self, block_id: &str) -> Option<usize> {
        self.content.blocks.iter().position(|block| block.block_id() == Some(block_id))
    }

    /// A block.
    pub(crate) fn block(&self, block_id: &str) -> Option<&Component> {
        self.content.blocks.iter().find(|block| block.block_id() == Some(block_id))
    }

    /// A block as JSON; null if there is none.
    pub(crate) fn value(&self, block_id: &str) -> Value {
        self.block(block_id).map_or(Value::Null, json)
    }

    /// The id of the block before a place; nothing for the first.
    pub(crate) fn before(&self, position: usize) -> Option<String> {
        let before = position.checked_sub(1)?;
        self.content.blocks.get(before)?.block_id().map(ToOwned::to_owned)
    }
}

/// A block as JSON.
pub(crate) fn json(block: &Component) -> Value {
    serde_json::to_value(block).unwrap_or_default()
}
