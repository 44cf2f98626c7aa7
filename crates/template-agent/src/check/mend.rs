//! Takes out of a page what the checker found: parts of blocks where that suffices, else blocks.
//!
//! What this is not: a writer. It takes away, divides what is too long, and adds no more than a headline and a button of the brief.

use pagesmith_model::content::component::{Component, Hero};
use pagesmith_model::content::{Content, ContentHead};

use super::{Checker, EarlierSentences, Finding, Rule, sentences, texts};
use crate::count;
use crate::rich::Rich;
use crate::{blocks, sentence};

mod parts;

/// How often a page is mended and checked again before blocks with findings are left out.
const ROUNDS: usize = 3;

impl Checker {
    /// Lets pages say what this text says: it is on the page already, or its owner has said it.
    pub fn allow(&mut self, text: &str) {
        self.facts.add(text);
    }

    /// Takes out of a page what is wrong about it. Returns what was found.
    pub fn enforce(&self, content: &mut Content) -> Vec<Finding> {
        let first = self.check(content);
        let mut found = first.clone();
        for _ in 0..ROUNDS {
            if found.is_empty() {
                return first;
            }
            self.mend(content);
            found = self.check(content);
        }
        while !found.is_empty() && !content.blocks.is_empty() {
            let wrong = |at: usize| found.iter().any(|finding| finding.block == Some(at));
            let blocks = std::mem::take(&mut content.blocks).into_iter().enumerate();
            let kept = blocks.filter_map(|(at, block)| match block {
                Component::Hero(hero) if wrong(at) && at == 0 && !self.is_bare(&hero) => {
                    Some(Component::Hero(self.bare(hero)))
                }
                block => (!wrong(at)).then_some(block),
            });
            content.blocks = kept.collect();
            self.offer(content);
            found = self.check(content);
        }
        first
    }

    fn mend(&self, content: &mut Content) {
        self.mend_head(&mut content.head);
        let mut mending = Mending::by(self);
        let blocks = std::mem::take(&mut content.blocks);
        content.blocks = blocks.into_iter().filter_map(|block| mending.block(block)).collect();
        self.offer(content);
    }

    /// Takes out of a head what is wrong about it.
    pub fn mend_head(&self, head: &mut ContentHead) {
        for place in [&mut head.title, &mut head.description, &mut head.site_name] {
            if place.as_ref().is_some_and(|text| !self.faults("head", text, &sentences(text)).is_empty()) {
                *place = None;
            }
        }
    }

    /// Adds the first action where the page offers none.
    fn offer(&self, content: &mut Content) {
        let Some(id) = self.action_ids.first().filter(|_| !self.has_call_to_action(content)) else { return };
        let place = content.blocks.iter_mut().rev().find_map(|block| match block {
            Component::CallToAction(block) => Some(&mut block.action_ids),
            Component::Hero(block) => Some(&mut block.action_ids),
            _ => None,
        });
        if let Some(place) = place {
            place.push(id.clone());
        }
    }

    /// A hero with nothing but the brief's headline.
    fn bare(&self, hero: Hero) -> Hero {
        Hero {
            title: self.title.clone(),
            eyebrow: None,
            subtitle: None,
            image: None,
            figure: None,
            action_ids: hero.action_ids.into_iter().filter(|id| self.has_action(id)).collect(),
            ..hero
        }
    }

    fn is_bare(&self, hero: &Hero) -> bool {
        *hero == self.bare(hero.clone())
    }
}

/// Mends the blocks of a page one after the other.
pub struct Mending<'a> {
    checker: &'a Checker,
    said: EarlierSentences,
}

