//! How high the lines of a font are, and how wide its letters.

use ttf_parser::Face;

use crate::WEIGHT;

/// The weight that is measured for texts.
pub(crate) const TEXT: u16 = 400;
/// The weight that is measured for headings.
pub(crate) const HEADING: u16 = 700;
/// What measures are parts of.
const WHOLE: i64 = 10_000;
/// The largest measure; no font that people read comes near it.
pub(crate) const LARGEST: u16 = 50_000;

/// How often letters and the space between words occur among a thousand characters of a text in English. Other languages differ, but their
/// averages do so by less than fonts among each other.
const FREQUENCIES: [(char, i64); 27] = [
    (' ', 180),
    ('e', 102),
    ('t', 75),
    ('a', 65),
    ('o', 62),
    ('i', 57),
    ('n', 57),
    ('s', 53),
    ('r', 50),
    ('h', 50),
    ('l', 33),
    ('d', 33),
    ('u', 23),
    ('c', 23),
    ('m', 20),
    ('f', 18),
    ('w', 17),
    ('g', 16),
    ('p', 15),
    ('y', 14),
    ('b', 13),
    ('v', 8),
    ('k', 6),
    ('x', 1),
    ('j', 1),
    ('q', 1),
    ('z', 1),
];

/// How far lines reach above their base and below, and what lies between them: what browsers take, which prefer what the font says they
/// should.
pub(crate) fn lines(face: &Face<'_>) -> [u16; 3] {
    let part = |units: i64| of_size(face, units);
    [face.ascender().into(), -i64::from(face.descender()), face.line_gap().into()].map(part)
}

/// How wide a character of a text is on average in a weight, as near as the font comes to it; 0 if most letters are missing.
pub(crate) fn width(face: &mut Face<'_>, weight: u16) -> u16 {
    // A font that is not variable has one weight.
    let _ = face.set_variation(WEIGHT, f32::from(weight));
    let (mut sum, mut counted, mut all) = (0_i64, 0_i64, 0_i64);
    for (letter, frequency) in FREQUENCIES {
        all += frequency;
        let advance = face.glyph_index(letter).and_then(|glyph| face.glyph_hor_advance(glyph));
        if let Some(advance) = advance {
            sum += i64::from(advance) * frequency;
            counted += frequency;
        }
    }
    if counted * 2 < all { 0 } else { of_size(face, sum / counted) }
}

/// So many units of a font as a part of its size.
fn of_size(face: &Face<'_>, units: i64) -> u16 {
    let size = i64::from(face.units_per_em()).max(1);
    u16::try_from((units * WHOLE / size).clamp(0, i64::from(LARGEST))).unwrap_or(LARGEST)
}
