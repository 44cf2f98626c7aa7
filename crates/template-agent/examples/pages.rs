//! Writes the pages of all briefs, and prints the counts and what was missed. `cargo x pages` runs it. Arguments: the folder of the
//! pages, and that of other briefs than the crate's own.

#![expect(clippy::unwrap_used, reason = "a brief that is not there ends the run")]

#[path = "../tests/no_database/yardstick.rs"]
mod yardstick;

use std::io::Write;
use std::path::{Path, PathBuf};

use pagesmith_template_agent::compose;
use yardstick::Case;

fn main() -> std::io::Result<()> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("briefs");
    let cases = Case::all(&std::env::args().nth(2).map_or(own, PathBuf::from));
    let score = yardstick::score(&cases);
    if let Some(output) = std::env::args().nth(1) {
        std::fs::create_dir_all(&output)?;
        for case in &cases {
            let page = serde_json::to_string_pretty(&compose(&case.brief()).content)?;
            std::fs::write(Path::new(&output).join(format!("{}.json", case.name)), page)?;
        }
    }
    writeln!(std::io::stdout().lock(), "{}\n\n{score}", score.misses.join("\n"))
}
