//! A draft edited by hand: whoever edits says each operation, and no editor is asked.
//!
//! The operations are those of the editor, on the same draft, and become a message of the conversation with its changes and its snapshot. So they
//! are taken back, restored and saved like all others. Invariants: all operations of an edit are carried out or none; each is checked by the
//! schema of contents and the rules of the page; what somebody else has changed meanwhile is a conflict.

use std::collections::HashSet;

use pagesmith_editor::Document;
use pagesmith_editor::edit_request::EditRequest;
use pagesmith_editor::operation::{Operation, Refusal};
use pagesmith_model::content::Content;
use pagesmith_model::message::Message;
use pagesmith_model::message::edit::{DraftEdit, DraftOperation};
use pagesmith_model::version::history::VersionAction;
use pagesmith_model::{AudienceId, Error, Issue, IssueCode, Kind, PageId, Result, VersionId};
use pagesmith_store::Tx;
use serde_json::{Value, json};

use crate::assets::shown;
use crate::context::TenantContext;
use crate::messages::{MadeChanges, StoredChange, answer, draft, history, open};
use crate::parent_pages::{find_with_parent, require_open_page};
use crate::versions::content::action_ids;
use crate::versions::require_open_audience;

/// What came of an edit.
#[derive(Debug, Clone, PartialEq)]
pub struct Edited {
    /// The draft.
    pub version_id: VersionId,
    /// The message that tells of the edit.
    pub message: Message,
    /// What was changed, an item for each operation.
    pub changes: Vec<StoredChange>,
}

/// Carries the operations of an edit out on the draft of an audience. `broken` tells the rules of the schema that a block breaks.
pub fn edit(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (page_id, audience_id): (&PageId, &AudienceId),
    edit: &DraftEdit,
    broken: &dyn Fn(&Value) -> Vec<Issue>,
) -> Result<Edited> {
    let (parent, mut audience) = find_with_parent(tx, ctx, page_id, audience_id)?;
    require_open_page(parent.archived_at)?;
    require_open_audience(audience.archived_at)?;
    let version = draft::require(tx, ctx, &mut audience)?;
    let before = draft::document(tx, ctx, &audience, &version.version_id)?;
    let actions = action_ids(&parent.actions)?;
    let mut after = before.clone();
    let (mut changes, mut broken_rules) = (MadeChanges::default(), Vec::new());
    let reason = edit.reason.as_deref().unwrap_or("Edited by hand.");
    for (index, wanted) in edit.operations.iter().enumerate() {
        let operation = match operation(wanted, &after) {
            Ok(operation) => operation,
            Err(refusal) => {
                note(refused(index, wanted, &refusal), &mut broken_rules)?;
                continue;
            }
        };
        let faults = Faults { index, operation: &operation, broken };
        match issues_of(tx, ctx, &faults, &after, &actions)? {
            Ok(issues) if issues.is_empty() => {}
            Ok(issues) => {
                broken_rules.extend(issues);
                continue;
            }
            Err(refusal) => {
                note(refused(index, wanted, &refusal), &mut broken_rules)?;
                continue;
            }
        }
        if let Err(refusal) = operation.apply(&mut after) {
            note(refused(index, wanted, &refusal), &mut broken_rules)?;
            continue;
        }
        changes.add(ctx, &operation, reason)?;
    }
    if !broken_rules.is_empty() {
        return Err(Error::invalid(broken_rules));
    }
    let mut conversation = open(tx, ctx, audience_id)?;
    let mut message = answer(ctx, &mut conversation, reason.to_owned(), &version.version_id)?;
    changes.keep_in(&mut message)?;
    message.has_snapshot = true;
    let noted = (VersionAction::Edited, &message.message_id);
    draft::keep_as(tx, ctx, &version, noted, (&before, &after))?;
    let added = history::add(ctx, &version, &conversation, &message, Some(&after))?;
    tx.batch(added)?;
    Ok(Edited { version_id: version.version_id, message, changes: changes.changes })
}

/// Notes the broken rules of an operation that was refused, so that all are told at once. A conflict ends the edit, unless it may follow from an
/// operation that was refused before.
fn note(refused: Error, broken_rules: &mut Vec<Issue>) -> Result<()> {
    match refused.kind() {
        Kind::Invalid(issues) => broken_rules.extend(issues.iter().cloned()),
        _ if broken_rules.is_empty() => return Err(refused),
        _ => {}
    }
    Ok(())
}

/// What is wrong with what an operation writes, and was not wrong before.
fn issues_of(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    faults: &Faults<'_>,
    document: &Document,
    actions: &HashSet<String>,
) -> Result<Result<Vec<Issue>, Refusal>> {
    let written = match faults.written(document) {
        Ok(Some(written)) => written,
        Ok(None) => return Ok(Ok(Vec::new())),
        Err(refusal) => return Ok(Err(refusal)),
    };
    let mut broken = (faults.broken)(&written);
    let before = faults.stands(document).and_then(|before| before.blocks.into_iter().next());
    if let (false, Some(before)) = (broken.is_empty(), before) {
        // What was stored before there was a rule may stay, where the operation does not write it.
        let known = (faults.broken)(&serde_json::to_value(before).map_err(Error::internal)?);
        broken.retain(|issue| faults.within(issue).is_some() || !known.contains(issue));
    }
    let broken: Vec<Issue> = broken.into_iter().map(|issue| faults.place(issue)).collect();
    let Some(content) = alone(&written).filter(|_| broken.is_empty()) else { return Ok(Ok(broken)) };
    let is_action = |id: &str| actions.contains(id);
    let mut new = content.issues(&is_action);
    if let (false, Some(before)) = (new.is_empty(), faults.stands(document)) {
        let known = before.issues(&is_action);
        new.retain(|issue| !known.contains(issue));
    }
    if !new.is_empty() {
        return Ok(Ok(faults.placed(new)));
    }
    let mut unknown = shown::issues(tx, &ctx.tenant, &content)?;
    if let (false, Some(before)) = (unknown.is_empty(), faults.stands(document)) {
        let known = shown::issues(tx, &ctx.tenant, &before)?;
        unknown.retain(|issue| !known.contains(issue));
    }
    Ok(Ok(faults.placed(unknown)))
}

