//! Lists the catalogues of `src/words`, so that a language is one more file.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

/// The language that is spoken when nothing else fits.
const FIRST: &str = "en";

#[expect(clippy::disallowed_methods, reason = "cargo says by the environment where files are")]
fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("src/words");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut languages = vec![];
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let tag = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
        if let Some(tag) = tag.filter(|_| path.extension().is_some_and(|extension| extension == "ftl")) {
            languages.push((tag != FIRST, tag, path));
        }
    }
    languages.sort();
    let rows = languages.iter().map(|(_, tag, path)| format!("({tag:?}, include_str!({path:?})),"));
    let list = format!("&[{}]", rows.collect::<String>());
    fs::write(Path::new(&env::var("OUT_DIR")?).join("catalogues.rs"), list)?;
    Ok(())
}
