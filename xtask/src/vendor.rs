//! `cargo x vendor`: fetches htmx from npm again, in the recorded version or another one, for the console.
//!
//! npm compares what it fetches with the digest that its registry has. What is written here is the file as its makers publish it, its
//! licence, and a record of version and digest, which a test of the console compares with the file.

use std::fmt::Write as _;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use crate::shell::{self, Outcome};

const PACKAGE: &str = "htmx.org";
/// Where it is in the package.
const FILE: &str = "dist/htmx.min.js";

/// Fetches the recorded version, or the one that is named.
pub fn run(arguments: &[String]) -> Outcome {
    let record = folder().join("htmx.toml");
    let version = match arguments {
        [] => recorded(&shell::read(&record)?).ok_or(format!("{}: no version", record.display()))?,
        [version] if is_version(version) => version.clone(),
        _ => return Err("vendor takes one version such as 4.0.1, or nothing".to_owned()),
    };
    if !shell::on_path("npm") {
        return Err("npm was not found".to_owned());
    }
    let fetched = shell::target().join("vendor");
    std::fs::create_dir_all(&fetched).map_err(|error| format!("{}: {error}", fetched.display()))?;
    let mut npm =
        shell::program("npm", ["pack", "--ignore-scripts", "--silent", &format!("{PACKAGE}@{version}")]);
    shell::run(npm.current_dir(&fetched))?;
    let mut tar = shell::program("tar", ["-xzf", &format!("{PACKAGE}-{version}.tgz")]);
    shell::run(tar.current_dir(&fetched))?;
    let package = fetched.join("package");
    let bytes = std::fs::read(package.join(FILE)).map_err(|error| format!("{FILE}: {error}"))?;
    let licence = shell::read(&package.join("LICENSE"))?;
    shell::write(&folder().join("htmx.min.js"), &bytes)?;
    shell::write(&folder().join("htmx.LICENSE"), licence.as_bytes())?;
    shell::write(&record, written(&version, &bytes).as_bytes())?;
    shell::say(format!("\nhtmx {version}, {} bytes", bytes.len()));
    Ok(())
}

fn folder() -> PathBuf {
    shell::root().join("crates/console/src/static")
}

/// Digits and points, and what follows a hyphen.
fn is_version(text: &str) -> bool {
    let is_part = |char: char| char.is_ascii_alphanumeric() || char == '.' || char == '-';
    text.starts_with(|char: char| char.is_ascii_digit()) && text.chars().all(is_part)
}

/// The version that a record names.
fn recorded(record: &str) -> Option<String> {
    let line = record.lines().find_map(|line| line.strip_prefix("version = "))?;
    Some(line.trim_matches('"').to_owned()).filter(|version| is_version(version))
}

fn written(version: &str, bytes: &[u8]) -> String {
    let mut digest = String::new();
    for byte in Sha256::digest(bytes) {
        // Writing to a text does not fail.
        let _ = write!(digest, "{byte:02x}");
    }
    format!(
        "# The htmx that is vendored here; `cargo x vendor` writes this file, and a test compares.\npackage = \"{PACKAGE}\"\n\
         version = \"{version}\"\nfile = \"{FILE}\"\nlicence = \"0BSD\"\nsha256 = \"{digest}\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{folder, is_version, recorded, written};
    use crate::shell;

    #[test]
    fn the_record_in_the_checkout_is_what_would_be_written() {
        let record = shell::read(&folder().join("htmx.toml")).unwrap();
        let bytes = std::fs::read(folder().join("htmx.min.js")).unwrap();
        assert_eq!(written(&recorded(&record).unwrap(), &bytes), record);
    }

    #[test]
    fn only_versions_are_asked_for() {
        assert!(is_version("4.0.1") && is_version("4.1.0-beta1"));
        assert!(!is_version("latest") && !is_version("4.0.1 --registry") && !is_version("../4"));
    }
}
