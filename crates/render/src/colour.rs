//! Colours as a brand names them, and whether a text can be read on one.
//!
//! Contrast is the ratio of relative luminances that WCAG defines: 1 for the same colour, 21 for black on white. What a brand
//! chose is kept where it can be read, and moved towards black or white until it can where it cannot.
//! Invariant: a colour is written as `#` and six hexadecimal digits, whatever text it was read from.

use std::fmt;
use std::sync::LazyLock;

/// An opaque sRGB colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour {
    red: u8,
    green: u8,
    blue: u8,
}

impl Colour {
    /// `#000000`.
    pub const BLACK: Colour = Colour::rgb(0, 0, 0);
    /// `#ffffff`.
    pub const WHITE: Colour = Colour::rgb(255, 255, 255);

    /// The colour of these parts.
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Colour {
        Colour { red, green, blue }
    }

    /// The colour of a text such as `#1a2b3c` or `#abc`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Colour> {
        let digits = text.trim().strip_prefix('#')?;
        let digit = |at: usize| -> Option<u8> {
            char::from(*digits.as_bytes().get(at)?).to_digit(16).and_then(|value| u8::try_from(value).ok())
        };
        let part = |at: usize| match digits.len() {
            3 => Some(digit(at)? * 17),
            6 => Some(digit(at * 2)? * 16 + digit(at * 2 + 1)?),
            _ => None,
        };
        Some(Colour { red: part(0)?, green: part(1)?, blue: part(2)? })
    }

    /// This colour with `share` (0 to 1) of `other` in it.
    pub fn mix(self, other: Colour, share: f64) -> Colour {
        let part = |from: u8, to: u8| -> u8 {
            let value = f64::from(from) * (1.0 - share) + f64::from(to) * share;
            // Between two bytes there is only a byte.
            value.round() as u8
        };
        Colour {
            red: part(self.red, other.red),
            green: part(self.green, other.green),
            blue: part(self.blue, other.blue),
        }
    }

    /// How well one is read on the other, from 1 to 21.
    pub fn contrast(self, other: Colour) -> f64 {
        let (a, b) = (self.luminance() + 0.05, other.luminance() + 0.05);
        a.max(b) / a.min(b)
    }

    /// This colour moved towards `end` as far as it takes to reach `ratio` on all of `grounds`.
    pub fn until(self, ratio: f64, grounds: &[Colour], end: Colour) -> Colour {
        self.until_in(50, ratio, grounds, end)
    }

    /// The same in so many steps: with 255, no colour between this one and the answer would do.
    pub fn until_in(self, steps: u8, ratio: f64, grounds: &[Colour], end: Colour) -> Colour {
        let reached = |colour: &Colour| grounds.iter().all(|ground| colour.contrast(*ground) >= ratio);
        let all = (0..=steps).map(|step| self.mix(end, f64::from(step) / f64::from(steps)));
        all.into_iter().find(reached).unwrap_or(end)
    }

    /// This colour made brighter as far as it takes to reach `ratio` on all of `grounds`: first as vivid as it can be, then towards
    /// white, so that a dark accent does not turn grey.
    pub fn lift(self, ratio: f64, grounds: &[Colour]) -> Colour {
        let most = self.red.max(self.green).max(self.blue);
        let stretch =
            |part: u8| u8::try_from(u16::from(part) * 255 / u16::from(most.max(1))).unwrap_or(u8::MAX);
        let vivid = Colour::rgb(stretch(self.red), stretch(self.green), stretch(self.blue));
        let halfway = self.until(ratio, grounds, vivid);
        if halfway == vivid { vivid.until(ratio, grounds, Colour::WHITE) } else { halfway }
    }

    /// Black or white, whichever is read better on this colour.
    pub fn ink(self) -> Colour {
        if self.contrast(Colour::WHITE) >= self.contrast(Colour::BLACK) {
            Colour::WHITE
        } else {
            Colour::BLACK
        }
    }

    /// Whether it gives less light than the other.
    pub fn is_darker_than(self, other: Colour) -> bool {
        self.luminance() < other.luminance()
    }

    /// How far apart two colours are: the sum of what their parts differ by.
    pub fn distance(self, other: Colour) -> u16 {
        let apart = |a: u8, b: u8| u16::from(a.abs_diff(b));
        apart(self.red, other.red) + apart(self.green, other.green) + apart(self.blue, other.blue)
    }

    fn luminance(self) -> f64 {
        let linear = |part: u8| LINEAR[usize::from(part)];
        0.2126 * linear(self.red) + 0.7152 * linear(self.green) + 0.0722 * linear(self.blue)
    }
}

/// How much light each step of a channel is. A palette asks some thousand times.
static LINEAR: LazyLock<[f64; 256]> = LazyLock::new(|| {
    let mut light = 0.0;
    [(); 256].map(|()| {
        let part: f64 = light / 255.0;
        light += 1.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    })
});

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Colour;

    #[test]
    fn colours_are_read_in_two_lengths_and_written_in_one() {
        assert_eq!(Colour::parse("#1A2b3C").unwrap().to_string(), "#1a2b3c");
        assert_eq!(Colour::parse(" #fa0 ").unwrap().to_string(), "#ffaa00");
        for bad in [
            "",
            "#",
            "red",
            "#12",
            "#12345",
            "#1234567",
            "#ggg",
            "#12345g",
            "#é12",
            "#fff;}*{x:y",
            "rgb(0,0,0)",
        ] {
            assert_eq!(Colour::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        assert!((Colour::BLACK.contrast(Colour::WHITE) - 21.0).abs() < 1e-9);
        assert!((Colour::parse("#777").unwrap().contrast(Colour::WHITE) - 4.478).abs() < 0.001);
    }

    proptest! {
        #[test]
        fn reading_never_panics_and_what_was_written_is_read(text in "\\PC{0,9}", parts in any::<(u8, u8, u8)>()) {
            let _ = Colour::parse(&text);
            let colour = Colour::rgb(parts.0, parts.1, parts.2);
            prop_assert_eq!(Colour::parse(&colour.to_string()), Some(colour));
        }

        #[test]
        fn black_or_white_is_read_on_any_colour(parts in any::<(u8, u8, u8)>()) {
            let colour = Colour::rgb(parts.0, parts.1, parts.2);
            prop_assert!(colour.contrast(colour.ink()) >= 4.5);
        }
    }
}
