//! Finds an identity provider for the browser tests that users sign in at: oidc-provider-mock, from PyPI, where there is Python.
//!
//! It is written by others, so that what we send it is judged by others. Its absence is said and is not an error: the tests
//! have a provider of their own.

use std::path::PathBuf;

use crate::python;
use crate::shell::{self, Outcome};

/// The folder of its packages, or nothing where they cannot be installed.
pub fn find_or_install() -> Option<PathBuf> {
    shell::found_or_skipped("an identity provider of others", install())
}

fn install() -> Outcome<PathBuf> {
    python::find()?;
    let is_new = shell::answer("python3", ["-c", "import sys; print(sys.version_info >= (3, 10))"]);
    if is_new.as_deref() != Some("True") {
        return Err("it needs Python 3.10 or later".to_owned());
    }
    python::install(&shell::root().join("xtask/oidc/requirements.txt"), "oidc-of-pypi")
}
