//! Text as it may be on a page: without characters that nobody sees, and not longer than its place.
//!
//! What this is not: a sanitiser of Markdown or HTML. Invariant: a text is never cut within what a reader takes for one character,
//! however many code points that has.

use unicode_segmentation::UnicodeSegmentation;

/// The text without control characters, and without marks that turn the direction of what follows or have no width.
///
/// Joiners stay: emoji and several scripts need them.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            ' '..='~' => out.push(char),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' | '\u{85}' | '\u{2028}' | '\u{b}' | '\u{c}' => out.push('\n'),
            '\u{2029}' => out.push_str("\n\n"),
            '\n' | '\t' => out.push(char),
            '\u{a0}' | '\u{202f}' | '\u{2007}' => out.push(' '),
            char if is_unseen(char) => {}
            char => out.push(char),
        }
    }
    out
}

fn is_unseen(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{ad}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fff9}'..='\u{fffd}')
        || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}')
        || matches!(char, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
        || (char as u32) & 0xfffe == 0xfffe
}

/// The text in one line: white space becomes single spaces, none at the ends.
pub fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// A one-line text of a field that a caller filled, cleaned.
pub fn line(text: &str, most: usize) -> String {
    fit(&one_line(&clean(head(text, most.saturating_mul(8)))), most)
}

/// The first bytes of a text, to a character's end.
pub fn head(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// The text, shortened with an ellipsis to that many code points: at a space if one is near the end.
pub fn fit(text: &str, most: usize) -> String {
    if text.len() <= most || text.chars().count() <= most {
        return text.to_owned();
    }
    let mut end = 0;
    let mut taken = 0;
    let mut space = None;
    for (at, grapheme) in text.grapheme_indices(true) {
        let size = grapheme.chars().count();
        if taken + size >= most {
            break;
        }
        if grapheme == " " && taken >= most * 3 / 5 {
            space = Some(at);
        }
        taken += size;
        end = at + grapheme.len();
    }
    let end = space.filter(|_| !text[end..].starts_with(' ')).unwrap_or(end);
    let kept = text[..end].trim_end_matches(|char: char| char.is_whitespace() || ",;:–—-(".contains(char));
    format!("{kept}…")
}

/// How many code points a text has, which is how the schema counts.
pub fn length(text: &str) -> usize {
    text.chars().count()
}

/// The text with a capital at its start.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        // A brand such as `iPhone` keeps its spelling.
        // In Turkish, which alone has these letters.
        Some('i') if text.contains(['ı', 'ğ']) => format!("İ{}", chars.as_str()),
        Some(first) if first.is_lowercase() && !chars.as_str().starts_with(char::is_uppercase) => {
            first.to_uppercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}

/// Whether a reader finds anything to read in it.
pub fn says_something(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// Small letters, plain apostrophes, single spaces: for comparing with lists of words.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(text.len());
    // What is ASCII is copied in runs and made small at the end.
    let mut from = 0;
    for (at, char) in text.char_indices().filter(|(_, char)| !char.is_ascii()) {
        out.push_str(&text[from..at]);
        fold(char, &mut out);
        from = at + char.len_utf8();
    }
    out.push_str(&text[from..]);
    out.make_ascii_lowercase();
    out
}

/// Adds one character of a folded text; several where its small letter is written with more.
pub fn fold(char: char, out: &mut String) {
    match char {
        '’' | '‘' | 'ʼ' => out.push('\''),
        // Its small form has a mark of its own that nobody types.
        'İ' => out.push('i'),
        char if char.is_ascii() => out.push(char.to_ascii_lowercase()),
        char => out.extend(char.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_cannot_be_seen_goes() {
        assert_eq!(clean("a\u{202e}b\u{0}c\r\nd\u{200b}e"), "abc\nde");
        assert_eq!(clean("👩\u{200d}👧 می\u{200c}خواهم"), "👩\u{200d}👧 می\u{200c}خواهم");
        assert_eq!(line(" a \n b ", 10), "a b");
    }

    #[test]
    fn a_long_text_ends_at_a_word() {
        assert_eq!(fit("a short one", 20), "a short one");
        assert_eq!(fit("the quick brown fox jumps over", 20), "the quick brown fox…");
        assert_eq!(fit(&"x".repeat(30), 10), format!("{}…", "x".repeat(9)));
        assert_eq!(fit("日本語の文章はここで終わります", 8), "日本語の文章は…");
    }

    #[test]
    fn brands_keep_their_small_letter() {
        assert_eq!(capital("our shop"), "Our shop");
        assert_eq!(capital("iPhone repairs"), "iPhone repairs");
        assert_eq!(capital("日本"), "日本");
    }

    proptest! {
        #[test]
        fn nothing_is_longer_than_its_place_or_cut_within_a_character(text in "[a-z 👩‍👧é́]{0,40}", most in 2usize..20) {
            let short = fit(&text, most);
            prop_assert!(length(&short) <= most);
            if let Some(kept) = short.strip_suffix('…').filter(|_| short != text) {
                prop_assert!(text.starts_with(kept));
                prop_assert!(text.grapheme_indices(true).any(|(at, _)| at == kept.len()));
            }
        }
    }
}
