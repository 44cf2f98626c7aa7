//! `cargo x upgrade`: the version before this one runs beside it on one database, is replaced by it under load, and comes back.
//!
//! Outside the ordinary test run, because it builds that version. Its sources are taken from the repository's history.

use std::path::PathBuf;

use crate::shell::{self, Outcome};
use crate::test;

/// What is taken for the version before as long as nothing is tagged: it knows migration 0020, since which servers serve beside newer ones,
/// and none from 0054 on.
const BEFORE: &str = "b1f4a4ca";

/// `--from REVISION` names the version before; else it is the newest tag, or [`BEFORE`].
pub fn run(arguments: &[String]) -> Outcome {
    let revision = match arguments {
        [] => newest_tag().unwrap_or_else(|| BEFORE.to_owned()),
        [name, value] if name == "--from" => value.clone(),
        _ => return Err("only --from REVISION is known here".to_owned()),
    };
    let before = build(&revision)?;
    let before = before.display().to_string();
    test::integration(&["upgrade::", "--include-ignored"], &[("PAGESMITH_BEFORE", &before)])
}

fn newest_tag() -> Option<String> {
    shell::answer("git", ["describe", "--tags", "--abbrev=0", "--match", "v*"])
}

/// Builds the program of a revision; its path.
fn build(revision: &str) -> Outcome<PathBuf> {
    let commit = shell::output(&mut shell::program(
        "git",
        ["rev-parse", "--verify", &format!("{revision}^{{commit}}")],
    ))?;
    let commit = String::from_utf8_lossy(&commit).trim().to_owned();
    // A folder for each commit: cargo would take older files for unchanged ones.
    let folder = shell::target().join("upgrade").join(&commit);
    if !folder.join("Cargo.toml").is_file() {
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let archive = folder.with_extension("tar");
        let mut export = shell::program("git", ["archive", "--format=tar", "--output"]);
        shell::run(export.arg(&archive).arg(&commit))?;
        shell::run(
            shell::program("tar", ["--extract", "--file"]).arg(&archive).arg("--directory").arg(&folder),
        )?;
    }
    let target = shell::target().join("upgrade").join("target");
    let mut build = shell::cargo(["build", "--locked", "--package", "pagesmith", "--target-dir"]);
    shell::run(build.arg(&target).current_dir(&folder))?;
    Ok(target.join("debug").join("pagesmith"))
}
