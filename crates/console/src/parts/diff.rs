//! What has changed between two texts, word by word: removed words and added ones, marked by more than colour.

use std::time::Duration;

use maud::{Markup, html};
use similar::{ChangeTag, TextDiff};

use crate::words::Words;

/// How long the smallest difference is looked for; after that a larger one is good enough.
const TIME_LIMIT: Duration = Duration::from_millis(100);

/// One stretch of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stretch {
    tag: ChangeTag,
    text: String,
}

/// The stretches of both texts, neighbours of one kind joined. A space between two changes belongs to both, so that what was said
/// differently reads as one piece and not word by word.
fn stretches(before: &str, after: &str) -> Vec<Stretch> {
    let difference = TextDiff::configure().timeout(TIME_LIMIT).diff_unicode_words(before, after);
    let changes: Vec<_> =
        difference.iter_all_changes().map(|change| (change.tag(), change.value())).collect();
    let (mut stretches, mut removed, mut added) = (Vec::new(), String::new(), String::new());
    let mut rest = changes.as_slice();
    while let [(tag, value), after @ ..] = rest {
        rest = after;
        match tag {
            ChangeTag::Delete => removed.push_str(value),
            ChangeTag::Insert => added.push_str(value),
            ChangeTag::Equal => {
                let goes_on = after.first().is_some_and(|(next, _)| *next != ChangeTag::Equal);
                if value.trim().is_empty() && goes_on && !removed.is_empty() && !added.is_empty() {
                    removed.push_str(value);
                    added.push_str(value);
                    continue;
                }
                flush(&mut stretches, &mut removed, &mut added);
                push(&mut stretches, ChangeTag::Equal, value);
            }
        }
    }
    flush(&mut stretches, &mut removed, &mut added);
    stretches
}

fn flush(stretches: &mut Vec<Stretch>, removed: &mut String, added: &mut String) {
    push(stretches, ChangeTag::Delete, &std::mem::take(removed));
    push(stretches, ChangeTag::Insert, &std::mem::take(added));
}

fn push(stretches: &mut Vec<Stretch>, tag: ChangeTag, text: &str) {
    match stretches.last_mut() {
        Some(last) if last.tag == tag => last.text.push_str(text),
        _ if text.is_empty() => {}
        _ => stretches.push(Stretch { tag, text: text.to_owned() }),
    }
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
