//! The commands beside `serve`, as an operator types them: on the database of a running server, and without one.

mod administration;
mod agent;
mod audit;
mod backup;
mod diagnosis;
mod export;
mod import;
mod listen;
mod person;
mod secret_key;
mod webhook;
