//! Finds pgbouncer, a connection pooler for PostgreSQL, and installs Debian's package where that can be done without asking anyone.
//!
//! The tests through it are few, so its absence is said and is not an error. It is started by these tests and by nothing here.

use std::path::{Path, PathBuf};

use crate::debian;
use crate::shell;

const NAME: &str = "pgbouncer";

/// The program, or nothing where it is neither there nor can be installed.
pub fn find_or_install() -> Option<PathBuf> {
    let found = find().or_else(|| {
        let missing = format!("skipped: the tests through {NAME}, which was not found (Debian and Ubuntu: apt-get install {NAME})");
        match debian::install(NAME, &[NAME], &missing) {
            Ok(()) => find(),
            Err(reason) => {
                shell::say(reason);
                None
            }
        }
    });
    // Who the server runs as must be able to reach it.
    found.and_then(|program| program.canonicalize().ok())
}

/// On the search path or where packages put it, which an ordinary user's search path lacks.
fn find() -> Option<PathBuf> {
    let path = shell::environment("PATH").unwrap_or_default();
    let folders =
        std::env::split_paths(&path).chain(["/usr/sbin", "/usr/local/sbin"].map(|f| Path::new(f).to_owned()));
    folders.map(|folder| folder.join(NAME)).find(|program| program.is_file())
}
