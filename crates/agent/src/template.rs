//! The template agent behind the trait of all page agents: it needs no model and is finished at once.

use std::future::ready;

use pagesmith_model::brief::Brief;
use pagesmith_model::content::Content;
use pagesmith_template_agent::Composed;

use crate::{Answer, Author, Draft, PageAgent, Step, Usage, Watch, Writing, rules};

/// The agent that composes a page from the brief alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct Template;

impl PageAgent for Template {
    fn write<'a>(&'a self, brief: &'a Brief, watch: &'a dyn Watch) -> Writing<'a> {
        watch.step(Step::Reading);
        let content = composed(brief, watch);
        watch.step(Step::Writing { blocks: content.blocks.len() });
        watch.so_far(&content);
        Box::pin(ready(Ok(Draft { content, usage: Usage::default() })))
    }
}

/// The page of a brief; `watch` hears what had to be taken out of it.
pub(crate) fn composed(brief: &Brief, watch: &dyn Watch) -> Content {
    let Composed { content, findings, .. } = pagesmith_template_agent::compose(brief);
    watch.found(Author::Template, Answer::First, &rules(&findings));
    content
}
