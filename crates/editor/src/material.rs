//! What the editor may put on a page, made of blocks that were written from the same facts.

use pagesmith_model::content::component::Component;

use crate::document::Material;
use crate::shorten::sentences;
use crate::thing::texts;

impl Material {
    /// What can be taken from blocks that were written from the same facts: the blocks themselves, their sentences and their pictures.
    #[must_use]
    pub fn of_blocks(blocks: Vec<Component>) -> Material {
        let mut facts = Vec::new();
        let mut pictures = Vec::new();
        for block in &blocks {
            let prose = texts(block).into_iter().map(|(_, text)| text);
            for text in prose {
                let whole = sentences(&text).into_iter().map(str::trim);
                // A heading is no sentence.
                facts.extend(whole.filter(|sentence| sentence.ends_with(['.', '!'])).map(ToOwned::to_owned));
            }
            match block {
                Component::Image(block) => pictures.push(block.image.clone()),
                Component::Hero(block) => pictures.extend(block.image.clone()),
                _ => {}
            }
        }
        Material { blocks, facts, pictures, ..Material::default() }
    }
}
