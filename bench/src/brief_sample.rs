//! A brief of 50 KB: the prose of the template agent's sixty briefs, one after the other.
//!
//! Those of one language come first, so that all is read in it; notes about the audience are those of its first brief that has some.

use std::path::Path;

use pagesmith_model::brief::Brief;
use pagesmith_model::page::PageType;
use serde::Deserialize;

use crate::Result;

/// Its length.
const BYTES: usize = 50_000;

/// What is used of a brief in a file.
#[derive(Deserialize)]
struct Case {
    language: String,
    context: String,
    supplement: Option<String>,
}

/// The brief that is read in that language.
pub fn read(language: &str) -> Result<Brief> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/template-agent/briefs");
    let paths = std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<_> = paths.collect::<std::io::Result<_>>()?;
    paths.sort();
    let mut cases = Vec::new();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "toml")) {
        cases.push(toml::from_str::<Case>(&std::fs::read_to_string(path)?)?);
    }
    cases.sort_by_key(|case| case.language != language);
    let mut context = cases.iter().map(|case| case.context.as_str()).collect::<Vec<_>>().join("\n\n");
    if context.len() < BYTES {
        return Err(format!("the briefs are {} bytes together, which is too short", context.len()).into());
    }
    context.truncate(context.floor_char_boundary(BYTES));
    let mut brief = Brief::new(PageType::Inbound, "A long brief", &context);
    brief.supplementary_context = cases.into_iter().find_map(|case| case.supplement);
    Ok(brief)
}
