//! The words that a brand avoids, found by their stems.

use pagesmith_model::brand::Voice;
use rust_stemmers::Stemmer;

use super::plain::Plain;
use crate::headline;
use crate::language::Language;

/// Words that pages do not use.
pub struct AvoidedWords {
    language: Language,
    /// The stems of each word, or of each of the words that stand together.
    all: Vec<Vec<String>>,
}

impl AvoidedWords {
    /// Those of a voice, for pages in this language.
    pub fn of(voice: &Voice, language: Language) -> AvoidedWords {
        let mut avoided = AvoidedWords { language, all: Vec::new() };
        if voice.words_to_avoid.is_empty() {
            return avoided;
        }
        let stemmer = language.stemmer();
        let all = voice.words_to_avoid.iter().map(|words| stems(stemmer.as_ref(), &Plain::of(words)));
        // Where nothing else is left to say, a page says this.
        let general = stems(stemmer.as_ref(), &Plain::of(&headline::general(language)));
        avoided.all = all.filter(|words| !words.is_empty() && place(words, &general).is_none()).collect();
        avoided
    }

    /// The first of them that a sentence has, as it stands there.
    pub fn found_in(&self, sentence: &Plain) -> Option<String> {
        if self.all.is_empty() {
            return None;
        }
        let said = stems(self.language.stemmer().as_ref(), sentence);
        let (at, count) = self.all.iter().find_map(|words| Some((place(words, &said)?, words.len())))?;
        let words: Vec<&str> = sentence.words().skip(at).take(count).map(|word| word.text).collect();
        Some(words.join(" "))
    }
}

fn stems(stemmer: Option<&Stemmer>, words: &Plain) -> Vec<String> {
    let stem =
        |word: &str| stemmer.map_or_else(|| word.to_owned(), |stemmer| stemmer.stem(word).into_owned());
    words.words().map(|word| stem(word.text)).collect()
}

/// Where words stand together among others.
fn place(words: &[String], among: &[String]) -> Option<usize> {
    among.windows(words.len()).position(|part| part == words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(avoid: &[&str], like: &str, sentence: &str) -> Option<String> {
        let words_to_avoid = avoid.iter().map(ToString::to_string).collect();
        let voice = Voice { words_to_avoid, ..Voice::default() };
        AvoidedWords::of(&voice, Language::of_texts(&[like])).found_in(&Plain::of(sentence))
    }

    #[test]
    fn a_word_is_found_by_its_stem_and_several_words_where_they_stand_together() {
        let english = "This is a text that anyone can tell to be English.";
        let of = |avoid: &[&str], sentence: &str| found(avoid, english, sentence);
        assert_eq!(of(&["Bargain"], "Two bargains a day.").as_deref(), Some("bargains"));
        assert_eq!(of(&["solution"], "All the SOLUTIONS you need").as_deref(), Some("solutions"));
        assert_eq!(of(&["AI"], "It is made by AI-driven machines").as_deref(), Some("ai"));
        assert_eq!(of(&["low cost"], "A low-cost kettle").as_deref(), Some("low cost"));
        assert_eq!(of(&["state of the art"], "The art of the state"), None);
        assert_eq!(of(&["cheap"], "Cheapside is a street"), None);
        assert_eq!(of(&["", " - "], "Anything at all"), None);
        assert_eq!(of(&[], "Anything at all"), None);
        let german = "Das ist ein Text, von dem jeder sagen kann, dass er deutsch ist.";
        assert_eq!(found(&["billig"], german, "Der billige Ofen").as_deref(), Some("billige"));
        let japanese = "私たちは毎朝パンを焼いています。";
        assert_eq!(found(&["激安"], japanese, "激安のパン").as_deref(), Some("激 安"));
    }

    #[test]
    fn what_a_page_says_where_nothing_else_is_left_is_not_avoided() {
        let english = Language::of_texts(&["This is a text that anyone can tell to be English."]);
        let general = headline::general(english);
        let voice = Voice { words_to_avoid: vec![general.clone()], ..Voice::default() };
        assert_eq!(AvoidedWords::of(&voice, english).found_in(&Plain::of(&general)), None);
    }
}
