//! Weighs what speaks for telling a sentence to visitors against what speaks against it, behind the stage that classifies them.
//!
//! Where a brief mixes facts, notes and wishes, it is not enough that nobody has recognized a sentence as a note: it needs a sign that
//! it is for visitors. What this is not: understanding. In doubt a sentence stays out, and the brief's owner is told which.
//!
//! Only sentences of running text and items of lists are weighed. Questions with answers, quotations, steps, figures and tables have a
//! form that nobody uses in passing.

use std::collections::HashSet;

use pagesmith_model::brief::Brief;

use crate::classify::Reading;
use crate::language::Language;
use crate::material::{Chapter, Fact, Piece};
use crate::rich::Rich;
use crate::tidy;
use crate::words::{Tokens, hash};

mod scale;

use scale::{Scale, Text};

/// What it counts for a sentence that nothing in its paragraph is for the writer.
const AMONG_FACTS: i32 = 2;
/// What it counts that a sentence follows one that is told, or stands in a list or under a heading.
const IN_PLACE: i32 = 1;
/// What it counts that the sentence before is not told.
const ASIDE: i32 = -1;
/// How much speaks for a sentence that is surely told.
const SURE: i32 = 2;
/// How much more speaks against a sentence than for it after which its paragraph is not trusted.
const SUSPICIOUS: i32 = 2;
/// So many such sentences make a brief in which nothing is told because it only follows something that is.
const GOSSIP: usize = 2;
/// How many sentences may present the brief to a colleague.
const OPENING: usize = 2;
/// The most words with which a colleague is called.
const LONGEST_CALL: usize = 3;
/// The fewest words of a part of a sentence that is weighed by itself.
const LEAST_PART: usize = 3;

/// The stage.
struct Weigher<'a> {
    scale: Scale,
    /// The paragraphs in which something is for the writer.
    talk: HashSet<usize>,
    /// The sentences beside one that is for the writer, by their hashes.
    beside_talk: &'a HashSet<u64>,
    is_chat: bool,
    /// How many sentences are suspicious.
    suspicions: usize,
    /// The first sentences, by their hashes.
    opening: Vec<u64>,
}

/// Takes out of what a brief tells the sentences that nothing shows to be for visitors.
pub fn weigh(reading: &mut Reading, brief: &Brief, language: Language) {
    let Some(mut scale) = Scale::of(language) else { return };
    let Reading { material, instructions, notes, talk, beside_talk, is_chat, .. } = reading;
    let actions = brief.actions.iter().flat_map(|action| [action.button_title(), action.purpose()]);
    let named = [Some(brief.page_name.as_str()), material.company.as_deref(), material.headline.as_deref()];
    actions.chain(named).flatten().for_each(|text| scale.learn(text));
    let mut weigher = Weigher {
        scale,
        talk: std::mem::take(talk),
        beside_talk,
        is_chat: *is_chat,
        suspicions: 0,
        opening: Vec::with_capacity(OPENING),
    };
    material.chapters.iter().for_each(|chapter| weigher.learn(chapter));
    let mut withheld = Vec::new();
    material.chapters.iter_mut().for_each(|chapter| weigher.chapter(chapter, &mut withheld));
    material.chapters.retain(|chapter| !chapter.is_empty() || chapter.title.is_some());
    for sentence in withheld {
        instructions.keep(&sentence);
        notes.push(sentence);
    }
}

