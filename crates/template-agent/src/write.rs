//! Writes a page: the plan of its type, filled with the facts.
//!
//! Invariant: every fact that has room is written once; a heading of ours stands only over what it is true of.

use pagesmith_model::content::component::Component;
use pagesmith_model::content::part::{PricePlan, Stat};
use pagesmith_model::page::PageType;
use pagesmith_model::page::action::Action;

use crate::audience::Audience;
use crate::blocks;
use crate::classify::price;
use crate::concern::Concerns;
use crate::facts::Facts;
use crate::followup::FollowUp;
use crate::headline::{self, Opening};
use crate::instructions::Instructions;
use crate::language::Language;
use crate::lexicon::{self, Phrases};
use crate::material::{Chapter, ChapterPiece, Fact};
use crate::plan::{self, Section, Slot};
use crate::rich::Rich;
use crate::sentence::is_question;
use crate::tidy;

mod cards;
mod sides;
mod widen;

use cards::{joined, plain_fact, titled};

/// The most blocks of a page.
const MOST_BLOCKS: usize = 38;
/// The most buttons of the opening and of the closing.
const BUTTONS: usize = 2;

/// What a page is written from.
pub struct Writer<'a> {
    pub page_type: PageType,
    pub language: Language,
    pub audience: &'a Audience,
    pub concerns: &'a Concerns,
    pub instructions: &'a Instructions,
    pub company: Option<&'a str>,
    pub actions: &'a [Action],
}

/// An action that a visitor can be offered.
struct Offer {
    id: String,
    title: String,
}

impl Writer<'_> {
    /// The blocks of a page, without ids.
    pub fn write(
        &self,
        opening: &Opening,
        mut facts: Facts,
        known: Facts,
        followup: FollowUp,
    ) -> Vec<Component> {
        let offers = self.offers();
        let ids: Vec<String> = offers.iter().take(BUTTONS).map(|offer| offer.id.clone()).collect();
        let lead = opening.lead.clone();
        let mut page = Page { writer: self, blocks: Vec::new(), lead, left: Vec::new(), known, followup };
        facts.take_prices_as_figures(self.concerns, self.language);
        let figure = page.hero_figure(&mut facts);
        let picture = facts.take_picture();
        let lexicon = self.language.lexicon;
        let eyebrow = lexicon
            .and_then(|lexicon| self.audience.address(self.page_type, self.instructions.is_formal, lexicon));
        let eyebrow = eyebrow
            .or_else(|| self.company.map(str::to_owned))
            .filter(|eyebrow| !opening.title.starts_with(eyebrow.as_str()));
        page.blocks.push(blocks::hero(
            eyebrow,
            &opening.title,
            opening.subtitle.clone(),
            picture,
            figure,
            ids.clone(),
        ));
        page.sections(&mut facts);
        page.widen();
        page.closing(&facts, &offers);
        page.blocks
    }

    fn phrase(&self, of: impl Fn(&Phrases) -> &String) -> Option<String> {
        self.language.lexicon.map(|lexicon| of(&lexicon.phrases).clone())
    }

    /// The actions, the one that is asked for first.
    fn offers(&self) -> Vec<Offer> {
        let offers = self.actions.iter().filter_map(|action| {
            let title = tidy::line(action.button_title()?, 100);
            tidy::says_something(&title).then(|| Offer { id: action.id().to_owned(), title })
        });
        let mut offers: Vec<Offer> = offers.take(12).collect();
        if let Some(wanted) = &self.instructions.button {
            let wanted = tidy::folded(wanted);
            offers.sort_by_key(|offer| tidy::folded(&offer.title) != wanted);
        }
        offers
    }
}

struct Page<'a> {
    writer: &'a Writer<'a>,
    blocks: Vec<Component>,
    /// The sentence that says who speaks, if the opening has no room for it.
    lead: Option<String>,
    /// Facts whose own section had too little, for the last one.
    left: Vec<Fact>,
    /// What is known beside the page's own facts: behind them in each section.
    known: Facts,
    followup: FollowUp,
}

