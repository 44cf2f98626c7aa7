//! Writes the pages of all briefs, and prints the counts and what was missed. `cargo x pages` runs it.

#![expect(clippy::unwrap_used, reason = "a brief that is not there ends the run")]

#[path = "../tests/it/yardstick.rs"]
mod yardstick;

use std::io::Write;
use std::path::Path;

use pagesmith_template_agent::compose;
use yardstick::Case;

fn main() -> std::io::Result<()> {
    let cases = Case::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("briefs"));
    let score = yardstick::score(&cases);
    if let Some(output) = std::env::args().nth(1) {
        std::fs::create_dir_all(&output)?;
        for case in &cases {
            let page = serde_json::to_string_pretty(&compose(&case.brief()))?;
            std::fs::write(Path::new(&output).join(format!("{}.json", case.name)), page)?;
        }
    }
    writeln!(std::io::stdout().lock(), "{}\n\n{score}", score.misses.join("\n"))
}
