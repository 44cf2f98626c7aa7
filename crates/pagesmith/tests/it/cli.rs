//! The commands beside `serve`, as an operator types them: on the database of a running server, and without one.

mod administration;
mod agent;
mod audit;
mod backup;
mod diagnosis;
mod export;
mod files;
mod import;
mod listen;
mod lost_key;
mod messages;
mod person;
mod program;
mod secret_key;
mod terminal;
mod user;
mod webhook;
