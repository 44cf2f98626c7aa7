//! Sorts what the contexts say: copy becomes [`Material`], what was said to the writer becomes what it asks for, the rest goes.
//!
//! Invariant: every sentence, item, label and heading that gets into the material has been asked whom it speaks to.

use pagesmith_model::content::address;
use pagesmith_model::content::part::{FrameItem, Picture};

use crate::detect;
use crate::links::{self, Target};
use crate::material::{Chapter, Material, Piece};
use crate::notes::Notes;
use crate::outline::{self, Part, Section};
use crate::rich::Rich;
use crate::stance::{self, Stance, label, label::Label};
use crate::{gather, tidy, voice};

mod items;
mod labels;
mod prose;

/// Whose context is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The page's: copy about what is offered.
    Page,
    /// The audience's: copy, and notes about the reader.
    Audience,
}

/// What the chapter at hand is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Plain,
    Headline,
    Tagline,
    Questions,
    Voices,
    Talked,
    Next,
}

/// Reads contexts into a material.
pub struct Sorter<'a> {
    material: &'a mut Material,
    notes: &'a mut Notes,
    origin: Origin,
    english: bool,
    /// Whether notes of a conversation are wanted on the page.
    recap: bool,
    mode: Mode,
    /// The list that follows belongs to an instruction.
    skips_list: bool,
    chapters: Vec<Chapter>,
}

impl<'a> Sorter<'a> {
    /// Reads one context.
    pub fn read(
        context: &str,
        origin: Origin,
        english: bool,
        recap: bool,
        material: &'a mut Material,
        notes: &'a mut Notes,
    ) {
        let mut sorter = Sorter {
            material,
            notes,
            origin,
            english,
            recap,
            mode: Mode::Plain,
            skips_list: false,
            chapters: Vec::new(),
        };
        sorter.sections(gather::with_headings(outline::read(context)));
        let chapters = gather::grouped(sorter.chapters);
        match origin {
            Origin::Page => sorter.material.chapters = chapters,
            Origin::Audience => sorter.material.special = chapters,
        }
    }

    fn sections(&mut self, sections: Vec<Section>) {
        let mut skipped = None;
        for section in sections {
            if skipped.is_some_and(|level| section.level > level) {
                continue;
            }
            skipped = None;
            self.skips_list = false;
            self.mode = Mode::Plain;
            let title = section.title.as_ref().map(|title| tidy::one_line(title.plain()));
            let title = match title {
                Some(title) => match self.heading(&title, section.level) {
                    Ok(title) => title,
                    Err(()) => {
                        skipped = Some(section.level);
                        continue;
                    }
                },
                None => None,
            };
            if section.level == 1
                && self.origin == Origin::Page
                && self.material.heading.is_none()
                && let Some(heading) = &title
            {
                self.material.heading = Some(heading.clone());
                self.chapters.push(Chapter { title: None, level: 1, pieces: Vec::new() });
            } else if section.level == 1
                && self.origin == Origin::Audience
                && self.material.special_heading.is_none()
            {
                self.material.special_heading = title;
                self.chapters.push(Chapter { title: None, level: 1, pieces: Vec::new() });
            } else {
                self.chapters.push(Chapter { title, level: section.level, pieces: Vec::new() });
            }
            section.parts.into_iter().for_each(|part| self.part(part));
            self.questions_of_heading();
        }
    }

    /// The heading as it is shown; an error if nothing under it is for readers.
    fn heading(&mut self, title: &str, level: u8) -> Result<Option<String>, ()> {
        let bare = title.trim_end_matches([':', '：']).trim();
        match label::of(bare) {
            Label::Writer => return Err(()),
            Label::Headline => self.mode = Mode::Headline,
            Label::Tagline => self.mode = Mode::Tagline,
            Label::Questions => self.mode = Mode::Questions,
            Label::Voices => self.mode = Mode::Voices,
            Label::Talked if self.takes_notes() => self.mode = Mode::Talked,
            Label::Next if self.takes_notes() => self.mode = Mode::Next,
            Label::Neutral | Label::Brand => return Ok(None),
            Label::Goal | Label::Challenge | Label::UseCase | Label::Role
                if self.origin == Origin::Audience =>
            {
                return Ok(None);
            }
            _ => {
                return match stance::of(bare) {
                    // A heading such as `About Jordan` is one of notes.
                    Stance::Copy
                        if self.origin == Origin::Audience
                            && (voice::is_private(bare) || voice::names(bare, &self.material.reader)) =>
                    {
                        Ok(None)
                    }
                    Stance::Copy => Ok(tidy::says_something(bare).then(|| tidy::fit(bare, 160))),
                    Stance::Instruction => {
                        self.instruction(bare);
                        // `# Landing page for X` stands above everything, and what stands under it is meant.
                        if level <= 1 { Ok(None) } else { Err(()) }
                    }
                    Stance::Injection => Err(()),
                };
            }
        }
        Ok(None)
    }

    fn takes_notes(&self) -> bool {
        self.origin == Origin::Audience || self.recap
    }

    /// What a writer is told: what is to be stressed, what is to be left out, what it is about.
    fn instruction(&mut self, sentence: &str) {
        match stance::unwanted(sentence) {
            Some(thing) => self.material.interest.refuse(&thing),
            None => self.material.interest.add(sentence),
        }
        if self.material.subject.is_none() && self.origin == Origin::Page {
            self.material.subject = stance::subject(sentence).filter(|subject| stance::is_copy(subject));
        }
    }

