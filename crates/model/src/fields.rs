//! Several searched fields of one thing: what [`crate::text`] says of one field, said of many.
//!
//! The folded fields are in one text, a line each ([`join`]); folding leaves no line ends, so no word and no phrase
//! reaches from one field into the next. Every word must occur in some field; the phrase is one field or begins one, or
//! every word starts a word of some field, or they occur anywhere. [`rank`] is the definition, slow and plain; a
//! [`Matcher`] answers the same for very many texts.

use memchr::memmem::Finder;

use crate::text::{self, Query, Rank};

/// The folded fields, a line each; one that folds to nothing has no line.
pub fn join<'a>(fields: impl IntoIterator<Item = &'a str>) -> String {
    let mut joined = String::new();
    for folded in fields.into_iter().map(text::fold).filter(|folded| !folded.is_empty()) {
        if !joined.is_empty() {
            joined.push('\n');
        }
        joined.push_str(&folded);
    }
    joined
}

/// How well these joined fields match; `None` if a word occurs in none of them.
pub fn rank(fields: &str, query: &Query) -> Option<Rank> {
    let any = |test: &dyn Fn(&str) -> bool| fields.split('\n').any(test);
    if !query.words.iter().all(|word| any(&|field| field.contains(&word.text))) {
        return None;
    }
    let starts_word = |start: &str| any(&|field| text::word_form(field).contains(start));
    Some(if any(&|field| field == query.phrase) && !query.is_blank() {
        Rank::Exact
    } else if any(&|field| field.starts_with(&query.phrase)) {
        Rank::FieldStart
    } else if query.words.iter().all(|word| starts_word(&word.start_form)) {
        Rank::WordStart
    } else {
        Rank::Anywhere
    })
}

/// A query made ready for very many texts.
#[derive(Debug)]
pub struct Matcher<'q> {
    query: &'q Query,
    words: Vec<Word<'q>>,
    phrase: Finder<'q>,
}

#[derive(Debug)]
struct Word<'q> {
    finder: Finder<'q>,
    start: Start<'q>,
}

/// How to see whether a word starts a word.
#[derive(Debug)]
enum Start<'q> {
    /// A word of signs only always does.
    Always,
    /// Letters and digits only: it begins a word where no letter or digit is in front.
    Plain,
    /// Anything else: by its form.
    Form(&'q str),
}

impl<'q> Matcher<'q> {
    /// Makes a query ready.
    pub fn new(query: &'q Query) -> Self {
        let words = query.words.iter().map(|word| {
            let start = if word.start_form == " " {
                Start::Always
            } else if word.start_form[1..] == word.text {
                Start::Plain
            } else {
                Start::Form(&word.start_form)
            };
            Word { finder: Finder::new(word.text.as_bytes()), start }
        });
        let mut words: Vec<_> = words.collect();
        // What is long is rare: most texts are let go at the first word.
        words.sort_by_key(|word| std::cmp::Reverse(word.finder.needle().len()));
        Self { query, words, phrase: Finder::new(query.phrase.as_bytes()) }
    }

    /// What [`rank`] answers.
    pub fn rank(&self, fields: &str) -> Option<Rank> {
        if !self.words.iter().all(|word| word.finder.find(fields.as_bytes()).is_some()) {
            return None;
        }
        if self.query.is_blank() {
            return Some(Rank::FieldStart);
        }
        let bytes = fields.as_bytes();
        let ends_before = |at: usize| at.checked_sub(1).is_none_or(|before| bytes[before] == b'\n');
        let mut best = None;
        for at in self.phrase.find_iter(bytes).filter(|at| ends_before(*at)) {
            if bytes.get(at + self.phrase.needle().len()).is_none_or(|next| *next == b'\n') {
                return Some(Rank::Exact);
            }
            best = Some(Rank::FieldStart);
        }
        Some(best.unwrap_or_else(|| {
            let all = self.words.iter().all(|word| word.starts_word(fields));
            if all { Rank::WordStart } else { Rank::Anywhere }
        }))
    }

    /// Of many texts in one, where the first may match at or after `from`: none before it does.
    pub fn next(&self, texts: &str, from: usize) -> Option<usize> {
        let rest = texts.as_bytes().get(from..)?;
        self.words.first().map_or(Some(from), |word| word.finder.find(rest).map(|at| from + at))
    }
}

impl Word<'_> {
    fn starts_word(&self, fields: &str) -> bool {
        match self.start {
            Start::Always => true,
            Start::Plain => self
                .finder
                .find_iter(fields.as_bytes())
                .any(|at| fields.get(..at).is_some_and(|before| !before.ends_with(char::is_alphanumeric))),
            Start::Form(form) => fields.split('\n').any(|field| text::word_form(field).contains(form)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn fields_are_folded_a_line_each() {
        assert_eq!(join(["Zoë Ünal", " ", "zoe@acme.com\n"]), "zoe unal\nzoe@acme.com");
        assert_eq!(join(["\u{200b}"]), "");
    }

    #[test]
    fn no_word_reaches_from_one_field_into_the_next() {
        let fields = join(["mac o", "neil"]);
        assert_eq!(rank(&fields, &Query::parse("oneil")), None);
        assert_eq!(rank(&fields, &Query::parse("o'neil")), None);
        assert_eq!(rank(&fields, &Query::parse("neil o")), Some(Rank::WordStart));
    }

    #[test]
    fn the_best_field_counts() {
        let fields = join(["Ann Lee", "lee@acme.com", "acme.com"]);
        for (query, expected) in [
            ("acme.com", Some(Rank::Exact)),
            ("acme", Some(Rank::FieldStart)),
            ("lee", Some(Rank::FieldStart)),
            ("com ann", Some(Rank::WordStart)),
            ("cme", Some(Rank::Anywhere)),
            ("acme bob", None),
        ] {
            assert_eq!(rank(&fields, &Query::parse(query)), expected, "{query}");
        }
    }

    proptest! {
        #[test]
        fn one_field_ranks_as_text_says(field in "\\PC{0,12}|[ab '-]{0,8}", query in "\\PC{0,4}|[ab '-]{0,4}") {
            let query = Query::parse(&query);
            let folded = text::fold(&field);
            let one = text::rank(&folded, &text::word_form(&folded), &query);
            prop_assert_eq!(rank(&folded, &query), one);
        }

        #[test]
        fn a_matcher_answers_what_the_definition_says(
            fields in prop::collection::vec("\\PC{0,6}|[abé '-]{0,8}|[a ]{0,4}", 0..5),
            query in "\\PC{0,3}|[abé '-]{0,5}|[a ]{0,4}",
        ) {
            let fields = join(fields.iter().map(String::as_str));
            let query = Query::parse(&query);
            prop_assert_eq!(Matcher::new(&query).rank(&fields), rank(&fields, &query));
        }
    }
}