impl Weigher<'_> {
    /// Learns from a chapter what is surely told, and where somebody gossips.
    fn learn(&mut self, chapter: &Chapter) {
        for piece in &chapter.pieces {
            let Piece::Facts(facts) = piece else {
                self.scale.learn(&piece.words());
                continue;
            };
            for fact in facts {
                let text = text(fact);
                if self.opening.len() < OPENING {
                    self.opening.push(hash(text.plain));
                }
                let against = self.scale.against(&text);
                if against == 0 {
                    self.scale.learn_name(&text);
                }
                let evidence = self.scale.evidence(&text);
                if against >= evidence + SUSPICIOUS {
                    self.talk.insert(fact.paragraph);
                    self.suspicions += 1;
                }
                if against == 0 && evidence >= SURE {
                    self.scale.learn(text.plain);
                }
            }
        }
    }

    fn chapter(&self, chapter: &mut Chapter, withheld: &mut Vec<String>) {
        for piece in &mut chapter.pieces {
            let (facts, is_list) = match piece {
                Piece::Facts(facts) => (facts, false),
                Piece::List(facts) => (facts, true),
                _ => continue,
            };
            let is_placed = is_list || chapter.title.is_some();
            let mut before = None;
            for mut fact in std::mem::take(facts) {
                let is_told = self.is_told(&fact, before, is_placed);
                before = Some(is_told).filter(|_| !is_list);
                // Among what is for the writer each part of a sentence is weighed.
                let has_parts = !is_told || self.is_among_talk(&fact) && !is_exempt(&fact);
                let part = if has_parts { self.told_part(fact.text.plain()) } else { None };
                match part {
                    Some((told, rest)) => {
                        withheld.push(rest);
                        fact.text = Rich::of(&told);
                        facts.push(fact);
                    }
                    None if is_told => facts.push(fact),
                    None => withheld.push(fact.text.plain().to_owned()),
                }
            }
        }
        chapter.pieces.retain(|piece| !piece.is_empty());
    }

    /// Whether a sentence is told to visitors. `before` says whether the one before is; `is_placed` that it stands where facts do.
    fn is_told(&self, fact: &Fact, before: Option<bool>, is_placed: bool) -> bool {
        if is_exempt(fact) {
            return true;
        }
        let text = text(fact);
        let follows = before == Some(true) && !self.beside_talk.contains(&hash(text.plain));
        let place = if before == Some(false) {
            ASIDE
        } else if !self.is_among_talk(fact) {
            AMONG_FACTS
        } else if is_placed || follows && self.suspicions < GOSSIP {
            IN_PLACE
        } else {
            0
        };
        // `They` are those that the sentence before told of: what a pronoun counts against a sentence does not hold.
        let is_known = follows && self.scale.leans(&text) && self.scale.begins_with_others(&text);
        let evidence = self.scale.evidence(&text) + place + if is_known { 2 } else { 0 };
        evidence > self.scale.against(&text) && !self.is_to_colleague(fact, &text) && !self.has_talk(&text)
    }

    /// Whether a sentence presents the brief: in `Here's the text, chop it about as you see fit.` that `you` is a colleague, and so is whom
    /// `So Karin, here's the stuff.` calls.
    fn is_to_colleague(&self, fact: &Fact, text: &Text<'_>) -> bool {
        self.is_among_talk(fact)
            && self.opening.contains(&hash(text.plain))
            && (self.scale.only_addresses(text) || presents(text.plain))
    }

    /// Whether a sentence's paragraph has something for the writer.
    fn is_among_talk(&self, fact: &Fact) -> bool {
        self.is_chat || self.talk.contains(&fact.paragraph)
    }

    /// Whether a clause of a sentence is one that nobody says to visitors.
    fn has_talk(&self, sentence: &Text<'_>) -> bool {
        // Most sentences have no word of talk, and need not be divided.
        self.scale.may_talk(sentence)
            && sentence.plain.split([',', ';', '(']).flat_map(at_but).any(|clause| {
                let text = Text::of(clause);
                let talk = self.scale.talk(&text);
                self.scale.begins_with_edit(&text)
                    || text.tokens.len() >= LEAST_PART
                        && talk >= SUSPICIOUS
                        && talk >= self.scale.sure(&text) + SUSPICIOUS
            })
    }

    /// The part of a sentence that is told, and the rest, against which something speaks.
    fn told_part(&self, plain: &str) -> Option<(String, String)> {
        if let Some((told, bracket)) = without_bracket(plain)
            && !self.scale.has_edit(&Text::of(bracket))
            && self.is_for_writer(bracket)
            && self.is_part_told(&told)
        {
            return Some((told, bracket.to_owned()));
        }
        [". ", ": ", " – ", " - ", "; "].iter().find_map(|mark| {
            let (one, other) = plain.split_once(mark)?;
            let (told, rest) = if self.is_part_told(other) { (other, one) } else { (one, other) };
            (self.is_for_writer(rest) && self.is_part_told(told))
                .then(|| (tidy::capital(told), rest.to_owned()))
        })
    }

    fn is_part_told(&self, part: &str) -> bool {
        let text = Text::of(part);
        text.tokens.len() >= LEAST_PART
            && self.scale.evidence(&text) + IN_PLACE > self.scale.against(&text)
            && !self.has_talk(&text)
    }

    fn is_for_writer(&self, part: &str) -> bool {
        let text = Text::of(part);
        let against = self.scale.against(&text);
        against > 0 && against > self.scale.sure(&text) || self.has_talk(&text)
    }
}

/// A sentence with its words and its kind.
fn text(fact: &Fact) -> Text<'_> {
    let plain = fact.text.plain();
    Text { plain, tokens: Tokens::of(plain), kind: Some(fact.kind) }
}

/// Whether a sentence is told whatever it says: somebody asked for it, or it leads somewhere.
fn is_exempt(fact: &Fact) -> bool {
    fact.is_stressed || fact.text.markdown().contains("](")
}

/// Whether a sentence calls somebody in a few words, and then shows something.
fn presents(plain: &str) -> bool {
    const SHOWS: [&str; 10] =
        ["here", "here's", "hier", "voici", "voilà", "voila", "ecco", "aquí", "aqui", "här"];
    let Some((call, rest)) = plain.split_once(',') else { return false };
    Tokens::of(call).len() <= LONGEST_CALL && SHOWS.contains(&Tokens::of(rest).word(0))
}

/// A sentence without its bracket, and the bracket.
fn without_bracket(plain: &str) -> Option<(String, &str)> {
    let from = plain.find(" (")?;
    let to = from + plain[from..].find(')')?;
    Some((format!("{}{}", &plain[..from], &plain[to + 1..]), &plain[from + 1..=to]))
}

/// A clause in its parts before and behind `but`.
fn at_but(clause: &str) -> impl Iterator<Item = &str> {
    const BUT: [&str; 7] = [" but ", " aber ", " mais ", " pero ", " mas ", " ma ", " maar "];
    let (before, behind) = BUT.iter().find_map(|but| clause.split_once(but)).unwrap_or((clause, ""));
    [before, behind].into_iter().filter(|part| !part.is_empty())
}
