//! Reads a context into facts, notes and instructions: the second stage, after the split into an outline.
//!
//! Invariant: every sentence, item, cell and heading that gets into the material was judged by [`fate`].

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use pagesmith_model::content::address;
use pagesmith_model::content::part::{FrameItem, Picture};

use crate::concern::Concerns;
use crate::fate::{self, Fate};
use crate::instructions::Instructions;
use crate::kind::{self, Kind};
use crate::language::{self, Language};
use crate::lexicon::Lexicon;
use crate::links::{self, Target};
use crate::material::{Chapter, ChapterPiece, Fact, Material};
use crate::outline::{self, Section, SectionPart};
use crate::reader::Reader;
use crate::rich::Rich;
use crate::stance::label::{self, Label};
use crate::stance::{confidential, doubt, greeting};
use crate::words::Tokens;
use crate::{careless, gather, pasted, stance, tidy};

mod chapters;
mod fates;
mod indirect;
mod labels;
mod lists;
pub mod points;
pub mod price;
mod prose;
pub mod quotation;
mod sequence;
mod speakers;

use speakers::{is_one_person, is_polite};

/// The most words of a context that may be one sentence.
const ONE_LINER: usize = 80;

/// The most words of a sentence that asks to keep quiet and says nothing else.
const MOST_REQUEST: usize = 8;

/// What the second stage hands on.
pub struct Reading {
    /// What visitors may read.
    pub material: Material,
    /// What is asked of the writer.
    pub instructions: Instructions,
    /// What the audience cares about.
    pub concerns: Concerns,
    /// Sentences of the context that describe the audience.
    pub notes: Vec<String>,
    /// Sentences and clauses of the context that are said to the writer.
    pub orders: Vec<String>,
    /// The context without its remarks, and without what programs put around a text that is pasted.
    pub context: String,
    /// The remarks that stood in it.
    pub remarks: Vec<String>,
    /// The numbers of the paragraphs and lists in which something is for the writer.
    pub talk: HashSet<usize>,
}

/// What the text at hand is about, by its heading or label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Plain,
    Headline,
    Tagline,
    Questions,
    Voices,
}

/// Reads a page's context.
pub struct Classifier<'a> {
    reading: Reading,
    reader: &'a Reader,
    language: Language,
    mode: Mode,
    /// The list that follows belongs to an instruction.
    skips_list: bool,
    /// That instruction refuses something.
    refuses: bool,
    /// A line before told what was agreed.
    after_agreed: bool,
    /// Whether who speaks to visitors says `I`; else whoever does speaks to the writer.
    is_one_person: bool,
    /// Whether the page speaks to visitors as to people whom one does not know.
    is_polite: bool,
    /// Whether the context is so short that facts and instructions share a sentence.
    is_one_liner: bool,
    /// How many paragraphs and lists were read.
    paragraph: usize,
    /// What became of the sentences that were judged, by their hashes: not after a note and after one.
    judged: RefCell<HashMap<u64, [Option<Fate>; 2], FixedState>>,
    /// The kinds of trouble that the company works with.
    trades: HashSet<usize>,
}

