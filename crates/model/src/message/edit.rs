//! Edits of a draft by hand, as callers send them: the operations that an editor makes, without an editor.
//!
//! An operation has the form in which a conversation tells what was changed, so that what was told can be sent again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::bounds::{Bounded, LongText, ShortText};
use crate::content::Component;
use crate::content::component::Hero;
use crate::content::tag::{Tag, Tagged};
use crate::example::example;
use crate::json::tagged_union;

/// The most operations of an edit.
pub const MOST_OPERATIONS: usize = 100;

/// An edit of a draft.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CreateDraftEditRequest")]
#[schemars(example = json!({ "operations": [example::<SetHeadOperation>()], "reason": "Be found by what we sell" }))]
pub struct DraftEdit {
    /// Operations, in the order in which they are carried out: at least one and at most 100. All of them are carried out, or none.
    #[schemars(length(min = 1, max = 100))]
    pub operations: Vec<DraftOperation>,
    /// Why the draft is changed. The conversation shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Bounded<1, 500, true>")]
    pub reason: Option<String>,
}

tagged_union! {
    /// An operation on a draft.
    DraftOperation by "operation" {
        "set" => Set(SetOperation),
        "insert" => Insert(InsertOperation),
        "remove" => Remove(RemoveOperation),
        "move" => Move(MoveOperation),
        "setHead" => SetHead(SetHeadOperation),
        "setContext" => SetContext(SetContextOperation),
    }
}

macro_rules! tags {
    ($($name:ident $text:literal,)*) => {
        $(impl Tagged for $name { const TAG: &'static str = $text; })*
    };
}

tags! {
    SetOperation "set",
    InsertOperation "insert",
    RemoveOperation "remove",
    MoveOperation "move",
    SetHeadOperation "setHead",
    SetContextOperation "setContext",
}

/// Sets a field of a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "operation": "set",
    "blockId": "top",
    "path": "/title",
    "from": "A long title",
    "to": "A title",
}))]
pub struct SetOperation {
    /// Name of the operation: `set`.
    #[serde(rename = "operation")]
    #[schemars(extend("const" = "set"))]
    pub kind: Tag<SetOperation>,
    /// Id of the block.
    #[schemars(length(min = 1, max = 200))]
    pub block_id: String,
    /// Place of the field in the block, as a JSON pointer such as `/cards/0/title`.
    #[schemars(length(min = 1, max = 500))]
    pub path: String,
    /// Present value of the field. Left out if the field is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Value")]
    pub from: Option<Value>,
    /// New value of the field. Left out to remove the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Value")]
    pub to: Option<Value>,
}

/// Inserts a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "operation": "insert",
    "block": { "type": "text", "markdown": "Plans are guesses." },
    "after": "top",
}))]
pub struct InsertOperation {
    /// Name of the operation: `insert`.
    #[serde(rename = "operation")]
    #[schemars(extend("const" = "insert"))]
    pub kind: Tag<InsertOperation>,
    /// The whole block. Without a `blockId` it is given one.
    pub block: Component,
    /// Id of the block before it. Left out or null for the start of the page.
    #[serde(default)]
    #[schemars(with = "Option<Bounded<1, 200>>")]
    pub after: Option<String>,
}

/// Removes a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "operation": "remove", "block": example::<Hero>(), "after": null }))]
pub struct RemoveOperation {
    /// Name of the operation: `remove`.
    #[serde(rename = "operation")]
    #[schemars(extend("const" = "remove"))]
    pub kind: Tag<RemoveOperation>,
    /// The whole block in its present state, with its id.
    pub block: Component,
    /// Id of the block before it. Left out or null at the start of the page.
    #[serde(default)]
    #[schemars(with = "Option<Bounded<1, 200>>")]
    pub after: Option<String>,
}

/// Moves a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "operation": "move", "blockId": "faq", "from": "why", "to": "top" }))]
pub struct MoveOperation {
    /// Name of the operation: `move`.
    #[serde(rename = "operation")]
    #[schemars(extend("const" = "move"))]
    pub kind: Tag<MoveOperation>,
    /// Id of the block.
    #[schemars(length(min = 1, max = 200))]
    pub block_id: String,
    /// Id of the block before it. Left out or null at the start of the page.
    #[serde(default)]
    #[schemars(with = "Option<Bounded<1, 200>>")]
    pub from: Option<String>,
    /// Id of the block that shall be before it. Left out or null for the start of the page.
    #[serde(default)]
    #[schemars(with = "Option<Bounded<1, 200>>")]
    pub to: Option<String>,
}

/// A field of the metadata that a draft can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub enum HeadField {
    /// Title for browsers and search engines.
    Title,
    /// Description for search engines.
    Description,
    /// Keywords, joined by commas.
    Keywords,
}

/// Sets a field of the audience's metadata.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "operation": "setHead",
    "field": "keywords",
    "from": null,
    "to": "forecasts, finance",
}))]
pub struct SetHeadOperation {
    /// Name of the operation: `setHead`.
    #[serde(rename = "operation")]
    #[schemars(extend("const" = "setHead"))]
    pub kind: Tag<SetHeadOperation>,
    /// Field: `title`, `description` or `keywords`.
    pub field: HeadField,
    /// Present value. Left out or null if the audience has none.
    #[serde(default)]
    #[schemars(with = "Option<ShortText>")]
    pub from: Option<String>,
    /// New value. Left out or null to remove the audience's value.
    #[serde(default)]
    #[schemars(with = "Option<ShortText>")]
    pub to: Option<String>,
}

/// Sets the notes about the audience.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "operation": "setContext", "from": null, "to": "Heads of finance." }))]
pub struct SetContextOperation {
    /// Name of the operation: `setContext`.
    #[serde(rename = "operation")]
    #[schemars(extend("const" = "setContext"))]
    pub kind: Tag<SetContextOperation>,
    /// Present notes. Left out or null if there are none.
    #[serde(default)]
    #[schemars(with = "Option<LongText>")]
    pub from: Option<String>,
    /// New notes. Left out or null for none.
    #[serde(default)]
    #[schemars(with = "Option<LongText>")]
    pub to: Option<String>,
}

const _: () = assert!(MOST_OPERATIONS == 100, "the documentation of `operations` says so");
