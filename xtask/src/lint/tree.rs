//! The rules about files: their length, their names, and notes to oneself left in them.

use super::{Finding, Source};

/// Past this a file holds two things; the seam is to be found. Tests list cases and may be longer.
const LONGEST: usize = 500;
const LONGEST_TEST: usize = 600;

/// Names that say nothing, and so collect everything. Of files and folders both.
pub const EMPTY_NAMES: [&str; 11] = [
    "utils", "util", "helpers", "helper", "common", "misc", "types", "manager", "service", "services", "mod",
];

/// Written in two parts, so that this file does not find itself.
const NOTES: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("X", "XX")];

/// Checks one file.
pub fn check(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    let path = source.path.as_str();
    let longest =
        if path.contains("/tests/") || path.ends_with("/tests.rs") { LONGEST_TEST } else { LONGEST };
    let lines = source.text.lines().count();
    // Prose has no seams, and the tables as they are now are generated.
    let is_code = !path.ends_with(".md") && path != "migrations/schema.sql";
    if is_code && lines > longest {
        findings
            .push(source.finding(longest + 1, format!("{lines} lines; at most {longest}: find the seam")));
    }
    if path.ends_with(".rs") {
        let empty = path.trim_end_matches(".rs").split('/').find(|part| EMPTY_NAMES.contains(part));
        findings.extend(empty.map(|name| {
            source.finding(1, format!("`{name}` says nothing: name the file after the noun that it is about"))
        }));
    }
    for (at, line) in source.text.lines().enumerate() {
        let words = line.split(|c: char| c != '_' && !c.is_alphanumeric());
        for note in words.filter(|word| NOTES.contains(word)) {
            findings.push(source.finding(at + 1, format!("`{note}`: do it now, or file an issue")));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{NOTES, Source, check};

    fn lines(path: &str, text: &str) -> Vec<usize> {
        let source = Source { path: path.to_owned(), text: text.to_owned() };
        check(&source).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn long_files_are_found() {
        assert_eq!(lines("crates/store/src/tx.rs", &"x\n".repeat(501)), [501]);
        assert!(lines("crates/store/src/tx.rs", &"x\n".repeat(500)).is_empty());
        assert!(lines("crates/pagesmith/tests/it/pages.rs", &"x\n".repeat(600)).is_empty());
        assert_eq!(lines("crates/pagesmith/tests/it/pages.rs", &"x\n".repeat(601)), [601]);
        assert!(lines("docs/operating.md", &"x\n".repeat(900)).is_empty());
        assert_eq!(lines("migrations/0001_initial.sql", &"x\n".repeat(501)), [501]);
    }

    #[test]
    fn empty_names_are_found_in_files_and_folders() {
        assert_eq!(lines("crates/http/src/utils.rs", ""), [1]);
        assert_eq!(lines("crates/http/src/api/mod.rs", ""), [1]);
        assert_eq!(lines("crates/common/src/lib.rs", ""), [1]);
        assert!(lines("crates/http/src/typeset.rs", "").is_empty());
    }

    #[test]
    fn notes_to_oneself_are_found_as_whole_words() {
        for note in NOTES {
            assert_eq!(lines("a.rs", &format!("\n// {note}: later")), [2]);
            assert!(lines("a.rs", &format!("let {note}_LIST = 1;")).is_empty());
        }
    }
}
