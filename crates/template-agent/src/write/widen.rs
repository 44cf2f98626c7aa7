//! Makes a page of several kinds of blocks out of one that would be a single list.

use std::collections::HashSet;

use pagesmith_model::content::component::Component;

use super::{Page, joined, plain_fact, titled};
use crate::blocks;
use crate::rich::Rich;

/// The fewest kinds of blocks that a page shows if it has the material.
const KINDS: usize = 5;

impl Page<'_> {
    /// Makes the page of more kinds of blocks, if a block of cards or a list has enough for two.
    pub(super) fn widen(&mut self) {
        let kinds =
            |blocks: &[Component]| blocks.iter().map(std::mem::discriminant).collect::<HashSet<_>>().len();
        // The closing is still to come.
        while kinds(&self.blocks) + 1 < KINDS {
            let has_text = self.blocks.iter().any(|block| matches!(block, Component::Text(_)));
            let has_frame = self.blocks.iter().any(|block| matches!(block, Component::Frame(_)));
            let has_cards = self.blocks.iter().any(|block| matches!(block, Component::FeatureCards(_)));
            let Some((at, texts)) = self.halved() else { return };
            let titled: Option<Vec<_>> = texts
                .iter()
                .map(|text| titled(&plain_fact(text.plain()), self.writer.language.lexicon))
                .collect();
            let cards = titled.filter(|cards| (2..=6).contains(&cards.len()) && !has_cards);
            let new = match (cards, self.writer.phrase(|words| &words.more)) {
                (Some(cards), _) => {
                    let cards = cards.iter().map(|(title, text)| blocks::card(title, text, None)).collect();
                    blocks::cards(self.writer.phrase(|words| &words.features), cards)
                }
                (None, _) if !has_text => blocks::prose(None, &texts),
                (None, Some(more)) if !has_frame => blocks::frame(&more, &texts),
                _ => None,
            };
            match new {
                Some(new) => self.blocks.insert(at + 1, new),
                None => return,
            }
        }
    }

    /// Takes the second half of the largest block of cards or list; its place, and what was taken.
    fn halved(&mut self) -> Option<(usize, Vec<Rich>)> {
        let size = |block: &Component| match block {
            Component::FeatureCards(block) if block.cards.len() >= 4 => block.cards.len(),
            Component::Text(block) => list_items(&block.markdown),
            Component::Frame(block) => list_items(&block.markdown),
            _ => 0,
        };
        let (at, size) = self
            .blocks
            .iter()
            .map(size)
            .enumerate()
            .max_by_key(|(at, size)| (*size, std::cmp::Reverse(*at)))?;
        if size < 2 {
            return None;
        }
        let keep = size - (size / 2).max(1);
        let take = |markdown: &mut String| {
            let lines: Vec<String> = markdown.lines().map(str::to_owned).collect();
            *markdown = lines[..keep].join("\n");
            lines[keep..].iter().map(|line| Rich::of_markdown(line.trim_start_matches("- "))).collect()
        };
        let texts = match &mut self.blocks[at] {
            Component::FeatureCards(block) => {
                let keep = keep.max(2);
                block
                    .cards
                    .split_off(keep)
                    .iter()
                    .map(|card| Rich::of(&joined(&card.title, &card.text)))
                    .collect()
            }
            Component::Text(block) => take(&mut block.markdown),
            Component::Frame(block) => take(&mut block.markdown),
            _ => return None,
        };
        Some((at, texts))
    }
}

/// How many items a text has that is only a list.
fn list_items(markdown: &str) -> usize {
    if markdown.lines().all(|line| line.starts_with("- ")) { markdown.lines().count() } else { 0 }
}
