//! The tenant's assets on a page: a picture in the opening, pictures of cards and beside what they belong to, a row of logos, a video.
//!
//! An asset is shown if its name, purpose and tags have to do with what the page is about, or say that it is for it. In doubt a page has no
//! picture. Icons are not placed: no component has a place for one.
//! Invariants: no asset occurs twice on a page, and what is told of one to visitors who do not see it is what people called it.

use std::collections::HashSet;

use pagesmith_model::asset::AssetType;
use pagesmith_model::brief::AssetBrief;
use pagesmith_model::content::component::Component;
use pagesmith_model::content::part::{FeatureCard, Picture};

use crate::alt_text::{alt_text, is_said};
use crate::blocks;
use crate::brief_reading::BriefReading;
use crate::check::texts_of;
use crate::concern::{Concerns, Stem};
use crate::stance;
use crate::tidy;

/// The most pictures besides that of the opening.
const MOST_BESIDE: usize = 2;
/// The least that an asset must have in common with the page, to be in the opening or elsewhere.
const LEAST: usize = 2;
/// The most logos of a row.
const MOST_LOGOS: usize = 12;

/// Beginnings of words that say that a picture is for the opening.
const OPENING: [&str; 15] = [
    "hero",
    "header",
    "cover",
    "banner",
    "opening",
    "titelbild",
    "aufmacher",
    "kopfbild",
    "bannière",
    "couverture",
    "portada",
    "cabecera",
    "capa",
    "copertina",
    "omslag",
];
/// Beginnings of words that say that it is for all pages.
const EVERY: [&str; 9] = ["every", "all", "any", "alle", "jede", "toutes", "todas", "tutte", "general"];
/// Beginnings of words that say whose a logo is: customers' and partners', not the company's own.
const OTHERS: [&str; 16] = [
    "customer",
    "client",
    "partner",
    "referenc",
    "integrat",
    "certif",
    "kund",
    "referenz",
    "zertifi",
    "référence",
    "cliente",
    "socio",
    "parceiro",
    "klant",
    "clienti",
    "zertifik",
];

/// Takes out the pictures that are on the page already.
pub fn once(blocks: &mut Vec<Component>) {
    let mut seen = HashSet::new();
    blocks.retain_mut(|block| {
        block.retain_pictures(&mut |picture| {
            let asset = picture.asset_id.as_ref().map(|id| id.as_str().to_owned());
            seen.insert(asset.unwrap_or_else(|| picture.url.clone()))
        })
    });
}

/// An asset that may be shown.
struct OfferedAsset<'a> {
    asset: &'a AssetBrief,
    /// How much it has to do with the page.
    weight: usize,
    /// What people say of it.
    stems: HashSet<Stem>,
}

impl OfferedAsset<'_> {
    fn picture(&self) -> Picture {
        Picture {
            asset_id: Some(self.asset.asset_id.clone()),
            alt_text: alt_text(self.asset),
            ..Picture::default()
        }
    }
}

/// The assets that a page may show.
pub(crate) struct OfferedAssets<'a>(Vec<OfferedAsset<'a>>);

impl<'a> OfferedAssets<'a> {
    /// Those of a brief, without what is not to be mentioned.
    pub(crate) fn of(reading: &BriefReading<'a>) -> OfferedAssets<'a> {
        let BriefReading { brief, concerns, subject, .. } = reading;
        let offered = |asset: &'a AssetBrief| {
            let told = format!("{}\n{}\n{}", asset.name, asset.purpose, asset.tags.join("\n"));
            let is_fit = !concerns.refuses(&told) && !stance::is_injection(&told);
            let is_for_all = is_said(asset, &OPENING) && is_said(asset, &EVERY);
            let weight = subject.weight(concerns, &told).max(if is_for_all { LEAST } else { 0 });
            let stems = concerns.subjects(&told).into_iter().collect();
            is_fit.then_some(OfferedAsset { asset, weight, stems })
        };
        OfferedAssets(brief.assets.iter().filter_map(offered).collect())
    }

