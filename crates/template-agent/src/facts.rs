//! The facts of a page, each in the pool of its kind, those that answer a concern first.
//!
//! Invariant: a fact is in one pool only, and what two sentences both say is there once.

use std::collections::HashSet;

use pagesmith_model::content::part::{FrameItem, Picture, Stat, Testimonial};

use crate::blocks::MOST_PROSE;
use crate::classify::price;
use crate::concern::Concerns;
use crate::count;
use crate::figure;
use crate::kind::Kind;
use crate::knowledge::Knowledge;
use crate::language::Language;
use crate::lexicon::Lexicon;
use crate::material::{Chapter, ChapterPiece, Fact, Material};
use crate::outline::Grid;
use crate::plan::Section;
use crate::rich::Rich;
use crate::tidy;
use crate::words::Tokens;

/// The facts by kind.
#[derive(Default)]
pub struct Facts {
    /// What is offered.
    pub features: Vec<Fact>,
    /// Figures with the sentence that they come from.
    pub figures: Vec<(Fact, Vec<Stat>)>,
    /// Sequences of steps.
    pub steps: Vec<Vec<(String, Rich)>>,
    /// Points with a title.
    pub cards: Vec<(String, Rich)>,
    /// Systems that it works with.
    pub names: Vec<String>,
    /// Prices.
    pub prices: Vec<Fact>,
    /// Guarantees and certificates.
    pub guarantees: Vec<Fact>,
    /// Places and hours.
    pub places: Vec<Fact>,
    /// Customers, years, references.
    pub proof: Vec<Fact>,
    /// What the reader can do next.
    pub next: Vec<Fact>,
    /// Chapters with a heading of their own.
    pub chapters: Vec<Chapter>,
    /// Tables, pictures, videos and code without a heading.
    pub others: Vec<ChapterPiece>,
    /// What was said by whom.
    pub quotations: Vec<Testimonial>,
    /// Questions with their answers.
    pub questions: Vec<FrameItem>,
}

/// Sorts the material into pools, without what is not to be mentioned.
pub fn of(material: Material, concerns: &Concerns, language: Language, opening: &[&str]) -> Facts {
    let mut sorter = Sorter { facts: Facts::default(), concerns, language, seen: HashSet::new() };
    for text in opening {
        sorter.is_new(text);
    }
    for mut testimonial in material.quotations {
        if !concerns.refuses(&testimonial.quote)
            && !concerns.refuses(&testimonial.author)
            && sorter.is_new(&testimonial.quote)
        {
            testimonial.role = testimonial.role.filter(|role| !concerns.refuses(role));
            sorter.facts.quotations.push(testimonial);
        }
    }
    for question in material.questions {
        if !concerns.refuses(&question.title)
            && !concerns.refuses(&question.markdown)
            && sorter.is_new(&question.title)
        {
            sorter.facts.questions.push(question);
        }
    }
    for chapter in material.chapters {
        sorter.chapter(chapter);
    }
    let mut facts = sorter.facts;
    for pool in [
        &mut facts.features,
        &mut facts.prices,
        &mut facts.guarantees,
        &mut facts.places,
        &mut facts.proof,
        &mut facts.next,
    ] {
        pool.sort_by_key(|fact| !fact.is_stressed);
    }
    facts
}

/// Whether a sentence speaks of what the one before said.
fn refers_back(sentence: &str, lexicon: &Lexicon) -> bool {
    // What begins with one of these is understood without it.
    const SUBJECTS: [&str; 12] =
        ["it", "there", "also", "es", "er", "il", "elle", "c'est", "het", "hay", "c'è", "ci"];
    let tokens = Tokens::of(sentence);
    lexicon.grammar.leans.begins(&tokens).is_some()
        && !SUBJECTS.contains(&tokens.word(0))
        && !lexicon.grammar.you.has(tokens.word(0))
}

struct Sorter<'a> {
    facts: Facts,
    concerns: &'a Concerns,
    language: Language,
    /// What was said already, in small letters.
    seen: HashSet<String>,
}

