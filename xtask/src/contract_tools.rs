//! `cargo x contract-tools`: reads `api/openapi.json`, and verifies signatures of webhooks, with the tools that their readers use.
//!
//! Redocly lints it, openapi-typescript makes types from it, and the sample client in `api/tools/client.ts` must
//! compile against them. Deliveries as they are signed (`crates/model/examples/signed.rs`) are verified by two libraries of receivers; Python's is
//! left out, because a fresh Debian has no pip that installs from a lock file with digests as npm does. The tools' versions stand in `api/tools/package-lock.json`; nothing of Node reaches the service.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, Outcome};

/// The oldest Node that all tools run on: major and minor version.
const OLDEST: (u32, u32) = (18, 19);

/// Runs the checks on the checked-in document, or on another one: `--document FILE`.
pub fn run(arguments: &[String]) -> Outcome {
    let document = match arguments {
        [] => shell::root().join("api/openapi.json"),
        [option, file] if option == "--document" => {
            std::path::absolute(file).map_err(|error| format!("{file}: {error}"))?
        }
        _ => return Err("contract-tools takes nothing but --document FILE".to_owned()),
    };
    if let Err(reason) = node() {
        return Err(format!("contract-tools: {reason}"));
    }
    check(&document)
}

/// The same as part of a test run: where there is no Node, that is said and is no failure.
pub fn run_if_possible() -> Outcome {
    if let Err(reason) = node() {
        shell::say(format!("\nskipped: contract-tools ({reason})"));
        return Ok(());
    }
    check(&shell::root().join("api/openapi.json"))
}

/// Is there a Node that can run the tools?
fn node() -> Outcome {
    let (major, minor) = OLDEST;
    let found =
        shell::answer("node", ["--version"]).ok_or(format!("Node {major}.{minor} or later was not found"))?;
    if !shell::on_path("npm") {
        return Err("Node is there, but npm was not found".to_owned());
    }
    if version(&found).is_some_and(|version| version >= OLDEST) {
        Ok(())
    } else {
        Err(format!("Node {found} is older than {major}.{minor}"))
    }
}

/// Major and minor version of `v18.20.4`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim_start_matches('v').split('.').map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

fn check(document: &Path) -> Outcome {
    if !document.is_file() {
        return Err(format!("{} is missing; `cargo x gen` writes it", document.display()));
    }
    install()?;
    // Always in the checkout, whatever cargo's target folder is: the client's tsconfig.json names this place.
    // A field with a default may be left out of a request, so its type stays optional.
    let types = shell::root().join("target/contract-tools/openapi.d.ts");
    shell::write(&types, b"")?;
    shell::every([
        shell::run(tool("redocly").args(["lint", "--config", "redocly.yaml"]).arg(document)),
        shell::run(
            tool("openapi-typescript")
                .args(["--default-non-nullable=false", "--output"])
                .arg(&types)
                .arg(document),
        )
        .and_then(|()| shell::run(tool("tsc").args(["--project", "tsconfig.json"]))),
        signatures(),
    ])
}

/// Signs deliveries and lets the libraries verify them.
fn signatures() -> Outcome {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs().to_string();
    let mut cargo =
        shell::cargo(["run", "--quiet", "--package", "pagesmith-model", "--example", "signed", "--"]);
    let signed = shell::output(cargo.arg(seconds))?;
    let deliveries = shell::root().join("target/contract-tools/signed.json");
    shell::write(&deliveries, &signed)?;
    let file = std::fs::File::open(&deliveries).map_err(|error| error.to_string())?;
    let mut node = shell::program("node", ["signatures.mjs"]);
    shell::run(node.current_dir(folder()).stdin(file))
}

fn folder() -> PathBuf {
    shell::root().join("api/tools")
}

/// Installs exactly what the lockfile names, unless that was done before.
fn install() -> Outcome {
    let lock = shell::read(&folder().join("package-lock.json"))?;
    let stamp = folder().join("node_modules/.installed-lock");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    // No tool needs the scripts that packages bring, so none are run.
    let mut npm = shell::program("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"]);
    shell::run(npm.current_dir(folder()))?;
    shell::write(&stamp, lock.as_bytes())
}

/// An installed tool, told to keep to itself: no usage reports, no look for newer versions.
fn tool(name: &str) -> Command {
    let mut command = shell::program(folder().join("node_modules/.bin").join(name), [""; 0]);
    command.current_dir(folder());
    command.env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    command
}

#[cfg(test)]
mod tests {
    use super::{OLDEST, folder, version};

    #[test]
    fn versions_of_node_are_compared_as_numbers() {
        assert!(version("v18.20.4").unwrap() >= OLDEST);
        assert!(version("v20.2.0").unwrap() >= OLDEST);
        assert!(version("v18.9.0").unwrap() < OLDEST);
        assert_eq!(version("nonsense"), None);
    }

    #[test]
    fn the_lockfile_names_no_registry_but_the_default_one() {
        let lock = std::fs::read_to_string(folder().join("package-lock.json")).unwrap();
        let resolved: Vec<&str> = lock.lines().filter(|line| line.contains("\"resolved\":")).collect();
        assert!(resolved.iter().all(|line| line.contains("\"https://registry.npmjs.org/")), "{resolved:#?}");
        assert!(lock.contains("\"integrity\": \"sha512-"));
    }
}
