//! The ids of blocks.

use std::collections::HashMap;

use pagesmith_model::content::component::Component;

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
