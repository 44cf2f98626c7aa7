//! A list of the API as a table: what all such screens have in common.

use std::cmp::Ordering;

use maud::{Markup, html};
use pagesmith_model::text::fold;
use serde_json::Value;

use crate::client::{Answered, Refused, with_query};
use crate::events::changes;
use crate::json::items;
use crate::parts::empty::Empty;
use crate::parts::list_query::{Asks, ListQuery, Sort};
use crate::parts::live::{Source, live, since_tag};
use crate::parts::pagination::part;
use crate::parts::table::{BulkAction, Column, Filter, Row, Table, table};
use crate::visit::{Drawn, Visit};

/// What a list is sorted by where it is sorted by the names of its rows.
pub(crate) const NAME: &str = "name";

/// A column.
#[derive(Clone)]
pub(crate) struct Heading {
    label: String,
    is_number: bool,
    by: Option<&'static str>,
}

impl Heading {
    /// A column of texts.
    pub fn new(label: impl Into<String>) -> Heading {
        Heading { label: label.into(), is_number: false, by: None }
    }

    /// Of numbers.
    pub fn number(self) -> Heading {
        Heading { is_number: true, ..self }
    }

    /// That the rows can be sorted by: the field of the API's answer that the column shows. The column of names needs none.
    pub fn by(self, field: &'static str) -> Heading {
        Heading { by: Some(field), ..self }
    }
}

/// A filter: its name, what it is called, its values with what they are called.
pub(crate) type Narrowing<'a> = (&'a str, String, Vec<(&'a str, String)>);

/// A list of the API, and what its table says.
pub(crate) struct Listing<'a> {
    /// The table's id.
    pub id: &'a str,
    /// What it is a table of.
    pub caption: &'a str,
    /// The path of its screen, within the tenant's console.
    pub path: &'a str,
    /// What is asked for.
    pub query: &'a ListQuery,
    /// Its columns, the one of names first.
    pub columns: Vec<Heading>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// The API's answer.
    pub answer: &'a Value,
    /// What the search field is called, if the list can be searched.
    pub search: Option<String>,
    /// What it can be narrowed by.
    pub filter: Option<Narrowing<'a>>,
    /// Where selected rows are sent, and what can be done with them.
    pub bulk: Option<(&'a str, Vec<BulkAction<'a>>)>,
    /// What is shown if there is nothing: a title and a text.
    pub empty: (String, String),
    /// What creates the first one: a text and a path.
    pub make: Option<(String, &'a str)>,
}

/// What a list's address asks for; `filters` are the names that it may narrow by. By which columns its rows can be sorted is known when it is
/// drawn: until then any order counts, so that enough rows are read for it.
pub(crate) fn asked(visit: &Visit, filters: &[&str]) -> ListQuery {
    let sort = visit.asked("sort").map(|sort| Sort::read(&sort));
    ListQuery { sort, ..ListQuery::read(&visit.query, &Asks { sorts: &[], filters }) }
}

/// The same of a list that cannot be searched, whatever its address says.
pub(crate) fn asked_unsearched(visit: &Visit) -> ListQuery {
    ListQuery { search: String::new(), ..asked(visit, &[]) }
}

/// The same of a list that the API gives in the order of these columns.
pub(crate) fn asked_in_order(visit: &Visit, by_api: &'static [&'static str]) -> ListQuery {
    ListQuery { by_api, ..asked(visit, &[]) }
}

/// A part of the list at a path of the API: of what matches the search, if anything is searched for.
pub(crate) async fn found(visit: &Visit, path: &str, query: &ListQuery) -> Result<Value, Refused> {
    Ok(found_to_follow(visit, path, query).await?.body)
}

/// The same of a list that cannot be searched, whatever its address says.
pub(crate) async fn found_unsearched(visit: &Visit, path: &str, query: &ListQuery) -> Result<Value, Refused> {
    found(visit, path, &ListQuery { search: String::new(), ..query.clone() }).await
}

/// The same with the whole answer, which [`followed`] needs.
pub(crate) async fn found_to_follow(
    visit: &Visit,
    path: &str,
    query: &ListQuery,
) -> Result<Answered, Refused> {
    visit.api.get(&api_path(path, query)).await
}

/// Draws a list that follows what stands in it, by the events at this path within the tenant's console.
pub(crate) fn followed(
    visit: &Visit,
    path: &str,
    query: &ListQuery,
    shown: &Answered,
    table: &Markup,
) -> Markup {
    followed_by_tag(visit, path, query, &shown.tag(), table)
}

/// The same of a list that shows more than the API's answer, of all of which this is the tag.
pub(crate) fn followed_by_tag(
    visit: &Visit,
    path: &str,
    query: &ListQuery,
    tag: &str,
    table: &Markup,
) -> Markup {
    let events = since_tag(&query.url(&visit.url(path)), tag);
    live("list-live", &Source { events: &events, event: "list", content: "" }, table)
}

/// Tells whenever something in the part of a list that the address names has changed.
pub(crate) async fn list_events(visit: &Visit, path: &str, query: &ListQuery) -> Result<Drawn, Refused> {
    changes(visit, "list", api_path(path, query)).await
}

/// The address of a part of a list of the API.
pub(crate) fn api_path(path: &str, query: &ListQuery) -> String {
    let (cursor, limit) = (("cursor", query.cursor.as_deref()), ("limit", query.limit()));
    if query.search.is_empty() {
        let order = query.order_of_api();
        return with_query(path, &[("sort", order.as_deref()), cursor, limit]);
    }
    with_query(&format!("{path}/search"), &[("query", Some(&query.search)), cursor, limit])
}

