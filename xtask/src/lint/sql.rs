//! Finds the project's SQL: the `sql!` literals, and text that looks like SQL where none may stand.
//!
//! The place of a literal is the line on which `sql!` stands, as `line!()` inside the macro reports it. A comment
//! directly above it may say `// only: sqlite`, `// only: postgres` or `// across tenants: why`.

use super::source::{Code, Kind, Token};
use super::{Finding, Source};

/// One `sql!("…")`.
#[derive(Debug, PartialEq, Eq)]
pub struct Literal {
    pub line: usize,
    pub text: String,
    /// The line comments directly above, the nearest first, without their slashes.
    pub comments: Vec<String>,
}

impl Literal {
    /// The engine that a comment marks it for, if it is not for both.
    pub fn only(&self) -> Option<&str> {
        self.remark("only:").filter(|engine| crate::workspace::DATABASES.contains(engine))
    }

    /// What a comment above says after this beginning; an empty remark is none.
    pub fn remark(&self, beginning: &str) -> Option<&str> {
        let said = self.comments.iter().find_map(|comment| comment.strip_prefix(beginning))?.trim();
        (!said.is_empty()).then_some(said)
    }
}

/// All `sql!` literals of a file that are not for tests. `included` reads the file of an `include_str!`.
pub fn literals(text: &str, code: &Code, included: &dyn Fn(&str) -> Option<String>) -> Vec<Literal> {
    let lines: Vec<&str> = text.lines().collect();
    let tokens = &code.tokens;
    places(tokens)
        .filter(|at| !tokens[*at].for_tests)
        .map(|at| {
            let line = tokens[at].line;
            let inside = &tokens[inside(tokens, at)];
            let file = inside.iter().find(|token| token.kind == Kind::Text);
            let text = match inside.first() {
                Some(first) if first.word("include_str") => file.and_then(|name| included(&name.text)),
                _ => Some(own_texts(inside)),
            };
            Literal { line, text: text.unwrap_or_default(), comments: comments_above(&lines, line) }
        })
        .collect()
}

/// The positions of `sql` in every `sql!(…)`, `sql![…]` and `sql!{…}`.
fn places(tokens: &[Token]) -> impl Iterator<Item = usize> {
    tokens.windows(3).enumerate().filter_map(|(at, three)| {
        let opens = ['(', '[', '{'].into_iter().any(|mark| three[2].mark(mark));
        (three[0].word("sql") && three[1].mark('!') && opens).then_some(at)
    })
}

/// The positions of what is between the parentheses of the macro at a position.
fn inside(tokens: &[Token], at: usize) -> std::ops::Range<usize> {
    let start = at + 3;
    let mut depth = 1;
    let length = tokens[start..].iter().take_while(|token| {
        depth = deeper(depth, token);
        depth > 0
    });
    start..start + length.count()
}

/// The texts of a macro, joined, without those in the parentheses of further macros, which list columns.
fn own_texts(inside: &[Token]) -> String {
    let mut depth = 0;
    let mut text = String::new();
    for token in inside {
        depth = deeper(depth, token);
        if depth == 0 && token.kind == Kind::Text {
            text.push_str(&token.text);
        }
    }
    text
}

/// The depth of parentheses behind a token.
fn deeper(depth: usize, token: &Token) -> usize {
    match token {
        token if ['(', '[', '{'].into_iter().any(|mark| token.mark(mark)) => depth + 1,
        token if [')', ']', '}'].into_iter().any(|mark| token.mark(mark)) => depth.saturating_sub(1),
        _ => depth,
    }
}

/// The lines directly above this one that hold a comment and nothing else.
fn comments_above(lines: &[&str], line: usize) -> Vec<String> {
    let above = lines[..line - 1].iter().rev().map(|line| line.trim());
    let comments = above.take_while(|line| line.starts_with("//"));
    comments.map(|line| line.trim_start_matches('/').trim().to_owned()).collect()
}

/// SQL is in the store and nowhere else; in the store's tables, only inside `sql!`, where the other rules see it.
pub fn outside_the_store(source: &Source, code: &Code) -> Vec<Finding> {
    let path = source.path.as_str();
    let tokens = &code.tokens;
    let mut findings = Vec::new();
    // The lint's own samples are no SQL of the product.
    if !path.starts_with("crates/store/") && !path.starts_with("xtask/") {
        findings.extend(places(tokens).map(|at| {
            source.finding(tokens[at].line, "`sql!` outside crates/store: SQL stands in the store only")
        }));
    }
    let in_tables = path.starts_with("crates/store/src/tables/");
    if !in_tables && may_hold_sql(path) {
        return findings;
    }
    let sql: Vec<_> = places(tokens).map(|at| inside(tokens, at)).collect();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| !token.for_tests) {
        let in_macro = sql.iter().any(|inside| inside.contains(&at));
        if token.kind == Kind::Text && looks_like_sql(&token.text) && !in_macro {
            let reason = if in_tables {
                "SQL outside `sql!`: neither the rules nor the coverage see it"
            } else {
                "SQL outside crates/store: call a function of the store"
            };
            findings.push(source.finding(token.line, reason));
        }
    }
    findings
}

/// Tests and tools look into databases on their own; the rest of the store is engines and migrations.
fn may_hold_sql(path: &str) -> bool {
    const FREE: [&str; 5] = ["crates/store/", "crates/testkit/", "bench/", "xtask/", "fuzz/"];
    FREE.iter().any(|free| path.starts_with(free)) || path.contains("/tests/")
}

