//! What speaks for telling a text to visitors, and what against it, by small classes of words.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::classify::kind::{self, Kind};
use crate::classify::points;
use crate::language::Language;
use crate::lexicon::Lexicon;
use crate::stance::greeting;
use crate::tidy;
use crate::words::{Matcher, Tokens, Words};

/// How near its beginning a sentence names its subject.
const SUBJECT: usize = 4;
/// How near its beginning it says of how many it speaks.
const NEAR: usize = 6;
/// The fewest letters of a word that says what is offered.
const LEAST_CONTENT: usize = 4;
/// By so many letters at their beginning forms of a word are recognized.
const STEM: usize = 5;
/// The fewest letters of a verb by whose end `we` speak.
const LEAST_VERB: usize = 6;

/// The classes of words of a language; `words.toml` says what each is.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Classes {
    offers: Matcher,
    each: Words,
    passive: Words,
    shares: Matcher,
    particles: Matcher,
    could: Matcher,
    others: Matcher,
    folk: Words,
    kin: Matcher,
    says: Matcher,
    ago: Matcher,
    page: Words,
    us: Words,
    who: Words,
    edits: Matcher,
    #[serde(default)]
    we_ends: Vec<String>,
}

static CLASSES: LazyLock<BTreeMap<String, Classes>> =
    LazyLock::new(|| toml::from_str(include_str!("words.toml")).unwrap_or_default());

/// A text that is weighed.
pub struct Text<'a> {
    /// As it was written.
    pub plain: &'a str,
    /// Its words.
    pub tokens: Tokens,
    /// What kind of fact it is, if that is known.
    pub kind: Option<Kind>,
}

impl<'a> Text<'a> {
    /// A part of a sentence.
    pub fn of(plain: &'a str) -> Text<'a> {
        Text { plain, tokens: Tokens::of(plain), kind: None }
    }

    fn has(&self, matcher: &Matcher) -> i32 {
        i32::from(matcher.is_in(&self.tokens))
    }

    fn has_near(&self, matcher: &Matcher) -> i32 {
        i32::from((0..NEAR).any(|at| matcher.at(&self.tokens, at).is_some()))
    }

    fn before(&self, at: usize) -> &str {
        self.plain[..self.tokens.start(at)].trim_end()
    }
}

/// What is known of a brief when its sentences are weighed.
pub struct Scale {
    lexicon: &'static Lexicon,
    classes: &'static Classes,
    /// The beginnings of words of what is offered.
    offered: HashSet<String>,
    /// The first word of the name of whom the page speaks for.
    name: Option<String>,
}

impl Scale {
    /// Nothing for a language whose classes are not known.
    pub fn of(language: Language) -> Option<Scale> {
        let classes = CLASSES.get(language.tag)?;
        Some(Scale { lexicon: language.lexicon?, classes, offered: HashSet::new(), name: None })
    }

    /// Learns the words of something that is offered.
    pub fn learn(&mut self, text: &str) {
        let tokens = Tokens::of(text);
        let words: Vec<String> = tokens.iter().filter(|word| self.is_content(word)).map(stem).collect();
        self.offered.extend(words);
    }

    /// Learns the name with which a sentence begins, perhaps behind an article, if it is the first.
    pub fn learn_name(&mut self, text: &Text<'_>) {
        let (grammar, tokens) = (&self.lexicon.grammar, &text.tokens);
        let is_capital = |at: usize| text.plain[tokens.start(at)..].starts_with(char::is_uppercase);
        let first = usize::from(grammar.articles.has(tokens.word(0)));
        let word = tokens.word(first);
        let is_name = tokens.len() > first + 2
            && is_capital(first)
            && (first == 0 || is_capital(first + 1))
            && !self.lexicon.kinds.empty.has(word)
            && !grammar.we.has(word)
            && !grammar.you.has(word);
        if self.name.is_none() && is_name {
            self.name = Some(word.to_owned());
        }
    }

    fn is_content(&self, word: &str) -> bool {
        word.starts_with(char::is_alphabetic)
            && tidy::length(word) >= LEAST_CONTENT
            && !self.lexicon.kinds.empty.has(word)
            && !self.lexicon.kinds.persons.has(word)
            && !self.classes.folk.has(word)
            && !self.classes.page.has(word)
    }

    fn is_we(&self, word: &str) -> bool {
        let grammar = &self.lexicon.grammar;
        grammar.we.has(word) && !grammar.i.has(word)
            || tidy::length(word) >= LEAST_VERB
                && self.classes.we_ends.iter().any(|end| word.ends_with(end.as_str()))
    }

