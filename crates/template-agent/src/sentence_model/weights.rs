//! The weights of the features, as `cargo run --example weights` trained them.

use super::features::{self, Segment, WEIGHTS};

/// The languages of the corpus.
pub const LANGUAGES: [&str; 28] = [
    "ar", "bg", "cs", "da", "de", "el", "en", "es", "fi", "fr", "he", "hr", "hu", "id", "it", "ja", "ko",
    "nb", "nl", "pl", "pt", "ro", "ru", "sv", "tr", "uk", "vi", "zh",
];

/// A factor for all weights, and the weights.
static FILE: &[u8; 4 + WEIGHTS] = include_bytes!("weights.bin");

/// How much what a segment shows speaks for telling it to visitors; less than nothing if it speaks against it.
pub fn score(segment: &Segment<'_>) -> f32 {
    let [a, b, c, d, weights @ ..] = FILE;
    let factor = f32::from_le_bytes([*a, *b, *c, *d]);
    let (mut sum, mut count) = (0, 0);
    features::each(segment, |number| {
        sum += i32::from(weights.get(number as usize).map_or(0, |weight| weight.cast_signed()));
        count += 1;
    });
    factor * sum as f32 / (count as f32).sqrt()
}
