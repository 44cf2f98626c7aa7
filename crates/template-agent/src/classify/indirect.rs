//! Questions that are told of, not asked: `People ask whether they need a licence. They do.`, `Viele wollen wissen, ob das auch bei altem Holz geht.`
//!
//! What this is not: grammar. Each language says who asks, what joins the question, and how it is asked as the title of its answer; a
//! question that cannot be put so stays a sentence. The words are in `indirect.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::tidy;
use crate::words::{Matcher, Tokens};

mod english;

/// How many words from its beginning a sentence says that somebody asks.
const NEAR: usize = 9;
/// How many words behind that the question begins at most.
const GAP: usize = 6;
/// The fewest and the most words of a question.
const LENGTH: std::ops::RangeInclusive<usize> = 2..=18;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    /// That somebody asks, without the word for who does.
    asks: Matcher,
    /// Words before which nobody else asks: `we ask whether you …`, `if you ask …`.
    #[serde(default)]
    not_behind: Matcher,
    /// Those of them that one person does, unless one of the next list is before: `Marcus asked`, but not `we get asked`.
    #[serde(default)]
    single: Matcher,
    #[serde(default)]
    anyone: Matcher,
    /// What joins a question with yes or no, and what is before it where it is asked: nothing, or the word itself.
    whether: BTreeMap<String, String>,
    /// Words by which other questions begin.
    #[serde(default)]
    how: Matcher,
    /// What an answer within the same sentence begins with.
    answers: Matcher,
    /// The mark of a question.
    mark: String,
    /// What is before a question.
    #[serde(default)]
    opens: String,
}

static WORDS: LazyLock<BTreeMap<String, Words>> =
    LazyLock::new(|| toml::from_str(include_str!("indirect.toml")).unwrap_or_default());

/// A question that is told of.
#[derive(Debug, PartialEq, Eq)]
pub struct Indirect {
    /// As it is asked.
    pub question: String,
    /// What the same sentence answers; empty if the next one does.
    pub answer: String,
}

/// The question that a sentence of that language tells of.
pub fn read(sentence: &str, tag: &str) -> Option<Indirect> {
    let plain = sentence.trim();
    if plain.ends_with(['?', '？', '؟']) || plain.contains(['"', '“', '„', '«']) {
        return None;
    }
    if tag == "ja" {
        return japanese(plain);
    }
    let words = WORDS.get(tag)?;
    let tokens = Tokens::of(plain);
    let asks = (0..tokens.len().min(NEAR)).find_map(|at| words.asks.at(&tokens, at))?;
    if asks.start == 0 && asks.end == 1
        || (0..asks.start).any(|at| words.not_behind.at(&tokens, at).is_some())
    {
        return None;
    }
    let is_single = words.single.at(&tokens, asks.start).is_some();
    if is_single && !(0..asks.start).any(|at| words.anyone.at(&tokens, at).is_some()) {
        return None;
    }
    let last = tokens.len().min(asks.end + GAP);
    let is_direct = |at: usize| tag == "en" && at == asks.end && english::is_verb(tokens.word(at));
    let (from, lead) = (asks.end..last).find_map(|at| {
        if is_direct(at) { Some((tokens.start(at), Lead::How)) } else { joined(words, plain, &tokens, at) }
    })?;
    let (asked, answer) = divided(&plain[from..], words);
    let asked = asked.trim_end_matches(['.', '!', ',', ';', ':', ' ', '،']);
    let question = match (tag, lead) {
        ("en", Lead::Whether(_)) => english::asked(asked),
        ("en", Lead::How) => english::open(asked),
        (_, Lead::Whether(lead)) => format!("{lead}{asked}"),
        (_, Lead::How) => asked.to_owned(),
    };
    if !LENGTH.contains(&question.split_whitespace().count()) {
        return None;
    }
    let question = tidy::capital(question.trim());
    let mark = if tag == "en" && !english::is_asked(&question) { "" } else { &words.mark };
    Some(Indirect {
        question: format!("{}{question}{mark}", words.opens),
        answer: tidy::capital(answer.trim()),
    })
}

/// What joins a question to who asks it.
enum Lead<'a> {
    /// With what is before it where it is asked.
    Whether(&'a str),
    How,
}

/// Where the question begins that a word joins, and how it is asked.
fn joined<'a>(words: &'a Words, plain: &str, tokens: &Tokens, at: usize) -> Option<(usize, Lead<'a>)> {
    let start = tokens.start(at);
    if words.how.at(tokens, at).is_some() {
        return Some((start, Lead::How));
    }
    // A longer one is behind its beginning.
    for (joint, lead) in words.whether.iter().rev() {
        let count = joint.split(' ').count();
        let is_joint = (0..count).all(|next| joint.split(' ').nth(next) == Some(tokens.word(at + next)));
        if is_joint && at + count < tokens.len() {
            return Some((tokens.start(at + count), Lead::Whether(lead)));
        }
        // `s'il faut`: the joint has lost its vowel.
        if let Some(bare) = joint.strip_suffix('\'') {
            let text = plain[start..].replace('’', "'");
            if text.get(..joint.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(joint))
                && !bare.is_empty()
            {
                let first = plain[start..].char_indices().nth(joint.chars().count())?;
                return Some((start + first.0, Lead::Whether(lead)));
            }
        }
    }
    None
}

