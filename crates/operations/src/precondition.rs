//! Preconditions: a change of a resource only while it is in the state that the caller knows.
//!
//! Whoever asks for a conditional change reads the resource before, outside of the change, and decides whether the caller knows
//! that state. The change itself compares the state that it finds with the one that was read.

use pagesmith_model::{Error, Kind, Result};

/// What must hold of a resource before it is changed.
///
/// A state has more fields than answers show. If only such a field changes between the two reads, the change is refused as
/// well; the caller reads the resource again, finds the same tag, and can send the same request again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Precondition<T> {
    /// Nothing.
    Unconditional,
    /// The resource exists.
    Exists,
    /// The resource is in this state, which was read before.
    Unchanged(T),
    /// Does not hold: the caller knows another state than the one that was read.
    Failed,
}

impl<T> Precondition<T> {
    /// The same of a part of the state that was read.
    pub fn of_part<U>(self, part: impl FnOnce(T) -> U) -> Precondition<U> {
        match self {
            Precondition::Unconditional => Precondition::Unconditional,
            Precondition::Exists => Precondition::Exists,
            Precondition::Unchanged(seen) => Precondition::Unchanged(part(seen)),
            Precondition::Failed => Precondition::Failed,
        }
    }
}

impl<T: PartialEq> Precondition<T> {
    /// Refuses the state of a resource, or its absence, if the precondition does not hold of it.
    pub fn check<'a>(&self, present: impl Into<Option<&'a T>>) -> Result<()>
    where
        T: 'a,
    {
        let present = present.into();
        let holds = match self {
            Precondition::Unconditional => true,
            Precondition::Exists => present.is_some(),
            Precondition::Unchanged(seen) => present == Some(seen),
            Precondition::Failed => false,
        };
        if holds {
            return Ok(());
        }
        let detail = "The resource has changed since the state that If-Match names.";
        Err(Error::new(Kind::PreconditionFailed, detail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_precondition_holds_of_its_states_only() {
        for (precondition, same, other, absent) in [
            (Precondition::Unconditional, true, true, true),
            (Precondition::Exists, true, true, false),
            (Precondition::Unchanged("a"), true, false, false),
            (Precondition::Failed, false, false, false),
        ] {
            assert_eq!(precondition.check(&"a").is_ok(), same, "{precondition:?}");
            assert_eq!(precondition.check(&"b").is_ok(), other, "{precondition:?}");
            assert_eq!(precondition.check(None).is_ok(), absent, "{precondition:?}");
        }
    }
}