    fn push(&mut self, piece: Piece) {
        if self.chapters.is_empty() {
            self.chapters.push(Chapter::default());
        }
        if let Some(chapter) = self.chapters.last_mut() {
            match (&piece, chapter.pieces.last_mut()) {
                (Piece::Facts(more), Some(Piece::Facts(facts))) => facts.extend(more.iter().cloned()),
                _ => chapter.pieces.push(piece),
            }
        }
    }

    fn part(&mut self, part: Part) {
        if !matches!(part, Part::List(_)) {
            self.skips_list = false;
        }
        match part {
            Part::Lines(lines) => self.lines(&gather::unwrapped(lines)),
            Part::List(list) if self.skips_list => {
                self.skips_list = false;
                for item in list.items {
                    self.material.interest.add(Rich::joined(&item.lines).plain());
                }
            }
            Part::List(list) => self.list(list),
            Part::Quote(lines) => self.quote(&lines),
            Part::Table(grid) => {
                let cells = || grid.columns.iter().chain(grid.rows.iter().flatten());
                if !grid.rows.is_empty() && cells().all(|cell| stance::is_copy(cell)) {
                    self.push(Piece::Grid(grid));
                }
            }
            Part::Picture(url, alt) => self.picture(&url, &alt),
            Part::Code(code) => {
                let is_data = code.trim_start().starts_with(['{', '[', '<']);
                let is_shown =
                    self.origin == Origin::Page && !is_data && code.len() < 2000 && stance::is_copy(&code);
                if is_shown && !code.trim().is_empty() {
                    self.push(Piece::Code(code));
                }
            }
        }
    }

    fn picture(&mut self, url: &str, alt: &str) {
        if address::is_fetched(url) && url.len() <= 2000 {
            let alt = tidy::line(alt, 200);
            let alt_text = if stance::is_copy(&alt) { alt } else { String::new() };
            self.push(Piece::Picture(Picture { url: url.to_owned(), alt_text, width: None, height: None }));
        }
    }

    fn quote(&mut self, lines: &[Rich]) {
        if lines.iter().any(|line| !stance::is_copy(line.plain())) {
            return;
        }
        match detect::voice(lines, true) {
            Some(voice) => self.material.voices.push(voice),
            None => self.push(Piece::Quote(lines.to_vec())),
        }
    }

    fn lines(&mut self, lines: &[Rich]) {
        if lines.iter().any(|line| stance::of(line.plain()) == Stance::Injection) {
            return;
        }
        let each: Option<Vec<_>> =
            lines.iter().map(|line| detect::voice(std::slice::from_ref(line), false)).collect();
        let marked = self.mode == Mode::Voices;
        if let Some(voices) = each.or_else(|| detect::voice(lines, marked).map(|voice| vec![voice])) {
            self.material.voices.extend(voices);
            return;
        }
        if let Some(grid) =
            detect::grid(lines).filter(|_| lines.iter().all(|line| stance::is_copy(line.plain())))
        {
            self.push(Piece::Grid(grid));
            return;
        }
        let mut at = 0;
        while at < lines.len() {
            at += self.line(&lines[at..]);
        }
    }

    /// Reads a line, or a question with its answer; how many lines that took.
    fn line(&mut self, lines: &[Rich]) -> usize {
        let Some(line) = lines.first() else { return 1 };
        if let Some(url) = links::sole_address(line).map(str::to_owned) {
            self.address(&url, line);
            return 1;
        }
        if let Some((question, answer, taken)) = gather::asked(lines)
            && stance::is_copy(&question)
        {
            self.answer(&question, &answer);
            return taken;
        }
        match label::split(line.plain()) {
            Some((name, at)) => self.labelled(name, line.after(at), line),
            None => self.prose(line),
        }
        1
    }

    fn address(&mut self, url: &str, line: &Rich) {
        match links::target(url) {
            Target::Video => self.push(Piece::Film(url.to_owned())),
            Target::Picture => self.picture(url, ""),
            Target::Page => self.push(Piece::Prose(vec![line.clone()])),
        }
    }

    fn answer(&mut self, question: &str, answer: &[Rich]) {
        let kept: Vec<Rich> =
            answer.iter().flat_map(Rich::sentences).filter(|one| stance::is_copy(one.plain())).collect();
        if !kept.is_empty() {
            let markdown = tidy::fit(Rich::joined(&kept).markdown(), 4000);
            self.material.questions.push(FrameItem { title: tidy::fit(question, 300), markdown });
        }
    }

    /// `## Is it safe?` with a short text is a question with its answer, if it is one of several.
    fn questions_of_heading(&mut self) {
        let Some(chapter) = self.chapters.last() else { return };
        let is_question = chapter.title.as_deref().is_some_and(detect::is_question);
        let is_text =
            !chapter.pieces.is_empty() && chapter.pieces.iter().all(|piece| matches!(piece, Piece::Prose(_)));
        if is_question && is_text {
            let chapter = self.chapters.pop().unwrap_or_default();
            let paragraphs = chapter.pieces.iter().filter_map(|piece| match piece {
                Piece::Prose(sentences) => Some(Rich::joined(sentences).markdown().to_owned()),
                _ => None,
            });
            let markdown = tidy::fit(&paragraphs.collect::<Vec<_>>().join("\n\n"), 4000);
            self.material.questions.push(FrameItem { title: chapter.title.unwrap_or_default(), markdown });
        }
    }
}
