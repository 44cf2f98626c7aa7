//! The template agent behind the trait of all page agents: it needs no model and is finished at once.

use std::future::ready;

use pagesmith_model::brief::Brief;

use crate::{Draft, PageAgent, Step, Usage, Watch, Writing};

/// The agent that composes a page from the brief alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct Template;

impl PageAgent for Template {
    fn write<'a>(&'a self, brief: &'a Brief, watch: &'a dyn Watch) -> Writing<'a> {
        watch.step(Step::Reading);
        let content = pagesmith_template_agent::compose(brief);
        watch.step(Step::Writing { blocks: content.blocks.len() });
        watch.so_far(&content);
        Box::pin(ready(Ok(Draft { content, usage: Usage::default() })))
    }
}
