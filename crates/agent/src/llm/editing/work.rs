//! What has been done for a message until now, and whether one more call may be carried out.
//!
//! A call is checked as a stranger's request would be: its block and place must be there, lie within the selection, fit the schema, refer to
//! nothing that neither the page nor its facts nor the message has, and say nothing that the template agent's checker finds.

use pagesmith_editor::edit_request::EditRequest;
use pagesmith_editor::operation::{Operation, Refusal};
use pagesmith_editor::{Document, Edit, EditOutcome, Reply, Voice, short};
use pagesmith_model::content::component::Component;
use pagesmith_template_agent::shared::check::Checker;
use pagesmith_template_agent::shared::text;
use serde_json::Value;

use super::super::answer;
use super::super::clean::Allowed;
use crate::AgentError;
use crate::sayable::Sayable;

use super::{EditWatch, Edited, MOST_CALLS, Task, joined, tools};

/// The most characters of a reason.
const MOST_OF_REASON: usize = 200;
/// How much of what stands somewhere the model is told.
const MOST_TOLD: usize = 500;

/// A call that was not carried out, as the owner is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Refused {
    /// The tool and what it was to change: a later call of the same repairs it.
    of: (String, String),
    /// The answer that tells it.
    answer: &'static str,
    /// What the block is called.
    label: String,
}

/// Why a call is not carried out.
struct No {
    /// What the model is told.
    why: String,
    /// The answer that the owner is given.
    answer: &'static str,
}

fn no(answer: &'static str, why: impl Into<String>) -> No {
    No { why: why.into(), answer }
}

/// The work on one message.
pub(super) struct Work<'a> {
    task: &'a Task<'a>,
    /// Whoever follows.
    pub(super) watch: &'a dyn EditWatch,
    voice: Voice,
    sayable: Sayable,
    allowed: Allowed<'a>,
    document: Document,
    /// What was done.
    pub(super) edits: Vec<Edit>,
    /// What was said to the owner.
    pub(super) said: String,
    calls: usize,
    writes_anew: bool,
    refused: Vec<Refused>,
}