impl Sorter<'_> {
    fn is_new(&mut self, text: &str) -> bool {
        let key: String = tidy::folded(text).chars().filter(|char| char.is_alphanumeric()).collect();
        !key.is_empty() && self.seen.insert(key)
    }

    fn keeps(&mut self, text: &str) -> bool {
        // What only announces is over what it announces.
        !text.trim_end().ends_with([':', '：'])
            && tidy::says_something(text)
            && !self.concerns.refuses(text)
            && self.is_new(text)
    }

    fn chapter(&mut self, chapter: Chapter) {
        match chapter.title {
            Some(title) if self.concerns.refuses(&title) => {}
            Some(title) => {
                let mut pieces = Vec::with_capacity(chapter.pieces.len());
                for piece in chapter.pieces {
                    let piece = self.piece(piece).map(|piece| self.without_figures(piece));
                    pieces.extend(piece.filter(|piece| !piece.is_empty()));
                }
                if !pieces.is_empty() {
                    self.facts.chapters.push(Chapter { title: Some(title), level: chapter.level, pieces });
                }
            }
            None => {
                for piece in chapter.pieces {
                    if let Some(piece) = self.piece(piece) {
                        self.pool(piece);
                    }
                }
            }
        }
    }

    /// The piece without what is said already or not to be mentioned.
    fn piece(&mut self, piece: ChapterPiece) -> Option<ChapterPiece> {
        let kept = match piece {
            ChapterPiece::Facts(mut facts) => {
                facts.retain(|fact| self.keeps(fact.text.plain()));
                ChapterPiece::Facts(self.joined(facts))
            }
            ChapterPiece::List(facts) => {
                ChapterPiece::List(facts.into_iter().filter(|fact| self.keeps(fact.text.plain())).collect())
            }
            ChapterPiece::Cards(cards) => ChapterPiece::Cards(
                cards
                    .into_iter()
                    .filter(|(title, text)| self.keeps(&format!("{title} {}", text.plain())))
                    .collect(),
            ),
            ChapterPiece::Steps(steps) => ChapterPiece::Steps(
                steps
                    .into_iter()
                    .filter(|(title, text)| {
                        !self.concerns.refuses(title) && !self.concerns.refuses(text.plain())
                    })
                    .collect(),
            ),
            ChapterPiece::Stats(stats) => ChapterPiece::Stats(
                stats
                    .into_iter()
                    .filter(|stat| self.keeps(&format!("{} {}", stat.value, stat.label)))
                    .collect(),
            ),
            ChapterPiece::Names(names) => ChapterPiece::Names(
                names.into_iter().filter(|name| !self.concerns.refuses(name) && self.is_new(name)).collect(),
            ),
            ChapterPiece::Grid(grid) => ChapterPiece::Grid(self.grid(grid)),
            other => other,
        };
        (!kept.is_empty()).then_some(kept)
    }

    /// Sentences, those joined with the one before that cannot be read without it: `So was nearly everybody`. One whose sentence is
    /// elsewhere is left out.
    fn joined(&self, facts: Vec<Fact>) -> Vec<Fact> {
        let Some(lexicon) = self.language.lexicon else { return facts };
        let mut kept: Vec<Fact> = Vec::with_capacity(facts.len());
        let mut before = None;
        for fact in facts {
            let leans = fact.kind == Kind::Feature && refers_back(fact.text.plain(), lexicon);
            let is_after = before.replace(fact.kind);
            match kept.last_mut().filter(|_| leans) {
                Some(last) if last.kind == Kind::Feature && is_after == Some(Kind::Feature) => {
                    let both = [last.text.clone(), fact.text.clone()];
                    if both.iter().map(|text| count::words(text.plain())).sum::<usize>() <= MOST_PROSE {
                        last.text = Rich::paragraph(&both);
                    } else {
                        kept.push(fact);
                    }
                }
                Some(_) if !lexicon.grammar.third.has(Tokens::of(fact.text.plain()).word(0)) => {}
                _ => kept.push(fact),
            }
        }
        kept
    }

    /// Sentences and items without the figures and prices among them, which are in blocks of their own.
    fn without_figures(&mut self, piece: ChapterPiece) -> ChapterPiece {
        let (ChapterPiece::Facts(facts) | ChapterPiece::List(facts)) = &piece else { return piece };
        let (figures, rest): (Vec<Fact>, Vec<Fact>) = facts
            .iter()
            .cloned()
            .partition(|fact| fact.kind == Kind::Figure || price::has_plans(fact, self.language.lexicon));
        figures.into_iter().for_each(|fact| self.fact(fact));
        if matches!(piece, ChapterPiece::List(_)) {
            ChapterPiece::List(rest)
        } else {
            ChapterPiece::Facts(rest)
        }
    }

    fn grid(&self, mut grid: Grid) -> Grid {
        grid.rows.retain(|row| !row.iter().any(|cell| self.concerns.refuses(cell)));
        grid
    }

    fn pool(&mut self, piece: ChapterPiece) {
        match piece {
            ChapterPiece::Facts(facts) | ChapterPiece::List(facts) => {
                facts.into_iter().for_each(|fact| self.fact(fact));
            }
            ChapterPiece::Cards(cards) => self.facts.cards.extend(cards),
            ChapterPiece::Steps(steps) if steps.len() >= 2 => self.facts.steps.push(steps),
            ChapterPiece::Steps(steps) => self.facts.cards.extend(steps),
            ChapterPiece::Names(names) => self.facts.names.extend(names),
            ChapterPiece::Stats(stats) => {
                for stat in stats {
                    let text = Rich::of(&format!("{} {}", stat.value, stat.label));
                    self.facts.figures.push((
                        Fact { text, kind: Kind::Figure, is_stressed: false, paragraph: 0 },
                        vec![stat],
                    ));
                }
            }
            other => self.facts.others.push(other),
        }
    }

    fn fact(&mut self, fact: Fact) {
        self.facts.add(fact, self.language);
    }
}

impl Facts {
    /// What is known beside the page's own facts, which is looked through already.
    pub fn known(knowledge: Knowledge, language: Language) -> Facts {
        let mut known = Facts::default();
        knowledge.facts.into_iter().for_each(|fact| known.add(fact.what, language));
        known.questions = knowledge.questions.into_iter().map(|question| question.what).collect();
        known
    }

