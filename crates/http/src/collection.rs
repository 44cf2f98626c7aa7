//! The envelope of every collection, the same for all nouns.

use pagesmith_model::example::example;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

/// A type whose values are the items of a collection.
///
/// The name of its schema, followed by `Collection`, is the name of the collection's schema.
pub(crate) trait CollectionItem: Serialize + JsonSchema {
    /// What the documentation says of the collection.
    const COLLECTION: &'static str;
}

/// A part of a collection. `Total` is an `Option` where the items are not always counted.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "{Item}Collection", description = Item::COLLECTION, deny_unknown_fields)]
#[schemars(bound = "Item: CollectionItem, Total: JsonSchema")]
#[schemars(example = json!({
    "items": [example::<Item>()],
    "hasMore": false,
    "nextCursor": null,
    "totalCount": 1,
}))]
pub(crate) struct Collection<Item, Total = u64> {
    /// Items of this part.
    items: Vec<Item>,
    /// Whether more items follow.
    has_more: bool,
    /// Cursor for the next part. Null if there is none.
    #[schemars(length(min = 1))]
    next_cursor: Option<String>,
    /// Number of items in the whole collection, with the same filters.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    total_count: Total,
}

impl<Item, Total> Collection<Item, Total> {
    /// A part without its items, which are written one by one.
    pub(crate) fn without_items(next_cursor: Option<String>, total_count: Total) -> Self {
        Collection { items: vec![], has_more: next_cursor.is_some(), next_cursor, total_count }
    }
}
