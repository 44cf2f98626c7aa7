//! A table of things: searched, filtered, ordered, gone through, and worked on several at a time.
//!
//! Everything is a link or a form, and the address says what is shown. htmx fetches the same addresses and replaces the table alone.
//! The first cell names the row and leads to the thing.

use maud::{Markup, html};

use super::empty::{Empty, empty};
use super::list_query::ListQuery;
use super::pagination::{ShownRows, pagination, range};
use super::table_tools::{self, Tools};
use crate::words::Words;

pub use super::table_tools::{BulkAction, Filter};

/// A column.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    /// What it is called.
    pub label: &'a str,
    /// The name that the list can be ordered by, if it can.
    pub sort: Option<&'a str>,
    /// Whether it holds numbers.
    pub is_number: bool,
}

/// A row: a cell for every column.
#[derive(Debug, Clone)]
pub struct Row {
    /// What is sent when the row is selected.
    pub id: String,
    /// What it is called; the first cell.
    pub name: String,
    /// Where it leads.
    pub href: Option<String>,
    /// The other cells.
    pub cells: Vec<Markup>,
}

/// A table and all that belongs to it.
#[derive(Debug)]
pub struct Table<'a> {
    /// Its id.
    pub id: &'a str,
    /// What it is a table of.
    pub caption: &'a str,
    /// The path of its screen.
    pub path: &'a str,
    /// What is asked for.
    pub query: &'a ListQuery,
    /// Its columns, the one of names first.
    pub columns: &'a [Column<'a>],
    /// Its rows.
    pub rows: Vec<Row>,
    /// The part of the list that they are.
    pub part: ShownRows<'a>,
    /// What the search field is called, if the list can be searched.
    pub search: Option<&'a str>,
    /// Its filters.
    pub filters: &'a [Filter<'a>],
    /// Where selected rows are sent, and what can be done with them.
    pub bulk: Option<(&'a str, &'a [BulkAction<'a>])>,
    /// What is shown if there is nothing at all.
    pub empty: Empty<'a>,
}

/// A table that is as wide as it has to be, in a part of the screen that scrolls, also by keyboard; `label` says what it is.
pub fn scrolled(label: &str, rows: &Markup) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label=(label) { table.rows { (rows) } } }
}

impl Table<'_> {
    /// Whether there are more rows, so that ordering these is not ordering all.
    fn is_part(&self) -> bool {
        self.query.cursor.is_some() || self.part.next.is_some()
    }

    /// Whether the rows shown are in an order that the list goes on without.
    fn sorts_part(&self) -> bool {
        self.is_part() && self.query.sort.as_ref().is_some_and(|sort| !self.query.is_whole_by(&sort.by))
    }
}

/// Draws a table.
pub fn table(words: Words, table: &Table<'_>) -> Markup {
    let is_bare = table.rows.is_empty() && !table.query.is_narrowed() && table.query.cursor.is_none();
    let tools = Tools {
        id: table.id,
        path: table.path,
        query: table.query,
        search: table.search,
        filters: table.filters,
    };
    html! {
        div.table-part #(table.id) hx-target:inherited={ "#" (table.id) } hx-select:inherited={ "#" (table.id) }
            hx-swap:inherited="outerMorph" hx-push-url:inherited="true" {
            @if is_bare {
                (empty(&table.empty))
            } @else {
                (table_tools::tools(words, &tools))
                p.table-count role="status" {
                    (range(words, table.query, &table.part))
                    @if table.sorts_part() { " " span.help { (words.text("sort-shown")) } }
                }
                @if table.rows.is_empty() { (nothing_found(words, table)) } @else { (rows(words, table)) }
                (pagination(words, table.path, table.query, &table.part))
            }
        }
    }
}

fn nothing_found(words: Words, table: &Table<'_>) -> Markup {
    let url = table.query.cleared().url(table.path);
    let text = words.text("nothing-found-text");
    let clear = words.text("filters-clear");
    empty(&Empty { title: &words.text("nothing-found"), text: &text, action: Some((&clear, &url)) })
}

