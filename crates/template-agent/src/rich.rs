//! A piece of running text in two forms: as Markdown of our own writing, and plain.
//!
//! What this is not: Markdown as someone sent it. The Markdown here is written anew from what was read, so that it knows strong text,
//! emphasis, code and links only, and every other sign in it is escaped. Invariant: both forms say the same.

use std::fmt::Write;

use pagesmith_model::content::address::is_linked;

/// A piece of running text in one line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rich {
    markdown: String,
    plain: String,
}

impl Rich {
    /// A text without marks.
    pub fn of(plain: &str) -> Rich {
        let mut rich = Rich::default();
        rich.push_text(plain);
        rich
    }

    /// A piece of Markdown that this module wrote.
    pub fn of_markdown(markdown: &str) -> Rich {
        let markdown = markdown.trim();
        Rich { markdown: markdown.to_owned(), plain: plain(markdown) }
    }

    /// The Markdown.
    pub fn markdown(&self) -> &str {
        &self.markdown
    }

    /// The words alone.
    pub fn plain(&self) -> &str {
        &self.plain
    }

    /// Whether there is nothing to read.
    pub fn is_blank(&self) -> bool {
        self.plain.trim().is_empty()
    }

    /// Adds text as it is.
    pub fn push_text(&mut self, text: &str) {
        let is_sign = |char| "\n\t\\*_[]<>`#|~&".contains(char);
        // Texts are long and signs are few: what is between these is copied at once.
        for part in text.split_inclusive(is_sign) {
            let (copy, sign) = part.split_at(part.trim_end_matches(is_sign).len());
            self.markdown.push_str(copy);
            self.plain.push_str(copy);
            match sign {
                "" => {}
                "\n" | "\t" => {
                    self.markdown.push(' ');
                    self.plain.push(' ');
                }
                sign => {
                    self.markdown.push('\\');
                    self.markdown.push_str(sign);
                    self.plain.push_str(sign);
                }
            }
        }
    }

    /// Adds a mark of strong text or emphasis, or takes back the one that has just been opened.
    pub fn push_mark(&mut self, mark: &str) {
        self.markdown.push_str(mark);
    }

    /// Adds a piece of code.
    pub fn push_code(&mut self, code: &str) {
        let code = code.replace(['`', '\n'], " ");
        if !code.trim().is_empty() {
            let _ = write!(self.markdown, "`{}`", code.trim());
            self.plain.push_str(code.trim());
        }
    }

    /// Adds a link if its address is a good one, else only its text.
    pub fn push_link(&mut self, text: &Rich, url: &str) {
        let url = link_target(url);
        if is_linked(&url) && !text.is_blank() {
            let _ = write!(self.markdown, "[{}]({url})", text.markdown.trim());
            self.plain.push_str(text.plain.trim());
        } else {
            self.push(text);
        }
    }

    /// Adds another piece.
    pub fn push(&mut self, other: &Rich) {
        self.markdown.push_str(&other.markdown);
        self.plain.push_str(&other.plain);
    }

    /// The piece with every mark closed: one that a line's end tore apart is left out.
    pub fn whole(self) -> Rich {
        if is_whole(&self.markdown) { self } else { Rich::of(&self.plain) }
    }

    /// The piece without space at its ends.
    pub fn trimmed(self) -> Rich {
        if self.markdown.trim().len() == self.markdown.len() {
            return self;
        }
        Rich { markdown: self.markdown.trim().to_owned(), plain: self.plain.trim().to_owned() }
    }

    /// What is after that many bytes of the plain form, if that is possible without tearing a mark apart.
    pub fn after(&self, bytes: usize) -> Rich {
        let rest = &self.plain[bytes..];
        // Marks before the cut are not wanted, marks behind it are; that is told by the Markdown's end.
        // A label is short, and so is what its marks can add to it.
        let places = (bytes..=(bytes * 2 + 8).min(self.markdown.len()))
            .filter(|at| self.markdown.is_char_boundary(*at));
        for at in places {
            let end = &self.markdown[at..];
            if !self.markdown[..at].ends_with('\\') && plain(end) == rest && is_whole(end) {
                return Rich::of_markdown(end);
            }
        }
        Rich::of(rest.trim())
    }

    /// The sentences, in order; marks are never torn apart.
    pub fn sentences(&self) -> Vec<Rich> {
        let ends = super::sentence::ends(&self.markdown);
        if ends.len() < 2 {
            return vec![self.clone().trimmed()];
        }
        let mut start = 0;
        let mut sentences = Vec::with_capacity(ends.len());
        for end in ends {
            let sentence = Rich::of_markdown(&self.markdown[start..end]);
            start = end;
            if !sentence.is_blank() {
                sentences.push(sentence);
            }
        }
        sentences
    }

