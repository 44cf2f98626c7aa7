//! What the variants of a photograph of 12 megapixels cost: `cargo run --release -p pagesmith-pictures --example measure`.

use std::io::Write;
use std::time::Instant;

use pagesmith_pictures::{Kind, read};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let photograph = sample(4_000, 3_000)?;
    let begun = Instant::now();
    let picture = read(Kind::Raster, &photograph).map_err(|refusal| refusal.reason())?;
    let took = begun.elapsed();
    let mut out = std::io::stdout().lock();
    writeln!(out, "original: {} bytes; all variants in {took:.2?}", photograph.len())?;
    for variant in picture.variants {
        writeln!(out, "{} × {}: {:?}, {} bytes", variant.width, variant.height, variant.format, variant.bytes.len())?;
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    writeln!(out, "{peak} (the original and the sample's pixels count as well)")?;
    Ok(())
}

/// A picture with surfaces, edges and grain, as photographs have.
fn sample(width: u32, height: u32) -> Result<Vec<u8>, image::ImageError> {
    let mut state = 1_u32;
    let pixels = image::RgbImage::from_fn(width, height, |x, y| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let grain = (state >> 27) as f32 - 16.0;
        let (x, y) = (x as f32 / 97.0, y as f32 / 131.0);
        let hill = if (x * 0.7).sin() * 4.0 + 12.0 > y { 60.0 } else { 0.0 };
        let leaf = ((x * 9.0).sin() * (y * 11.0).cos()).max(0.0) * 40.0;
        let part = |base: f32| (base + hill + leaf + grain * 0.5).clamp(0.0, 255.0) as u8;
        image::Rgb([part(70.0 + y * 3.0), part(90.0 + x), part(120.0 - y * 2.0)])
    });
    let mut bytes = Vec::new();
    let mut encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 88);
    encoder.encode_image(&pixels)?;
    Ok(bytes)
}
