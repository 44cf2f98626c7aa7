//! What the stages before the plan hand on: the facts of a brief by chapter and kind, what it asks for, and who it is for.

use pagesmith_model::content::part::{FrameItem, Picture, Stat, Testimonial};

use crate::count;
use crate::kind::Kind;
use crate::outline::Grid;
use crate::rich::Rich;

/// The facts of a brief.
#[derive(Debug, Default)]
pub struct Material {
    /// The title that the brief names.
    pub headline: Option<String>,
    /// The sentence about the whole that it names.
    pub tagline: Option<String>,
    /// The company or product that speaks, as the brief calls it.
    pub company: Option<String>,
    /// The text in its order.
    pub chapters: Vec<Chapter>,
    /// What was said by whom.
    pub quotations: Vec<Testimonial>,
    /// Questions with their answers.
    pub questions: Vec<FrameItem>,
    /// What the page is to be about, by a sentence that asks for it.
    pub subject: Option<String>,
}

impl Material {
    /// All that it says.
    pub fn words(&self) -> String {
        self.texts().collect::<Vec<_>>().join(" ")
    }

    /// Whether it says less than so many words; a long text is not read to its end for that.
    pub fn is_shorter_than(&self, least: usize) -> bool {
        let mut sum = 0;
        self.texts().all(|text| {
            sum += count::words(&text);
            sum < least
        })
    }

    fn texts(&self) -> impl Iterator<Item = String> {
        let chapters = self.chapters.iter().map(Chapter::words);
        let said = self.quotations.iter().map(|said| {
            format!("{} {} {}", said.quote, said.author, said.role.as_deref().unwrap_or_default())
        });
        let asked = self.questions.iter().map(|item| format!("{} {}", item.title, item.markdown));
        chapters.chain(said).chain(asked)
    }
}

/// A heading and what is under it.
#[derive(Debug, Clone, Default)]
pub struct Chapter {
    /// The heading; running text has none.
    pub title: Option<String>,
    /// How deep it is.
    pub level: u8,
    /// What is under it.
    pub pieces: Vec<ChapterPiece>,
}

impl Chapter {
    /// Its facts, if it has nothing else.
    pub fn only_facts(&self) -> Option<Vec<&Fact>> {
        let mut all = Vec::new();
        for piece in &self.pieces {
            let ChapterPiece::Facts(facts) = piece else { return None };
            all.extend(facts);
        }
        Some(all)
    }
}

/// A sentence or an item of a list that a visitor may read.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// As it was written.
    pub text: Rich,
    /// What it is.
    pub kind: Kind,
    /// Whether an instruction asks to stress it.
    pub is_stressed: bool,
    /// The number of the paragraph or list of the context where it stands.
    pub paragraph: usize,
}

/// What is in a chapter.
#[derive(Debug, Clone, PartialEq)]
pub enum ChapterPiece {
    /// Sentences of running text.
    Facts(Vec<Fact>),
    /// Items of a list.
    List(Vec<Fact>),
    /// Points with a title and a text.
    Cards(Vec<(String, Rich)>),
    /// Figures.
    Stats(Vec<Stat>),
    /// Steps of a sequence, each with more about it.
    Steps(Vec<(String, Rich)>),
    /// Names of systems.
    Names(Vec<String>),
    /// A table.
    Grid(Grid),
    /// A picture.
    Picture(Picture),
    /// Logos.
    Logos(Vec<Picture>),
    /// The address of a video.
    Film(String),
    /// Code.
    Code(String),
}

impl ChapterPiece {
    /// Whether nothing is left of it.
    pub fn is_empty(&self) -> bool {
        match self {
            ChapterPiece::Facts(all) | ChapterPiece::List(all) => all.is_empty(),
            ChapterPiece::Cards(all) | ChapterPiece::Steps(all) => all.is_empty(),
            ChapterPiece::Stats(all) => all.is_empty(),
            ChapterPiece::Names(all) => all.is_empty(),
            ChapterPiece::Grid(grid) => grid.rows.is_empty(),
            ChapterPiece::Picture(_)
            | ChapterPiece::Logos(_)
            | ChapterPiece::Film(_)
            | ChapterPiece::Code(_) => false,
        }
    }

    /// All that it says.
    pub fn words(&self) -> String {
        match self {
            ChapterPiece::Facts(facts) | ChapterPiece::List(facts) => {
                joined(facts.iter().map(|fact| fact.text.plain()))
            }
            ChapterPiece::Cards(cards) | ChapterPiece::Steps(cards) => {
                joined(cards.iter().flat_map(|(title, text)| [title.as_str(), text.plain()]))
            }
            ChapterPiece::Stats(stats) => {
                joined(stats.iter().flat_map(|stat| [stat.value.as_str(), stat.label.as_str()]))
            }
            ChapterPiece::Names(names) => joined(names.iter().map(String::as_str)),
            ChapterPiece::Grid(grid) => {
                joined(grid.columns.iter().chain(grid.rows.iter().flatten()).map(String::as_str))
            }
            ChapterPiece::Picture(picture) => picture.alt_text.clone(),
            ChapterPiece::Logos(_) | ChapterPiece::Film(_) | ChapterPiece::Code(_) => String::new(),
        }
    }
}

fn joined<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

impl Chapter {
    /// All that it says.
    pub fn words(&self) -> String {
        let pieces = self.pieces.iter().map(ChapterPiece::words).collect::<Vec<_>>().join(" ");
        format!("{} {pieces}", self.title.as_deref().unwrap_or_default())
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }
}
