//! A Rust source file as the rules see it: words, punctuation and string literals, each with its line.
//!
//! `proc-macro2` reads the file and `syn` resolves the literals' escapes, so both follow the language. Comments and
//! documentation are not code and are left out.

use proc_macro2::{Delimiter, Group, LexError, TokenStream, TokenTree};
use syn::Lit;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or keyword.
    Word,
    /// One character of punctuation, or a bracket.
    Mark,
    /// The content of a string literal, escapes resolved.
    Text,
}

/// A token and the line on which it begins, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    pub text: String,
    pub line: usize,
    /// Whether it belongs to code that only tests are built with.
    pub for_tests: bool,
}

impl Token {
    /// Is it this character of punctuation?
    pub fn mark(&self, mark: char) -> bool {
        self.kind == Kind::Mark && self.text.chars().eq([mark])
    }

    /// Is it this word?
    pub fn word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }
}

/// The tokens of a file.
#[derive(Debug, Default)]
pub struct Code {
    pub tokens: Vec<Token>,
    /// The modules declared as `#[cfg(test)] mod name;`: their files are test code too.
    pub test_modules: Vec<String>,
}

impl Code {
    /// Reads a file; fails where the text is not Rust.
    pub fn read(text: &str) -> Result<Code, LexError> {
        let mut code = Code::default();
        code.walk(text.parse()?, false);
        Ok(code)
    }

    /// Appends the tokens of `stream`. An item behind `#[cfg(test)]` is test code, and so is all that follows `#![cfg(test)]`.
    fn walk(&mut self, stream: TokenStream, mut for_tests: bool) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let mut rest = trees.as_slice();
        while let [first, after @ ..] = rest {
            match attribute(rest) {
                Some(Attribute { content, behind, .. }) if begins(content, "doc=") => rest = behind,
                Some(Attribute { content, behind, is_inner }) if is_for_tests(content) => {
                    rest = behind;
                    if is_inner {
                        for_tests = true;
                    } else {
                        let (item, behind) = rest.split_at(item_length(rest));
                        self.test_modules.extend(declared_module(item));
                        self.walk(item.iter().cloned().collect(), true);
                        rest = behind;
                    }
                }
                _ => {
                    self.append(first, for_tests);
                    rest = after;
                }
            }
        }
    }

    fn append(&mut self, tree: &TokenTree, for_tests: bool) {
        let line = tree.span().start().line;
        let mut push = |kind, text| self.tokens.push(Token { kind, text, line, for_tests });
        match tree {
            TokenTree::Ident(name) => push(Kind::Word, name.to_string()),
            TokenTree::Punct(mark) => push(Kind::Mark, mark.as_char().to_string()),
            TokenTree::Literal(literal) => match Lit::new(literal.clone()) {
                Lit::Str(text) => push(Kind::Text, text.value()),
                Lit::ByteStr(bytes) => push(Kind::Text, String::from_utf8_lossy(&bytes.value()).into_owned()),
                Lit::CStr(text) => push(Kind::Text, text.value().to_string_lossy().into_owned()),
                // No rule is about numbers or characters.
                _ => {}
            },
            TokenTree::Group(group) => {
                let [open, close] = match group.delimiter() {
                    Delimiter::Parenthesis => ["(", ")"],
                    Delimiter::Brace => ["{", "}"],
                    Delimiter::Bracket => ["[", "]"],
                    Delimiter::None => ["", ""],
                };
                push(Kind::Mark, open.to_owned());
                self.walk(group.stream(), for_tests);
                let line = group.span_close().start().line;
                self.tokens.push(Token { kind: Kind::Mark, text: close.to_owned(), line, for_tests });
            }
        }
    }
}

/// `#[content]` or `#![content]`, and what is behind it.
struct Attribute<'a> {
    content: &'a Group,
    is_inner: bool,
    behind: &'a [TokenTree],
}

/// The attribute at the start of these trees.
fn attribute(trees: &[TokenTree]) -> Option<Attribute<'_>> {
    let (is_inner, content, behind) = match trees {
        [hash, TokenTree::Group(content), behind @ ..] if is_mark(hash, '#') => (false, content, behind),
        [hash, inner, TokenTree::Group(content), behind @ ..]
            if is_mark(hash, '#') && is_mark(inner, '!') =>
        {
            (true, content, behind)
        }
        _ => return None,
    };
    (content.delimiter() == Delimiter::Bracket).then_some(Attribute { content, is_inner, behind })
}

fn is_mark(tree: &TokenTree, mark: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == mark)
}

fn is_for_tests(attribute: &Group) -> bool {
    begins(attribute, "cfg(test)") || begins(attribute, "cfg(all(test,")
}

/// Does the attribute begin with this text, written without spaces?
fn begins(attribute: &Group, text: &str) -> bool {
    let content = attribute.stream().to_string();
    let mut content = content.chars().filter(|char| !char.is_whitespace());
    text.chars().all(|char| content.next() == Some(char))
}

/// The length of the item at the start of these trees: to its `;` or its block.
fn item_length(trees: &[TokenTree]) -> usize {
    let is_last = |tree: &TokenTree| match tree {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => is_mark(tree, ';'),
    };
    trees.iter().position(is_last).map_or(trees.len(), |last| last + 1)
}

/// The name in `mod name;`, whatever its visibility.
fn declared_module(item: &[TokenTree]) -> Option<String> {
    match item {
        [.., TokenTree::Ident(word), TokenTree::Ident(name), end] if word == "mod" && is_mark(end, ';') => {
            Some(name.to_string())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Code, Kind, Token};

    fn tokens(source: &str) -> Vec<Token> {
        Code::read(source).unwrap().tokens
    }

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
        assert_eq!(of(Kind::Word, "//! a\n/// b\n#[doc = \"c\"] d /** e */ f"), ["d", "f"]);
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
        let kept: Vec<String> = tokens(source)
            .into_iter()
            .filter(|token| token.kind == Kind::Word && !token.for_tests)
            .map(|token| token.text)
            .collect();
        assert_eq!(kept, ["a", "d", "g", "cfg", "not", "test", "j", "l"]);
        assert!(tokens("#![cfg(test)] a").iter().all(|token| token.for_tests));
    }

    #[test]
    fn test_modules_in_other_files_are_named() {
        let code = Code::read(
            "mod a; #[cfg(test)] mod b; #[cfg(test)] mod c { mod d; } #[cfg(test)] pub mod e; #[cfg(test)] pub(crate) mod f;",
        )
        .unwrap();
        assert_eq!(code.test_modules, ["b", "e", "f"]);
    }

    #[test]
    fn what_is_not_rust_is_refused() {
        assert!(Code::read("fn f() {").is_err());
    }
}
