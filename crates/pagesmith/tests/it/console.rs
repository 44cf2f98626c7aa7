//! The console, as somebody uses it in a browser without script.

mod access;
mod browser;
mod compression;
mod identity_providers;
mod keeping;
mod listening;
mod mail;
mod making;
mod signing_in;
mod visits;