/// Does the text read as a statement? Keywords in capitals anywhere, or a small-lettered one at the beginning.
fn looks_like_sql(text: &str) -> bool {
    const PAIRS: [(&str, &str); 5] =
        [("SELECT", "FROM"), ("INSERT", "INTO"), ("DELETE", "FROM"), ("UPDATE", "SET"), ("CREATE", "TABLE")];
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
    let follows = |words: &[&str], pair: (&str, &str)| {
        words.iter().position(|word| *word == pair.0).is_some_and(|at| words[at..].contains(&pair.1))
    };
    let small_start =
        words.first().is_some_and(|word| PAIRS.iter().any(|pair| word.to_uppercase() == pair.0))
            && text.contains(['=', '$', '(', '*']);
    let capitals: Vec<String> = words.iter().map(|word| word.to_uppercase()).collect();
    let capitals: Vec<&str> = capitals.iter().map(String::as_str).collect();
    PAIRS.into_iter().any(|pair| follows(&words, pair) || (small_start && follows(&capitals, pair)))
}

#[cfg(test)]
mod tests {
    use super::{Code, Literal, Source, literals, looks_like_sql, outside_the_store};

    fn found(source: &str) -> Vec<Literal> {
        literals(source, &Code::read(source).unwrap(), &|name| Some(format!("text of {name}")))
    }

    fn lines(path: &str, text: &str) -> Vec<usize> {
        let source = Source { path: path.to_owned(), text: text.to_owned() };
        outside_the_store(&source, &source.code().unwrap()).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn literals_are_found_with_their_line_and_text() {
        let source = "fn f() {\n  tx.all(\n    sql!(\n      \"SELECT a\"\n    ),\n  );\n  // sql!(\"no\")\n  \"sql!(no)\";\n}\n\
                      #[cfg(test)] mod tests { fn g() { sql!(\"no\") } }\n sql!(include_str!(\"long.sql\"))";
        let found = found(source);
        assert_eq!(found.iter().map(|literal| literal.line).collect::<Vec<_>>(), [3, 11]);
        assert_eq!(found[0].text, "SELECT a");
        assert_eq!(found[1].text, "text of long.sql");
    }

    #[test]
    fn parts_of_a_text_are_joined_without_lists_of_columns() {
        let found = found("sql!(\"SELECT \", columns!(\"a.\" as \"b\"), \" FROM t\"); f(\"no\")");
        assert_eq!(found[0].text, "SELECT  FROM t");
        let text = "sql!(\"SELECT \", columns!(\"a.\"), \" FROM t\"); f(\"SELECT a FROM t\")";
        assert_eq!(lines("crates/store/src/tables/a.rs", text), [1]);
    }

    #[test]
    fn line_numbers_are_those_of_the_compiler() {
        macro_rules! sql {
            ($text:literal) => {
                (line!(), $text)
            };
        }
        let line = |pair: (u32, &str)| pair.0;
        let first = line(sql!("one"));
        let second = line(
            // A comment, so that the call spans lines.
            sql!("two"),
        );
        let own = include_str!("sql.rs");
        let mut code = Code::read(own).unwrap();
        code.tokens.iter_mut().for_each(|token| token.for_tests = false);
        let found: Vec<u32> = literals(own, &code, &|_| None)
            .into_iter()
            .filter(|literal| ["one", "two"].contains(&literal.text.as_str()))
            .map(|literal| u32::try_from(literal.line).unwrap())
            .collect();
        assert_eq!(found, [first, second]);
    }

    #[test]
    fn comments_directly_above_are_remarks() {
        let source = "// only: sqlite\n// across tenants: the queue is shared\nsql!(\"A\");\n\n// only: postgres\n\nsql!(\"B\");\n\
                      x(); // only: postgres\nsql!(\"C\");\n// across tenants:\nsql!(\"D\");\n// only: mysql\nsql!(\"E\")";
        let found = found(source);
        assert_eq!(found[0].only(), Some("sqlite"));
        assert_eq!(found[0].remark("across tenants:"), Some("the queue is shared"));
        assert_eq!(found[1].only(), None);
        assert_eq!(found[2].only(), None);
        assert_eq!(found[3].remark("across tenants:"), None);
        assert_eq!(found[4].only(), None);
    }

    #[test]
    fn sql_outside_the_store_is_found() {
        assert_eq!(lines("crates/http/src/a.rs", "\nsql!(\"x\")"), [2]);
        assert_eq!(lines("crates/pagesmith/tests/it/a.rs", "sql!(\"x\")"), [1]);
        assert_eq!(lines("crates/http/src/a.rs", "\n\n\"SELECT a FROM b\""), [3]);
        assert_eq!(lines("crates/worker/src/a.rs", "\"insert into a (b) values ($1)\""), [1]);
        assert_eq!(lines("crates/store/src/tables/a.rs", "tx.run(\"DELETE FROM a\")"), [1]);
    }

    #[test]
    fn sql_where_it_belongs_is_not() {
        assert!(lines("crates/store/src/tables/a.rs", "tx.run(sql!(\"DELETE FROM a\"))").is_empty());
        assert!(lines("crates/store/src/engine/a.rs", "\"SELECT a FROM b\"").is_empty());
        assert!(lines("crates/pagesmith/tests/it/a.rs", "\"SELECT a FROM b\"").is_empty());
        assert!(
            lines("crates/http/src/a.rs", "#[cfg(test)] mod t { fn f() { \"SELECT a FROM b\" } }").is_empty()
        );
        assert!(lines("crates/http/src/a.rs", "// SELECT a FROM b").is_empty());
    }

    #[test]
    fn prose_is_no_sql() {
        assert!(!looks_like_sql("Select a page from the list"));
        assert!(!looks_like_sql("update the page, then set its name"));
        assert!(!looks_like_sql("the page could not be DELETEd"));
        assert!(looks_like_sql("WITH x AS (SELECT 1) SELECT a FROM x"));
        assert!(looks_like_sql("UPDATE a SET b = $1"));
    }
}
