//! What stands above a table: the search field, the filters, and what can be done with selected rows.

use maud::{Markup, html};

use super::icon::{Icon, icon};
use super::table::{BulkAction, Filter, Table};
use crate::words::Words;

/// Search and filters.
pub(super) fn tools(words: Words, table: &Table<'_>) -> Markup {
    html! {
        @if table.search.is_some() || !table.filters.is_empty() {
            div.tools {
                @if let Some(label) = table.search { (search(words, table, label)) }
                @for filter in table.filters { (choice_of_filter(words, table, filter)) }
                @if table.query.is_narrowed() {
                    @let url = table.query.cleared().url(table.path);
                    a.button.quiet href=(url) hx-get=(url) { (words.text("filters-clear")) }
                }
            }
        }
    }
}

/// The form is sent by Enter; htmx sends it while it is being typed.
fn search(words: Words, table: &Table<'_>, label: &str) -> Markup {
    let id = format!("{}-search", table.id);
    let kept = table.query.searched("");
    html! {
        form.search role="search" method="get" action=(table.path) hx-get=(table.path) hx-trigger="input delay:250ms, submit" {
            @for (name, value) in kept.pairs() { input type="hidden" name=(name) value=(value); }
            label.unseen for=(id) { (label) }
            (icon(Icon::Search))
            input #(id) type="search" name="q" value=(table.query.search) placeholder=(label) autocomplete="off" dir="auto"
                aria-keyshortcuts="/" data-key="/";
            button.unseen type="submit" { (words.text("search")) }
        }
    }
}

fn choice_of_filter(words: Words, table: &Table<'_>, filter: &Filter<'_>) -> Markup {
    let chosen = table.query.filter(filter.name);
    let chosen_label = chosen.map(|value| {
        filter.options.iter().find(|(known, _)| *known == value).map_or(value, |(_, label)| *label)
    });
    let without = table.query.filtered(filter.name, None).url(table.path);
    html! {
        div.chip.on[chosen.is_some()] {
            details.menu {
                summary #{ (table.id) "-filter-" (filter.name) } {
                    (filter.label)
                    @if let Some(label) = chosen_label { span.chip-value { ": " (label) } }
                }
                div.menu-panel {
                    ul {
                        @for (value, label) in filter.options {
                            @let url = table.query.filtered(filter.name, Some(value)).url(table.path);
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
