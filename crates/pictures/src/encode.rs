//! Pixels as WebP, JPEG and AVIF. Only pixels are written: there is no metadata that could stay.

use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use ravif::{BitDepth, Img, RGB8, RGBA8};
use webp::{Encoder, PixelLayout, WebPConfig};

use crate::Format;
use crate::pixels::Pixels;
use crate::refusal::Refusal;

/// How good the pictures are, of 100.
const WEBP_QUALITY: f32 = 76.0;
const JPEG_QUALITY: u8 = 76;
/// With it, photographs look as much like their originals (PSNR, SSIM) as with the quality of WebP.
const AVIF_QUALITY: f32 = 66.0;
/// How good a placeholder is.
const PLACEHOLDER_QUALITY: f32 = 40.0;
/// How hard the encoder tries, of 6. `cargo x bench --only pictures` tells what it costs.
const EFFORT: i32 = 2;
/// How fast the encoder of AVIF is, of 10. All widths of a photograph of 12 megapixels take it six to ten seconds of a core, which is within
/// the time that the process has; with 8 they take three times as long and are an eighth smaller.
const AVIF_SPEED: u8 = 10;

/// A variant's bytes: WebP, or JPEG where that is smaller and nothing is to be seen through.
pub(crate) fn smallest(pixels: &Pixels) -> Result<(Format, Vec<u8>), Refusal> {
    let webp = webp(pixels, WEBP_QUALITY, EFFORT)?;
    if !pixels.has_alpha {
        let jpeg = jpeg(pixels)?;
        if jpeg.len() < webp.len() {
            return Ok((Format::Jpeg, jpeg));
        }
    }
    Ok((Format::WebP, webp))
}

/// A variant's bytes as AVIF.
pub(crate) fn avif(pixels: &Pixels) -> Result<(Format, Vec<u8>), Refusal> {
    let encoder = ravif::Encoder::new()
        .with_quality(AVIF_QUALITY)
        .with_alpha_quality(AVIF_QUALITY)
        .with_speed(AVIF_SPEED)
        .with_bit_depth(BitDepth::Eight);
    let size = |length: u32| usize::try_from(length).map_err(|_| Refusal::ManyPixels);
    let (width, height) = (size(pixels.width)?, size(pixels.height)?);
    let each = pixels.bytes.chunks_exact(pixels.depth());
    let encoded = if pixels.has_alpha {
        let seen: Vec<RGBA8> = each.map(|of| RGBA8::new(of[0], of[1], of[2], of[3])).collect();
        encoder.encode_rgba(Img::new(&seen, width, height))
    } else {
        let seen: Vec<RGB8> = each.map(|of| RGB8::new(of[0], of[1], of[2])).collect();
        encoder.encode_rgb(Img::new(&seen, width, height))
    };
    Ok((Format::Avif, encoded.map_err(|_| Refusal::Broken)?.avif_file))
}

/// A placeholder's bytes.
pub(crate) fn placeholder(pixels: &Pixels) -> Result<Vec<u8>, Refusal> {
    webp(pixels, PLACEHOLDER_QUALITY, 6)
}

fn webp(pixels: &Pixels, quality: f32, effort: i32) -> Result<Vec<u8>, Refusal> {
    let layout = if pixels.has_alpha { PixelLayout::Rgba } else { PixelLayout::Rgb };
    let mut config = WebPConfig::new().map_err(|()| Refusal::Broken)?;
    config.quality = quality;
    config.method = effort;
    let encoder = Encoder::new(&pixels.bytes, layout, pixels.width, pixels.height);
    let encoded = encoder.encode_advanced(&config).map_err(|_| Refusal::Broken)?;
    Ok(encoded.to_vec())
}

fn jpeg(pixels: &Pixels) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY);
    let encoded = encoder.encode(&pixels.bytes, pixels.width, pixels.height, ExtendedColorType::Rgb8);
    encoded.map_err(|_| Refusal::Broken)?;
    Ok(bytes)
}
