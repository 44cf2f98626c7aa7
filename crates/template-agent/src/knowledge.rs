//! What the tenant knows beside the page's context, as far as it is about the page: further facts, which come behind the page's own.
//!
//! A sentence of it is read like one of the context, and has to pass more: it is about what the page is about, can be read by itself, and neither
//! repeats nor contradicts the page's own sentences. In doubt it is left out. What it asks of a writer is not done, and nothing of it is a
//! link, for only the page's own texts say where a page leads.
//! Invariant: what leaves here is plain text that visitors may read, each fact once, and never more of it than the page says by itself.

use std::collections::HashSet;

use pagesmith_model::brief::{Brief, ChunkBrief};
use pagesmith_model::content::part::FrameItem;

use crate::classify::Classifier;
use crate::clause;
use crate::concern::{Concerns, Stem};
use crate::count;
use crate::kind::{self, Kind};
use crate::language::{self, Language};
use crate::material::{ChapterPiece, Fact, Material};
use crate::reader::Reader;
use crate::rich::Rich;
use crate::stance;
use crate::subject::Subject;
use crate::tidy;
use crate::words::Tokens;

/// The fewest and the most words of a sentence.
const WORDS: std::ops::RangeInclusive<usize> = 4..=40;
/// The most facts that are taken.
const MOST_FACTS: usize = 16;
/// A page that says little may have so many words of knowledge all the same.
const LEAST_WORDS: usize = 60;
/// The most words that are taken.
const MOST_WORDS: usize = 300;

/// The facts that are taken, in the order of their chunks.
#[derive(Debug, Default)]
pub(crate) struct Knowledge {
    /// Sentences.
    pub facts: Vec<FromChunk<Fact>>,
    /// Questions with their answers.
    pub questions: Vec<FromChunk<FrameItem>>,
}

/// Something that is known, and the number of the chunk that says so.
#[derive(Debug)]
pub(crate) struct FromChunk<T> {
    /// What is known.
    pub what: T,
    /// The number of the chunk in the brief.
    pub chunk: usize,
}

impl Knowledge {
    /// All that it says, each text with the number of its chunk.
    pub(crate) fn texts(&self) -> Vec<(usize, String)> {
        let facts = self.facts.iter().map(|known| (known.chunk, known.what.text.plain().to_owned()));
        let asked = self.questions.iter().map(|known| {
            let FrameItem { title, markdown } = &known.what;
            (known.chunk, format!("{title} {}", Rich::of_markdown(markdown).plain()))
        });
        facts.chain(asked).collect()
    }

    /// Reads the knowledge of a brief whose own context says `own`.
    pub(crate) fn of(
        brief: &Brief,
        own: &Material,
        subject: &Subject,
        concerns: &Concerns,
        reader: &Reader,
        language: Language,
    ) -> Knowledge {
        if brief.knowledge.is_empty() {
            return Knowledge::default();
        }
        let mut reading = Reading {
            said: own.sentences().iter().map(|text| ComparedSentence::of(text, subject, concerns)).collect(),
            has_prices: own.facts().any(|fact| fact.kind == Kind::Price),
            subject,
            concerns,
            language,
        };
        let mut found = Vec::new();
        for (at, chunk) in brief.knowledge.iter().enumerate() {
            reading.chunk(at, chunk, reader, &mut found);
        }
        chosen(found, own, concerns)
    }
}

/// Something that a page may say.
enum Candidate {
    Fact(Fact),
    Question(FrameItem),
}

impl Candidate {
    fn text(&self) -> String {
        match self {
            Candidate::Fact(fact) => fact.text.plain().to_owned(),
            Candidate::Question(item) => {
                format!("{} {}", item.title, Rich::of_markdown(&item.markdown).plain())
            }
        }
    }
}