impl<'a> Classifier<'a> {
    /// Reads the context of a page.
    pub fn read(context: &str, reader: &'a Reader, language: Language) -> Reading {
        let reading = Reading {
            material: Material::default(),
            instructions: Instructions::default(),
            concerns: Concerns::of(language),
            notes: Vec::new(),
            orders: Vec::new(),
            context: String::new(),
            remarks: Vec::new(),
            talk: HashSet::new(),
        };
        let is_one_liner = context.split_whitespace().take(ONE_LINER + 1).count() <= ONE_LINER;
        let mut classifier = Classifier {
            reading,
            reader,
            language,
            mode: Mode::Plain,
            skips_list: false,
            refuses: false,
            after_agreed: false,
            is_one_person: false,
            is_polite: false,
            is_one_liner,
            paragraph: 0,
            judged: RefCell::default(),
            trades: confidential::trades(context, language.tag),
        };
        let context = tidy::head(context, outline::MOST_BYTES);
        // In a chat nearly every message begins small, and few of them are sentences.
        let is_chat = context.lines().any(|line| pasted::stamped(line).is_some());
        let context = pasted::repaired(context);
        let (context, around) = pasted::cleaned(&context);
        let context = greeting::without(&context);
        let is_order = |sentence: &str| {
            matches!(
                classifier.by_rules(&fate::Sentence::of(sentence), false),
                Fate::Instruction | Fate::Injection
            )
        };
        let context = if is_chat {
            Cow::Borrowed(context.as_ref())
        } else {
            careless::tidied(&context, language.lexicon, is_order)
        };
        let (context, remarks) = fate::without_remarks(&context);
        around.iter().for_each(|line| classifier.reading.instructions.keep(line));
        classifier.is_one_person = is_one_person(&context, language);
        classifier.is_polite = classifier
            .lexicon()
            .is_some_and(|lexicon| is_polite(&context, lexicon, |text| classifier.is_fact(text)));
        if classifier.is_polite {
            classifier.judged.get_mut().clear();
        }
        let sections = gather::with_headings(outline::read(&context));
        classifier.sections(sections);
        classifier.paragraph += 1;
        remarks.iter().for_each(|remark| classifier.remark(remark));
        let Reading { material, .. } = &mut classifier.reading;
        material.chapters = gather::grouped(std::mem::take(&mut material.chapters));
        Reading { context, remarks, ..classifier.reading }
    }

