//! The envelope of every collection.

/// Makes the type of a collection of `$item`, whose total is a `$total`.
macro_rules! collection {
    ($(#[$doc:meta])* $name:ident, $item:ty, $total:ty) => {
        $(#[$doc])*
        #[derive(Debug, serde::Serialize, schemars::JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(deny_unknown_fields)]
        #[schemars(example = serde_json::json!({
            "items": [pagesmith_model::example::example::<$item>()],
            "hasMore": false,
            "nextCursor": null,
            "totalCount": 1,
        }))]
        pub(crate) struct $name {
            /// Items of this part.
            items: Vec<$item>,
            /// Whether more items follow.
            has_more: bool,
            /// Cursor for the next part. Null if there is none.
            #[schemars(length(min = 1))]
            next_cursor: Option<String>,
            /// Number of items in the whole collection, with the same filters.
            #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
            total_count: $total,
        }

        impl $name {
            /// What is around the items of a part, behind which the cursor goes on.
            pub(crate) fn around(next_cursor: Option<String>, total_count: $total) -> $name {
                $name { items: vec![], has_more: next_cursor.is_some(), next_cursor, total_count }
            }
        }
    };
}

pub(crate) use collection;
