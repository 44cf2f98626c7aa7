//! A message as tokens: words in one spelling, and quotations, each with its place in the message.

use deunicode::deunicode;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    /// What is between quotation marks.
    Quote,
    /// A sign between sentences or parts of them.
    Mark,
}

/// A word, a quotation or a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// A word without case and accents; a quotation as it stands; a mark.
    pub(crate) text: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Token {
    /// Whether it is a number, with whatever is behind its first digit.
    pub(crate) fn is_number(&self) -> bool {
        self.kind == Kind::Word && self.text.starts_with(|first: char| first.is_ascii_digit())
    }
}

/// Pairs of quotation marks; several marks can close what one has opened.
const QUOTES: &[(char, &[char])] = &[
    ('"', &['"', '”', '“']),
    ('“', &['”', '"']),
    ('”', &['”', '"']),
    ('„', &['“', '”', '"']),
    ('«', &['»']),
    ('»', &['«']),
    ('‹', &['›']),
    ('‘', &['’', '\'']),
    ('‚', &['‘', '’']),
    ('\'', &['\'', '’']),
    ('`', &['`']),
];

/// The signs that are between sentences or parts of them.
const MARKS: [char; 12] = ['.', '!', '?', ';', '\n', ',', ':', '–', '—', '…', '(', ')'];

/// The longest message that is read as tokens; behind that it is text.
pub(crate) const MOST: usize = 4_000;

/// The tokens of a text.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(char) = text.get(at..).and_then(|rest| rest.chars().next())
        && found.len() < MOST
    {
        let end = at + char.len_utf8();
        if let Some((inner, close)) = quotation(text, at, char) {
            let text = inner.trim().to_owned();
            found.push(Token { kind: Kind::Quote, text, start: at, end: close });
            at = close;
        } else if let Some(end) = address_end(text, at) {
            let word = text.get(at..end).unwrap_or_default();
            found.push(Token { kind: Kind::Word, text: fold(word), start: at, end });
            at = end;
        } else if char.is_alphanumeric() || char == '%' || char == '€' {
            let end = word_end(text, at);
            let word = text.get(at..end).unwrap_or_default();
            found.push(Token { kind: Kind::Word, text: fold(word), start: at, end });
            at = end;
        } else if is_possessive(text, at, char) {
            found.push(Token { kind: Kind::Word, text: "s".to_owned(), start: at, end });
            at = end;
        } else {
            // A hyphen between spaces is a dash.
            let is_dash = char == '-'
                && text.get(..at).is_some_and(|before| before.ends_with(' '))
                && text.get(end..).is_some_and(|rest| rest.starts_with(' '));
            if is_dash || MARKS.contains(&char) {
                found.push(Token { kind: Kind::Mark, text: char.to_string(), start: at, end });
            }
            at = end;
        }
    }
    found
}

/// Whether an apostrophe stands for the sign of a possessive: `the questions' answers`.
fn is_possessive(text: &str, at: usize, char: char) -> bool {
    let (before, behind) = (text.get(..at).unwrap_or_default(), text.get(at..).unwrap_or_default());
    let mut next = behind.chars().skip(1);
    matches!(char, '\'' | '’')
        && before.ends_with('s')
        && next.next() == Some(' ')
        && next.next().is_some_and(char::is_alphabetic)
}

/// How addresses begin.
const ADDRESSES: [&str; 4] = ["https://", "http://", "mailto:", "tel:"];

/// Whether a word is an address.
pub(crate) fn is_address(word: &str) -> bool {
    ADDRESSES.iter().any(|start| word.starts_with(start))
}

/// Where the address at a place ends, without the marks behind it; nothing if there is none.
fn address_end(text: &str, start: usize) -> Option<usize> {
    let rest = text.get(start..)?;
    let is_one = |beginning: &&str| {
        rest.get(..beginning.len()).is_some_and(|begun| begun.eq_ignore_ascii_case(beginning))
    };
    let least = ADDRESSES.iter().find(|beginning| is_one(beginning))?.len();
    let is_end = |char: char| char.is_whitespace() || QUOTES.iter().any(|(mark, _)| *mark == char);
    let whole = &rest[..rest.find(is_end).unwrap_or(rest.len())];
    let told = whole.trim_end_matches(|char| MARKS.contains(&char));
    (told.len() > least).then_some(start + told.len())
}

/// Where a word ends: numbers keep their points and commas.
fn word_end(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let mut chars = rest.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, char)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, char)| *char);
        let joins = match char {
            '.' | ',' => before.is_ascii_digit() && next.is_ascii_digit(),
            '-' | '&' => before.is_alphanumeric() && next.is_alphanumeric(),
            '–' => before.is_ascii_digit() && next.is_ascii_digit(),
            char => char.is_alphanumeric() || matches!(char, '%' | '€'),
        };
        if !joins {
            return start + at;
        }
        before = char;
    }
    text.len()
}

/// What is between the quotation mark at a place and the one that closes it, and where that ends.
fn quotation(text: &str, at: usize, open: char) -> Option<(&str, usize)> {
    let closing = QUOTES.iter().find(|(mark, _)| *mark == open)?.1;
    let before = text.get(..at)?.chars().next_back();
    if before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let start = at + open.len_utf8();
    let rest = text.get(start..)?;
    for (offset, char) in rest.char_indices() {
        let behind = rest.get(offset + char.len_utf8()..)?.chars().next();
        // An apostrophe is within a word.
        if closing.contains(&char) && offset > 0 && !behind.is_some_and(char::is_alphanumeric) {
            return Some((rest.get(..offset)?, start + offset + char.len_utf8()));
        }
    }
    None
}

/// A text without case and accents, and without letters that only draw a word out, as in `waaay`.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = deunicode(text).to_lowercase();
    let repeats = |text: &str| {
        let bytes = text.as_bytes();
        bytes
            .windows(3)
            .any(|three| three[0].is_ascii_lowercase() && three.iter().all(|one| *one == three[0]))
    };
    if repeats(&folded) {
        let mut short = String::with_capacity(folded.len());
        let mut chars = folded.chars().peekable();
        while let Some(char) = chars.next() {
            let mut count = 1;
            while chars.next_if_eq(&char).is_some() {
                count += 1;
            }
            let kept = if count > 2 && char.is_ascii_lowercase() { 1 } else { count };
            short.extend(std::iter::repeat_n(char, kept));
        }
        folded = short;
    }
    folded
}

/// Tokens as they were written in their message.
pub(crate) fn written<'m>(message: &'m str, tokens: &[Token]) -> Option<&'m str> {
    message.get(tokens.first()?.start..tokens.last()?.end)
}

/// Whether tokens begin with the words of a phrase.
pub(crate) fn starts_with(tokens: &[Token], phrase: &[String]) -> bool {
    tokens.len() >= phrase.len()
        && tokens.iter().zip(phrase).all(|(token, word)| token.kind == Kind::Word && token.text == *word)
}

/// The words of a text, in the spelling of tokens.
pub(crate) fn words(text: &str) -> Vec<String> {
    tokens(text)
        .into_iter()
        .flat_map(|token| match token.kind {
            Kind::Word => vec![token.text],
            Kind::Quote => fold(&token.text)
                .split(|char: char| !char.is_alphanumeric())
                .filter(|word| !word.is_empty())
                .map(ToOwned::to_owned)
                .collect(),
            Kind::Mark => vec![],
        })
        .collect()
}
