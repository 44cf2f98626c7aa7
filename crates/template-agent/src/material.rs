//! What a brief has to say, sorted: who speaks, the opening, chapters, voices, questions, and what fits the reader.
//!
//! What this is not: a page. Nothing is ordered or cut here, but everything that was said to the writer is gone already.

use std::collections::HashSet;

use pagesmith_model::content::part::{FrameItem, Picture, Stat, Testimonial};

use crate::outline::Grid;
use crate::reader::Reader;
use crate::relevance::Interest;
use crate::rich::Rich;

/// Everything that a page can be made of.
#[derive(Debug, Clone, Default)]
pub struct Material {
    /// Whom the page is for.
    pub reader: Reader,
    /// The company or product that speaks.
    pub brand: Option<String>,
    /// What is offered, in more words than a name.
    pub offer: Option<String>,
    /// The heading of what is said for this audience.
    pub special_heading: Option<String>,
    /// A title that the context names.
    pub headline: Option<String>,
    /// A sentence about the whole that the context names.
    pub tagline: Option<String>,
    /// The heading of the whole.
    pub heading: Option<String>,
    /// What a request for a page was about.
    pub subject: Option<String>,
    /// What the page context says.
    pub chapters: Vec<Chapter>,
    /// What is said for this audience only.
    pub special: Vec<Chapter>,
    /// Sentences about the reader, said to them.
    pub about_reader: Vec<String>,
    /// What customers say.
    pub voices: Vec<Testimonial>,
    /// Questions and answers.
    pub questions: Vec<FrameItem>,
    /// What fits the reader, and what must not be mentioned.
    pub interest: Interest,
}

/// A heading and what belongs to it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chapter {
    /// The heading.
    pub title: Option<String>,
    /// How deep it stood.
    pub level: u8,
    /// What it consists of.
    pub pieces: Vec<Piece>,
}

/// A part of a chapter.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// The sentences of a paragraph.
    Prose(Vec<Rich>),
    /// A list.
    Points(Vec<Point>, bool),
    /// Labels with short values.
    Facts(Vec<(String, Rich)>),
    /// Numbers with their meaning.
    Stats(Vec<Stat>),
    /// Points with titles.
    Cards(Vec<(String, String)>),
    /// A table.
    Grid(Grid),
    /// A picture.
    Picture(Picture),
    /// Pictures of equal rank, such as logos.
    Logos(Vec<Picture>),
    /// A video.
    Film(String),
    /// A quotation of nobody in particular.
    Quote(Vec<Rich>),
    /// Code.
    Code(String),
    /// A question that the reader answers for themselves.
    Choices(String, Vec<(String, Rich)>),
}

/// An item of a list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Point {
    /// What it says.
    pub text: Rich,
    /// What is listed under it.
    pub nested: Vec<Rich>,
}

impl Material {
    /// Drops from what is special for the audience what the page says anyway: contexts are copied from one place to another.
    pub fn forget_repeats(&mut self) {
        let words = |piece: &Piece| {
            let mut all = String::new();
            piece.add_words(&mut all);
            super::tidy::folded(all.trim())
        };
        let said: HashSet<String> =
            self.chapters.iter().flat_map(|chapter| &chapter.pieces).map(words).collect();
        for chapter in &mut self.special {
            chapter.pieces.retain(|piece| {
                let words = words(piece);
                words.is_empty() || !said.contains(&words)
            });
        }
        self.special.retain(|chapter| !chapter.is_empty());
    }
}

impl Chapter {
    /// All its words, for finding what fits.
    pub fn words(&self) -> String {
        let mut all = self.title.clone().unwrap_or_default();
        for piece in &self.pieces {
            piece.add_words(&mut all);
        }
        all
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The sentences, if it consists of one short paragraph.
    pub fn sole_prose(&self, most: usize) -> Option<String> {
        match self.pieces.as_slice() {
            [Piece::Prose(sentences)] => {
                let text = Rich::joined(sentences);
                let has_link = text.markdown().contains("](");
                (!has_link && super::tidy::length(text.plain()) <= most).then(|| text.plain().to_owned())
            }
            _ => None,
        }
    }
}

impl Piece {
    fn add_words(&self, all: &mut String) {
        let mut add = |text: &str| {
            all.push(' ');
            all.push_str(text);
        };
        match self {
            Piece::Prose(lines) | Piece::Quote(lines) => lines.iter().for_each(|line| add(line.plain())),
            Piece::Points(points, _) => points.iter().for_each(|point| add(point.text.plain())),
            Piece::Facts(facts) => facts.iter().for_each(|(name, value)| {
                add(name);
                add(value.plain());
            }),
            Piece::Stats(stats) => stats.iter().for_each(|stat| add(&stat.label)),
            Piece::Cards(cards) => cards.iter().for_each(|(title, text)| {
                add(title);
                add(text);
            }),
            Piece::Grid(grid) => {
                grid.columns.iter().chain(grid.rows.iter().flatten()).for_each(|cell| add(cell));
            }
            Piece::Picture(picture) => add(&picture.alt_text),
            Piece::Choices(question, choices) => {
                add(question);
                choices.iter().for_each(|(name, _)| add(name));
            }
            Piece::Logos(_) | Piece::Film(_) | Piece::Code(_) => {}
        }
    }
}
