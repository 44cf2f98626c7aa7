//! The console, as somebody uses it in a browser without script.

mod access;
mod browser;
mod importing;
mod keeping;
mod making;
mod signing_in;
