//! Failures of the storage, as callers are told.

use pagesmith_model::Error;

/// What a caller is told of a failure of the storage. A row whose object is gone is a defect.
pub(crate) fn failure(error: object_store::Error) -> Error {
    match error {
        object_store::Error::NotFound { .. } => Error::internal(error),
        _ => Error::unavailable("The storage of files cannot do this now.").caused_by(error),
    }
}
