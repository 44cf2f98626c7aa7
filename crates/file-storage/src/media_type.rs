//! What bytes are, by what they begin with; a name only tells kinds of text apart.
//!
//! What a client declares does not count. Two readers may see different things in the same bytes, so whoever serves them also
//! sends `nosniff`, and shows only the types of [`is_shown`] in place: all others are downloads.

use pagesmith_model::file::FileName;

/// How many of the first bytes are looked at.
pub const HEAD: usize = 8 * 1024;

/// What nothing is known of.
const UNKNOWN: &str = "application/octet-stream";

/// Types that a browser may show in place, since nothing in them runs.
const SHOWN: [&str; 14] = [
    "application/pdf",
    "audio/mpeg",
    "audio/ogg",
    "audio/x-wav",
    "image/avif",
    "image/bmp",
    "image/gif",
    "image/jpeg",
    "image/png",
    "image/vnd.microsoft.icon",
    "image/webp",
    "text/plain",
    "video/mp4",
    "video/webm",
];

/// How a document begins that a browser reads as HTML, in lower case. From the WHATWG's MIME Sniffing Standard, section 7.1.
const HTML: [&str; 17] = [
    "<!doctype html",
    "<html",
    "<head",
    "<script",
    "<iframe",
    "<h1",
    "<div",
    "<font",
    "<table",
    "<a",
    "<style",
    "<title",
    "<b",
    "<body",
    "<br",
    "<p",
    "<!--",
];

/// The media type of bytes that begin with `head`, at most [`HEAD`] of them, and have that name.
pub fn of(head: &[u8], name: &FileName) -> &'static str {
    let head = head.get(..HEAD).unwrap_or(head);
    if let Some(text) = text_of(head) {
        return of_text(&text, name);
    }
    // The library has one name for two formats, and it is neither's.
    if head.starts_with(b"wOF2") {
        return "font/woff2";
    }
    match infer::get(head) {
        Some(found) => found.mime_type(),
        None => UNKNOWN,
    }
}

/// Whether a browser may show this type in place.
pub fn is_shown(media_type: &str) -> bool {
    SHOWN.contains(&media_type)
}

/// The beginning of a text in UTF-8 or UTF-16; a character that is cut at the end is left out.
fn text_of(head: &[u8]) -> Option<String> {
    let text = match head {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes)?,
        _ => {
            let rest = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
            match std::str::from_utf8(rest) {
                Ok(text) => text.to_owned(),
                // Only what could go on behind the head is forgiven.
                Err(error) if error.error_len().is_none() && head.len() == HEAD => {
                    String::from_utf8_lossy(&rest[..error.valid_up_to()]).into_owned()
                }
                Err(_) => return None,
            }
        }
    };
    let is_control = |character: char| {
        character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\u{c}' | '\u{1b}')
    };
    (!text.contains(is_control)).then_some(text)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    // Half of a pair at the end may be the head's end.
    let whole = units.len() - units.last().is_some_and(|last| (0xd800..0xdc00).contains(last)) as usize;
    String::from_utf16(&units[..whole]).ok()
}

fn of_text(text: &str, name: &FileName) -> &'static str {
    // `%PDF` and `{\rtf` are text as well.
    if let Some(found) =
        infer::get(text.as_bytes()).filter(|found| found.matcher_type() != infer::MatcherType::Text)
    {
        return found.mime_type();
    }
    let start = text.trim_start();
    let root = root_of(start);
    if root.is_some_and(|root| is_element(root, "<svg")) {
        return "image/svg+xml";
    }
    let lower: String = start.chars().take(20).map(|character| character.to_ascii_lowercase()).collect();
    if HTML.iter().any(|tag| is_element(&lower, tag))
        || root.is_some_and(|root| is_element(&root.to_ascii_lowercase(), "<html"))
    {
        return "text/html";
    }
    if lower.starts_with("<?xml") {
        return "text/xml";
    }
    match name.extension().as_deref() {
        Some("csv") => "text/csv",
        Some("json") => "application/json",
        Some("md" | "markdown") => "text/markdown",
        // What a browser would run if it believed the name.
        Some("htm" | "html" | "xhtml") => "text/html",
        Some("svg") => "image/svg+xml",
        Some("css") => "text/css",
        Some("js" | "mjs") => "text/javascript",
        _ => "text/plain",
    }
}

/// Whether a text begins with a tag: its name ends there.
fn is_element(text: &str, tag: &str) -> bool {
    let Some(rest) = text.strip_prefix(tag) else { return false };
    tag == "<!--"
        || rest.is_empty()
        || rest.starts_with(|next: char| next.is_whitespace() || matches!(next, '>' | '/' | ':'))
}

