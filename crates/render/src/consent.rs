//! The question whether scripts of others may run: two choices of the same weight, and a way back.
//!
//! The loader shows it. Without script there is nothing to ask for, since nothing of others runs then.

use maud::{Markup, html};

use crate::words::Words;

/// The question.
pub(crate) fn banner(words: &Words) -> Markup {
    html! {
        section class="consent" data-consent="" hidden aria-labelledby="ps-consent" {
            h2 id="ps-consent" tabindex="-1" { (words.consent) }
            p { (words.consent_why) }
            div class="actions" {
                button class="button" type="button" data-choose="denied" { (words.decline) }
                button class="button" type="button" data-choose="granted" { (words.accept) }
            }
        }
    }
}

/// The way back to the question.
pub(crate) fn change(words: &Words) -> Markup {
    html! { button class="plain" type="button" data-change="" hidden { (words.change) } }
}
