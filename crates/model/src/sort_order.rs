//! Sort order: the number by which a tenant arranges things of one kind; equal ones are arranged by their creation.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The largest whole number that JSON readers keep exactly.
const LARGEST: i64 = 9_007_199_254_740_991;

/// A place in a list; the smallest comes first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SortOrder(i64);

impl SortOrder {
    /// The number as it is stored and sent.
    pub fn number(self) -> i64 {
        self.0
    }

    /// The order of this number, if it can be one.
    pub fn of_number(number: i64) -> Option<SortOrder> {
        (0..=LARGEST).contains(&number).then_some(SortOrder(number))
    }

    /// The order after this one. The last one has itself: things that have it are arranged by their creation.
    #[must_use]
    pub fn next(self) -> SortOrder {
        SortOrder((self.0 + 1).min(LARGEST))
    }
}

impl JsonSchema for SortOrder {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "SortOrder".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        if generator.contract().is_serialize() {
            return json_schema!({ "type": "number" });
        }
        json_schema!({ "type": "integer", "minimum": 0, "maximum": LARGEST })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_comes_next_is_behind_and_is_a_sort_order(number in prop_oneof![0..100_i64, LARGEST - 2..=LARGEST]) {
            let order = SortOrder::of_number(number).unwrap();
            prop_assert_eq!(order.number(), number);
            prop_assert!(order.next() > order || number == LARGEST);
            prop_assert_eq!(SortOrder::of_number(order.next().number()), Some(order.next()));
        }

        #[test]
        fn other_numbers_are_none(number in prop_oneof![i64::MIN..0, LARGEST + 1..=i64::MAX]) {
            prop_assert_eq!(SortOrder::of_number(number), None);
        }
    }
}
