//! Which of a tenant's pictures are on which cards.

use pagesmith_model::asset::AssetType;
use pagesmith_model::brief::{AssetBrief, Brief};
use pagesmith_model::content::component::Component;
use pagesmith_model::page::PageType;
use pagesmith_template_agent::compose;

const CONTEXT: &str = "# Bread for shops\n\nSunrise Bakery brings bread to shops before they open.\n\n## What we bake\n\n\
    - **Rye loaf**: dark and moist, it keeps for a week.\n- **Croissants**: butter from the village dairy, folded by hand.\n\
    - **Pretzels**: glazed with lye and sprinkled with sea salt.\n";

fn asset(id: &str, name: &str) -> AssetBrief {
    AssetBrief {
        asset_id: id.to_owned(),
        kind: AssetType::Image,
        name: name.to_owned(),
        purpose: String::new(),
        tags: vec![],
        video_url: None,
    }
}

/// The assets of the cards of a page with these pictures, card by card, and those of the whole page.
fn pictures(assets: Vec<AssetBrief>) -> (Vec<(String, Option<String>)>, Vec<String>) {
    let brief = Brief { assets, ..Brief::new(PageType::Inbound, "Bread", CONTEXT) };
    let content = compose(&brief).content;
    let mut cards = Vec::new();
    for block in &content.blocks {
        if let Component::FeatureCards(block) = block {
            let of = |card: &pagesmith_model::content::part::FeatureCard| {
                let picture = card.picture.as_ref();
                (card.title.clone(), picture.and_then(|picture| picture.asset_id.clone()))
            };
            cards.extend(block.cards.iter().map(of));
        }
    }
    let all = content.assets().into_iter().map(|(_, id)| id.to_owned()).collect();
    (cards, all)
}

#[test]
fn each_card_has_the_picture_of_what_it_is_about() {
    let (cards, all) = pictures(vec![
        asset("a_pretzel", "Pretzels on a board"),
        asset("a_hero", "Hero of bread: the bakery at dawn"),
        asset("a_rye", "A rye loaf, cut"),
        asset("a_croissant", "Croissants in a basket"),
    ]);
    let expected = [("Rye loaf", "a_rye"), ("Croissants", "a_croissant"), ("Pretzels", "a_pretzel")];
    let expected: Vec<(String, Option<String>)> =
        expected.map(|(title, id)| (title.to_owned(), Some(id.to_owned()))).into();
    assert_eq!(cards, expected);
    let mut once = all.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), all.len(), "{all:?}");
}

#[test]
fn cards_have_none_where_one_of_them_would_be_left_out() {
    let (cards, _) =
        pictures(vec![asset("a_rye", "A rye loaf, cut"), asset("a_croissant", "Croissants in a basket")]);
    assert!(cards.len() == 3 && cards.iter().all(|(_, picture)| picture.is_none()), "{cards:?}");
}

#[test]
fn a_picture_is_chosen_by_its_tags_alone() {
    let tagged = |id: &str, name: &str, tags: &[&str]| AssetBrief {
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        ..asset(id, name)
    };
    let (cards, all) = pictures(vec![
        asset("a_hero", "Hero of bread: the bakery at dawn"),
        tagged("4711", "Taken by Anna", &["pretzels", "salt"]),
        tagged("4712", "Taken by Ben", &["rye loaf"]),
        tagged("4713", "Taken by Cleo", &["croissants", "butter"]),
        tagged("4714", "Taken by Dan", &["forklift", "warehouse"]),
    ]);
    let of: Vec<Option<&str>> = cards.iter().map(|(_, picture)| picture.as_deref()).collect();
    assert_eq!(of, [Some("4712"), Some("4713"), Some("4711")]);
    assert!(!all.contains(&"4714".to_owned()), "{all:?}");
}
