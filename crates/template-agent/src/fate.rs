//! What becomes of a sentence of a brief: it is told to visitors, it is a note about the audience, or an instruction to the writer.
//!
//! In doubt a sentence is not shown: one fact less does no harm, and a page that talks about its reader does.

use crate::lexicon::Lexicon;
use crate::reader::Reader;
use crate::sentence::is_question;
use crate::stance::{self, Stance, greeting};
use crate::tidy;
use crate::words::Tokens;

mod colleague;
mod remarks;
mod silence;
mod trusted;

pub use colleague::{asks_whether, is_talk};
pub use remarks::without_remarks;
pub use silence::unwanted;
pub use trusted::{trusted, trusted_lines};

/// What becomes of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Visitors read it.
    Fact,
    /// It is about the audience.
    Note,
    /// It tells the writer what to do.
    Instruction,
    /// It hopes that a program obeys; nothing near it is trusted.
    Injection,
}

/// The fewest letters of an infinitive that orders something.
const LEAST_INFINITIVE: usize = 8;

/// How far from its beginning a sentence tells that it describes the audience.
const NEAR: usize = 8;

/// Whether one of the other languages of business knows a sentence for an instruction, which has no common word of its page's language.
pub fn is_foreign_order(tokens: &Tokens, lexicon: Option<&Lexicon>) -> bool {
    let Some(own) = lexicon.filter(|own| !own.kinds.empty.in_text(tokens)) else { return false };
    let others = ["en", "de", "fr", "es", "pt", "it", "nl"].into_iter().filter_map(crate::lexicon::of);
    others.filter(|other| !std::ptr::eq(*other, own)).any(|other| {
        other.kinds.empty.in_text(tokens)
            && (other.instructions.meta.is_in(tokens) || other.instructions.leave_out.is_in(tokens))
    })
}

/// A sentence with what the rules look at.
pub struct Sentence<'a> {
    pub text: &'a str,
    pub tokens: Tokens,
    pub stance: Stance,
}

