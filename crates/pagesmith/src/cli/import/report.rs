//! What is told about an import: progress on a terminal, every refused row, and the sums at the end.

use std::fs::File;
use std::io::{IsTerminal, stderr};
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pagesmith_operations::person_import::Outcome;
use serde_json::{Value, json};

use super::is_same;
use crate::cli::{output, spreadsheet};
use crate::failure::{Failure, Result};

/// A bar on standard error if that is a terminal, else nothing.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// For a file of which nothing is read yet; `quiet` shows nothing.
    pub fn new(file: &Path, quiet: bool) -> Progress {
        let length = std::fs::metadata(file).ok().map(|metadata| metadata.len());
        Progress(length.filter(|_| !quiet && stderr().is_terminal()).map(|length| {
            let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
            match ProgressStyle::with_template("{wide_bar} {percent}% {eta}") {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        }))
    }

    /// So much of the file is done, in bytes.
    pub fn reach(&mut self, bytes: u64) {
        if let Some(bar) = &self.0 {
            bar.set_position(bytes);
        }
    }

    /// Takes the bar away.
    pub fn end(self) {
        if let Some(bar) = self.0 {
            bar.finish_and_clear();
        }
    }
}

/// Counts outcomes and tells the refused ones.
pub struct Report {
    file: Option<csv::Writer<File>>,
    json: bool,
    refusals: Vec<(u64, String)>,
    created: u64,
    updated: u64,
    unchanged: u64,
    refused: u64,
}

impl Report {
    /// With a file for the refused rows, which cannot be the imported one.
    pub fn new(file: Option<&Path>, imported: &Path, json: bool) -> Result<Report> {
        let file = match file {
            None => None,
            Some(path) if is_same(path, imported) => {
                return Err(Failure::new("--report must be another file than the imported one"));
            }
            Some(path) => {
                let told = |error: String| Failure::new(format!("{}: {error}", path.display()));
                let file = File::create(path).map_err(|error| told(error.to_string()))?;
                let mut rows = csv::Writer::from_writer(file);
                rows.write_record(["Line", "Reason"]).map_err(|error| told(error.to_string()))?;
                Some(rows)
            }
        };
        let (refusals, [created, updated, unchanged, refused]) = (Vec::new(), [0; 4]);
        Ok(Report { file, json, refusals, created, updated, unchanged, refused })
    }

    /// Counts what became of the row that begins on that line.
    pub fn add(&mut self, line: u64, outcome: Option<Outcome>) -> Result<()> {
        match outcome {
            Some(Outcome::Created) => self.created += 1,
            Some(Outcome::Updated) => self.updated += 1,
            Some(Outcome::Unchanged) => self.unchanged += 1,
            None => return Err(Failure::new(format!("line {line} was left out"))),
            Some(Outcome::Refused(why)) => {
                self.refused += 1;
                match &mut self.file {
                    Some(file) => file
                        .write_record([line.to_string().as_str(), &spreadsheet::guarded(&why)])
                        .map_err(|error| Failure::new(error.to_string()))?,
                    None => self.refusals.push((line, why)),
                }
            }
        }
        Ok(())
    }

    /// Prints the refused rows and the sums.
    pub fn finish(mut self, dry_run: bool) -> Result<()> {
        if let Some(file) = &mut self.file {
            file.flush()?;
        }
        let Report { created, updated, unchanged, refused, .. } = self;
        if self.json {
            let refusals: Vec<Value> =
                self.refusals.iter().map(|(line, why)| json!({ "line": line, "reason": why })).collect();
            return output::json(&json!({
                "dryRun": dry_run,
                "rows": created + updated + unchanged + refused,
                "created": created,
                "updated": updated,
                "unchanged": unchanged,
                "refused": refused,
                "refusals": refusals,
            }));
        }
        for (line, why) in &self.refusals {
            // A heading may hold anything, and is a part of the reason.
            output::line(&output::escape(&format!("line {line}: {why}")))?;
        }
        let would = if dry_run { "would be " } else { "" };
        output::line(&format!(
            "{would}created {created}, {would}updated {updated}, unchanged {unchanged}, refused {refused}"
        ))
    }
}
