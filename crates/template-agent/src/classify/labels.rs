//! Lines with a label: `Audience: …`, `Headline: …`, `Agreed: …`, or a point with its title.

use super::{Classifier, Mode, points, quotation, sequence};
use crate::count;
use crate::fate::Fate;
use crate::headline;
use crate::kind::{self, Kind};
use crate::material::{Chapter, ChapterPiece};
use crate::reader;
use crate::rich::Rich;
use crate::stance;
use crate::stance::label::{self, Label};
use crate::tidy;
use crate::words::Tokens;

/// Labels of what was agreed with the reader, which is told after a call only.
const AGREED: [&str; 10] = [
    "agreed",
    "we agreed",
    "vereinbart",
    "abgemacht",
    "convenu",
    "acordado",
    "acordamos",
    "concordato",
    "afgesproken",
    "combinado",
];

/// In labels of what is not for visitors.
const UNPUBLISHED: [&str; 16] = [
    "not publish",
    "not for publication",
    "unpublished",
    "pas publier",
    "nicht veröffentlichen",
    "no publicar",
    "não publicar",
    "non pubblicare",
    "niet publiceren",
    "not for the page",
    "not for them",
    "not on the page",
    "nicht für",
    "internal",
    "confidential",
    "vertraulich",
];

impl Classifier<'_> {
    /// A line with a label, by what its label announces.
    pub(super) fn labelled(&mut self, name: &str, value: Rich, line: &Rich) {
        let text = value.plain().trim().to_owned();
        let folded = tidy::folded(name);
        if UNPUBLISHED.iter().any(|sign| folded.contains(sign)) {
            return self.note(&text);
        }
        let is_agreed = AGREED.contains(&folded.as_str());
        let is_next = label::of(name) == Label::Next
            || self.lexicon().is_some_and(|lexicon| lexicon.kinds.next.is_in(&Tokens::of(name)));
        if is_agreed || (self.after_agreed && is_next) {
            self.after_agreed = true;
            return self.note(line.plain());
        }
        match label::of(name) {
            Label::Writer if self.is_audience(name) => {
                // Behind who it is for often stands how it is to be written.
                let sentences = value.sentences();
                let mut sentences = sentences.iter();
                if let Some(first) = sentences.next() {
                    self.note(first.plain());
                }
                sentences.for_each(|sentence| match self.fate(sentence.plain(), true) {
                    Fate::Fact | Fate::Note => self.note(sentence.plain()),
                    Fate::Instruction => self.instruction(sentence),
                    Fate::Injection => {}
                });
            }
            Label::Writer => {
                self.skips_list = text.is_empty();
                match value.sentences().as_slice() {
                    [_, _, ..] => self.remark(&text),
                    _ => self.instruction(line),
                }
            }
            Label::Goal | Label::Challenge | Label::UseCase | Label::Role | Label::Industry => {
                self.note(&text);
            }
            Label::Headline | Label::Tagline | Label::Brand
                if stance::is_copy(&text) && tidy::says_something(&text) =>
            {
                self.title(label::of(name), &text);
            }
            Label::Voices => self.quote(&[value]),
            // `FAQ: Do you ship abroad? Yes.`
            Label::Questions if text.contains(['?', '？', '؟']) => {
                let before = std::mem::replace(&mut self.mode, Mode::Questions);
                self.prose(&value);
                self.mode = before;
            }
            Label::Neutral | Label::Headline | Label::Tagline | Label::Brand => self.prose(&value),
            _ if text.is_empty() => self.announcement(line),
            _ if points::is_of_mail(name, &text) => {}
            _ => self.titled_line(name, value, line),
        }
    }

    /// Whether a label announces who the page is for.
    fn is_audience(&self, name: &str) -> bool {
        let tokens = Tokens::of(&format!("{name}:"));
        self.lexicon().is_some_and(|lexicon| lexicon.kinds.audience.is_in(&tokens))
    }

    pub(super) fn title(&mut self, meaning: Label, text: &str) {
        let material = &mut self.reading.material;
        let sentences = Rich::of(text).sentences();
        if let (Label::Brand, [name, rest @ ..]) = (meaning, sentences.as_slice())
            && !rest.is_empty()
        {
            let rest = Rich::joined(rest);
            self.title(meaning, name.plain().trim_end_matches('.'));
            return self.prose(&rest);
        }
        let place = match meaning {
            Label::Headline => &mut material.headline,
            Label::Tagline => &mut material.tagline,
            _ if reader::is_company(text) && text.split_whitespace().count() <= 4 => &mut material.company,
            _ => return self.prose(&Rich::of(text)),
        };
        if place.is_none() {
            *place = Some(tidy::capital(&tidy::line(text, 300)));
        }
    }

    /// `How it works:` over something else is no fact.
    fn announcement(&mut self, line: &Rich) {
        if self.fate(line.plain(), false) == Fate::Instruction {
            self.skips_list = true;
            self.instruction(line);
        }
    }

    /// A label that is nobody's word: a titled point if its value is short, else text.
    fn titled_line(&mut self, name: &str, value: Rich, line: &Rich) {
        let judged = self.fate(line.plain(), false);
        if judged != Fate::Fact || !self.is_fact(name) {
            return self.prose(line);
        }
        // `E-bike leasing for companies: we bring …` at the very beginning.
        let material = &self.reading.material;
        let is_first = material.headline.is_none() && material.chapters.iter().all(Chapter::is_empty);
        if is_first && self.is_one_liner && headline::is_headline(name) && count::words(name) >= 3 {
            self.title(Label::Headline, name);
            return self.prose(&value);
        }
        // `So läuft es: Zuerst messen wir. Danach bohren wir.`
        let ranks = value.sentences();
        let is_ranked = self.lexicon().is_some_and(|lexicon| {
            let rank =
                |at: usize| ranks.get(at).and_then(|sentence| sequence::rank(sentence.plain(), lexicon));
            matches!(rank(0), Some((sequence::Rank::First, _))) && rank(1).is_some()
        });
        if is_ranked {
            return self.prose(&value);
        }
        let has_quotation = !quotation::quotations(line.plain(), self.lexicon()).is_empty();
        let sentences = value.sentences();
        let is_short = tidy::length(value.plain()) <= 320 && sentences.len() <= 3;
        let is_told = sentences.iter().all(|sentence| self.is_fact(sentence.plain()));
        let is_sequence = self.lexicon().is_some_and(|lexicon| {
            sequence::within(line.plain(), lexicon).is_some() || sequence::numbered(line.plain()).is_some()
        });
        let is_figure = matches!(kind::kind(line.plain(), self.lexicon()), Kind::Figure | Kind::Price);
        if !has_quotation && is_short && is_told && !is_sequence && !is_figure && !self.is_sentence(name) {
            let name = tidy::capital(&tidy::line(name, 60));
            self.push(ChapterPiece::Cards(vec![(name, value)]));
        } else {
            self.prose(line);
        }
    }

    /// Whether a label is the beginning of a sentence: `Fitting takes one Saturday: first …`.
    fn is_sentence(&self, name: &str) -> bool {
        let tokens = Tokens::of(name);
        self.lexicon().is_some_and(|lexicon| {
            lexicon.grammar.we.in_text(&tokens) || lexicon.grammar.you.in_text(&tokens)
        })
    }
}
