//! What search means, said once for both databases: how text is folded, what a word is, how matches rank.
//!
//! What this is not: a search engine. A table keeps two columns beside a searched field, [`fold`] of it and
//! [`word_form`] of that, and SQL needs nothing but substring tests on them. For a field with the columns
//! `folded` and `words`, and a [`Query`] with its `phrase` and, for each word, `text` and `start_form`:
//!
//! * only the first [`COUNTED_WORDS`] words of what somebody typed count;
//! * it matches if for every word `strpos(folded, text) > 0`;
//! * `Exact` if `folded = phrase` and the phrase is not empty (without words nothing is better than the rest); else
//! * `FieldStart` if `substr(folded, 1, length(phrase)) = phrase`; else
//! * `WordStart` if for every word `strpos(words, start_form) > 0`; else
//! * `Anywhere`.
//!
//! [`rank`] is that very definition in memory. Invariant: folding twice is folding once.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// The text without case and accents, for comparing: compatibility forms are made plain, accents and
/// invisible characters go, letters become lower case, those with a stroke or joined ones (`ø`, `ß`, `æ` …)
/// their plain Latin spelling; white space becomes single spaces, none at the ends.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    // Runs of ASCII, the common case, need no decomposition and change nothing of what is beside them.
    let mut rest = text;
    while !rest.is_empty() {
        let (ascii, behind) =
            rest.split_at(rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len()));
        ascii.chars().for_each(|char| push(&mut folded, char.to_ascii_lowercase()));
        let (other, behind) =
            behind.split_at(behind.find(|char: char| char.is_ascii()).unwrap_or(behind.len()));
        push_decomposed(&mut folded, other);
        rest = behind;
    }
    folded.truncate(folded.trim_end_matches(' ').len());
    folded
}

/// Lower case is taken letter by letter: the rule for a final sigma would make a letter depend on its neighbours, and a part of a word
/// would no longer be found in the whole.
fn push_decomposed(folded: &mut String, text: &str) {
    for char in text.nfkd().filter(|char| !is_dropped(*char)).flat_map(char::to_lowercase) {
        match plain_spelling(char) {
            Some(spelling) => spelling.chars().for_each(|char| push(folded, char)),
            None if is_dropped(char) => {}
            None => push(folded, char),
        }
    }
}

/// Whether a character changes the direction of the writing behind it, also beyond its own text. Marks of a direction that do nothing
/// more, which names are written with, are none.
pub fn turns_writing(char: char) -> bool {
    matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn push(folded: &mut String, char: char) {
    if !char.is_whitespace() {
        folded.push(char);
    } else if !folded.is_empty() && !folded.ends_with(' ') {
        folded.push(' ');
    }
}

/// Accents are the marks with a combining class; vowel signs of Indic scripts have none and stay, for they
/// are letters to their readers. Characters that cannot be seen go as well.
fn is_dropped(char: char) -> bool {
    canonical_combining_class(char) != 0
        || matches!(char, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
        || matches!(char, '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
}

/// Lower-case letters and apostrophes that have no decomposition and yet a plain spelling.
fn plain_spelling(char: char) -> Option<&'static str> {
    Some(match char {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ł' => "l",
        'ı' => "i",
        'ħ' => "h",
        'ŧ' => "t",
        'ŋ' => "n",
        'ĸ' => "k",
        'ς' => "σ",
        '‘' | '’' | 'ʼ' => "'",
        _ => return None,
    })
}

/// The words of a folded text: split at white space, each once, in the order of their first place.
pub fn words(folded: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in folded.split_whitespace() {
        if !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words
}

/// The folded text with one space for every run of characters that are neither letters nor digits, and
/// always one in front; so `word` starts a word of it exactly if it contains `" " + word`.
pub fn word_form(folded: &str) -> String {
    let mut form = String::with_capacity(folded.len() + 1);
    form.push(' ');
    for char in folded.chars() {
        if char.is_alphanumeric() {
            form.push(char);
        } else if !form.ends_with(' ') {
            form.push(' ');
        }
    }
    form
}

/// One word of a query, in the two forms it is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryWord {
    /// The folded word; it must occur in the folded field.
    pub text: String,
    /// Its [`word_form`], leading space included: it occurs in the field's if the word starts a word there.
    ///
    /// For `o'neil` that is `" o neil"`, for `(draft)` it is `" draft "`; a word of signs only, such as `&`, gives
    /// one space, which occurs in every field, so it does not count when word starts are ranked.
    pub start_form: String,
}

/// So many words of a query count, the first ones: each of them costs a look through every field.
pub const COUNTED_WORDS: usize = 16;

/// What someone searches for, prepared once for many fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The folded query as a whole, its words joined by one space, repeated ones kept.
    pub phrase: String,
    /// The different words; none if the query is blank, and then everything matches.
    pub words: Vec<QueryWord>,
}

impl Query {
    /// Prepares the text that someone typed; what is behind its first [`COUNTED_WORDS`] words is left out.
    pub fn parse(text: &str) -> Self {
        let mut phrase = fold(text);
        // Folding leaves one space between words.
        if let Some((end, _)) = phrase.match_indices(' ').nth(COUNTED_WORDS - 1) {
            phrase.truncate(end);
        }
        let words = words(&phrase).into_iter();
        let words = words.map(|text| QueryWord { start_form: word_form(&text), text }).collect();
        Self { phrase, words }
    }

    /// The query has no words, so it asks for the plain list.
    pub fn is_blank(&self) -> bool {
        self.words.is_empty()
    }
}

/// How well a field matches; the smaller, the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// The field is the phrase.
    Exact = 0,
    /// The field begins with the phrase.
    FieldStart = 1,
    /// Every word starts a word of the field.
    WordStart = 2,
    /// Every word occurs somewhere.
    Anywhere = 3,
}

