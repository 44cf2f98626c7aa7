//! Drawings (SVG), freed of what runs or fetches anything.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use svg_hush::{Filter, data_url_filter};

use crate::refusal::Refusal;
use crate::{Format, Picture, Variant};

/// The longest side that a drawing may say it has.
const LONGEST: f64 = 20_000.0;

/// The picture of a drawing. Its one variant is what is left of it.
pub(crate) fn read(bytes: &[u8]) -> Result<Picture, Refusal> {
    let mut filter = Filter::new();
    // Pictures inside of it are fetched from nowhere.
    filter.set_data_url_filter(data_url_filter::allow_standard_images);
    let mut left = Vec::new();
    filter.filter(bytes, &mut left).map_err(|_| Refusal::Broken)?;
    let (width, height) = size(&left)?.unwrap_or((0, 0));
    let variant = Variant { width, height, format: Format::Svg, bytes: left };
    Ok(Picture {
        width,
        height,
        is_animated: false,
        colour: None,
        placeholder: Vec::new(),
        variants: vec![variant],
    })
}

/// The size that a drawing says it has: in pixels, else that of what is seen of it.
fn size(bytes: &[u8]) -> Result<Option<(u32, u32)>, Refusal> {
    let mut reader = Reader::from_reader(bytes);
    loop {
        match reader.read_event().map_err(|_| Refusal::Broken)? {
            Event::Start(root) | Event::Empty(root) if root.local_name().as_ref() == b"svg" => {
                return Ok(size_of(&root));
            }
            Event::Start(_) | Event::Empty(_) | Event::Eof => return Err(Refusal::Unknown),
            _ => {}
        }
    }
}

fn size_of(root: &BytesStart<'_>) -> Option<(u32, u32)> {
    let text = |name: &str| {
        let attribute = root.try_get_attribute(name).ok().flatten()?;
        String::from_utf8(attribute.value.into_owned()).ok()
    };
    let given = |name: &str| pixels(text(name)?.trim().trim_end_matches("px"));
    if let (Some(width), Some(height)) = (given("width"), given("height")) {
        return Some((width, height));
    }
    let seen = text("viewBox")?;
    let mut parts = seen.split([' ', ',']).filter(|part| !part.is_empty()).skip(2);
    Some((pixels(parts.next()?)?, pixels(parts.next()?)?))
}

/// A length in whole pixels; nothing if it is none, or none that a picture has.
fn pixels(text: &str) -> Option<u32> {
    let length: f64 = text.parse().ok()?;
    (0.5..=LONGEST).contains(&length).then(|| length.round() as u32)
}
