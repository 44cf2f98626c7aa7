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
            shell::cargo(["doc", "--no-deps", "--workspace", "--document-private-items", "--locked"])
                .env("RUSTDOCFLAGS", "-D warnings"),
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
    shell::run(&mut shell::cargo(["deny", "check"]))
}
