//! What stands on a page and in which order, for each type of page.
//!
//! Personal pages lead with what is for the reader and keep to what fits; a deck leads with numbers; other pages keep the order of
//! their context. Invariant: the number of blocks is bounded, and the closing always finds room.

use pagesmith_model::content::component::Component;
use pagesmith_model::content::part::{FeatureCard, FrameItem};
use pagesmith_model::page::PageType;
use pagesmith_model::page::action::Action;

use crate::blocks;
use crate::material::{Chapter, Material, Piece};
use crate::notes::Notes;
use crate::opening::Opening;
use crate::phrases::{self, Phrases};
use crate::relevance::Interest;
use crate::rich::Rich;
use crate::tidy;

/// The blocks of a page, without ids.
pub fn blocks(
    page_type: PageType,
    opening: &Opening,
    material: Material,
    notes: Notes,
    words: Option<&Phrases>,
    actions: &[Action],
) -> Vec<Component> {
    let offered = offered(actions);
    let mut page = Page { page_type, words, material, offered, blocks: Vec::new() };
    page.hero(opening);
    if page_type == PageType::CallFollowup {
        page.recap(notes);
    }
    page.personal();
    let special = std::mem::take(&mut page.material.special);
    let limit = page.room();
    special.into_iter().for_each(|chapter| page.chapter(chapter, limit));
    let left = page.chapters();
    page.end(left);
    page.blocks
}

/// An action that a visitor can be offered: its id, and what it is about.
struct Offer {
    id: String,
    title: String,
    about: Interest,
}

fn offered(actions: &[Action]) -> Vec<Offer> {
    let offers = actions.iter().filter_map(|action| {
        let (title, purpose) = match action {
            Action::OpenUrl(action) => (&action.button_title, action.purpose.as_str()),
            Action::Form(action) => (&action.button_title, action.purpose.as_str()),
            Action::CopyText(action) => (&action.button_title, action.purpose.as_str()),
            Action::Other(action) => {
                (action.button_title.as_ref()?, action.purpose.as_deref().unwrap_or_default())
            }
        };
        let mut about = Interest::default();
        about.add(title);
        about.add(tidy::head(purpose, 1000));
        tidy::says_something(title).then(|| Offer {
            id: action.id().to_owned(),
            title: tidy::line(title, 100),
            about,
        })
    });
    offers.take(12).collect()
}

struct Page<'a> {
    page_type: PageType,
    words: Option<&'a Phrases>,
    material: Material,
    offered: Vec<Offer>,
    blocks: Vec<Component>,
}

