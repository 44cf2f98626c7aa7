//! `version`, `completions`, `man`: about the program itself. They read no settings, so that they work beside a broken configuration.

use std::path::Path;

use clap_complete::Shell;
use clap_mangen::Man;

use super::{help, output};
use crate::failure::{Failure, Result};

/// Prints the version.
pub fn version() -> Result<()> {
    output::line(concat!("pagesmith ", env!("CARGO_PKG_VERSION")))
}

/// Prints what a shell needs to complete command lines.
pub fn completions(shell: Shell) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut help::command(), "pagesmith", &mut script);
    output::bytes(&script)
}

/// Writes a man page for each command into a folder, or prints that of the program.
pub fn man(folder: Option<&Path>) -> Result<()> {
    let Some(folder) = folder else {
        let mut page = Vec::new();
        Man::new(help::command()).render(&mut page)?;
        return output::bytes(&page);
    };
    let told = |error: std::io::Error| {
        Failure::new(format!("man pages cannot be written to {}: {error}", folder.display()))
    };
    std::fs::create_dir_all(folder).map_err(told)?;
    clap_mangen::generate_to(help::command(), folder).map_err(told)?;
    output::line(&format!("wrote man pages to {}", folder.display()))
}