    fn lexicon(&self) -> Option<&'static Lexicon> {
        self.language.lexicon
    }

    /// A remark of one writer to another: its instructions count, what it says does not.
    fn remark(&mut self, remark: &str) {
        for sentence in Rich::of(remark).sentences() {
            match self.fate(sentence.plain(), false) {
                Fate::Injection => {}
                Fate::Note => self.note(sentence.plain()),
                Fate::Fact | Fate::Instruction => self.instruction(&sentence),
            }
        }
    }

    fn note(&mut self, sentence: &str) {
        self.reading.concerns.add(sentence);
        self.reading.notes.push(sentence.to_owned());
        self.reading.talk.insert(self.paragraph);
    }

    fn instruction(&mut self, sentence: &Rich) {
        if greeting::is_greeting(sentence.plain()) {
            return;
        }
        self.reading.orders.push(sentence.plain().to_owned());
        self.reading.talk.insert(self.paragraph);
        let Reading { material, instructions, concerns, .. } = &mut self.reading;
        // What is confided or doubted asks for nothing, but whoever wrote it has to know that it is not told.
        if confidential::is_aside(sentence.plain()) || doubt::is_doubt(sentence.plain()) {
            return instructions.keep(sentence.plain());
        }
        let subject = stance::subject(sentence.plain()).filter(|subject| stance::is_copy(subject));
        if let (None, Some(_)) = (&material.subject, &subject) {
            material.subject = subject;
            concerns.stress(material.subject.as_deref().unwrap_or_default());
            return;
        }
        // Nor is it known to have been kept back, if it says more than that.
        if sentence.plain().split_whitespace().nth(MOST_REQUEST).is_some()
            && stance::is_whole(sentence.plain())
        {
            instructions.keep(sentence.plain());
        }
        let language = language::foreign(sentence.plain(), &Tokens::of(sentence.plain()), self.language)
            .unwrap_or(self.language);
        if let Some(fact) = instructions.obey(sentence.plain(), concerns, language)
            && self.fate(&fact, false) == Fate::Fact
        {
            let fact = Fact { is_stressed: true, ..self.fact(Rich::of(&fact)) };
            self.push(ChapterPiece::Facts(vec![fact]));
        }
    }

    fn fact(&self, text: Rich) -> Fact {
        let kind = kind::kind(text.plain(), self.lexicon());
        Fact { text, kind, is_stressed: false, paragraph: self.paragraph }
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
            let title = match title.map(|title| self.heading(&title, section.level)) {
                Some(Ok(title)) => title,
                Some(Err(())) => {
                    skipped = Some(section.level);
                    continue;
                }
                None => None,
            };
            let is_main = section.level == 1 && self.reading.material.headline.is_none() && title.is_some();
            if is_main {
                self.reading.material.headline.clone_from(&title);
            }
            let title = title.filter(|_| !is_main);
            self.reading.material.chapters.push(Chapter { title, level: section.level, pieces: Vec::new() });
            let said_to_writer = self.reading.notes.len() + self.reading.orders.len();
            section.parts.into_iter().for_each(|part| self.part(part));
            self.without_notes(self.reading.notes.len() + self.reading.orders.len() - said_to_writer);
            self.questions_of_heading();
        }
    }

    /// The heading as it is shown; an error if nothing under it is for visitors.
    fn heading(&mut self, title: &str, level: u8) -> Result<Option<String>, ()> {
        let bare = title.trim_end_matches([':', '：']).trim();
        if greeting::is_greeting(bare) {
            return Ok(None);
        }
        match label::of(bare) {
            Label::Writer => return Err(()),
            Label::Headline => self.mode = Mode::Headline,
            Label::Tagline => self.mode = Mode::Tagline,
            Label::Questions => self.mode = Mode::Questions,
            Label::Voices => self.mode = Mode::Voices,
            Label::Neutral | Label::Brand => {}
            _ => {
                return match self.fate(bare, false) {
                    Fate::Fact => Ok(tidy::says_something(bare).then(|| tidy::fit(bare, 160))),
                    Fate::Instruction => {
                        self.instruction(&Rich::of(bare));
                        // `# Landing page for X` is above everything, and what is under it is meant; so it is
                        // where a letter greets.
                        let greets = self.lexicon().is_some_and(|lexicon| {
                            lexicon.instructions.greetings.begins(&Tokens::of(bare)).is_some()
                        });
                        if level <= 1 || greets { Ok(None) } else { Err(()) }
                    }
                    Fate::Note => {
                        self.note(bare);
                        Err(())
                    }
                    Fate::Injection => Err(()),
                };
            }
        }
        Ok(None)
    }

    fn push(&mut self, piece: ChapterPiece) {
        let chapters = &mut self.reading.material.chapters;
        if chapters.is_empty() {
            chapters.push(Chapter::default());
        }
        if let Some(chapter) = chapters.last_mut() {
            match (piece, chapter.pieces.last_mut()) {
                (ChapterPiece::Facts(more), Some(ChapterPiece::Facts(facts))) => facts.extend(more),
                (ChapterPiece::Cards(more), Some(ChapterPiece::Cards(cards))) => cards.extend(more),
                (piece, _) => chapter.pieces.push(piece),
            }
        }
    }

    fn part(&mut self, part: SectionPart) {
        let skips = self.skips_list && self.refuses;
        if !matches!(part, SectionPart::List(_)) {
            self.skips_list = false;
        }
        self.paragraph += 1;
        match part {
            // `Copy the style, not the content:` and what somebody else says.
            SectionPart::Lines(lines) if skips && lines.iter().all(points::is_quoted) => {
                lines.iter().for_each(|line| self.instruction(line));
            }
            SectionPart::Lines(lines) => self.lines(&gather::unwrapped(lines)),
            SectionPart::List(list) if self.skips_list => {
                self.skips_list = false;
                list.items.iter().for_each(|item| self.instruction(&Rich::joined(&item.lines)));
            }
            SectionPart::List(list) => self.list(list),
            SectionPart::Quote(lines) => self.quote(&lines),
            SectionPart::Table(grid) => {
                let cells = || grid.columns.iter().chain(grid.rows.iter().flatten());
                if !grid.rows.is_empty() && cells().all(|cell| stance::is_copy(cell)) {
                    self.push(ChapterPiece::Grid(grid));
                }
            }
            SectionPart::Picture(url, alt) => self.picture(&url, &alt),
            SectionPart::Code(code) => {
                let is_data = code.trim_start().starts_with(['{', '[', '<']);
                let is_shown = !is_data && code.len() < 2000 && stance::is_copy(&code);
                if is_shown && !code.trim().is_empty() {
                    self.push(ChapterPiece::Code(code));
                }
            }
        }
    }

    fn picture(&mut self, url: &str, alt: &str) {
        if address::is_fetched(url) && url.len() <= 2000 {
            let alt = tidy::line(alt, 200);
            let alt_text = if self.is_fact(&alt) { alt } else { String::new() };
            self.push(ChapterPiece::Picture(Picture { url: url.to_owned(), alt_text, ..Picture::default() }));
        }
    }

    /// A paragraph that stands as a quotation.
    fn quote(&mut self, lines: &[Rich]) {
        if lines.iter().any(|line| !stance::is_copy(line.plain())) {
            return;
        }
        match points::quotation_block(lines) {
            Some(found) => self.reading.material.quotations.push(found),
            None => self.lines(lines),
        }
    }

    fn lines(&mut self, lines: &[Rich]) {
        let trusted = fate::trusted_lines(lines);
        let lines = trusted.as_ref();
        if lines.is_empty() {
            return;
        }
        if self.mode == Mode::Voices || lines.len() > 1 {
            let is_voices = self.mode == Mode::Voices;
            if let Some(found) =
                points::quotation_block(lines).filter(|_| is_voices || points::ends_in_speaker(lines))
            {
                self.reading.material.quotations.push(found);
                return;
            }
        }
        if let Some((lead, steps)) =
            points::numbered_lines(lines).filter(|_| lines.iter().all(|line| stance::is_copy(line.plain())))
        {
            lines[..lead].iter().for_each(|line| self.prose(line));
            return self.push(ChapterPiece::Steps(steps));
        }
        if let Some(grid) =
            points::grid(lines).filter(|_| lines.iter().all(|line| stance::is_copy(line.plain())))
        {
            self.push(ChapterPiece::Grid(grid));
            return;
        }
        let mut at = 0;
        while at < lines.len() {
            // Below a line such as `Not for the website`, nothing of the paragraph is for visitors.
            if label::is_withholding(lines[at].plain()) {
                return lines[at..].iter().for_each(|line| self.instruction(line));
            }
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
        if let Some(asked) = gather::asked(lines)
            && (asked.is_sure || self.mode == Mode::Questions)
            && self.is_fact(&asked.question)
        {
            self.answer(&asked.question, &asked.answer);
            return asked.lines;
        }
        match label::split(line.plain()) {
            Some((name, at)) if !line.plain()[..at].contains('"') => {
                self.labelled(name, line.after(at), line);
            }
            _ => self.prose(line),
        }
        1
    }

    fn address(&mut self, url: &str, line: &Rich) {
        match links::target(url) {
            Target::Video => self.push(ChapterPiece::Film(url.to_owned())),
            Target::Picture => self.picture(url, ""),
            Target::Page => {
                let fact = self.fact(line.clone());
                self.push(ChapterPiece::Facts(vec![fact]));
            }
        }
    }

    fn answer(&mut self, question: &str, answer: &[Rich]) {
        let sentences = answer.iter().flat_map(Rich::sentences);
        let kept: Vec<Rich> = sentences.filter(|sentence| self.is_fact(sentence.plain())).collect();
        if !kept.is_empty() {
            let markdown = tidy::fit(Rich::joined(&kept).markdown(), 4000);
            let title = tidy::fit(&tidy::capital(question.trim()), 300);
            self.reading.material.questions.push(FrameItem { title, markdown });
        }
    }

    /// Whether a sentence speaks of us, to the reader, or of a figure.
    fn speaks(&self, sentence: &str) -> bool {
        let tokens = Tokens::of(sentence);
        let Some(lexicon) = self.lexicon() else { return false };
        lexicon.grammar.we.in_text(&tokens)
            || lexicon.grammar.you.in_text(&tokens)
            || match kind::kind(sentence, Some(lexicon)) {
                Kind::Feature => false,
                // `The deposit is 300 euros`, but not `Theirs was 300 euros`.
                Kind::Price => {
                    let (third, articles) = (&lexicon.grammar.third, &lexicon.grammar.articles);
                    articles.has(tokens.word(0))
                        && !tokens.iter().any(|word| third.has(word) && !articles.has(word))
                }
                _ => true,
            }
            || lexicon.grammar.is_a.is_in(&tokens) && tokens.len() > 5
    }
}
