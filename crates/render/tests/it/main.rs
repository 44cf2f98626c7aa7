//! Whole pages, looked at from outside: as text, and as the tree that a browser makes of it.

mod hostile;
mod page_head;
mod page_tree;
mod parts;
mod sample;
mod snapshots;
