//! What people ask, as they talk, to keep quiet about: `dis rien sur les pertes`, `keep my cousin out of it`, `sag nix vom Streit`.
//!
//! What this is not: a list of phrases. A verb of saying and a word such as `nothing`, with no subject before them, ask for it in
//! whatever order they are; so does a verb such as `keep` with `out of it` at the clause's end. The words are in each
//! language's file.

use crate::lexicon::{Lexicon, Silence};
use crate::words::{Matcher, Tokens, Words};

/// The most words of a request that begins with `nothing about`.
const MOST_ABOUT: usize = 10;
/// How far from a clause's beginning the verb of `keep … out of it` is at most.
const NEAR: usize = 2;

/// Whether a sentence with these words asks to keep quiet about something.
pub fn is_asked(sentence: &str, tokens: &Tokens, lexicon: &Lexicon) -> bool {
    let Silence { nothing, keep, quiet, we_do, .. } = &lexicon.silence;
    // Every request has one of these, and few sentences do. `Rien sur la note ?` asks.
    [nothing, keep, quiet, we_do].iter().any(|list| list.find(tokens).is_some())
        && !sentence.trim_end().ends_with(['?', '？'])
        && sentence.split([',', ';', '–', '—', '!', ':']).any(|clause| unwanted(clause, lexicon).is_some())
}

/// What a clause asks to keep quiet about; empty if it does not say.
pub fn unwanted<'a>(clause: &'a str, lexicon: &'a Lexicon) -> Option<&'a str> {
    let tokens = Tokens::of(clause);
    if tokens.len() < 2 {
        return None;
    }
    // `Say nothing to your bank` speaks to visitors.
    let is_to_reader = lexicon.grammar.you.in_text(&tokens);
    let polite = &lexicon.instructions.polite;
    let words = Clause { text: clause, end: end(&tokens, polite), tokens, silence: &lexicon.silence };
    let asked = || {
        let inverted = || words.inverted(&lexicon.grammar.we);
        words.behind_refusal().or_else(|| words.kept_out()).or_else(inverted).or_else(|| words.about())
    };
    words.quiet().or_else(|| if is_to_reader { None } else { asked() })
}

/// How many words a clause has without what is polite at its end.
fn end(tokens: &Tokens, polite: &Matcher) -> usize {
    let is_polite = |at: usize, end: usize| polite.at(tokens, at).is_some_and(|found| found.end == end);
    let mut end = tokens.len();
    while let Some(at) = (end.saturating_sub(3)..end).find(|at| is_polite(*at, end)) {
        end = at;
    }
    end
}

struct Clause<'a> {
    text: &'a str,
    tokens: Tokens,
    /// How many words it has without what is polite at its end.
    end: usize,
    silence: &'a Silence,
}

