//! Python and the packages of PyPI that checks are made with; nothing of either reaches the service.
//!
//! A `requirements.txt` says which versions. Invariant: nothing is installed whose digest it does not name, and no script
//! that a package brings is run: only wheels are taken.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::debian;
use crate::shell::{self, Outcome};

/// Is there a Python with pip that is new enough? Where it can be done without asking anyone, it is installed.
pub fn find() -> Outcome {
    if is_there() {
        return Ok(());
    }
    let missing = "Python 3.9 or later with pip was not found";
    debian::install("Python", &["python3", "python3-pip"], missing)?;
    if is_there() { Ok(()) } else { Err(missing.to_owned()) }
}

fn is_there() -> bool {
    let is_new = shell::answer("python3", ["-c", "import sys; print(sys.version_info >= (3, 9))"]);
    is_new.as_deref() == Some("True") && shell::answer("python3", ["-m", "pip", "--version"]).is_some()
}

/// Installs exactly what the requirements name, unless that was done before, into a folder of that name below `target`; the folder.
pub fn install(requirements: &Path, name: &str) -> Outcome<PathBuf> {
    let wanted = shell::read(requirements)?;
    let folder = shell::target().join(name);
    let stamp = folder.join(".installed-requirements");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(folder);
    }
    // What a package needs beside itself is named as well, or is not needed.
    let options = [
        "--quiet",
        "--disable-pip-version-check",
        "--no-input",
        "--no-deps",
        "--require-hashes",
        "--only-binary=:all:",
    ];
    let mut pip = shell::program("python3", ["-m", "pip", "install", "--upgrade"]);
    // In a folder of its own it breaks nothing of the system's, whoever runs it.
    pip.env("PIP_ROOT_USER_ACTION", "ignore");
    shell::run(pip.args(options).arg("--target").arg(&folder).arg("--requirement").arg(requirements))?;
    shell::write(&stamp, wanted.as_bytes())?;
    Ok(folder)
}

/// A script of a folder, with what the folder's requirements name.
pub fn script(folder: &Path, name: &str) -> Outcome<Command> {
    let packages = install(&folder.join("requirements.txt"), "contract-tools/python")?;
    let mut python = shell::program("python3", [name]);
    python.current_dir(folder).env("PYTHONPATH", packages).env("PYTHONDONTWRITEBYTECODE", "1");
    Ok(python)
}

#[cfg(test)]
mod tests {
    use crate::shell;

    #[test]
    fn every_requirement_has_one_version_and_a_digest() {
        for file in [
            "api/tools/requirements.txt",
            "xtask/oidc/requirements.txt",
            "xtask/postgres/requirements.txt",
            "xtask/s3/requirements.txt",
        ] {
            let text = std::fs::read_to_string(shell::root().join(file)).unwrap();
            let whole = text.replace("\\\n", " ");
            let lines: Vec<&str> = whole.lines().filter(|line| !line.starts_with('#')).collect();
            assert!(!lines.is_empty());
            for line in lines {
                assert!(line.contains("==") && line.contains("--hash=sha256:"), "{line}");
            }
        }
    }
}
