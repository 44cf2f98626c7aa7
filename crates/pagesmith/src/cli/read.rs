//! The commands that read a file of somebody else's in a process of their own. The server starts them; nobody types them.

pub(super) mod document;
pub(super) mod font;
pub(super) mod picture;
