//! The language of a context, guessed from its script and its most common words.
//!
//! What this is not: exact. It answers only if one language is well ahead, and English words in a German text do not move it.

/// A language that pages are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language {
    /// Its tag, as in BCP 47.
    pub tag: &'static str,
}

/// English, which is taken where nothing tells.
pub const ENGLISH: Language = Language { tag: "en" };

/// Words that are common in one language and rare in the others.
const COMMON: [(&str, &[&str]); 13] = [
    (
        "en",
        &[
            "the", "and", "of", "to", "is", "with", "for", "your", "you", "we", "our", "are", "that", "from",
            "this", "have", "it", "by",
        ],
    ),
    (
        "de",
        &[
            "der", "die", "das", "und", "ist", "nicht", "mit", "für", "sie", "wir", "ein", "eine", "auf",
            "von", "den", "im", "zu", "ihre", "ihr", "unsere", "bei",
        ],
    ),
    (
        "fr",
        &[
            "le", "la", "les", "et", "des", "une", "est", "pour", "vous", "nous", "dans", "avec", "votre",
            "vos", "sur", "nos", "du", "au", "qui", "en",
        ],
    ),
    (
        "es",
        &[
            "el", "los", "las", "y", "una", "es", "para", "con", "del", "por", "su", "nuestro", "nuestra",
            "que", "más", "sin", "en", "tu",
        ],
    ),
    (
        "pt",
        &[
            "o", "os", "as", "e", "uma", "um", "é", "para", "com", "do", "da", "não", "em", "seu", "sua",
            "você", "dos", "mais", "sem", "ao",
        ],
    ),
    (
        "it",
        &[
            "il", "lo", "gli", "e", "una", "è", "per", "con", "di", "che", "del", "della", "nostro",
            "nostra", "non", "più", "sono", "vostro", "ogni",
        ],
    ),
    (
        "nl",
        &[
            "de", "het", "een", "en", "van", "is", "voor", "met", "wij", "je", "uw", "onze", "niet", "zijn",
            "dat", "ons", "op", "te",
        ],
    ),
    (
        "sv",
        &[
            "och", "att", "det", "som", "är", "för", "med", "på", "av", "vi", "din", "inte", "ett", "till",
            "vår", "våra",
        ],
    ),
    (
        "da",
        &[
            "og", "at", "det", "som", "er", "for", "med", "på", "af", "vi", "din", "ikke", "et", "til",
            "vores",
        ],
    ),
    (
        "pl",
        &[
            "i", "w", "na", "z", "do", "jest", "się", "nie", "dla", "oraz", "to", "nasze", "twój", "przez",
            "od",
        ],
    ),
    ("tr", &["ve", "bir", "için", "ile", "bu", "daha", "olarak", "sizin", "biz", "çok", "olan"]),
    ("fi", &["ja", "on", "että", "ei", "se", "ovat", "kanssa", "meidän", "sekä", "myös"]),
    ("cs", &["a", "je", "se", "na", "pro", "že", "jsou", "naše", "vaše", "jako", "nebo"]),
];

/// How much of a text is looked at.
const MOST_BYTES: usize = 4096;

/// The language of a text; `None` if no language is known by what stands there.
pub fn of(text: &str) -> Option<Language> {
    let text = super::tidy::head(text, MOST_BYTES);
    by_script(text).or_else(|| by_words(text))
}

#[derive(Default)]
struct Scripts {
    latin: usize,
    kana: usize,
    han: usize,
    hangul: usize,
    arabic: usize,
    persian: usize,
    hebrew: usize,
    cyrillic: usize,
    ukrainian: usize,
    greek: usize,
    thai: usize,
    devanagari: usize,
}

