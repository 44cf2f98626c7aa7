//! `cargo x contract-tools`: reads `api/openapi.json`, and verifies signatures of webhooks, with the tools that their readers use.
//!
//! Redocly lints it, openapi-typescript makes types from it, and the sample client in `api/tools/client.ts` must
//! compile against them. Deliveries as they are signed (`crates/model/examples/signed.rs`) are verified by two libraries of receivers; Python's is
//! left out, because a fresh Debian has no pip that installs from a lock file with digests as npm does. The tools' versions stand in `api/tools/package-lock.json`; nothing of Node reaches the service.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, Outcome};
use crate::{node, test};

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
        shell::say(format!("\nskipped: contract-tools ({reason})"));
        return Ok(());
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
#[expect(clippy::disallowed_methods, reason = "the libraries compare with the clock of this machine")]
fn signatures() -> Outcome {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs().to_string();
    // With the packages of every other step: alone, its dependencies would be built once more with fewer features.
    shell::run(shell::cargo(["build"]).args(&test::PACKAGES[1..]).args(["--example", "signed"]))?;
    let signed =
        shell::output(&mut shell::program(shell::target().join("debug/examples/signed"), [seconds]))?;
    let deliveries = shell::target().join("contract-tools/signed.json");
    shell::write(&deliveries, &signed)?;
    let file = std::fs::File::open(&deliveries).map_err(|error| error.to_string())?;
    let mut node = shell::program("node", ["signatures.mjs"]);
    shell::run(node.current_dir(folder()).stdin(file))
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
