//! A table that scrolls in its own box where it is wider than the page.

use maud::{Markup, PreEscaped, html};
use pagesmith_model::content::component::Table;

use crate::draw::{Draw, PagePosition, heading, section};
use crate::escape::said;
use crate::sanitise::open_table;

pub(super) fn draw(block: &Table, page: &Draw<'_>, place: &PagePosition) -> Markup {
    let title = said(block.title.as_deref());
    let mut opening = String::new();
    open_table(title.unwrap_or(page.words.table), &mut opening);
    // One column alone has nothing to head.
    let heads_rows = block.columns.len() > 1;
    let inner = html! {
        @if let Some(title) = title { (heading(2, title)) }
        (PreEscaped(opening))
        table {
            thead { tr {
                    @for column in &block.columns {
                        // A head that says nothing heads nothing.
                        @if said(Some(column)).is_none() { td {} } @else { th scope="col" dir="auto" { (column) } }
                    }
                } }
            tbody {
                @for row in &block.rows {
                    tr {
                        @for (at, cell) in row.iter().enumerate() {
                            @if at == 0 && heads_rows && said(Some(cell)).is_some() { th scope="row" dir="auto" { (cell) } }
                            @else { td dir="auto" { (cell) } }
                        }
                    }
                }
            }
        }
        (PreEscaped("</div>"))
    };
    section("table", place, &inner)
}
