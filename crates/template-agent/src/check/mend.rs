//! Takes out of a page what the checker found.

use std::collections::HashSet;

use pagesmith_model::content::Content;
use pagesmith_model::content::component::Component;

use super::{Checker, Finding, Rule, plain_words};
use crate::rich;
use crate::tidy;

impl Checker {
    /// Takes out of a page what is wrong about it: parts of blocks where that suffices, else blocks. Returns what was found; `title` is
    /// the headline where the page's own cannot stay.
    pub fn enforce(&self, content: &mut Content, title: &str) -> Vec<Finding> {
        let first = self.check(content);
        let mut found = first.clone();
        for _ in 0..ROUNDS {
            if found.is_empty() {
                break;
            }
            let mut blocks: Vec<Option<Component>> =
                std::mem::take(&mut content.blocks).into_iter().map(Some).collect();
            for finding in &found {
                match finding.block {
                    Some(at) => {
                        if let Some(place) = blocks.get_mut(at) {
                            *place = place
                                .take()
                                .and_then(|block| mended(block, finding, title, &self.action_ids));
                        }
                    }
                    None => mend_head(content, finding),
                }
            }
            content.blocks = blocks.into_iter().flatten().collect();
            found = self.check(content);
        }
        first
    }
}

/// How often a page is mended and checked again.
const ROUNDS: usize = 6;

fn mend_head(content: &mut Content, finding: &Finding) {
    let head = &mut content.head;
    let has = |text: &Option<String>| text.as_ref().is_some_and(|text| says(text, &finding.text));
    for place in [&mut head.title, &mut head.description, &mut head.site_name] {
        if has(place) {
            *place = None;
        }
    }
}

/// Whether a text has the words of another one.
fn says(text: &str, words: &str) -> bool {
    let words = plain_words(words).join(" ");
    format!(" {} ", plain_words(text).join(" ")).contains(&format!(" {words} "))
        || tidy::folded(text).contains(&words)
}

/// A block without what was found in it, if anything is left.
fn mended(
    block: Component,
    finding: &Finding,
    title: &str,
    action_ids: &HashSet<String>,
) -> Option<Component> {
    let wrong = |text: &str| says(text, &finding.text);
    match block {
        Component::Hero(mut hero) => {
            hero.action_ids.retain(|id| action_ids.contains(id));
            for place in [&mut hero.eyebrow, &mut hero.subtitle] {
                if place.as_ref().is_some_and(|text| wrong(text)) {
                    *place = None;
                }
            }
            if hero.figure.as_ref().is_some_and(|stat| wrong(&format!("{} {}", stat.value, stat.label))) {
                hero.figure = None;
            }
            if let Some(image) = hero.image.as_mut().filter(|image| wrong(&image.alt_text)) {
                image.alt_text.clear();
            }
            if finding.rule == Rule::Headline || wrong(&hero.title) {
                title.clone_into(&mut hero.title);
            }
            Some(Component::Hero(hero))
        }
        Component::CallToAction(mut closing) => {
            closing.action_ids.retain(|id| action_ids.contains(id));
            if closing.text.as_ref().is_some_and(|text| wrong(text)) {
                closing.text = None;
            }
            (!wrong(&closing.title) || finding.rule == Rule::DeadAction)
                .then_some(Component::CallToAction(closing))
        }
        Component::FeatureCards(mut block) => {
            block
                .cards
                .iter_mut()
                .for_each(|card| card.action_id = card.action_id.take().filter(|id| action_ids.contains(id)));
            block.cards.retain(|card| !wrong(&card.title) && !wrong(&card.text));
            (block.cards.len() >= 2).then_some(Component::FeatureCards(block))
        }
        Component::PriceCards(mut block) => {
            block
                .plans
                .iter_mut()
                .for_each(|plan| plan.action_id = plan.action_id.take().filter(|id| action_ids.contains(id)));
            block.plans.retain(|plan| {
                !wrong(&plan.name)
                    && !wrong(&plan.text)
                    && !plan.price.as_ref().is_some_and(|price| wrong(price))
                    && !plan.points.iter().any(|point| wrong(point))
            });
            (!block.plans.is_empty()).then_some(Component::PriceCards(block))
        }
        block => mended_list(block, &wrong),
    }
}

/// The same for blocks of parts that lead nowhere.
fn mended_list(block: Component, wrong: &dyn Fn(&str) -> bool) -> Option<Component> {
    match block {
        Component::FrameList(mut block) => {
            block.frames.retain(|frame| !wrong(&frame.title) && !wrong(&rich::words(&frame.markdown)));
            (!block.frames.is_empty()).then_some(Component::FrameList(block))
        }
        Component::TestimonialCarousel(mut block) => {
            block.testimonials.retain(|said| {
                !wrong(&said.quote)
                    && !wrong(&said.author)
                    && !said.role.as_ref().is_some_and(|role| wrong(role))
            });
            (!block.testimonials.is_empty()).then_some(Component::TestimonialCarousel(block))
        }
        Component::StatsCards(mut block) => {
            block.stats.retain(|stat| !wrong(&stat.value) && !wrong(&stat.label));
            (block.stats.len() >= 2).then_some(Component::StatsCards(block))
        }
        Component::Steps(mut block) => {
            block.steps.retain(|step| !wrong(&step.title) && !wrong(&step.text));
            (block.steps.len() >= 2).then_some(Component::Steps(block))
        }
        Component::LogoMarquee(mut block) => {
            block.names.retain(|name| !wrong(name));
            (!block.names.is_empty() || !block.logos.is_empty()).then_some(Component::LogoMarquee(block))
        }
        Component::Text(mut block) => {
            block.markdown = without_lines(&block.markdown, wrong);
            (!block.markdown.is_empty() && !block.title.as_ref().is_some_and(|title| wrong(title)))
                .then_some(Component::Text(block))
        }
        Component::Frame(mut block) => {
            block.markdown = without_lines(&block.markdown, wrong);
            (!block.markdown.is_empty() && !wrong(&block.title)).then_some(Component::Frame(block))
        }
        _ => None,
    }
}

/// Markdown without its lines that are wrong.
fn without_lines(markdown: &str, wrong: &dyn Fn(&str) -> bool) -> String {
    markdown
        .lines()
        .filter(|line| !wrong(&rich::words(line)))
        .collect::<Vec<_>>()
        .join("\n")
        .trim()
        .to_owned()
}
