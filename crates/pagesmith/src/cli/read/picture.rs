//! `read-picture`: the variants of a picture on standard input, on standard output. The server starts it for each picture that is uploaded.
//!
//! It knows no settings, and has [`Limits`].

use clap::Args;
use pagesmith_pictures::{Answer, Kind, LARGEST};

use crate::cli::limits::Limits;
use crate::cli::output;
use crate::failure::{Failure, Result};

/// How a picture is read.
#[derive(Args)]
pub struct Flags {
    /// What the picture is: raster or drawing.
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Kind,
    /// Makes the variants as AVIF, of a raster.
    #[arg(long)]
    avif: bool,
    #[command(flatten)]
    limits: Limits,
}

fn kind(name: &str) -> std::result::Result<Kind, String> {
    Kind::parse(name).ok_or_else(|| "no such kind".to_owned())
}

/// Reads the picture, and answers its variants.
pub fn run(flags: &Flags) -> Result<()> {
    let (kind, as_avif) = (flags.kind, flags.avif);
    let answer = flags.limits.run(LARGEST, move |bytes| {
        let read = match (kind, as_avif) {
            (Kind::Raster, true) => pagesmith_pictures::read_as_avif(&bytes),
            _ => pagesmith_pictures::read(kind, &bytes),
        };
        let answer = match read {
            Ok(picture) => Answer::Read(picture),
            Err(refusal) => Answer::Refused(refusal),
        };
        answer.encode()
    })?;
    output::bytes(&answer.map_err(|error| Failure::new(error.to_string()))?)
}