/// What creates a thing, for users who may: a button that `c` presses.
pub(crate) fn create_button(visit: &Visit, path: &str, text: &str) -> Markup {
    html! { @if visit.may_write() { a.button.primary href=(visit.url(path)) data-key="c" { (text) } } }
}

impl Listing<'_> {
    /// What each column can be sorted by. Where the API has no such order, what is sorted are the rows that are here, and the table says so where
    /// there are more.
    fn sorts(&self) -> Vec<Option<&'static str>> {
        let can_sort = self.rows.len() > 1 && self.rows.len() == items(self.answer).len();
        let by = |(at, column): (usize, &Heading)| if at == 0 { Some(NAME) } else { column.by };
        let offered = |by: &&str| can_sort || self.query.is_whole_by(by);
        self.columns.iter().enumerate().map(|column| by(column).filter(offered)).collect()
    }

    /// Sorts its rows.
    fn sort(&mut self, sort: &Sort) {
        let mut rows: Vec<(Key, Row)> = std::mem::take(&mut self.rows)
            .into_iter()
            .zip(items(self.answer))
            .map(|(row, item)| {
                let key = if sort.by == NAME { Key::text(&row.name) } else { Key::of(&item[&sort.by]) };
                (key, row)
            })
            .collect();
        rows.sort_by(|(one, _), (other, _)| one.order(other, sort.is_descending));
        self.rows = rows.into_iter().map(|(_, row)| row).collect();
    }

    /// Draws the table.
    pub fn draw(mut self, visit: &Visit) -> Markup {
        let sorts = self.sorts();
        let known: Vec<&str> = sorts.iter().flatten().copied().collect();
        let sort = ListQuery::read(&visit.query, &Asks { sorts: &known, filters: &[] }).sort;
        let query = ListQuery { sort, ..self.query.clone() };
        if let Some(sort) = query.sort.as_ref().filter(|sort| !query.is_whole_by(&sort.by)) {
            self.sort(sort);
        }
        let columns: Vec<Column<'_>> = self
            .columns
            .iter()
            .zip(sorts)
            .map(|(heading, sort)| Column { label: &heading.label, sort, is_number: heading.is_number })
            .collect();
        let path = visit.url(self.path);
        let options: Vec<(&str, &str)> = self
            .filter
            .iter()
            .flat_map(|(_, _, options)| options)
            .map(|(value, label)| (*value, label.as_str()))
            .collect();
        let filters: Vec<Filter<'_>> =
            self.filter.iter().map(|(name, label, _)| Filter { name, label, options: &options }).collect();
        let bulk_url = self.bulk.as_ref().map(|(path, _)| visit.url(path));
        let make =
            self.make.as_ref().filter(|_| visit.may_write()).map(|(text, path)| (text, visit.url(path)));
        let shown = Table {
            id: self.id,
            caption: self.caption,
            path: &path,
            query: &query,
            columns: &columns,
            rows: self.rows,
            part: part(self.answer),
            search: self.search.as_deref(),
            filters: &filters,
            bulk: bulk_url
                .as_deref()
                .zip(self.bulk.as_ref())
                .map(|(url, (_, actions))| (url, actions.as_slice())),
            empty: Empty {
                title: &self.empty.0,
                text: &self.empty.1,
                action: make.as_ref().map(|(text, url)| (text.as_str(), url.as_str())),
            },
        };
        table(visit.words, &shown)
    }
}

/// What rows are sorted by: numbers as numbers, texts without regard to case and accents, instants as the texts that they are.
enum Key {
    Number(f64),
    /// A text as search sees it, and as it is.
    Text(String, String),
    Nothing,
}

impl Key {
    fn of(value: &Value) -> Key {
        match value {
            Value::Number(number) => Key::Number(number.as_f64().unwrap_or_default()),
            Value::String(text) => Key::text(text),
            _ => Key::Nothing,
        }
    }

    fn text(text: &str) -> Key {
        if text.is_empty() { Key::Nothing } else { Key::Text(fold(text), text.to_owned()) }
    }

    /// Where nothing is known comes last either way.
    fn order(&self, other: &Key, is_descending: bool) -> Ordering {
        let order = match (self, other) {
            (Key::Nothing, Key::Nothing) => return Ordering::Equal,
            (Key::Nothing, _) => return Ordering::Greater,
            (_, Key::Nothing) => return Ordering::Less,
            (Key::Number(one), Key::Number(other)) => one.total_cmp(other),
            (Key::Number(_), Key::Text(..)) => Ordering::Less,
            (Key::Text(..), Key::Number(_)) => Ordering::Greater,
            (Key::Text(one, of_one), Key::Text(other, of_other)) => (one, of_one).cmp(&(other, of_other)),
        };
        if is_descending { order.reverse() } else { order }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Key;

    #[test]
    fn what_is_known_is_sorted_either_way_and_the_rest_comes_last() {
        let sorted = |is_descending: bool| -> Vec<Value> {
            let mut values = vec![
                json!("z"),
                json!(null),
                json!(10),
                json!("Äpfel"),
                json!(-2.5),
                json!("apple"),
                json!("B"),
                json!(9),
            ];
            values.sort_by(|one, other| Key::of(one).order(&Key::of(other), is_descending));
            values
        };
        assert_eq!(json!(sorted(false)), json!([-2.5, 9, 10, "Äpfel", "apple", "B", "z", null]));
        assert_eq!(json!(sorted(true)), json!(["z", "B", "apple", "Äpfel", 10, 9, -2.5, null]));
    }
}
