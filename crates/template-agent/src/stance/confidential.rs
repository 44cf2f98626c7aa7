//! What asks to keep something from visitors, in many languages: `nikomu neříkej`, `не кажіть`, `jangan bilang`, `※社外秘：`.
//!
//! It is looked for whatever the language of the page is: a lexicon knows its own language well, and most languages have none. What this is not:
//! understanding. The words are in `confidential.toml`; in doubt a sentence is kept from visitors.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use aho_corasick::AhoCorasickKind;
use pagesmith_model::text;
use serde::Deserialize;

use super::phrases::{Phrases, spellings};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    labels: BTreeMap<String, Vec<String>>,
    asides: BTreeMap<String, Vec<String>>,
    joints: Vec<String>,
    stresses: Vec<String>,
    subjects: Vec<String>,
    anywhere: BTreeMap<String, Vec<String>>,
    refusals: BTreeMap<String, Pairs>,
    unknown: BTreeMap<String, Pairs>,
    unpublished: BTreeMap<String, Pairs>,
    trouble: BTreeMap<String, Vec<String>>,
    remedy: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pairs {
    not: Vec<String>,
    say: Vec<String>,
}

/// The words, ready to be looked for.
#[derive(Default)]
struct Words {
    labels: HashSet<String>,
    asides: Phrases,
    /// Words before an aside that has no mark before it.
    joints: HashSet<String>,
    /// Words that only stress an aside.
    stresses: HashSet<String>,
    /// Words behind an aside that has no mark behind it.
    subjects: HashSet<String>,
    anywhere: Phrases,
    /// By language; each is made when it is first needed.
    trouble: BTreeMap<String, LazyLock<Trouble, MakeTrouble>>,
}

/// Makes the lists of a language.
type MakeTrouble = Box<dyn FnOnce() -> Trouble + Send>;

/// What tells of a company's trouble in one language, and what tells that it does something about such trouble.
struct Trouble {
    kinds: Phrases,
    remedy: Phrases,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    // A test rules out that the file cannot be read; then nothing would be shown.
    let lists: Option<Lists> = toml::from_str(include_str!("confidential.toml")).ok();
    let Some(lists) = lists else { return Words::default() };
    let Lists { labels, asides, joints, stresses, subjects, anywhere, .. } = lists;
    let Lists { refusals, unknown, unpublished, trouble, remedy, .. } = lists;
    let pairs = [refusals, unknown, unpublished].into_iter().flat_map(BTreeMap::into_values);
    let refused = |list: Pairs| -> Vec<String> {
        let with = |not: &String| list.say.iter().map(move |say| format!("{not} {say}")).collect::<Vec<_>>();
        list.not.iter().flat_map(with).collect()
    };
    let said = anywhere.into_values().flatten().chain(pairs.flat_map(refused));
    let starts = |list: Vec<String>| {
        let entry = |entry: String| if entry.ends_with(' ') { entry } else { format!("{entry}*") };
        Phrases::of(list.into_iter().map(entry), None)
    };
    let mut remedy = remedy;
    let trouble = trouble.into_iter().map(|(tag, kinds)| {
        let remedy = remedy.remove(&tag).unwrap_or_default();
        let make = move || Trouble { kinds: starts(kinds), remedy: starts(remedy) };
        (tag, LazyLock::new(Box::new(make) as MakeTrouble))
    });
    Words {
        labels: labels.into_values().flatten().flat_map(|label| spellings(&label)).collect(),
        asides: Phrases::of(asides.into_values().flatten(), Some(AhoCorasickKind::ContiguousNFA)),
        joints: joints.iter().map(|word| text::fold(word)).collect(),
        stresses: stresses.iter().map(|word| text::fold(word)).collect(),
        subjects: subjects.iter().map(|word| text::fold(word)).collect(),
        // Made for speed it would take megabytes.
        anywhere: Phrases::of(said, Some(AhoCorasickKind::ContiguousNFA)),
        trouble: trouble.collect(),
    }
});

