//! `cargo x ci`: what must hold before a change lands, in one command.
//!
//! The cheap parts come first, but all parts run, so that one run names everything.

use crate::{check, gen_files, shell, test};

/// `check`, then `gen --check`, then `test`.
pub fn run() -> shell::Outcome {
    shell::every([check::run(), gen_files::run(&["--check".to_owned()]), test::run(&[])])
}
