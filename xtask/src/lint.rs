//! `cargo x lint`: the project's own rules, where the compiler and clippy have none.
//!
//! Each rule is a function from text to findings, so that its tests show it failing. Findings are told by place and
//! reason, all of them at once. The rules read tokens and not syntax trees: they stay fast, and where they could be
//! fooled the reviewer cannot.

mod circles;
pub mod coverage;
mod paths;
mod portable;
mod source;
mod sql;
pub mod statements;
mod tenancy;
mod tree;

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::module_lists;
use crate::shell::{self, Outcome};
use source::Code;

/// One broken rule at one place.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    pub file: String,
    pub line: usize,
    pub reason: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.reason)
    }
}

/// A text file of the checkout; `path` is relative to the root and has `/` between its parts.
pub struct Source {
    pub path: String,
    pub text: String,
}

impl Source {
    /// A finding in this file.
    pub fn finding(&self, line: usize, reason: impl Into<String>) -> Finding {
        Finding { file: self.path.clone(), line, reason: reason.into() }
    }

    /// Its code; empty for a file of another language.
    pub fn code(&self) -> Result<Code, Finding> {
        if !self.path.ends_with(".rs") {
            return Ok(Code::default());
        }
        Code::read(&self.text).map_err(|error| self.finding(error.span().start().line, "this is not Rust"))
    }
}

/// Reads the whole checkout and applies every rule.
pub fn run() -> Outcome {
    let sources = sources()?;
    let findings = findings(&sources);
    for finding in &findings {
        shell::say(finding.to_string());
    }
    if findings.is_empty() {
        shell::say(format!("\nlint: {} files, nothing to mend", sources.len()));
        Ok(())
    } else {
        Err(format!("lint: {} findings", findings.len()))
    }
}

/// The tables that hold tenants' rows.
fn owned_tables(sources: &[Source]) -> BTreeSet<String> {
    let migrations = sources
        .iter()
        .filter(|source| source.path.strip_prefix("migrations/").is_some_and(module_lists::numbered));
    migrations.flat_map(|source| tenancy::owned_tables(&source.text)).collect()
}

fn findings(sources: &[Source]) -> Vec<Finding> {
    let owned = owned_tables(sources);
    let (mut findings, mut files) = (Vec::new(), Vec::new());
    for source in sources {
        findings.extend(tree::check(source));
        let code = match source.code() {
            Ok(code) => code,
            Err(finding) => {
                findings.push(finding);
                continue;
            }
        };
        findings.extend(sql::outside_the_store(source, &code));
        if source.path.starts_with("crates/store/src/") {
            let literals = sql::literals(&source.text, &code, &|name| beside(&source.path, name));
            findings.extend(portable::check(source, &literals));
            if source.path.starts_with("crates/store/src/tables/") {
                findings.extend(tenancy::check(source, &literals, &owned));
            }
        }
        files.push((source, code));
    }
    findings.extend(circles::check(&files));
    findings.extend(paths::check(sources));
    findings.sort();
    findings
}

/// The text of a file that is beside another, for literals that are included.
pub fn beside(path: &str, name: &str) -> Option<String> {
    std::fs::read_to_string(shell::root().join(path).parent()?.join(name)).ok()
}

/// Every text file of the checkout that people write.
pub fn sources() -> Outcome<Vec<Source>> {
    let mut paths = Vec::new();
    collect(shell::root(), &mut paths).map_err(|error| format!("{}: {error}", shell::root().display()))?;
    paths.sort();
    let mut sources = Vec::new();
    for path in paths {
        // What is not UTF-8 is no text, and no rule speaks of it.
        if let Ok(text) = std::fs::read_to_string(&path) {
            let parts: Vec<_> = path.strip_prefix(shell::root()).unwrap_or(&path).iter().collect();
            let parts: Vec<_> = parts.iter().map(|part| part.to_string_lossy()).collect();
            sources.push(Source { path: parts.join("/"), text });
        }
    }
    Ok(sources)
}

/// Walks the folders, leaving out what is built, downloaded, stored or another program's.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    const WRITTEN: [&str; 10] = ["rs", "toml", "sql", "md", "ts", "js", "css", "html", "sh", "yaml"];
    const LEFT_OUT: [&str; 6] = ["target", "node_modules", "data", "corpus", "artifacts", ".git"];
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            if !LEFT_OUT.contains(&name.as_str()) {
                collect(&path, paths)?;
            }
        } else if path.extension().is_some_and(|e| WRITTEN.iter().any(|known| e == *known)) {
            paths.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Source, findings};

    fn sample(path: &str, text: &str) -> Source {
        Source { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn rules_see_the_files_that_they_are_for() {
        let sources = [
            sample("migrations/0001_initial.sql", "CREATE TABLE pages (\n  tenant_id TEXT NOT NULL\n);"),
            sample("crates/store/src/tables/pages.rs", "fn f() { sql!(\"SELECT name FROM pages\"); }"),
            sample("crates/store/src/engine/sqlite.rs", "fn f() { sql!(\"SELECT * FROM x\"); }"),
            sample("crates/http/src/routes.rs", "\nfn f() { \"SELECT name FROM pages\"; }"),
            sample("crates/http/src/utils.rs", ""),
            sample("docs/api.md", "See `http/src/pages.rs`."),
        ];
        let found: Vec<String> = findings(&sources).iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), 5, "{found:#?}");
        assert!(found[0].starts_with("crates/http/src/routes.rs:2: "), "{}", found[0]);
        assert!(found[1].starts_with("crates/http/src/utils.rs:1: "), "{}", found[1]);
        assert!(found[2].starts_with("crates/store/src/engine/sqlite.rs:1: "), "{}", found[2]);
        assert!(found[3].starts_with("crates/store/src/tables/pages.rs:1: "), "{}", found[3]);
        assert!(found[4].starts_with("docs/api.md:1: "), "{}", found[4]);
    }

    #[test]
    fn the_checkout_is_found_and_read() {
        let paths: Vec<String> = super::sources().unwrap().into_iter().map(|source| source.path).collect();
        assert!(paths.contains(&"xtask/src/lint.rs".to_owned()));
        assert!(!paths.iter().any(|path| path.contains("node_modules/") || path.starts_with("target/")));
    }
}
