//! Ids in the path. A malformed id is not found, like an id that does not exist.

use pagesmith_model::{Error, PathId};

use crate::description::{Operation, Schemas};
use crate::extract::{Extract, Findings, Incoming};

/// An id from the path.
pub struct Path<T>(pub T);

impl<T: PathId + Send> Extract for Path<T> {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        operation.takes_path(T::PARAMETER, T::NOUN, T::EXAMPLE);
    }

    fn extract(request: &Incoming, findings: &mut Findings) -> Option<Path<T>> {
        let text = request.path.iter().find(|(name, _)| name == T::PARAMETER).map(|(_, text)| text.as_str());
        let id = text.and_then(T::parse);
        if id.is_none() {
            findings.refuse(Error::not_found(T::NOUN));
        }
        id.map(Path)
    }
}
