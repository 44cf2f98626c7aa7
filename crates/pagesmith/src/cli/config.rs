//! `config show`: where each value came from.
//!
//! It shows also what the server would refuse, and then says why, because that is when one looks.

use clap::Subcommand;

use super::output;
use super::session::Session;
use crate::config::{show, show_json};
use crate::failure::Result;

/// What can be done with the configuration.
#[derive(Subcommand)]
pub enum Command {
    /// Print every setting with its value and source; secrets are hidden.
    Show {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

/// Prints, then fails if the server would.
pub fn run(session: &Session, command: &Command) -> Result<()> {
    match command {
        Command::Show { json: true } => output::json(&show_json(&session.settings))?,
        Command::Show { json: false } => {
            output::table(["KEY", "VALUE", "ORIGIN"], &show(&session.settings))?;
        }
    }
    session.config().map(|_| ())
}
