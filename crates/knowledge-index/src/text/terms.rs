//! Terms: what of a text is compared. Words without case and accents, reduced to their stems; and, where words are not set apart by spaces,
//! single characters and pairs of them.

use std::collections::{BTreeMap, HashMap, HashSet};

use pagesmith_model::text::{COUNTED_WORDS, fold};
use rust_stemmers::Stemmer;

use crate::text::{Language, Languages};

/// The longest term, in characters.
const LONGEST: usize = 40;

/// How often each term occurs in a text, and how many words the text has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextTerms {
    /// The terms.
    pub counts: BTreeMap<String, u32>,
    /// About how many words.
    pub words: u32,
}

/// The terms of a text in a language.
pub fn of_text(text: &str, language: Language) -> TextTerms {
    let stemmer = language.stemmer();
    let mut terms = TextTerms::default();
    let mut add = |term: String| *terms.counts.entry(term).or_default() += 1;
    let mut halves = 0_u32;
    for token in tokens(&fold(text)) {
        match token {
            Token::Word(word) => {
                add(reduced(&word, stemmer.as_ref()));
                halves = halves.saturating_add(2);
            }
            Token::Unspaced(run) => {
                for (at, char) in run.iter().enumerate() {
                    add(char.to_string());
                    if let Some(next) = run.get(at + 1) {
                        add([*char, *next].iter().collect());
                    }
                    halves = halves.saturating_add(1);
                }
            }
        }
    }
    terms.words = halves.div_ceil(2);
    terms
}

/// A word of a query: the terms that it can be in a text, in one language or another.
pub type QueryWord = Vec<String>;

/// The first [`COUNTED_WORDS`] different words of a query, for texts in these languages.
pub fn of_query(query: &str, languages: Languages) -> Vec<QueryWord> {
    let stemmers: Vec<Option<Stemmer>> = languages.all().map(Language::stemmer).collect();
    let mut words: Vec<QueryWord> = Vec::new();
    let mut known = HashSet::new();
    let mut add = |word: String, is_reduced: bool| {
        if known.contains(&word) {
            return true;
        }
        if known.len() == COUNTED_WORDS {
            return false;
        }
        let mut variants: QueryWord = Vec::new();
        for stemmer in &stemmers {
            let term = reduced(&word, stemmer.as_ref().filter(|_| is_reduced));
            if !variants.contains(&term) {
                variants.push(term);
            }
        }
        known.insert(word);
        if !words.contains(&variants) {
            words.push(variants);
        }
        true
    };
    for token in tokens(&fold(query)) {
        let goes_on = match token {
            Token::Word(word) => add(word, true),
            Token::Unspaced(run) if run.len() == 1 => add(run.iter().collect(), false),
            Token::Unspaced(run) => run.windows(2).all(|pair| add(pair.iter().collect(), false)),
        };
        if !goes_on {
            break;
        }
    }
    words
}

/// The words of a text of any length that occur most often, at most so many, each with how often it occurs; the first among equals.
pub fn of_subject(text: &str, languages: Languages, most: usize) -> Vec<(QueryWord, usize)> {
    let stemmers: Vec<Option<Stemmer>> = languages.all().map(Language::stemmer).collect();
    let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
    let mut note = |word: String| {
        let next = counts.len();
        counts.entry(word).or_insert((0, next)).0 += 1;
    };
    for token in tokens(&fold(text)) {
        match token {
            Token::Word(word) => note(word),
            Token::Unspaced(run) => run.windows(2).for_each(|pair| note(pair.iter().collect())),
        }
    }
    let mut words: Vec<(String, (usize, usize))> = counts.into_iter().collect();
    words.sort_by_key(|(_, (count, place))| (std::cmp::Reverse(*count), *place));
    let variants = |word: &str| {
        let is_reduced = !word.chars().any(is_unspaced);
        let mut variants: QueryWord = Vec::new();
        for stemmer in &stemmers {
            let term = reduced(word, stemmer.as_ref().filter(|_| is_reduced));
            if !variants.contains(&term) {
                variants.push(term);
            }
        }
        variants
    };
    words.into_iter().take(most).map(|(word, (count, _))| (variants(&word), count)).collect()
}

/// The words of a text in their order, folded and not reduced; of scripts without spaces pairs of characters, or the only one.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for token in tokens(&fold(text)) {
        match token {
            Token::Word(word) => words.push(word),
            Token::Unspaced(run) if run.len() == 1 => words.push(run.iter().collect()),
            Token::Unspaced(run) => words.extend(run.windows(2).map(|pair| pair.iter().collect::<String>())),
        }
    }
    words
}

/// The terms that these words, as [`words`] gives them, are in a text of a language.
pub fn reduced_to(words: &[String], language: Language) -> Vec<String> {
    let stemmer = language.stemmer();
    words.iter().map(|word| reduced(word, stemmer.as_ref())).collect()
}

