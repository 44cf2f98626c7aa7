//! How the index reads texts: their languages, their terms and their chunks. Whoever compares other texts with what the index finds
//! reads them the same way.

mod chunk;
mod language;
mod summary;
pub mod terms;

pub(crate) use chunk::digest;
pub use chunk::{TextChunk, content_id, cut};
pub use language::{Language, Languages};
pub use summary::summary;

pub use crate::posting::rarity;
