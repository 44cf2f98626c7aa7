//! The variants of a picture: its widths, made from wide to narrow, each from the one before.

use image::metadata::Orientation;

use crate::decode::Decoded;
use crate::encode::placeholder;
use crate::pixels::Pixels;
use crate::refusal::Refusal;
use crate::{Format, Picture, Variant, colour};

/// The widths of variants. A picture has those that are less than its own, and its own or the last.
pub const WIDTHS: [u32; 6] = [320, 640, 960, 1_280, 1_920, 2_560];

/// The widest variant.
const WIDEST: u32 = WIDTHS[WIDTHS.len() - 1];
/// The longest side of a placeholder, and of what colours are counted in.
const PLACEHOLDER: u32 = 16;
const COUNTED: u32 = 64;

/// Makes bytes of pixels.
type Encode = fn(&Pixels) -> Result<(Format, Vec<u8>), Refusal>;

/// The picture of what was unpacked, with variants whose bytes `encode` makes.
pub(crate) fn of(decoded: Decoded, encode: Encode) -> Result<Picture, Refusal> {
    let Decoded { pixels, orientation, profile, is_animated } = decoded;
    let is_on_its_side = matches!(
        orientation,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    );
    let turn = |(width, height)| if is_on_its_side { (height, width) } else { (width, height) };
    let (width, height) = turn((pixels.width, pixels.height));
    let widest = width.min(WIDEST);
    // Made smaller first, so that turning and converting it takes less.
    let (across, down) = turn((widest, height_of((width, height), widest)));
    let smaller = if width > widest { pixels.resized(across, down)? } else { pixels };
    let mut turned = smaller.turned(orientation)?;
    if let Some(profile) = profile {
        colour::convert(&mut turned, &profile);
    }
    let mut variants = vec![encoded(&turned, encode)?];
    for narrower in WIDTHS.into_iter().rev().filter(|narrower| *narrower < widest) {
        turned = turned.resized(narrower, height_of((width, height), narrower))?;
        variants.push(encoded(&turned, encode)?);
    }
    variants.reverse();
    let (colour, placeholder) = if turned.has_alpha {
        (None, Vec::new())
    } else {
        let counted = within(turned, COUNTED)?;
        (Some(colour::dominant(&counted)), placeholder(&within(counted, PLACEHOLDER)?)?)
    };
    Ok(Picture { width, height, is_animated, colour, placeholder, variants })
}

/// The height that a picture of this size has in that width.
fn height_of((width, height): (u32, u32), narrower: u32) -> u32 {
    let (width, height, narrower) = (u64::from(width), u64::from(height), u64::from(narrower));
    u32::try_from((height * narrower + width / 2) / width.max(1)).unwrap_or(u32::MAX).max(1)
}

/// The picture in at most so many pixels a side.
fn within(pixels: Pixels, longest: u32) -> Result<Pixels, Refusal> {
    let side = pixels.width.max(pixels.height);
    if side <= longest {
        return Ok(pixels);
    }
    let scaled = |part: u32| (part * longest / side).max(1);
    let (width, height) = (scaled(pixels.width), scaled(pixels.height));
    pixels.resized(width, height)
}

fn encoded(pixels: &Pixels, encode: Encode) -> Result<Variant, Refusal> {
    let (format, bytes) = encode(pixels)?;
    Ok(Variant { width: pixels.width, height: pixels.height, format, bytes })
}
