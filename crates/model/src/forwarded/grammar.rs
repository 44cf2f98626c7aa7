//! One line of `Forwarded` or `X-Forwarded-For`, as the addresses in it.

use std::net::IpAddr;

use super::{address, is_obfuscated};

/// Whom a proxy was spoken to by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Node {
    /// An address.
    Address(IpAddr),
    /// Somebody whom the proxy does not name.
    Unnamed,
}

/// The nodes of a line of `X-Forwarded-For`; `None` if it holds anything else.
pub fn x_forwarded_for(line: &[u8]) -> Option<Vec<Node>> {
    let text = std::str::from_utf8(line).ok()?;
    let parts = text.split(',').map(|part| part.trim_matches([' ', '\t'])).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            if part.eq_ignore_ascii_case("unknown") || is_obfuscated(part) {
                return Some(Node::Unnamed);
            }
            address(part, true).map(Node::Address)
        })
        .collect()
}

/// The nodes of a line of `Forwarded`, one for each element; `None` if the line is not valid.
pub fn forwarded(line: &[u8]) -> Option<Vec<Node>> {
    let mut reader = Reader { rest: std::str::from_utf8(line).ok()? };
    let mut nodes = Vec::new();
    loop {
        reader.blanks();
        if let Some(node) = reader.element()? {
            nodes.push(node);
        }
        reader.blanks();
        if reader.rest.is_empty() {
            return Some(nodes);
        }
        reader.sign(',')?;
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    fn sign(&mut self, sign: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(sign)?;
        Some(())
    }

    /// An element: nothing, or pairs with semicolons between them. The outer `None` is a fault.
    fn element(&mut self) -> Option<Option<Node>> {
        let (mut node, mut is_empty) = (None, true);
        loop {
            self.blanks();
            if !self.rest.is_empty() && !self.rest.starts_with([',', ';']) {
                is_empty = false;
                let name = self.token()?.to_ascii_lowercase();
                self.sign('=')?;
                let value =
                    if self.rest.starts_with('"') { self.quoted()? } else { self.token()?.to_owned() };
                // Twice is not valid: one of them would be overlooked.
                if name == "for" && node.replace(node_of(&value)?).is_some() {
                    return None;
                }
            }
            self.blanks();
            if self.sign(';').is_none() {
                return Some(if is_empty { None } else { Some(node.unwrap_or(Node::Unnamed)) });
            }
        }
    }

    fn token(&mut self) -> Option<&str> {
        let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        let length = self.rest.bytes().take_while(|byte| is_token(*byte)).count();
        let (token, rest) = self.rest.split_at(length);
        self.rest = rest;
        (length > 0).then_some(token)
    }

    fn quoted(&mut self) -> Option<String> {
        let mut text = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        loop {
            let (at, char) = chars.next()?;
            match char {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Some(text);
                }
                '\\' => text.push(chars.next()?.1),
                char => text.push(char),
            }
        }
    }
}

/// The value of `for`; `None` if it is no node.
fn node_of(value: &str) -> Option<Node> {
    let (name, port) = match value.split_once(':') {
        Some((name, port)) if !value.starts_with('[') => (name, Some(port)),
        _ => (value, None),
    };
    if (name.eq_ignore_ascii_case("unknown") || is_obfuscated(name)) && port.is_none_or(super::is_port) {
        return Some(Node::Unnamed);
    }
    address(value, false).map(Node::Address)
}
