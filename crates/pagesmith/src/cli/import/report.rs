//! What is told about an import: progress on a terminal, what became of each column, every refused row, and the sums at the end.
//!
//! Of columns only the names are told, never what a cell holds.

use std::fmt::Display;
use std::io::{IsTerminal, stderr};
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pagesmith_operations::persons::import::RowOutcome;
use serde_json::{Value, json};

use super::columns::ColumnReport;
use super::is_same;
use crate::cli::output;
use crate::cli::output_file::OutputFile;
use crate::failure::{Failure, Result};
use pagesmith_model::spreadsheet;

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
    file: Option<csv::Writer<OutputFile>>,
    json: bool,
    refusals: Vec<(u64, String)>,
    created: u64,
    updated: u64,
    unchanged: u64,
    refused: u64,
}

impl Report {
    /// With a file for the refused rows, which cannot be the imported one; with `force` in the place of one that is there.
    pub fn new(file: Option<&Path>, force: bool, imported: &Path, json: bool) -> Result<Report> {
        let file = match file {
            None => None,
            Some(path) if is_same(path, imported) => {
                return Err(Failure::new("--report must be another file than the imported one"));
            }
            Some(path) => {
                let mut rows = csv::Writer::from_writer(OutputFile::begin(path, force)?);
                rows.write_record(["Line", "Reason"]).map_err(unwritten)?;
                Some(rows)
            }
        };
        let (refusals, [created, updated, unchanged, refused]) = (Vec::new(), [0; 4]);
        Ok(Report { file, json, refusals, created, updated, unchanged, refused })
    }

    /// Counts what became of the row that begins on that line.
    pub fn add(&mut self, line: u64, outcome: Option<RowOutcome>) -> Result<()> {
        match outcome {
            Some(RowOutcome::Created) => self.created += 1,
            Some(RowOutcome::Updated) => self.updated += 1,
            Some(RowOutcome::Unchanged) => self.unchanged += 1,
            None => return Err(Failure::new(format!("line {line} was left out"))),
            Some(RowOutcome::Refused(why)) => {
                self.refused += 1;
                match &mut self.file {
                    Some(file) => file
                        .write_record([line.to_string().as_str(), &spreadsheet::guarded(&why)])
                        .map_err(unwritten)?,
                    None => self.refusals.push((line, why)),
                }
            }
        }
        Ok(())
    }

    /// Prints what became of each column, the refused rows and the sums.
    pub fn finish(self, dry_run: bool, columns: &[ColumnReport]) -> Result<()> {
        if let Some(rows) = self.file {
            rows.into_inner().map_err(unwritten)?.finish()?;
        }
        let Report { json, refusals: refused_rows, created, updated, unchanged, refused, .. } = self;
        if json {
            let refusals: Vec<Value> =
                refused_rows.iter().map(|(line, why)| json!({ "line": line, "reason": why })).collect();
            return output::json(&json!({
                "dryRun": dry_run,
                "rows": created + updated + unchanged + refused,
                "created": created,
                "updated": updated,
                "unchanged": unchanged,
                "refused": refused,
                "refusals": refusals,
                "columns": columns.iter().map(ColumnReport::to_json).collect::<Vec<_>>(),
            }));
        }
        let rows: Vec<_> = columns.iter().map(ColumnReport::cells).collect();
        output::table(["COLUMN", "BECOMES", "ROWS", "NOTE"], &rows)?;
        for (line, why) in &refused_rows {
            // A heading may hold anything, and is a part of the reason.
            output::line(&output::escape(&format!("line {line}: {why}")))?;
        }
        let would = if dry_run { "would be " } else { "" };
        output::line(&format!(
            "{would}created {created}, {would}updated {updated}, unchanged {unchanged}, refused {refused}"
        ))
    }
}

fn unwritten(error: impl Display) -> Failure {
    Failure::new(format!("the file of --report cannot be written: {error}"))
}
