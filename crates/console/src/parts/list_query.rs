//! What a list is asked for, as it stands in the address of its screen: search, order, filters, and the place in it.
//!
//! The address is the only state of a list, so that it can be kept, sent to somebody and gone back to. Names that a screen does not
//! know are dropped. Another search or filter begins the list anew.

use url::form_urlencoded::{Serializer, parse};

/// The longest value that is taken from an address, in bytes.
const LONGEST: usize = 2_000;

/// What a list can be asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asks<'a> {
    /// The columns that it can be ordered by.
    pub sorts: &'a [&'a str],
    /// The filters that it has.
    pub filters: &'a [&'a str],
}

/// An order: by a column, upwards or downwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort {
    /// The column's name.
    pub by: String,
    /// From great to small.
    pub is_descending: bool,
}

impl Sort {
    /// What an address says: a name, after a minus downwards.
    pub fn read(text: &str) -> Sort {
        let (by, is_descending) = text.strip_prefix('-').map_or((text, false), |by| (by, true));
        Sort { by: by.to_owned(), is_descending }
    }

    /// What an address says of it.
    fn text(&self) -> String {
        format!("{}{}", if self.is_descending { "-" } else { "" }, self.by)
    }
}

/// How many rows of the API's lists are read at once for them to be sorted: as many as it gives.
const SORTED_AT_ONCE: &str = "100";

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListQuery {
    /// What is searched for; empty for everything.
    pub search: String,
    /// The order, if it is not the list's own.
    pub sort: Option<Sort>,
    /// The filters that apply, each with one value, in the order of their names.
    pub filters: Vec<(String, String)>,
    /// Where the shown part begins: a cursor of the API.
    pub cursor: Option<String>,
    /// How many rows come before it, as far as the address says.
    pub skipped: u64,
    /// The columns by which the API gives the list in order; by others, rows are ordered where they are drawn.
    pub by_api: &'static [&'static str],
}

impl ListQuery {
    /// Reads the query string of an address; what cannot be is left out.
    pub fn read(query: &str, asks: &Asks<'_>) -> ListQuery {
        let mut read = ListQuery::default();
        for (name, value) in parse(query.trim_start_matches('?').as_bytes()).take(64) {
            if value.is_empty() || value.len() > LONGEST {
                continue;
            }
            match &*name {
                "q" => value.trim().clone_into(&mut read.search),
                "sort" => {
                    let sort = Sort::read(&value);
                    if asks.sorts.contains(&sort.by.as_str()) {
                        read.sort = Some(sort);
                    }
                }
                "cursor" => read.cursor = Some(value.into_owned()),
                "from" => read.skipped = value.parse().unwrap_or_default(),
                name if asks.filters.contains(&name) => {
                    read.filters.retain(|(known, _)| known != name);
                    read.filters.push((name.to_owned(), value.into_owned()));
                }
                _ => {}
            }
        }
        read.filters.sort();
        if read.cursor.is_none() {
            read.skipped = 0;
        }
        read
    }

    /// The value of a filter, if it applies.
    pub fn filter(&self, name: &str) -> Option<&str> {
        self.filters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether fewer rows may be shown than there are.
    pub fn is_narrowed(&self) -> bool {
        !self.search.is_empty() || !self.filters.is_empty()
    }

    /// The same list searched for something else.
    #[must_use]
    pub fn searched(&self, search: &str) -> ListQuery {
        ListQuery { search: search.trim().to_owned(), ..self.first() }
    }

    /// The same list with a filter set, or without it.
    #[must_use]
    pub fn filtered(&self, name: &str, value: Option<&str>) -> ListQuery {
        let mut query = self.first();
        query.filters.retain(|(known, _)| known != name);
        query.filters.extend(value.map(|value| (name.to_owned(), value.to_owned())));
        query.filters.sort();
        query
    }

    /// The same list without search and filters.
    #[must_use]
    pub fn cleared(&self) -> ListQuery {
        ListQuery { sort: self.sort.clone(), by_api: self.by_api, ..ListQuery::default() }
    }

    /// Whether the API gives the whole list in the order of this column. What is searched for comes best first.
    pub fn is_whole_by(&self, by: &str) -> bool {
        self.search.is_empty() && self.by_api.contains(&by)
    }

    /// The order in which the API is asked for the list.
    pub fn order_of_api(&self) -> Option<String> {
        self.sort.as_ref().filter(|sort| self.is_whole_by(&sort.by)).map(Sort::text)
    }

    /// The same list with its rows ordered by a column: upwards first, downwards when they are so already. Where the API gives the list in that
    /// order, it begins anew. Else its place stays: what is ordered are the rows that are read there.
    #[must_use]
    pub fn sorted(&self, by: &str) -> ListQuery {
        let is_descending = self.sort.as_ref().is_some_and(|sort| sort.by == by && !sort.is_descending);
        let sorted = ListQuery { sort: Some(Sort { by: by.to_owned(), is_descending }), ..self.clone() };
        let keeps_place = self.order_of_api().is_none() && sorted.order_of_api().is_none();
        if keeps_place { sorted } else { sorted.first() }
    }

    /// How many rows are read at once, if not as many as is usual.
    pub fn limit(&self) -> Option<&'static str> {
        (self.sort.is_some() && self.order_of_api().is_none()).then_some(SORTED_AT_ONCE)
    }

