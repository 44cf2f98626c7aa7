//! What operations take and answer, as their types describe it: the parts that the OpenAPI document is made of.
//!
//! Extractors and replies describe themselves with these types. Nothing here knows the routes; the document, which does, is
//! made in [`crate::openapi`].

pub mod operation;
pub(crate) mod response;
pub mod schemas;

pub use operation::Operation;
pub use schemas::Schemas;
