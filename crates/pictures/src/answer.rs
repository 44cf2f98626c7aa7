//! What a process that reads a picture answers: a line of JSON, then the bytes of the variants one after the other.

use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;
use crate::{Format, LONGEST_SIDE, MOST_VARIANTS, Picture, Variant};

/// The most bytes of an answer.
pub const LONGEST: usize = MOST_VARIANTS + LONGEST_HEAD;
/// The most bytes of its first line.
const LONGEST_HEAD: usize = 64 * 1024;
/// The most bytes of a placeholder.
const LONGEST_PLACEHOLDER: usize = 4 * 1024;
/// The longest side of a drawing, which may say more of itself than others.
const LONGEST_DRAWING: u32 = 20_000;

/// What a process that reads a picture answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The picture.
    Read(Picture),
    /// Why there is none.
    Refused(Refusal),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Head {
    Read(PictureHead),
    Refused(Refusal),
}

#[derive(Serialize, Deserialize)]
struct PictureHead {
    width: u32,
    height: u32,
    is_animated: bool,
    colour: Option<[u8; 3]>,
    placeholder: Vec<u8>,
    variants: Vec<VariantHead>,
}

#[derive(Serialize, Deserialize)]
struct VariantHead {
    width: u32,
    height: u32,
    format: Format,
    length: usize,
}

impl Answer {
    /// The most bytes of an answer.
    pub const LONGEST: usize = LONGEST;

    /// Its bytes.
    pub fn encode(&self) -> Result<Vec<u8>, serde_json::Error> {
        let head = match self {
            Answer::Refused(refusal) => Head::Refused(*refusal),
            Answer::Read(picture) => Head::Read(PictureHead {
                width: picture.width,
                height: picture.height,
                is_animated: picture.is_animated,
                colour: picture.colour,
                placeholder: picture.placeholder.clone(),
                variants: picture.variants.iter().map(VariantHead::of).collect(),
            }),
        };
        let mut bytes = serde_json::to_vec(&head)?;
        bytes.push(b'\n');
        if let Answer::Read(picture) = self {
            picture.variants.iter().for_each(|variant| bytes.extend_from_slice(&variant.bytes));
        }
        Ok(bytes)
    }

    /// What bytes say; nothing if they are no answer, or one that no picture has. The process has read what a stranger made: what it
    /// says is bounded here once more.
    pub fn decode(bytes: &[u8]) -> Option<Answer> {
        let end = bytes.iter().take(LONGEST_HEAD).position(|byte| *byte == b'\n')?;
        let (head, mut rest) = (&bytes[..end], &bytes[end + 1..]);
        let head = match serde_json::from_slice(head).ok()? {
            Head::Refused(refusal) => return Some(Answer::Refused(refusal)),
            Head::Read(head) => head,
        };
        let mut variants: Vec<Variant> = Vec::new();
        for VariantHead { width, height, format, length } in head.variants {
            let longest = if format == Format::Svg { LONGEST_DRAWING } else { LONGEST_SIDE };
            let is_wider = variants.last().is_none_or(|last| last.width < width);
            if width.max(height) > longest || length > rest.len() || length == 0 || !is_wider {
                return None;
            }
            let (own, others) = rest.split_at(length);
            rest = others;
            variants.push(Variant { width, height, format, bytes: own.to_vec() });
        }
        let is_bounded = head.width.max(head.height) <= LONGEST_DRAWING
            && head.placeholder.len() <= LONGEST_PLACEHOLDER
            && bytes.len() <= LONGEST;
        if !rest.is_empty() || variants.is_empty() || !is_bounded {
            return None;
        }
        Some(Answer::Read(Picture {
            width: head.width,
            height: head.height,
            is_animated: head.is_animated,
            colour: head.colour,
            placeholder: head.placeholder,
            variants,
        }))
    }
}

impl VariantHead {
    fn of(variant: &Variant) -> VariantHead {
        let Variant { width, height, format, bytes } = variant;
        VariantHead { width: *width, height: *height, format: *format, length: bytes.len() }
    }
}