impl<'a> Work<'a> {
    /// Nothing done yet.
    pub(super) fn of(task: &'a Task<'a>, watch: &'a dyn EditWatch) -> Work<'a> {
        let request = &task.request;
        Work {
            task,
            watch,
            voice: Voice::of(request.message, request.document),
            sayable: Sayable::of(Checker::of(task.brief), &request.document.content, request.message),
            allowed: Allowed::on(task.brief, &request.document.content, &[request.message]),
            document: request.document.clone(),
            edits: Vec::new(),
            said: String::new(),
            calls: 0,
            writes_anew: false,
            refused: Vec::new(),
        }
    }

    /// A new answer of the model begins.
    pub(super) fn begin_round(&mut self) {
        if !self.said.trim().is_empty() {
            self.said.push_str("\n\n");
        }
    }

    /// Takes more of what the model says to the owner; what is beyond `most` characters is left out.
    pub(super) fn say(&mut self, text: &str, most: usize) {
        let room = most.saturating_sub(self.said.chars().count());
        let shown = |char: &char| !char.is_control() || matches!(char, '\n' | '\t');
        self.said.extend(text.chars().filter(shown).take(room));
        self.watch.said(self.said.trim());
    }

    /// Carries a call out, or says why not; either way in words to the model.
    pub(super) fn carry_out(&mut self, name: &str, input: &str) -> Result<String, String> {
        self.calls += 1;
        let asked = if self.calls > MOST_CALLS {
            Err("There were too many calls for one message.".to_owned())
        } else {
            tools::read(name, input)
        };
        let asked = match asked {
            Ok(asked) => asked,
            Err(why) => {
                self.refuse((name.to_owned(), String::new()), "invalid", None);
                return Err(why);
            }
        };
        let of = (name.to_owned(), subject(&asked.wanted));
        let block = block_of(&asked.wanted);
        match self.done(asked.wanted) {
            Ok((operation, document)) => {
                self.refused.retain(|refused| refused.of != of);
                let told = operation.block_id().unwrap_or("page").to_owned();
                let reason = asked.reason.map(|reason| text::line(&reason, MOST_OF_REASON));
                let reason = reason.filter(|reason| !reason.is_empty());
                let reason = reason.unwrap_or_else(|| short(self.task.request.message));
                let edit = Edit { operation, reason };
                self.document = document;
                self.writes_anew |= asked.writes_anew;
                self.watch.edited(&edit);
                self.edits.push(edit);
                Ok(told)
            }
            Err(No { why, answer }) => {
                self.refuse(of, answer, block.as_deref());
                Err(why)
            }
        }
    }

    fn refuse(&mut self, of: (String, String), answer: &'static str, block: Option<&str>) {
        // What is so already was not left undone.
        if answer == "same" {
            return;
        }
        let label = self.voice.label(&self.document, block);
        self.refused.retain(|refused| refused.of != of);
        self.refused.push(Refused { of, answer, label });
    }

    /// The operation that was asked for, and the page after it.
    fn done(&self, wanted: EditRequest) -> Result<(Operation, Document), No> {
        let wanted = self.cleaned(wanted)?;
        let operation = wanted.on(&self.document).map_err(refusal)?;
        if self.task.request.selection.is_some_and(|selection| !selection.allows(&operation)) {
            return Err(no("outside", "It lies outside what the owner has selected."));
        }
        let mut after = self.document.clone();
        operation.apply(&mut after).map_err(|refused| match (&refused, &operation) {
            (Refusal::Invalid, Operation::Insert { block, .. }) => no("invalid", fault(block)),
            _ => refusal(refused),
        })?;
        self.is_sayable(&operation, &after)?;
        Ok((operation, after))
    }

    /// What is asked for without what may not be referred to; a refusal if that was its point.
    fn cleaned(&self, wanted: EditRequest) -> Result<EditRequest, No> {
        const LEADS_ELSEWHERE: &str = "It is or has an address, a picture, an action or HTML that neither the page nor its facts nor the message has.";
        match wanted {
            EditRequest::Set { block_id, path, from, to: Some(to) } => {
                let kind = self.kind(&block_id);
                // What it says is not looked through by anybody.
                if kind.as_deref() == Some("custom") {
                    return Err(no("unsupported", "A component of free HTML is not changed by you."));
                }
                let to =
                    self.allowed.cleaned_field(&path, to).ok_or_else(|| no("invalid", LEADS_ELSEWHERE))?;
                Ok(EditRequest::Set { block_id, path, from, to: Some(to) })
            }
            EditRequest::Insert { block, after } => {
                let id = block.get("blockId").cloned();
                let mut block = self.allowed.cleaned(block).ok_or_else(|| no("invalid", LEADS_ELSEWHERE))?;
                if let (Some(id), Some(fields)) = (id, block.as_object_mut()) {
                    fields.insert("blockId".to_owned(), id);
                }
                Ok(EditRequest::Insert { block, after })
            }
            wanted => Ok(wanted),
        }
    }

    fn kind(&self, block_id: &str) -> Option<String> {
        let block = self.document.content.blocks.iter().find(|block| block.block_id() == Some(block_id))?;
        serde_json::to_value(block).ok()?["type"].as_str().map(str::to_owned)
    }

    /// Whether visitors may read what an operation puts on the page.
    fn is_sayable(&self, operation: &Operation, after: &Document) -> Result<(), No> {
        let fault = self.sayable.fault(operation, &self.document.content, &after.content);
        if let Some((rule, text)) = fault {
            return Err(no("unsaid", format!("It {}: “{}”", rule.in_words(), text::line(&text, 160))));
        }
        let block = operation
            .block_id()
            .and_then(|id| after.content.blocks.iter().find(|block| block.block_id() == Some(id)));
        match (operation, block) {
            (Operation::Set { .. } | Operation::Insert { .. }, Some(block))
                if !is_free_html(block) && !self.allowed.leads_nowhere_else(block) =>
            {
                Err(no(
                    "invalid",
                    "It leads to an address that neither the page nor its facts nor the message has.",
                ))
            }
            _ => Ok(()),
        }
    }

    /// What the owner is told of what was not done.
    pub(super) fn dropped(&self) -> Vec<String> {
        let mut told: Vec<String> = (self.refused.iter())
            .map(|refused| self.voice.say(refused.answer, &[("x", &refused.label)]))
            .collect();
        told.dedup();
        told
    }

    /// The answer, whatever was done; `cut_off` is why there is not more.
    pub(super) fn end(self, cut_off: Option<AgentError>) -> Edited {
        let mut dropped = self.dropped();
        if cut_off.is_some() {
            dropped.push(self.voice.say("unfinished", &[]));
        }
        let usual = match (self.edits.is_empty(), dropped.is_empty()) {
            (false, _) => self.voice.say("done", &[]),
            (true, true) => self.voice.say("silent", &[]),
            (true, false) => String::new(),
        };
        let said = if self.said.trim().is_empty() { &usual } else { &self.said };
        let text = joined([said.as_str()].into_iter().chain(dropped.iter().map(String::as_str)));
        let outcome = match (self.edits.is_empty(), dropped.is_empty()) {
            (false, _) => EditOutcome::Done,
            (true, true) => EditOutcome::Asked,
            (true, false) => EditOutcome::Refused,
        };
        let reply = Reply {
            document: self.document,
            base: self.task.request.document.clone(),
            edits: self.edits,
            text,
            outcome,
            understood: true,
            took_back: 0,
            writes_anew: self.writes_anew,
            candidates: Vec::new(),
        };
        Edited { reply, cut_off }
    }
}

fn is_free_html(block: &Component) -> bool {
    matches!(block, Component::Custom(_))
}

/// What is wrong about a block.
fn fault(block: &Value) -> String {
    match answer::component(block) {
        Err(fault) => format!("The block does not fit: {fault}."),
        Ok(_) => "The page has too many blocks, or the block has no place there.".to_owned(),
    }
}

fn refusal(refusal: Refusal) -> No {
    match refusal {
        Refusal::Conflict(None) => no("invalid", "There is no such block or field."),
        Refusal::Conflict(Some(there)) => no(
            "invalid",
            format!("Something else stands there: {}", text::line(&there.to_string(), MOST_TOLD)),
        ),
        Refusal::Same => no("same", "It is like that already."),
        Refusal::Invalid => no(
            "invalid",
            "It does not fit the schema of the block: another type, too long, too short, or no such field.",
        ),
    }
}

/// The block that a call is about, if it is there.
fn block_of(wanted: &EditRequest) -> Option<String> {
    match wanted {
        EditRequest::Set { block_id, .. }
        | EditRequest::Remove { block_id }
        | EditRequest::Move { block_id, .. } => Some(block_id.clone()),
        EditRequest::Insert { .. } | EditRequest::SetHead { .. } | EditRequest::SetContext { .. } => None,
    }
}

/// What a call is to change: a later call of the same tool for the same is another try.
fn subject(wanted: &EditRequest) -> String {
    match wanted {
        EditRequest::Set { block_id, path, .. } => format!("{block_id} {path}"),
        EditRequest::Remove { block_id } | EditRequest::Move { block_id, .. } => block_id.clone(),
        EditRequest::Insert { block, .. } => block["type"].as_str().unwrap_or_default().to_owned(),
        EditRequest::SetHead { field, .. } => format!("{field:?}"),
        EditRequest::SetContext { .. } => String::new(),
    }
}
