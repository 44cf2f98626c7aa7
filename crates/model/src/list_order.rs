//! Orders of lists: by what a list is sorted, in which direction, and the place of an item in it.
//!
//! Items of which that is not known come last in either direction, the newest first. Equal ones are sorted by their ids, which are
//! in the order in which the items were made.

use crate::cursor::SortKey;

/// How many characters of a name count where names are sorted; so many fit into an index, whatever they are.
pub const COMPARED_CHARACTERS: usize = 60;

/// What a list is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderBy {
    /// The name without case and accents, or what is shown in its place.
    Name,
    /// The e-mail address.
    Email,
    /// The domain.
    Domain,
    /// When it was made.
    CreatedAt,
}

impl OrderBy {
    /// Its name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            OrderBy::Name => "name",
            OrderBy::Email => "email",
            OrderBy::Domain => "domain",
            OrderBy::CreatedAt => "createdAt",
        }
    }

    /// Whether the keys of places are of the kind that this sorts by.
    fn takes(self, key: &SortKey) -> bool {
        match self {
            OrderBy::Name | OrderBy::Email | OrderBy::Domain => matches!(key, SortKey::Text(_)),
            OrderBy::CreatedAt => false,
        }
    }
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListOrder {
    /// What is compared.
    pub by: OrderBy,
    /// From great to small.
    pub is_descending: bool,
}

impl ListOrder {
    /// The order of this text, if it is one of those that a list has: a name, after a minus downwards.
    pub fn parse(text: &str, known: &[OrderBy]) -> Option<ListOrder> {
        let (name, is_descending) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
        let by = known.iter().copied().find(|by| by.as_str() == name)?;
        Some(ListOrder { by, is_descending })
    }

    /// Its text.
    pub fn text(self) -> String {
        format!("{}{}", if self.is_descending { "-" } else { "" }, self.by.as_str())
    }

    /// Whether a place can be one in this order. Anybody can write a cursor, so its keys can be any.
    pub fn has<Id>(self, place: &OrderedPlace<Id>) -> bool {
        place.key.as_ref().is_none_or(|key| self.by.takes(key))
    }
}

/// The place of an item in an ordered list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderedPlace<Id> {
    /// What it is sorted by, where that is not its id alone; `None` also stands for what is not known.
    pub key: Option<SortKey>,
    /// Its id.
    pub id: Id,
}

impl<Id: AsRef<str>> AsRef<str> for OrderedPlace<Id> {
    fn as_ref(&self) -> &str {
        self.id.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_read_as_it_is_written_and_no_other_than_the_list_has() {
        let known = [OrderBy::Name, OrderBy::CreatedAt];
        for text in ["name", "-name", "createdAt", "-createdAt"] {
            assert_eq!(ListOrder::parse(text, &known).map(ListOrder::text).as_deref(), Some(text));
        }
        for text in ["", "-", "--name", "Name", "email", "updatedAt", "name "] {
            assert_eq!(ListOrder::parse(text, &known), None, "{text}");
        }
    }

    #[test]
    fn a_place_has_the_kind_of_key_that_its_order_compares() {
        let of = |by| ListOrder { by, is_descending: false };
        let place = |key| OrderedPlace { key, id: () };
        let (text, number) = (place(Some(SortKey::Text(String::new()))), place(Some(SortKey::Integer(1))));
        assert!(of(OrderBy::Name).has(&text) && !of(OrderBy::Name).has(&number));
        assert!(!of(OrderBy::CreatedAt).has(&text) && of(OrderBy::CreatedAt).has(&place(None)));
    }
}
