//! What has just happened, in a corner: said by a status region, and taken back by Undo.
//!
//! Without script a toast stands on the screen until the next one. With script it can be dismissed, and one without Undo goes by itself.

use maud::{Markup, html};

use super::icon::{Icon, icon};
use crate::words::Words;

/// How a thing ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToastKind {
    /// As it was meant to.
    Done,
    /// Not as it was meant to; the text says why and what to do.
    Failed,
}

/// One message.
#[derive(Debug, Clone, Copy)]
pub struct Toast<'a> {
    /// How the thing ended.
    pub kind: ToastKind,
    /// What happened, as a sentence.
    pub text: &'a str,
    /// Where taking it back is sent, with the names and values that say what.
    pub undo: Option<(&'a str, &'a [(&'a str, &'a str)])>,
}

impl<'a> Toast<'a> {
    /// Something is done.
    pub fn done(text: &'a str) -> Toast<'a> {
        Toast { kind: ToastKind::Done, text, undo: None }
    }

    /// Something has failed.
    pub fn failed(text: &'a str) -> Toast<'a> {
        Toast { kind: ToastKind::Failed, text, undo: None }
    }

    /// It can be taken back by sending these values there.
    #[must_use]
    pub fn undo(self, action: &'a str, values: &'a [(&'a str, &'a str)]) -> Toast<'a> {
        Toast { undo: Some((action, values)), ..self }
    }
}

/// The region of messages, which is there even when it is empty.
pub fn toasts(words: Words, messages: &[Toast<'_>]) -> Markup {
    html! {
        toast-region #toasts role="status" aria-live="polite" aria-label=(words.text("messages")) {
            @for message in messages { (toast(words, message)) }
        }
    }
}

fn toast(words: Words, toast: &Toast<'_>) -> Markup {
    html! {
        div.toast.(match toast.kind { ToastKind::Done => "done", ToastKind::Failed => "failed" })
            data-stays[toast.undo.is_some() || toast.kind == ToastKind::Failed] {
            p { bdi { (toast.text) } }
            @if let Some((action, values)) = toast.undo {
                form method="post" action=(action) {
                    @for (name, value) in values { input type="hidden" name=(name) value=(value); }
                    button.button.quiet type="submit" { (words.text("undo")) }
                }
            }
            button.button.quiet.only-icon.scripted type="button" data-dismiss aria-label=(words.text("dismiss")) { (icon(Icon::Close)) }
        }
    }
}
