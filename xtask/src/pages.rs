//! `cargo x pages`: writes the pages of the template agent's briefs and counts what is good and bad about them.

use crate::shell;

/// Writes the pages to `target/pages` and prints the counts.
pub fn run() -> shell::Outcome {
    let output = shell::root().join("target/pages");
    let mut command =
        shell::cargo(["run", "--quiet", "--package", "pagesmith-template-agent", "--example", "pages", "--"]);
    shell::run(command.arg(&output))?;
    shell::say(format!("The pages are in {}.", output.display()));
    Ok(())
}
