//! Pixels in memory: eight bits of red, green and blue, and of how much one sees through where that differs.

use fast_image_resize::images::Image;
use fast_image_resize::{FilterType, MulDiv, PixelType, ResizeAlg, ResizeOptions, Resizer};
use image::metadata::Orientation;
use image::{DynamicImage, RgbImage, RgbaImage};

use crate::refusal::Refusal;

/// Pixels, row by row.
#[derive(Debug, Clone)]
pub(crate) struct Pixels {
    pub width: u32,
    pub height: u32,
    /// Whether there is a fourth byte, of how much one sees through.
    pub has_alpha: bool,
    pub bytes: Vec<u8>,
}

impl Pixels {
    /// The pixels of a decoded picture. One whose pixels all hide what is behind them keeps three bytes of each.
    pub fn of(decoded: DynamicImage) -> Pixels {
        let (width, height) = (decoded.width(), decoded.height());
        if !decoded.color().has_alpha() {
            return Pixels { width, height, has_alpha: false, bytes: decoded.into_rgb8().into_raw() };
        }
        let mut bytes = decoded.into_rgba8().into_raw();
        let has_alpha = bytes.chunks_exact(4).any(|pixel| pixel[3] < u8::MAX);
        if !has_alpha {
            let mut kept = 0;
            for at in (0..bytes.len()).step_by(4) {
                bytes.copy_within(at..at + 3, kept);
                kept += 3;
            }
            bytes.truncate(kept);
            bytes.shrink_to_fit();
        }
        Pixels { width, height, has_alpha, bytes }
    }

    fn pixel_type(&self) -> PixelType {
        if self.has_alpha { PixelType::U8x4 } else { PixelType::U8x3 }
    }

    /// How many bytes a pixel has.
    pub fn depth(&self) -> usize {
        if self.has_alpha { 4 } else { 3 }
    }

    /// The same picture in another size. It takes no more memory than both: what one sees through is weighed in place.
    pub fn resized(mut self, width: u32, height: u32) -> Result<Pixels, Refusal> {
        let (pixel_type, weighing) = (self.pixel_type(), MulDiv::new());
        let mut to = Image::new(width, height, pixel_type);
        let mut of = Image::from_slice_u8(self.width, self.height, &mut self.bytes, pixel_type)
            .map_err(|_| Refusal::Broken)?;
        if self.has_alpha {
            weighing.multiply_alpha_inplace(&mut of).map_err(|_| Refusal::Broken)?;
        }
        let how =
            ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3)).use_alpha(false);
        Resizer::new().resize(&of, &mut to, &how).map_err(|_| Refusal::Broken)?;
        if self.has_alpha {
            weighing.divide_alpha_inplace(&mut to).map_err(|_| Refusal::Broken)?;
        }
        Ok(Pixels { width, height, has_alpha: self.has_alpha, bytes: to.into_vec() })
    }

    /// The same picture turned as it is to be seen.
    pub fn turned(self, orientation: Orientation) -> Result<Pixels, Refusal> {
        if orientation == Orientation::NoTransforms {
            return Ok(self);
        }
        let Pixels { width, height, has_alpha, bytes } = self;
        let mut image = if has_alpha {
            RgbaImage::from_raw(width, height, bytes).map(DynamicImage::ImageRgba8)
        } else {
            RgbImage::from_raw(width, height, bytes).map(DynamicImage::ImageRgb8)
        }
        .ok_or(Refusal::Broken)?;
        image.apply_orientation(orientation);
        Ok(Pixels { width: image.width(), height: image.height(), has_alpha, bytes: image.into_bytes() })
    }
}
