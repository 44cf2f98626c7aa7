//! The console, as somebody uses it in a browser without script.

mod access;
mod blocks;
mod browser;
mod building;
mod keeping;
mod making;
mod signing_in;