impl<'a> Clause<'a> {
    /// The text of these words.
    fn text(&self, from: usize, to: usize) -> &'a str {
        if from >= to { "" } else { &self.text[self.tokens.start(from)..self.tokens.end(to - 1)] }
    }

    /// `dis rien sur les pertes`, `bloß nicht erwähnen`, `no digas na de la mudanza`, `erwähn den Streit nicht`.
    fn behind_refusal(&self) -> Option<&'a str> {
        let Clause { tokens, end, silence, .. } = self;
        let length = |list: &Matcher, at: usize| list.at(tokens, at).map(|found| found.end - at);
        let (mut says, mut talks, mut refuses) = (false, false, false);
        let mut at = 0;
        while at < *end {
            let verb = length(&silence.say, at).inspect(|_| says = true);
            let verb = verb.or_else(|| length(&silence.talk, at).inspect(|_| talks = true));
            let word = verb.or_else(|| length(&silence.nothing, at).inspect(|_| refuses = true));
            match word.or_else(|| length(&silence.between, at)) {
                Some(length) => at += length,
                None => break,
            }
        }
        if at >= *end && says && refuses {
            return Some("");
        }
        let is_limited = silence.only.at(tokens, at).is_some();
        let about = length(&silence.about, at);
        if refuses && !is_limited && (says || talks && about.is_some()) {
            return Some(self.text(at + about.unwrap_or_default(), *end));
        }
        // `erwähn den Streit nicht`
        let (verb, last) = (length(&silence.say, 0)?, end.checked_sub(1)?);
        let is_last = silence.nothing.at(tokens, last).is_some() && last > verb && !refuses;
        is_last.then(|| self.text(verb, last))
    }

    /// `keep my cousin out of it`, `hou Kees erbuiten`.
    fn kept_out(&self) -> Option<&'a str> {
        let verb = (0..NEAR).find_map(|at| self.silence.keep.at(&self.tokens, at))?;
        let out = (verb.end + 1..self.end)
            .find(|at| self.silence.out.at(&self.tokens, *at).is_some_and(|found| found.end == self.end))?;
        Some(self.text(verb.end, out))
    }

    /// `die Sache mit dem Keller lassen wir mal weg`, `grejen med taket pratar vi helst inte om`: what is meant stands before the verb.
    fn inverted(&self, we: &Words) -> Option<&'a str> {
        /// The most words behind who speaks.
        const MOST: usize = 5;
        let Clause { tokens, end, silence, .. } = self;
        let at = (1..end.saturating_sub(2))
            .find(|at| silence.we_do.at(tokens, *at).is_some() && we.has(tokens.word(at + 1)))?;
        let behind = at + 2..*end;
        let ends = |list: &Matcher| {
            behind.clone().any(|at| list.at(tokens, at).is_some_and(|found| found.end == *end))
        };
        let refuses = behind.clone().any(|at| silence.nothing.at(tokens, at).is_some());
        let is_over = ends(&silence.away) || refuses && (ends(&silence.about) || ends(&silence.nothing));
        (behind.len() <= MOST && is_over).then(|| self.text(0, at))
    }

    /// `nothing on the lawsuit pls`: what is polite behind it tells it from `Nothing on the shelf is older than a day`.
    fn about(&self) -> Option<&'a str> {
        let nothing = self.silence.nothing.begins(&self.tokens)?;
        let about = self.silence.about.at(&self.tokens, nothing)?;
        let is_polite = self.end < self.tokens.len();
        (is_polite && self.end > about.end && self.end <= MOST_ABOUT).then(|| self.text(about.end, self.end))
    }

    /// `de Paqui ni mú`, `shush about the rent`.
    fn quiet(&self) -> Option<&'a str> {
        let found = self.silence.quiet.find(&self.tokens).filter(|found| found.end <= self.end)?;
        let (from, to) = if found.end == self.end { (0, found.start) } else { (found.end, self.end) };
        let about = self.silence.about.at(&self.tokens, from).map_or(from, |about| about.end);
        Some(self.text(about, to))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lexicon;

    #[test]
    fn what_is_to_be_kept_quiet_is_named() {
        for (tag, order, thing) in [
            ("fr", "dis rien sur les pertes de cet hiver stp", "les pertes de cet hiver"),
            ("fr", "parle pas du vol de l'été dernier", "vol de l'été dernier"),
            ("fr", "on parle pas non plus du feu chez les Le Goff", "feu chez les Le Goff"),
            (
                "de",
                "die Sache mit dem Pudel lassen wir unter den Tisch fallen",
                "die Sache mit dem Pudel lassen wir",
            ),
            ("de", "Die Geschichte mit dem Keller lassen wir mal weg", "Die Geschichte mit dem Keller"),
            ("de", "Über den Streit reden wir lieber nicht", "Über den Streit"),
            ("sv", "Grejen med taket pratar vi helst inte om", "Grejen med taket"),
            ("nl", "Het gedoe met de buren noemen we maar niet", "Het gedoe met de buren"),
            ("es", "ni se te ocurra poner lo de la demanda", "la demanda"),
            ("fr", "mets pas le numéro de Karim", "le numéro de Karim"),
            ("fr", "Faut pas dire que le four est vieux", "que le four est vieux"),
            ("fr", "Évoque surtout pas le contrôle", "le contrôle"),
            ("de", "sag nix vom Streit mit der Gemeinde", "Streit mit der Gemeinde"),
            ("de", "bloß nicht erwähnen dass Sepp aufhört", "dass Sepp aufhört"),
            ("de", "erwähn den Streit bitte nicht", "den Streit bitte"),
            ("de", "lass den Sepp raus", "den Sepp"),
            ("es", "no digas na de la mudanza", "la mudanza"),
            ("es", "de Paqui ni mú", "Paqui"),
            ("it", "dell'incidente di Luca zitti", "dell'incidente di Luca"),
            ("it", "mica scrivere che Gino va in pensione", "che Gino va in pensione"),
            ("nl", "zeg niks over de brand", "de brand"),
            ("nl", "hou Kees z'n rug erbuiten", "Kees z'n rug"),
            ("pt", "fala nada do processo", "processo"),
            ("pt", "num bota o nome do Zé", "o nome do Zé"),
            ("pl", "nic nie pisz o procesie", "procesie"),
            ("sv", "nämn inget om flytten", "flytten"),
            ("en", "say nothing abt the otter thing", "the otter thing"),
            ("en", "keep my cousin out of it", "my cousin"),
            ("en", "nothing on the hail lawsuit pls", "the hail lawsuit"),
            ("en", "shush about the rent", "the rent"),
        ] {
            assert_eq!(unwanted(order, lexicon::of(tag).unwrap()), Some(thing), "{order}");
        }
    }

    proptest! {
        /// Words of the lists in any order: what is named is in the clause.
        #[test]
        fn whatever_the_words_are_a_part_of_the_clause_is_named(
            tag in prop::sample::select(vec!["en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv"]),
            words in prop::collection::vec(
                prop::sample::select(vec![
                    "say", "nothing", "pls", "thanks", "about", "keep", "out of it", "sag", "nix", "vom", "bitte", "lass", "raus", "dis",
                    "rien", "stp", "merci", "sur", "digas", "no", "de", "zitti", "dire", "niente", "ok", "Zug", "zeg", "niks", "psst", "over",
                ]),
                0..9,
            ),
        ) {
            let clause = words.join(" ");
            let named = unwanted(&clause, lexicon::of(tag).unwrap()).unwrap_or_default();
            prop_assert!(clause.contains(named));
        }
    }

    #[test]
    fn facts_and_slogans_are_no_requests() {
        for (tag, fact) in [
            ("en", "Nothing on the shelf is older than a day"),
            ("en", "We say nothing to your insurer"),
            ("en", "Say no to mould"),
            ("en", "Say nothing to your bank"),
            ("en", "Keep the dust out"),
            ("en", "Nothing about your data leaves the house"),
            ("en", "Not just talk"),
            ("de", "Nicht nur reden"),
            ("de", "Alte Möbel nehmen wir auf Wunsch mit und lassen wir nicht stehen"),
            ("de", "Beim Preis reden wir nicht um den Brei"),
            ("sv", "Taket pratar vi gärna om"),
            ("de", "Wir sagen nichts weiter"),
            ("de", "Keine Rechnung ohne Termin"),
            ("de", "Nichts von der Stange"),
            ("de", "Halt auf Wunsch draußen und drinnen"),
            ("fr", "Rien de tel que le pain chaud"),
            ("fr", "Pas de frais de dossier"),
            ("fr", "Dites adieu aux pannes"),
            ("es", "Nada de sorpresas en la factura"),
            ("es", "No ponemos gluten"),
            ("it", "Niente di meglio del pane caldo"),
            ("pt", "Nada de taxas escondidas"),
            ("nl", "Niets van plastic"),
            ("nl", "Zet de fiets binnen"),
            ("pl", "Nic nie kosztuje"),
        ] {
            assert_eq!(unwanted(fact, lexicon::of(tag).unwrap()), None, "{fact}");
        }
    }
}
