//! The languages whose words are reduced to their stems.

use rust_stemmers::{Algorithm, Stemmer};
use whatlang::Lang;

/// How much of a text is looked at to find out its language, in bytes.
const SAMPLE: usize = 4_000;

/// The languages: the code, how it is recognised, how its words are reduced. The place of one in the list is stored and never changes.
const LANGUAGES: [(&str, Lang, Algorithm); 16] = [
    ("en", Lang::Eng, Algorithm::English),
    ("de", Lang::Deu, Algorithm::German),
    ("fr", Lang::Fra, Algorithm::French),
    ("es", Lang::Spa, Algorithm::Spanish),
    ("it", Lang::Ita, Algorithm::Italian),
    ("pt", Lang::Por, Algorithm::Portuguese),
    ("nl", Lang::Nld, Algorithm::Dutch),
    ("da", Lang::Dan, Algorithm::Danish),
    ("sv", Lang::Swe, Algorithm::Swedish),
    ("no", Lang::Nob, Algorithm::Norwegian),
    ("fi", Lang::Fin, Algorithm::Finnish),
    ("hu", Lang::Hun, Algorithm::Hungarian),
    ("ro", Lang::Ron, Algorithm::Romanian),
    ("ru", Lang::Rus, Algorithm::Russian),
    ("tr", Lang::Tur, Algorithm::Turkish),
    ("ar", Lang::Ara, Algorithm::Arabic),
];

/// A language, or none that is known: its words are left as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Language(Option<usize>);

impl Language {
    /// The language of a text.
    pub fn of(text: &str) -> Language {
        let sample = &text[..text.floor_char_boundary(SAMPLE)];
        let found = whatlang::detect(sample).map(|info| info.lang());
        Language(found.and_then(|found| LANGUAGES.iter().position(|(_, lang, _)| *lang == found)))
    }

    /// Its code, as it is stored; empty for none.
    pub fn code(self) -> &'static str {
        self.0.and_then(|at| LANGUAGES.get(at)).map_or("", |(code, ..)| code)
    }

    /// The language of a code.
    pub fn of_code(code: &str) -> Language {
        Language(LANGUAGES.iter().position(|(known, ..)| *known == code))
    }

    /// Reduces words.
    pub(crate) fn stemmer(self) -> Option<Stemmer> {
        self.0.and_then(|at| LANGUAGES.get(at)).map(|(.., algorithm)| Stemmer::create(*algorithm))
    }
}

/// A set of languages, as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Languages(pub i64);

impl Languages {
    /// With one more.
    #[must_use]
    pub fn with(self, language: Language) -> Languages {
        Languages(self.0 | 1 << language.0.map_or(0, |at| at + 1))
    }

    /// Those that are in it.
    pub fn all(self) -> impl Iterator<Item = Language> {
        let is_in = move |bit: &usize| self.0 & (1 << bit) != 0;
        (0..=LANGUAGES.len()).filter(is_in).map(|bit| Language(bit.checked_sub(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_recognised_and_stored() {
        for (text, code) in [
            ("The starter plan is free for teams of up to five people, and it has no end.", "en"),
            ("Der Einsteigertarif ist für Gruppen von bis zu fünf Personen kostenlos.", "de"),
            ("Le tarif de départ est gratuit pour les équipes de cinq personnes au plus.", "fr"),
            ("入門プランは五人までのチームなら無料です。", ""),
            ("", ""),
        ] {
            let language = Language::of(text);
            assert_eq!(language.code(), code, "{text}");
            assert_eq!(Language::of_code(code), language);
        }
    }

    #[test]
    fn a_set_has_what_was_put_into_it() {
        let set =
            ["", "de", "ar"].iter().fold(Languages::default(), |set, code| set.with(Language::of_code(code)));
        assert_eq!(set.all().map(Language::code).collect::<Vec<_>>(), ["", "de", "ar"]);
        assert_eq!(Languages::default().all().count(), 0);
    }
}
