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
        // `€49` is folded to `eur49`.
        let text = self.text.strip_prefix("eur").unwrap_or(&self.text);
        self.kind == Kind::Word && text.starts_with(|first: char| first.is_ascii_digit())
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
        if let Some(behind) = tag_end(text, at, char) {
            at = behind;
        } else if let Some(behind) = arrow_end(text, at) {
            found.push(Token { kind: Kind::Mark, text: ":".to_owned(), start: at, end: behind });
            at = behind;
        } else if let Some((inner, close)) = quotation(text, at, char) {
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

/// The longest tag of markup, in bytes.
const LONGEST_TAG: usize = 200;

/// Where a tag of markup ends that begins at a place: what was copied with its markup is read without it. `a<b and c>d` has none.
fn tag_end(text: &str, at: usize, char: char) -> Option<usize> {
    let inner = text.get(at + 1..).filter(|_| char == '<')?;
    let end = inner.bytes().take(LONGEST_TAG).position(|byte| byte == b'>')?;
    let named = inner.get(..end)?.trim_start_matches('/');
    let length = named.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (name, rest) = named.split_at_checked(length)?;
    let is_tag = matches!(rest.trim(), "" | "/") || (rest.starts_with(' ') && rest.contains('='));
    (name.starts_with(|first: char| first.is_ascii_alphabetic()) && is_tag).then_some(at + end + 2)
}

/// Where an arrow ends that begins at a place: `"Old" -> "New"` is the same as with a colon.
fn arrow_end(text: &str, at: usize) -> Option<usize> {
    let arrow = ["->", "=>", "→", "⇒"]
        .into_iter()
        .find(|arrow| text.get(at..).is_some_and(|rest| rest.starts_with(arrow)))?;
    Some(at + arrow.len())
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
            // `4 950`
            ' ' | '\u{a0}' | '\u{202f}' => is_between_digits(rest, at, char),
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

/// Whether a space at a place is within a number: up to three digits are before it, and just three behind.
pub(crate) fn is_between_digits(text: &str, at: usize, space: char) -> bool {
    let digits = |text: &str, from_end: bool| {
        let is_digit = |char: &char| char.is_ascii_digit();
        if from_end {
            text.chars().rev().take_while(is_digit).count()
        } else {
            text.chars().take_while(is_digit).count()
        }
    };
    let (before, behind) =
        (text.get(..at).unwrap_or_default(), text.get(at + space.len_utf8()..).unwrap_or_default());
    let ends = behind.get(3..).and_then(|rest| rest.chars().next());
    (1..=3).contains(&digits(before, true))
        && !before.trim_end_matches(|char: char| char.is_ascii_digit()).ends_with(',')
        && digits(behind, false) == 3
        && !ends.is_some_and(char::is_alphabetic)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_tags_and_arrows_are_read() {
        let read = |text: &str| tokens(text).into_iter().map(|token| token.text).collect::<Vec<_>>();
        assert_eq!(read("4 950 € and 30\u{a0}000"), ["4 950", "eur", "and", "30 000"]);
        assert_eq!(read("5 rooms, 12 1000 3 12"), ["5", "rooms", ",", "12", "1000", "3", "12"]);
        assert_eq!(read("<b>Remove</b> <a href=\"/x\">it</a><br/>"), ["remove", "it"]);
        assert_eq!(read("a<b and c>d"), ["a", "b", "and", "c", "d"]);
        assert_eq!(read("Old -> new"), ["old", ":", "new"]);
    }
}
