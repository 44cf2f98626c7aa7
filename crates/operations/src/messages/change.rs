//! What a message has changed, as it is kept: changes of fields, which the contract knows, and of blocks, which are ours.

use pagesmith_editor::Edit;
use pagesmith_editor::operation::{HeadField, Operation};
use pagesmith_model::json::JsonText;
use pagesmith_model::message::{ChangeStatus, Field, FieldChange, Message, Reasons};
use pagesmith_model::{ChangeId, Error, Result};
use serde::{Deserialize, Serialize};

use crate::context::TenantContext;

/// A change of a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BlockChange {
    /// Its id.
    pub change_id: String,
    /// What was done.
    pub operation: Operation,
    /// The request that asked for it.
    pub reason: String,
    /// What has become of it.
    pub status: ChangeStatus,
}

/// A change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StoredChange {
    /// Of a field.
    Field(FieldChange),
    /// Of a block.
    Block(BlockChange),
}

impl StoredChange {
    /// The changes of a message.
    pub(crate) fn read(text: Option<&JsonText>) -> Result<Vec<StoredChange>> {
        text.map_or(Ok(vec![]), |text| serde_json::from_str(text.as_str()).map_err(Error::internal))
    }

    /// A change that was just made. Of a field the reason is kept [apart](MadeChanges).
    fn of(change_id: String, operation: &Operation, reason: &str) -> StoredChange {
        let status = ChangeStatus::Applied;
        let (field, from, to) = match operation {
            Operation::SetHead { field, from, to } => {
                let field = match field {
                    HeadField::Title => Field::MetaTitle,
                    HeadField::Description => Field::MetaDescription,
                    HeadField::Keywords => Field::MetaKeywords,
                };
                (field, from, to)
            }
            Operation::SetContext { from, to } => (Field::SupplementaryContext, from, to),
            operation => {
                let (operation, reason) = (operation.clone(), reason.to_owned());
                return StoredChange::Block(BlockChange { change_id, operation, reason, status });
            }
        };
        let (previous_value, new_value) = (from.clone(), to.clone());
        StoredChange::Field(FieldChange { change_id, field, previous_value, new_value, status })
    }

    /// Its id.
    pub(crate) fn id(&self) -> &str {
        match self {
            StoredChange::Field(change) => &change.change_id,
            StoredChange::Block(change) => &change.change_id,
        }
    }

    /// The request that asked for it, if that is kept; `reasons` are those of the message.
    pub(crate) fn reason(&self, reasons: &Reasons) -> Option<String> {
        match self {
            StoredChange::Field(change) => reasons.get(&change.change_id).cloned(),
            StoredChange::Block(change) => Some(change.reason.clone()),
        }
    }

    /// What has become of it.
    pub(crate) fn status(&self) -> ChangeStatus {
        match self {
            StoredChange::Field(change) => change.status,
            StoredChange::Block(change) => change.status,
        }
    }

    /// Notes what has become of it.
    pub(crate) fn set_status(&mut self, status: ChangeStatus) {
        match self {
            StoredChange::Field(change) => change.status = status,
            StoredChange::Block(change) => change.status = status,
        }
    }

    /// The change of a field that it is.
    pub fn field(&self) -> Option<&FieldChange> {
        match self {
            StoredChange::Field(change) => Some(change),
            StoredChange::Block(_) => None,
        }
    }

    /// The change of a block that it is.
    pub fn block(&self) -> Option<&BlockChange> {
        match self {
            StoredChange::Field(_) => None,
            StoredChange::Block(change) => Some(change),
        }
    }

    /// What was done.
    pub(crate) fn operation(&self) -> Operation {
        match self {
            StoredChange::Block(change) => change.operation.clone(),
            StoredChange::Field(change) => {
                setting(change.field, change.previous_value.clone(), change.new_value.clone())
            }
        }
    }
}

/// The operation that changes a field.
pub(crate) fn setting(field: Field, from: Option<String>, to: Option<String>) -> Operation {
    let field = match field {
        Field::SupplementaryContext => return Operation::SetContext { from, to },
        Field::MetaTitle => HeadField::Title,
        Field::MetaDescription => HeadField::Description,
        Field::MetaKeywords => HeadField::Keywords,
    };
    Operation::SetHead { field, from, to }
}

/// Changes that a message has just made, with the reasons of those of fields: the contract fixes what a change of a field holds.
#[derive(Debug, Default)]
pub(crate) struct MadeChanges {
    pub(crate) changes: Vec<StoredChange>,
    reasons: Reasons,
}

impl MadeChanges {
    /// Those that these operations are.
    pub(crate) fn of<'e>(
        ctx: &TenantContext,
        edits: impl IntoIterator<Item = &'e Edit>,
    ) -> Result<MadeChanges> {
        let mut made = MadeChanges::default();
        for edit in edits {
            made.add(ctx, &edit.operation, &edit.reason)?;
        }
        Ok(made)
    }

    /// Adds a change.
    pub(crate) fn add(&mut self, ctx: &TenantContext, operation: &Operation, reason: &str) -> Result<()> {
        let change_id = ChangeId::mint(ctx.uuid()?).into_string();
        let change = StoredChange::of(change_id.clone(), operation, reason);
        if change.field().is_some() {
            self.reasons.insert(change_id, reason.to_owned());
        }
        self.changes.push(change);
        Ok(())
    }

    /// Keeps them with a message that is not stored yet.
    pub(crate) fn keep_in(&self, message: &mut Message) -> Result<()> {
        let kept = (!self.changes.is_empty()).then(|| JsonText::of(&self.changes)).transpose()?;
        let reasons = (!self.reasons.is_empty()).then(|| JsonText::of(&self.reasons)).transpose()?;
        (message.changes, message.reasons) = (kept, reasons);
        Ok(())
    }
}