/// Whether a text asks to keep something from visitors.
pub fn is_asked(text: &str) -> bool {
    let folded = text::fold(text);
    WORDS.anywhere.is_in(&folded) || has_aside(&folded)
}

/// Whether a sentence confides what it says in an aside: `Between us, the insurance lapsed`, `the insurance lapsed, between us`.
///
/// It begins or ends a clause, so that `Between us we have sixty years at the oven` confides nothing.
pub fn is_aside(sentence: &str) -> bool {
    has_aside(&text::fold(sentence))
}

/// Whether a text is an aside and nothing else.
pub fn is_aside_alone(text: &str) -> bool {
    let folded = text::fold(text);
    let bare = folded.trim_matches(|char: char| !char.is_alphanumeric());
    WORDS.asides.spans(bare).any(|(_, span)| span == (0..bare.len()))
}

fn has_aside(folded: &str) -> bool {
    const MARKS: [char; 14] = [',', ';', ':', '.', '…', '-', '–', '—', '(', ')', '!', '?', '،', '，'];
    let is_quote = |char: char| "\"'“”„«»*_>".contains(char);
    let words = &*WORDS;
    words.asides.spans(folded).any(|(_, span)| {
        let mut before = folded[..span.start].trim_end().trim_end_matches(is_quote).trim_end();
        // `Strictly between ourselves:`
        while let Some(last) = before.rsplit([' ', ',']).next().filter(|last| words.stresses.contains(*last))
        {
            before = before[..before.len() - last.len()].trim_end();
        }
        let behind = folded[span.end..].trim_start().trim_start_matches(is_quote);
        let word = |text: Option<&str>, list: &HashSet<String>| text.is_some_and(|word| list.contains(word));
        let is_begun = before.is_empty() || before.ends_with(MARKS);
        let is_joined = word(before.rsplit([' ', ',']).next(), &words.joints);
        let ends = behind.trim_end_matches(|char: char| !char.is_alphanumeric()).is_empty();
        let is_subject = word(behind.split([' ', '\'', '’']).next(), &words.subjects);
        let says_more = before.contains(char::is_alphanumeric) || !ends;
        says_more
            && ((is_begun || is_joined) && (ends || behind.starts_with(MARKS))
                || before.is_empty() && is_subject)
    })
}

/// The most words of a sentence that tells of trouble and of nothing else.
const MOST_TROUBLE: usize = 12;

/// The kinds of trouble that a text in that language speaks of more than once: they are what its company works with.
pub fn trades(text: &str, tag: &str) -> HashSet<usize> {
    let (mut once, mut often) = (HashSet::new(), HashSet::new());
    if let Some(trouble) = WORDS.trouble.get(tag) {
        let folded = text::fold(text);
        often.extend(trouble.kinds.found(&folded).filter(|kind| !once.insert(*kind)));
    }
    often
}

/// Whether a short sentence in that language tells of the company's trouble, and not of what the company does about such trouble: `the fine from
/// the health office`, but not `We repair fire damage` or `Insured against theft`.
pub fn is_trouble(sentence: &str, tag: &str, trades: &HashSet<usize>) -> bool {
    let Some(trouble) = WORDS.trouble.get(tag) else { return false };
    if sentence.split_whitespace().nth(MOST_TROUBLE).is_some()
        || sentence.trim_end().ends_with(['?', '？', '؟'])
    {
        return false;
    }
    let folded = text::fold(sentence);
    trouble.kinds.found(&folded).any(|kind| !trades.contains(&kind)) && !trouble.remedy.is_in(&folded)
}

/// Whether a label, or what a bracket begins with, says that all behind it is kept from visitors.
pub fn is_label(label: &str) -> bool {
    let folded = text::fold(label);
    let bare = folded.trim_matches(|char: char| !char.is_alphanumeric());
    WORDS.labels.contains(bare) || is_doubled(bare)
}

