//! Repairs text that was read in a wrong encoding: `FrÃ¼hstÃ¼ck` is `Frühstück`.
//!
//! What this is not: a guess. Only what is UTF-8 when its code points are taken for bytes of Windows-1252 is repaired.

use std::borrow::Cow;

/// The code points of Windows-1252 from 0x80 to 0x9F; those that it does not use stand for themselves.
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The byte that is shown as this code point.
fn byte(char: char) -> Option<u8> {
    match u32::from(char) {
        code @ 0x80..=0xff => u8::try_from(code).ok(),
        code if code > 0xff => {
            HIGH.iter().position(|high| *high == char).and_then(|at| u8::try_from(0x80 + at).ok())
        }
        _ => None,
    }
}

/// The text with what was read in a wrong encoding repaired.
pub fn repaired(text: &str) -> Cow<'_, str> {
    // The first byte of nearly everything that is read wrongly.
    if !text.contains(['Ã', 'â', 'Â', 'Å', 'Ä']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut bytes: Vec<u8> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|char| byte(char).is_some()) {
        let (plain, behind) = rest.split_at(at);
        bytes.clear();
        bytes.extend(behind.chars().map_while(byte));
        let taken = behind.chars().take(bytes.len()).map(char::len_utf8).sum();
        let (run, behind) = behind.split_at(taken);
        out.push_str(plain);
        out.push_str(std::str::from_utf8(&bytes).unwrap_or(run));
        rest = behind;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_in_a_wrong_encoding_is_repaired() {
        assert_eq!(repaired("FrÃ¼hstÃ¼ck ab 8 â€“ â€œgutâ€\u{9d}"), "Frühstück ab 8 – “gut”");
        assert_eq!(repaired("zaÅ¼Ã³Å‚Ä‡"), "zażółć");
        for right in ["Frühstück – „gut“ für 3 €", "São João, Ângela", "Ärzte am Ålesund", "Çay 5 ₺", "日本"]
        {
            assert_eq!(repaired(right), right);
        }
    }
}
