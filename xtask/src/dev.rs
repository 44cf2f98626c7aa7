//! `cargo x dev`: a server to try things on, with a database of its own in `./data` (ignored by git).

use crate::shell;

/// Serves from `./data/dev.db`; further arguments go to `pagesmith serve`.
pub fn run(arguments: &[String]) -> shell::Outcome {
    let mut command =
        shell::cargo(["run", "--package", "pagesmith", "--", "serve", "--database", "sqlite:./data/dev.db"]);
    shell::run(command.args(arguments))
}
