//! `cargo x gen`: the files that are made from the code and checked in, so that a change of them is seen in review.
//!
//! What makes a file is the only source of its content: with `--check` nothing is written and a difference is an error.

use std::fmt::Write;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::module_lists::{self, LISTS, MIGRATIONS, numbered};
use crate::shell::{self, Outcome};

/// Writes or compares every generated file.
pub fn run(arguments: &[String]) -> Outcome {
    let check = match arguments {
        [] => false,
        [only] if only == "--check" => true,
        _ => return Err("gen takes nothing but --check".to_owned()),
    };
    // The other files are made by a program that needs these lists complete.
    shell::every(LISTS.map(|(file, folder)| made(file, module_lists::of_modules(file, folder), check)))?;
    made(MIGRATIONS, module_lists::of_migrations(), check)?;
    shell::every([
        made("api/openapi.json", openapi(), check),
        made("migrations/schema.sql", schema(), check),
        made("migrations/checksums.txt", checksums(&shell::root().join("migrations")), check),
    ])
}

/// The document that the server publishes, from the same code.
fn openapi() -> Outcome<Vec<u8>> {
    shell::output(&mut shell::cargo(["run", "--quiet", "--package", "pagesmith", "--", "openapi"]))
}

/// The tables as all migrations together make them.
fn schema() -> Outcome<Vec<u8>> {
    shell::output(&mut shell::cargo([
        "run",
        "--quiet",
        "--package",
        "pagesmith-store",
        "--example",
        "schema",
    ]))
}

/// One line a migration, as `sha256sum` prints it: an edit of a released file becomes a visible change here.
fn checksums(folder: &Path) -> Outcome<Vec<u8>> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|n| numbered(n))
        .collect();
    names.sort();
    let mut lines = String::new();
    for name in names {
        let content = shell::read(&folder.join(&name))?;
        for byte in Sha256::digest(content.as_bytes()) {
            let _ = write!(lines, "{byte:02x}");
        }
        let _ = writeln!(lines, "  {name}");
    }
    Ok(lines.into_bytes())
}

/// Puts the content where it belongs, or says where the file there differs.
fn made(name: &str, content: Outcome<Vec<u8>>, check: bool) -> Outcome {
    let content = content.map_err(|reason| format!("{name} could not be made: {reason}"))?;
    if content.is_empty() {
        return Err(format!("{name} would be empty"));
    }
    let path = shell::root().join(name);
    let present = std::fs::read(&path).ok();
    if present.as_ref() == Some(&content) {
        shell::say(format!("{name} is up to date"));
        return Ok(());
    }
    if !check {
        shell::write(&path, &content)?;
        shell::say(format!("{name} written"));
        return Ok(());
    }
    let place = match present {
        None => "is missing".to_owned(),
        Some(present) => format!("differs from line {} on", first_difference(&present, &content)),
    };
    Err(format!("{name} {place}; `cargo x gen` writes it"))
}

/// The number of the first line in which two texts differ, from 1.
fn first_difference(left: &[u8], right: &[u8]) -> usize {
    let same = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    1 + left.iter().take(same).filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::{checksums, first_difference};

    #[test]
    fn checksums_are_those_of_sha256sum() {
        let folder = std::env::temp_dir().join(format!("pagesmith-gen-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("0002_b.sql"), "abc").unwrap();
        std::fs::write(folder.join("0001_a.sql"), "").unwrap();
        std::fs::write(folder.join("schema.sql"), "not a migration").unwrap();
        let made = checksums(&folder);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(
            String::from_utf8(made.unwrap()).unwrap(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  0001_a.sql\n\
             ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  0002_b.sql\n"
        );
    }

    #[test]
    fn a_difference_is_named_by_its_line() {
        assert_eq!(first_difference(b"a\nb\nc\n", b"a\nb\nd\n"), 3);
        assert_eq!(first_difference(b"a\n", b"a\nb\n"), 2);
    }
}