fn rows(words: Words, table: &Table<'_>) -> Markup {
    let (caption, bulk) = (format!("{}-caption", table.id), format!("{}-bulk", table.id));
    html! {
        @if let Some((action, actions)) = table.bulk { (table_tools::bulk(words, &bulk, action, actions)) }
        div.scroll tabindex="0" role="region" aria-labelledby=(caption) {
            table.rows {
                caption.unseen #(caption) { (table.caption) }
                thead {
                    tr {
                        @if table.bulk.is_some() {
                            th.select scope="col" {
                                input.scripted type="checkbox" data-select-all=(bulk) aria-label=(words.text("select-all"));
                                span.unseen { (words.text("select")) }
                            }
                        }
                        @for column in table.columns { (heading(words, table, column)) }
                    }
                }
                tbody {
                    @for row in &table.rows {
                        tr #{ (table.id) "-" (row.id) } {
                            @if table.bulk.is_some() {
                                td.select {
                                    input #{ (table.id) "-select-" (row.id) } type="checkbox" name="id" value=(row.id) form=(bulk)
                                        aria-label=(words.with("select-row", &[("name", row.name.as_str().into())]));
                                }
                            }
                            th scope="row" {
                                @if let Some(href) = &row.href { a.row-link href=(href) { bdi { (row.name) } } } @else { bdi { (row.name) } }
                            }
                            @for (cell, column) in row.cells.iter().zip(table.columns.iter().skip(1)) {
                                td.number[column.is_number] { (cell) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn heading(words: Words, table: &Table<'_>, column: &Column<'_>) -> Markup {
    let present = table.query.sort.as_ref().filter(|sort| column.sort == Some(&sort.by));
    let order = present.map(|sort| if sort.is_descending { "descending" } else { "ascending" });
    let is_whole = !table.is_part() || column.sort.is_some_and(|by| table.query.is_whole_by(by));
    let sorts = if is_whole { "sort-by" } else { "sort-by-shown" };
    html! {
        th.number[column.is_number] scope="col" aria-sort=[order] {
            @if let Some(name) = column.sort {
                @let url = table.query.sorted(name).url(table.path);
                a.sort #{ (table.id) "-by-" (name) } href=(url) hx-get=(url) title=(words.text(sorts)) { (column.label) }
            } @else {
                (column.label)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use maud::html;
    use scraper::{Html, Selector};

    use super::{BulkAction, Column, Filter, Row, Table, table};
    use crate::parts::empty::Empty;
    use crate::parts::list_query::{Asks, ListQuery};
    use crate::parts::pagination::ShownRows;
    use crate::words::Words;

    const COLUMNS: [Column<'_>; 2] = [
        Column { label: "Name", sort: Some("name"), is_number: false },
        Column { label: "Visits", sort: None, is_number: true },
    ];

    fn draw(query: &ListQuery, rows: Vec<Row>, part: ShownRows<'_>) -> Html {
        let drawn = table(
            Words::choose(None, None),
            &Table {
                id: "pages",
                caption: "Pages",
                path: "/console/pages",
                query,
                columns: &COLUMNS,
                rows,
                part,
                search: Some("Search pages"),
                filters: &[Filter {
                    name: "status",
                    label: "Status",
                    options: &[("draft", "Draft"), ("live", "Live")],
                }],
                bulk: Some((
                    "/console/pages/bulk",
                    &[BulkAction { value: "archive", label: "Archive", is_destructive: false }],
                )),
                empty: Empty {
                    title: "No pages yet",
                    text: "A page shows something.",
                    action: Some(("New page", "/console/pages/new")),
                },
            },
        );
        Html::parse_fragment(&drawn.into_string())
    }

    fn count(drawn: &Html, selector: &str) -> usize {
        drawn.select(&Selector::parse(selector).unwrap()).count()
    }

    fn row() -> Row {
        Row {
            id: "page_1".to_owned(),
            name: "<b>A".to_owned(),
            href: Some("/console/pages/1".to_owned()),
            cells: vec![html! { "7" }],
        }
    }

    #[test]
    fn rows_lead_on_and_columns_say_their_order() {
        let asks = Asks { sorts: &["name"], filters: &["status"] };
        let query = ListQuery::read("sort=name&status=draft&q=a%26b&cursor=c1&from=50", &asks);
        let drawn = draw(
            &query,
            vec![row()],
            ShownRows { shown: 1, total: Some(10_000), next: Some("c2"), previous: None },
        );
        assert_eq!(count(&drawn, "caption"), 1);
        assert_eq!(
            count(
                &drawn,
                "th[aria-sort=ascending] a[href='/console/pages?status=draft&sort=-name&q=a%26b&cursor=c1&from=50']"
            ),
            1
        );
        assert_eq!(count(&drawn, "th[scope=row] a[href='/console/pages/1']"), 1);
        assert_eq!(count(&drawn, "td.number"), 1);
        assert_eq!(count(&drawn, "input[name=id][value=page_1][form=pages-bulk]"), 1);
        assert_eq!(
            count(
                &drawn,
                "a[rel=next][href='/console/pages?status=draft&sort=name&q=a%26b&cursor=c2&from=51']"
            ),
            1
        );
        assert_eq!(count(&drawn, "form[role=search] input[name=status][value=draft]"), 1);
        assert_eq!(count(&drawn, "form[role=search] input[name=cursor]"), 0, "a new search begins anew");
        let status = drawn.select(&Selector::parse("[role=status]").unwrap()).next().unwrap();
        let said: String = status.text().collect();
        assert!(said.starts_with("51–51 of 10,000 Only the rows shown are sorted."), "{said}");
    }

    #[test]
    fn an_empty_list_teaches_and_an_empty_search_offers_the_way_back() {
        let bare = draw(&ListQuery::default(), vec![], ShownRows::default());
        assert_eq!((count(&bare, ".empty a[href='/console/pages/new']"), count(&bare, "form")), (1, 0));
        let searched = draw(&ListQuery::default().searched("x"), vec![], ShownRows::default());
        assert_eq!(
            (count(&searched, ".empty a[href='/console/pages']"), count(&searched, "form[role=search]")),
            (1, 1)
        );
    }
}