fn by_script(text: &str) -> Option<Language> {
    let mut seen = Scripts::default();
    for char in text.chars() {
        let count = match char {
            'a'..='z' | 'A'..='Z' | 'À'..='ɏ' => &mut seen.latin,
            'ぁ'..='ヿ' => &mut seen.kana,
            '\u{3400}'..='\u{9fff}' => &mut seen.han,
            '가'..='힣' => &mut seen.hangul,
            'پ' | 'چ' | 'ژ' | 'گ' | 'ک' | 'ی' => &mut seen.persian,
            '\u{600}'..='\u{6ff}' => &mut seen.arabic,
            '\u{590}'..='\u{5ff}' => &mut seen.hebrew,
            'і' | 'ї' | 'є' | 'ґ' | 'І' | 'Ї' | 'Є' | 'Ґ' => &mut seen.ukrainian,
            '\u{400}'..='\u{4ff}' => &mut seen.cyrillic,
            '\u{370}'..='\u{3ff}' => &mut seen.greek,
            '\u{e00}'..='\u{e7f}' => &mut seen.thai,
            '\u{900}'..='\u{97f}' => &mut seen.devanagari,
            _ => continue,
        };
        *count += 1;
    }
    // A sign of Chinese says about as much as two or three letters.
    let wide = (seen.kana + seen.han) * 2;
    let found = [
        (wide, if seen.kana * 8 > seen.han { "ja" } else { "zh" }),
        (seen.hangul * 2, "ko"),
        (seen.arabic + seen.persian, if seen.persian * 20 > seen.arabic { "fa" } else { "ar" }),
        (seen.hebrew, "he"),
        (seen.cyrillic + seen.ukrainian, if seen.ukrainian * 40 > seen.cyrillic { "uk" } else { "ru" }),
        (seen.greek, "el"),
        (seen.thai, "th"),
        (seen.devanagari, "hi"),
    ];
    let (count, tag) = found.into_iter().max_by_key(|(count, _)| *count)?;
    (count > 0 && count >= seen.latin).then_some(Language { tag })
}

fn by_words(text: &str) -> Option<Language> {
    let mut hits = [0usize; COMMON.len()];
    let mut words = 0;
    for word in text.split(|char: char| !char.is_alphabetic()).filter(|word| !word.is_empty()) {
        words += 1;
        let small = if word.len() <= 10 { word.to_lowercase() } else { continue };
        for (count, (_, common)) in hits.iter_mut().zip(COMMON) {
            *count += usize::from(common.contains(&small.as_str()));
        }
    }
    let best = (0..hits.len()).max_by_key(|at| (hits[*at], std::cmp::Reverse(*at)))?;
    let next = (0..hits.len()).filter(|at| *at != best).map(|at| hits[at]).max().unwrap_or(0);
    let is_ahead = hits[best] >= 2 && hits[best] > next && hits[best] * 14 >= words;
    is_ahead.then_some(Language { tag: COMMON[best].0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_by_a_sentence() {
        for (tag, text) in [
            ("en", "We help finance teams to close the books in three days."),
            ("de", "Wir backen jeden Morgen frisch und liefern bis an die Tür."),
            ("fr", "Nous préparons les plats pour vous avec des produits de la région."),
            ("es", "Cuidamos los jardines de la ciudad con pasión y sin químicos."),
            ("pt", "Cuidamos do seu jardim com carinho e sem produtos químicos, para você não se preocupar."),
            ("it", "Il nostro pane è fatto ogni mattina con farina della regione."),
            ("nl", "Wij bakken het brood van de buurt en bezorgen het met de fiets."),
            ("ja", "私たちは毎朝パンを焼いています。"),
            ("zh", "我们每天清晨新鲜烘焙。"),
            ("ko", "매일 아침 갓 구운 빵을 드립니다."),
            ("ar", "نخبز الخبز الطازج كل صباح."),
            ("he", "אנחנו אופים לחם טרי כל בוקר."),
            ("ru", "Мы печём свежий хлеб каждое утро."),
            ("uk", "Ми печемо свіжий хліб щоранку і доставляємо його."),
        ] {
            assert_eq!(of(text), Some(Language { tag }), "{text}");
        }
        for unknown in ["", "Bakery", "12345", "Acme Corp"] {
            assert_eq!(of(unknown), None, "{unknown}");
        }
    }
}