    /// Adds a fact to the pool of its kind.
    fn add(&mut self, fact: Fact, language: Language) {
        match fact.kind {
            Kind::Figure => {
                let stats = language.lexicon.map(|lexicon| figure::stats(fact.text.plain(), lexicon));
                match stats.filter(|stats| !stats.is_empty()) {
                    Some(stats) => self.figures.push((fact, stats)),
                    None => self.features.push(fact),
                }
            }
            Kind::Price => self.prices.push(fact),
            Kind::Guarantee => self.guarantees.push(fact),
            Kind::Place => self.places.push(fact),
            Kind::Proof => self.proof.push(fact),
            Kind::NextStep => self.next.push(fact),
            Kind::Integration | Kind::Feature => self.features.push(fact),
        }
    }

    /// Makes prices figures that say nothing of what they are the price of, `$11 a shirt`, where they do not stand alone and the page
    /// keeps enough kinds of blocks without a section of prices. Those that answer a concern stay for the top.
    pub fn take_prices_as_figures(&mut self, concerns: &Concerns, language: Language) {
        const KINDS: usize = 5;
        let Some(lexicon) = language.lexicon else { return };
        let lists = [self.steps.len(), self.quotations.len(), self.questions.len(), self.names.len() / 2];
        let prose = [&self.features, &self.guarantees, &self.proof, &self.places];
        let texts = prose.iter().filter(|pool| !pool.is_empty()).count().min(2);
        // The opening, the figures and the closing are there anyway.
        let kinds = 3 + lists.iter().filter(|count| **count > 0).count() + texts;
        if kinds < KINDS {
            return;
        }
        let (mut prices, mut figures) = (Vec::new(), Vec::new());
        for fact in std::mem::take(&mut self.prices) {
            let stats = figure::stats(fact.text.plain(), lexicon);
            let stays = price::has_plans(&fact, Some(lexicon)) || concerns.weight(fact.text.plain()) > 0;
            if stats.is_empty() || stays {
                prices.push(fact);
            } else {
                figures.push((fact, stats));
            }
        }
        if self.figures.len() + figures.len() > 1 {
            self.figures.extend(figures);
        } else {
            prices.extend(figures.into_iter().map(|(fact, _)| fact));
        }
        self.prices = prices;
    }

    /// Puts what another one has of a section's kind behind its own; in the last section all that is left.
    pub fn fill(&mut self, section: Section, known: &mut Facts) {
        match section {
            Section::Features => self.features.append(&mut known.features),
            Section::Guarantees => self.guarantees.append(&mut known.guarantees),
            Section::Proof => self.proof.append(&mut known.proof),
            Section::Prices => self.prices.append(&mut known.prices),
            Section::Questions => self.questions.append(&mut known.questions),
            Section::Places => self.places.append(&mut known.places),
            Section::More => {
                let figures = std::mem::take(&mut known.figures).into_iter().map(|(fact, _)| fact);
                self.features.extend(figures);
                known.pools().into_iter().for_each(|pool| self.features.append(pool));
            }
            _ => {}
        }
    }
    /// Takes the facts that answer a concern, the strongest first.
    pub fn take_answers(&mut self, concerns: &Concerns, most: usize) -> Vec<Fact> {
        if concerns.is_empty() {
            return Vec::new();
        }
        let weight = |fact: &Fact| concerns.weight(fact.text.plain()) + if fact.is_stressed { 10 } else { 0 };
        let mut weights: Vec<usize> = self.sentences().map(weight).filter(|weight| *weight > 0).collect();
        weights.sort_unstable_by(|one, other| other.cmp(one));
        let Some(least) = weights.get(most.saturating_sub(1)).or(weights.last()).copied() else {
            return Vec::new();
        };
        let mut taken: Vec<Fact> = Vec::new();
        for pool in self.pools() {
            let mut at = 0;
            while at < pool.len() {
                if weight(&pool[at]) >= least {
                    taken.push(pool.remove(at));
                } else {
                    at += 1;
                }
            }
        }
        taken.sort_by_key(|fact| std::cmp::Reverse(weight(fact)));
        // Ties beyond what has room stay facts of their kind.
        for fact in taken.split_off(most.min(taken.len())) {
            self.features.push(fact);
        }
        taken
    }

    fn sentences(&self) -> impl Iterator<Item = &Fact> {
        [&self.features, &self.guarantees, &self.proof, &self.places, &self.prices, &self.next]
            .into_iter()
            .flatten()
    }

    fn pools(&mut self) -> [&mut Vec<Fact>; 6] {
        [
            &mut self.features,
            &mut self.guarantees,
            &mut self.proof,
            &mut self.places,
            &mut self.prices,
            &mut self.next,
        ]
    }

    /// The first picture without a heading.
    pub fn take_picture(&mut self) -> Option<Picture> {
        let at = self.others.iter().position(|piece| matches!(piece, ChapterPiece::Picture(_)))?;
        match self.others.remove(at) {
            ChapterPiece::Picture(picture) => Some(picture),
            _ => None,
        }
    }
}
