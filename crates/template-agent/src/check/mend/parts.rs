//! What can be taken out of each kind of block, and how little of it is still a block.

use pagesmith_model::content::component::{Component, Hero};
use pagesmith_model::content::part::{FeatureCard, PricePlan, Stat};

use super::{Mending, short};
use crate::headline;

impl Mending<'_> {
    pub(super) fn mended(&mut self, block: Component) -> Option<Component> {
        match block {
            Component::Hero(hero) => self.hero(hero).map(Component::Hero),
            Component::CallToAction(mut block) => {
                block.action_ids.retain(|id| self.checker.has_action(id));
                let keeps = self.keeps(&[("title", &block.title)]);
                self.optional(&mut block.text);
                keeps.then_some(Component::CallToAction(block))
            }
            Component::FeatureCards(mut block) => {
                self.optional(&mut block.title);
                self.optional(&mut block.subtitle);
                block.cards.retain_mut(|card| self.card(card));
                (block.cards.len() >= 2).then_some(Component::FeatureCards(block))
            }
            Component::PriceCards(mut block) => {
                self.optional(&mut block.title);
                block.plans.retain_mut(|plan| self.plan(plan));
                (!block.plans.is_empty()).then_some(Component::PriceCards(block))
            }
            Component::StatsCards(mut block) => {
                self.optional(&mut block.title);
                block.stats.retain(|stat| self.stat(stat));
                (block.stats.len() >= 2).then_some(Component::StatsCards(block))
            }
            Component::Steps(mut block) => {
                self.optional(&mut block.title);
                block.steps.retain_mut(|step| {
                    step.text = short(&step.text);
                    self.keeps(&[("title", &step.title), ("", &step.text)])
                });
                (block.steps.len() >= 2).then_some(Component::Steps(block))
            }
            block => self.of_texts(block),
        }
    }

    /// The opening stays whatever was found in it; a second one with a headline that cannot stay goes.
    fn hero(&mut self, mut hero: Hero) -> Option<Hero> {
        hero.action_ids.retain(|id| self.checker.has_action(id));
        if !headline::is_headline(&hero.title) || !self.keeps(&[("title", &hero.title)]) {
            hero.title.clone_from(&self.checker.title);
            if !self.keeps(&[("title", &hero.title)]) {
                return None;
            }
        }
        self.optional(&mut hero.eyebrow);
        self.optional(&mut hero.subtitle);
        if hero.figure.as_ref().is_some_and(|stat| !self.stat(stat)) {
            hero.figure = None;
        }
        if let Some(image) = &mut hero.image {
            self.alternative(&mut image.alt_text);
        }
        Some(hero)
    }

    fn stat(&mut self, stat: &Stat) -> bool {
        self.keeps(&[("", &stat.value), ("", &stat.label)])
    }

    fn card(&mut self, card: &mut FeatureCard) -> bool {
        self.action(&mut card.action_id);
        card.text = short(&card.text);
        self.keeps(&[("title", &card.title), ("", &card.text)])
    }

    fn plan(&mut self, plan: &mut PricePlan) -> bool {
        self.action(&mut plan.action_id);
        plan.text = short(&plan.text);
        let price = plan.price.as_deref().unwrap_or_default();
        if !self.keeps(&[("title", &plan.name), ("", &plan.text), ("", price)]) {
            return false;
        }
        plan.points.retain(|point| self.keeps(&[("points", point)]));
        true
    }

    /// A description of a picture that cannot stay: the picture then only decorates.
    fn alternative(&mut self, text: &mut String) {
        if !self.keeps(&[("altText", text)]) {
            text.clear();
        }
    }

    /// The same for blocks of texts, pictures and lists of them.
    fn of_texts(&mut self, block: Component) -> Option<Component> {
        match block {
            Component::Text(mut block) => {
                self.optional(&mut block.title);
                block.markdown = self.markdown(&block.markdown)?;
                Some(Component::Text(block))
            }
            Component::Frame(mut block) => {
                let keeps = self.keeps(&[("title", &block.title)]);
                block.markdown = self.markdown(&block.markdown)?;
                keeps.then_some(Component::Frame(block))
            }
            Component::FrameList(mut block) => {
                self.optional(&mut block.title);
                block.frames.retain_mut(|frame| {
                    self.keeps(&[("title", &frame.title)]) && self.keeps_markdown(&mut frame.markdown)
                });
                (!block.frames.is_empty()).then_some(Component::FrameList(block))
            }
            Component::Threads(mut block) => {
                let keeps = self.keeps(&[("", &block.question)]);
                block.choices.retain_mut(|choice| {
                    self.keeps(&[("", &choice.label)]) && self.keeps_markdown(&mut choice.markdown)
                });
                (keeps && block.choices.len() >= 2).then_some(Component::Threads(block))
            }
            Component::TestimonialCarousel(mut block) => {
                self.optional(&mut block.title);
                block.testimonials.retain_mut(|said| {
                    let role = said.role.as_deref().unwrap_or_default();
                    let keeps =
                        self.keeps(&[("quote", &said.quote), ("author", &said.author), ("role", role)]);
                    if let Some(picture) = &mut said.picture {
                        self.alternative(&mut picture.alt_text);
                    }
                    keeps
                });
                (!block.testimonials.is_empty()).then_some(Component::TestimonialCarousel(block))
            }
            block => self.of_cells(block),
        }
    }

    fn keeps_markdown(&mut self, markdown: &mut String) -> bool {
        let left = self.markdown(markdown);
        let keeps = left.is_some();
        *markdown = left.unwrap_or_default();
        keeps
    }

    /// The same for what has columns, and for pictures.
    fn of_cells(&mut self, block: Component) -> Option<Component> {
        match block {
            Component::Table(mut block) => {
                self.optional(&mut block.title);
                let keeps = block.columns.iter().all(|column| self.keeps(&[("rows", column)]));
                block.rows.retain(|row| row.iter().all(|cell| self.keeps(&[("rows", cell)])));
                (keeps && !block.rows.is_empty()).then_some(Component::Table(block))
            }
            Component::Comparison(mut block) => {
                self.optional(&mut block.title);
                let keeps = block.columns.iter_mut().all(|column| {
                    column.points.retain(|point| self.keeps(&[("points", point)]));
                    self.keeps(&[("title", &column.title)]) && !column.points.is_empty()
                });
                keeps.then_some(Component::Comparison(block))
            }
            Component::LogoMarquee(mut block) => {
                self.optional(&mut block.title);
                block.names.retain(|name| self.keeps(&[("", name)]));
                block.logos.iter_mut().for_each(|logo| self.alternative(&mut logo.alt_text));
                (!block.names.is_empty() || !block.logos.is_empty()).then_some(Component::LogoMarquee(block))
            }
            Component::Image(mut block) => {
                self.optional(&mut block.caption);
                self.alternative(&mut block.image.alt_text);
                Some(Component::Image(block))
            }
            Component::Video(mut block) => {
                self.optional(&mut block.title);
                self.optional(&mut block.caption);
                Some(Component::Video(block))
            }
            Component::Custom(block) => self.keeps(&[("", &block.name)]).then_some(Component::Custom(block)),
            _ => None,
        }
    }
}
