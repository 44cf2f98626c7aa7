//! The console, as somebody uses it in a browser without script.

mod access;
mod browser;
mod keeping;
mod making;
mod operator;
mod settings;
mod signing_in;
