//! The console, as somebody uses it in a browser without script.

mod access;
mod audiences;
mod blocks;
mod browser;
mod building;
mod compression;
mod identity_providers;
mod importing;
mod keeping;
mod listening;
mod mail;
mod making;
mod operator;
mod persons;
mod settings;
mod signing_in;
mod start;
mod visits;
