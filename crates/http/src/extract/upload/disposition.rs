//! The name of a file in `Content-Disposition` (RFC 6266).

use percent_encoding::percent_decode_str;

/// The name: `filename*` in UTF-8 if it is there, else `filename`.
pub(super) fn file_name(header: &str) -> Option<String> {
    let mut plain = None;
    for (name, value) in parameters(header) {
        match name.as_str() {
            "filename*" => {
                let (charset, rest) = value.split_once('\'')?;
                let (_, encoded) = rest.split_once('\'')?;
                if charset.eq_ignore_ascii_case("utf-8") {
                    return percent_decode_str(encoded).decode_utf8().ok().map(std::borrow::Cow::into_owned);
                }
            }
            "filename" => plain = Some(value),
            _ => {}
        }
    }
    plain
}

/// The parameters behind the type, names in lower case.
fn parameters(header: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = header.split_once(';').map_or("", |(_, rest)| rest);
    while let Some((name, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let (value, left) = match after.strip_prefix('"') {
            Some(quoted) => quoted_text(quoted),
            None => after
                .split_once(';')
                .map_or_else(|| (after.to_owned(), ""), |(value, left)| (value.to_owned(), left)),
        };
        found.push((name.trim_matches([';', ' ', '\t']).to_ascii_lowercase(), value.trim().to_owned()));
        rest = left;
    }
    found
}

/// A quoted text, and what follows it.
fn quoted_text(quoted: &str) -> (String, &str) {
    let (mut text, mut characters) = (String::new(), quoted.char_indices());
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (text, &quoted[at + 1..]),
            '\\' => text.extend(characters.next().map(|(_, escaped)| escaped)),
            other => text.push(other),
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_name_is_found_in_every_form() {
        for (header, expected) in [
            ("attachment; filename=\"a b.pdf\"", Some("a b.pdf")),
            ("attachment; filename=plain.txt; x=y", Some("plain.txt")),
            ("attachment; FileName=\"q\\\"uote.txt\"", Some("q\"uote.txt")),
            (
                "attachment; filename=\"fallback.txt\"; filename*=UTF-8''gr%C3%B6%C3%9Fe.txt",
                Some("größe.txt"),
            ),
            ("attachment; filename*=utf-8'de'%E2%82%AC.txt; filename=\"e.txt\"", Some("€.txt")),
            ("attachment; filename*=iso-8859-1''x; filename=\"e.txt\"", Some("e.txt")),
            ("attachment; filename=\"open", Some("open")),
            ("attachment", None),
            ("attachment; filename", None),
            ("attachment; filename*=broken", None),
            ("", None),
        ] {
            assert_eq!(file_name(header).as_deref(), expected, "{header}");
        }
    }

    proptest! {
        #[test]
        fn any_header_ends(header in any::<String>()) {
            drop(file_name(&header));
        }
    }
}
