//! `cargo x contract-tools`: reads `api/openapi.json`, and verifies signatures of webhooks, with the tools that their readers use.
//!
//! Redocly lints it, openapi-typescript makes types from it, and the sample client in `api/tools/client.ts` must
//! compile against them. Deliveries as they are signed (`crates/model/examples/signed.rs`) are verified by three libraries of receivers: two of npm, and
//! Python's. The tools' versions and digests are in `api/tools/package-lock.json` and `requirements.txt`; nothing of Node or Python reaches the service. Where either is missing, its part is left out, and
//! that is said.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, Outcome};
use crate::{node, python, workspace};

/// Runs the checks on the checked-in document, or on another one: `--document FILE`.
pub fn run(arguments: &[String]) -> Outcome {
    let document = match arguments {
        [] => shell::root().join("api/openapi.json"),
        [option, file] if option == "--document" => {
            std::path::absolute(file).map_err(|error| format!("{file}: {error}"))?
        }
        _ => return Err("contract-tools takes nothing but --document FILE".to_owned()),
    };
    if let Err(reason) = node::is_there() {
        return Err(format!("contract-tools: {reason}"));
    }
    check(&document)
}

/// The same as part of a test run: where there is no Node, that is said and is no failure.
pub fn run_if_possible() -> Outcome {
    if let Err(reason) = node::is_there() {
        shell::say(format!("\nskipped: contract-tools but for Python ({reason})"));
        return verified_by_python(&signed()?);
    }
    check(&shell::root().join("api/openapi.json"))
}

fn check(document: &Path) -> Outcome {
    if !document.is_file() {
        return Err(format!("{} is missing; `cargo x gen` writes it", document.display()));
    }
    node::install(&folder())?;
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
    let deliveries = signed()?;
    let mut node = shell::program("node", ["signatures.mjs"]);
    shell::every([
        shell::run(node.current_dir(folder()).stdin(open(&deliveries)?)),
        verified_by_python(&deliveries),
    ])
}

fn verified_by_python(deliveries: &Path) -> Outcome {
    if let Err(reason) = python::find() {
        shell::say(format!("\nskipped: Python's standardwebhooks ({reason})"));
        return Ok(());
    }
    shell::run(python::script(&folder(), "signatures.py")?.stdin(open(deliveries)?))
}

fn open(path: &Path) -> Outcome<File> {
    File::open(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The file with deliveries that are signed now.
#[expect(clippy::disallowed_methods, reason = "the libraries compare with the clock of this machine")]
fn signed() -> Outcome<PathBuf> {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs().to_string();
    // With the packages of every other step: alone, its dependencies would be built once more with fewer features.
    shell::run(shell::cargo(["build"]).args(&workspace::PACKAGES[1..]).args(["--example", "signed"]))?;
    let signed =
        shell::output(&mut shell::program(shell::target().join("debug/examples/signed"), [seconds]))?;
    let deliveries = shell::target().join("contract-tools/signed.json");
    shell::write(&deliveries, &signed)?;
    Ok(deliveries)
}

fn folder() -> PathBuf {
    shell::root().join("api/tools")
}

/// An installed tool, told to keep to itself: no usage reports, no look for newer versions.
fn tool(name: &str) -> Command {
    let mut command = shell::program(folder().join("node_modules/.bin").join(name), [""; 0]);
    command.current_dir(folder());
    command.env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    command
}
