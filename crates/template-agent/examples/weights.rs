//! Trains the weights of the features of sentences and writes them into `src/sentence_model/weights.bin`. Before that it prints how well weights that
//! were trained with four fifths of the briefs judge the last fifth.

#![expect(clippy::unwrap_used, reason = "a corpus that is not there ends the run")]

#[path = "../tests/no_database/training.rs"]
mod training;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use training::{PARTS, Segment};

fn main() -> std::io::Result<()> {
    let corpus = training::corpus();
    let mut out = std::io::stdout().lock();
    // Facts and other segments by language, of each all and those on the right side.
    let mut counts: BTreeMap<&str, [[usize; 2]; 2]> = BTreeMap::new();
    for part in 0..PARTS {
        let (tried, known): (Vec<&Segment>, Vec<&Segment>) =
            corpus.iter().partition(|segment| segment.brief % PARTS == part);
        let weights = training::trained(&known);
        for segment in tried.into_iter().filter(|segment| !segment.is_part) {
            let score = segment.score(&weights);
            let is_right = (score > 0.0) == segment.is_fact;
            for language in [segment.language.as_str(), "all"] {
                let [all, right] = &mut counts.entry(language).or_default()[usize::from(segment.is_fact)];
                *all += 1;
                *right += usize::from(is_right);
            }
        }
    }
    writeln!(out, "| Language | Segments | Right | Facts told | Others kept back |\n|---|---|---|---|---|")?;
    for (language, [others, facts]) in counts {
        let percent = |[all, right]: [usize; 2]| 100.0 * right as f64 / all as f64;
        let both = [facts[0] + others[0], facts[1] + others[1]];
        writeln!(
            out,
            "| {language} | {} | {:.1} % | {:.1} % | {:.1} % |",
            both[0],
            percent(both),
            percent(facts),
            percent(others)
        )?;
    }
    let weights = training::trained(&corpus.iter().collect::<Vec<_>>());
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sentence_model/weights.bin");
    std::fs::write(file, training::file(&weights))
}
