//! Every statement on a tenant's data names the tenant, so that no forgotten condition shows one tenant's rows to another.
//!
//! Which tables hold tenants' data is read from the migrations: those with a column `tenant_id`, but `tenants` itself.
//! The few statements that mean all tenants say why: `// across tenants: why`, directly above.

use std::collections::BTreeSet;

use super::portable::tokens;
use super::sql::Literal;
use super::{Finding, Source};

/// The tables in a migration that have a column `tenant_id`.
pub fn owned_tables(migration: &str) -> Vec<String> {
    let words = tokens(migration);
    let mut owned = Vec::new();
    for at in 0..words.len() {
        if words[at] != "create" || words.get(at + 1).is_none_or(|word| word != "table") {
            continue;
        }
        let rest = &words[at + 2..];
        let rest =
            if rest.starts_with(&["if", "not", "exists"].map(String::from)) { &rest[3..] } else { rest };
        let Some((name, body)) = rest.split_first() else { continue };
        let end = body.iter().position(|word| word == ";").unwrap_or(body.len());
        if name != "tenants" && body[..end].iter().any(|word| word == "tenant_id") {
            owned.push(name.clone());
        }
    }
    owned
}

/// Checks the literals of one file of tables.
pub fn check(source: &Source, literals: &[Literal], owned: &BTreeSet<String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for literal in literals {
        if owned.is_empty() {
            let reason = "no migration makes a table with `tenant_id`, so tenancy cannot be checked";
            findings.push(source.finding(literal.line, reason));
        } else if let Some(table) = unnamed_tenant(&literal.text, owned)
            && literal.remark("across tenants:").is_none()
        {
            let reason = format!(
                "touches `{table}` without a condition on `tenant_id`; name the tenant, \
                 or say why not above it: `// across tenants: why`"
            );
            findings.push(source.finding(literal.line, reason));
        }
    }
    findings
}

/// The first tenant-owned table of a statement that names no tenant where it counts: among the columns of an
/// insert, or in a condition of anything else. Only reading `tenant_id` is no condition.
fn unnamed_tenant(text: &str, owned: &BTreeSet<String>) -> Option<String> {
    let words = tokens(text);
    let table = touched(&words).into_iter().find(|name| owned.contains(*name))?.to_owned();
    let inserts = words.iter().any(|word| word == "insert");
    let counts_from = if inserts {
        0
    } else {
        words.iter().position(|word| ["where", "on", "using"].contains(&word.as_str())).unwrap_or(words.len())
    };
    let named = words[counts_from..].iter().any(|word| word == "tenant_id");
    (!named).then_some(table)
}

/// The names after `FROM`, `JOIN`, `INTO` and `UPDATE`, and those after a comma of a `FROM`.
fn touched(words: &[String]) -> Vec<&str> {
    let mut names = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if !["from", "join", "into", "update"].contains(&word.as_str()) {
            continue;
        }
        names.extend(words.get(at + 1).map(String::as_str));
        if word == "from" {
            let rest = &words[at + 1..];
            let end = rest.iter().position(|w| ["where", "join", "(", ")"].contains(&w.as_str()));
            let list = &rest[..end.unwrap_or(rest.len())];
            names.extend(list.windows(2).filter(|pair| pair[0] == ",").map(|pair| pair[1].as_str()));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::source::Code;
    use super::super::sql::literals;
    use super::{Source, check, owned_tables, unnamed_tenant};

    const MIGRATION: &str = "
        CREATE TABLE tenants (tenant_id TEXT NOT NULL, PRIMARY KEY (tenant_id));
        CREATE TABLE IF NOT EXISTS pages (
            tenant_id TEXT NOT NULL, -- whose
            page_id TEXT NOT NULL,
            FOREIGN KEY (tenant_id) REFERENCES tenants (tenant_id)
        );
        CREATE TABLE leases (name TEXT NOT NULL); -- tenant_id is not here
        CREATE INDEX pages_name_idx ON pages (tenant_id, name);";

    fn owned() -> BTreeSet<String> {
        owned_tables(MIGRATION).into_iter().collect()
    }

    fn found(text: &str) -> Vec<usize> {
        let source = Source { path: "crates/store/src/tables/a.rs".to_owned(), text: text.to_owned() };
        let literals = literals(text, &Code::read(text).unwrap(), &|_| None);
        check(&source, &literals, &owned()).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn tables_with_a_tenant_are_read_from_migrations() {
        assert_eq!(owned_tables(MIGRATION), ["pages"]);
    }

    #[test]
    fn statements_without_the_tenant_are_found() {
        for text in [
            "SELECT name FROM pages WHERE page_id = $1",
            "SELECT tenant_id, name FROM pages WHERE page_id = $1",
            "SELECT tenant_id FROM pages",
            "SELECT a FROM leases l, pages p WHERE l.name = p.name",
            "UPDATE pages SET tenant_id = $1",
            "DELETE FROM pages WHERE page_id = $1",
            "INSERT INTO pages (page_id) VALUES ($1)",
            "SELECT a FROM leases JOIN pages ON leases.name = pages.name",
        ] {
            assert_eq!(unnamed_tenant(text, &owned()).as_deref(), Some("pages"), "{text}");
        }
    }

    #[test]
    fn statements_with_the_tenant_and_on_shared_tables_are_not() {
        for text in [
            "SELECT name FROM pages WHERE tenant_id = $1 AND page_id = $2",
            "INSERT INTO pages (tenant_id, page_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            "SELECT name FROM leases WHERE name = $1 FOR UPDATE SKIP LOCKED",
            "SELECT pages FROM leases",
        ] {
            assert_eq!(unnamed_tenant(text, &owned()), None, "{text}");
        }
    }

    #[test]
    fn only_a_reason_excuses() {
        let text = "// across tenants: the sweeper serves all\nsql!(\"DELETE FROM pages\");\n\
                    // across tenants:\nsql!(\"DELETE FROM pages\");\nsql!(\"DELETE FROM pages\");";
        assert_eq!(found(text), [4, 5]);
    }

    #[test]
    fn no_known_table_is_a_finding_and_not_a_pass() {
        let source = Source { path: "crates/store/src/tables/a.rs".to_owned(), text: String::new() };
        let text = "sql!(\"SELECT a FROM b\")";
        let literals = literals(text, &Code::read(text).unwrap(), &|_| None);
        assert_eq!(check(&source, &literals, &BTreeSet::new()).len(), 1);
    }
}
