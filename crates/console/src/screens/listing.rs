//! A list of the API as a table: what all such screens have in common.

use maud::{Markup, html};
use serde_json::Value;

use crate::client::Refused;
use crate::json::part;
use crate::parts::empty::Empty;
use crate::parts::list_query::{Asks, ListQuery};
use crate::parts::table::{BulkAction, Column, Filter, Row, Table, table};
use crate::visit::Visit;

/// A column's label, and whether it holds numbers.
pub(crate) type Heading = (String, bool);

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

/// What a list's address asks for; `filters` are the names that it may narrow by.
pub(crate) fn asked(visit: &Visit, filters: &[&str]) -> ListQuery {
    ListQuery::read(&visit.query, &Asks { sorts: &[], filters })
}

/// A part of the list at a path of the API: of what matches the search, if anything is searched for.
pub(crate) async fn found(visit: &Visit, path: &str, query: &ListQuery) -> Result<Value, Refused> {
    let cursor = ("cursor", query.cursor.as_deref());
    let found = if query.search.is_empty() {
        visit.api.find(path, &[cursor]).await?
    } else {
        visit.api.find(&format!("{path}/search"), &[("query", Some(&query.search)), cursor]).await?
    };
    Ok(found.body)
}

/// What creates a thing, for users who may: a button that `c` presses.
pub(crate) fn create_button(visit: &Visit, path: &str, text: &str) -> Markup {
    html! { @if visit.may_write() { a.button.primary href=(visit.url(path)) data-key="c" { (text) } } }
}

impl Listing<'_> {
    /// Draws the table.
    pub fn draw(self, visit: &Visit) -> Markup {
        let columns: Vec<Column<'_>> = self
            .columns
            .iter()
            .map(
                |(label, is_number)| {
                    if *is_number { Column::new(label).number() } else { Column::new(label) }
                },
            )
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
            query: self.query,
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