/// A question and the answer behind it in the same sentence, if it is there.
fn divided<'a>(text: &'a str, words: &Words) -> (&'a str, &'a str) {
    const SURE: [&str; 6] = [": ", " - ", " – ", " — ", "; ", " : "];
    const MAYBE: [&str; 2] = [", ", "، "];
    let sure = SURE.iter().filter_map(|mark| text.find(mark).map(|at| (at, mark.len())));
    let maybe = MAYBE.iter().flat_map(|mark| text.match_indices(mark).map(|(at, mark)| (at, mark.len())));
    let begins =
        |(at, length): &(usize, usize)| words.answers.at(&Tokens::of(&text[at + length..]), 0).is_some();
    match sure.chain(maybe.filter(begins)).min() {
        Some((at, length)) => (&text[..at], &text[at + length..]),
        None => (text, ""),
    }
}

/// `多いのは、土曜日も動いているのかというご質問です。`
fn japanese(plain: &str) -> Option<Indirect> {
    const ASKS: [&str; 6] = ["質問", "聞かれ", "お問い合わせ", "お問合せ", "訊かれ", "尋ねられ"];
    if !ASKS.iter().any(|word| plain.contains(word)) {
        return None;
    }
    let end =
        ["かという", "かとの", "かについて", "かと"].iter().filter_map(|joint| plain.find(joint)).min()?;
    let begin = plain[..end].rfind(['、', '，', '「']).map_or(0, |at| at + '、'.len_utf8());
    let asked = &plain[begin..end];
    (asked.chars().count() >= 4)
        .then(|| Indirect { question: format!("{asked}か？"), answer: String::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(tag: &str, sentence: &str) -> Option<(String, String)> {
        read(sentence, tag).map(|found| (found.question, found.answer))
    }

    #[test]
    fn what_people_ask_is_asked() {
        assert!(WORDS.len() >= 12);
        for (tag, sentence, asked, answer) in [
            (
                "en",
                "People often ask whether they need a permit for the skip.",
                "Do they need a permit for the skip?",
                "",
            ),
            ("en", "The question we hear most is if you need a slab.", "Do you need a slab?", ""),
            (
                "en",
                "Parents wonder if the water hurts their eyes, it doesn't.",
                "Does the water hurt their eyes?",
                "It doesn't.",
            ),
            ("en", "Clients want to know if we can read their mail.", "Can we read their mail?", ""),
            (
                "en",
                "Guests are always asking that what happens in the rain.",
                "What happens in the rain?",
                "",
            ),
            ("en", "Everybody asks how long it takes - two days.", "How long it takes", "Two days."),
            (
                "en",
                "people want to know do they have to be at home, no, we have a key",
                "Do they have to be at home?",
                "No, we have a key",
            ),
            (
                "en",
                "Visitors ask whether blankets of wool and silk survive a wash.",
                "Whether blankets of wool and silk survive a wash",
                "",
            ),
            ("de", "Viele fragen, ob das auch im Winter geht.", "Ob das auch im Winter geht?", ""),
            (
                "de",
                "Oft werden wir gefragt, wie lange das dauert: zwei Tage.",
                "Wie lange das dauert?",
                "Zwei Tage.",
            ),
            ("fr", "On nous demande souvent s'il faut un permis.", "Il faut un permis ?", ""),
            (
                "fr",
                "Les clients veulent savoir si on coupe le pain : oui, gratuitement.",
                "On coupe le pain ?",
                "Oui, gratuitement.",
            ),
            ("es", "Nos preguntan mucho si hace falta cita.", "¿Hace falta cita?", ""),
            ("es", "Los clientes quieren saber qué pasa si llueve.", "¿Qué pasa si llueve?", ""),
            (
                "pt",
                "Muita gente pergunta se dá para pagar depois, dá sim.",
                "Dá para pagar depois?",
                "Dá sim.",
            ),
            ("it", "Ci chiedono spesso se serve prenotare.", "Serve prenotare?", ""),
            ("nl", "Klanten vragen vaak of het ook bij regen kan.", "Of het ook bij regen kan?", ""),
            ("pl", "Klienci pytają, czy potrzebny jest projekt.", "Czy potrzebny jest projekt?", ""),
            ("sv", "Många undrar om man måste boka.", "Måste man boka?", ""),
            ("da", "Folk spørger tit om vi også kommer om søndagen.", "Om vi også kommer om søndagen?", ""),
            ("cs", "Lidé se ptají, jestli potřebují povolení.", "Potřebují povolení?", ""),
            ("ar", "يسألنا الناس هل يجب الحجز قبل الوصول.", "هل يجب الحجز قبل الوصول؟", ""),
            (
                "ja",
                "よくいただくのは、日曜日も開いているのかというご質問です。",
                "日曜日も開いているのか？",
                "",
            ),
        ] {
            assert_eq!(question(tag, sentence), Some((asked.to_owned(), answer.to_owned())), "{sentence}");
        }
    }

    #[test]
    fn who_asks_visitors_or_colleagues_tells_of_no_question() {
        for (tag, sentence) in [
            ("en", "Ask us whether your roof can carry it."),
            ("en", "We ask whether you have allergies."),
            ("en", "Marcus asked whether we can do it for less."),
            ("de", "Kollmann fragt, ob wir billiger können."),
            ("fr", "Julien demande si on baisse le prix."),
            ("es", "Ramiro pregunta si bajamos el precio."),
            ("en", "If anyone asks whether we do Sundays, say no."),
            ("en", "Ask for a quote if you need one."),
            ("en", "We are open if you ring first."),
            ("de", "Fragen Sie, ob Ihr Dach das trägt."),
            ("de", "Wir fragen Sie vorher, ob Sie Allergien haben."),
            ("fr", "Demandez si votre mur est porteur."),
            ("es", "Pregunte si su muro aguanta."),
            ("xx", "People ask whether they need a permit."),
        ] {
            assert_eq!(question(tag, sentence), None, "{sentence}");
        }
    }
}
