//! Changes that were made before a message, which it can take back.

use crate::document::{Document, Selection};
use crate::operation::Operation;

/// A change that was made before.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EarlierChange {
    /// The request that asked for it, if that is known.
    pub reason: Option<String>,
    /// Its operations, in their order.
    pub operations: Vec<Operation>,
    /// The page before it, where the page was generated again because of it: there its operations have no inverse.
    pub before: Option<Box<Document>>,
}

impl EarlierChange {
    /// The page without it, unless something else is there by now or it is not within what is selected.
    pub(crate) fn taken_back(
        &self,
        page: &Document,
        selection: Option<&Selection>,
    ) -> Result<Document, &'static str> {
        if let Some(before) = &self.before {
            return if selection.is_some() { Err("outside") } else { Ok((**before).clone()) };
        }
        let mut page = page.clone();
        for operation in self.operations.iter().rev().map(Operation::inverse) {
            if selection.is_some_and(|selection| !selection.allows(&operation)) {
                return Err("outside");
            }
            operation.apply(&mut page).map_err(|_| "nothing-to-undo")?;
        }
        Ok(page)
    }
}
