//! What the items of a list say: each is asked by itself, since lists mix copy, questions, quotes and rules.

use pagesmith_model::content::part::Picture;

use super::{Mode, Origin, Sorter};
use crate::links::{self, Target};
use crate::material::{Piece, Point};
use crate::outline::{Item, List};
use crate::rich::Rich;
use crate::stance::{self, Stance, label, label::Label};
use crate::{detect, gather, tidy};

impl Sorter<'_> {
    pub(super) fn list(&mut self, list: List) {
        if matches!(self.mode, Mode::Talked | Mode::Next) {
            list.items.iter().for_each(|item| self.note(&Rich::joined(&item.lines)));
            return;
        }
        let total = list.items.len();
        let mut points = Vec::with_capacity(total);
        let mut pictures = Vec::new();
        for item in list.items {
            if let Some(point) = self.item(item, &mut pictures) {
                points.push(point);
            }
        }
        if !pictures.is_empty() {
            self.push(Piece::Logos(pictures));
        }
        // What is left of a list of rules is a rule as well.
        if points.is_empty() || points.len() * 2 < total.min(8) && total > 2 {
            return;
        }
        let piece = gather::list(
            points,
            list.ordered,
            self.chapters.last().and_then(|chapter| chapter.title.as_deref()),
        );
        self.push(piece);
    }

    /// What an item says to readers, if that is not something that stands elsewhere.
    pub(super) fn item(&mut self, item: Item, pictures: &mut Vec<Picture>) -> Option<Point> {
        let mut item = item;
        let mut at = 0;
        item.lines.retain(|line| {
            at += 1;
            at == 1 || stance::is_copy(line.plain())
        });
        let line = Rich::joined(&item.lines);
        if let Some(url) = links::sole_address(&line) {
            match links::target(url) {
                Target::Video => {
                    self.push(Piece::Film(url.to_owned()));
                    return None;
                }
                Target::Picture => {
                    pictures.push(Picture {
                        url: url.to_owned(),
                        alt_text: String::new(),
                        width: None,
                        height: None,
                    });
                    return None;
                }
                Target::Page => {}
            }
        }
        let plain = line.plain();
        match stance::of(plain) {
            Stance::Injection => return None,
            Stance::Instruction => {
                self.instruction(plain);
                return None;
            }
            Stance::Copy => {}
        }
        if let Some((name, at)) = label::split(plain) {
            match label::of(name) {
                Label::Fact
                | Label::Neutral
                | Label::UseCase
                | Label::Challenge
                | Label::Place
                | Label::Goal
                    if self.origin == Origin::Page => {}
                Label::Fact | Label::Neutral => {}
                _ => {
                    self.labelled(name, line.after(at), &line);
                    return None;
                }
            }
        }
        if let Some(voice) = detect::voice(&item.lines, self.mode == Mode::Voices) {
            self.material.voices.push(voice);
            return None;
        }
        let nested: Vec<Rich> = item
            .nested
            .into_iter()
            .filter(|line| stance::is_copy(line.plain()) && !line.is_blank())
            .collect();
        if let Some((question, answer)) = gather::asked_in_item(&item.lines, &nested) {
            self.answer(&question, &answer);
            return None;
        }
        if self.is_note(plain) {
            self.about_reader(plain);
            return None;
        }
        let kept: Vec<Rich> =
            line.sentences().into_iter().filter(|sentence| stance::is_copy(sentence.plain())).collect();
        let text = Rich::joined(&kept);
        tidy::says_something(text.plain()).then_some(Point { text, nested })
    }
}
