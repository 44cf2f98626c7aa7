//! What a line with a label says, by what its label announces.

use super::{Mode, Origin, Sorter};
use crate::material::Piece;
use crate::rich::Rich;
use crate::stance::{self, label, label::Label};
use crate::{detect, reader, tidy, voice};

impl Sorter<'_> {
    pub(super) fn labelled(&mut self, name: &str, value: Rich, line: &Rich) {
        let meaning = label::of(name);
        let text = value.plain().trim().to_owned();
        match meaning {
            Label::Writer => {
                self.skips_list = text.is_empty();
                if tidy::folded(name).contains("not")
                    || matches!(tidy::folded(name).as_str(), "avoid" | "vermeiden" | "evitar" | "à éviter")
                {
                    self.material.interest.refuse(&text);
                } else if !tidy::folded(name).starts_with("competit") {
                    self.material.interest.add(&text);
                }
            }
            Label::Headline | Label::Tagline | Label::Brand
                if stance::is_copy(&text) && tidy::says_something(&text) =>
            {
                self.title(meaning, &text);
            }
            Label::Talked | Label::Next if self.takes_notes() => {
                self.mode = if meaning == Label::Next { Mode::Next } else { Mode::Talked };
                self.note(&value);
            }
            Label::Challenge | Label::UseCase if self.origin == Origin::Page => self.fact(name, value, line),
            Label::Goal | Label::Challenge | Label::UseCase | Label::Role => {
                self.material.interest.add(&text);
                if self.origin == Origin::Audience {
                    self.material.reader.take(meaning, &text);
                }
            }
            Label::Industry | Label::Place if self.origin == Origin::Audience => {
                self.material.reader.take(meaning, &text);
            }
            Label::Voices => {
                if let Some(voice) = detect::voice(&[value], true) {
                    self.material.voices.push(voice);
                }
            }
            Label::Neutral | Label::Headline | Label::Tagline | Label::Brand => self.prose(&value),
            _ if text.is_empty() || is_of_mail(name, &text) => {}
            _ => self.fact(name, value, line),
        }
    }

    pub(super) fn title(&mut self, meaning: Label, text: &str) {
        let place = match meaning {
            Label::Headline => &mut self.material.headline,
            Label::Tagline => &mut self.material.tagline,
            _ if self.origin == Origin::Audience => {
                if self.material.reader.company.is_empty() && reader::is_company(text) {
                    self.material.reader.company = tidy::line(text, 80);
                }
                return;
            }
            _ if text.split_whitespace().count() > 3 && !text.contains(". ") => &mut self.material.offer,
            _ => &mut self.material.brand,
        };
        let sentences = Rich::of(text).sentences();
        if let (Label::Brand, [name, rest @ ..]) = (meaning, sentences.as_slice())
            && !rest.is_empty()
        {
            self.title(meaning, name.plain().trim_end_matches('.'));
            return self.prose(&Rich::joined(rest));
        }
        if place.is_none() {
            *place = Some(tidy::capital(&tidy::line(text, if meaning == Label::Brand { 110 } else { 300 })));
        }
    }

    /// A label that is nobody's word: a fact if its value is short, else text.
    pub(super) fn fact(&mut self, name: &str, value: Rich, line: &Rich) {
        let is_short = tidy::length(value.plain()) <= 320 && value.sentences().len() <= 3;
        if !stance::is_copy(name)
            || !value.sentences().iter().all(|sentence| stance::is_copy(sentence.plain()))
        {
            self.instruction(line.plain());
        } else if self.origin == Origin::Audience && voice::is_private(line.plain()) {
            self.material.interest.add(value.plain());
        } else if is_short {
            self.push(Piece::Facts(vec![(tidy::capital(&tidy::line(name, 60)), value)]));
        } else {
            self.prose(line);
        }
    }
}

/// Whether a line is the head of a mail that somebody pasted: who it is from is nobody else's business.
fn is_of_mail(name: &str, value: &str) -> bool {
    let is_answer =
        ["re:", "fwd:", "fw:", "aw:", "wg:"].iter().any(|start| tidy::folded(value).starts_with(start));
    match tidy::folded(name).as_str() {
        "from" | "to" | "cc" | "bcc" | "reply-to" | "von" | "an" | "de" | "à" | "para" => {
            value.contains('@')
        }
        "subject" | "betreff" | "objet" | "asunto" => is_answer,
        _ => false,
    }
}
