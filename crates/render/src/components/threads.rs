//! A question to the visitor, and what is said to each answer. Plain radio buttons: the style shows what was chosen, no script does.

use maud::{Markup, html};
use pagesmith_model::content::component::Threads;

use crate::draw::{Draw, PagePosition, heading, section};
use crate::markdown;

pub(super) fn draw(block: &Threads, page: &Draw<'_>, place: &PagePosition) -> Markup {
    let group = format!("ps-choice-{}", place.index);
    let inner = html! {
        fieldset {
            legend { (heading(2, &block.question)) }
            div class="choices" {
                @for (at, choice) in block.choices.iter().enumerate() {
                    @let id = format!("{group}-{at}");
                    div class="choice" {
                        input type="radio" name=(group) id=(id);
                        label for=(id) dir="auto" { (choice.label) }
                        div class="answer prose" { (markdown::draw(&choice.markdown, 3, page.words.table)) }
                    }
                }
            }
        }
    };
    section("threads", place, &inner)
}
