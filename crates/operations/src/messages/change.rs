//! What a message has changed, as it is kept: changes of fields, which the contract knows, and of blocks, which are ours.

use pagesmith_editor::operation::{HeadField, Operation};
use pagesmith_model::json::JsonText;
use pagesmith_model::message::{ChangeStatus, Field, FieldChange};
use pagesmith_model::{Error, Result};
use serde::{Deserialize, Serialize};

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

    /// A change that was just made.
    pub(crate) fn of(change_id: String, operation: &Operation, reason: &str) -> StoredChange {
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
                let (from, to) = (change.previous_value.clone(), change.new_value.clone());
                let field = match change.field {
                    Field::SupplementaryContext => return Operation::SetContext { from, to },
                    Field::MetaTitle => HeadField::Title,
                    Field::MetaDescription => HeadField::Description,
                    Field::MetaKeywords => HeadField::Keywords,
                };
                Operation::SetHead { field, from, to }
            }
        }
    }
}
