//! Draws the sample pages into a folder, each with its policy beside it, and tells how long one takes:
//! `cargo run --release -p pagesmith-render --example draw -- <folder>`.

#[path = "../tests/no_database/sample.rs"]
mod sample;

use std::error::Error;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

const ROUNDS: u32 = 2000;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name a folder")?);
    std::fs::create_dir_all(&folder)?;
    for name in ["outbound", "call_followup", "sales_deck"] {
        let sample = sample::Sample::open(name)?;
        let drawn = sample.draw();
        std::fs::write(folder.join(format!("{name}.html")), &drawn.html)?;
        std::fs::write(folder.join(format!("{name}.csp")), &drawn.content_security_policy)?;
        let start = Instant::now();
        for _ in 0..ROUNDS {
            std::hint::black_box(sample.draw());
        }
        let each = start.elapsed() / ROUNDS;
        let (blocks, bytes) = (sample.content.blocks.len(), drawn.html.len());
        writeln!(std::io::stdout(), "{name}: {blocks} blocks, {bytes} bytes, {each:?}")?;
    }
    Ok(())
}