impl Page<'_> {
    fn add(&mut self, block: Option<Component>) {
        for block in block.into_iter().flat_map(blocks::rows) {
            if self.blocks.len() < MOST_BLOCKS {
                self.blocks.push(block);
            }
        }
    }

    /// The only figure of a page, which is put into the opening.
    fn hero_figure(&self, facts: &mut Facts) -> Option<Stat> {
        match facts.figures.as_slice() {
            [(_, stats)] if stats.len() == 1 => {
                facts.figures.pop().and_then(|(_, stats)| stats.into_iter().next())
            }
            _ => None,
        }
    }

    fn sections(&mut self, facts: &mut Facts) {
        let is_short = self.writer.instructions.is_short;
        let mut slots = plan::of(self.writer.page_type).to_vec();
        // What answers a concern best comes right behind what answers it in words.
        if let Some(at) = self.promoted(&slots, facts) {
            let slot = slots.remove(at);
            let after = slots.iter().position(|slot| slot.section == Section::Answers).map_or(0, |at| at + 1);
            slots.insert(after.min(at), slot);
        }
        for slot in &slots {
            if is_short
                && self.blocks.len() > plan::SHORT
                && !matches!(slot.section, Section::Next | Section::Voices | Section::Prices)
            {
                continue;
            }
            self.section(slot, facts);
        }
    }

    /// The section that has most to do with the concerns, of those whose facts are no sentences.
    fn promoted(&self, slots: &[Slot], facts: &Facts) -> Option<usize> {
        let concerns = self.writer.concerns;
        if concerns.is_empty() {
            return None;
        }
        let weight = |section: Section| match section {
            Section::Steps => facts
                .steps
                .iter()
                .flatten()
                .map(|(title, text)| concerns.weight(&format!("{title} {}", text.plain())))
                .max(),
            Section::Figures => {
                facts.figures.iter().map(|(fact, _)| concerns.weight(fact.text.plain())).max()
            }
            Section::Questions => facts
                .questions
                .iter()
                .map(|item| concerns.weight(&format!("{} {}", item.title, item.markdown)))
                .max(),
            Section::Voices => facts.quotations.iter().map(|said| concerns.weight(&said.quote)).max(),
            Section::Chapters => facts.chapters.iter().map(|chapter| concerns.weight(&chapter.words())).max(),
            Section::Features => facts
                .cards
                .iter()
                .map(|(title, text)| concerns.weight(&format!("{title} {}", text.plain())))
                .max(),
            _ => None,
        };
        let weights = slots.iter().enumerate().map(|(at, slot)| (weight(slot.section).unwrap_or(0), at));
        weights
            .filter(|(weight, _)| *weight >= 2)
            .max_by_key(|(weight, at)| (*weight, std::cmp::Reverse(*at)))
            .map(|(_, at)| at)
    }

    fn section(&mut self, slot: &Slot, facts: &mut Facts) {
        let writer = self.writer;
        let phrase = |of: fn(&Phrases) -> &String| writer.phrase(of);
        facts.fill(slot.section, &mut self.known);
        match slot.section {
            Section::Talked => {
                let topics = rich(&std::mem::take(&mut self.followup.topics));
                self.add(blocks::prose(phrase(|words| &words.talked), &topics));
            }
            Section::Next => {
                let next = std::mem::take(&mut self.followup.next);
                let steps: Vec<(String, Rich)> =
                    next.iter().map(|step| (step.clone(), Rich::default())).collect();
                let block = blocks::steps(phrase(|words| &words.next), &steps);
                self.add(block.or_else(|| blocks::prose(phrase(|words| &words.next), &rich(&next))));
            }
            Section::Answers => self.answers(slot, facts),
            Section::Lead => {
                // A few sentences stay prose, if enough is left for cards.
                let count =
                    if facts.features.len() >= 4 { 2 } else { usize::from(facts.features.len() == 3) };
                let defined = self.lead.take().map(|lead| plain_fact(&lead));
                let lead: Vec<Fact> = defined.into_iter().chain(facts.features.drain(..count)).collect();
                let title = writer.company.and_then(|company| {
                    lexicon::filled(&phrase(|words| &words.about)?, &[("{company}", company)])
                });
                self.add(blocks::prose(title, &texts(&lead)));
            }
            Section::Figures => self.figures(slot, facts),
            Section::Features => self.features(facts),
            Section::Chapters => {
                self.chapters(std::mem::take(&mut facts.chapters));
                std::mem::take(&mut facts.others).into_iter().for_each(|piece| self.piece(&mut None, piece));
            }
            Section::Steps => {
                for (at, steps) in std::mem::take(&mut facts.steps).into_iter().enumerate() {
                    let title = if at == 0 { phrase(|words| &words.steps) } else { None };
                    self.add(blocks::steps(title, &steps));
                }
            }
            Section::Voices => {
                let voices: Vec<_> = std::mem::take(&mut facts.quotations);
                let title = if voices.len() > 1 { phrase(|words| &words.voices) } else { None };
                self.add(blocks::voices(title, voices));
            }
            Section::Integrations => {
                self.add(blocks::names(
                    phrase(|words| &words.integrations),
                    Vec::new(),
                    &std::mem::take(&mut facts.names),
                ));
            }
            Section::Guarantees => {
                let pool = std::mem::take(&mut facts.guarantees);
                self.sentences(phrase(|words| &words.guarantees), &pool);
            }
            Section::Proof => {
                let pool = std::mem::take(&mut facts.proof);
                self.framed(phrase(|words| &words.proof), &pool);
            }
            Section::Prices => self.prices(&std::mem::take(&mut facts.prices)),
            Section::Questions => {
                let questions = std::mem::take(&mut facts.questions);
                self.add(blocks::questions(phrase(|words| &words.questions), questions));
            }
            Section::Places => {
                let pool = std::mem::take(&mut facts.places);
                self.framed(phrase(|words| &words.places), &pool);
            }
            Section::More => {
                let mut left = std::mem::take(&mut self.left);
                left.append(&mut facts.features);
                left.extend(facts.next.drain(facts.next.len().min(1)..));
                self.framed(phrase(|words| &words.more), &left);
            }
        }
    }

    fn figures(&mut self, slot: &Slot, facts: &mut Facts) {
        let mut figures = std::mem::take(&mut facts.figures);
        figures.sort_by_key(|(fact, _)| !fact.is_stressed);
        let known = &mut self.known;
        let all = figures.iter().chain(&known.figures);
        let total: usize = all.map(|(_, stats)| stats.len()).sum();
        if total < slot.least {
            facts.features.extend(figures.into_iter().map(|(fact, _)| fact));
            return;
        }
        figures.append(&mut known.figures);
        let mut stats = Vec::new();
        for (fact, of_fact) in figures {
            if stats.len() + of_fact.len() <= slot.most {
                stats.extend(of_fact);
            } else {
                self.left.push(fact);
            }
        }
        let title = self.writer.phrase(|words| &words.figures);
        self.add(blocks::stats(title, stats));
    }

    /// What is offered: short facts as cards, longer ones as text.
    fn features(&mut self, facts: &mut Facts) {
        let title = self.writer.phrase(|words| &words.features);
        let mut cards: Vec<_> =
            facts.cards.drain(..).map(|(title, text)| blocks::card(&title, text.plain(), None)).collect();
        let mut rest = Vec::new();
        for fact in std::mem::take(&mut facts.features) {
            match titled(&fact, self.writer.language.lexicon) {
                Some((title, text)) => cards.push(blocks::card(&title, &text, None)),
                None => rest.push(fact),
            }
        }
        if cards.len() < 2 {
            rest.splice(0..0, cards.drain(..).map(|card| plain_fact(&joined(&card.title, &card.text))));
        }
        self.add(blocks::cards(title, cards));
        self.left.extend(rest);
    }

    /// Sentences under a heading: cards if they are short, else text.
    fn sentences(&mut self, title: Option<String>, facts: &[Fact]) {
        let titled: Option<Vec<_>> =
            facts.iter().map(|fact| titled(fact, self.writer.language.lexicon)).collect();
        match titled.filter(|cards| cards.len() >= 2) {
            Some(cards) => {
                let cards = cards.iter().map(|(title, text)| blocks::card(title, text, None)).collect();
                self.add(blocks::cards(title, cards));
            }
            None => self.add(blocks::prose(title, &texts(facts))),
        }
    }

    fn framed(&mut self, title: Option<String>, facts: &[Fact]) {
        let texts = texts(facts);
        let block = match title {
            Some(title) => blocks::frame(&title, &texts),
            None => blocks::prose(None, &texts),
        };
        self.add(block);
    }

    /// The facts that answer a concern. A price among them brings the others along.
    fn answers(&mut self, slot: &Slot, facts: &mut Facts) {
        let lexicon = self.writer.language.lexicon;
        let mut answers = facts.take_answers(self.writer.concerns, slot.most);
        if answers.len() < slot.most {
            answers.extend(self.known.take_answers(self.writer.concerns, slot.most - answers.len()));
        }
        let (mut prices, answers): (Vec<Fact>, Vec<Fact>) =
            answers.into_iter().partition(|fact| price::has_plans(fact, lexicon));
        self.sentences(self.writer.phrase(|words| &words.at_a_glance), &answers);
        if !prices.is_empty() {
            prices.append(&mut facts.prices);
            self.prices(&prices);
        }
    }

    /// Prices as cards where each has a name, the others as sentences below.
    fn prices(&mut self, facts: &[Fact]) {
        let title = self.writer.phrase(|words| &words.prices);
        let lexicon = self.writer.language.lexicon;
        let mut plans: Vec<PricePlan> = Vec::new();
        let mut others: Vec<Fact> = Vec::new();
        for fact in facts {
            match lexicon.and_then(|lexicon| price::plans(fact.text.plain(), lexicon)) {
                Some(more) if plans.len() + more.len() <= 6 => plans.extend(more),
                _ => others.push(fact.clone()),
            }
        }
        if plans.is_empty() {
            return self.framed(title, &others);
        }
        self.add(blocks::prices(title, plans));
        self.add(blocks::prose(None, &texts(&others)));
    }

    /// Chapters that answer a concern come first, where a page is for somebody.
    fn ranked(&self, mut chapters: Vec<Chapter>) -> Vec<Chapter> {
        if self.writer.page_type != PageType::Custom {
            chapters.sort_by_cached_key(|chapter| {
                std::cmp::Reverse(self.writer.concerns.weight(&chapter.words()).min(12))
            });
        }
        chapters
    }

    /// The chapters: first those that are two sides of something.
    fn chapters(&mut self, mut chapters: Vec<Chapter>) {
        if let Some(lexicon) = self.writer.language.lexicon {
            sides::take_pairs(&mut chapters, lexicon).into_iter().for_each(|block| self.add(Some(block)));
        }
        self.ranked(chapters).into_iter().for_each(|chapter| self.chapter(chapter));
    }

    /// A chapter: its heading over its first block.
    fn chapter(&mut self, chapter: Chapter) {
        let mut title = chapter.title;
        for piece in chapter.pieces {
            self.piece(&mut title, piece);
        }
    }

    fn piece(&mut self, title: &mut Option<String>, piece: ChapterPiece) {
        let sides = self.writer.language.lexicon.and_then(|lexicon| match &piece {
            ChapterPiece::Grid(grid) => sides::of_grid(title, grid, lexicon),
            ChapterPiece::Cards(cards) => sides::of_cards(title, cards, lexicon),
            _ => None,
        });
        if sides.is_some() {
            return self.add(sides);
        }
        let block = match piece {
            ChapterPiece::Facts(facts) => blocks::prose(title.take(), &texts(&facts)),
            ChapterPiece::List(facts) => {
                let titled: Option<Vec<_>> =
                    facts.iter().map(|fact| titled(fact, self.writer.language.lexicon)).collect();
                match titled.filter(|cards| (2..=12).contains(&cards.len())) {
                    Some(cards) => blocks::cards(
                        title.take(),
                        cards.iter().map(|(title, text)| blocks::card(title, text, None)).collect(),
                    ),
                    None => blocks::prose(title.take(), &texts(&facts)),
                }
            }
            ChapterPiece::Cards(cards) if is_choice(title.as_deref(), &cards) => {
                title.take().map(|question| blocks::threads(&question, &cards))
            }
            ChapterPiece::Cards(cards) => match cards.as_slice() {
                [(name, text)] => {
                    blocks::prose(title.take().or_else(|| Some(name.clone())), std::slice::from_ref(text))
                }
                cards => blocks::cards(
                    title.take(),
                    cards.iter().map(|(title, text)| blocks::card(title, text.plain(), None)).collect(),
                ),
            },
            ChapterPiece::Stats(stats) => blocks::stats(title.take(), stats),
            ChapterPiece::Steps(steps) => blocks::steps(title.take(), &steps),
            ChapterPiece::Names(names) => blocks::names(title.take(), Vec::new(), &names),
            ChapterPiece::Grid(grid) => blocks::table(title.take(), &grid),
            ChapterPiece::Picture(picture) => Some(blocks::image(picture)),
            ChapterPiece::Logos(logos) => blocks::names(title.take(), logos, &[]),
            ChapterPiece::Film(url) => Some(blocks::video(title.take(), url)),
            ChapterPiece::Code(code) => blocks::code(title.take(), &code),
        };
        self.add(block);
    }

    fn closing(&mut self, facts: &Facts, offers: &[Offer]) {
        let phrases = self.writer.language.lexicon.map(|lexicon| &lexicon.phrases);
        let reader = &self.writer.audience.reader;
        let names =
            [("{first}", reader.first.as_str()), ("{name}", &reader.name), ("{company}", &reader.company)];
        let phrase = phrases.map(|words| match self.writer.page_type {
            PageType::Inbound | PageType::Custom => &words.closing,
            PageType::Outbound => &words.closing_person,
            PageType::CallFollowup => &words.closing_call,
            PageType::SalesDeck => &words.closing_deck,
        });
        let said = phrase
            .and_then(|phrase| lexicon::filled(phrase, &names))
            .or_else(|| phrases.map(|words| words.closing.clone()));
        // A button that is asked for and does not exist is a request to the reader all the same.
        let wanted = self.writer.instructions.button.clone().filter(|wanted| {
            headline::is_headline(wanted)
                && !offers.iter().any(|offer| tidy::folded(&offer.title) == tidy::folded(wanted))
        });
        let title = wanted.or(said).or_else(|| offers.first().map(|offer| offer.title.clone()));
        let Some(title) = title else { return };
        let text = facts.next.first().map(|fact| fact.text.plain().to_owned());
        if offers.is_empty() && text.is_none() && self.blocks.len() <= 1 {
            return;
        }
        let ids = offers.iter().take(BUTTONS).map(|offer| offer.id.clone()).collect();
        self.blocks.push(blocks::closing(&title, text, ids));
    }
}

/// Whether points under a heading are the answers that a visitor chooses from.
fn is_choice(title: Option<&str>, cards: &[(String, Rich)]) -> bool {
    title.is_some_and(is_question)
        && (2..=4).contains(&cards.len())
        && cards.iter().all(|(_, text)| !text.is_blank())
}

fn rich(texts: &[String]) -> Vec<Rich> {
    texts.iter().map(|text| Rich::of(text)).collect()
}

fn texts(facts: &[Fact]) -> Vec<Rich> {
    facts.iter().map(|fact| fact.text.clone()).collect()
}