impl<'a> Mending<'a> {
    /// Nothing said yet.
    pub fn by(checker: &'a Checker) -> Mending<'a> {
        Mending { checker, said: EarlierSentences::default() }
    }

    /// A block without what is wrong about it, if anything is left.
    pub fn block(&mut self, block: Component) -> Option<Component> {
        let before = self.said.clone();
        let mended = self.mended(block);
        if mended.is_none() {
            self.said = before;
        }
        mended
    }

    /// Whether these texts of one part can stay; only then they count as said.
    fn keeps(&mut self, texts: &[(&'static str, &str)]) -> bool {
        let mut said = self.said.clone();
        let fits = texts.iter().all(|(field, text)| {
            let parts = sentences(text);
            self.checker.faults(field, text, &parts).is_empty()
                && said.repeats(field, text, &parts).is_empty()
        });
        if fits {
            self.said = said;
        }
        fits
    }

    /// Clears a text that cannot stay.
    fn optional(&mut self, text: &mut Option<String>) {
        if let Some(long) = text {
            *long = short(long);
        }
        if text.as_ref().is_some_and(|text| text.is_empty() || !self.keeps(&[("", text)])) {
            *text = None;
        }
    }

    fn action(&self, id: &mut Option<String>) {
        *id = id.take().filter(|id| self.checker.has_action(id));
    }

    /// Markdown without what is wrong about it, if anything is left.
    fn markdown(&mut self, markdown: &str) -> Option<String> {
        let mut lines: Vec<Option<String>> = markdown.lines().map(|line| Some(line.to_owned())).collect();
        for piece in texts::pieces(markdown) {
            let parts = sentences(&piece.text);
            let faults = self.checker.faults("markdown", &piece.text, &parts);
            let is_wrong = faults.iter().any(|(rule, _)| *rule != Rule::LongProse);
            let repeats = is_wrong || !self.said.repeats("markdown", &piece.text, &parts).is_empty();
            if !repeats && faults.is_empty() {
                continue;
            }
            let source: Vec<String> =
                lines.get_mut(piece.lines.clone()).into_iter().flatten().filter_map(Option::take).collect();
            // Paragraphs on both sides of a code block or a heading stay two; items of a list stay close.
            let is_item = source.first().is_some_and(|line| {
                line.trim_start().starts_with(|char: char| "-*+".contains(char) || char.is_ascii_digit())
            });
            if !repeats && piece.is_prose {
                lines[piece.lines.start] = Some(divided(&source.join(" ")));
            } else if !source.is_empty() && !is_item {
                lines[piece.lines.start] = Some(String::new());
            }
        }
        let mut left: String = lines.into_iter().flatten().collect::<Vec<_>>().join("\n");
        while let Some(heading) =
            texts::empty_headings(&texts::pieces(&left)).next().map(|piece| piece.lines.clone())
        {
            let lines =
                left.lines().enumerate().filter(|(at, _)| !heading.contains(at)).map(|(_, line)| line);
            left = lines.collect::<Vec<_>>().join("\n");
        }
        let left = left.trim_matches('\n').to_owned();
        texts::pieces(&left).iter().any(|piece| piece.says_something).then_some(left)
    }
}

/// The sentences of a long text as a list.
fn divided(markdown: &str) -> String {
    let bare = markdown.trim_start();
    let ordinal = bare.find(|char: char| !char.is_ascii_digit()).unwrap_or(0);
    let bare = match bare.split_at(ordinal) {
        ("", text) => text.trim_start_matches(['-', '*', '+', '>', ' ']),
        (_, text) => text.strip_prefix([')', '.']).unwrap_or(bare),
    };
    format!("\n{}\n", blocks::prose_markdown(&Rich::of_markdown(bare).sentences()))
}

/// As many whole sentences of a text as may stand together; none if its first is too long.
fn short(text: &str) -> String {
    if count::words(text) <= blocks::MOST_PROSE {
        return text.to_owned();
    }
    let ends = sentence::ends(text).into_iter();
    let fits = ends.take_while(|end| count::words(&text[..*end]) <= blocks::MOST_PROSE).last();
    text[..fits.unwrap_or(0)].trim().to_owned()
}
