//! What is shown instead of a screen that cannot be.

use axum::http::StatusCode;
use maud::{Markup, html};

use crate::client::Refused;
use crate::visit::Screen;
use crate::words::Words;

/// The screen that says why there is no other.
pub fn screen(words: Words, refused: &Refused) -> Screen {
    let (title, main) = describe(words, refused);
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

/// The title and the text of a problem.
pub fn describe(words: Words, refused: &Refused) -> (String, Markup) {
    let title = match refused.status {
        StatusCode::NOT_FOUND => words.text("problem-not-found"),
        StatusCode::FORBIDDEN => words.text("problem-forbidden"),
        status if status.is_server_error() => words.text("problem-failed"),
        _ => words.text("problem-refused"),
    };
    let known = words.known_issue(&refused.detail);
    // Of what is not there, the API says no more than that.
    let detail =
        Some(&refused.detail).filter(|text| refused.status != StatusCode::NOT_FOUND && !text.is_empty());
    let detail = known.as_ref().or(detail);
    // A sentence that the reader's language has needs no other in front of it.
    let text = text(words, refused.status).filter(|_| known.is_none());
    let main = html! {
        div.stack {
            @if let Some(text) = &text { p { (text) } }
            @if let Some(detail) = detail { p.help[text.is_some()] { (detail) } }
            @if !refused.request_id.is_empty() && refused.status.is_server_error() {
                p.help { (words.with("problem-request", &[("id", refused.request_id.as_str().into())])) }
            }
        }
    };
    (title, main)
}

/// What a status means in the user's language: the API has its sentences in English.
fn text(words: Words, status: StatusCode) -> Option<String> {
    Some(match status {
        StatusCode::NOT_FOUND => words.text("problem-not-found-text"),
        StatusCode::CONFLICT => words.text("problem-conflict"),
        StatusCode::PRECONDITION_FAILED => words.text("problem-changed"),
        StatusCode::PAYLOAD_TOO_LARGE => words.text("problem-too-large"),
        StatusCode::TOO_MANY_REQUESTS => words.text("problem-limited"),
        status if status.is_server_error() => words.text("problem-failed-text"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_told_in_the_readers_language_and_the_detail_is_kept() {
        let german = Words::choose(Some("de"), None);
        for (status, said) in [
            (StatusCode::CONFLICT, "im Widerspruch"),
            (StatusCode::PRECONDITION_FAILED, "Jemand anderes"),
            (StatusCode::TOO_MANY_REQUESTS, "zu oft"),
            (StatusCode::SERVICE_UNAVAILABLE, "Auf dem Server"),
        ] {
            let (_, main) = describe(german, &Refused::new(status, "The page is <lost>."));
            let main = main.into_string();
            assert!(main.contains(said) && main.contains("The page is &lt;lost&gt;."), "{main}");
        }
        let (_, known) = describe(german, &Refused::new(StatusCode::CONFLICT, "The page is archived."));
        let known = known.into_string();
        assert!(known.contains("Die Seite ist archiviert.") && !known.contains("im Widerspruch"), "{known}");
        let (_, gone) = describe(german, &Refused::new(StatusCode::NOT_FOUND, "page not found"));
        assert!(!gone.into_string().contains("page not found"));
    }
}
