//! Positions in collections, and the sort keys by which a cursor stores them.

use pagesmith_model::cursor::SortKey;
use pagesmith_model::list_order::OrderedPlace;
use pagesmith_model::sort_order::SortOrder;
use pagesmith_model::{for_each_id, text};

/// What a collection is sorted by: mostly the id of an item.
pub(crate) trait Position: Clone + Send + Sync + 'static {
    /// The keys, in the order in which they sort the collection.
    fn keys(&self) -> Vec<SortKey>;

    /// The position with these keys. Anybody can write a cursor, so the keys can be any.
    fn from_keys(keys: &[SortKey]) -> Option<Self>;
}

macro_rules! impl_position {
    ($($(#[$doc:meta])* $id:ident = $prefix:literal, $noun:literal $(, $parameter:literal)?;)*) => {$(
        impl Position for pagesmith_model::$id {
            fn keys(&self) -> Vec<SortKey> {
                vec![SortKey::Text(self.as_str().to_owned())]
            }

            fn from_keys(keys: &[SortKey]) -> Option<Self> {
                let [SortKey::Text(id)] = keys else { return None };
                Self::parse(id)
            }
        }
    )*};
}

for_each_id!(impl_position);

/// The position of what a tenant arranges: its sort order, then what equal ones are sorted by.
impl<P: Position> Position for (SortOrder, P) {
    fn keys(&self) -> Vec<SortKey> {
        let mut keys = vec![SortKey::Integer(self.0.number())];
        keys.extend(self.1.keys());
        keys
    }

    fn from_keys(keys: &[SortKey]) -> Option<Self> {
        let [SortKey::Integer(number), rest @ ..] = keys else { return None };
        Some((SortOrder::of_number(*number)?, P::from_keys(rest)?))
    }
}

/// The place in an ordered list: the key that items are compared by, if there is one, then the id.
impl<P: Position> Position for OrderedPlace<P> {
    fn keys(&self) -> Vec<SortKey> {
        self.key.iter().cloned().chain(self.id.keys()).collect()
    }

    fn from_keys(keys: &[SortKey]) -> Option<Self> {
        if let Some(id) = P::from_keys(keys) {
            return Some(OrderedPlace { key: None, id });
        }
        let (key, rest) = keys.split_first()?;
        Some(OrderedPlace { key: Some(key.clone()), id: P::from_keys(rest)? })
    }
}

/// The worst rank of a match; 0 is the best.
const WORST_RANK: i64 = text::Rank::Anywhere as i64;

/// The position of a match: its rank, then what the matches of one rank are sorted by.
impl<P: Position> Position for (i64, P) {
    fn keys(&self) -> Vec<SortKey> {
        let mut keys = vec![SortKey::Integer(self.0)];
        keys.extend(self.1.keys());
        keys
    }

    fn from_keys(keys: &[SortKey]) -> Option<Self> {
        let [SortKey::Integer(rank @ 0..=WORST_RANK), rest @ ..] = keys else { return None };
        P::from_keys(rest).map(|position| (*rank, position))
    }
}

#[cfg(test)]
mod tests {
    use pagesmith_model::PageId;
    use proptest::prelude::*;

    use super::*;

    fn any_keys() -> impl Strategy<Value = Vec<SortKey>> {
        let id = prop_oneof![Just("page_01jpbz8n4xf5k9w2d7hq3mv6ta".to_owned()), "[a-z_0-9]{0,32}"];
        let key = prop_oneof![id.prop_map(SortKey::Text), (-2..6_i64).prop_map(SortKey::Integer)];
        prop::collection::vec(key, 0..4)
    }

    proptest! {
        #[test]
        fn a_position_is_read_from_its_own_keys_and_from_no_others(keys in any_keys()) {
            let (plain, ranked) = (PageId::from_keys(&keys), <(i64, PageId)>::from_keys(&keys));
            prop_assert!(plain.is_none() || ranked.is_none(), "keys have one meaning");
            if let Some(page_id) = plain {
                prop_assert_eq!(page_id.keys(), keys.clone());
            }
            if let Some(place) = <OrderedPlace<PageId>>::from_keys(&keys) {
                prop_assert_eq!(place.keys(), keys.clone());
            }
            if let Some(ranked) = ranked {
                prop_assert_eq!(ranked.keys(), keys);
                prop_assert!((0..=WORST_RANK).contains(&ranked.0));
            }
        }

        #[test]
        fn a_position_is_read_from_the_keys_that_it_has(rank in 0..=WORST_RANK) {
            let page_id = PageId::parse("page_01jpbz8n4xf5k9w2d7hq3mv6ta").unwrap();
            prop_assert_eq!(PageId::from_keys(&page_id.keys()), Some(page_id.clone()));
            for key in [None, Some(SortKey::Integer(rank)), Some(SortKey::Text(page_id.to_string()))] {
                let place = OrderedPlace { key, id: page_id.clone() };
                prop_assert_eq!(OrderedPlace::from_keys(&place.keys()), Some(place));
            }
            let ranked = (rank, page_id);
            prop_assert_eq!(<(i64, PageId)>::from_keys(&ranked.keys()), Some(ranked));
        }
    }
}