/// The terms that a word, as [`words`] gives it, can be in texts of these languages.
pub fn variants(word: &str, languages: Languages) -> QueryWord {
    let mut variants: QueryWord = Vec::new();
    for language in languages.all() {
        let term = reduced(word, language.stemmer().as_ref());
        if !variants.contains(&term) {
            variants.push(term);
        }
    }
    variants
}

/// The stem of a word, cut to the longest term. Stemmers leave nothing of some, such as an Arabic lengthening mark that stands alone.
fn reduced(word: &str, stemmer: Option<&Stemmer>) -> String {
    let stem = match stemmer {
        Some(stemmer) if word.chars().all(char::is_alphabetic) => stemmer.stem(word),
        _ => word.into(),
    };
    let stem = if stem.is_empty() { word.into() } else { stem };
    match stem.char_indices().nth(LONGEST) {
        Some((end, _)) => stem[..end].to_owned(),
        None => stem.into_owned(),
    }
}

/// A part of a folded text.
enum Token {
    /// Letters and digits between other characters.
    Word(String),
    /// Characters of a script without spaces.
    Unspaced(Vec<char>),
}

fn tokens(folded: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut follows = false;
    for char in folded.chars() {
        if !char.is_alphanumeric() {
            follows = false;
            continue;
        }
        match (tokens.last_mut().filter(|_| follows), is_unspaced(char)) {
            (Some(Token::Unspaced(run)), true) => run.push(char),
            (Some(Token::Word(word)), false) => word.push(char),
            (_, true) => tokens.push(Token::Unspaced(vec![char])),
            (_, false) => tokens.push(Token::Word(char.into())),
        }
        follows = true;
    }
    tokens
}

/// Characters of scripts that set no spaces between words: Chinese, Japanese, Thai, Lao, Burmese, Khmer.
pub(crate) fn is_unspaced(char: char) -> bool {
    matches!(char,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3005}'..='\u{3007}'
            | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn finds(query: &str, text: &str) -> bool {
        let language = Language::of(text);
        let terms = of_text(text, language);
        let languages = Languages::default().with(language).with(Language::of_code("ru"));
        let words = of_query(query, languages);
        !words.is_empty() && words.iter().all(|word| word.iter().any(|term| terms.counts.contains_key(term)))
    }

    #[test]
    fn a_word_is_found_in_its_other_forms_without_case_and_accents() {
        let english = "Our teams are shipping forecasts to hundreds of customers every month.";
        let german = "Die Häuser werden mit Wärmepumpen beheizt, und die Verträge laufen ein Jahr.";
        let french = "Les sociétés reçoivent leurs factures à la fin du mois, et paient après.";
        for (query, text) in [
            ("forecast shipped TEAM", english),
            ("warmepumpe", german),
            ("HÄUSERN vertrag", german),
            ("societe facture", french),
            ("五人", "入門プランは五人までのチームなら無料です。"),
            ("無", "入門プランは五人までのチームなら無料です。"),
            ("プラン", "入門プランは五人までのチームなら無料です。"),
            ("2026", "Prices of 2026."),
        ] {
            assert!(finds(query, text), "{query}: {text}");
        }
        for (query, text) in [("invoice", english), ("人五", "五人"), ("", english), ("&?!", english)] {
            assert!(!finds(query, text), "{query}: {text}");
        }
    }

    #[test]
    fn the_words_of_a_subject_are_those_that_occur_most_often() {
        let languages = Languages::default().with(Language::of_code("en"));
        let words = of_subject("Loggers measure. A logger lasts; loggers, loggers!", languages, 2);
        assert_eq!(words, [(vec!["logger".to_owned()], 3), (vec!["measur".to_owned()], 1)]);
        assert_eq!(of_subject("&?!", languages, 9), []);
    }

    #[test]
    fn sixteen_different_words_count() {
        let languages = Languages::default().with(Language::default());
        let query: String = (0..40).map(|number| format!("w{} w0 ", number / 2)).collect();
        let words = of_query(&query, languages);
        assert_eq!(words.len(), 16);
        assert_eq!(words[15], ["w15"]);
    }

    proptest! {
        #[test]
        fn any_text_has_terms_of_bounded_length_that_find_it(text in "\\PC{0,120}") {
            let language = Language::of(&text);
            let terms = of_text(&text, language);
            prop_assert!(terms.counts.keys().all(|term| !term.is_empty() && term.chars().count() <= LONGEST));
            for word in of_query(&text, Languages::default().with(language)) {
                prop_assert!(word.iter().any(|term| terms.counts.contains_key(term)), "{word:?}");
            }
        }
    }
}