/// The first element of an XML document, behind declaration, comments and document type.
fn root_of(mut text: &str) -> Option<&str> {
    loop {
        text = text.trim_start();
        let end = if text.starts_with("<?") {
            "?>"
        } else if text.starts_with("<!--") {
            "-->"
        } else if text.starts_with("<!") {
            // An internal subset ends with `]>`.
            let (open, subset) = (text.find('>')?, text.find('['));
            if subset.is_some_and(|subset| subset < open) { "]>" } else { ">" }
        } else {
            return Some(text);
        };
        text = text.split_once(end)?.1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of_named(bytes: &[u8], name: &str) -> &'static str {
        of(bytes, &FileName::of(name))
    }

    #[test]
    fn the_content_tells_the_type_and_not_the_name() {
        for (bytes, expected) in [
            (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], "image/png"),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
            (b"GIF89a\x01\0\x01\0", "image/gif"),
            // A picture to one reader, a script to another: it is served as a picture.
            (b"GIF89a/*\x01*/=1;alert(1)", "image/gif"),
            (b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
            (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "application/pdf"),
            (b"%PDF-1.7 <script>alert(1)</script>", "application/pdf"),
            (b"PK\x03\x04\x14\0\0\0", "application/zip"),
            (&[b"\x7fELF".as_slice(), &[0; 60]].concat(), "application/x-executable"),
            (b"wOF2\0\x01\0\0\0\0\x02\xb4", "font/woff2"),
            (b"\0\x01\x02\x03", UNKNOWN),
            (b"caf\xe9", UNKNOWN),
        ] {
            assert_eq!(of_named(bytes, "photo.jpg"), expected, "{bytes:?}");
        }
    }

    #[test]
    fn text_that_a_browser_would_run_is_known_whatever_stands_before() {
        for (text, expected) in [
            ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "image/svg+xml"),
            (
                "\u{feff}<?xml version=\"1.0\"?>\n<!-- <p> -->\n<!DOCTYPE svg PUBLIC \"a\" \"b\" [<!ENTITY x \"y\">]>\n<svg:svg>",
                "image/svg+xml",
            ),
            ("<?xml version=\"1.0\"?><!-- logo --><svg viewBox=\"0 0 1 1\">", "image/svg+xml"),
            ("  \n<!DOCTYPE HTML><p>x", "text/html"),
            ("<!-- x --><b>", "text/html"),
            ("<ScRiPt>alert(1)</sCrIpT>", "text/html"),
            ("<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\">", "text/html"),
            ("<?xml version=\"1.0\"?><rss>", "text/xml"),
            ("<svgish>", "text/plain"),
            ("just words", "text/plain"),
        ] {
            assert_eq!(of_named(text.as_bytes(), "notes"), expected, "{text}");
        }
    }

    #[test]
    fn a_name_tells_kinds_of_text_apart() {
        for (name, expected) in [
            ("a.md", "text/markdown"),
            ("a.csv", "text/csv"),
            ("a.json", "application/json"),
            ("a.html", "text/html"),
            ("a.svg", "image/svg+xml"),
            ("a.js", "text/javascript"),
            ("a.png", "text/plain"),
        ] {
            assert_eq!(of_named("größe,preis\n".as_bytes(), name), expected, "{name}");
        }
    }

    #[test]
    fn text_is_known_in_other_encodings_and_where_the_head_cuts_a_character() {
        let wide: Vec<u8> = "\u{feff}naïve 😀".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(of_named(&wide, "a"), "text/plain");
        assert_eq!(of_named(&wide[..wide.len() - 2], "a"), "text/plain");
        let long = format!("a{}", "ä".repeat(HEAD));
        assert_eq!(of_named(&long.as_bytes()[..HEAD], "a"), "text/plain");
        assert_eq!(of_named(b"a\xc3", "a"), UNKNOWN);
    }

    #[test]
    fn nothing_that_runs_is_shown() {
        for active in
            ["text/html", "image/svg+xml", "text/xml", "application/xhtml+xml", "text/javascript", UNKNOWN]
        {
            assert!(!is_shown(active), "{active}");
        }
        assert!(is_shown("image/png"));
    }

    proptest! {
        #[test]
        fn any_bytes_have_a_type(bytes in prop::collection::vec(any::<u8>(), 0..200), name in "[a-z.]{0,8}") {
            prop_assert!(of_named(&bytes, &name).contains('/'));
        }
    }
}