/// The operation that somebody has sent, for this document.
fn operation(wanted: &DraftOperation, document: &Document) -> Result<Operation, Refusal> {
    let value = |block| serde_json::to_value(block).map_err(|_| Refusal::Invalid);
    Ok(match wanted.clone() {
        DraftOperation::Set(set) if set.from == set.to => return Err(Refusal::Same),
        DraftOperation::Move(moved) if moved.from == moved.to => return Err(Refusal::Same),
        DraftOperation::SetHead(set) if set.from == set.to => return Err(Refusal::Same),
        DraftOperation::SetContext(set) if set.from == set.to => return Err(Refusal::Same),
        DraftOperation::Set(set) => {
            Operation::Set { block_id: set.block_id, path: set.path, from: set.from, to: set.to }
        }
        DraftOperation::Insert(insert) if insert.block.block_id().is_some() => {
            Operation::Insert { block: value(insert.block)?, after: insert.after }
        }
        DraftOperation::Insert(insert) => {
            EditRequest::Insert { block: value(insert.block)?, after: insert.after }.on(document)?
        }
        DraftOperation::Remove(remove) => {
            Operation::Remove { block: value(remove.block)?, after: remove.after }
        }
        DraftOperation::Move(moved) => {
            Operation::Move { block_id: moved.block_id, from: moved.from, to: moved.to }
        }
        DraftOperation::SetHead(set) => Operation::SetHead { field: set.field, from: set.from, to: set.to },
        DraftOperation::SetContext(set) => Operation::SetContext { from: set.from, to: set.to },
    })
}

/// The error of an operation that was not carried out.
fn refused(index: usize, wanted: &DraftOperation, refusal: &Refusal) -> Error {
    let field = match wanted {
        DraftOperation::Insert(_) | DraftOperation::Remove(_) => "block",
        _ => "to",
    };
    let at = index.to_string();
    let path = ["operations", at.as_str(), field];
    let what = match refusal {
        Refusal::Conflict(found) => {
            let details = json!({ "operation": index, "found": found });
            let detail =
                format!("Operation {index}: something else stands there by now. Nothing was changed.");
            return Error::new(Kind::Conflict(Some(details)), detail);
        }
        Refusal::Same => "is there already",
        Refusal::Invalid => "cannot stand there; a field that is empty is left out",
    };
    let message = format!("{}: {what}.", path.join("."));
    Error::invalid(vec![Issue::body(IssueCode::InvalidValue, &path, message)])
}

/// The rules that an operation would break.
struct Faults<'a> {
    index: usize,
    operation: &'a Operation,
    broken: &'a dyn Fn(&Value) -> Vec<Issue>,
}

impl Faults<'_> {
    /// The block that it writes, if it writes one.
    fn written(&self, document: &Document) -> Result<Option<Value>, Refusal> {
        match self.operation {
            Operation::Insert { block, .. } => Ok(Some(block.clone())),
            operation => operation.block_after(document),
        }
    }

    /// The block as it is there, alone in a document.
    fn stands(&self, document: &Document) -> Option<Content> {
        let id = self.operation.block_id()?;
        let block = document.content.blocks.iter().find(|block| block.block_id() == Some(id))?;
        Some(Content::of(document.content.head.clone(), vec![block.clone()]))
    }

    /// Issues of a document with nothing but the block, at their places in the request.
    fn placed(&self, issues: Vec<Issue>) -> Vec<Issue> {
        let of_block = |mut issue: Issue| {
            let what = said(&issue).to_owned();
            issue.path.drain(..issue.path.len().min(2));
            issue.message = format!("{}: {what}", issue.path.join("."));
            self.place(issue)
        };
        issues.into_iter().map(of_block).collect()
    }

    /// The rest of the path of an issue that is in the field that is set.
    fn within(&self, issue: &Issue) -> Option<Vec<String>> {
        let Operation::Set { path: pointer, .. } = self.operation else { return None };
        let unescaped = |step: &str| step.replace("~1", "/").replace("~0", "~");
        let set: Vec<String> = pointer.split('/').skip(1).map(unescaped).collect();
        issue.path.strip_prefix(set.as_slice()).map(<[String]>::to_vec)
    }

    /// An issue of the block at its place in the request.
    fn place(&self, issue: Issue) -> Issue {
        let what = said(&issue).trim_end_matches('.').to_owned();
        let mut path = vec!["operations".to_owned(), self.index.to_string()];
        match self.operation {
            Operation::Set { .. } => {
                path.push("to".to_owned());
                path.extend(self.within(&issue).unwrap_or_default());
            }
            _ => {
                path.push("block".to_owned());
                path.extend(issue.path);
            }
        }
        Issue { message: format!("{}: {what}.", path.join(".")), path, ..issue }
    }
}

/// What an issue says, without its place.
fn said(issue: &Issue) -> &str {
    let place = format!("{}: ", issue.path.join("."));
    issue
        .message
        .strip_prefix(&place)
        .or_else(|| issue.message.split_once(": ").map(|(_, said)| said))
        .unwrap_or(&issue.message)
}

/// A document of one block; nothing if it is none.
fn alone(block: &Value) -> Option<Content> {
    serde_json::from_value(json!({ "blocks": [block] })).ok()
}