impl<'a> Sentence<'a> {
    /// Reads a sentence.
    pub fn of(text: &'a str) -> Sentence<'a> {
        Sentence { text, tokens: Tokens::of(text), stance: stance::of(text) }
    }
}

/// What becomes of a sentence of the page's context. `after_note` says that the sentence before was a note.
pub fn fate(sentence: &str, after_note: bool, reader: &Reader, lexicon: Option<&Lexicon>) -> Fate {
    fate_of(&Sentence::of(sentence), after_note, reader, lexicon)
}

/// The same for a sentence that was read.
pub fn fate_of(
    sentence: &Sentence<'_>,
    after_note: bool,
    reader: &Reader,
    lexicon: Option<&Lexicon>,
) -> Fate {
    let Sentence { text: sentence, tokens, stance } = sentence;
    match stance {
        Stance::Injection => return Fate::Injection,
        Stance::Instruction
            if !sentence.trim_end().ends_with('?')
                || stance::mentions_page(sentence)
                || stance::is_whole(sentence) =>
        {
            return Fate::Instruction;
        }
        Stance::Copy
            if greeting::is_greeting(sentence) || is_talk(tokens) || asks_whether(sentence, tokens) =>
        {
            return Fate::Instruction;
        }
        Stance::Instruction | Stance::Copy => {}
    }
    if let Some(lexicon) = lexicon {
        if is_order(sentence, tokens, lexicon)
            || colleague::is_refusal(sentence, lexicon)
            || silence::is_asked(sentence, tokens, lexicon)
            || is_about_writing(tokens, lexicon) && !is_of_reader(sentence, tokens, lexicon)
        {
            return Fate::Instruction;
        }
        if is_about_audience(sentence, tokens, after_note, lexicon)
            || is_about_feelings(sentence, tokens, lexicon)
            || is_supposed(sentence, tokens, lexicon)
            || colleague::is_about_callers(tokens, lexicon)
        {
            return Fate::Note;
        }
    }
    if reader.is_named_in(sentence)
        && !lexicon.is_some_and(|lexicon| speaks_to_reader(sentence, tokens, lexicon))
    {
        Fate::Note
    } else {
        Fate::Fact
    }
}

/// Whether a sentence speaks to its reader. In German the polite words differ from those about others by their capital.
fn speaks_to_reader(sentence: &str, tokens: &Tokens, lexicon: &Lexicon) -> bool {
    const BY_CAPITAL: [&str; 7] = ["sie", "ihnen", "ihr", "ihre", "ihren", "ihrem", "ihrer"];
    let has_capital = |word: &str| {
        sentence.split(|char: char| !char.is_alphabetic()).skip(1).any(|other| {
            other.starts_with('S') && tidy::folded(other) == word
                || other.starts_with('I') && tidy::folded(other) == word
        })
    };
    tokens
        .iter()
        .filter(|word| lexicon.grammar.you.has(word))
        .any(|word| !BY_CAPITAL.contains(&word) || has_capital(word))
}

/// What is to be left out, stressed or used as the button, said in a way that [`stance`] does not know.
fn is_order(sentence: &str, tokens: &Tokens, lexicon: &Lexicon) -> bool {
    let orders = &lexicon.instructions;
    let begins =
        |matcher: &crate::words::Matcher, most: usize| (0..most).any(|at| matcher.at(tokens, at).is_some());
    let to_reader = lexicon.grammar.you.in_text(tokens) || lexicon.grammar.we.in_text(tokens);
    let greets = orders.greetings.begins(tokens).is_some();
    let is_letter = matches!(
        tokens.word(0),
        "hi" | "hello"
            | "hey"
            | "dear"
            | "hallo"
            | "bonjour"
            | "salut"
            | "hola"
            | "olá"
            | "ciao"
            | "buongiorno"
            | "hoi"
    ) && sentence.find([',', '!']).is_some_and(|at| at <= tokens.end(2));
    let is_greeting =
        is_letter || (greets && tokens.len() <= 4 && !sentence.contains(|char: char| char.is_ascii_digit()));
    // Behind what is to be left out stand a verb or the end.
    let leaves_out =
        orders.left_out.find(tokens).is_some_and(|found| found.end >= tokens.len().min(found.start + 4))
            && begins(&orders.leave_out, 4)
            || orders.left_out.find(tokens).is_some_and(|found| {
                // `Die Quote weglassen, das ist heikel`: an infinitive at its clause's end is an order.
                let behind = sentence[tokens.end(found.end - 1)..].trim_start();
                let ends = behind.is_empty() || behind.starts_with([',', ';', '.', '!']);
                found.end - found.start >= 2
                    || ends && tidy::length(tokens.word(found.start)) >= LEAST_INFINITIVE
            });
    let is_short_wish = tokens.len() <= 4
        && !to_reader
        && (begins(&orders.short, 3) || begins(&lexicon.tone.formal, 3) || begins(&lexicon.tone.informal, 3));
    // One word such as `leave` asks for something only where a clause begins: `so anybody can leave when they want` does not.
    let asks_to_leave = (0..tokens.len()).any(|at| {
        orders.leave_out.at(tokens, at).is_some_and(|found| {
            found.end - found.start > 1
                || begins_clause(&sentence[..tokens.start(at)])
                || lexicon.instructions.polite.is_in(tokens)
        })
    }) && (orders.meta.is_in(tokens)
        || lexicon.grammar.third.in_text(tokens)
        || lexicon.kinds.private.is_in(tokens));
    // `Nothing soppy.`
    let is_nothing = tokens.len() <= 3
        && matches!(tokens.word(0), "nothing" | "nichts" | "rien" | "nada" | "niente" | "niets");
    is_greeting
        || is_nothing
        || leaves_out
        || is_taken_back(sentence, lexicon)
        || is_refused_in_capitals(sentence)
        || ends_with_so(tokens)
        || asks_to_leave
        || orders.meta.is_in(tokens)
        || begins(&orders.button, 3)
        || (begins(&orders.leave_out, 3) && !lexicon.grammar.you.in_text(tokens))
        || (orders.stress.begins(tokens).is_some_and(|end| end < tokens.len())
            && !to_reader
            && tokens.len() <= 20)
        || is_short_wish
        || orders.stress.begins(tokens).is_some_and(|end| THAT.contains(&tokens.word(end)))
}

/// What joins an order and the fact that it asks to tell.
const THAT: [&str; 9] = ["that", "dass", "que", "che", "dat", "att", "że", "ze", "что"];

/// Whether a sentence refuses something in capitals: `NOT the margin`, `el precio NO, que luego lo comparan`.
fn is_refused_in_capitals(sentence: &str) -> bool {
    const BEGINS: [&str; 3] = ["NOT", "NICHT", "NIET"];
    const ENDS: [&str; 8] = ["NOT", "NICHT", "NIET", "NO", "NON", "PAS", "NÃO", "NEIN"];
    let is_loud = |word: &str| word.chars().filter(|char| char.is_alphabetic()).all(char::is_uppercase);
    let words: Vec<&str> = sentence.split_whitespace().collect();
    // A sentence in capitals stresses nothing.
    if words.iter().filter(|word| is_loud(word)).count() * 2 > words.len() {
        return false;
    }
    words.first().is_some_and(|first| BEGINS.contains(first))
        || words.iter().skip(1).any(|word| {
            let bare = word.trim_end_matches([',', '.', ';', '!']);
            bare.len() < word.len() && ENDS.contains(&bare)
        })
}

/// Whether a sentence ends with what follows from it for the writer: `so sound calm`.
fn ends_with_so(tokens: &Tokens) -> bool {
    const VERBS: [&str; 8] = ["be", "sound", "keep", "stay", "go", "make", "write", "say"];
    /// The most words from `so` to the end.
    const MOST: usize = 4;
    (tokens.len().saturating_sub(MOST)..tokens.len())
        .any(|at| tokens.word(at) == "so" && VERBS.contains(&tokens.word(at + 1)))
}

/// Whether a sentence only supposes what it says, and not to its reader: `We're probably putting prices up in January.`
fn is_supposed(sentence: &str, tokens: &Tokens, lexicon: &Lexicon) -> bool {
    const HEDGES: [&str; 18] = [
        "probably",
        "perhaps",
        "maybe",
        "wahrscheinlich",
        "vermutlich",
        "vielleicht",
        "probablement",
        "peut-être",
        "probablemente",
        "quizás",
        "quizá",
        "seguramente",
        "probabilmente",
        "forse",
        "provavelmente",
        "talvez",
        "waarschijnlijk",
        "misschien",
    ];
    // `Perhaps a photo of the oven?` asks a colleague.
    (!is_question(sentence) || HEDGES.contains(&tokens.word(0)))
        && tokens.iter().any(|word| HEDGES.contains(&word))
        && !speaks_to_reader(sentence, tokens, lexicon)
}

/// Whether a sentence ends by saying that it is to be left out: `our plant was flooded – leave out`.
pub fn is_taken_back(sentence: &str, lexicon: &Lexicon) -> bool {
    let clause = [" – ", " — ", " - ", "; ", ", "].iter().filter_map(|mark| sentence.rsplit_once(mark));
    let Some((_, clause)) = clause.min_by_key(|(_, clause)| clause.len()) else { return false };
    let (tokens, orders) = (Tokens::of(clause), &lexicon.instructions);
    let is_whole = |matcher: &crate::words::Matcher| {
        matcher.at(&tokens, 0).is_some_and(|found| found.end - found.start >= 2 && found.end == tokens.len())
    };
    is_whole(&orders.leave_out) || is_whole(&orders.left_out) || colleague::is_silence(&tokens)
}

/// Whether a clause begins behind this text.
fn begins_clause(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty()
        || before.ends_with([',', ';', ':', '-', '–', '—', '(', '!', '.'])
        || [
            "and", "but", "please", "just", "und", "bitte", "aber", "et", "y", "e", "en", "maar", "mais",
            "pero", "mas", "ma",
        ]
        .contains(&tidy::folded(before.rsplit(' ').next().unwrap_or_default()).as_str())
}

/// Whether a sentence is about the page as a piece of writing: it names what a page is made of, and asks for something.
fn is_about_writing(tokens: &Tokens, lexicon: &Lexicon) -> bool {
    let orders = &lexicon.instructions;
    let to_reader = lexicon.grammar.you.in_text(tokens);
    let is_asked = orders.polite.is_in(tokens)
        || lexicon.grammar.i.in_text(tokens)
        || (0..3)
            .any(|at| orders.leave_out.at(tokens, at).is_some() || orders.stress.at(tokens, at).is_some())
        || lexicon.kinds.feels.is_in(tokens);
    // `Rest from Ann below.`
    const BELOW: [&str; 9] =
        ["below", "attached", "anbei", "untenstehend", "ci-dessous", "abajo", "abaixo", "sotto", "hieronder"];
    if !to_reader && tokens.len() <= SHORT_REMARK && tokens.iter().any(|word| BELOW.contains(&word)) {
        return true;
    }
    let things = (0..tokens.len()).filter(|at| orders.artifacts.at(tokens, *at).is_some()).count();
    let is_short = tokens.len() <= MOST_REMARK;
    !to_reader && (things >= 2 && is_short || things >= 1 && is_asked)
}

/// Whether it is a question as readers ask it: `Do I need to read music?`
fn is_of_reader(sentence: &str, tokens: &Tokens, lexicon: &Lexicon) -> bool {
    is_question(sentence)
        && lexicon.grammar.asks.has(tokens.word(0))
        && lexicon.grammar.i.has(tokens.word(1))
        && !stance::mentions_page(sentence)
}

/// The most words of a remark that points to what follows.
const SHORT_REMARK: usize = 6;
/// The most words of a remark that names several things that a page is made of.
const MOST_REMARK: usize = 16;

/// Whether a sentence tells what somebody feels or wishes who is neither the reader nor the company.
fn is_about_feelings(sentence: &str, tokens: &Tokens, lexicon: &Lexicon) -> bool {
    // In English nobody but a person is called so, and pages speak of persons in quotations.
    const SINGLE: [&str; 10] = ["he", "she", "him", "his", "her", "hers", "he's", "she's", "he'd", "she'd"];
    let to_reader = speaks_to_reader(sentence, tokens, lexicon);
    let speaks = to_reader || lexicon.grammar.we.has(tokens.word(0));
    let is_single = !lexicon.grammar.inverts && tokens.iter().any(|word| SINGLE.contains(&word));
    is_single && !to_reader || lexicon.kinds.feels.is_in(tokens) && !speaks
}

/// Whether a sentence describes the audience: `Target group: …`, `Plant managers who run night shifts.`, `They worry about …` after one.
fn is_about_audience(sentence: &str, tokens: &Tokens, after_note: bool, lexicon: &Lexicon) -> bool {
    let kinds = &lexicon.kinds;
    if (0..NEAR).any(|at| kinds.audience.at(tokens, at).is_some()) {
        return true;
    }
    let to_reader = speaks_to_reader(sentence, tokens, lexicon);
    let speaks = to_reader || lexicon.grammar.we.in_text(tokens);
    let first = tokens.word(0).split('\'').next().unwrap_or_default();
    let is_third = lexicon.grammar.third.has(first) && !sentence.trim_start().starts_with("Sie ");
    let is_private = kinds.private.is_in(tokens);
    if kinds.private.find(tokens).is_some_and(|found| found.start < 2 && found.end - found.start >= 3) {
        return true;
    }
    if is_third && (after_note || is_private) && !speaks {
        return true;
    }
    // What somebody else feels or fears, or what is said about them after a note.
    let is_about_other =
        lexicon.grammar.third.in_text(tokens) || tokens.iter().take(NEAR).any(|word| kinds.persons.has(word));
    if is_private && is_about_other && !to_reader {
        return true;
    }
    // A phrase without a verb of its own: persons, and what they are like.
    let persons = (0..4).find(|at| kinds.persons.has(tokens.word(*at)));
    let described = persons.is_some_and(|at| lexicon.grammar.who.has(tokens.word(at + 1)));
    let is_phrase = described && tokens.len() <= 24 && !speaks;
    let follows_who = persons.is_some_and(|at| {
        let next = tokens.word(at + 1);
        matches!(
            next,
            "who" | "whose" | "die" | "qui" | "que" | "che" | "dont" | "deren" | "wier" | "cuyo" | "cuja"
        )
    });
    is_phrase && follows_who && !has_second_clause(sentence)
}

/// `Parents who come on Tuesday: coffee is free`: a clause behind the description.
fn has_second_clause(sentence: &str) -> bool {
    sentence.contains([':', ';', '–', '—'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon;

    fn of(sentence: &str) -> Fate {
        fate(sentence, false, &Reader::default(), lexicon::of("en"))
    }

    #[test]
    fn what_is_about_the_audience_is_not_for_it() {
        for note in [
            "Plant managers who run night shifts.",
            "Target group: CFOs of mid-size firms who worry about audits.",
            "Plant managers who are short of setters after ten at night.",
            "This page is for dentists.",
            "The audience is ops directors, they fear a bottleneck at peak.",
            "She is sceptical about our price.",
        ] {
            assert!(matches!(of(note), Fate::Note | Fate::Instruction), "{note}");
        }
        for fact in [
            "We bake for families and restaurants.",
            "Guests with a dog pay nothing extra.",
            "Our engineers who fit the plates come from Leeds.",
            "From 2,400 €",
            "They are made of oak.",
            "Students pay half.",
            "Lead times are two weeks.",
        ] {
            assert_eq!(of(fact), Fate::Fact, "{fact}");
        }
    }

    #[test]
    fn orders_are_seen() {
        for order in [
            "Stress the warranty.",
            "Keep it formal.",
            "Short please.",
            "Leave out the reference customer.",
            "CTA should be Book a visit",
            "Pls dont mention exotic pets",
            "Our plant in Shoreham was flooded in 2021 – leave out",
            "NOT the margin on beans, obviously.",
            "So be kind.",
            "Folk are terrified that we drop it so sound calm.",
        ] {
            assert_eq!(of(order), Fate::Instruction, "{order}");
        }
        for fact in [
            "The beans are roasted so slowly that they stay sweet.",
            "WE DO NOT CHARGE.",
            "Not a crumb is left.",
        ] {
            assert_eq!(of(fact), Fate::Fact, "{fact}");
        }
    }

    #[test]
    fn what_is_only_supposed_is_not_told() {
        assert_eq!(of("We're probably putting prices up in January."), Fate::Note);
        assert_eq!(of("You will probably never wait for a part."), Fate::Fact);
        let german = |text: &str| fate(text, false, &Reader::default(), lexicon::of("de"));
        assert_eq!(german("Vielleicht nehmen wir die Ferienwohnung dazu."), Fate::Note);
    }
}
