//! The rule about files that are named in documents and comments: they exist.
//!
//! A name may be short: `http/routes.rs` is `crates/http/src/routes.rs`. It has to be the end of some file's path.

use super::{Finding, Source, tree};

/// The files that are collected, by the ends of their names.
const CHECKED: [&str; 9] = [".rs", ".toml", ".sql", ".md", ".js", ".css", ".html", ".sh", ".yaml"];

/// Finds the names of files between backticks that are nobody's.
pub fn check(sources: &[Source]) -> Vec<Finding> {
    let known: Vec<String> = sources.iter().map(|source| short(&source.path)).collect();
    let mut findings = Vec::new();
    for source in sources {
        let is_document = source.path.ends_with(".md");
        for (at, line) in source.text.lines().enumerate() {
            let is_comment = source.path.ends_with(".rs") && line.trim_start().starts_with("//");
            if !(is_document || is_comment) {
                continue;
            }
            for name in line.split('`').skip(1).step_by(2).filter(|text| is_file(text)) {
                let end = short(name);
                if !known.iter().any(|path| path.ends_with(&end)) {
                    findings.push(source.finding(at + 1, format!("there is no file `{name}`")));
                }
            }
        }
    }
    findings
}

/// Does the text name a file of the checkout? Settings of users and names that no file may have are none.
fn is_file(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let in_a_folder = text.contains('/') && !text.starts_with(['.', '/']);
    let alone = text.strip_suffix(".rs").is_some_and(|name| !tree::EMPTY_NAMES.contains(&name));
    text.chars().all(plain) && CHECKED.iter().any(|end| text.ends_with(end)) && (in_a_folder || alone)
}

/// The path with `/` in front of each part, without the folders that every crate has.
fn short(path: &str) -> String {
    let parts = path.split('/').filter(|part| !matches!(*part, "crates" | "src"));
    parts.map(|part| format!("/{part}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{Source, check};

    fn found(path: &str, text: &str) -> Vec<String> {
        let known = ["crates/http/src/routes.rs", "docs/api.md", "crates/pagesmith/tests/it/pages.rs"];
        let mut sources: Vec<Source> =
            known.iter().map(|path| Source { path: (*path).to_owned(), text: String::new() }).collect();
        sources.push(Source { path: path.to_owned(), text: text.to_owned() });
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn files_that_exist_may_be_named_in_short() {
        for name in ["crates/http/src/routes.rs", "http/routes.rs", "routes.rs", "it/pages.rs", "docs/api.md"]
        {
            assert!(found("README.md", &format!("See `{name}`.")).is_empty(), "{name}");
        }
    }

    #[test]
    fn files_that_do_not_exist_are_found() {
        for name in ["crates/http/src/pages.rs", "routing.rs", "outes.rs", "it/routes.rs", "docs/webhooks.md"]
        {
            let expected = format!("README.md:2: there is no file `{name}`");
            assert_eq!(found("README.md", &format!("a `b`\nsee `{name}`.")), [expected], "{name}");
            assert_eq!(found("crates/http/src/a.rs", &format!("    /// See `{name}`.")).len(), 1, "{name}");
        }
    }

    #[test]
    fn other_text_names_no_file() {
        for text in
            ["`mod.rs`", "`pagesmith.toml`", "`api/<noun>.rs`", "`/docs/docs.js`", "`a/b`", "none/x.rs"]
        {
            assert!(found("README.md", text).is_empty(), "{text}");
        }
        assert!(found("crates/http/src/a.rs", "let a = \"`none/x.rs`\";").is_empty());
    }
}
