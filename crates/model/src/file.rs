//! Files: what tenants upload. Their bytes are kept elsewhere; here is what is known of them.

use std::fmt;

use crate::id::{FileContentId, FileId};
use crate::time::Timestamp;

/// The most files of a tenant.
pub const MOST_FILES: u64 = 100_000;

/// The longest name of a file, in characters.
pub const LONGEST_NAME: usize = 255;

/// What a file is called that came without a name.
const UNNAMED: &str = "file";

/// A file of a tenant. It never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its id.
    pub file_id: FileId,
    /// Its bytes, which files with the same bytes share.
    pub content_id: FileContentId,
    /// Its name, for people and downloads.
    pub name: FileName,
    /// Its media type, by its content.
    pub content_type: String,
    /// How many bytes it has.
    pub size: u64,
    /// SHA-256 of its bytes.
    pub sha256: [u8; 32],
    /// When it was uploaded.
    pub created_at: Timestamp,
}

/// The name of a file: one segment of a path, without characters that cannot be seen or that turn a text around.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileName(String);

impl FileName {
    /// What a client calls a file, as a name: the last segment of a path, without what does not belong into a name. Every
    /// text becomes a name, since most clients do not choose what they send.
    pub fn of(text: &str) -> FileName {
        let last = text.rsplit(['/', '\\']).next().unwrap_or_default();
        let seen: String = last.chars().filter(|character| !is_hidden(*character)).collect();
        // A name of points alone is a folder's.
        let is_end = |char: char| char == '.' || char.is_whitespace();
        let name = seen.trim_start().trim_end_matches(is_end);
        let name: String = name.chars().take(LONGEST_NAME).collect();
        let name = name.trim_end_matches(is_end);
        FileName(if name.is_empty() { UNNAMED } else { name }.to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is behind its last point, in lower case.
    pub fn extension(&self) -> Option<String> {
        self.0.rsplit_once('.').map(|(_, extension)| extension.to_lowercase())
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a character is not seen: control characters, and marks that set the direction of a text, by which `gpj.exe` can look
/// like `exe.jpg`.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_is_one_segment_that_shows_what_it_is() {
        for (text, expected) in [
            ("report.pdf", "report.pdf"),
            ("Größe & Ærø.png", "Größe & Ærø.png"),
            ("報告書.docx", "報告書.docx"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\me\\logo.svg", "logo.svg"),
            ("photo\u{202e}gpj.exe", "photogpj.exe"),
            ("a\0b\r\nc\u{7f}.txt", "abc.txt"),
            ("  spaced.txt  ", "spaced.txt"),
            ("trailing...", "trailing"),
            ("..", "file"),
            ("folder/", "file"),
            ("", "file"),
            ("\u{200b}", "file"),
            (".gitignore", ".gitignore"),
            (".. .", "file"),
            ("..\\.. . .", "file"),
            ("a. . .", "a"),
        ] {
            assert_eq!(FileName::of(text).as_str(), expected, "{text:?}");
        }
        assert_eq!(FileName::of(&"ä".repeat(1_000)).as_str().chars().count(), LONGEST_NAME);
    }

    #[test]
    fn an_extension_is_what_stands_behind_the_last_point() {
        assert_eq!(FileName::of("a.tar.GZ").extension().as_deref(), Some("gz"));
        assert_eq!(FileName::of("none").extension(), None);
    }

    proptest! {
        #[test]
        fn every_text_becomes_a_name_that_stays_as_it_is(text in prop_oneof![any::<String>(), "[. a/]{0,8}", "a{250}[. ]{8}a"]) {
            let name = FileName::of(&text);
            prop_assert!((1..=LONGEST_NAME).contains(&name.as_str().chars().count()));
            prop_assert!(!name.as_str().contains(['/', '\\', '\0']) && name.as_str() != "." && name.as_str() != "..");
            prop_assert_eq!(FileName::of(name.as_str()), name);
        }
    }
}
