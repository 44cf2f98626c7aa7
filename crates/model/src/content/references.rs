//! What a component refers to, and where in it: actions, addresses, rows that do not fit, lists without items. This is what a document is checked by.

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
            Component::Steps($block) => $value,
            Component::Comparison($block) => $value,
            Component::PriceCards($block) => $value,
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
                named_in("cards", block.cards.iter().map(|card| card.action_id.as_deref()))
            }
            Component::PriceCards(block) => {
                named_in("plans", block.plans.iter().map(|plan| plan.action_id.as_deref()))
            }
            _ => Vec::new(),
        }
    }

    /// The addresses that the page fetches for it, each with its place. An asset has one only if it is named beside it.
    pub(super) fn addresses(&self) -> Vec<(Path, &str)> {
        if let Component::Video(block) = self {
            return vec![(path(&["url"]), &block.url)];
        }
        let pictures = self.pictures().into_iter();
        let told = pictures.filter(|(_, picture)| picture.asset_id.is_none() || !picture.url.is_empty());
        told.map(|(at, picture)| ([at, path(&["url"])].concat(), picture.url.as_str())).collect()
    }

    /// The rows of a table that are not as wide as its head: place, width wanted, width found.
    pub(super) fn crooked_rows(&self) -> Vec<(Path, usize, usize)> {
        let Component::Table(table) = self else { return Vec::new() };
        let wanted = table.columns.len();
        let rows = table.rows.iter().enumerate().filter(|(_, row)| row.len() != wanted);
        rows.map(|(index, row)| (path(&["rows", &index.to_string()]), wanted, row.len())).collect()
    }

    /// Whether it is a band of logos that has neither logos nor names.
    pub(super) fn is_empty_band(&self) -> bool {
        matches!(self, Component::LogoMarquee(block) if block.logos.is_empty() && block.names.is_empty())
    }
}

fn named(ids: &[String]) -> Vec<(Path, &str)> {
    let at = |index: usize| path(&["actionIds", &index.to_string()]);
    ids.iter().enumerate().map(|(index, id)| (at(index), id.as_str())).collect()
}

/// The actions that the items of a list name.
fn named_in<'a>(list: &str, ids: impl Iterator<Item = Option<&'a str>>) -> Vec<(Path, &'a str)> {
    let at = |index: usize| path(&[list, &index.to_string(), "actionId"]);
    ids.enumerate().filter_map(|(index, id)| Some((at(index), id?))).collect()
}

fn path(parts: &[&str]) -> Path {
    parts.iter().map(ToString::to_string).collect()
}