    /// Puts them on a page.
    pub(crate) fn place(mut self, blocks: &mut Vec<Component>, concerns: &Concerns, is_short: bool) {
        if self.0.is_empty() {
            return;
        }
        self.logos(blocks);
        self.opening(blocks);
        self.cards(blocks, concerns);
        if !is_short {
            self.beside(blocks, concerns);
            self.video(blocks);
        }
    }

    /// Takes the best asset of a kind that has enough to do with the page.
    fn take(&mut self, rank: impl Fn(&OfferedAsset<'a>) -> Option<usize>) -> Option<OfferedAsset<'a>> {
        let ranked = self.0.iter().enumerate().filter_map(|(at, offered)| Some((rank(offered)?, at)));
        let (_, at) = ranked.max_by_key(|(rank, at)| (*rank, std::cmp::Reverse(*at)))?;
        Some(self.0.remove(at))
    }

    /// The opening has a picture, unless it has one or a figure, which the picture would hide.
    fn opening(&mut self, blocks: &mut [Component]) {
        let Some(Component::Hero(hero)) = blocks.first_mut() else { return };
        if hero.image.is_some() || hero.figure.is_some() {
            return;
        }
        let rank = |offered: &OfferedAsset<'_>| {
            let is_fit = offered.asset.kind == AssetType::Image && offered.weight >= LEAST;
            is_fit.then(|| offered.weight + if is_said(offered.asset, &OPENING) { 100 } else { 0 })
        };
        hero.image = self.take(rank).map(|offered| offered.picture());
    }

    /// Cards have pictures where each of them finds one of its own; some with and some without would look forgotten.
    fn cards(&mut self, blocks: &mut [Component], concerns: &Concerns) {
        for block in blocks {
            let Component::FeatureCards(block) = block else { continue };
            if block.cards.iter().any(|card| card.picture.is_some()) {
                continue;
            }
            let stems = |card: &FeatureCard| -> HashSet<Stem> {
                concerns.subjects(&format!("{}\n{}", card.title, card.text)).into_iter().collect()
            };
            let titles: Vec<HashSet<Stem>> =
                block.cards.iter().map(|card| concerns.subjects(&card.title).into_iter().collect()).collect();
            let told: Vec<HashSet<Stem>> = block.cards.iter().map(stems).collect();
            // What a picture shares with the title of a card counts more than what its text mentions.
            let shared = |offered: &OfferedAsset<'_>, card: usize| {
                let of = |stems: &HashSet<Stem>| offered.stems.intersection(stems).count();
                2 * of(&titles[card]) + of(&told[card])
            };
            let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
            for (at, offered) in self.0.iter().enumerate() {
                let is_image = offered.asset.kind == AssetType::Image;
                let found = (0..told.len()).map(|card| (shared(offered, card), card, at));
                pairs.extend(found.filter(|(shared, ..)| is_image && *shared >= LEAST));
            }
            pairs.sort_by_key(|(shared, card, at)| (std::cmp::Reverse(*shared), *card, *at));
            let mut chosen: Vec<Option<usize>> = vec![None; told.len()];
            for (_, card, at) in pairs {
                if chosen[card].is_none() && !chosen.contains(&Some(at)) {
                    chosen[card] = Some(at);
                }
            }
            let Some(chosen) = chosen.into_iter().collect::<Option<Vec<usize>>>() else { continue };
            for (card, at) in block.cards.iter_mut().zip(&chosen) {
                card.picture = Some(self.0[*at].picture());
            }
            let mut at = 0..;
            self.0.retain(|_| !at.next().is_some_and(|at| chosen.contains(&at)));
        }
    }

