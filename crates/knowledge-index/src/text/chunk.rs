//! Cutting: a text in pieces of about 200 words that end with a sentence, each with the heading above it.
//!
//! Headings are those of Markdown. Invariant: the pieces hold every word of the text but its headings, in order, up to [`MOST_PIECES`].

use unicode_segmentation::UnicodeSegmentation;

use pagesmith_model::hexadecimal::hexadecimal;
use sha2::{Digest, Sha256};

use crate::text::terms::is_unspaced;

/// A piece is cut after the sentence with which it has so many words.
const WORDS: usize = 200;
/// A sentence is cut where a piece would have so many words.
const MOST_WORDS: usize = 400;
/// A piece has at most so many characters.
const MOST_CHARACTERS: usize = 3_000;
/// A heading has at most so many characters.
const LONGEST_HEADING: usize = 200;
/// A heading begins a new piece if the one above it has so many words; else it is within that piece.
const FEWEST_WORDS: usize = 8;
/// The most pieces of a text.
const MOST_PIECES: usize = 2_000;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextChunk {
    /// The heading above it.
    pub heading: Option<String>,
    /// The text.
    pub text: String,
}

/// Cuts a text.
pub fn cut(text: &str) -> Vec<TextChunk> {
    let mut cutting = Cutting::default();
    for line in text.lines() {
        match heading(line) {
            Some(heading) => cutting.heading(heading),
            None if line.trim().is_empty() => cutting.break_line(),
            None => cutting.line(line),
        }
        if cutting.pieces.len() >= MOST_PIECES {
            break;
        }
    }
    cutting.end();
    cutting.pieces.truncate(MOST_PIECES);
    cutting.pieces
}

/// The text of a Markdown heading.
fn heading(line: &str) -> Option<&str> {
    let line = line.trim();
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let text = line.get(level..).filter(|rest| (1..=6).contains(&level) && rest.starts_with([' ', '\t']))?;
    let text = text.trim_end_matches('#').trim();
    (!text.is_empty() && text.chars().count() <= LONGEST_HEADING).then_some(text)
}

/// How many words a text has; of scripts without spaces two characters count as one.
fn words(text: &str) -> usize {
    let unspaced = text.chars().filter(|char| is_unspaced(*char)).count();
    text.split_whitespace().count().max(unspaced / 2)
}

#[derive(Default)]
struct Cutting {
    pieces: Vec<TextChunk>,
    heading: Option<String>,
    text: String,
    words: usize,
    characters: usize,
}

impl Cutting {
    fn heading(&mut self, heading: &str) {
        if self.words >= FEWEST_WORDS || self.text.is_empty() {
            self.end();
            self.heading = Some(heading.to_owned());
        } else {
            self.break_line();
            self.sentence(heading);
            self.break_line();
        }
    }

    fn break_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.truncate(self.text.trim_end().len());
            self.text.push('\n');
        }
    }

    fn line(&mut self, line: &str) {
        for sentence in line.split_sentence_bounds() {
            self.sentence(sentence);
        }
        self.text.push('\n');
    }

    fn sentence(&mut self, sentence: &str) {
        let (count, characters) = (words(sentence), sentence.chars().count());
        if self.words + count > MOST_WORDS || self.characters + characters > MOST_CHARACTERS {
            self.end();
        }
        if count > MOST_WORDS || characters > MOST_CHARACTERS {
            return self.long_sentence(sentence);
        }
        self.add(sentence, count, characters);
        if self.words >= WORDS {
            self.end();
        }
    }

    /// What is no sentence, but a list or data: cut between words where there are some.
    fn long_sentence(&mut self, sentence: &str) {
        for word in sentence.split_word_bounds() {
            let mut rest = word;
            while !rest.is_empty() {
                let end = rest.char_indices().nth(MOST_CHARACTERS).map_or(rest.len(), |(end, _)| end);
                let (part, behind) = rest.split_at(end);
                let (count, characters) = (words(part), part.chars().count());
                if self.words + count > WORDS || self.characters + characters > MOST_CHARACTERS {
                    self.end();
                }
                self.add(part, count, characters);
                rest = behind;
            }
        }
    }

    fn add(&mut self, text: &str, words: usize, characters: usize) {
        self.text.push_str(text);
        self.words += words;
        self.characters += characters;
    }

    fn end(&mut self) {
        let text = self.text.trim();
        if !text.is_empty() {
            self.pieces.push(TextChunk { heading: self.heading.clone(), text: text.to_owned() });
        }
        self.text.clear();
        (self.words, self.characters) = (0, 0);
    }
}

/// The id of what these texts say together: the same as long as they say the same.
pub fn content_id(parts: &[&str]) -> String {
    format!("chunk_{}", hexadecimal(&digest(parts)[..16]))
}

/// The digest of texts, each with its length in front.
pub(crate) fn digest(parts: &[&str]) -> [u8; 32] {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part.len().to_le_bytes());
        digest.update(part.as_bytes());
    }
    digest.finalize().into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pieces_end_with_sentences_and_have_their_headings() {
        let sentence = "This sentence has exactly ten words, as anybody can count. ";
        let text = format!(
            "Before.\n\n# Prices\n\n{}\n## Discounts ##\n{}",
            sentence.repeat(45),
            "Non-profits pay half."
        );
        let pieces = cut(&text);
        let shown: Vec<_> =
            pieces.iter().map(|piece| (piece.heading.as_deref(), words(&piece.text))).collect();
        // A few words above a heading stay with what follows.
        assert_eq!(shown, [(None, 202), (None, 200), (None, 50), (Some("Discounts"), 3)]);
        assert!(pieces[0].text.starts_with("Before.\nPrices\nThis sentence"), "{}", pieces[0].text);
        assert!(pieces[..3].iter().all(|piece| piece.text.ends_with("count.")));
    }

    #[test]
    fn what_has_no_sentences_is_cut_all_the_same() {
        for text in
            ["x".repeat(200_000), "word ".repeat(40_000), "価格".repeat(50_000), "# a\nb\n".repeat(30_000)]
        {
            let pieces = cut(&text);
            assert!(pieces.len() > 10 && pieces.len() <= MOST_PIECES, "{}", pieces.len());
            assert!(pieces.iter().all(|piece| piece.text.chars().count() <= MOST_CHARACTERS + 1));
        }
        assert_eq!(cut(" \n\n#\n# \n \u{a0}"), [TextChunk { heading: None, text: "#\n#".to_owned() }]);
    }

    proptest! {
        #[test]
        fn pieces_hold_every_word_in_order(text in "([#]{0,2} ?[a-zé価]{1,9}[.!?]?[ \n]{1,2}){0,120}") {
            let is_sign = |word: &&str| word.bytes().all(|byte| byte == b'#');
            let pieces = cut(&text);
            let mut left = text.split_whitespace();
            for word in pieces.iter().flat_map(|piece| piece.text.split_whitespace()).filter(|word| !is_sign(word)) {
                prop_assert!(left.any(|one| one == word), "{word}");
            }
            let kept: Vec<&str> = pieces
                .iter()
                .flat_map(|piece| piece.heading.iter().chain([&piece.text]))
                .flat_map(|part| part.split_whitespace())
                .collect();
            let body = text.lines().filter(|line| !line.trim().starts_with('#'));
            for word in body.flat_map(str::split_whitespace).filter(|word| !is_sign(word)) {
                prop_assert!(kept.contains(&word), "{word}");
            }
        }
    }
}
