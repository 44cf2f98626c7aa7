//! How the developer commands reach the outside: the checkout's folders, the environment, other programs, the terminal.
//!
//! Every program runs in the checkout's root whatever folder `cargo x` was called from, and its output goes straight
//! through unless it is asked for. Nothing here knows a command.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a command answers; the text of a failure is for people.
pub type Outcome<T = ()> = Result<T, String>;

/// The checkout's root folder.
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// The folder that cargo builds into.
pub fn target() -> PathBuf {
    match environment("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// A variable of the environment, if it is set, not empty and text.
#[expect(clippy::disallowed_methods, reason = "a developer command has no configuration but its environment")]
pub fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The cargo that started this program, to be run in the root folder.
///
/// What cargo said of this program's own package is taken away: some build scripts look at such variables, and would
/// have their crates built anew whenever a plain `cargo` and `cargo x` take turns.
pub fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(environment("CARGO").unwrap_or_else(|| "cargo".to_owned()));
    command.args(arguments).current_dir(root());
    for name in std::env::vars_os().map(|(name, _)| name) {
        let own = name
            .to_str()
            .is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"));
        if own {
            command.env_remove(name);
        }
    }
    command
}

/// A program from the search path, to be run in the root folder.
pub fn program<S: AsRef<OsStr>>(name: impl AsRef<OsStr>, arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(name);
    command.args(arguments).current_dir(root());
    command
}

/// One line for the person at the terminal. A closed terminal is no reason to stop.
pub fn say(line: impl AsRef<str>) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{}", line.as_ref()).and_then(|()| out.flush());
}

/// What was found, or nothing where it was not: then it is said what is skipped, and why.
pub fn found_or_skipped<T>(skipped: &str, found: Outcome<T>) -> Option<T> {
    found.inspect_err(|reason| say(format!("skipped: {skipped}, which was not found: {reason}"))).ok()
}

/// Names the command, runs it with its output passed through, and fails when it does.
pub fn run(command: &mut Command) -> Outcome {
    let shown = show(command);
    say(format!("\n$ {shown}"));
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` failed ({status})")),
        Err(error) => Err(format!("`{shown}` could not be started: {error}")),
    }
}

/// Runs the command quietly and returns its standard output as bytes; errors still reach the terminal.
pub fn output(command: &mut Command) -> Outcome<Vec<u8>> {
    let shown = show(command);
    match command.stdin(Stdio::null()).stderr(Stdio::inherit()).output() {
        Ok(done) if done.status.success() => Ok(done.stdout),
        Ok(done) => Err(format!("`{shown}` failed ({})", done.status)),
        Err(error) => Err(format!("`{shown}` could not be started: {error}")),
    }
}

/// The trimmed first line that a program prints, or nothing if it is missing or fails; silent either way.
pub fn answer<S: AsRef<OsStr>>(
    name: impl AsRef<OsStr>,
    arguments: impl IntoIterator<Item = S>,
) -> Option<String> {
    let done = program(name, arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(done.stdout).ok()?;
    let line = text.lines().next()?.trim().to_owned();
    (done.status.success() && !line.is_empty()).then_some(line)
}

/// Whether this process runs as root.
pub fn is_root() -> bool {
    answer("id", ["-u"]).is_some_and(|id| id == "0")
}

/// Is this program to be found on the search path?
pub fn on_path(name: &str) -> bool {
    let Some(path) = environment("PATH") else { return false };
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// Runs every step though an earlier one fails, then fails with all the reasons together.
pub fn every(outcomes: impl IntoIterator<Item = Outcome>) -> Outcome {
    let failures: Vec<String> = outcomes.into_iter().filter_map(Result::err).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// Reads a text file; the failure names it.
pub fn read(path: &Path) -> Outcome<String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes a file, making its folder; the failure names it.
pub fn write(path: &Path, content: &[u8]) -> Outcome {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, content))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// The command as one would type it, without its folder and environment.
pub fn show(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    std::iter::once(program)
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}
