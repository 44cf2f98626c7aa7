//! `read-font`: what a font on standard input says of itself, on standard output. The server starts it for each font that a brand is given.
//!
//! It knows no settings, and has [`Limits`].

use clap::Args;
use pagesmith_fonts::Answer;
use pagesmith_model::brand::font::LARGEST_FONT;

use crate::cli::limits::Limits;
use crate::cli::output;
use crate::failure::{Failure, Result};

/// How a font is read.
#[derive(Args)]
pub struct Flags {
    #[command(flatten)]
    limits: Limits,
}

/// Reads the font, and answers what it says.
pub fn run(flags: &Flags) -> Result<()> {
    let largest = usize::try_from(LARGEST_FONT).unwrap_or(usize::MAX);
    let answer = flags.limits.run(largest, |bytes| {
        let answer = match pagesmith_fonts::read(&bytes) {
            Ok(facts) => Answer::Read(facts),
            Err(refusal) => Answer::Refused(refusal),
        };
        answer.encode()
    })?;
    output::bytes(&answer.map_err(|error| Failure::new(error.to_string()))?)
}
