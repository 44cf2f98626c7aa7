//! Whole pages, looked at from outside: as text, and as the tree that a browser makes of it.
#![expect(clippy::unwrap_used, reason = "a test ends where something is missing")]

mod hostile;
mod page_head;
mod page_tree;
mod parts;
mod pictures;
mod sample;
mod snapshots;
