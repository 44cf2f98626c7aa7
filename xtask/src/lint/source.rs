//! Rust source as a row of tokens: words, marks, string literals and comments, each with its line.
//!
//! Just enough for the lint: it tells code from text and comment, and test code from the rest. It is no parser, and
//! numbers, lifetimes and raw identifiers come out as words and marks.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name, keyword or number.
    Word,
    /// One sign of punctuation.
    Mark,
    /// The content of a string literal, without its quotes.
    Text,
    /// A line comment or block comment, with its slashes.
    Comment,
}

/// A token and the line on which it begins, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    pub text: String,
    pub line: usize,
}

impl Token {
    /// Is it this sign?
    pub fn mark(&self, mark: char) -> bool {
        self.kind == Kind::Mark && self.text.chars().eq([mark])
    }

    /// Is it this word?
    pub fn word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }
}

struct Scanner<'a> {
    rest: &'a str,
    line: usize,
    found: Vec<Token>,
}

/// Takes the source apart.
pub fn tokens(source: &str) -> Vec<Token> {
    let mut scanner = Scanner { rest: source, line: 1, found: Vec::new() };
    while let Some(first) = scanner.rest.chars().next() {
        scanner.next(first);
    }
    scanner.found
}

impl<'a> Scanner<'a> {
    fn next(&mut self, first: char) {
        if first.is_whitespace() {
            self.take(first.len_utf8());
        } else if self.rest.starts_with("//") {
            let length = self.rest.find('\n').unwrap_or(self.rest.len());
            self.emit(Kind::Comment, length);
        } else if self.rest.starts_with("/*") {
            let length = block_comment(self.rest);
            self.emit(Kind::Comment, length);
        } else if first == '"' {
            self.string();
        } else if first == '\'' {
            self.character_or_lifetime();
        } else if first == '_' || first.is_alphanumeric() {
            let length =
                self.rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(self.rest.len());
            self.word(length);
        } else {
            self.emit(Kind::Mark, first.len_utf8());
        }
    }

    /// Moves on and counts the lines.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.bytes().filter(|byte| *byte == b'\n').count();
        self.rest = rest;
        taken
    }

    fn emit(&mut self, kind: Kind, length: usize) {
        let line = self.line;
        let text = self.take(length).to_owned();
        self.found.push(Token { kind, text, line });
    }

    /// A word, or the prefix of a string or byte literal.
    fn word(&mut self, length: usize) {
        let (word, after) = self.rest.split_at(length);
        let hashes = after.len() - after.trim_start_matches('#').len();
        match word {
            "r" | "br" | "cr" if after[hashes..].starts_with('"') => {
                let line = self.line;
                let end = format!("\"{}", "#".repeat(hashes));
                self.take(length + hashes + 1);
                let content = self.rest.find(&end).unwrap_or(self.rest.len());
                let text = self.take(content).to_owned();
                self.take(end.len().min(self.rest.len()));
                self.found.push(Token { kind: Kind::Text, text, line });
            }
            "b" | "c" if after.starts_with(['"', '\'']) => {
                self.take(length);
            }
            _ => self.emit(Kind::Word, length),
        }
    }

    /// A quoted string. Escapes that matter to SQL are resolved: quotes, line ends, and joined lines.
    fn string(&mut self) {
        let line = self.line;
        self.take(1);
        let mut text = String::new();
        while let Some(c) = self.rest.chars().next() {
            self.take(c.len_utf8());
            match c {
                '"' => break,
                '\\' => match self.rest.chars().next() {
                    Some('\n') => {
                        let blank = self.rest.len() - self.rest.trim_start().len();
                        self.take(blank);
                    }
                    Some(escaped) => {
                        self.take(escaped.len_utf8());
                        text.push(if escaped == 'n' { '\n' } else { escaped });
                    }
                    None => {}
                },
                _ => text.push(c),
            }
        }
        self.found.push(Token { kind: Kind::Text, text, line });
    }

    /// `'x'` and `'\n'` vanish, since no rule speaks of them; of a lifetime the name stays.
    fn character_or_lifetime(&mut self) {
        let mut inside = self.rest.char_indices().skip(1);
        let length = match (inside.next(), inside.next()) {
            (Some((at, '\\')), Some((_, escaped))) => {
                let from = at + 1 + escaped.len_utf8();
                self.rest[from..].find('\'').map_or(1, |end| from + end + 1)
            }
            (Some(_), Some((end, '\''))) => end + 1,
            _ => 1,
        };
        self.take(length);
    }
}

