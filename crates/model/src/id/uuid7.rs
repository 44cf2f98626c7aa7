//! UUIDs of version 7: their bits, and a source of strictly increasing ones.

use std::sync::{Mutex, PoisonError};

use crate::time::Timestamp;

/// Crockford's base 32 in lower case: the alphabet is ascending, so texts sort as their numbers do.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Characters of the text: 26 of 5 bits hold 128, so the first is at most `7`.
pub(super) const DIGITS: usize = 26;

/// A UUID of version 7: milliseconds, the fraction of the millisecond, then random bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid7(pub(super) u128);

impl Uuid7 {
    /// Lays 122 bits around the fixed bits of version and variant; their order is kept.
    const fn from_payload(payload: u128) -> Self {
        let time = (payload >> 74) & 0xffff_ffff_ffff;
        let fraction = (payload >> 62) & 0xfff;
        let random = payload & ((1 << 62) - 1);
        Self(time << 80 | 0x7 << 76 | fraction << 64 | 0b10 << 62 | random)
    }

    /// The least UUID of an instant: every one of then or later is as great, every earlier one less.
    pub fn first_of(instant: Timestamp) -> Self {
        Self::from_payload(time_bits(instant))
    }

    /// The instant that it was made of, to the microsecond: it lies from [`Uuid7::first_of`] that instant to the one behind it.
    pub fn instant(self) -> Timestamp {
        let millis = i64::try_from(self.0 >> 80).unwrap_or_default();
        let fraction = i64::try_from(self.0 >> 64 & 0xfff).unwrap_or_default();
        // The fraction was rounded down.
        Timestamp::from_micros(millis.saturating_mul(1_000).saturating_add((fraction * 1_000 + 999) / 4_096))
    }

    /// The number that digits show; other characters count as 0.
    pub(super) fn read(digits: &str) -> u128 {
        digits.bytes().fold(0, |number, digit| {
            let value = ALPHABET.iter().position(|one| *one == digit).unwrap_or_default();
            number << 5 | value as u128
        })
    }

    /// The UUID of these bytes, most significant first.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_be_bytes(bytes))
    }

    /// The UUID as a number, most significant byte first.
    pub const fn as_u128(self) -> u128 {
        self.0
    }

    /// Appends the number in base 32.
    pub(super) fn write(self, text: &mut String) {
        let (mut digits, mut number) = ([0; DIGITS], self.0);
        for digit in digits.iter_mut().rev() {
            *digit = ALPHABET[(number & 31) as usize];
            number >>= 5;
        }
        // Appended at once: every request has an id, and a character at a time takes three times as long.
        text.push_str(str::from_utf8(&digits).unwrap_or_default());
    }
}

/// Milliseconds and the fraction of the millisecond, at their place in a payload.
fn time_bits(instant: Timestamp) -> u128 {
    let micros = u128::try_from(instant.as_micros()).unwrap_or(0);
    let fraction = micros % 1_000 * 4_096 / 1_000;
    (micros / 1_000) << 74 | fraction << 62
}

/// Gives out strictly increasing [`Uuid7`]s within a process; it reads neither clock nor randomness itself.
#[derive(Debug, Default)]
pub struct Uuid7Source {
    /// The 122 payload bits given out last.
    last: Mutex<u128>,
}

impl Uuid7Source {
    /// A source that has given out nothing yet.
    pub const fn new() -> Self {
        Self { last: Mutex::new(0) }
    }

    /// The next id, made from the time and 64 fresh random bits; always above every earlier one.
    pub fn next(&self, now: Timestamp, random: u64) -> Uuid7 {
        let fresh = time_bits(now) | u128::from(random >> 2);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // In the same instant, or with the clock set back, step on from the last id. The step is random so
        // that the ends of ids stay different; 2^62 leaves room for a billion steps before a carry, which
        // only moves on to the next instant.
        *last = if fresh > *last { fresh } else { *last + 1 + u128::from(random as u32) };
        Uuid7::from_payload(*last)
    }
}
