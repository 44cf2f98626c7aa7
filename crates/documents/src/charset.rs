//! The encoding of a text: as its byte order mark, who sent it, the text itself or its bytes say.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How far into a document its encoding is looked for, in bytes.
const SNIFFED: usize = 1_024;

/// The text of bytes that came with this media type, if with any.
pub fn decode(bytes: &[u8], content_type: Option<&str>) -> String {
    let (text, _, _) = encoding(bytes, content_type).decode(bytes);
    text.into_owned()
}

/// The text of a file, about which nobody says anything.
pub(crate) fn decode_file(bytes: &[u8]) -> String {
    match wide(bytes) {
        Some(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
        None => decode(bytes, None),
    }
}

/// Whether the bytes are UTF-16 without a byte order mark: every second one is zero in what is mostly Latin letters, and hardly another.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(SNIFFED) & !1];
    let zeros = |parity: usize| head.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), head.len() / 2);
    if pairs >= 4 && odd * 2 > pairs && even * 20 < pairs {
        Some(UTF_16LE)
    } else if pairs >= 4 && even * 2 > pairs && odd * 20 < pairs {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// The encoding of a document: its byte order mark, what its answer says, what it says itself, else UTF-8 if it is that.
fn encoding(bytes: &[u8], content_type: Option<&str>) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    let head = &bytes[..bytes.len().min(SNIFFED)];
    let of_answer = content_type.and_then(|text| after(text.as_bytes(), b"charset"));
    if let Some(encoding) = of_answer.and_then(Encoding::for_label) {
        return encoding;
    }
    let of_document = after(head, b"charset").or_else(|| after(head, b"encoding"));
    match of_document.and_then(Encoding::for_label) {
        // A document whose declaration could be read byte by byte is not in an encoding of two bytes.
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => UTF_8,
        Some(encoding) => encoding,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1252,
    }
}

/// The value behind `name=`, with or without quotes.
fn after<'a>(text: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let at = text.windows(name.len()).position(|part| part.eq_ignore_ascii_case(name))?;
    let rest = text[at + name.len()..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    let is_end =
        |byte: &u8| matches!(byte, b'"' | b'\'' | b';' | b'>' | b'/' | b'?') || byte.is_ascii_whitespace();
    let end = rest.iter().position(is_end).unwrap_or(rest.len());
    Some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_is_decoded_as_its_sender_itself_or_its_bytes_say() {
        for (bytes, content_type, expected) in [
            ("Größe".as_bytes().to_vec(), None, "Größe"),
            (b"Gr\xf6\xdfe".to_vec(), None, "Größe"),
            (b"Gr\xf6\xdfe".to_vec(), Some("text/html; charset=ISO-8859-1"), "Größe"),
            ("Größe".as_bytes().to_vec(), Some("text/html; Charset = \"utf-8\""), "Größe"),
            (b"\x89\xbf\x8ai".to_vec(), Some("text/html;charset=shift_jis"), "価格"),
            (b"\xff\xfea\0b\0".to_vec(), Some("text/html;charset=utf-8"), "ab"),
            ("Größe".as_bytes().to_vec(), Some("text/html; charset=nonsense"), "Größe"),
        ] {
            assert_eq!(decode(&bytes, content_type), expected, "{content_type:?}");
        }
        // Where they disagree, the mark in front of the text counts most, and its sender more than the text itself.
        let latin = b"<meta charset=utf-8>Gr\xf6\xdfe";
        assert!(decode(latin, Some("text/html; charset=iso-8859-1")).ends_with(">Größe"));
        let unicode = "<meta charset=iso-8859-1>Größe".as_bytes();
        assert!(decode(unicode, Some("text/html; charset=utf-8")).ends_with(">Größe"));
        let marked = [b"\xef\xbb\xbf", unicode].concat();
        assert!(decode(&marked, Some("text/html; charset=iso-8859-1")).ends_with(">Größe"));
        // A sender that says nothing of use leaves it to the text.
        for content_type in [None, Some("text/html"), Some("text/html; charset=nonsense")] {
            assert!(decode(b"<meta charset='windows-1251'>\xc4\xe0", content_type).ends_with("Да"));
        }
        let declared = b"<?xml version='1.0' encoding='windows-1251'?>\xc4\xe0";
        assert!(decode(declared, None).ends_with("Да"));
        assert!(decode("<meta charset=utf-16>Größe".as_bytes(), None).ends_with("Größe"));
    }

    #[test]
    fn a_file_may_be_utf_16_without_saying_so() {
        let little: Vec<u8> = "Größe: 9 €".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "Größe: 9 €".encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [&little, &big] {
            assert_eq!(decode_file(bytes), "Größe: 9 €");
        }
        assert_eq!(decode_file(b"Gr\xf6\xdfe"), "Größe");
        assert_eq!(decode_file(b""), "");
    }

    proptest! {
        #[test]
        fn any_bytes_have_a_text(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = (decode(&bytes, Some("text/html")), decode_file(&bytes));
        }
    }
}
