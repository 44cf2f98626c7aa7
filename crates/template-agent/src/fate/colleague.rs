//! What only colleagues say to each other, in whatever language the page is: where something is to stand, how readers are to be
//! addressed, where a text was copied from, what is said aloud only, what is kept silent; and orders without a subject.
//!
//! What this is not: complete. Each kind has its phrases in `colleague.txt`.

use std::sync::LazyLock;

use crate::lexicon::Lexicon;
use crate::stance::lists;
use crate::words::{Matcher, Tokens};

fn list(names: &[&str]) -> Matcher {
    names.iter().flat_map(|name| lists::of(include_str!("colleague.txt"), name)).collect()
}

/// What is said of a text, or of a part of it.
static TALK: LazyLock<Matcher> = LazyLock::new(|| {
    list(&[
        "request", "callers", "aside", "place", "laughter", "address", "style", "aloud", "origin", "silence",
    ])
});
/// How somebody asks whether to write something.
static WHETHER: LazyLock<Matcher> = LazyLock::new(|| list(&["whether"]));
/// What takes a sentence back.
static SILENCE: LazyLock<Matcher> = LazyLock::new(|| list(&["silence", "aloud"]));

/// Whether a text has what only colleagues say.
pub fn is_talk(tokens: &Tokens) -> bool {
    TALK.is_in(tokens)
}

/// Whether a sentence asks whether to write something: `Ponho a história do roubo?`. Whoever says it as a fact does not ask.
pub fn asks_whether(sentence: &str, tokens: &Tokens) -> bool {
    sentence.trim_end().ends_with('?') && WHETHER.at(tokens, 0).is_some()
}

/// Whether a clause says no more than that something is to be kept silent.
pub fn is_silence(tokens: &Tokens) -> bool {
    SILENCE.at(tokens, 0).is_some_and(|found| found.end == tokens.len())
}

/// The most words of an order without a subject.
const MOST_ORDER: usize = 8;
/// The fewest letters of an infinitive.
const LEAST_INFINITIVE: usize = 4;

/// Whether a clause refuses something and has no subject: `nada de regañar`, `Testra nicht schlechtmachen`, `ne pas parler du prix`.
pub fn is_refusal(sentence: &str, lexicon: &Lexicon) -> bool {
    // `Niet slagen?` asks.
    !sentence.trim_end().ends_with(['?', '？'])
        && sentence.split([',', ';', '–', '—', '!']).any(|clause| is_refused(clause, lexicon))
}

fn is_refused(clause: &str, lexicon: &Lexicon) -> bool {
    /// What an infinitive belongs to that is not an order.
    const VERBS: [&str; 24] = [
        "muss", "müssen", "kann", "können", "darf", "dürfen", "soll", "sollen", "sollte", "sollten", "will",
        "wollen", "wird", "werden", "braucht", "brauchen", "lässt", "lassen", "kan", "kunnen", "mag",
        "mogen", "hoeft", "hoeven",
    ];
    const BUT: [&str; 6] = ["but ", "aber ", "pero ", "mas ", "ma ", "maar "];
    const JOINTS: [&str; 8] = ["die", "der", "das", "dass", "wer", "wie", "dat", "zu"];
    let grammar = &lexicon.grammar;
    if !grammar.inverts && grammar.infinitives.is_empty() || clause.split_whitespace().count() > MOST_ORDER {
        return false;
    }
    let clause = clause.trim_start();
    let clause = BUT.iter().find_map(|but| clause.strip_prefix(but)).unwrap_or(clause);
    let tokens = Tokens::of(clause);
    if tokens.len() < 2 || grammar.you.in_text(&tokens) || grammar.we.in_text(&tokens) {
        return false;
    }
    if grammar.inverts {
        // In these languages the verb is the last word.
        let last = tokens.len() - 1;
        return matches!(tokens.word(last - 1), "nicht" | "niet")
            && tokens.word(last).ends_with("en")
            && !tokens.iter().any(|word| VERBS.contains(&word) || JOINTS.contains(&word));
    }
    let verb = match (tokens.word(0), tokens.word(1)) {
        ("nada" | "niente", "de" | "di") | ("ne", "pas" | "jamais") => tokens.word(2),
        ("no" | "non" | "não" | "n" | "nie", verb) => verb,
        _ => "",
    };
    verb.len() >= LEAST_INFINITIVE && grammar.infinitives.iter().any(|ending| verb.ends_with(ending.as_str()))
}