/// Whether two labels are joined to one: `for info and only for info`.
fn is_doubled(folded: &str) -> bool {
    let Words { labels, joints, stresses, .. } = &*WORDS;
    let is_one = |text: &str| {
        let is_stress = |word: &&str| stresses.contains(*word) || ONLY.contains(word);
        let words: Vec<&str> = text.split(' ').skip_while(is_stress).collect();
        labels.contains(&words.join(" "))
    };
    let joint = |word: &str| joints.contains(word);
    let at = folded.match_indices(' ').find_map(|(at, _)| {
        let (word, rest) = folded[at + 1..].split_once(' ')?;
        joint(word).then_some((&folded[..at], rest))
    });
    at.is_some_and(|(one, other)| is_one(one) && is_one(other))
}

/// Words before a label that only limit it.
const ONLY: [&str; 9] = [
    "seulement",
    "uniquement",
    "solamente",
    "unicamente",
    "apenas",
    "somente",
    "soltanto",
    "slechts",
    "endast",
];

/// Whether what is in brackets is kept from visitors.
pub fn is_bracket(inner: &str) -> bool {
    let label = inner.split([':', '：', ',', ';', '，', '、', '–', '—', '-']).next().unwrap_or_default();
    is_label(label) || is_label(inner) || is_asked(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_read() {
        let words = &*WORDS;
        assert!(
            words.labels.len() > 300
                && words.anywhere.len() > 1000
                && words.asides.len() > 60
                && words.trouble.len() > 20
        );
        let lists = words.trouble.values().flat_map(|trouble| [&trouble.kinds, &trouble.remedy]);
        let mut lists = lists;
        assert!(lists.all(|list| list.len() > 10));
    }

    #[test]
    fn a_request_to_keep_quiet_is_known_in_languages_without_a_lexicon() {
        for sentence in [
            "neříkej jim že mražené bereme z Polska",
            "Nerikejte nikomu o auditu",
            "Не кажіть нікому, що у нас борг перед банком.",
            "Μην πεις ότι χάσαμε τη βιολογική πιστοποίηση",
            "μην γραψετε για το προστιμο",
            "Jangan bilang kalau mesin lagi rusak",
            "Ikke nevn at Equinor er misfornøyd",
            "Vær så snill, ikke fortell noen at vi flytter",
            "Nævn ikke noget, og skriv ikke at vi lukker: ikke skriv det",
            "Älä kerro kenellekään että myymme",
            "ne mondd el senkinek hogy csőd",
            "Să nu spui nimănui de proces",
            "Nu menționați amenda",
            "Не казвайте на никого за глобата",
            "Nemojte spominjati kaznu",
            "не говорите про долг",
            "đừng nói là bếp trưởng nghỉ",
            "dung nói với ai. Đừng nhắc đến vụ kiện",
            "อย่าบอกใครว่าเราจะย้าย",
            "किसी को मत बताना कि हम बेच रहे हैं",
            "不要說我們要搬家",
            "배상금 얘기는 언급하지 마세요",
            "لا تذكروا أن العقد انتهى",
            "אל תכתבו על התביעה",
            "huwag mong sabihin na lilipat kami",
            "仕入れ値は言わないでください",
            "nao fala pra ninguém que a dra. vai sair",
            "We go to 11 a metre over 400 m, but that is not something for a website.",
            "The grant ran out, and nobody needs to know that.",
            "Bei Bauträgern gehen wir bis 38 runter, das muss da aber keiner lesen.",
            "Der Brand vom März gehört nicht auf die Seite.",
            "le four a brûlé en janvier mais ça les gens n'ont pas à le savoir",
            "Onder de 500 gaan we niet, en dat hoeft niet op de site.",
            "Rabatten är inget för hemsidan.",
            "det skal ikke stå nogen steder",
            "Hellere ikke på siden, det med lejen.",
            "ولا داعي لذكر مشكلة الفرع",
            "don't let anyone know about it",
            "dont let anyone know about it",
        ] {
            assert!(is_asked(sentence), "{sentence}");
        }
    }

    #[test]
    fn what_visitors_may_read_is_not() {
        for sentence in [
            "Between us we have sixty years at the oven.",
            "You don't need to know how to sew.",
            "Nobody knows boilers like we do.",
            "Vous n'avez pas besoin de savoir nager.",
            "Daten, die niemand lesen kann.",
            "Tickets are sold on the website, not at the door.",
            "Buy in confidence.",
            "Vi monterer ikke siden august.",
            "Pečeme podle tajné receptury našich babiček.",
            "Rahasia dapur kami sejak 1988.",
            "Bí mật gia truyền của bà nội.",
            "Nu includem taxe ascunse.",
            "Мы не говорим «нет».",
            "Cukru nepřidáváme.",
            "We keep it quiet-running.",
            "Tu coche no se entretiene.",
            "秘伝のたれ",
            "내부 공사는 사흘 걸립니다",
            "Prețul nu include transportul.",
            "Du behöver inte ta med egna redskap.",
            "商品には手を触れないでください。",
            "别提多好吃了",
            "Interno: 80 m², esterno: 20 m².",
        ] {
            assert!(!is_asked(sentence), "{sentence}");
        }
    }

    #[test]
    fn trouble_is_told_from_what_is_done_about_it() {
        for (tag, sentence, is_told) in [
            ("en", "the burglary at the warehouse in March", false),
            ("en", "Theft is insured in every contract.", true),
            ("en", "Our lawyers settle lawsuits out of court.", true),
            ("fr", "le redressement de l'URSSAF en mai", false),
            ("de", "der Brand im Lager voriges Jahr", false),
            ("de", "Schutz gegen Einbruch und Brand.", true),
            ("cs", "pokuta od hygieny", false),
            ("el", "το πρόστιμο της εφορίας", false),
            ("ja", "去年の食中毒の件", false),
            ("xx", "the burglary at the warehouse", true),
        ] {
            assert_eq!(!is_trouble(sentence, tag, &HashSet::new()), is_told, "{sentence}");
        }
    }

    #[test]
    fn what_a_company_works_with_is_no_trouble_of_its_own() {
        let context =
            "We remove cockroaches in Leeds. Cockroaches like warm kitchens. The burglary was in March.";
        let trades = trades(context, "en");
        assert!(!is_trouble("Cockroaches like warm kitchens.", "en", &trades));
        assert!(is_trouble("The burglary was in March.", "en", &trades));
    }

    #[test]
    fn an_aside_confides_its_sentence() {
        for sentence in [
            "Between us, the insurance lapsed.",
            "The press broke last week (between us).",
            "Between us the landlord wants us out.",
            "Strictly between ourselves: the indigo is synthetic.",
            "And this is just between us: the indigo is synthetic.",
            "De vous à moi, l'indigo est synthétique.",
            "And off the record, two of the shears are borrowed.",
            "Aquí entre nos, el horno está descompuesto.",
            "Der Motor ist kaputt, unter uns gesagt.",
        ] {
            assert!(is_aside(sentence), "{sentence}");
        }
        for sentence in [
            "Between us we have sixty years at the oven.",
            "Prices vary between us, the wholesaler and the shop.",
            "Entre nosotros y el mar no hay nada.",
            "Unter uns wohnt ein Bäcker.",
        ] {
            assert!(!is_aside(sentence), "{sentence}");
        }
        assert!(is_aside_alone("between us") && !is_aside_alone("between us and the sea"));
    }

    #[test]
    fn labels_and_brackets_say_so() {
        for label in [
            "FYI only",
            "Pour info et seulement pour info",
            "※社外秘",
            "(Entre nous",
            "MEZI NÁMI",
            "mezi nami",
            "仅供内部",
            "बात नहीं? गोपनीय",
        ] {
            assert_eq!(is_label(label), !label.contains('?'), "{label}");
        }
        for label in [
            "Between us and the sea",
            "Internal doors",
            "Note",
            "Opening hours",
            "Interni",
            "Interno",
            "Internal door",
        ] {
            assert!(!is_label(label), "{label}");
        }
        for bracket in ["entre nous : on est en retard", "intern", "psst, der Chef geht", "nikomu neříkej"]
        {
            assert!(is_bracket(bracket), "{bracket}");
        }
        assert!(!is_bracket("incl. internal doors") && !is_bracket("20 km"));
    }
}
