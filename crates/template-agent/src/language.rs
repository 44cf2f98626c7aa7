//! The language of a context, and the stems of its words.

use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use whatlang::{Detector, Lang};

use crate::lexicon::{self, Lexicon};
use crate::tidy;
use crate::words::Tokens;

/// How much of a text is looked at.
const MOST_BYTES: usize = 4096;

/// The fewest letters that tell a language.
const LEAST_LETTERS: usize = 12;

/// The languages that are told apart: those of business, and those with a script of their own.
const TAGS: &[(Lang, &str)] = &[
    (Lang::Eng, "en"),
    (Lang::Deu, "de"),
    (Lang::Fra, "fr"),
    (Lang::Spa, "es"),
    (Lang::Por, "pt"),
    (Lang::Ita, "it"),
    (Lang::Nld, "nl"),
    (Lang::Swe, "sv"),
    (Lang::Dan, "da"),
    (Lang::Nob, "nb"),
    (Lang::Fin, "fi"),
    (Lang::Pol, "pl"),
    (Lang::Ces, "cs"),
    (Lang::Slk, "sk"),
    (Lang::Hun, "hu"),
    (Lang::Ron, "ro"),
    (Lang::Tur, "tr"),
    (Lang::Hrv, "hr"),
    (Lang::Cat, "ca"),
    (Lang::Rus, "ru"),
    (Lang::Ukr, "uk"),
    (Lang::Bul, "bg"),
    (Lang::Ell, "el"),
    (Lang::Heb, "he"),
    (Lang::Ara, "ar"),
    (Lang::Pes, "fa"),
    (Lang::Hin, "hi"),
    (Lang::Tha, "th"),
    (Lang::Jpn, "ja"),
    (Lang::Kor, "ko"),
    (Lang::Cmn, "zh"),
    (Lang::Vie, "vi"),
    (Lang::Ind, "id"),
    (Lang::Slv, "sl"),
    (Lang::Lit, "lt"),
    (Lang::Lav, "lv"),
    (Lang::Est, "et"),
    (Lang::Ben, "bn"),
    (Lang::Tam, "ta"),
    (Lang::Tel, "te"),
    (Lang::Kan, "kn"),
    (Lang::Mal, "ml"),
    (Lang::Guj, "gu"),
    (Lang::Pan, "pa"),
    (Lang::Sin, "si"),
    (Lang::Mya, "my"),
    (Lang::Khm, "km"),
    (Lang::Kat, "ka"),
    (Lang::Hye, "hy"),
    (Lang::Amh, "am"),
];

/// The languages of business: one sentence is enough to tell them apart.
const TOLD: [&str; 7] = ["en", "de", "fr", "es", "pt", "it", "nl"];

/// Tells all languages apart.
static OF_ALL: LazyLock<Detector> =
    LazyLock::new(|| Detector::with_allowlist(TAGS.iter().map(|(lang, _)| *lang).collect()));

/// The language of a page.
#[derive(Clone, Copy)]
pub struct Language {
    /// Its tag, as in BCP 47.
    pub tag: &'static str,
    /// What is known of it.
    pub lexicon: Option<&'static Lexicon>,
}

impl Language {
    fn of(tag: &'static str) -> Language {
        Language { tag, lexicon: lexicon::of(tag) }
    }

    /// The language of the first of these texts that tells one; English if none does.
    pub fn of_texts(texts: &[&str]) -> Language {
        Language::of(texts.iter().find_map(|text| detect(text)).unwrap_or("en"))
    }

    /// What reduces its words to stems, if anything does.
    pub fn stemmer(self) -> Option<Stemmer> {
        let algorithm = match self.tag {
            "en" => Algorithm::English,
            "de" => Algorithm::German,
            "fr" => Algorithm::French,
            "es" => Algorithm::Spanish,
            "pt" => Algorithm::Portuguese,
            "it" => Algorithm::Italian,
            "nl" => Algorithm::Dutch,
            "sv" => Algorithm::Swedish,
            "da" => Algorithm::Danish,
            "nb" => Algorithm::Norwegian,
            "fi" => Algorithm::Finnish,
            "hu" => Algorithm::Hungarian,
            "ro" => Algorithm::Romanian,
            "tr" => Algorithm::Turkish,
            "ru" => Algorithm::Russian,
            "ar" => Algorithm::Arabic,
            _ => return None,
        };
        Some(Stemmer::create(algorithm))
    }
}

