//! Actions as buttons, and the dialogs that some of them open.
//!
//! An action is named by its id wherever it stands. An id that names nothing is left out, and so is an action of a type that we do not
//! know unless it has an address that a visitor may be led to. Each works without script: a form's button leads to its dialog by
//! its id, a text to copy can be unfolded and copied by hand.

use std::borrow::Cow;
use std::collections::HashSet;

use maud::{Markup, html};
use pagesmith_model::content::address;
use pagesmith_model::form::FormContent;
use pagesmith_model::page::action::{Action, FormAction};

use crate::Measured;
use crate::draw::Draw;
use crate::escape::said;
use crate::form::{Entered, FormOrigin, form};

/// The buttons of these actions, the first standing out; nothing if none is left.
pub(crate) fn buttons<'a>(ids: impl IntoIterator<Item = &'a String>, page: &Draw<'_>) -> Markup {
    let drawn: Vec<Markup> = ids
        .into_iter()
        .filter_map(|id| page.action(id))
        .enumerate()
        .filter_map(|(at, action)| button(action, if at == 0 { "button" } else { "button quiet" }, page))
        .collect();
    html! { @if !drawn.is_empty() { div class="actions" { @for one in &drawn { (one) } } } }
}

/// One action as a button of this look.
pub(crate) fn button((at, action): (usize, &Action), look: &str, page: &Draw<'_>) -> Option<Markup> {
    match action {
        Action::OpenUrl(action) => link(&action.action_id, &action.url, &action.button_title, look, page),
        Action::Other(action) => {
            link(&action.action_id, action.url.as_deref()?, action.button_title.as_deref()?, look, page)
        }
        Action::Form(action) => Some(html! {
            a class=(look) href={ "#" (dialog_id(at)) } data-action=(action.action_id) data-dialog="" aria-haspopup="dialog" { (action.button_title) }
        }),
        Action::CopyText(action) => Some(html! {
            div class="copy" {
                button class=(look) type="button" data-action=(action.action_id) data-copy=(page.words.copied) { (action.button_title) }
                span class="hidden" role="status" {}
                details {
                    summary { (action.button_title) (page.words.colon) (page.words.show_text) }
                    code dir="auto" { (action.copy_text) }
                }
            }
        }),
    }
}

fn link(id: &str, url: &str, title: &str, look: &str, page: &Draw<'_>) -> Option<Markup> {
    let title = said(Some(title))?;
    let is_elsewhere = address::is_fetched(url) && !page.is_ours(url);
    address::is_linked(url).then(|| {
        html! { a class=(look) href=(url) data-action=(id) rel=[is_elsewhere.then_some("noopener")] { (title) } }
    })
}

/// The id of the dialog of the action at a place.
pub(crate) fn dialog_id(at: usize) -> String {
    format!("ps-action-{at}")
}

/// The form of an action whose form is not there.
fn contact(page: &Draw<'_>) -> FormContent {
    FormContent::contact(page.form_words.contact)
}

/// What is sent along with the form of an action.
fn origin<'a>(action: &'a FormAction, page: &Draw<'a>) -> Option<FormOrigin<'a>> {
    let Measured { page_id, audience_id } = page.measured?;
    Some(FormOrigin { page_id, audience_id, action_id: &action.action_id })
}

/// The dialogs of all actions that the page offers.
pub(crate) fn dialogs<'a>(ids: impl IntoIterator<Item = &'a str>, page: &Draw<'_>) -> Markup {
    let mut seen = HashSet::new();
    let offered = ids.into_iter().filter_map(|id| page.action(id)).filter(|(at, _)| seen.insert(*at));
    html! {
        @for (at, action) in offered {
            @if let Action::Form(action) = action {
                @let id = dialog_id(at);
                @let content = page.forms.get(&action.form_id).map_or_else(|| Cow::Owned(contact(page)), Cow::Borrowed);
                dialog id=(id) aria-labelledby={ (id) "-title" } {
                    div {
                        h2 id={ (id) "-title" } dir="auto" { (said(content.title.as_deref()).unwrap_or(&action.button_title)) }
                        @if let Some(text) = said(action.form_instructions.as_deref().or(content.instructions.as_deref())) { p dir="auto" { (text) } }
                        (form(&format!("{id}-form"), &content, origin(action, page), &Entered::default(), page.form_words))
                        a class="button quiet" href="#content" data-close="" { (page.words.close) }
                    }
                }
            }
        }
    }
}
