//! A line of a model's answer: sentences, and the numbers of the passages that it names for them in brackets.

use crate::passage;

/// The most passages that a line may name.
const MOST_NAMED: usize = 8;

/// A line as it was understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    /// Its sentences, without the numbers.
    pub sentences: Vec<String>,
    /// The passages that it names, from 0.
    pub named: Vec<usize>,
}

/// Reads a line such as `The bike costs 89 pounds. [2]`, whose passages are numbered from 1.
pub fn line(text: &str) -> Line {
    let mut plain = String::with_capacity(text.len());
    let mut named: Vec<usize> = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let Some(close) = rest[open..].find(']').map(|at| open + at) else { break };
        let numbers = rest[open + 1..close].split([',', ' ', ';']).filter(|part| !part.is_empty());
        let numbers: Option<Vec<usize>> = numbers.map(|part| part.parse().ok()).collect();
        match numbers {
            Some(numbers) => {
                plain.push_str(rest[..open].trim_end());
                named.extend(numbers.into_iter().filter_map(|number| number.checked_sub(1)));
            }
            None => plain.push_str(&rest[..=close]),
        }
        rest = &rest[close + 1..];
    }
    plain.push_str(rest);
    named.truncate(MOST_NAMED);
    // Many models set words in bold type, whatever they are told.
    let plain = plain.replace("**", "");
    let sentences = passage::sentences(&plain).into_iter().map(str::to_owned);
    Line { sentences: sentences.collect(), named }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sentences_and_the_passages_that_they_name_are_told_apart() {
        let read = |text: &str| {
            let Line { sentences, named } = line(text);
            (sentences.join("|"), named)
        };
        assert_eq!(
            read("- It **costs** 89 pounds [2]. [1, 3]"),
            ("It costs 89 pounds.".to_owned(), vec![1, 0, 2])
        );
        assert_eq!(read("One. Two. [1]"), ("One.|Two.".to_owned(), vec![0]));
        assert_eq!(read("[a](b) x [0] [99999999999999999999]").1, Vec::<usize>::new());
        assert_eq!(read("Open [1"), ("Open [1".to_owned(), vec![]));
        assert_eq!(read(""), (String::new(), vec![]));
    }

    proptest! {
        #[test]
        fn any_line_is_read(text in "\\PC{0,120}") {
            let read = line(&text);
            prop_assert!(read.named.len() <= MOST_NAMED);
        }

        #[test]
        fn a_line_without_brackets_loses_no_word(words in prop::collection::vec("[a-z]{1,9}", 1..20)) {
            let text = words.join(" ");
            prop_assert_eq!(line(&text).sentences.join(" "), text);
        }
    }
}
