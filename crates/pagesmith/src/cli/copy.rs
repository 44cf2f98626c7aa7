//! `copy`: the whole database into an empty one, of either engine.
//!
//! For the way from one file to PostgreSQL, and back. Neither database may be served meanwhile; what was cut off goes on when the
//! same command is run again.

use std::io::{IsTerminal, stderr};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pagesmith_store::DatabaseUrl;
use pagesmith_store::copy::{Batch, CopiedTable, Progress, Step, copy};
use serde_json::json;

use super::output;
use super::session::Session;
use crate::failure::Result;
use crate::telemetry;

/// What is copied where.
#[derive(Args)]
pub struct Flags {
    /// The source database; by default the configured one.
    #[arg(long, value_name = "URL")]
    from: Option<String>,
    /// The target database: empty, created with `pagesmith migrate`.
    #[arg(long, value_name = "URL")]
    to: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Copies, compares and prints what each table came to.
pub fn run(session: &Session, flags: &Flags) -> Result<()> {
    let from = match &flags.from {
        Some(url) => url.parse()?,
        None => session.config()?.database.url,
    };
    let to: DatabaseUrl = flags.to.parse()?;
    telemetry::warnings()?;
    let mut bars = Bars::new(flags.json);
    let tables = copy(&from, &to, Batch::default(), &mut |progress| {
        bars.reach(progress);
        Ok(())
    })?;
    bars.end();
    report(&from, &to, &tables, flags.json)
}

fn report(from: &DatabaseUrl, to: &DatabaseUrl, tables: &[CopiedTable], as_json: bool) -> Result<()> {
    let rows: u64 = tables.iter().map(|table| table.rows).sum();
    if as_json {
        let of_table =
            |table: &CopiedTable| json!({ "name": table.name, "rows": table.rows, "digest": table.digest });
        return output::json(&json!({
            "from": from.to_string(),
            "to": to.to_string(),
            "rows": rows,
            "tables": tables.iter().map(of_table).collect::<Vec<_>>(),
        }));
    }
    let cells: Vec<_> = tables
        .iter()
        .map(|table| [table.name.clone(), table.rows.to_string(), table.digest[..16].to_owned()])
        .collect();
    output::table(["TABLE", "ROWS", "SHA-256 OF BOTH"], &cells)?;
    output::line(&format!("copied {rows} rows from {from} to {to}; both were read again and are the same"))?;
    output::line(
        "secrets are copied as they are sealed: the server of the copy needs the server key of the source, pagesmith.key or PAGESMITH_SECRET_KEY",
    )
}

/// A bar for each step on standard error if that is a terminal, else nothing.
struct Bars {
    shown: bool,
    bar: Option<(Step, ProgressBar)>,
}

impl Bars {
    fn new(quiet: bool) -> Bars {
        Bars { shown: !quiet && stderr().is_terminal(), bar: None }
    }

    fn reach(&mut self, progress: Progress<'_>) {
        if !self.shown {
            return;
        }
        if self.bar.as_ref().is_none_or(|(step, _)| *step != progress.step) {
            self.end();
            self.bar = Some((progress.step, bar_of(progress)));
        }
        if let Some((_, bar)) = &self.bar {
            bar.set_message(progress.table.to_owned());
            bar.set_position(progress.rows);
        }
    }

    fn end(&mut self) {
        if let Some((_, bar)) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn bar_of(progress: Progress<'_>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(progress.total), ProgressDrawTarget::stderr());
    let step = match progress.step {
        Step::Copying => "copying",
        Step::Verifying => "verifying",
    };
    match ProgressStyle::with_template("{prefix} {wide_bar} {percent}% {eta} {msg}") {
        Ok(style) => bar.with_style(style).with_prefix(step),
        Err(_) => bar,
    }
}
