//! The pictures of a document, and where those are that name assets.
//!
//! A document keeps the asset's id and no address, so that the page shows what the asset is when a visitor comes. Invariant: what
//! [`Content::resolve`] leaves names no asset, and has no block that consisted of a picture alone and lost it.

use super::Content;
use super::component::Component;
use super::part::Picture;
use super::references::Path;

/// What an asset turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// Its address.
    pub url: String,
    /// Its width and height in pixels, if they are known.
    pub size: Option<(u32, u32)>,
}

impl Component {
    /// Its pictures, each with its place.
    pub fn pictures(&self) -> Vec<(Path, &Picture)> {
        let path = |parts: &[&str]| parts.iter().map(ToString::to_string).collect();
        match self {
            Component::Hero(block) => block.image.iter().map(|image| (path(&["image"]), image)).collect(),
            Component::Image(block) => vec![(path(&["image"]), &block.image)],
            Component::LogoMarquee(block) => {
                let all = block.logos.iter().enumerate();
                all.map(|(index, logo)| (path(&["logos", &index.to_string()]), logo)).collect()
            }
            Component::FeatureCards(block) => {
                let all = block.cards.iter().enumerate();
                let at = |index: usize| path(&["cards", &index.to_string(), "picture"]);
                all.filter_map(|(index, card)| Some((at(index), card.picture.as_ref()?))).collect()
            }
            Component::TestimonialCarousel(block) => {
                let all = block.testimonials.iter().enumerate();
                let at = |index: usize| path(&["testimonials", &index.to_string(), "picture"]);
                all.filter_map(|(index, one)| Some((at(index), one.picture.as_ref()?))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Lets `keep` change its pictures, and takes out those that it refuses; false if the block consisted of nothing else.
    pub fn retain_pictures(&mut self, keep: &mut dyn FnMut(&mut Picture) -> bool) -> bool {
        let mut optional = |picture: &mut Option<Picture>| {
            if picture.as_mut().is_some_and(|picture| !keep(picture)) {
                *picture = None;
            }
        };
        match self {
            Component::Hero(block) => optional(&mut block.image),
            Component::FeatureCards(block) => {
                block.cards.iter_mut().for_each(|card| optional(&mut card.picture));
            }
            Component::TestimonialCarousel(block) => {
                block.testimonials.iter_mut().for_each(|one| optional(&mut one.picture));
            }
            Component::Image(block) => return keep(&mut block.image),
            Component::LogoMarquee(block) => {
                block.logos.retain_mut(|logo| keep(logo));
                return !self.is_empty_band();
            }
            _ => {}
        }
        true
    }
}

impl Content {
    /// The assets that its pictures name, each once.
    pub fn asset_ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self.assets().into_iter().map(|(_, id)| id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Where its pictures name assets.
    pub fn assets(&self) -> Vec<(Path, &str)> {
        let blocks = self.blocks.iter().enumerate();
        let named = blocks.flat_map(|(at, block)| {
            let of_block = move |(path, picture): (Path, _)| {
                let picture: &Picture = picture;
                let path =
                    [vec!["blocks".to_owned(), at.to_string()], path, vec!["assetId".to_owned()]].concat();
                Some((path, picture.asset_id.as_deref()?))
            };
            block.pictures().into_iter().filter_map(of_block)
        });
        named.collect()
    }

    /// Puts addresses in the place of assets; a picture whose asset is not there goes, unless it has an address as well.
    pub fn resolve(&mut self, find: &dyn Fn(&str) -> Option<Resolved>) {
        self.blocks.retain_mut(|block| {
            block.retain_pictures(&mut |picture| {
                let Some(id) = picture.asset_id.take() else { return true };
                let Some(found) = find(&id) else { return !picture.url.is_empty() };
                picture.url = found.url;
                let (width, height) = found.size.unzip();
                picture.width = width.or(picture.width);
                picture.height = height.or(picture.height);
                true
            })
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn assets_become_addresses_and_what_is_gone_leaves_nothing_behind() {
        let mut content: Content = serde_json::from_value(json!({ "blocks": [
            { "type": "hero", "title": "T", "image": { "assetId": "gone", "altText": "A" } },
            { "type": "image", "image": { "assetId": "here", "altText": "B" } },
            { "type": "image", "image": { "assetId": "gone", "altText": "C" } },
            { "type": "image", "image": { "assetId": "gone", "url": "https://example.com/d.png" } },
            { "type": "logo-marquee", "logos": [{ "assetId": "gone", "altText": "E" }, { "assetId": "here", "altText": "F" }] },
            { "type": "logo-marquee", "logos": [{ "assetId": "gone", "altText": "G" }] },
            { "type": "feature-cards", "cards": [
                { "title": "I", "picture": { "assetId": "here" } }, { "title": "J", "picture": { "assetId": "gone" } },
            ] },
            { "type": "logo-marquee", "logos": [{ "assetId": "gone", "altText": "H" }], "names": ["N"] },
        ] }))
        .unwrap();
        assert_eq!(content.issues(&|_| false), []);
        assert_eq!(content.asset_ids(), ["gone", "here"]);
        let here = Resolved { url: "https://example.com/here".to_owned(), size: Some((640, 480)) };
        content.resolve(&|id| (id == "here").then(|| here.clone()));
        let left = serde_json::to_value(&content.blocks).unwrap();
        let shown = json!({ "url": "https://example.com/here", "altText": "B", "width": 640, "height": 480 });
        assert_eq!(
            left,
            json!([
                { "type": "hero", "title": "T" },
                { "type": "image", "image": shown },
                { "type": "image", "image": { "url": "https://example.com/d.png", "altText": "" } },
                { "type": "logo-marquee", "logos": [{ "url": "https://example.com/here", "altText": "F", "width": 640, "height": 480 }] },
                { "type": "feature-cards", "cards": [
                    { "title": "I", "picture": { "url": "https://example.com/here", "altText": "", "width": 640, "height": 480 } },
                    { "title": "J" },
                ] },
                { "type": "logo-marquee", "logos": [], "names": ["N"] },
            ])
        );
        assert_eq!(content.asset_ids(), Vec::<&str>::new());
    }

    #[test]
    fn a_picture_is_an_asset_or_has_an_address() {
        let neither = json!({ "blocks": [{ "type": "image", "image": { "altText": "A" } }] });
        let content: Content = serde_json::from_value(neither).unwrap();
        assert_eq!(content.issues(&|_| false)[0].path, ["blocks", "0", "image", "url"]);
    }
}
