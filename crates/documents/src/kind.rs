//! Kinds of documents: how a file is read, by what its bytes were found to be. A name only counts where the bytes may be anything.

use serde::{Deserialize, Serialize};

/// How a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// PDF.
    Pdf,
    /// An archive that may hold a DOCX or PPTX document.
    Office,
    /// A file of Office as it was before 2007, which is not read, or a protected one of today.
    OldOffice,
    /// HTML.
    Html,
    /// Markdown.
    Markdown,
    /// Text.
    Plain,
    /// A table as text.
    Csv,
}

/// Every kind with its name.
const NAMES: [(Kind, &str); 7] = [
    (Kind::Pdf, "pdf"),
    (Kind::Office, "office"),
    (Kind::OldOffice, "old-office"),
    (Kind::Html, "html"),
    (Kind::Markdown, "markdown"),
    (Kind::Plain, "plain"),
    (Kind::Csv, "csv"),
];

/// The type of files of which nothing is known.
const UNKNOWN: &str = "application/octet-stream";

impl Kind {
    /// The kind of a file of this media type, with what is behind the last point of its name; nothing if such files are not read.
    pub fn of(media_type: &str, extension: Option<&str>) -> Option<Kind> {
        match media_type {
            "application/pdf" => Some(Kind::Pdf),
            "application/zip"
            | "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
            | "application/vnd.openxmlformats-officedocument.presentationml.presentation" => {
                Some(Kind::Office)
            }
            "application/msword" | "application/vnd.ms-powerpoint" | "application/x-ole-storage" => {
                Some(Kind::OldOffice)
            }
            "text/html" => Some(Kind::Html),
            "text/markdown" => Some(Kind::Markdown),
            "text/csv" => Some(Kind::Csv),
            "text/plain" => Some(Kind::Plain),
            UNKNOWN => Kind::of_name(extension?),
            _ => None,
        }
    }

    /// The kind of a file whose bytes are not UTF-8 and begin like nothing known: text in an older encoding, or a PDF behind something else.
    fn of_name(extension: &str) -> Option<Kind> {
        match extension {
            "csv" => Some(Kind::Csv),
            "htm" | "html" | "xhtml" => Some(Kind::Html),
            "markdown" | "md" => Some(Kind::Markdown),
            "pdf" => Some(Kind::Pdf),
            "text" | "txt" => Some(Kind::Plain),
            _ => None,
        }
    }

    /// The name of the kind.
    pub fn as_str(self) -> &'static str {
        NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// The kind of this name.
    pub fn parse(name: &str) -> Option<Kind> {
        NAMES.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_tell_the_kind_and_a_name_only_where_they_do_not() {
        for (media_type, extension, expected) in [
            ("application/pdf", Some("docx"), Some(Kind::Pdf)),
            ("application/zip", None, Some(Kind::Office)),
            ("text/plain", Some("pdf"), Some(Kind::Plain)),
            (UNKNOWN, Some("csv"), Some(Kind::Csv)),
            (UNKNOWN, Some("docx"), None),
            (UNKNOWN, None, None),
            ("image/png", Some("txt"), None),
            ("image/svg+xml", Some("html"), None),
        ] {
            assert_eq!(Kind::of(media_type, extension), expected, "{media_type} {extension:?}");
        }
    }

    #[test]
    fn every_kind_has_a_name_of_its_own() {
        for (kind, name) in NAMES {
            assert_eq!((kind.as_str(), Kind::parse(name)), (name, Some(kind)));
        }
        assert_eq!(Kind::parse("xlsx"), None);
    }
}
