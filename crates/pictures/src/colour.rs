//! Colours: those of other spaces as sRGB, and the one that most of a picture has.

use moxcms::{ColorProfile, Layout, TransformOptions};

use crate::pixels::Pixels;

/// How many bits of red, green and blue tell colours apart when they are counted.
const BITS: u32 = 4;
/// How many colours are told apart.
const KINDS: usize = 1 << (3 * BITS);

/// Converts pixels from the colours of an ICC profile to sRGB. With a profile that is broken, or of something else than red, green
/// and blue, they stay as they are: that is how a browser shows them.
pub(crate) fn convert(pixels: &mut Pixels, profile: &[u8]) {
    let layout = if pixels.has_alpha { Layout::Rgba } else { Layout::Rgb };
    let Ok(profile) = ColorProfile::new_from_slice(profile) else { return };
    let srgb = ColorProfile::new_srgb();
    let Ok(transform) = profile.create_transform_8bit(layout, &srgb, layout, TransformOptions::default())
    else {
        return;
    };
    let mut converted = vec![0; pixels.bytes.len()];
    if transform.transform(&pixels.bytes, &mut converted).is_ok() {
        pixels.bytes = converted;
    }
}

/// The colour that most of a picture has: the mean of the most frequent kind.
pub(crate) fn dominant(pixels: &Pixels) -> [u8; 3] {
    let kind = |pixel: &[u8]| {
        pixel.iter().take(3).fold(0, |kind, part| (kind << BITS) | usize::from(part >> (8 - BITS)))
    };
    let mut counts = vec![0_u32; KINDS];
    for pixel in pixels.bytes.chunks_exact(pixels.depth()) {
        counts[kind(pixel)] += 1;
    }
    // Of equally frequent ones the last, whatever is counted first.
    let most = counts.iter().enumerate().max_by_key(|(_, count)| **count).map_or(0, |(at, _)| at);
    let (mut sums, mut count) = ([0_u64; 3], 0);
    for pixel in pixels.bytes.chunks_exact(pixels.depth()).filter(|pixel| kind(pixel) == most) {
        for (sum, part) in sums.iter_mut().zip(pixel) {
            *sum += u64::from(*part);
        }
        count += 1;
    }
    sums.map(|sum| u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX))
}