    /// Where the subject is people: not `our people`.
    fn people(&self, tokens: &Tokens) -> Option<usize> {
        (0..SUBJECT).find(|at| {
            let word = tokens.word(*at);
            (self.classes.folk.has(word) || self.lexicon.kinds.persons.has(word))
                && !(*at > 0 && self.is_we(tokens.word(at - 1)))
        })
    }

    /// Whether a text speaks to its reader, or the company speaks. `They copy us` and `The people we are after` are about others.
    fn speaks(&self, tokens: &Tokens) -> bool {
        let is_subject = |word: &str| self.is_we(word) && !self.classes.us.has(word);
        self.lexicon.grammar.you.in_text(tokens)
            || tokens.iter().any(is_subject) && (self.is_we(tokens.word(0)) || self.people(tokens).is_none())
    }

    /// Whether a text begins with a pronoun or something else that leans on the sentence before.
    pub fn leans(&self, text: &Text<'_>) -> bool {
        let grammar = &self.lexicon.grammar;
        grammar.leans.begins(&text.tokens).is_some() || grammar.third.has(text.tokens.word(0))
    }

    /// Whether a text begins with `they`.
    pub fn begins_with_others(&self, text: &Text<'_>) -> bool {
        self.classes.others.at(&text.tokens, 0).is_some()
    }

    /// Whether somebody is called `you`, and neither `we` speak nor anything is counted.
    pub fn only_addresses(&self, text: &Text<'_>) -> bool {
        let grammar = &self.lexicon.grammar;
        grammar.you.in_text(&text.tokens)
            && !grammar.we.in_text(&text.tokens)
            && !text.plain.contains(|char: char| char.is_ascii_digit())
    }

    /// Whether a text begins by asking for a change of the page, in its language or in English.
    pub fn begins_with_edit(&self, text: &Text<'_>) -> bool {
        self.edits().any(|edits| edits.at(&text.tokens, 0).is_some())
    }

    /// Whether it asks for one anywhere.
    pub fn has_edit(&self, text: &Text<'_>) -> bool {
        self.classes.edits.is_in(&text.tokens)
    }

    /// What speaks for a text, but that it is about what is offered.
    pub fn sure(&self, text: &Text<'_>) -> i32 {
        let (lexicon, classes, tokens) = (self.lexicon, self.classes, &text.tokens);
        let is_named = (0..SUBJECT).any(|at| self.name.as_deref() == Some(tokens.word(at)));
        let kind = text.kind.unwrap_or_else(|| kind::kind_of(text.plain, tokens, Some(lexicon)));
        let measured = match kind {
            Kind::Feature => i32::from(text.plain.contains(|char: char| char.is_ascii_digit())),
            Kind::Figure | Kind::Price => 2,
            _ => 1,
        };
        let is_each = |at: usize| {
            let is_time = || lexicon.kinds.times.has(tokens.word(at + 1).trim_end_matches('s'));
            classes.each.has(tokens.word(at)) && (at < SUBJECT || text.before(at).ends_with(',') || is_time())
        };
        2 * i32::from(self.speaks(tokens))
            + 2 * i32::from(is_named)
            + measured
            + text.has(&classes.offers)
            + i32::from((0..tokens.len()).any(is_each))
            + i32::from(classes.passive.in_text(tokens))
    }

    /// What speaks for a text.
    pub fn evidence(&self, text: &Text<'_>) -> i32 {
        let is_offered = |word: &str| self.is_content(word) && self.offered.contains(&stem(word));
        self.sure(text) + i32::from(text.tokens.iter().any(is_offered))
    }

    /// Whether a text has a word by which a clause of it may be talk, or an order to edit.
    pub fn may_talk(&self, text: &Text<'_>) -> bool {
        let classes = self.classes;
        let all = [&classes.particles, &classes.could, &classes.kin, &classes.says];
        all.iter().any(|matcher| matcher.is_in(&text.tokens))
            || self.edits().any(|edits| edits.is_in(&text.tokens))
    }

    /// Verbs of editing in the language of the page and in English.
    fn edits(&self) -> impl Iterator<Item = &'static Matcher> {
        let english = CLASSES.get("en").map(|classes| &classes.edits);
        [Some(&self.classes.edits), english].into_iter().flatten()
    }

    /// What in a text nobody writes to visitors.
    pub fn talk(&self, text: &Text<'_>) -> i32 {
        let (lexicon, classes, tokens) = (self.lexicon, self.classes, &text.tokens);
        let particles = (0..tokens.len()).filter(|at| classes.particles.at(tokens, *at).is_some()).take(2);
        // `Amberley & Daughter` is a name.
        let is_kin = |at: usize| classes.kin.at(tokens, at).is_some() && !text.before(at).ends_with('&');
        // `Dag en nacht` greets nobody.
        let greets = greeting::is_greeting(text.plain[..tokens.end(0)].trim())
            && !lexicon.kinds.empty.has(tokens.word(1))
            && lexicon.grammar.leans.at(tokens, 1).is_none();
        let is_said = classes.says.is_in(tokens) && !self.speaks(tokens);
        2 * particles.map(|_| 1).sum::<i32>()
            + 2 * text.has(&classes.could)
            + 2 * i32::from((0..tokens.len()).any(is_kin))
            + 2 * i32::from(is_said)
            + 2 * i32::from(greets)
    }

