//! The trash: a row that was put there is still read, but not used, until it is restored or its time is over.
//!
//! These functions decide and set the mark, like those of [`crate::soft_deletion`], where a deleted row is hidden instead. The noun
//! then stores the row, and what follows from the mark: lists and totals. A task removes rows whose time is over ([`ends_before`]).

use std::time::Duration;

use pagesmith_model::{Error, Kind, Result, Timestamp};
use serde_json::json;

use crate::precondition::Precondition;

/// How long a row stays in the trash.
pub const KEPT: Duration = Duration::from_hours(24 * 30);

/// A row that can be put into the trash.
pub(crate) trait Trash {
    /// What it is called in an error.
    const NOUN: &'static str;

    /// When it was put there.
    fn trashed_at(&mut self) -> &mut Option<Timestamp>;
}

/// The row, in the trash or not; 404 if there is none.
pub(crate) fn any<T: Trash>(found: Option<T>) -> Result<T> {
    found.ok_or_else(|| Error::not_found(T::NOUN))
}

/// The row to be changed; 409 if it is in the trash.
pub(crate) fn active<T: Trash>(found: Option<T>) -> Result<T> {
    let mut row = any(found)?;
    if row.trashed_at().is_none() {
        return Ok(row);
    }
    let detail = format!("The {} is in the trash. Restore it first.", T::NOUN);
    Err(Error::new(Kind::Conflict(Some(json!({ "reason": "trashed" }))), detail))
}

/// The row with the mark, to be stored; nothing if it is there already. Only a row that is not has to meet the precondition.
pub(crate) fn put<T: Trash + PartialEq>(
    found: Option<T>,
    now: Timestamp,
    precondition: &Precondition<T>,
) -> Result<Option<T>> {
    let mut row = any(found)?;
    if row.trashed_at().is_some() {
        return Ok(None);
    }
    precondition.check(&row)?;
    *row.trashed_at() = Some(now);
    Ok(Some(row))
}

/// The row without the mark, to be stored; nothing if it is not in the trash.
pub(crate) fn restore<T: Trash>(found: Option<T>) -> Result<Option<T>> {
    let mut row = any(found)?;
    Ok(row.trashed_at().take().map(|_| row))
}

/// What was put into the trash by this instant is removed now.
pub(crate) fn ends_before(now: Timestamp) -> Timestamp {
    now.minus(KEPT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Row(Option<Timestamp>);

    impl Trash for Row {
        const NOUN: &'static str = "row";

        fn trashed_at(&mut self) -> &mut Option<Timestamp> {
            &mut self.0
        }
    }

    #[test]
    fn a_row_is_put_into_the_trash_and_restored_once() {
        let now = Timestamp::from_micros(1);
        let there = || Some(Row(Some(now)));
        assert_eq!(put(Some(Row(None)), now, &Precondition::Unconditional).unwrap(), Some(Row(Some(now))));
        assert_eq!(put(there(), now, &Precondition::Failed).unwrap(), None);
        assert!(put(Some(Row(None)), now, &Precondition::Failed).is_err());
        assert_eq!(restore(there()).unwrap(), Some(Row(None)));
        assert_eq!(restore(Some(Row(None))).unwrap(), None);
    }

    #[test]
    fn what_is_there_is_read_and_not_changed() {
        let there = || Some(Row(Some(Timestamp::from_micros(1))));
        assert!(any(there()).is_ok() && active(Some(Row(None))).is_ok());
        assert!(matches!(active(there()).unwrap_err().kind(), Kind::Conflict(Some(_))));
        for missing in [any::<Row>(None), active(None)] {
            assert_eq!(*missing.unwrap_err().kind(), Kind::NotFound);
        }
    }
}
