//! Weighs what the sentences of a brief show, behind the stage that classifies them, and keeps back those that look like remarks.
//!
//! What a sentence and each of its clauses shows is [`sentence_model`](crate::sentence_model); here counts what is around it, too.
//!
//! Quotations, steps and figures are not weighed: they have a form that nobody uses in passing.

use std::collections::{HashMap, HashSet};

use crate::classify::Reading;
use crate::headline;
use crate::kind;
use crate::language::Language;
use crate::material::{Chapter, ChapterPiece, Fact};
use crate::rich::Rich;
use crate::sentence_model::Model;
use crate::sentence_model::clauses::{
    LEAST_CLAUSE, bare, dangles, divided, is_remnant, means_the_rest, words,
};
use crate::tidy;
use crate::words::hash;

/// How much two sentences for the writer speak against any other of their brief.
const COMPANY: f32 = 0.5;
/// How much speaks for a sentence of a brief that has none: plain copy stays whole.
const ALONE: f32 = 0.4;
/// How much more speaks for a sentence in whose paragraph nothing is for the writer.
const APART: f32 = 0.3;
/// What speaks against a sentence after which its paragraph has something for the writer.
const TALK: f32 = -0.2;
/// How much of what a whole sentence shows speaks for each of its clauses.
const WHOLE: f32 = 0.2;
/// What speaks against something with a form of its own that is a remark all the same.
const FORM: f32 = -0.7;
/// From so many words on, each part of a sentence that is told is a fact of its own.
const LONG: usize = 30;

/// The most words of a sentence of which a clause may mean all the rest.
const MOST_MEANT: usize = 45;

/// Takes out of what a brief tells what looks like remarks.
pub fn weigh(reading: &mut Reading, language: Language) {
    let Some(model) = Model::of(language) else { return };
    let Reading { material, instructions, notes, orders, talk, .. } = reading;
    let company = Company::of(&material.chapters, std::mem::take(talk), notes.len() + orders.len(), model);
    let mut withheld = Vec::new();
    let opening =
        material.chapters.iter().flat_map(|chapter| &chapter.pieces).find_map(|piece| match piece {
            ChapterPiece::Facts(facts) => facts.first().map(|fact| hash(fact.text.plain())),
            _ => None,
        });
    let weigher = Weigher { model, company, opening };
    material.chapters.iter_mut().for_each(|chapter| weigher.chapter(chapter, &mut withheld));
    material.chapters.retain(|chapter| !chapter.is_empty() || chapter.title.is_some());
    let is_remark = |title: &str, text: &str| weigher.is_remark(&format!("{title} {text}"));
    let asked = material.questions.extract_if(.., |item| is_remark(&item.title, &item.markdown));
    withheld.extend(asked.map(|item| item.title));
    for sentence in withheld {
        instructions.keep(&sentence);
        notes.push(sentence);
    }
}

/// How much the facts of a brief look like remarks, and in which paragraphs.
struct Company {
    /// What the two sentences that look most like it are, from -1 to 1.
    brief: f32,
    /// The paragraphs with something for the writer.
    talk: HashSet<usize>,
    /// What speaks for each sentence, by its hash.
    scores: HashMap<u64, f32>,
}

impl Company {
    fn of(chapters: &[Chapter], talk: HashSet<usize>, for_writer: usize, model: Model) -> Company {
        /// How many sentences make a brief one with remarks.
        const FEW: usize = 2;
        let mut company = Company { brief: 0.0, talk, scores: HashMap::new() };
        let mut all = vec![-1.0; for_writer];
        for piece in chapters.iter().flat_map(|chapter| &chapter.pieces) {
            let (ChapterPiece::Facts(facts) | ChapterPiece::List(facts)) = piece else { continue };
            for fact in facts {
                let score = model.score(fact.text.plain(), false);
                if score < TALK {
                    company.talk.insert(fact.paragraph);
                }
                company.scores.insert(hash(fact.text.plain()), score);
                all.push(limited(score));
            }
        }
        all.sort_by(f32::total_cmp);
        company.brief = all.iter().take(FEW).sum::<f32>() / FEW as f32;
        company
    }

    /// What speaks for telling any sentence of a paragraph.
    fn prior(&self, paragraph: Option<usize>) -> f32 {
        let is_apart = paragraph.is_some_and(|paragraph| !self.talk.contains(&paragraph));
        ALONE + COMPANY * self.brief + if is_apart { APART } else { 0.0 }
    }
}

/// A score within -1 and 1: on which side it is counts more than how far.
fn limited(score: f32) -> f32 {
    const STEEP: f32 = 4.0;
    STEEP * score / (1.0 + (STEEP * score).abs())
}

/// The stage.
struct Weigher {
    model: Model,
    company: Company,
    /// The first sentence, by its hash.
    opening: Option<u64>,
}