/// The length of a block comment, which may hold others.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// Leaves out every item behind `#[cfg(test)]`, and the whole file behind `#![cfg(test)]`.
pub fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match test_attribute(&tokens[at..]) {
            Some((_, true)) => return Vec::new(),
            Some((length, false)) => at += length + item_length(&tokens[at + length..]),
            None => {
                kept.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    kept
}

/// The modules that a file declares for tests only, `#[cfg(test)] mod name;`: their files are test code too.
pub fn test_modules(tokens: &[Token]) -> Vec<String> {
    let mut names = Vec::new();
    for at in 0..tokens.len() {
        let Some((length, false)) = test_attribute(&tokens[at..]) else { continue };
        if let [module, name, end, ..] = &tokens[at + length..]
            && module.word("mod")
            && end.mark(';')
        {
            names.push(name.text.clone());
        }
    }
    names
}

/// The length of a `#[cfg(test)]` or `#[cfg(all(test, …))]` at the start of these tokens, and whether it is an inner one.
fn test_attribute(tokens: &[Token]) -> Option<(usize, bool)> {
    let inner = tokens.first()?.mark('#') && tokens.get(1)?.mark('!');
    let from = if inner { 2 } else { 1 };
    let opens = tokens.first()?.mark('#') && tokens.get(from)?.mark('[') && tokens.get(from + 1)?.word("cfg");
    let inside = from + 3;
    let alone = tokens.get(inside)?.word("test") && tokens.get(inside + 1)?.mark(')');
    let among = tokens.get(inside)?.word("all") && tokens.get(inside + 2)?.word("test");
    if !opens || !(alone || among) {
        return None;
    }
    let close = tokens.iter().position(|token| token.mark(']'))?;
    Some((close + 1, inner))
}

/// The length of the item that begins here: to its `;` or the end of its braces.
fn item_length(tokens: &[Token]) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        if token.kind != Kind::Mark {
            continue;
        }
        match token.text.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && token.text == "}" {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::{Kind, test_modules, tokens, without_tests};

    fn of(kind: Kind, source: &str) -> Vec<String> {
        tokens(source).into_iter().filter(|token| token.kind == kind).map(|token| token.text).collect()
    }

    #[test]
    fn strings_of_every_form_are_text() {
        let source = r###"f("a\"b", r"c\", r#"d"e"#, b"f", 'x', '"', '\'', b'"', "g\
            h", "ü")"###;
        assert_eq!(of(Kind::Text, source), ["a\"b", "c\\", "d\"e", "f", "gh", "ü"]);
    }

    #[test]
    fn comments_hide_what_they_hold() {
        assert_eq!(of(Kind::Word, "a // \"b\"\n/* c /* d */ e */ f"), ["a", "f"]);
        assert_eq!(of(Kind::Text, "// \"b\"\n\"c // d\""), ["c // d"]);
    }

    #[test]
    fn lifetimes_do_not_swallow_code() {
        assert_eq!(of(Kind::Text, "fn f<'a>(x: &'a str, y: &'a str) { g(\"t\") }"), ["t"]);
    }

    #[test]
    fn tokens_know_their_line() {
        let lines: Vec<usize> = tokens("a\n\"b\nc\" d\n\n'\\n' e").iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 2, 3, 5]);
    }

    #[test]
    fn test_code_is_left_out_and_nothing_else() {
        let source = "a; #[cfg(test)] mod tests { fn b() { { c } } } d; #[cfg(test)] #[expect(x)] fn e(f: [u8; 2]) { } \
                      g; #[cfg(test)] use h::{i}; #[cfg(not(test))] j; #[cfg(all(test, unix))] mod k; l";
        let kept: Vec<String> = without_tests(&tokens(source))
            .into_iter()
            .filter(|t| t.kind == Kind::Word)
            .map(|t| t.text)
            .collect();
        assert_eq!(kept, ["a", "d", "g", "cfg", "not", "test", "j", "l"]);
        assert!(without_tests(&tokens("#![cfg(test)] a")).is_empty());
    }

    #[test]
    fn test_modules_in_other_files_are_named() {
        assert_eq!(test_modules(&tokens("mod a; #[cfg(test)] mod b; #[cfg(test)] mod c { }")), ["b"]);
    }
}
