//! The rules that make one SQL text mean the same to SQLite and PostgreSQL, as far as they can be seen in the text.
//!
//! A literal marked `// only: …` speaks one dialect and may use its words; that every column is named and that time
//! comes from the program holds for all.

use super::sql::Literal;
use super::{Finding, Source};

/// Checks each literal; the finding is at the literal's line.
pub fn check(source: &Source, literals: &[Literal]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for literal in literals {
        let broken = broken_rules(&literal.text, literal.only().is_some());
        findings.extend(broken.into_iter().map(|reason| source.finding(literal.line, reason)));
    }
    findings
}

fn broken_rules(text: &str, one_engine: bool) -> Vec<&'static str> {
    let tokens = tokens(text);
    let words: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let has = |row: &[&str]| words.windows(row.len()).any(|window| window == row);
    let mut broken = Vec::new();
    if has(&["select", "*"])
        || has(&["select", "distinct", "*"])
        || has(&[".", "*"])
        || has(&["returning", "*"])
    {
        broken.push("every column is named, never `*`: a new column must not change what is read");
    }
    if has(&["now", "("])
        || words.iter().any(|word| word.starts_with("current_time") || *word == "current_date")
    {
        broken.push("the program supplies the time, so that a test owns it");
    }
    if one_engine {
        return broken;
    }
    if has(&[":", ":"]) {
        broken.push("`CAST(x AS t)`, never `x::t`: SQLite does not know it");
    }
    if has(&["like"]) || has(&["ilike"]) {
        broken.push("no `LIKE`: the engines differ about letter case; compare a folded column");
    }
    if has(&["any", "("]) {
        broken.push("lists are expanded, never `ANY(…)`: SQLite does not know it");
    }
    if has(&["greatest", "("]) || has(&["least", "("]) {
        broken.push("`CASE`, never `greatest` or `least`: SQLite does not know them");
    }
    if has(&["insert", "or"]) || has(&["replace", "into"]) {
        broken.push("`ON CONFLICT (…)`, never `INSERT OR …` or `REPLACE`: PostgreSQL does not know them");
    }
    broken
}

/// SQL in small letters as words and single marks, without quoted text and comments.
pub fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("--") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '\'' {
            rest[1..].find('\'').map_or(rest.len(), |end| end + 2)
        } else if first == '_' || first.is_alphanumeric() {
            let length = rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len());
            tokens.push(rest[..length].to_lowercase());
            length
        } else {
            if !first.is_whitespace() && first != '"' {
                tokens.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::{broken_rules, tokens};

    #[test]
    fn each_rule_can_be_broken() {
        for text in [
            "SELECT * FROM pages",
            "SELECT p.* FROM pages p",
            "SELECT DISTINCT * FROM pages",
            "DELETE FROM pages RETURNING *",
            "UPDATE pages SET a = now()",
            "UPDATE pages SET a = CURRENT_TIMESTAMP",
            "SELECT a::text FROM pages",
            "SELECT a FROM pages WHERE a LIKE $1",
            "SELECT a FROM pages WHERE a ilike $1",
            "SELECT a FROM pages WHERE a = ANY($1)",
            "SELECT greatest(a, b) FROM pages",
            "INSERT OR IGNORE INTO pages (a) VALUES ($1)",
        ] {
            assert_eq!(broken_rules(text, false).len(), 1, "{text}");
        }
    }

    #[test]
    fn portable_text_breaks_none() {
        for text in [
            "SELECT count(*), a * 2 FROM pages WHERE tenant_id = $1",
            "SELECT a FROM pages WHERE b = 'now() LIKE ::' -- SELECT * FROM x",
            "SELECT CAST(a AS TEXT), likes, company FROM pages WHERE (a, b) < ($1, $2)",
        ] {
            assert!(broken_rules(text, false).is_empty(), "{text}");
        }
    }

    #[test]
    fn one_engine_may_speak_its_dialect_but_not_leave_columns_unnamed() {
        assert!(broken_rules("SELECT a::text FROM b WHERE c LIKE $1", true).is_empty());
        assert_eq!(broken_rules("SELECT * FROM b", true).len(), 1);
    }

    #[test]
    fn quoted_names_are_words() {
        assert_eq!(tokens("SELECT \"A\".b, 'it''s' -- c\nd"), ["select", "a", ".", "b", ",", "d"]);
    }
}
