//! Finds libfaketime, which lets a program see another time of day, and installs Debian's package where that can be done without asking anyone.
//!
//! With it, the longer run of `cargo x crash` has servers whose clocks differ. Its absence is said and is not an error.

use std::path::{Path, PathBuf};

use crate::debian;
use crate::shell;

const LIBRARY: &str = "libfaketimeMT.so.1";

/// What a run without it has to say.
pub const MISSING: &str = "skipped: clocks that differ, since libfaketime was not found (Debian and Ubuntu: apt-get install libfaketime)";

/// The library to load before a program, or nothing where it is neither there nor can be installed.
pub fn find_or_install() -> Option<PathBuf> {
    find().or_else(|| match debian::install("libfaketime", &["libfaketime"], MISSING) {
        Ok(()) => find(),
        Err(reason) => {
            shell::say(reason);
            None
        }
    })
}

/// Below the folders of the machine's libraries, where packages put it.
fn find() -> Option<PathBuf> {
    let folders = std::fs::read_dir(Path::new("/usr/lib")).ok()?.flatten();
    folders.map(|folder| folder.path().join("faketime").join(LIBRARY)).find(|library| library.is_file())
}
