//! Changes a page as its owner says.
//!
//! [`operation`] is what can be done to a page: each operation names its block, holds what it changes as a lock, and has an exact inverse.
//! [`edit`] is the offline editor: it understands a message by templates, which are data files, one per language, and answers with
//! operations. [`edit_request`] and [`Voice`] are for editors of another kind, which make the same operations. What this crate is not: a
//! writer. The words of a page come from the message, from what is on the page, or from the [`Material`] that the caller gives.
//! Invariants: a page that fits the schema fits it after any operation; blocks that an operation does not name stay byte for byte the
//! same; the same message for the same page gives the same operations; what is ambiguous or not understood changes nothing.

mod act;
mod add;
mod beginning;
mod buttons;
mod correction;
mod document;
mod earlier;
pub mod edit_request;
mod editor;
mod frame;
mod kinds;
mod language;
mod length;
mod lengthen;
mod listing;
mod material;
mod moving;
mod new_items;
mod new_words;
pub mod operation;
mod ordinary;
mod parse;
mod price;
mod protect;
mod qualifiers;
mod readers;
mod reference;
mod reply;
mod resolve;
mod schema;
mod second_thoughts;
mod sentence;
mod setting;
mod several;
mod shorten;
mod template;
mod thing;
mod token;
mod voice;
mod wording;

pub use document::{Document, Head, Material, Offer, Selection};
pub use earlier::EarlierChange;
pub use editor::edit;
pub use reply::{Edit, EditOutcome, Reply, Request};
pub use voice::{Voice, short};
