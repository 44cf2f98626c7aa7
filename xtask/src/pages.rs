//! `cargo x pages`: writes the pages of the template agent's briefs, counts what is good and bad about them, and makes contact sheets.

use crate::{browser, shell};

/// Writes the pages to `target/pages`, prints the counts, and makes the sheets unless the counts are all that is asked for.
pub fn run(arguments: &[String]) -> shell::Outcome {
    let only_counts = match arguments {
        [] => false,
        [option] if option == "--counts" => true,
        _ => return Err("the only option is `--counts`".to_owned()),
    };
    let output = shell::root().join("target/pages");
    let mut command =
        shell::cargo(["run", "--quiet", "--package", "pagesmith-template-agent", "--example", "pages", "--"]);
    shell::run(command.arg(&output))?;
    if !only_counts {
        browser::sheets(&output)?;
    }
    shell::say(format!("The pages are in {}.", output.display()));
    Ok(())
}