/// The language of a sentence within a text of another one; nothing if that is not certain.
pub fn foreign(sentence: &str, tokens: &Tokens, language: Language) -> Option<Language> {
    const LEAST_WORDS: usize = 5;
    if !TOLD.contains(&language.tag) || sentence.split_whitespace().take(LEAST_WORDS).count() < LEAST_WORDS {
        return None;
    }
    // A sixth of common words is enough to know the page's own language, and cheaper than asking.
    let own = common_words(tokens, language.tag);
    if own * 6 >= tokens.len() {
        return None;
    }
    let common = Common::of(tokens);
    // Nor is a sentence foreign that has as many of them as of any other language.
    if common.most_but(language.tag) <= own {
        return None;
    }
    let tag = common.certain(LEAST_COMMON, 4, 2).or_else(|| {
        // What the detector costs grows with the languages that come into question.
        let asked: Vec<&str> = common.more_than(own).chain([language.tag]).collect();
        let detector = Detector::with_allowlist(
            TAGS.iter().filter(|(_, tag)| asked.contains(tag)).map(|(lang, _)| *lang).collect(),
        );
        let info = detector.detect(tidy::head(sentence, MOST_BYTES))?;
        TAGS.iter().find(|(lang, _)| *lang == info.lang() && info.confidence() >= 0.6).map(|(_, tag)| *tag)
    })?;
    (tag != language.tag).then(|| Language::of(tag))
}

/// How many common words of a language a text has.
fn common_words(tokens: &Tokens, tag: &str) -> usize {
    lexicon::of(tag)
        .map_or(0, |lexicon| lexicon.kinds.empty.count(tokens) + lexicon.kinds.short.count(tokens))
}

/// How many common words of each language of business a text has.
struct Common {
    words: usize,
    counts: [(&'static str, usize); 7],
}

impl Common {
    fn of(tokens: &Tokens) -> Common {
        Common { words: tokens.len(), counts: TOLD.map(|tag| (tag, common_words(tokens, tag))) }
    }

    /// The most that another language has.
    fn most_but(&self, tag: &str) -> usize {
        self.counts.iter().filter(|(other, _)| *other != tag).map(|(_, count)| *count).max().unwrap_or(0)
    }

    /// The languages that it has more of than so many.
    fn more_than(&self, least: usize) -> impl Iterator<Item = &'static str> {
        self.counts.iter().filter(move |(_, count)| *count > least).map(|(tag, _)| *tag)
    }

    /// The language that is certain from them, which costs a small part of what the detector does: at least so many are of it, one
    /// word in so many is, and so many times as many as are of any other language.
    fn certain(&self, least: usize, one_in: usize, times: usize) -> Option<&'static str> {
        let (tag, count) = self.counts.into_iter().max_by_key(|(_, count)| *count)?;
        let is_common = count >= least && count * one_in >= self.words;
        (is_common && self.most_but(tag) * times <= count).then_some(tag)
    }

    /// The language that it has more common words of than of any other, and how many: at least so many, and one word in so many.
    fn leader(&self, least: usize, one_in: usize) -> Option<(&'static str, usize)> {
        let (tag, count) = self.counts.into_iter().max_by_key(|(_, count)| *count)?;
        let leads = count >= least && count * one_in >= self.words && self.most_but(tag) < count;
        leads.then_some((tag, count))
    }
}

/// The fewest common words that tell the language of a sentence.
const LEAST_COMMON: usize = 3;