/// As much as the page may have: what answers a concern first, in the order in which it was found.
fn chosen(found: Vec<FromChunk<Candidate>>, own: &Material, concerns: &Concerns) -> Knowledge {
    let mut left = count::words(&own.words()).clamp(LEAST_WORDS, MOST_WORDS);
    let mut ranked: Vec<(usize, FromChunk<Candidate>)> = found.into_iter().enumerate().collect();
    ranked.sort_by_cached_key(|(_, known)| std::cmp::Reverse(concerns.weight(&known.what.text()).min(12)));
    let fits = |(_, known): &(usize, FromChunk<Candidate>)| {
        let words = count::words(&known.what.text());
        let fits = words <= left;
        left -= if fits { words } else { 0 };
        fits
    };
    let mut taken: Vec<(usize, FromChunk<Candidate>)> =
        ranked.into_iter().filter(fits).take(MOST_FACTS).collect();
    taken.sort_by_key(|(at, _)| *at);
    let mut knowledge = Knowledge::default();
    for (_, FromChunk { what, chunk }) in taken {
        match what {
            Candidate::Fact(what) => knowledge.facts.push(FromChunk { what, chunk }),
            Candidate::Question(what) => knowledge.questions.push(FromChunk { what, chunk }),
        }
    }
    knowledge
}

struct Reading<'a> {
    /// The sentences of the page and those that were taken.
    said: Vec<ComparedSentence>,
    /// Whether the page tells prices.
    has_prices: bool,
    subject: &'a Subject,
    concerns: &'a Concerns,
    language: Language,
}

impl Reading<'_> {
    fn chunk(
        &mut self,
        at: usize,
        chunk: &ChunkBrief,
        reader: &Reader,
        found: &mut Vec<FromChunk<Candidate>>,
    ) {
        let heading = chunk.heading.as_deref().unwrap_or_default();
        let is_hostile = [&chunk.title, heading, &chunk.text].into_iter().any(stance::is_injection);
        if is_hostile || !self.is_of_language(&chunk.text) {
            return;
        }
        if !self.subject.has_chunk(self.concerns, &format!("{heading}\n{}", chunk.text)) {
            return;
        }
        // What it asks is not done and what it notes is no concern: only its material is looked at.
        let is_headed = self.subject.is_named_in(self.concerns, heading);
        let mut material = Classifier::read(&chunk.text, reader, self.language).material;
        for item in std::mem::take(&mut material.questions) {
            let answer = tidy::one_line(Rich::of_markdown(&item.markdown).plain());
            let both = format!("{} {answer}", item.title);
            if self.is_sentence(&answer) && self.takes(&both, false, is_headed) {
                let item = FrameItem { markdown: Rich::of(&answer).markdown().to_owned(), ..item };
                found.push(FromChunk { what: Candidate::Question(item), chunk: at });
            }
        }
        for fact in material.into_facts(self.language) {
            let plain = tidy::one_line(fact.text.plain());
            if self.is_sentence(&plain) && self.takes(&plain, fact.kind == Kind::Price, is_headed) {
                let what = Candidate::Fact(Fact { text: Rich::of(&plain), ..fact });
                found.push(FromChunk { what, chunk: at });
            }
        }
    }

    fn is_of_language(&self, text: &str) -> bool {
        Language::of_texts(&[text]).tag == self.language.tag
            && language::foreign(text, &Tokens::of(text), self.language).is_none()
    }

    /// Whether a text is a sentence that can be read without what is around it.
    fn is_sentence(&self, text: &str) -> bool {
        const ADDRESSES: [&str; 4] = ["://", "www.", "@", "mailto:"];
        let ends = text.ends_with(['.', '!', '。', '！', '।', '؟'])
            || !text.ends_with(|char: char| ":?？؟,;…".contains(char));
        let leans = self.language.lexicon.is_some_and(|lexicon| clause::leans(text, lexicon));
        WORDS.contains(&count::words(text))
            && ends
            && !leans
            && !ADDRESSES.iter().any(|sign| text.contains(sign))
            && stance::is_copy(text)
            && !stance::Seen::of(text).is_placeholder()
    }

    /// Whether the page may say it; then it counts as said.
    fn takes(&mut self, text: &str, is_price: bool, is_headed: bool) -> bool {
        let answers = self.concerns.weight(text) > 0;
        if !self.subject.has_sentence(self.concerns, text, is_headed || answers)
            || self.concerns.refuses(text)
            || is_price && self.has_prices
        {
            return false;
        }
        let new = ComparedSentence::of(text, self.subject, self.concerns);
        if self.said.iter().any(|said| said.is_about_the_same(&new)) {
            return false;
        }
        self.said.push(new);
        true
    }
}

