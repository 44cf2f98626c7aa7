//! From the bytes of an answer to its text: unpacked within bounds, and decoded as the answer, the document or its bytes say.

use std::io::Read;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::fetch::{LARGEST, PageBody};
use super::problem::Problem;

/// How far into a document its encoding is looked for, in bytes.
const SNIFFED: usize = 1_024;

/// The text of a page.
pub(super) fn text(body: &PageBody) -> Result<String, Problem> {
    let bytes = unpacked(body)?;
    let (text, _, _) = encoding(&bytes, body.content_type.as_deref()).decode(&bytes);
    Ok(text.into_owned())
}

/// The bytes without their packing. What unpacks to more than the largest page is refused before it is all there.
fn unpacked(body: &PageBody) -> Result<Vec<u8>, Problem> {
    let packing = body.encoding.as_deref().unwrap_or_default().trim().to_ascii_lowercase();
    let packed = body.bytes.as_ref();
    match packing.as_str() {
        "" | "identity" => Ok(packed.to_vec()),
        "gzip" | "x-gzip" => bounded(flate2::read::MultiGzDecoder::new(packed)),
        "deflate" => bounded(flate2::read::ZlibDecoder::new(packed)),
        "br" => bounded(brotli::Decompressor::new(packed, 4_096)),
        _ => Err(Problem::permanent("The page is packed in a way that is not known.")),
    }
}

fn bounded(unpacking: impl Read) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    let most = u64::try_from(LARGEST).unwrap_or(u64::MAX);
    let read = unpacking.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|_| Problem::permanent("The page cannot be unpacked."))?;
    if bytes.len() > LARGEST {
        return Err(Problem::permanent("The page is larger than 5 MiB when it is unpacked."));
    }
    Ok(bytes)
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
    use std::io::Write;

    use bytes::Bytes;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;

    use super::*;

    fn body(bytes: Vec<u8>, encoding: Option<&str>, content_type: Option<&str>) -> PageBody {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        PageBody { bytes: Bytes::from(bytes), encoding: owned(encoding), content_type: owned(content_type) }
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packing = GzEncoder::new(Vec::new(), Compression::best());
        packing.write_all(bytes).unwrap();
        packing.finish().unwrap()
    }

    #[test]
    fn a_text_is_decoded_as_the_answer_the_document_or_its_bytes_say() {
        for (bytes, content_type, expected) in [
            ("Größe".as_bytes().to_vec(), None, "Größe"),
            (b"Gr\xf6\xdfe".to_vec(), None, "Größe"),
            (b"Gr\xf6\xdfe".to_vec(), Some("text/html; charset=ISO-8859-1"), "Größe"),
            ("Größe".as_bytes().to_vec(), Some("text/html; Charset = \"utf-8\""), "Größe"),
            (b"\x89\xbf\x8ai".to_vec(), Some("text/html;charset=shift_jis"), "価格"),
            (b"\xff\xfea\0b\0".to_vec(), Some("text/html;charset=utf-8"), "ab"),
            ("Größe".as_bytes().to_vec(), Some("text/html; charset=nonsense"), "Größe"),
        ] {
            assert_eq!(text(&body(bytes, None, content_type)).unwrap(), expected, "{content_type:?}");
        }
        let declared = b"<?xml version='1.0' encoding='windows-1251'?>\xc4\xe0".to_vec();
        assert!(text(&body(declared, None, None)).unwrap().ends_with("Да"));
        let declared = "<meta charset=utf-16>Größe".as_bytes().to_vec();
        assert!(text(&body(declared, None, None)).unwrap().ends_with("Größe"));
    }

    #[test]
    fn a_small_answer_that_unpacks_to_much_is_refused() {
        let bomb = gzip(&vec![b'x'; LARGEST + 1]);
        assert!(bomb.len() < 20_000);
        let problem = text(&body(bomb, Some("gzip"), None)).unwrap_err();
        assert_eq!(problem.reason, "The page is larger than 5 MiB when it is unpacked.");
        assert_eq!(text(&body(gzip(b"small"), Some("GZIP"), None)).unwrap(), "small");
        for (bytes, packing) in [(b"no gzip".to_vec(), "gzip"), (vec![0xff; 9], "br"), (vec![], "zstd")] {
            assert!(!text(&body(bytes, Some(packing), None)).unwrap_err().may_pass);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_have_a_text_or_a_problem(bytes in prop::collection::vec(any::<u8>(), 0..200), packing in 0..4_usize) {
            let packing = [None, Some("gzip"), Some("br"), Some("deflate")][packing];
            let _ = text(&body(bytes, packing, Some("text/html")));
        }
    }
}
