//! The background of sections: the page's ground, a shaded surface, or a ground of their own.
//!
//! Sections of which several often follow each other are shaded in turn, so that a long page has a rhythm. Running texts and pictures stay
//! on the ground. Invariant: no shaded section is next to another one, to an opening or to a band of figures.

use pagesmith_model::content::Component;

/// For each block, whether it is shaded.
pub(crate) fn shaded(blocks: &[Component]) -> Vec<bool> {
    let mut shaded: Vec<bool> = Vec::with_capacity(blocks.len());
    for (index, block) in blocks.iter().enumerate() {
        let before = index.checked_sub(1);
        let follows_ground = before.is_some_and(|before| !shaded[before] && !has_own_ground(&blocks[before]));
        // Behind the last one stands the footer, which has the same colour.
        let goes_on = blocks
            .get(index + 1)
            .is_some_and(|next| !matches!(next, Component::Hero(_) | Component::StatsCards(_)));
        shaded.push(may_be_shaded(block) && follows_ground && goes_on);
    }
    shaded
}

fn has_own_ground(block: &Component) -> bool {
    matches!(block, Component::Hero(_) | Component::StatsCards(_) | Component::CallToAction(_))
}

fn may_be_shaded(block: &Component) -> bool {
    matches!(
        block,
        Component::FeatureCards(_)
            | Component::Steps(_)
            | Component::Comparison(_)
            | Component::PriceCards(_)
            | Component::TestimonialCarousel(_)
            | Component::FrameList(_)
            | Component::Table(_)
            | Component::Threads(_)
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shaded_of(kinds: &[&str]) -> Vec<bool> {
        let card = json!({ "title": "T" });
        let blocks: Vec<Component> = kinds
            .iter()
            .map(|kind| {
                let block = match *kind {
                    "hero" | "call-to-action" => json!({ "type": kind, "title": "T" }),
                    "text" => json!({ "type": "text", "markdown": "M" }),
                    "stats-cards" => json!({ "type": "stats-cards", "stats": [] }),
                    "steps" => json!({ "type": "steps", "steps": [card] }),
                    _ => json!({ "type": "feature-cards", "cards": [card] }),
                };
                serde_json::from_value(block).unwrap()
            })
            .collect();
        shaded(&blocks)
    }

    #[test]
    fn sections_are_shaded_in_turn_between_the_others() {
        let page = ["hero", "cards", "steps", "cards", "steps", "stats-cards", "steps", "call-to-action"];
        assert_eq!(shaded_of(&page), [false, false, true, false, false, false, false, false]);
        let page = ["hero", "text", "cards", "steps", "cards", "call-to-action"];
        assert_eq!(shaded_of(&page), [false, false, true, false, true, false]);
        assert_eq!(shaded_of(&["text", "steps"]), [false, false]);
        assert_eq!(shaded_of(&[]), Vec::<bool>::new());
    }
}
