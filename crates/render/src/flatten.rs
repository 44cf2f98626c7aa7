//! HTML of strangers, made cheap to read: balanced, and never deeper than a page needs.
//!
//! Browsers, and sanitisers that read as they do, take a time that grows with the square of how deep a text is nested. So the text is
//! first taken apart into its tags, in one pass, and put together again without what goes too deep. What is left out is only tags:
//! their texts stay. This is not what makes a text safe; the sanitiser after it is.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use crate::escape::escape;

/// The longest text that is read at all.
const LONGEST: usize = 100_000;
/// The most elements that are open at once.
const DEEPEST: usize = 48;
/// The most attributes of one tag.
const MOST_ATTRIBUTES: usize = 16;

/// Elements without content.
const EMPTY: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];

/// The text, flattened; `None` if it is longer than anybody needs.
pub(crate) fn flatten(html: &str) -> Option<String> {
    if html.len() > LONGEST {
        return None;
    }
    let flat = Flat { html: String::with_capacity(html.len() * 9 / 8), ..Flat::default() };
    let tokenizer = Tokenizer::new(Sink(RefCell::new(flat)), TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(html));
    while let html5ever::TokenizerResult::Script(()) = tokenizer.feed(&queue) {}
    tokenizer.end();
    let mut flat = tokenizer.sink.0.into_inner();
    flat.close(0);
    Some(flat.html)
}

#[derive(Default)]
struct Flat {
    html: String,
    open: Vec<String>,
    /// The element whose content is no markup, and no text for a reader.
    hidden: Option<String>,
}

impl Flat {
    /// Ends the innermost elements until so many are open.
    fn close(&mut self, left: usize) {
        while self.open.len() > left {
            if let Some(name) = self.open.pop() {
                self.html.push_str("</");
                self.html.push_str(&name);
                self.html.push('>');
            }
        }
    }

    fn start(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name = &*tag.name;
        let kind = match name {
            "script" => Some(RawKind::ScriptData),
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => Some(RawKind::Rawtext),
            "textarea" | "title" => Some(RawKind::Rcdata),
            _ => None,
        };
        if let Some(kind) = kind {
            self.hidden = Some(name.to_owned());
            return TokenSinkResult::RawData(kind);
        }
        while self.open.last().is_some_and(|open| ends(open, name)) {
            self.close(self.open.len() - 1);
        }
        let is_empty = EMPTY.contains(&name);
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !is_name || name == "plaintext" || !is_empty && self.open.len() >= DEEPEST {
            return TokenSinkResult::Continue;
        }
        self.html.push('<');
        self.html.push_str(name);
        for attribute in tag.attrs.iter().take(MOST_ATTRIBUTES) {
            let key = &*attribute.name.local;
            if key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
                self.html.push(' ');
                self.html.push_str(key);
                self.html.push_str("=\"");
                escape(&attribute.value, &mut self.html);
                self.html.push('"');
            }
        }
        self.html.push('>');
        if !is_empty {
            self.open.push(name.to_owned());
        }
        TokenSinkResult::Continue
    }

    fn end(&mut self, name: &str) {
        if self.hidden.take().is_none()
            && let Some(at) = self.open.iter().rposition(|open| open == name)
        {
            self.close(at);
        }
    }
}

/// Whether an open element ends where another starts, though nobody says so.
fn ends(open: &str, start: &str) -> bool {
    let ended: &[&str] = match start {
        "p" => &["p"],
        "li" => &["li", "p"],
        "dt" | "dd" => &["dt", "dd", "p"],
        "td" | "th" => &["td", "th", "p"],
        "tr" => &["tr", "td", "th", "p"],
        "thead" | "tbody" | "tfoot" => &["thead", "tbody", "tfoot", "tr", "td", "th", "p"],
        "rt" | "rp" => &["rt", "rp"],
        _ => &[],
    };
    ended.contains(&open)
}

struct Sink(RefCell<Flat>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut flat = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => return flat.start(&tag),
            Token::TagToken(tag) => flat.end(&tag.name),
            Token::CharacterTokens(text) if flat.hidden.is_none() => escape(&text, &mut flat.html),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_people_write_stays() {
        assert_eq!(flatten("<p class=a>b<br>c & d</p>").unwrap(), "<p class=\"a\">b<br>c &amp; d</p>");
        let list = flatten(&format!("<ul>{}</ul>", "<li>a<p>b".repeat(500))).unwrap();
        assert_eq!(list.matches("<li><").count() + list.matches("<li>a<p>b</p></li>").count(), 500);
        assert_eq!(flatten("<i><b>a</i>b").unwrap(), "<i><b>a</b></i>b");
        assert_eq!(flatten("a<script>b</script><!-- c -->d<title>e").unwrap(), "ad");
    }

    #[test]
    fn depth_has_an_end() {
        for piece in [
            "<div>",
            "<b>",
            "<p><b>",
            "<b></i>",
            "<div title='</div>'>",
            "<div><!--</div>-->",
            "<table><tr><td>",
        ] {
            let flat = flatten(&piece.repeat(2000)).unwrap();
            let starts =
                flat.matches("<div").count() + flat.matches("<b>").count() + flat.matches("<table").count();
            assert!(starts <= DEEPEST, "{piece}: {starts}");
        }
        assert_eq!(flatten(&"a".repeat(LONGEST + 1)), None);
    }

    proptest! {
        #[test]
        fn what_is_flat_is_balanced_and_stays_as_it_is(html in "(<|</|>|p|b|div|li|td| |=|\"|'|a|<!--|-->|script|\\PC){0,40}") {
            let flat = flatten(&html).unwrap();
            prop_assert_eq!(flatten(&flat).unwrap(), flat);
        }
    }
}