/// A sentence as it is compared with another one.
struct ComparedSentence {
    stems: HashSet<Stem>,
    /// Its numbers, each with what it counts.
    measures: Vec<(String, String)>,
}

impl ComparedSentence {
    fn of(text: &str, subject: &Subject, concerns: &Concerns) -> ComparedSentence {
        ComparedSentence { stems: subject.apart(concerns, text), measures: measures(text) }
    }

    /// Whether both say the same, or something about the same thing that cannot be true as well.
    fn is_about_the_same(&self, other: &ComparedSentence) -> bool {
        let shared = self.stems.intersection(&other.stems).count();
        let least = self.stems.len().min(other.stems.len());
        let is_alike = shared * 10 >= least * 6 && least > 0;
        let of_unit = |(value, unit): &(String, String)| {
            let mut others = other.measures.iter().filter(|(_, other)| other == unit).peekable();
            others.peek().is_some() && others.all(|(other, _)| other != value)
        };
        is_alike || shared >= 1 && self.measures.iter().any(of_unit)
    }
}

/// The numbers of a text, each with its unit: the sign or the word beside it.
fn measures(text: &str) -> Vec<(String, String)> {
    const MONEY: [&str; 4] = ["€", "$", "£", "¥"];
    let tokens = Tokens::of(text);
    let is_number = |word: &str| word.starts_with(|char: char| char.is_ascii_digit());
    let unit = |at: usize| {
        let (before, behind) = (at.checked_sub(1).map_or("", |at| tokens.word(at)), tokens.word(at + 1));
        if MONEY.contains(&before) || MONEY.contains(&behind) { "€" } else { behind }
    };
    let numbers = (0..tokens.len()).filter(|at| is_number(tokens.word(*at)));
    numbers.map(|at| (tokens.word(at).to_owned(), stem_of_unit(unit(at)))).collect()
}

/// A unit in one form: `minute` and `minutes`.
fn stem_of_unit(unit: &str) -> String {
    unit.trim_end_matches(['s', 'n', 'e']).to_owned()
}

impl Material {
    /// All its sentences, figures and points, as they are compared with others.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let mut all: Vec<String> = [&self.headline, &self.tagline].into_iter().flatten().cloned().collect();
        for piece in self.chapters.iter().flat_map(|chapter| &chapter.pieces) {
            match piece {
                ChapterPiece::Facts(facts) | ChapterPiece::List(facts) => {
                    all.extend(facts.iter().map(|fact| fact.text.plain().to_owned()));
                }
                ChapterPiece::Cards(cards) | ChapterPiece::Steps(cards) => {
                    all.extend(cards.iter().map(|(title, text)| format!("{title} {}", text.plain())));
                }
                ChapterPiece::Stats(stats) => {
                    all.extend(stats.iter().map(|stat| format!("{} {}", stat.value, stat.label)));
                }
                ChapterPiece::Grid(grid) => all.extend(grid.rows.iter().map(|row| row.join(" "))),
                other => all.push(other.words()),
            }
        }
        all.extend(self.quotations.iter().map(|said| said.quote.clone()));
        all.extend(self.questions.iter().map(|item| format!("{} {}", item.title, item.markdown)));
        all
    }

    fn facts(&self) -> impl Iterator<Item = &Fact> {
        let pieces = self.chapters.iter().flat_map(|chapter| &chapter.pieces);
        pieces.flat_map(|piece| match piece {
            ChapterPiece::Facts(facts) | ChapterPiece::List(facts) => facts.as_slice(),
            _ => &[],
        })
    }

    /// Its sentences and points as facts that stand by themselves.
    fn into_facts(self, language: Language) -> Vec<Fact> {
        let mut all = Vec::new();
        for piece in self.chapters.into_iter().flat_map(|chapter| chapter.pieces) {
            match piece {
                ChapterPiece::Facts(facts) | ChapterPiece::List(facts) => all.extend(facts),
                ChapterPiece::Cards(cards) => all.extend(cards.iter().map(|(title, text)| {
                    let text = Rich::of(&format!("{title}: {}", text.plain()));
                    Fact {
                        kind: kind::kind(text.plain(), language.lexicon),
                        text,
                        is_stressed: false,
                        paragraph: 0,
                    }
                })),
                _ => {}
            }
        }
        all
    }
}
