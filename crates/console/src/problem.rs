//! What is shown instead of a screen that cannot be.

use axum::http::StatusCode;
use maud::{Markup, html};

use crate::client::Refused;
use crate::visit::Screen;
use crate::words::Words;

/// The screen that says why there is no other.
pub fn screen(words: Words, refused: &Refused) -> Screen {
    let (title, main) = told(words, refused);
    Screen {
        area: None,
        crumbs: vec![],
        title,
        actions: Markup::default(),
        main,
        // Its issues are not at fields of this screen, and its sentence stands in it.
        refused: Some(Refused { issues: vec![(String::new(), String::new())], ..refused.clone() }),
        frames: None,
        pictures: None,
    }
}

/// A title, and what it is about.
pub fn told(words: Words, refused: &Refused) -> (String, Markup) {
    let (title, text) = match refused.status {
        StatusCode::NOT_FOUND => (words.text("problem-not-found"), words.text("problem-not-found-text")),
        StatusCode::FORBIDDEN => (words.text("problem-forbidden"), refused.detail.clone()),
        status if status.is_server_error() => (words.text("problem-failed"), refused.detail.clone()),
        _ => (words.text("problem-refused"), refused.detail.clone()),
    };
    let main = html! {
        div.stack {
            p { (text) }
            @if !refused.request_id.is_empty() && refused.status.is_server_error() {
                p.help { (words.with("problem-request", &[("id", refused.request_id.as_str().into())])) }
            }
        }
    };
    (title, main)
}
