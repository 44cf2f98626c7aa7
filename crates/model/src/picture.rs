//! Pictures among files: what is known of one, and the variants of it that pages show.

use crate::id::FileContentId;

/// Media types of files that are read as pictures; all others are shown as they are.
pub const READ: [&str; 5] = ["image/gif", "image/jpeg", "image/png", "image/svg+xml", "image/webp"];

/// The media type of AVIF.
pub const AVIF: &str = "image/avif";

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// What is known of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Its width in pixels as it is seen; 0 of a drawing that tells none.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// Whether it moves. Its variants are its first frame then.
    pub is_animated: bool,
    /// The colour that most of it has; nothing if one can see through it.
    pub colour: Option<Rgb>,
    /// The picture in very few pixels, as WebP; empty if one can see through it.
    pub placeholder: Vec<u8>,
    /// Its variants, from the narrowest.
    pub variants: Vec<Variant>,
    /// The same ones as AVIF, if they were made: one of each width, and each smaller than the other of its width. A browser chooses the format
    /// before the width, so there is one of every width or none.
    pub avifs: Vec<Variant>,
}

/// A form of a picture that pages show, without metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// Its width in pixels.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// Its bytes.
    pub content_id: FileContentId,
    /// Their media type.
    pub media_type: String,
    /// How many there are.
    pub size: u64,
    /// Their SHA-256.
    pub sha256: [u8; 32],
}

impl Variant {
    /// Whether it is one of a picture's variants as AVIF.
    pub fn is_avif(&self) -> bool {
        self.media_type == AVIF
    }
}

/// A colour as one number, as it is stored.
pub fn number_of(colour: Rgb) -> i64 {
    colour.into_iter().fold(0, |number, part| (number << 8) | i64::from(part))
}

/// The colour of such a number.
pub fn colour_of(number: i64) -> Rgb {
    let [.., red, green, blue] = number.to_be_bytes();
    [red, green, blue]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_one_number() {
        for colour in [[0, 0, 0], [255, 255, 255], [1, 2, 3]] {
            assert_eq!(colour_of(number_of(colour)), colour);
        }
        assert_eq!(number_of([0x12, 0x34, 0x56]), 0x12_34_56);
    }
}
