//! The handlers, one file per noun: JSON types, and functions that call operations.

pub(crate) mod page_view;
pub(crate) mod pages;
pub(crate) mod system;
