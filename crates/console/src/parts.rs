//! What screens are made of: pure functions from values to markup.
//!
//! No part reads the database or the clock. Each one is complete without script; [`crate::assets`] only improve it. Texts that
//! a part says itself come from [`crate::words`]; everything else it is given.

pub mod badge;
pub mod chart;
mod chart_scale;
pub mod code;
pub mod date_range;
pub mod dialog;
pub mod diff;
pub mod empty;
pub mod field;
pub mod form;
#[cfg(any(test, feature = "gallery"))]
pub mod gallery;
#[cfg(test)]
mod gallery_tests;
pub mod icon;
pub mod layout;
pub mod list_query;
pub mod live;
pub mod moment;
pub mod navigation;
pub mod pagination;
pub mod palette;
mod rows;
pub mod schema_form;
pub mod swatch;
pub mod table;
mod table_tools;
pub mod tabs;
pub mod timeline;
pub mod toast;