    /// What speaks against a text.
    pub fn against(&self, text: &Text<'_>) -> i32 {
        let (lexicon, classes, tokens) = (self.lexicon, self.classes, &text.tokens);
        let people = self.people(tokens);
        let are_described =
            people.is_some_and(|people| (people..people + NEAR).any(|at| classes.who.has(tokens.word(at))));
        let is_loud = ["!!", "??", ":)"].iter().any(|sign| text.plain.contains(sign));
        // Nobody answers it here: questions with answers are no sentences of running text any more.
        let is_asked =
            points::is_question(text.plain) && !self.speaks(tokens) && !lexicon.grammar.i.in_text(tokens);
        self.talk(text)
            + text.has(&classes.others)
            + text.has_near(&classes.others)
            + i32::from(people.is_some())
            + i32::from(are_described)
            + text.has_near(&classes.shares)
            + i32::from(classes.page.in_text(tokens))
            + text.has(&classes.ago)
            + text.has(&lexicon.kinds.private)
            + text.has(&lexicon.kinds.feels)
            + i32::from(lexicon.grammar.openers.begins(tokens).is_some())
            + 2 * i32::from(is_asked)
            + i32::from(is_loud)
    }
}

/// The beginning of a word, by which forms of it are recognized.
fn stem(word: &str) -> String {
    word.chars().take(STEM).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon;

    fn balance(tag: &'static str, plain: &str) -> i32 {
        let scale = Scale::of(Language { tag, lexicon: lexicon::of(tag) }).unwrap();
        let text = Text::of(plain);
        scale.evidence(&text) - scale.against(&text)
    }

    #[test]
    fn every_class_is_read() {
        for tag in ["en", "de", "fr", "es", "pt", "it", "nl", "sv", "pl", "tr"] {
            assert!(Scale::of(Language { tag, lexicon: lexicon::of(tag) }).is_some(), "{tag}");
        }
        assert!(Scale::of(Language { tag: "ja", lexicon: lexicon::of("ja") }).is_none());
    }

    #[test]
    fn offers_speak_for_themselves() {
        for (tag, fact) in [
            ("en", "We trim hedges in Ludlow."),
            ("en", "You get a photo of every tree."),
            ("en", "A cut takes 40 minutes."),
            ("en", "Every hedge is measured."),
            ("de", "Jede Hecke wird vermessen."),
            ("de", "Die Beratung ist kostenlos."),
            ("fr", "Chaque haie est mesurée."),
            ("es", "Cortamos setos en Lugo."),
            ("pt", "Cada sebe se mede antes."),
            ("it", "Tagliamo siepi a Lucca."),
            ("nl", "Elke haag wordt gemeten."),
            ("sv", "Varje häck mäts i förväg."),
        ] {
            assert!(balance(tag, fact) > 0, "{fact}");
        }
    }

    #[test]
    fn gossip_speaks_against_itself() {
        for (tag, gossip) in [
            ("en", "Most of them honestly never look at the hedge."),
            ("en", "Folk who ring us want it done yesterday."),
            ("en", "Dad reckons the old saw would do."),
            ("en", "The chap over the hill tried to copy us."),
            ("de", "Die Leute haben ja meistens keine Ahnung."),
            ("de", "Der Chef meinte, man könnte das anders machen."),
            ("fr", "Les gens qui appellent sont souvent perdus."),
            ("es", "La mayoría de la gente no sabe podar."),
            ("pt", "Eles desconfiam de todo mundo."),
            ("it", "Mio cognato dice che sarebbe meglio."),
            ("nl", "De mensen die bellen snappen er meestal niks van."),
            ("sv", "De flesta vill egentligen slippa."),
        ] {
            assert!(balance(tag, gossip) < 0, "{gossip}");
        }
    }

    #[test]
    fn a_name_is_learned_once() {
        let mut scale = Scale::of(Language { tag: "en", lexicon: lexicon::of("en") }).unwrap();
        let text = Text::of("Hedgeworks trims what grows.");
        assert_eq!(scale.sure(&text), 0);
        scale.learn_name(&text);
        scale.learn_name(&Text::of("Colin moans about everything."));
        assert_eq!(scale.sure(&text), 2);
        assert_eq!(scale.sure(&Text::of("Colin moans about everything.")), 0);
    }
}
