//! What a component refers to, and where in it: actions, addresses, rows that do not fit. This is what a document is checked by.

use super::Component;

/// Where in a block something stands: field names and indices.
pub type Path = Vec<String>;

macro_rules! each {
    ($component:expr, $block:ident => $value:expr) => {
        match $component {
            Component::Hero($block) => $value,
            Component::Text($block) => $value,
            Component::Image($block) => $value,
            Component::Video($block) => $value,
            Component::Table($block) => $value,
            Component::FeatureCards($block) => $value,
            Component::Frame($block) => $value,
            Component::FrameList($block) => $value,
            Component::TestimonialCarousel($block) => $value,
            Component::CallToAction($block) => $value,
            Component::StatsCards($block) => $value,
            Component::LogoMarquee($block) => $value,
            Component::Threads($block) => $value,
            Component::Custom($block) => $value,
        }
    };
}

impl Component {
    /// Its id; `None` until it is kept.
    pub fn block_id(&self) -> Option<&str> {
        each!(self, block => block.block_id.as_deref())
    }

    /// Gives it this id.
    pub(super) fn set_block_id(&mut self, id: String) {
        each!(self, block => block.block_id = Some(id));
    }

    /// The actions it names, each with its place.
    pub fn action_ids(&self) -> Vec<(Path, &str)> {
        match self {
            Component::Hero(block) => named(&block.action_ids),
            Component::CallToAction(block) => named(&block.action_ids),
            Component::FeatureCards(block) => {
                let ids = block.cards.iter().enumerate();
                let at = |index: usize| path(&["cards", &index.to_string(), "actionId"]);
                ids.filter_map(|(index, card)| Some((at(index), card.action_id.as_deref()?))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The addresses that the page fetches for it, each with its place.
    pub(super) fn addresses(&self) -> Vec<(Path, &str)> {
        match self {
            Component::Hero(block) => {
                block.image.iter().map(|image| (path(&["image", "url"]), image.url.as_str())).collect()
            }
            Component::Image(block) => vec![(path(&["image", "url"]), &block.image.url)],
            Component::Video(block) => vec![(path(&["url"]), &block.url)],
            Component::LogoMarquee(block) => {
                let at = |index: usize| path(&["logos", &index.to_string(), "url"]);
                block.logos.iter().enumerate().map(|(index, logo)| (at(index), logo.url.as_str())).collect()
            }
            Component::TestimonialCarousel(block) => {
                let at = |index: usize| path(&["testimonials", &index.to_string(), "picture", "url"]);
                let all = block.testimonials.iter().enumerate();
                all.filter_map(|(index, one)| Some((at(index), one.picture.as_ref()?.url.as_str()))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The rows of a table that are not as wide as its head: place, width wanted, width found.
    pub(super) fn crooked_rows(&self) -> Vec<(Path, usize, usize)> {
        let Component::Table(table) = self else { return Vec::new() };
        let wanted = table.columns.len();
        let rows = table.rows.iter().enumerate().filter(|(_, row)| row.len() != wanted);
        rows.map(|(index, row)| (path(&["rows", &index.to_string()]), wanted, row.len())).collect()
    }
}

fn named(ids: &[String]) -> Vec<(Path, &str)> {
    let at = |index: usize| path(&["actionIds", &index.to_string()]);
    ids.iter().enumerate().map(|(index, id)| (at(index), id.as_str())).collect()
}

fn path(parts: &[&str]) -> Path {
    parts.iter().map(ToString::to_string).collect()
}