/// The language of a text; nothing if the text is too short to tell.
fn detect(text: &str) -> Option<&'static str> {
    let text = tidy::head(text, MOST_BYTES);
    if let Some(tag) = told_by_words(text) {
        return Some(tag);
    }
    let letters = text.chars().filter(|char| char.is_alphabetic()).count();
    let info = OF_ALL.detect(text)?;
    let has_own_script = !matches!(info.script(), whatlang::Script::Latin);
    let is_sure = info.is_reliable() || info.confidence() >= 0.15;
    // A few words look like many languages; some that only one of them has say more.
    if !has_own_script && !info.is_reliable() {
        let common = Common::of(&Tokens::of(text));
        if let Some(tag) = common.certain(2, 6, 3) {
            return Some(tag);
        }
        // What has no common word of a language, but of others, is hardly in that one.
        let seems = TAGS.iter().find(|(lang, _)| *lang == info.lang()).map_or("", |(_, tag)| *tag);
        let own = common.counts.iter().find(|(tag, _)| *tag == seems).map(|(_, count)| *count);
        // `van` and `is` make no Dutch of a sentence with as many more words that only English has.
        if let Some((tag, count)) = common.leader(LEAST_COMMON, 6)
            && (tag == seems || !is_sure || own.is_some_and(|own| own + 2 <= count))
        {
            return Some(tag);
        }
        if own == Some(0) && common.most_but(seems) > 0 {
            return common.certain(1, usize::MAX / MOST_BYTES, 2);
        }
    }
    let is_long = letters >= LEAST_LETTERS && text.split_whitespace().count() >= 4;
    let is_told = has_own_script || (is_long && is_sure);
    if !is_told {
        return None;
    }
    // Latin names in a text of another script are not its language, and one foreign sign is none either.
    TAGS.iter().find(|(lang, _)| *lang == info.lang()).map(|(_, tag)| nordic(tag, text))
}

