//! Soft deletion: a deleted row stays, answers 404, and can be restored.
//!
//! These functions decide and set the mark. The noun then stores the row and updates what follows from the mark: lists,
//! searches and totals.

use pagesmith_model::log::{Log, LogOwner};
use pagesmith_model::page::Page;
use pagesmith_model::person::Person;
use pagesmith_model::{Error, PageId, PersonId, Result, Timestamp};

use crate::precondition::Precondition;

/// A row that can be deleted and restored.
pub(crate) trait SoftDelete {
    /// What it is called in a 404.
    const NOUN: &'static str;

    /// When it was deleted.
    fn deleted_at(&mut self) -> &mut Option<Timestamp>;
}

impl SoftDelete for Page {
    const NOUN: &'static str = PageId::NOUN;

    fn deleted_at(&mut self) -> &mut Option<Timestamp> {
        &mut self.deleted_at
    }
}

impl SoftDelete for Person {
    const NOUN: &'static str = PersonId::NOUN;

    fn deleted_at(&mut self) -> &mut Option<Timestamp> {
        &mut self.deleted_at
    }
}

impl<O: LogOwner> SoftDelete for Log<O> {
    const NOUN: &'static str = "log entry";

    fn deleted_at(&mut self) -> &mut Option<Timestamp> {
        &mut self.entry.deleted_at
    }
}

/// The row, deleted or not; 404 if there is none.
pub(crate) fn any<T: SoftDelete>(found: Option<T>) -> Result<T> {
    found.ok_or_else(|| Error::not_found(T::NOUN))
}

/// The row; 404 if there is none or it is deleted.
pub(crate) fn present<T: SoftDelete>(found: Option<T>) -> Result<T> {
    let mut row = any(found)?;
    if row.deleted_at().is_some() {
        return Err(Error::not_found(T::NOUN));
    }
    Ok(row)
}

/// The row with the mark of a deletion, to be stored; nothing if it is deleted already. Only a row that is not deleted has to meet
/// the precondition.
pub(crate) fn delete<T: SoftDelete + PartialEq>(
    found: Option<T>,
    now: Timestamp,
    precondition: &Precondition<T>,
) -> Result<Option<T>> {
    let mut row = any(found)?;
    if row.deleted_at().is_some() {
        return Ok(None);
    }
    precondition.check(&row)?;
    *row.deleted_at() = Some(now);
    Ok(Some(row))
}

/// The row without the mark, to be stored; nothing if it is not deleted.
pub(crate) fn restore<T: SoftDelete>(found: Option<T>) -> Result<Option<T>> {
    let mut row = any(found)?;
    Ok(row.deleted_at().take().map(|_| row))
}

#[cfg(test)]
mod tests {
    use pagesmith_model::Kind;

    use super::*;

    #[derive(Debug, PartialEq)]
    struct Row(Option<Timestamp>);

    impl SoftDelete for Row {
        const NOUN: &'static str = "row";

        fn deleted_at(&mut self) -> &mut Option<Timestamp> {
            &mut self.0
        }
    }

    fn is_missing<T>(result: Result<T>) -> bool {
        result.is_err_and(|error| matches!(error.kind(), Kind::NotFound))
    }

    #[test]
    fn a_row_is_deleted_and_restored_once() {
        let now = Timestamp::from_micros(1);
        let unconditional = Precondition::Unconditional;
        assert_eq!(delete(Some(Row(None)), now, &unconditional).unwrap(), Some(Row(Some(now))));
        assert_eq!(delete(Some(Row(Some(now))), now, &Precondition::Failed).unwrap(), None);
        assert!(delete(Some(Row(None)), now, &Precondition::Failed).is_err());
        assert_eq!(restore(Some(Row(Some(now)))).unwrap(), Some(Row(None)));
        assert_eq!(restore(Some(Row(None))).unwrap(), None);
    }

    #[test]
    fn what_is_missing_or_deleted_is_not_found() {
        let deleted = || Some(Row(Some(Timestamp::from_micros(1))));
        assert!(
            is_missing(any::<Row>(None))
                && is_missing(present::<Row>(None))
                && is_missing(restore::<Row>(None))
        );
        assert!(is_missing(present(deleted())));
        assert!(any(deleted()).is_ok() && present(Some(Row(None))).is_ok());
    }
}
