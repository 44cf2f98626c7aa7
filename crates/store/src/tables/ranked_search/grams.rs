//! The grams of a search, three characters in a row, as an index of names has them.
//!
//! What this is not: the person index, whose grams are shorter too and which ranks by them. Here they only say which names are looked at. A name that holds
//! a word has all grams of it; a word of one or two characters has none, and does not narrow the search.

use pagesmith_model::TenantId;
use pagesmith_model::text::Query as Words;

/// How many characters a gram has.
const LENGTH: usize = 3;
/// So many grams are asked for; more would hardly leave out more names.
const MOST: usize = 32;
/// In so many lists, a condition each. The planner takes each condition to leave a small part of the names, and with three of them does not read
/// all names of the tenant beside the index.
const LISTS: usize = 3;
/// What is between the grams of a list, and in the index; no folded text has it.
const BETWEEN: &str = "\t";

/// Lists of the grams that a name has if it holds these words.
pub(super) fn lists(tenant: &TenantId, words: &Words) -> Vec<String> {
    let mut grams: Vec<String> = Vec::new();
    for word in &words.words {
        let chars: Vec<char> = word.text.chars().collect();
        for gram in chars.windows(LENGTH) {
            let gram = entry(tenant, gram);
            if grams.len() < MOST && !grams.contains(&gram) {
                grams.push(gram);
            }
        }
    }
    let (first, rest) = grams.split_at(grams.len().min(LISTS - 1));
    first.iter().cloned().chain((!rest.is_empty()).then(|| rest.join(BETWEEN))).collect()
}

/// A gram as the index has it: behind the last two characters of the tenant's id.
fn entry(tenant: &TenantId, gram: &[char]) -> String {
    let id = tenant.as_str();
    let end = id.char_indices().nth_back(1).map_or(id, |(at, _)| &id[at..]);
    end.chars().chain(gram.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists_of(query: &str) -> Vec<String> {
        lists(&TenantId::parse("tenant_01jpbz8n4xf5k9w2d7hq3mv6ta").unwrap(), &Words::parse(query))
    }

    #[test]
    fn a_words_grams_stand_in_at_most_three_lists() {
        assert_eq!(lists_of("ACME"), ["taacm", "tacme"]);
        assert_eq!(lists_of("spring"), ["taspr", "tapri", "tarin\ttaing"]);
        assert_eq!(lists_of("acm of me acme"), ["taacm", "tacme"]);
        assert_eq!(lists_of("株式会社"), ["ta株式会", "ta式会社"]);
    }

    #[test]
    fn words_of_one_or_two_characters_have_none() {
        assert_eq!(lists_of("a de 東京 e"), [""; 0]);
        assert_eq!(lists_of(""), [""; 0]);
    }

    #[test]
    fn of_a_long_text_some_are_enough() {
        let text: String = ('a'..='z').chain('0'..='9').collect();
        let grams: usize = lists_of(&text).iter().map(|list| list.split(BETWEEN).count()).sum();
        assert_eq!(grams, MOST);
    }
}
