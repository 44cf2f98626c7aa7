//! What files of fonts say of themselves: from the bytes of a WOFF2 file to what pages need that are set in it.
//!
//! Nothing here opens a file, calls anybody or asks for the time. Fonts are other people's. [`read`] looks at what a font says of its size
//! before it is unpacked, but decoders may panic, take more memory than they say or be slow over a hostile file: it is called in a
//! process that has limits, `pagesmith read-font`, whose answer is an [`Answer`].
//!
//! Invariant: a name is letters, digits, spaces and hyphens, and every measure is one that [`Answer::decode`] takes.

mod answer;
mod measure;
mod refusal;

use pagesmith_model::brand::font::{FontFacts, FontStyle, LARGEST_FONT};
use ttf_parser::{Face, Tag, name_id};

pub use answer::Answer;
pub use refusal::Refusal;

/// What every file in WOFF2 begins with.
const SIGNATURE: &[u8; 4] = b"wOF2";
/// What is behind it in a file with several fonts.
const COLLECTION: &[u8; 4] = b"ttcf";
/// Where a file says how many bytes it unpacks to.
const UNPACKED_AT: usize = 16;
/// How many bytes a font may unpack to.
const MOST_UNPACKED: u32 = 16 * 1024 * 1024;
/// The longest name of a family, in characters.
const LONGEST_NAME: usize = 100;
/// What a font is called whose name nobody can read.
const NAMELESS: &str = "Font";
/// The axis of weights in a variable font.
const WEIGHT: Tag = Tag::from_bytes(b"wght");

/// Reads a font.
pub fn read(bytes: &[u8]) -> Result<FontFacts, Refusal> {
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > LARGEST_FONT {
        return Err(Refusal::ManyBytes);
    }
    if bytes.get(..4) != Some(SIGNATURE) {
        return Err(Refusal::Unknown);
    }
    if bytes.get(4..8) == Some(COLLECTION) {
        return Err(Refusal::Several);
    }
    let unpacked = bytes.get(UNPACKED_AT..).and_then(|rest| rest.first_chunk::<4>());
    if u32::from_be_bytes(*unpacked.ok_or(Refusal::Broken)?) > MOST_UNPACKED {
        return Err(Refusal::ManyBytes);
    }
    let font = wuff::decompress_woff2(bytes).map_err(|_| Refusal::Broken)?;
    let mut face = Face::parse(&font, 0).map_err(|_| Refusal::Broken)?;
    if face.number_of_glyphs() == 0 {
        return Err(Refusal::Broken);
    }
    let (min_weight, max_weight) = weights(&face);
    let [ascent, descent, line_gap] = measure::lines(&face);
    let is_italic = face.is_italic() || face.is_oblique();
    Ok(FontFacts {
        family: family(&face),
        min_weight,
        max_weight,
        style: if is_italic { FontStyle::Italic } else { FontStyle::Normal },
        is_serif: is_serif(&face),
        ascent,
        descent,
        line_gap,
        width: measure::width(&mut face, measure::TEXT),
        bold_width: measure::width(&mut face, measure::HEADING),
    })
}

/// The weights that a font has.
fn weights(face: &Face<'_>) -> (u16, u16) {
    // A weight is from 1 to 1000, whatever a font says.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped before")]
    let weight = |value: f32| if value.is_finite() { value.clamp(1.0, 1000.0) as u16 } else { 400 };
    match face.variation_axes().into_iter().find(|axis| axis.tag == WEIGHT) {
        Some(axis) => (weight(axis.min_value), weight(axis.max_value.max(axis.min_value))),
        None => {
            let only = face.weight().to_number().clamp(1, 1000);
            (only, only)
        }
    }
}

/// The name of the family, of which only what a name needs is left.
fn family(face: &Face<'_>) -> String {
    let of = |id: u16| {
        let names = face.names().into_iter().filter(|name| name.name_id == id && name.is_unicode());
        names.filter_map(|name| name.to_string()).map(|name| clean(&name)).find(|name| !name.is_empty())
    };
    let name = of(name_id::TYPOGRAPHIC_FAMILY).or_else(|| of(name_id::FAMILY));
    let name = name.unwrap_or_else(|| NAMELESS.to_owned());
    // A variable font may be called like the one of its weights that it begins with.
    let first = of(name_id::POST_SCRIPT_NAME);
    let first = first.as_deref().filter(|_| face.is_variable()).and_then(|name| name.rsplit_once('-'));
    let bare = first.and_then(|(_, weight)| name.strip_suffix(weight)?.strip_suffix(' '));
    bare.filter(|bare| !bare.is_empty()).unwrap_or(&name).to_owned()
}

/// Whether a character may be in the name of a family.
fn is_of_names(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, ' ' | '-')
}

fn clean(name: &str) -> String {
    let kept = name.chars().map(|character| if is_of_names(character) { character } else { ' ' });
    let kept: String = kept.collect();
    let words: Vec<&str> = kept.split_whitespace().collect();
    words.join(" ").chars().take(LONGEST_NAME).collect::<String>().trim_end().to_owned()
}

/// Whether letters have serifs: as the font's PANOSE classification says, else its family class. Neither has to be there.
fn is_serif(face: &Face<'_>) -> bool {
    let Some(table) = face.raw_face().table(Tag::from_bytes(b"OS/2")) else { return false };
    match (table.get(32), table.get(33), table.get(30)) {
        // Latin text, and the style of its serifs.
        (Some(2), Some(2..=10), _) => true,
        (Some(2), Some(11..=15), _) => false,
        (_, _, Some(class)) => matches!(class, 1..=5 | 7),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