    /// Pictures behind the blocks with which they have most to do.
    fn beside(&mut self, blocks: &mut Vec<Component>, concerns: &Concerns) {
        let own = blocks.iter().filter(|block| matches!(block, Component::Image(_))).count();
        for _ in own..MOST_BESIDE {
            // A picture is not behind another one, nor behind the last words.
            let free: Vec<(usize, HashSet<Stem>)> = blocks
                .iter()
                .enumerate()
                .skip(1)
                .filter(|(at, block)| {
                    let next = blocks.get(at + 1);
                    let is_image = |block: &Component| matches!(block, Component::Image(_));
                    !is_image(block)
                        && !next.is_some_and(is_image)
                        && !matches!(block, Component::CallToAction(_) | Component::LogoMarquee(_))
                })
                .map(|(at, block)| (at, concerns.subjects(&texts_of(block)).into_iter().collect()))
                .collect();
            let best = |offered: &OfferedAsset<'_>| {
                let shared = |stems: &HashSet<Stem>| offered.stems.intersection(stems).count();
                let places = free.iter().map(|(at, stems)| (shared(stems), std::cmp::Reverse(*at)));
                places.max().filter(|(shared, _)| *shared >= 1).map(|(shared, at)| (shared, at.0))
            };
            let rank = |offered: &OfferedAsset<'_>| {
                let is_fit = offered.asset.kind == AssetType::Image && offered.weight >= LEAST;
                is_fit.then(|| best(offered)).flatten().map(|(shared, _)| offered.weight + shared)
            };
            let Some(offered) = self.take(rank) else { return };
            let Some((_, at)) = best(&offered) else { return };
            blocks.insert(at + 1, blocks::image(offered.picture()));
        }
    }

    /// Logos take the place of names that are in a row, and those of customers and partners are a row.
    fn logos(&mut self, blocks: &mut Vec<Component>) {
        for block in blocks.iter_mut() {
            let Component::LogoMarquee(band) = block else { continue };
            band.names.retain(|name| {
                let name = tidy::folded(name);
                let rank = |offered: &OfferedAsset<'_>| {
                    let is_named = tidy::folded(&offered.asset.name) == name;
                    (offered.asset.kind == AssetType::Logo && is_named).then_some(0)
                };
                let logo = self.take(rank);
                let is_left = logo.is_none();
                band.logos.extend(logo.map(|offered| offered.picture()));
                is_left
            });
        }
        let rank = |offered: &OfferedAsset<'_>| {
            let is_fit = offered.asset.kind == AssetType::Logo && is_said(offered.asset, &OTHERS);
            (is_fit && !alt_text(offered.asset).is_empty()).then_some(offered.weight)
        };
        if self.0.iter().filter_map(rank).count() < 2 {
            return;
        }
        let mut logos = Vec::new();
        while let Some(offered) = self.take(rank).filter(|_| logos.len() < MOST_LOGOS) {
            logos.push(offered.picture());
        }
        if let Some(band) = blocks::names(None, logos, &[]) {
            blocks.insert(before_last_words(blocks), band);
        }
    }

    /// A video, if the page has none.
    fn video(&mut self, blocks: &mut Vec<Component>) {
        if blocks.iter().any(|block| matches!(block, Component::Video(_))) {
            return;
        }
        let rank = |offered: &OfferedAsset<'_>| {
            (offered.asset.kind == AssetType::Video && offered.weight > LEAST).then_some(offered.weight)
        };
        let Some(offered) = self.take(rank) else { return };
        let title = Some(alt_text(offered.asset)).filter(|title| !title.is_empty());
        if let Some(url) = offered.asset.video_url.clone() {
            blocks.insert(before_last_words(blocks), blocks::video(title, url));
        }
    }
}

/// Where something stands that comes last but for the last words.
fn before_last_words(blocks: &[Component]) -> usize {
    let is_last = matches!(blocks.last(), Some(Component::CallToAction(_)));
    blocks.len() - usize::from(is_last && blocks.len() > 1)
}
