//! Tells which blocks of a page say what a chunk of knowledge says.
//!
//! A block is made from a chunk if it has a run of words of it, a number, or a short text as a whole, that the page's own context does not
//! have. What a model says in other words is not told.

use pagesmith_model::brief::{Brief, ChunkBrief};
use pagesmith_model::content::component::Component;
use pagesmith_model::content::{Content, Source};

use super::plain::Plain;
use super::source::Facts;
use super::{Checker, numbers, texts};
use crate::knowledge::Knowledge;
use crate::tidy;

impl Checker {
    /// Notes in a page what of the tenant's knowledge it says, and where.
    pub fn note_sources(&self, content: &mut Content) {
        self.origins.note(content);
    }
}

/// What the chunks of a brief say beside its context.
#[derive(Debug, Default)]
pub struct Origins {
    own: Facts,
    chunks: Vec<(Source, Facts)>,
}

impl Origins {
    /// The origins of what a page of this brief may say, whose own context is this.
    pub fn of(brief: &Brief, context: &str, knowledge: &Knowledge) -> Origins {
        let texts = knowledge.texts();
        if texts.is_empty() {
            return Origins::default();
        }
        let mut own = Facts::default();
        own.add(context);
        own.add(&brief.page_name);
        let of_chunk = |(at, chunk): (usize, &ChunkBrief)| {
            let mut facts = Facts::default();
            texts.iter().filter(|(of, _)| *of == at).for_each(|(_, text)| facts.add(text));
            (source(chunk), facts)
        };
        Origins { own, chunks: brief.knowledge.iter().enumerate().map(of_chunk).collect() }
    }

    /// Notes in a page where what it says comes from.
    pub fn note(&self, content: &mut Content) {
        let mut sources: Vec<Source> = Vec::new();
        for (source, facts) in &self.chunks {
            let blocks = content.blocks.iter().filter(|block| self.is_of(block, facts));
            let block_ids: Vec<String> =
                blocks.filter_map(|block| block.block_id().map(str::to_owned)).collect();
            if !block_ids.is_empty() {
                sources.push(Source { block_ids, ..source.clone() });
            }
        }
        content.head.sources = sources;
    }

    fn is_of(&self, block: &Component, facts: &Facts) -> bool {
        texts::of(block).iter().any(|shown| {
            let words = Plain::of(&shown.text);
            let is_only_of = |has: &dyn Fn(&Facts) -> bool| has(facts) && !has(&self.own);
            let mut runs = words.runs();
            let mut numbers = numbers::of(&shown.text).into_iter();
            runs.any(|(_, run)| is_only_of(&|facts| facts.has_run(run)))
                || numbers.any(|number| is_only_of(&|facts| facts.numbers.have(&number)))
                || words.words().count() >= 2 && is_only_of(&|facts| facts.says(&words))
        })
    }
}

fn source(chunk: &ChunkBrief) -> Source {
    Source {
        topic_entry_id: chunk.topic_entry_id.clone(),
        chunk_id: chunk.chunk_id.clone(),
        title: tidy::line(&chunk.title, 300),
        url: chunk.url.clone(),
        block_ids: Vec::new(),
    }
}
