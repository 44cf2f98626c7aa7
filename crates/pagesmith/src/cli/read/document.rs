//! `read-document`: what a document on standard input says, as JSON on standard output. The server starts it for each file that it reads.
//!
//! It knows no settings, and has [`Limits`].

use clap::Args;
use pagesmith_documents::{Answer, Kind, LARGEST, Refusal};

use crate::cli::limits::Limits;
use crate::cli::output;
use crate::failure::{Failure, Result};

/// How a document is read.
#[derive(Args)]
pub struct Flags {
    /// What the document is: pdf, office, old-office, html, markdown, plain or csv.
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Kind,
    #[command(flatten)]
    limits: Limits,
}

fn kind(name: &str) -> std::result::Result<Kind, String> {
    Kind::parse(name).ok_or_else(|| "no such kind".to_owned())
}

/// Reads the document, and says what it says.
pub fn run(flags: &Flags) -> Result<()> {
    let kind = flags.kind;
    let read = flags.limits.run(LARGEST, move |bytes| match bytes.len() > LARGEST {
        true => Err(Refusal::Large),
        false => pagesmith_documents::read(kind, &bytes),
    })?;
    let answer = match read {
        Ok(document) => Answer::Read(document),
        Err(refusal) => Answer::Refused(refusal),
    };
    let answer = serde_json::to_vec(&answer).map_err(|error| Failure::new(error.to_string()))?;
    output::bytes(&answer)
}
