//! The tests of the editor: the public set of requests, and what holds for every operation.

#![expect(clippy::unwrap_used, reason = "a test ends where something is missing")]
#![expect(clippy::print_stderr, reason = "what was not understood is shown to whoever looks")]

mod answers;
mod buttons;
mod half;
mod operations;
mod requests;
mod selection;
mod set;
mod shorter;
