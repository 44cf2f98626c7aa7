//! Failures of the storage, as callers are told.

use pagesmith_model::Error;

/// What a caller is told of a failure of the storage. A row whose object is gone is a defect.
pub(crate) fn failure(error: object_store::Error) -> Error {
    match error {
        object_store::Error::NotFound { .. } => Error::internal(error),
        _ => Error::unavailable("The storage of files cannot do this now.").caused_by(error),
    }
}

/// The code of an S3 server's answer, if it gave one.
pub(crate) fn code_of(error: &object_store::Error) -> Option<String> {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = cause {
        let text = error.to_string();
        if let Some((_, rest)) = text.split_once("<Code>") {
            return Some(rest.split_once("</Code>")?.0.trim().to_owned());
        }
        cause = error.source();
    }
    None
}
