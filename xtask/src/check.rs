//! `cargo x check`: everything that can be said about the code without running it.
//!
//! All steps run though one fails, so that one look shows all there is to mend.

use crate::{lint, shell};

/// Formatting, clippy, documentation, the project's own lint, and dependencies.
pub fn run() -> shell::Outcome {
    shell::every([
        shell::run(&mut shell::cargo(["fmt", "--all", "--check"])),
        shell::run(&mut shell::cargo([
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ])),
        shell::run(
            shell::cargo(["doc", "--no-deps", "--workspace", "--locked"]).env("RUSTDOCFLAGS", "-D warnings"),
        ),
        lint::run(),
        dependencies(),
    ])
}

/// Licences, advisories and sources. The tool is large, so its absence is said and not an error.
fn dependencies() -> shell::Outcome {
    if !shell::on_path("cargo-deny") {
        shell::say("\nskipped: cargo deny check (to have it: cargo install cargo-deny --locked)");
        return Ok(());
    }
    shell::every([
        shell::run(&mut shell::cargo([
            "deny",
            "check",
            "--hide-inclusion-graph",
            "licenses",
            "bans",
            "sources",
        ])),
        advisories(),
    ])
}

/// Known weaknesses of dependencies. Their list is fetched; a machine that cannot reach it is told so and may go on.
fn advisories() -> shell::Outcome {
    let mut command = shell::cargo(["deny", "check", "advisories"]);
    let done = command.output().map_err(|error| format!("cargo deny: {error}"))?;
    let told = String::from_utf8_lossy(&done.stderr);
    if !done.status.success() && told.contains("failed to fetch advisory database") {
        shell::say("\nskipped: cargo deny check advisories (their database cannot be reached from here)");
        return Ok(());
    }
    shell::say(format!("\n{told}"));
    if done.status.success() { Ok(()) } else { Err("`cargo deny check advisories` failed".to_owned()) }
}
