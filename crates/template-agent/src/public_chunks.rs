//! What a page may say of the tenant's knowledge, chunk by chunk: what a model is given of it.

use pagesmith_model::brief::{Brief, ChunkBrief};

use crate::brief_reading::BriefReading;

/// A chunk as far as a page may say what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicChunk<'a> {
    /// The chunk.
    pub chunk: &'a ChunkBrief,
    /// Its sentences, and its questions with their answers.
    pub texts: Vec<String>,
}

/// What a page of a brief may say of each chunk; chunks of which it may say nothing are left out.
pub fn of(brief: &Brief) -> Vec<PublicChunk<'_>> {
    if brief.knowledge.is_empty() {
        return Vec::new();
    }
    let texts = BriefReading::of(brief).knowledge.texts();
    let of_chunk = |(at, chunk)| {
        let own = texts.iter().filter(|(of, _)| *of == at).map(|(_, text)| text.clone());
        PublicChunk { chunk, texts: own.collect() }
    };
    brief.knowledge.iter().enumerate().map(of_chunk).filter(|chunk| !chunk.texts.is_empty()).collect()
}