/// Danish or Norwegian, which the detector confuses, by words that only one of them has.
fn nordic(tag: &'static str, text: &str) -> &'static str {
    const DANISH: [&str; 30] = [
        "af", "efter", "hvad", "noget", "nogle", "nogen", "mellem", "uden", "bliver", "blev", "vores", "jer",
        "nu", "hvornår", "tager", "bruger", "koster", "pr", "heller", "hjem", "dage", "uger", "timer", "op",
        "ud", "ind", "mod", "også", "kun", "får",
    ];
    const NORWEGIAN: [&str; 30] = [
        "av", "etter", "hva", "noe", "noen", "mellom", "uten", "blir", "ble", "våre", "vår", "dere", "nå",
        "tar", "bruker", "pris", "heller", "hjem", "dager", "uker", "opp", "ut", "inn", "mot", "bare",
        "fram", "dine", "gjør", "være", "også",
    ];
    if !matches!(tag, "da" | "nb") {
        return tag;
    }
    let tokens = Tokens::of(text);
    let count = |own: &[&str], other: &[&str]| {
        tokens.iter().filter(|word| own.contains(word) && !other.contains(word)).count()
    };
    let (danish, norwegian) = (count(&DANISH, &NORWEGIAN), count(&NORWEGIAN, &DANISH));
    match danish.cmp(&norwegian) {
        std::cmp::Ordering::Greater => "da",
        std::cmp::Ordering::Less => "nb",
        std::cmp::Ordering::Equal => tag,
    }
}

/// The same by its common words alone, which most texts have enough of.
fn told_by_words(text: &str) -> Option<&'static str> {
    const LEAST_WORDS: usize = 12;
    let foreign_signs = text.chars().filter(|char| !char.is_ascii()).count();
    let tokens = Tokens::of(text);
    if tokens.len() < LEAST_WORDS || foreign_signs * 10 > text.len() {
        return None;
    }
    Common::of(&tokens).certain(LEAST_WORDS / 2, 6, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_by_a_sentence() {
        for (tag, text) in [
            ("en", "We help finance teams to close the books in three days."),
            (
                "en",
                "Wet Nose is a dog grooming van in Bristol. Nervous dogs welcome. Please make it look nice.",
            ),
            (
                "es",
                "Alquilamos andamios en Sevilla. El seguro cubre la obra. La torre cuesta 120 € por semana.",
            ),
            ("es", "Hacemos mudanzas en Toledo. El camión cuesta 90 € por hora."),
            ("pt", "Fazemos mudanças em Évora. O camião custa 90 € por hora."),
            ("it", "Facciamo traslochi a Pavia. Il camion costa 90 € per ora."),
            ("fr", "Nous louons des bennes à Lens. La benne coûte 90 € par jour."),
            ("de", "Umzüge in Fulda. Der Lastwagen kostet 90 € je Stunde."),
            ("nl", "Verhuizingen in Breda. De bus kost 90 € per uur."),
            ("en", "Handmade leather belts from oak-tanned hides. Please keep it friendly."),
            ("de", "Wir backen jeden Morgen frisch und liefern bis an die Tür."),
            ("fr", "Pain au levain. Nous livrons. Prix 5 EUR."),
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
            ("tr", "Her sabah taş fırında ekmek pişiriyor ve evinize getiriyoruz."),
            ("tr", "biz izmirde klima servisiyiz, ayni gun geliyoruz, garanti veriyoruz."),
        ] {
            assert_eq!(detect(text), Some(tag), "{text}");
        }
        assert!(
            matches!(detect("Double click test. We sell bikes. Price 300 EUR."), None | Some("en")),
            "a page in a language of which it has no word"
        );
        // They have common words with the languages that are told by these.
        for (tag, text) in [
            (
                "ca",
                "El nostre forn obre cada dia a les set del matí i el pa es fa amb farina de la comarca. Fem servei a domicili per a tot el barri, i els dissabtes podeu venir a tastar la coca de recapte que preparem a la botiga.",
            ),
            (
                "ro",
                "Brutăria noastră este deschisă în fiecare zi de la ora șapte, iar pâinea se face cu făină de la morile din județ. Livrăm acasă în tot cartierul și sâmbăta puteți veni să gustați plăcintele pe care le pregătim.",
            ),
            (
                "sv",
                "Vårt bageri har öppet varje dag från klockan sju, och brödet bakas med mjöl från trakten. Vi levererar hem till dig i hela kvarteret, och på lördagar kan du komma in och smaka på det som vi har bakat under natten.",
            ),
            (
                "da",
                "Vores bageri har åbent hver dag fra klokken syv, og brødet bliver bagt med mel fra egnen. Vi leverer hjem til dig i hele kvarteret, og om lørdagen kan du komme ind og smage på det, som vi har bagt i løbet af natten.",
            ),
            (
                "fi",
                "Leipomomme on auki joka päivä kello seitsemästä, ja leipä leivotaan lähiseudun jauhoista. Toimitamme kotiin koko kortteliin, ja lauantaisin voit tulla maistamaan sitä, mitä olemme yön aikana leiponeet.",
            ),
            (
                "pl",
                "Nasza piekarnia jest otwarta codziennie od siódmej, a chleb pieczemy z mąki z okolicy. Dowozimy do domu na całym osiedlu, a w soboty można przyjść i spróbować tego, co upiekliśmy w nocy.",
            ),
        ] {
            assert_eq!(told_by_words(text), None, "{tag}");
        }
        for unknown in ["", "Bakery", "12345", "Acme Corp"] {
            assert_eq!(detect(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn danish_is_told_from_norwegian() {
        for (tag, text) in [
            ("da", "Prisen er 18 kr. pr. rude. Vi bruger rent vand, og det tager to timer."),
            ("nb", "Prisen er 18 kroner. Vi bruker rent vann, og det tar to timer hos dere."),
        ] {
            assert_eq!((nordic("da", text), nordic("nb", text)), (tag, tag), "{text}");
        }
        assert_eq!((nordic("da", "Oslo"), nordic("sv", "Vi bruger rent vand")), ("da", "sv"));
    }

    #[test]
    fn a_sentence_of_another_language_is_told_by_its_common_words() {
        let german = Language::of("de");
        let found =
            |sentence: &str| foreign(sentence, &Tokens::of(sentence), german).map(|language| language.tag);
        for (tag, sentence) in [
            (Some("en"), "An engineer checks it and calls you the same day"),
            (Some("es"), "Sí, gratis en todos los salones."),
            (None, "Ein Techniker in Leeds ist rund um die Uhr erreichbar"),
            (None, "Hartley Mill Otley Kessler GmbH"),
            (None, "Call us"),
        ] {
            assert_eq!(found(sentence), tag, "{sentence}");
        }
    }
}
