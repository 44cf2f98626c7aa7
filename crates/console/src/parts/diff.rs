//! What has changed between two texts, word by word: removed words and added ones, marked by more than colour.

use std::time::Duration;

use maud::{Markup, html};
use similar::{ChangeTag, TextDiff};

use crate::words::Words;

/// How long the smallest difference is looked for; after that a larger one is good enough.
const PATIENCE: Duration = Duration::from_millis(100);

/// One stretch of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stretch {
    tag: ChangeTag,
    text: String,
}

/// The stretches of both texts, neighbours of one kind joined.
fn stretches(before: &str, after: &str) -> Vec<Stretch> {
    let difference = TextDiff::configure().timeout(PATIENCE).diff_unicode_words(before, after);
    let mut stretches: Vec<Stretch> = Vec::new();
    for change in difference.iter_all_changes() {
        match stretches.last_mut() {
            Some(last) if last.tag == change.tag() => last.text.push_str(change.value()),
            _ => stretches.push(Stretch { tag: change.tag(), text: change.value().to_owned() }),
        }
    }
    stretches
}

/// Draws the later text with what was removed and added.
pub fn diff(words: Words, before: &str, after: &str) -> Markup {
    let stretches = stretches(before, after);
    let is_same = stretches.iter().all(|stretch| stretch.tag == ChangeTag::Equal);
    html! {
        @if is_same { p.diff-same { (words.text("diff-same")) } }
        div.diff dir="auto" {
            @for stretch in &stretches {
                @match stretch.tag {
                    ChangeTag::Equal => { (stretch.text) }
                    ChangeTag::Delete => {
                        del { span.unseen { (words.text("diff-removed")) " " } (stretch.text) }
                    }
                    ChangeTag::Insert => {
                        ins { span.unseen { (words.text("diff-added")) " " } (stretch.text) }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use similar::ChangeTag;

    use super::{diff, stretches};
    use crate::words::Words;

    fn side(before: &str, after: &str, left_out: ChangeTag) -> String {
        let all = stretches(before, after);
        all.into_iter().filter(|stretch| stretch.tag != left_out).map(|stretch| stretch.text).collect()
    }

    #[test]
    fn words_are_marked_and_escaped() {
        let text = diff(Words::choose(None, None), "Plan <b> for teams", "Plan <i> for teams").into_string();
        assert!(text.contains("</span>b</del>") && text.contains("</span>i</ins>"), "{text}");
        assert!(text.starts_with("<div class=\"diff\" dir=\"auto\">Plan &lt;"), "{text}");
        assert!(
            diff(Words::choose(None, None), "same", "same")
                .into_string()
                .starts_with("<p class=\"diff-same\">")
        );
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_from_a_difference(before in "[a-c \n]{0,40}|\\PC{0,40}", after in "[a-c \n]{0,40}|\\PC{0,40}") {
            prop_assert_eq!(side(&before, &after, ChangeTag::Insert), before.clone());
            prop_assert_eq!(side(&before, &after, ChangeTag::Delete), after.clone());
        }
    }
}
