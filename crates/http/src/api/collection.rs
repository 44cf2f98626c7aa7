//! The envelope of every collection.

/// Makes the type of a collection of `$item`, whose total is a `$total`.
macro_rules! collection {
    ($(#[$doc:meta])* $name:ident, $item:ty, $total:ty) => {
        $(#[$doc])*
        #[derive(Debug, serde::Serialize, schemars::JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(deny_unknown_fields)]
        pub(crate) struct $name {
            /// What there is in this part.
            items: Vec<$item>,
            /// Whether more follow.
            has_more: bool,
            /// What to pass as `cursor` to get them.
            #[schemars(length(min = 1))]
            next_cursor: Option<String>,
            /// How many there are in all.
            #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
            total_count: $total,
        }

        impl $name {
            /// The answer with a part that was read.
            pub(crate) fn of<T>(
                window: $crate::extract::query::Window<T>,
                total_count: $total,
                view: impl FnMut(T) -> $item,
            ) -> $name {
                $name {
                    items: window.items.into_iter().map(view).collect(),
                    has_more: window.next_cursor.is_some(),
                    next_cursor: window.next_cursor,
                    total_count,
                }
            }
        }
    };
}

pub(crate) use collection;
