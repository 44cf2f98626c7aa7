//! Where the bytes of files are kept: a folder, or an object store.
//!
//! A [`Storage`] has one object for each content of a tenant, named by both ids. It is written once ([`Upload`]), never changed, and
//! removed when no row names it. What the bytes belong to and when they may go is the database's to say. This crate also tells what
//! bytes are ([`media_type`]).
//!
//! Invariants: an object is durable and whole once [`Upload::finish`] has returned, and not there before. Nothing here holds more of
//! a file in memory than one part.

mod bucket;
mod failure;
mod folder;
pub mod media_type;
mod storage;
mod upload;

pub use bucket::BucketOptions;
pub use folder::beside;
pub use storage::{FileBytes, Storage};
pub use upload::Upload;
