//! From bytes to pixels: what a picture unpacks to is known and bounded before it is unpacked.

use std::io::Cursor;

use image::codecs::gif::GifDecoder;
use image::codecs::jpeg::JpegDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::error::LimitErrorKind;
use image::metadata::Orientation;
use image::{AnimationDecoder, DynamicImage, ImageDecoder, ImageError, ImageFormat, Limits};

use crate::pixels::Pixels;
use crate::refusal::Refusal;
use crate::{LONGEST_SIDE, MOST_PIXELS, MOST_UNPACKED};

/// A picture that was unpacked, with what of its metadata changes how it is seen.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub pixels: Pixels,
    /// How it is to be turned.
    pub orientation: Orientation,
    /// What its colours are.
    pub profile: Option<Vec<u8>>,
    pub is_animated: bool,
}

/// Unpacks a picture; of one that moves its first frame.
pub(crate) fn decode(bytes: &[u8]) -> Result<Decoded, Refusal> {
    // What its first bytes say, not what its name does.
    match image::guess_format(bytes).map_err(|_| Refusal::Unknown)? {
        ImageFormat::Jpeg => unpack(JpegDecoder::new(Cursor::new(bytes)).map_err(refusal)?, false),
        ImageFormat::Png => {
            let decoder = PngDecoder::with_limits(Cursor::new(bytes), limits()).map_err(refusal)?;
            let is_animated = decoder.is_apng().unwrap_or(false);
            unpack(decoder, is_animated)
        }
        ImageFormat::WebP => {
            let decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(refusal)?;
            let is_animated = decoder.has_animation();
            unpack(decoder, is_animated)
        }
        ImageFormat::Gif => {
            let decoder = GifDecoder::new(Cursor::new(bytes)).map_err(refusal)?;
            let mut decoded = unpack(decoder, false)?;
            decoded.is_animated = has_second_frame(bytes);
            Ok(decoded)
        }
        _ => Err(Refusal::Unknown),
    }
}

fn limits() -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(MOST_UNPACKED);
    limits
}

fn unpack(mut decoder: impl ImageDecoder, is_animated: bool) -> Result<Decoded, Refusal> {
    let (width, height) = decoder.dimensions();
    if width.max(height) > LONGEST_SIDE {
        return Err(Refusal::LongSide);
    }
    if u64::from(width) * u64::from(height) > MOST_PIXELS || decoder.total_bytes() > MOST_UNPACKED {
        return Err(Refusal::ManyPixels);
    }
    if width == 0 || height == 0 {
        return Err(Refusal::Broken);
    }
    decoder.set_limits(limits()).map_err(refusal)?;
    // A picture whose metadata cannot be read is shown as one without any.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let profile = decoder.icc_profile().unwrap_or_default();
    let decoded = DynamicImage::from_decoder(decoder).map_err(refusal)?;
    Ok(Decoded { pixels: Pixels::of(decoded), orientation, profile, is_animated })
}

/// Whether a GIF has more frames than one. A second one that is broken is not shown, and so is none.
fn has_second_frame(bytes: &[u8]) -> bool {
    let Ok(mut decoder) = GifDecoder::new(Cursor::new(bytes)) else { return false };
    decoder.set_limits(limits()).is_ok() && decoder.into_frames().nth(1).is_some_and(|frame| frame.is_ok())
}

fn refusal(error: ImageError) -> Refusal {
    match error {
        ImageError::Limits(limit) => match limit.kind() {
            LimitErrorKind::DimensionError => Refusal::LongSide,
            _ => Refusal::ManyPixels,
        },
        _ => Refusal::Broken,
    }
}