impl Page<'_> {
    /// Whether it is written for one reader rather than for everybody.
    fn is_personal(&self) -> bool {
        let for_one =
            matches!(self.page_type, PageType::Outbound | PageType::CallFollowup | PageType::SalesDeck);
        for_one || self.material.reader.is_known()
    }

    /// How many blocks there can be before the end.
    fn room(&self) -> usize {
        match self.page_type {
            PageType::Inbound => 11,
            PageType::Outbound => 8,
            PageType::CallFollowup => 8,
            PageType::SalesDeck => 14,
            PageType::Custom => 22,
        }
    }

    fn hero(&mut self, opening: &Opening) {
        let actions = self.offered.iter().take(2).map(|offer| offer.id.clone()).collect();
        let eyebrow = opening.eyebrow.clone();
        self.blocks.push(blocks::hero(
            eyebrow,
            &opening.title,
            opening.subtitle.clone(),
            opening.picture.clone(),
            actions,
        ));
    }

    fn add(&mut self, block: Option<Component>) {
        self.blocks.extend(block);
    }

    fn phrase(&self, of: impl Fn(&Phrases) -> &'static str) -> Option<String> {
        self.words.map(|words| of(words).to_owned())
    }

    /// What was talked about and what comes next.
    fn recap(&mut self, notes: Notes) {
        let list = |texts: Vec<String>, ordered: bool| {
            let points: Vec<_> = texts
                .iter()
                .map(|text| super::material::Point { text: Rich::of(text), nested: Vec::new() })
                .collect();
            blocks::list(&points, ordered)
        };
        let mut topics = notes.topics;
        topics.extend(std::mem::take(&mut self.material.about_reader));
        topics.retain(|topic| !self.material.interest.refuses(topic));
        topics.truncate(8);
        let talked = blocks::text(self.phrase(|words| words.talked), &list(topics, false));
        let next = blocks::text(self.phrase(|words| words.next), &list(notes.next, true));
        self.add(talked);
        self.add(next);
    }

    /// What is known of the reader's wishes, said to them.
    fn personal(&mut self) {
        let sentences: Vec<Rich> = std::mem::take(&mut self.material.about_reader)
            .iter()
            .filter(|sentence| !self.material.interest.refuses(sentence))
            .take(4)
            .map(|sentence| Rich::of(sentence))
            .collect();
        let mut markdown = blocks::guarded(Rich::joined(&sentences).markdown());
        if let Some(words) = self.words {
            let wishes = std::mem::take(&mut self.material.reader.wishes);
            let lines: Vec<String> = words
                .reader
                .iter()
                .zip(&wishes)
                .filter_map(|(name, wish)| {
                    Some(format!("- **{name}:** {}", Rich::of(wish.as_ref()?).markdown()))
                })
                .collect();
            if !lines.is_empty() {
                markdown = [markdown, lines.join("\n")]
                    .iter()
                    .filter(|text| !text.is_empty())
                    .cloned()
                    .collect::<Vec<_>>()
                    .join("\n\n");
            }
        }
        let reader = &self.material.reader;
        let title = self.words.and_then(|words| {
            let of_company = phrases::filled(words.matters_to, "", "", &reader.company);
            of_company.or_else(|| Some(words.matters.to_owned()))
        });
        let block = blocks::text(title, &markdown);
        self.add(block);
    }

    /// The chapters of the page's context as blocks; what has no room is left.
    fn chapters(&mut self) -> Vec<Chapter> {
        let mut chapters = std::mem::take(&mut self.material.chapters);
        chapters.retain(|chapter| {
            !chapter.title.as_ref().is_some_and(|title| self.material.interest.refuses(title))
        });
        if self.is_personal() {
            let interest = &self.material.interest;
            // The opening's own text stays on top.
            let fixed =
                usize::from(chapters.first().is_some_and(|chapter| {
                    chapter.title.is_none() || self.page_type == PageType::CallFollowup
                }));
            let fixed = fixed.min(chapters.len());
            chapters[fixed..]
                .sort_by_cached_key(|chapter| std::cmp::Reverse(interest.rank(&chapter.words()).min(6)));
        }
        if self.page_type == PageType::SalesDeck {
            chapters
                .sort_by_key(|chapter| !chapter.pieces.iter().any(|piece| matches!(piece, Piece::Stats(_))));
        }
        let limit = self.room();
        let mut left = Vec::new();
        for chapter in chapters {
            if self.blocks.len() >= limit {
                left.push(chapter);
            } else {
                self.chapter(chapter, limit);
            }
        }
        left
    }

    /// Writes a chapter: running text stays together, everything else is a component.
    fn chapter(&mut self, chapter: Chapter, limit: usize) {
        let mut title = chapter.title;
        let mut markdown = Vec::new();
        for piece in chapter.pieces {
            if self.blocks.len() >= limit {
                break;
            }
            let piece = match self.as_markdown(piece) {
                Ok(text) => {
                    markdown.push(text);
                    continue;
                }
                Err(piece) => piece,
            };
            // A short paragraph over cards is theirs.
            let subtitle = match (&piece, markdown.as_slice()) {
                (Piece::Cards(_), [only])
                    if title.is_some() && tidy::length(only) <= 300 && !only.contains(['\n', '[']) =>
                {
                    let text = super::rich::words(only);
                    markdown.clear();
                    Some(text)
                }
                _ => None,
            };
            self.flush(&mut title, &mut markdown);
            self.component(piece, &mut title, subtitle);
        }
        self.flush(&mut title, &mut markdown);
    }

    fn flush(&mut self, title: &mut Option<String>, markdown: &mut Vec<String>) {
        let text = std::mem::take(markdown)
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join("\n\n");
        if !text.is_empty() {
            let block = blocks::text(title.take(), &text);
            self.add(block);
        }
    }

    fn component(&mut self, piece: Piece, title: &mut Option<String>, subtitle: Option<String>) {
        let block = match piece {
            Piece::Cards(cards) => {
                let cards = self.cards(cards);
                if let [only] = cards.as_slice() {
                    let heading = title.take().unwrap_or_else(|| only.title.clone());
                    blocks::text(Some(heading), Rich::of(&only.text).markdown())
                } else {
                    self.blocks.extend(blocks::cards(title.take(), subtitle, &cards));
                    None
                }
            }
            Piece::Stats(stats) => blocks::stats(title.take(), stats),
            Piece::Grid(grid) => blocks::table(title.take(), &grid),
            Piece::Picture(picture) => Some(blocks::image(picture)),
            Piece::Logos(logos) => blocks::logos(title.take(), logos),
            Piece::Film(url) => Some(blocks::video(title.take(), url)),
            Piece::Choices(question, choices) => {
                title.take();
                blocks::threads(&question, &choices)
            }
            _ => None,
        };
        self.add(block);
    }

    /// Cards without those that are not wanted, the fitting ones first, each with the action that it speaks of.
    fn cards(&self, mut cards: Vec<(String, String)>) -> Vec<FeatureCard> {
        let words = |card: &(String, String)| format!("{} {}", card.0, card.1);
        cards.retain(|card| !self.material.interest.refuses(&words(card)));
        if self.is_personal() {
            cards.sort_by_cached_key(|card| std::cmp::Reverse(self.material.interest.rank(&words(card))));
        }
        let action = |card: &(String, String)| {
            let fitting = self.offered.iter().find(|offer| offer.about.of(&words(card)) >= 2);
            fitting.map(|offer| offer.id.clone())
        };
        cards.iter().take(12).map(|card| blocks::card(&card.0, &card.1, action(card))).collect()
    }

    /// A piece of running text, or the piece if it is none.
    fn as_markdown(&self, piece: Piece) -> Result<String, Piece> {
        let refuses = |text: &Rich| self.material.interest.refuses(text.plain());
        Ok(match piece {
            Piece::Prose(sentences) => {
                let kept: Vec<Rich> = sentences.into_iter().filter(|sentence| !refuses(sentence)).collect();
                paragraphs(&kept)
            }
            Piece::Points(points, ordered) => {
                let kept: Vec<_> = points.into_iter().filter(|point| !refuses(&point.text)).collect();
                blocks::list(&kept, ordered)
            }
            Piece::Facts(facts) => {
                let kept = facts
                    .iter()
                    .filter(|(name, value)| !refuses(value) && !self.material.interest.refuses(name));
                let line = |(name, value): &(String, Rich)| {
                    format!("- **{}:** {}", Rich::of(name).markdown(), value.markdown())
                };
                kept.take(40).map(line).collect::<Vec<_>>().join("\n")
            }
            Piece::Quote(lines) => lines
                .iter()
                .map(|line| format!("> {}", blocks::guarded(line.markdown())))
                .collect::<Vec<_>>()
                .join("\n>\n"),
            Piece::Code(code) => format!("```\n{}\n```", code.trim_end().replace("```", "")),
            other => return Err(other),
        })
    }

    /// What ends a page: voices, questions, the rest, and the closing.
    fn end(&mut self, left: Vec<Chapter>) {
        let interest = std::mem::take(&mut self.material.interest);
        let mut voices = std::mem::take(&mut self.material.voices);
        voices.retain(|voice| !interest.refuses(&voice.quote));
        let title = self.phrase(|words| words.voices).filter(|_| voices.len() > 1);
        self.add(blocks::voices(title, voices));
        let mut questions = std::mem::take(&mut self.material.questions);
        questions.retain(|frame| !interest.refuses(&frame.title));
        if self.is_personal() {
            questions.sort_by_cached_key(|frame| std::cmp::Reverse(interest.of(&frame.title)));
        }
        let most = if matches!(self.page_type, PageType::Outbound | PageType::CallFollowup) { 5 } else { 12 };
        questions.truncate(most);
        let title = self.phrase(|words| words.questions);
        self.add(blocks::frames(title, questions));
        if !matches!(self.page_type, PageType::Outbound | PageType::CallFollowup) {
            let frames = left.into_iter().take(12).filter_map(|chapter| self.frame(chapter)).collect();
            let title = self.phrase(|words| words.more);
            self.add(blocks::frames(title, frames));
        }
        self.closing();
    }

    /// A chapter that has no room of its own, as something to open.
    fn frame(&self, chapter: Chapter) -> Option<FrameItem> {
        let title = chapter.title?;
        let texts = chapter.pieces.into_iter().filter_map(|piece| match piece {
            Piece::Cards(cards) => {
                let line = |(title, text): &(String, String)| {
                    format!("- **{}:** {}", Rich::of(title).markdown(), Rich::of(text).markdown())
                };
                Some(cards.iter().map(line).collect::<Vec<_>>().join("\n"))
            }
            piece => self.as_markdown(piece).ok(),
        });
        let markdown = texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n");
        (!markdown.is_empty()).then_some(FrameItem { title, markdown })
    }

    fn closing(&mut self) {
        let Some(primary) = self.offered.first() else { return };
        let reader = &self.material.reader;
        let said = self.words.and_then(|words| {
            let at = match self.page_type {
                PageType::Inbound | PageType::Custom => 0,
                PageType::Outbound => 1,
                PageType::CallFollowup => 2,
                PageType::SalesDeck => 3,
            };
            phrases::filled(words.closing[at], &reader.name, &reader.first, &reader.company)
                .or_else(|| phrases::filled(words.closing[0], "", "", ""))
        });
        let title = said.unwrap_or_else(|| primary.title.clone());
        self.blocks.push(blocks::closing(&title, vec![primary.id.clone()]));
    }
}

/// Sentences as paragraphs of a length that is nice to read.
fn paragraphs(sentences: &[Rich]) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut present: Vec<&Rich> = Vec::new();
    let mut size = 0;
    for sentence in sentences {
        if size > 320 && tidy::length(sentence.plain()) > 20 {
            out.push(blocks::guarded(Rich::joined(present.drain(..)).markdown()));
            size = 0;
        }
        size += tidy::length(sentence.plain());
        present.push(sentence);
    }
    if !present.is_empty() {
        out.push(blocks::guarded(Rich::joined(present).markdown()));
    }
    out.join("\n\n")
}
