//! The console, as somebody uses it in a browser without script.

mod access;
mod browser;
mod compression;
mod keeping;
mod listening;
mod making;
mod signing_in;
mod visits;
