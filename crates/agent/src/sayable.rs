//! Whether visitors may read what an edit puts on a page.
//!
//! The rules are those of the template agent's checker, for whoever edits. What an owner has said may be on the page whatever it is, what
//! was there before does not count, and headlines and calls to action are a matter of the owner's taste.

use pagesmith_editor::operation::Operation;
use pagesmith_model::content::{Content, ContentHead};
use pagesmith_template_agent::shared::check::{Checker, Rule, Wording};
use serde_json::Value;

/// The check of the edits that a message asks for.
pub struct Sayable {
    checker: Checker,
    owners: Wording,
}

impl Sayable {
    /// For edits of a page, as its owner's message asks; the checker is that of the page's brief.
    pub fn of(mut checker: Checker, content: &Content, message: &str) -> Sayable {
        allow(&mut checker, &serde_json::to_value(content).unwrap_or_default());
        checker.allow(message);
        Sayable { checker, owners: Wording::of([message]) }
    }

    /// What is wrong with what an operation puts on a page, if anything is: the rule that it breaks, and the text that breaks it.
    pub fn fault(&self, operation: &Operation, before: &Content, after: &Content) -> Option<(Rule, String)> {
        let mut found = match operation {
            Operation::Set { .. } | Operation::Insert { .. } => {
                let mut found = self.findings(after);
                for known in self.findings(before) {
                    if let Some(at) = found.iter().position(|one| *one == known) {
                        found.swap_remove(at);
                    }
                }
                found
            }
            Operation::SetHead { to: Some(to), .. } => {
                let head = ContentHead { title: Some(to.clone()), ..ContentHead::default() };
                self.findings(&Content::of(head, Vec::new()))
            }
            Operation::SetHead { .. }
            | Operation::SetContext { .. }
            | Operation::Remove { .. }
            | Operation::Move { .. } => Vec::new(),
        };
        found.retain(|(_, text)| !self.owners.has(text));
        found.into_iter().next()
    }

    fn findings(&self, content: &Content) -> Vec<(Rule, String)> {
        let found = self.checker.check(content).into_iter();
        let found = found.filter(|finding| !matches!(finding.rule, Rule::NoCallToAction | Rule::Headline));
        found.map(|finding| (finding.rule, finding.text)).collect()
    }
}

/// Lets the checker take the texts of a page as known.
fn allow(checker: &mut Checker, value: &Value) {
    match value {
        Value::String(text) => checker.allow(text),
        Value::Array(items) => items.iter().for_each(|item| allow(checker, item)),
        Value::Object(fields) => fields.values().for_each(|field| allow(checker, field)),
        _ => {}
    }
}