impl Weigher {
    /// Whether what has a form of its own is a remark all the same.
    fn is_remark(&self, plain: &str) -> bool {
        self.model.score(plain, false) + self.company.prior(None) < FORM
    }

    /// Keeps back what of a chapter looks like a remark.
    fn chapter(&self, chapter: &mut Chapter, withheld: &mut Vec<String>) {
        let Chapter { title, pieces, .. } = chapter;
        // A few words show too little.
        let is_remark = |title: &mut String| words(title) > LEAST_CLAUSE && self.is_remark(title);
        withheld.extend(title.take_if(is_remark));
        for piece in &mut *pieces {
            match piece {
                ChapterPiece::Facts(facts) | ChapterPiece::List(facts) => self.facts(facts, withheld),
                ChapterPiece::Cards(cards) => {
                    cards
                        .retain(|(title, text)| self.is_kept(format!("{title}: {}", text.plain()), withheld));
                }
                ChapterPiece::Grid(grid) => grid.rows.retain(|row| self.is_kept(row.join(" | "), withheld)),
                _ => {}
            }
        }
        pieces.retain(|piece| !piece.is_empty());
    }

    /// Whether what has a form of its own is told; else it is withheld.
    fn is_kept(&self, plain: String, withheld: &mut Vec<String>) -> bool {
        let is_remark = self.is_remark(&plain);
        withheld.extend(is_remark.then_some(plain));
        !is_remark
    }

    /// Keeps back sentences that look like remarks, and clauses that do in others.
    fn facts(&self, facts: &mut Vec<Fact>, withheld: &mut Vec<String>) {
        for fact in std::mem::take(facts) {
            let plain = fact.text.plain();
            if is_exempt(&fact) || self.names_company(plain) {
                facts.push(fact);
                continue;
            }
            let prior = self.company.prior(Some(fact.paragraph));
            let known = self.company.scores.get(&hash(plain)).copied();
            let whole = known.unwrap_or_else(|| self.model.score(plain, false)) + prior;
            match self.told_parts(plain, prior + WHOLE * whole) {
                Some((told, rest)) => {
                    withheld.push(rest);
                    let of = |told: &String| (Rich::of(told), kind::kind(told, self.model.lexicon));
                    let told = told.iter().map(of).map(|(text, kind)| Fact { text, kind, ..fact.clone() });
                    facts.extend(told);
                }
                None if whole > 0.0 => facts.push(fact),
                None => withheld.push(plain.to_owned()),
            }
        }
    }

    /// Whether a sentence is the first and names who speaks, which is for visitors whatever their trade is called.
    fn names_company(&self, plain: &str) -> bool {
        self.opening == Some(hash(plain))
            && self.model.lexicon.is_some_and(|lexicon| headline::names_company(plain, lexicon))
    }

    /// The parts of a sentence that are told, and the rest, if it has both; `prior` is what speaks for any of them.
    fn told_parts(&self, plain: &str, prior: f32) -> Option<(Vec<String>, String)> {
        let speaks = |clause: &str, goes_on: bool| self.model.score(clause, goes_on) + prior;
        let (told, rest): (Vec<_>, Vec<_>) =
            divided(plain, self.model.lexicon, speaks).into_iter().partition(|(is_told, _)| *is_told);
        let texts = |runs: Vec<(bool, &'_ str)>, joint: &str| {
            runs.into_iter().map(|(_, run)| run).collect::<Vec<_>>().join(joint)
        };
        let told: Vec<String> = if words(plain) > LONG {
            told.into_iter().map(|(_, run)| tidy::capital(bare(run))).collect()
        } else {
            vec![tidy::capital(bare(&texts(told, "")))]
        };
        let told: Vec<String> = told.into_iter().filter(|part| words(part) >= LEAST_CLAUSE).collect();
        // A part that is not understood without the others is not told for them.
        let begins = |part: &String| plain.starts_with(part.as_str());
        let dangles = told.iter().any(|part| !begins(part) && dangles(part, plain, self.model.lexicon));
        // What was dictated without marks says too much to be meant as a whole.
        let means_all = words(plain) <= MOST_MEANT && rest.iter().any(|(_, run)| means_the_rest(run));
        let rest = texts(rest, " ");
        if rest.is_empty() || told.is_empty() || dangles {
            return None;
        }
        if means_all || told.iter().all(|part| is_remnant(part)) {
            return Some((Vec::new(), plain.to_owned()));
        }
        Some((told, rest))
    }
}

/// Whether a sentence is told whatever it says: somebody asked for it, or it leads somewhere.
fn is_exempt(fact: &Fact) -> bool {
    fact.is_stressed || fact.text.markdown().contains("](")
}
