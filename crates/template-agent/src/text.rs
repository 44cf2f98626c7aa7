//! The rules about texts that every page agent follows, whoever writes.
//!
//! Agents with a model use them too, so that their pages show the same characters, recognise the same addresses and hold the same
//! things back as the template agent's.

use std::collections::HashMap;

use pagesmith_model::content::component::Component;

pub use crate::followup::readable as readable_log;
pub use crate::links::next_address;
pub use crate::reader::is_fit_to_show;
pub use crate::stance::label::{Label, of as label_of};
pub use crate::tidy::{clean, head, line, says_something};

/// Gives each block an id from its kind and position, so that the same page has the same ids.
pub fn number_blocks(blocks: &mut [Component]) {
    let mut counts: HashMap<&'static str, usize> = HashMap::new();
    for block in blocks {
        let (kind, id) = kind_and_id(block);
        let count = counts.entry(kind).or_default();
        *count += 1;
        *id = Some(format!("{kind}-{count}"));
    }
}

fn kind_and_id(block: &mut Component) -> (&'static str, &mut Option<String>) {
    match block {
        Component::Hero(block) => ("hero", &mut block.block_id),
        Component::Text(block) => ("text", &mut block.block_id),
        Component::Image(block) => ("image", &mut block.block_id),
        Component::Video(block) => ("video", &mut block.block_id),
        Component::Table(block) => ("table", &mut block.block_id),
        Component::FeatureCards(block) => ("cards", &mut block.block_id),
        Component::Frame(block) => ("frame", &mut block.block_id),
        Component::FrameList(block) => ("faq", &mut block.block_id),
        Component::TestimonialCarousel(block) => ("voices", &mut block.block_id),
        Component::CallToAction(block) => ("closing", &mut block.block_id),
        Component::StatsCards(block) => ("stats", &mut block.block_id),
        Component::LogoMarquee(block) => ("logos", &mut block.block_id),
        Component::Threads(block) => ("threads", &mut block.block_id),
        Component::Steps(block) => ("steps", &mut block.block_id),
        Component::Comparison(block) => ("comparison", &mut block.block_id),
        Component::PriceCards(block) => ("prices", &mut block.block_id),
        Component::Custom(block) => ("custom", &mut block.block_id),
    }
}