/// How the field with these two columns, [`fold`] of it and [`word_form`] of that, matches; `None` if a word
/// does not occur. It is what the SQL of a search computes.
pub fn rank(folded: &str, word_form: &str, query: &Query) -> Option<Rank> {
    if !query.words.iter().all(|word| folded.contains(&word.text)) {
        return None;
    }
    Some(if folded == query.phrase && !query.is_blank() {
        Rank::Exact
    } else if folded.starts_with(&query.phrase) {
        Rank::FieldStart
    } else if query.words.iter().all(|word| word_form.contains(&word.start_form)) {
        Rank::WordStart
    } else {
        Rank::Anywhere
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rank_of(field: &str, query: &str) -> Option<Rank> {
        let folded = fold(field);
        rank(&folded, &word_form(&folded), &Query::parse(query))
    }

    #[test]
    fn folds_case_and_accents() {
        for (text, folded) in [
            ("Crème BRÛLÉE", "creme brulee"),
            ("Straße STRASSE STRAẞE", "strasse strasse strasse"),
            ("Æsir Œuvre Þór Ðan", "aesir oeuvre thor dan"),
            ("Łódź Øre Đuro Ħ", "lodz ore duro h"),
            ("İstanbul ILICA ılıca", "istanbul ilica ilica"),
            ("ΣΊΣΥΦΟΣ σίσυφος", "σισυφοσ σισυφοσ"),
            ("Ёлка Йод", "елка иод"),
            ("ﬁne ２０２６ Ⅳ", "fine 2026 iv"),
            ("O’Neil", "o'neil"),
            ("soft\u{ad}ly❤\u{fe0f}", "softly❤"),
            ("  two\t\u{a0} words\n", "two words"),
            ("हिन्दी", "हिनदी"),
            ("", ""),
        ] {
            assert_eq!(fold(text), folded);
        }
    }

    proptest! {
        #[test]
        fn runs_of_ascii_are_folded_as_all_other_text(text in "([a-zA-Z \t'.]|[éÅßıİК\u{301}\u{308}\u{ad}\u{a0}ﬁ２हि한]|\\PC){0,40}") {
            let mut whole = String::new();
            push_decomposed(&mut whole, &text);
            prop_assert_eq!(fold(&text), whole.trim_end_matches(' '));
        }
    }

    #[test]
    fn folding_any_character_twice_is_folding_it_once() {
        for char in '\0'..=char::MAX {
            let once = fold(&format!("a{char}a"));
            assert_eq!(fold(&once), once, "{char:?}");
        }
    }

    #[test]
    fn takes_each_word_once_in_order() {
        assert_eq!(words("new york new jersey"), ["new", "york", "jersey"]);
        assert!(words(" \t").is_empty());
    }

    #[test]
    fn the_first_sixteen_words_of_a_query_count() {
        let sixteen = "one two three four five six seven eight nine ten one two three four five six";
        assert_eq!(Query::parse(&format!("{sixteen} seven eleven")), Query::parse(sixteen));
        assert_eq!((Query::parse(sixteen).phrase.as_str(), Query::parse(sixteen).words.len()), (sixteen, 10));
        assert_eq!(rank_of(sixteen, &format!("{sixteen} not there")), Some(Rank::Exact));
        assert_eq!(rank_of("one two", &"one ".repeat(1000)), Some(Rank::WordStart));
        let many: String = (0..1000).map(|number| format!("{number} ")).collect();
        assert_eq!(Query::parse(&many).words.len(), COUNTED_WORDS);
    }

    #[test]
    fn marks_the_starts_of_words() {
        assert_eq!(word_form("spring-launch (2026)"), " spring launch 2026 ");
        assert_eq!(word_form("(draft)"), " draft ");
        assert_eq!(word_form(""), " ");
    }

    #[test]
    fn ranks_best_first() {
        use Rank::{Anywhere, Exact, FieldStart, WordStart};
        for (field, query, expected) in [
            ("Spring Launch", "spring  LAUNCH", Some(Exact)),
            ("Spring Launch", "spring la", Some(FieldStart)),
            ("Spring Launch", "launch spring", Some(WordStart)),
            ("Spring-Launch", "lau", Some(WordStart)),
            ("Spring Launch", "aunch", Some(Anywhere)),
            ("Spring Launch", "spring aunch", Some(Anywhere)),
            ("Spring Launch", "spring x", None),
            ("New York", "new york new york", Some(WordStart)),
            ("Meet (draft) now", "(draft)", Some(WordStart)),
            ("Meet (draft)", "(dra", Some(WordStart)),
            ("Mac O'Neil", "o’neil", Some(WordStart)),
            ("Tom & Ann", "& ann", Some(WordStart)),
            ("Tom and Ann", "& ann", None),
            ("Anything", " ", Some(FieldStart)),
            ("", "", Some(FieldStart)),
        ] {
            assert_eq!(rank_of(field, query), expected, "{field:?} {query:?}");
        }
        assert!(Exact < FieldStart && FieldStart < WordStart && WordStart < Anywhere);
    }

    proptest! {
        #[test]
        fn folding_twice_is_folding_once(text in "\\PC*|[a-zA-Z ÀÉßøİı\u{301}\u{307}ΣςΆ가'’]*") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }

        #[test]
        fn a_part_of_a_field_is_found(before in "\\PC{0,8}", part in "\\PC{1,8}", after in "\\PC{0,8}") {
            let found = rank_of(&format!("{before}{part}{after}"), &part);
            prop_assert!(found.is_some());
            let as_word = rank_of(&format!("{before} {part} {after}"), &part);
            prop_assert!(as_word.is_some_and(|rank| rank <= Rank::WordStart), "{:?}", as_word);
            // What folds to nothing asks for nothing.
            let itself = if fold(&part).is_empty() { Rank::FieldStart } else { Rank::Exact };
            prop_assert_eq!(rank_of(&part, &part), Some(itself));
        }

        #[test]
        fn case_does_not_matter(text in "[ -\u{17f}\u{386}-\u{3ce}\u{400}-\u{52f}]*") {
            prop_assert_eq!(fold(&text.to_uppercase()), fold(&text));
            prop_assert_eq!(fold(&text.to_lowercase()), fold(&text));
        }

        #[test]
        fn how_accents_are_encoded_does_not_matter(text in "\\PC*") {
            prop_assert_eq!(fold(&text.nfd().collect::<String>()), fold(&text));
            prop_assert_eq!(fold(&text.nfkc().collect::<String>()), fold(&text));
        }
    }
}