    /// Pieces joined by a space.
    pub fn joined<'a>(pieces: impl IntoIterator<Item = &'a Rich>) -> Rich {
        let mut all = Rich::default();
        for piece in pieces {
            if !all.markdown.is_empty() && !ends_wide(&all.plain) {
                all.markdown.push(' ');
                all.plain.push(' ');
            }
            all.push(piece);
        }
        all
    }
}

impl Rich {
    /// Sentences as a paragraph: each ends with a mark, though it may have been pasted without one.
    pub fn paragraph(sentences: &[Rich]) -> Rich {
        let [rest @ .., last] = sentences else { return Rich::default() };
        let mut all: Vec<Rich> = rest.iter().map(Rich::ended).collect();
        all.push(if rest.is_empty() { last.clone() } else { last.ended() });
        Rich::joined(&all)
    }

    /// The sentence with a full stop, if no mark ends it.
    fn ended(&self) -> Rich {
        let text = self.plain.trim_end();
        let bare = text.trim_end_matches(['"', '”', '’', '\'', ')', '»', '“']);
        let mut ended = self.clone();
        let markdown = self.markdown.trim_end();
        if text.ends_with([',', ';']) && markdown.ends_with([',', ';']) {
            ended.plain.truncate(text.len() - 1);
            ended.markdown.truncate(markdown.len() - 1);
        }
        let is_spaced = !text.chars().next_back().is_some_and(crate::words::is_unspaced);
        if !bare.ends_with(['.', '!', '?', '…', ':', '؟', '۔', '।']) && !ends_wide(text) && is_spaced {
            ended.push_text(".");
        }
        ended
    }
}

/// Whether a text ends in a script that puts no spaces between sentences.
fn ends_wide(text: &str) -> bool {
    text.ends_with(['。', '！', '？', '」', '』', '）', '、', '：'])
}

/// An address as it can be in a link of Markdown.
fn link_target(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for char in url.trim().chars() {
        match char {
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '*' => out.push_str("%2A"),
            '`' => out.push_str("%60"),
            '[' => out.push_str("%5B"),
            ']' => out.push_str("%5D"),
            '"' => out.push_str("%22"),
            char => out.push(char),
        }
    }
    out
}

/// Whether every mark in it is closed.
fn is_whole(markdown: &str) -> bool {
    let (mut stars, mut ticks, mut brackets) = (0usize, 0usize, 0isize);
    let mut chars = markdown.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => {
                chars.next();
            }
            '*' => stars += 1,
            '`' => ticks += 1,
            '[' => brackets += 1,
            ']' => brackets -= 1,
            _ => {}
        }
        if brackets < 0 {
            return false;
        }
    }
    stars.is_multiple_of(2) && ticks.is_multiple_of(2) && brackets == 0
}

/// The words of Markdown that this module wrote.
fn plain(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut rest = markdown;
    let mut code = false;
    while let Some(at) = rest.find(|char| char == '`' || !code && matches!(char, '\\' | '*' | '[' | ']')) {
        let (copy, behind) = rest.split_at(at);
        out.push_str(copy);
        let sign = behind.as_bytes()[0];
        rest = &behind[1..];
        match sign {
            b'`' => code = !code,
            b'\\' => {
                let mut chars = rest.chars();
                out.extend(chars.next());
                rest = chars.as_str();
            }
            b']' => {
                if let Some(address) = rest.strip_prefix('(') {
                    rest = address.split_once(')').map_or("", |(_, behind)| behind);
                }
            }
            _ => {}
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sample() -> Rich {
        let mut rich = Rich::default();
        rich.push_mark("**");
        rich.push_text("Price");
        rich.push_mark("**");
        rich.push_text(": 3 * 4 [net], see ");
        rich.push_link(&Rich::of("our list"), "https://example.com/a_(b)");
        rich
    }

    #[test]
    fn both_forms_say_the_same() {
        let rich = sample();
        assert_eq!(rich.plain(), "Price: 3 * 4 [net], see our list");
        assert_eq!(
            rich.markdown(),
            r"**Price**: 3 \* 4 \[net\], see [our list](https://example.com/a_%28b%29)"
        );
        assert_eq!(plain(rich.markdown()), rich.plain());
    }

    #[test]
    fn what_follows_a_label_keeps_its_links() {
        let rest = sample().after("Price: ".len());
        assert_eq!(rest.plain(), "3 * 4 [net], see our list");
        assert!(rest.markdown().ends_with("[our list](https://example.com/a_%28b%29)"));
    }

    #[test]
    fn a_link_to_code_is_text() {
        let mut rich = Rich::default();
        rich.push_link(&Rich::of("x"), "javascript:alert(1)");
        assert_eq!(rich.markdown(), "x");
    }

    proptest! {
        #[test]
        fn any_text_comes_back(text in "[ -~é日]{0,40}") {
            let rich = Rich::of(&text);
            prop_assert_eq!(plain(rich.markdown()), text);
        }
    }
}