    /// The beginning of the same list.
    #[must_use]
    pub fn first(&self) -> ListQuery {
        ListQuery { cursor: None, skipped: 0, ..self.clone() }
    }

    /// The part of the same list at a cursor, behind so many rows.
    #[must_use]
    pub fn at(&self, cursor: &str, skipped: u64) -> ListQuery {
        ListQuery { cursor: Some(cursor.to_owned()), skipped, ..self.clone() }
    }

    /// Names and values in the order of an address.
    pub fn pairs(&self) -> Vec<(&str, String)> {
        let mut pairs: Vec<(&str, String)> =
            self.filters.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        if let Some(sort) = &self.sort {
            pairs.push(("sort", sort.text()));
        }
        if !self.search.is_empty() {
            pairs.push(("q", self.search.clone()));
        }
        if let Some(cursor) = &self.cursor {
            pairs.push(("cursor", cursor.clone()));
            if self.skipped > 0 {
                pairs.push(("from", self.skipped.to_string()));
            }
        }
        pairs
    }

    /// The address of a screen that shows this.
    pub fn url(&self, path: &str) -> String {
        let pairs = self.pairs();
        if pairs.is_empty() {
            return path.to_owned();
        }
        format!("{path}?{}", Serializer::new(String::new()).extend_pairs(pairs).finish())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Asks, ListQuery};

    const ASKS: Asks<'_> = Asks { sorts: &["name", "updatedAt"], filters: &["status", "type"] };

    #[test]
    fn an_order_turns_around_where_it_is_and_a_filter_begins_anew() {
        let query = ListQuery::read("?sort=name&cursor=abc&from=50&status=draft&evil=1&sort=secret", &ASKS);
        assert_eq!(query.skipped, 50);
        let at = "cursor=abc&from=50";
        assert_eq!(query.sorted("name").url("/p"), format!("/p?status=draft&sort=-name&{at}"));
        assert_eq!(query.sorted("name").sorted("name").url("/p"), format!("/p?status=draft&sort=name&{at}"));
        assert_eq!(query.sorted("updatedAt").url("/p"), format!("/p?status=draft&sort=updatedAt&{at}"));
        assert_eq!((query.limit(), query.cleared().limit()), (Some("100"), Some("100")));
        assert_eq!(ListQuery::default().limit(), None);
        assert_eq!(query.filtered("status", None).url("/p"), "/p?sort=name");
        assert_eq!(query.cleared().url("/p"), "/p?sort=name");
        assert_eq!(query.at("x/y", 100).url("/p"), "/p?status=draft&sort=name&cursor=x%2Fy&from=100");
    }

    #[test]
    fn an_order_of_the_api_begins_anew_and_takes_no_more_rows_at_once() {
        let query = ListQuery::read("?sort=name&cursor=abc&from=50", &ASKS);
        let query = ListQuery { by_api: &["name"], ..query };
        assert_eq!((query.order_of_api().as_deref(), query.limit()), (Some("name"), None));
        assert_eq!(query.sorted("name").url("/p"), "/p?sort=-name");
        // Neither does a cursor of that order go on in the list's own.
        assert_eq!(query.sorted("updatedAt").url("/p"), "/p?sort=updatedAt");
        assert_eq!(query.sorted("updatedAt").limit(), Some("100"));
        let searched = query.searched("x");
        assert_eq!((searched.order_of_api(), searched.limit()), (None, Some("100")));
    }

    proptest! {
        #[test]
        fn an_address_says_what_was_asked(
            search in "\\PC{0,30}", sort in proptest::option::of(("name|updatedAt", any::<bool>())),
            status in proptest::option::of("\\PC{1,20}"), cursor in proptest::option::of("[ -~]{1,40}"), skipped in any::<u64>(),
        ) {
            let mut query = ListQuery::default().searched(&search).filtered("status", status.as_deref());
            if let Some((by, is_descending)) = sort {
                query = query.sorted(&by);
                if is_descending { query = query.sorted(&by); }
            }
            if let Some(cursor) = cursor { query = query.at(&cursor, skipped); }
            let url = query.url("/console/pages");
            let text = url.strip_prefix("/console/pages").unwrap();
            prop_assert_eq!(ListQuery::read(text, &ASKS), query);
        }

        #[test]
        fn no_address_breaks_the_reader(text in "\\PC{0,200}") {
            let query = ListQuery::read(&text, &ASKS);
            prop_assert_eq!(ListQuery::read(&query.url(""), &ASKS), query);
        }
    }
}
