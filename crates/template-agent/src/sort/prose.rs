//! Running text, sentence by sentence: copy stays, notes about the reader are said to the reader, orders to the writer go.

use super::{Mode, Origin, Sorter};
use crate::material::Piece;
use crate::rich::Rich;
use crate::stance::{self, Stance, label, label::Label};
use crate::{tidy, voice};

impl Sorter<'_> {
    pub(super) fn prose(&mut self, line: &Rich) {
        match self.mode {
            Mode::Talked | Mode::Next => return self.note(line),
            Mode::Headline | Mode::Tagline if stance::is_copy(line.plain()) => {
                let meaning = if self.mode == Mode::Headline { Label::Headline } else { Label::Tagline };
                self.mode = Mode::Plain;
                return self.title(meaning, line.plain());
            }
            _ => {}
        }
        let mut kept = Vec::new();
        for sentence in line.sentences() {
            let plain = sentence.plain();
            if plain.ends_with([':', '：']) && !stance::is_copy(plain) {
                self.skips_list = true;
            }
            match stance::of(plain) {
                Stance::Copy if self.announces(&sentence) => {}
                Stance::Copy if self.is_note(plain) => self.about_reader(plain),
                Stance::Copy => kept.push(sentence),
                Stance::Instruction => self.instruction(plain),
                Stance::Injection => {}
            }
        }
        if kept.iter().any(|sentence| tidy::says_something(sentence.plain())) {
            self.push(Piece::Prose(kept));
        }
    }

    /// Whether a sentence within a paragraph has a label that says what it is for, which then is done.
    fn announces(&mut self, sentence: &Rich) -> bool {
        let Some((name, at)) = label::split(sentence.plain()) else { return false };
        let meaning = label::of(name);
        let value = sentence.plain()[at..].trim().to_owned();
        match meaning {
            _ if value.is_empty() => false,
            Label::Headline | Label::Tagline | Label::Brand => {
                self.title(meaning, &value);
                true
            }
            Label::Goal | Label::Challenge | Label::UseCase | Label::Role | Label::Industry
                if self.origin == Origin::Audience =>
            {
                self.material.interest.add(&value);
                self.material.reader.take(meaning, value.trim_end_matches('.'))
            }
            _ => false,
        }
    }

    pub(super) fn is_note(&self, sentence: &str) -> bool {
        self.origin == Origin::Audience
            && (voice::is_private(sentence)
                || voice::speaks_of_reader(sentence, &self.material.reader)
                || self.is_of_call(sentence))
    }

    /// After a call, what stands in the notes without a heading is what was talked about, unless it speaks to the reader.
    fn is_of_call(&self, sentence: &str) -> bool {
        let untitled = self.chapters.last().is_none_or(|chapter| chapter.title.is_none());
        let folded = tidy::folded(sentence);
        let speaks =
            folded.split(|char: char| !char.is_alphabetic()).any(|word| matches!(word, "you" | "your"));
        self.recap && untitled && !speaks
    }

    pub(super) fn about_reader(&mut self, sentence: &str) {
        self.material.interest.add(sentence);
        if !self.english && !self.recap {
            return;
        }
        let reader = &self.material.reader;
        let said = voice::to_reader(sentence, reader, self.english)
            .filter(|said| !voice::is_known_to_reader(said, reader));
        self.material.about_reader.extend(said);
    }

    pub(super) fn note(&mut self, line: &Rich) {
        self.material.interest.add(line.plain());
        if self.recap {
            self.notes.add_text(line.plain(), self.mode == Mode::Next, &self.material.reader, self.english);
        } else if self.mode == Mode::Talked {
            self.about_reader(line.plain());
        }
    }
}
