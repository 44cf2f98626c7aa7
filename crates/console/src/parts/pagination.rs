//! Where one is in a long list, and the ways on: the API's lists are gone through by cursors, so there are no numbered pages.

use maud::{Markup, html};
use serde_json::Value;

use super::list_query::ListQuery;
use crate::json::items;
use crate::words::Words;

/// The shown part of a list.
#[derive(Debug, Clone, Copy, Default)]
pub struct ShownRows<'a> {
    /// How many rows are shown.
    pub shown: u64,
    /// How many there are, if that is known.
    pub total: Option<u64>,
    /// The cursor of the next part, if there is one.
    pub next: Option<&'a str>,
    /// The cursor of the part before, if the API gave one.
    pub previous: Option<&'a str>,
}

/// How much of a list an answer of the API holds.
pub fn part(value: &Value) -> ShownRows<'_> {
    ShownRows {
        shown: items(value).len() as u64,
        total: value["totalCount"].as_u64(),
        next: value["nextCursor"].as_str(),
        previous: None,
    }
}

/// Which rows these are: `51–100 of 10,000`.
pub fn range(words: Words, query: &ListQuery, part: &ShownRows<'_>) -> String {
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    if part.shown == 0 {
        return words.text("rows-none");
    }
    let from = number(query.skipped.saturating_add(1));
    let to = number(query.skipped.saturating_add(part.shown));
    match part.total {
        Some(total) => words
            .with("rows-of", &[("from", from.into()), ("to", to.into()), ("total", number(total).into())]),
        None => words.with("rows", &[("from", from.into()), ("to", to.into())]),
    }
}

/// The ways through the list at `path`; nothing if all of it is in sight.
pub fn pagination(words: Words, path: &str, query: &ListQuery, part: &ShownRows<'_>) -> Markup {
    let first = query.cursor.is_some().then(|| query.first().url(path));
    let previous =
        part.previous.map(|cursor| query.at(cursor, query.skipped.saturating_sub(part.shown)).url(path));
    let next = part.next.map(|cursor| query.at(cursor, query.skipped.saturating_add(part.shown)).url(path));
    html! {
        @if first.is_some() || previous.is_some() || next.is_some() {
            nav.pagination aria-label=(words.text("pagination")) {
                @if let Some(url) = first { a.button.quiet href=(url) hx-get=(url) { (words.text("page-first")) } }
                @if let Some(url) = previous { a.button href=(url) hx-get=(url) rel="prev" { (words.text("page-previous")) } }
                @if let Some(url) = next { a.button href=(url) hx-get=(url) rel="next" { (words.text("page-next")) } }
            }
        }
    }
}
