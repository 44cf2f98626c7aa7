//! What the items of a list say: each is judged by itself, since lists mix facts, questions, quotations and rules.

use pagesmith_model::content::part::{Picture, Stat};

use super::{Classifier, points, quotation, sequence};
use crate::fate::Fate;
use crate::figure;
use crate::kind::{self, Kind};
use crate::links::{self, Target};
use crate::material::ChapterPiece;
use crate::outline::List;
use crate::rich::Rich;
use crate::stance::label::{self, Label};
use crate::words::Tokens;
use crate::{gather, tidy};

impl Classifier<'_> {
    pub(super) fn list(&mut self, list: List) {
        let total = list.items.len();
        let mut points = Vec::with_capacity(total);
        let mut pictures = Vec::new();
        for item in list.items {
            let line = Rich::joined(&item.lines);
            if let Some(url) = links::sole_address(&line).map(str::to_owned) {
                match links::target(&url) {
                    Target::Picture => {
                        pictures.push(Picture { url, ..Picture::default() });
                    }
                    _ => self.address(&url, &line),
                }
                continue;
            }
            if let Some((question, answer)) = gather::asked_in_item(&item.lines, &item.nested)
                && self.is_fact(&question)
            {
                self.answer(&question, &answer);
                continue;
            }
            if let [found] = quotation::quotations(line.plain(), self.lexicon()).as_slice() {
                self.reading.material.quotations.push(found.testimonial.clone());
                continue;
            }
            let all = Rich::joined(item.lines.iter().chain(&item.nested));
            // `ganz vorne: wir erinnern acht Wochen vorher`
            let all = match label::split(all.plain()) {
                Some((name, at)) if label::of(name) == Label::Neutral => all.after(at),
                _ => all,
            };
            let mut kept = Vec::new();
            for sentence in all.sentences() {
                match self.fate(sentence.plain(), false) {
                    Fate::Fact => kept.push(sentence),
                    Fate::Note => self.note(sentence.plain()),
                    Fate::Instruction => self.instruction(&sentence),
                    Fate::Injection => {}
                }
            }
            let text = Rich::joined(&kept);
            // `onboarding: 1) send us … 2) we run …`
            let steps = sequence::numbered(text.plain())
                .map(|(_, steps)| steps)
                .or_else(|| sequence::announced(text.plain(), self.lexicon()?));
            if let Some(steps) = steps {
                self.push(ChapterPiece::Steps(
                    steps.into_iter().map(|step| (step, Rich::default())).collect(),
                ));
                continue;
            }
            if tidy::says_something(text.plain()) {
                points.push(text);
            }
        }
        if !pictures.is_empty() {
            self.push(ChapterPiece::Logos(pictures));
        }
        // What is left of a list of rules is a rule as well.
        if points.is_empty() || (points.len() * 2 < total.min(8) && total > 2) {
            return;
        }
        self.points(points, list.ordered);
    }

    /// A list as what suits it: steps, cards, figures, or a list.
    fn points(&mut self, points: Vec<Rich>, ordered: bool) {
        let titled: Option<Vec<(String, Rich)>> = points.iter().map(points::titled).collect();
        if ordered && points.len() >= 2 {
            let steps = titled.unwrap_or_else(|| {
                points
                    .iter()
                    .map(|point| (tidy::capital(point.plain().trim_end_matches('.')), Rich::default()))
                    .collect()
            });
            return self.push(ChapterPiece::Steps(steps));
        }
        if let Some(cards) =
            titled.filter(|cards| cards.len() >= 2 && cards.iter().all(|(_, text)| !text.is_blank()))
        {
            return self.push(ChapterPiece::Cards(cards));
        }
        if let Some(lexicon) = self.lexicon() {
            let stats: Vec<Stat> = points
                .iter()
                .filter_map(|point| match figure::stats(point.plain(), lexicon).as_slice() {
                    [only] => Some(only.clone()),
                    _ => None,
                })
                .collect();
            let are_figures =
                points.iter().all(|point| kind::kind(point.plain(), Some(lexicon)) == Kind::Figure);
            if are_figures && stats.len() == points.len() && points.len() >= 2 {
                return self.push(ChapterPiece::Stats(stats));
            }
        }
        let mut facts = Vec::new();
        for point in points {
            if let Some(names) = kind::integrations(point.plain(), &Tokens::of(point.plain()), self.lexicon())
            {
                self.push(ChapterPiece::Names(names));
            } else {
                facts.push(self.fact(point));
            }
        }
        if !facts.is_empty() {
            self.push(ChapterPiece::List(facts));
        }
    }
}
