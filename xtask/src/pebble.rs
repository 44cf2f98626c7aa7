//! Finds pebble, the ACME server for tests by the makers of Let's Encrypt, and installs Debian's package where that can be done without asking anyone.
//!
//! The tests with it are few, so its absence is said and is not an error. It is started by these tests and by nothing here.

use std::path::PathBuf;

use crate::debian;
use crate::shell;

const NAME: &str = "pebble";

/// The program, or nothing where it is neither there nor can be installed.
pub fn find_or_install() -> Option<PathBuf> {
    find().or_else(|| {
        let missing = format!(
            "skipped: the tests with {NAME}, which was not found (Debian and Ubuntu: apt-get install {NAME})"
        );
        match debian::install(NAME, &[NAME], &missing) {
            Ok(()) => find(),
            Err(reason) => {
                shell::say(reason);
                None
            }
        }
    })
}

fn find() -> Option<PathBuf> {
    let path = shell::environment("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(NAME)).find(|program| program.is_file())
}
