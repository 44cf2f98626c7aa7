//! What stands above a table: the search field, the filters, and what can be done with selected rows.

use maud::{Markup, html};

use super::icon::{Icon, icon};
use super::list_query::ListQuery;
use crate::words::Words;

/// A filter: one of several values, or none.
#[derive(Debug, Clone, Copy)]
pub struct Filter<'a> {
    /// Its name in the address.
    pub name: &'a str,
    /// What it is called.
    pub label: &'a str,
    /// Its values, with what they are called.
    pub options: &'a [(&'a str, &'a str)],
}

/// Something to do with all selected rows: sent as `action`, beside an `id` for each of them.
#[derive(Debug, Clone, Copy)]
pub struct BulkAction<'a> {
    /// What is sent.
    pub value: &'a str,
    /// What the button says: a verb.
    pub label: &'a str,
    /// Whether it destroys something.
    pub is_destructive: bool,
}

/// The list that search and filters are for.
#[derive(Clone, Copy)]
pub(super) struct Tools<'a> {
    pub id: &'a str,
    pub path: &'a str,
    pub query: &'a ListQuery,
    pub search: Option<&'a str>,
    pub filters: &'a [Filter<'a>],
}

/// Search and filters.
pub(super) fn tools(words: Words, list: &Tools<'_>) -> Markup {
    html! {
        @if list.search.is_some() || !list.filters.is_empty() {
            div.tools {
                @if let Some(label) = list.search { (search(words, list, label)) }
                @for filter in list.filters { (choice_of_filter(words, list, filter)) }
                @if list.query.is_narrowed() {
                    @let url = list.query.cleared().url(list.path);
                    a.button.quiet href=(url) hx-get=(url) { (words.text("filters-clear")) }
                }
            }
        }
    }
}

/// The form is sent by Enter; htmx sends it while it is being typed.
fn search(words: Words, list: &Tools<'_>, label: &str) -> Markup {
    let id = format!("{}-search", list.id);
    let kept = list.query.searched("");
    html! {
        form.search role="search" aria-label=(label) method="get" action=(list.path) hx-get=(list.path) hx-trigger="input delay:250ms, submit" {
            @for (name, value) in kept.pairs() { input type="hidden" name=(name) value=(value); }
            label.unseen for=(id) { (label) }
            (icon(Icon::Search))
            input #(id) type="search" name="q" value=(list.query.search) placeholder=(label) autocomplete="off" dir="auto"
                aria-keyshortcuts="/" data-key="/";
            button.unseen type="submit" { (words.text("search")) }
        }
    }
}

fn choice_of_filter(words: Words, list: &Tools<'_>, filter: &Filter<'_>) -> Markup {
    let chosen = list.query.filter(filter.name);
    let chosen_label = chosen.map(|value| {
        filter.options.iter().find(|(known, _)| *known == value).map_or(value, |(_, label)| *label)
    });
    let without = list.query.filtered(filter.name, None).url(list.path);
    html! {
        div.chip.on[chosen.is_some()] {
            details.menu {
                summary #{ (list.id) "-filter-" (filter.name) } {
                    (filter.label)
                    @if let Some(label) = chosen_label { span.chip-value { ": " (label) } }
                }
                div.menu-panel {
                    ul {
                        @for (value, label) in filter.options {
                            @let url = list.query.filtered(filter.name, Some(value)).url(list.path);
                            li { a href=(url) hx-get=(url) aria-current=[(chosen == Some(value)).then_some("true")] { (label) } }
                        }
                    }
                }
            }
            @if chosen.is_some() {
                a.chip-off href=(without) hx-get=(without)
                    aria-label=(words.with("filter-remove", &[("name", filter.label.into())])) { (icon(Icon::Close)) }
            }
        }
    }
}

/// What can be done with selected rows. Their boxes name the form with this id.
pub(super) fn bulk(words: Words, id: &str, action: &str, actions: &[BulkAction<'_>]) -> Markup {
    html! {
        form.bulk #(id) method="post" action=(action) aria-label=(words.text("bulk-actions")) {
            span.bulk-count data-selected=(words.text("selected")) { (words.text("bulk-hint")) }
            @for action in actions {
                button.button.danger[action.is_destructive] type="submit" name="action" value=(action.value) { (action.label) }
            }
        }
    }
}
