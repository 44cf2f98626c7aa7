//! The tests of the editor: the public set of requests, and what holds for every operation.

mod operations;
mod requests;
mod set;
