//! Plain text, Markdown and tables as text: decoded, and refused if that is no text.

use crate::charset;
use crate::refusal::Refusal;

/// The text of bytes that should be text.
pub(crate) fn text(bytes: &[u8]) -> Result<String, Refusal> {
    let text = charset::decode_file(bytes);
    let strange = text.chars().filter(|char| is_strange(*char)).count();
    // A stray sign is forgiven.
    if strange * 100 > text.chars().count() {
        return Err(Refusal::NoText);
    }
    Ok(text.replace("\r\n", "\n").replace('\r', "\n").replace(is_strange, ""))
}

/// Whether a character occurs in no text.
fn is_strange(char: char) -> bool {
    char.is_control() && !matches!(char, '\t' | '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        assert_eq!(text(b"One\r\ntwo\rthree").unwrap(), "One\ntwo\nthree");
        assert_eq!(text(&[b"x".repeat(200), vec![7]].concat()).unwrap(), "x".repeat(200));
        assert_eq!(text(&[0, 1, 2, 3, 4, 200, 201]).unwrap_err(), Refusal::NoText);
    }
}