/// Whether a sentence tells how those mostly are who come, behind their back: `Chi prenota di solito è il papà`.
pub fn is_about_callers(tokens: &Tokens, lexicon: &Lexicon) -> bool {
    /// How far from the beginning that is told.
    const WITHIN: usize = 7;
    const WHOEVER: [&str; 11] =
        ["whoever", "chi", "wer", "quien", "quienes", "quem", "wie", "kto", "celui", "ceux", "celle"];
    const USUALLY: [&str; 19] = [
        "usually",
        "mostly",
        "typically",
        "solito",
        "meist",
        "meistens",
        "normalerweise",
        "suele",
        "suelen",
        "normalmente",
        "geralmente",
        "costuma",
        "costumam",
        "généralement",
        "d'habitude",
        "meestal",
        "zwykle",
        "oftast",
        "genellikle",
    ];
    // `Quien suele venir con niños paga menos` is an offer.
    const COPULAS: [&str; 16] = [
        "is", "are", "ist", "sind", "è", "sono", "es", "son", "ser", "é", "são", "est", "sont", "zijn",
        "jest", "är",
    ];
    let is_copula = |at: usize| COPULAS.contains(&tokens.word(at));
    WHOEVER.contains(&tokens.word(0))
        && (1..tokens.len().min(WITHIN))
            .any(|at| USUALLY.contains(&tokens.word(at)) && (is_copula(at + 1) || is_copula(at - 1)))
        && !lexicon.grammar.you.in_text(tokens)
        && !lexicon.grammar.we.in_text(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon;

    #[test]
    fn orders_without_a_subject_are_told_from_facts() {
        for (tag, order) in [
            ("de", "Testra nicht schlechtmachen, die haben uns abgemahnt"),
            ("nl", "Niet noemen"),
            ("es", "muchos llegan tarde, nada de regañar"),
            ("fr", "Ne pas parler du procès"),
            ("it", "Non citare il comune"),
            ("pt", "Não falar do vizinho"),
            ("pt", "somos pequenos, mas n dizer o preço"),
            ("pl", "Nie pisac o cenach!!! nikt nie pyta"),
        ] {
            assert!(is_refusal(order, lexicon::of(tag).unwrap()), "{order}");
        }
        for (tag, fact) in [
            ("de", "Fugen, die nicht reißen"),
            ("de", "Der Lack muss nicht trocknen"),
            ("de", "Unsere Pumpen rosten nicht"),
            ("nl", "Je hoeft niet wachten"),
            ("en", "No matter what, no barrier"),
            ("es", "No cobramos por esperar"),
            ("it", "Non serve la patente"),
            ("nl", "Niet slagen?"),
            ("pl", "Nie trzeba czekać"),
        ] {
            assert!(!is_refusal(fact, lexicon::of(tag).unwrap()), "{fact}");
        }
    }

    #[test]
    fn what_colleagues_say_is_known_in_every_language() {
        for text in [
            "Put that somewhere it gets seen.",
            "Put that where everyone sees it",
            "Eso ponlo arriba",
            "Dat mag er gewoon staan",
            "Das bleibt trocken haha",
            "Date del voi",
            "Rabatt erst im Gespräch",
            "95 mil, não colocar",
            "Copied out of the old spreadsheet",
            "Ikke nevn at Gro slutter",
            "Nævn ikke branden",
            "Älä mainitse muuttoa",
            "Nezmiňujte soud",
            "Nu menționa procesul",
            "Не згадуй про суд",
            "Μην αναφέρεις τη δίκη",
            "อย่าพูดถึงคดี",
        ] {
            assert!(is_talk(&Tokens::of(text)), "{text}");
        }
        for text in [
            "We put the pump on the ground.",
            "Phrases that last",
            "Die Form ist rund",
            "The hall is dry",
            "Put this in the oven",
            "Bookings only in person",
            "Eine lange Geschichte verbindet uns mit dem Ort",
            "Une maison à la longue histoire",
            "Une seule machine, ne pas mettre au lave-vaisselle",
            "Una casa con una larga historia",
            "Estamos cerca de usted",
            "No poner en el lavavajillas",
            "Non mettere in lavastoviglie",
            "Kein Wort davon verlässt unser Haus",
            "Your clients stay yours, and we never name them",
            "Marcações só por telefone",
            "Je mets la main à la pâte depuis vingt ans.",
        ] {
            assert!(!is_talk(&Tokens::of(text)), "{text}");
        }
    }

    #[test]
    fn how_callers_mostly_are_is_not_said_to_them() {
        let is = |tag: &str, text: &str| is_about_callers(&Tokens::of(text), lexicon::of(tag).unwrap());
        assert!(is("it", "Chi prenota di solito è il papà di Milano"));
        assert!(is("de", "Wer anruft, ist meistens schon beim dritten Handwerker"));
        assert!(is("es", "Quien reserva suele ser un padre con prisa"));
        assert!(!is("es", "Quien suele venir con niños tiene un descuento"));
        assert!(!is("nl", "Wie meestal met de fiets komt, kan die binnen zetten"));
        assert!(!is("de", "Wer oft reist, spart mit dem Abo"));
        assert!(!is("de", "Wer meistens abends kommt, findet bei uns einen Platz"));
    }
}
