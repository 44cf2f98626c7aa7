//! Money: a whole number of millionths of whatever currency the operator counts in.
//!
//! What this is not: a floating point number, nor one that knows its currency. Invariant: reading what was written gives the same amount.

use std::fmt;
use std::str::FromStr;

/// Millionths of one.
const ONE: u64 = 1_000_000;
/// Digits behind the point.
const DECIMALS: usize = 6;
/// The most that is taken: a billion.
const MOST: u64 = 1_000_000_000 * ONE;

/// An amount of money.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(u64);

impl Amount {
    /// The amount of that many millionths.
    pub const fn from_micros(micros: u64) -> Amount {
        Amount(micros)
    }

    /// The amount in millionths.
    pub const fn micros(self) -> u64 {
        self.0
    }

    /// Whether it is nothing.
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// What so many tokens cost if this is the price of a million; parts of a millionth count as a whole one.
    #[must_use]
    pub fn of_tokens(self, tokens: u64) -> Amount {
        let micros = (u128::from(self.0) * u128::from(tokens)).div_ceil(u128::from(ONE));
        Amount(u64::try_from(micros).unwrap_or(u64::MAX))
    }

    /// How many tokens it pays for at this price for a million; without a price, any number.
    pub fn tokens_at(self, price: Amount) -> u64 {
        let tokens = (u128::from(self.0) * u128::from(ONE)).checked_div(u128::from(price.0));
        tokens.and_then(|tokens| u64::try_from(tokens).ok()).unwrap_or(u64::MAX)
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Amount) -> Amount {
        Amount(self.0.saturating_add(other.0))
    }

    /// What is left of it after the other; never less than nothing.
    #[must_use]
    pub fn minus(self, other: Amount) -> Amount {
        Amount(self.0.saturating_sub(other.0))
    }
}

/// Two digits behind the point, or as many as it takes.
impl fmt::Display for Amount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = format!("{:06}", self.0 % ONE);
        let shown = micros.trim_end_matches('0').len().max(2);
        write!(out, "{}.{}", self.0 / ONE, &micros[..shown])
    }
}

/// Why a text is no amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoAmount;

impl fmt::Display for NoAmount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an amount is a number such as 12.50, with at most six digits behind the point")
    }
}

impl std::error::Error for NoAmount {}

impl FromStr for Amount {
    type Err = NoAmount;

    fn from_str(text: &str) -> Result<Amount, NoAmount> {
        let (whole, part) = match text.split_once('.') {
            Some((_, "")) => return Err(NoAmount),
            Some((whole, part)) => (whole, part),
            None => (text, ""),
        };
        let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_number(whole) || !is_number(part) || part.len() > DECIMALS {
            return Err(NoAmount);
        }
        let micros = format!("{whole}{part:0<DECIMALS$}").parse::<u64>().map_err(|_| NoAmount)?;
        if micros > MOST { Err(NoAmount) } else { Ok(Amount(micros)) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn amounts_are_read_and_written_as_people_do() {
        for (text, micros, shown) in [
            ("0", 0, "0.00"),
            ("12", 12_000_000, "12.00"),
            ("12.5", 12_500_000, "12.50"),
            ("0.000001", 1, "0.000001"),
            ("00.150", 150_000, "0.15"),
            ("1000000000", MOST, "1000000000.00"),
        ] {
            let amount: Amount = text.parse().unwrap();
            assert_eq!((amount.micros(), amount.to_string().as_str()), (micros, shown), "{text}");
        }
        for text in [
            "",
            ".",
            "1.",
            ".5",
            "-1",
            "+1",
            "1,5",
            "1e3",
            " 1",
            "0.0000001",
            "1000000000.01",
            "٣",
            "99999999999999999999",
        ] {
            assert_eq!(text.parse::<Amount>(), Err(NoAmount), "{text}");
        }
    }

    #[test]
    fn a_part_of_a_millionth_is_charged_as_a_whole_one() {
        let price: Amount = "3".parse().unwrap();
        assert_eq!(price.of_tokens(1_000_000), price);
        assert_eq!(price.of_tokens(1).micros(), 3);
        assert_eq!(Amount::from_micros(1).of_tokens(1).micros(), 1);
        assert_eq!(Amount::from_micros(u64::MAX).of_tokens(u64::MAX).micros(), u64::MAX);
        assert_eq!(Amount::default().of_tokens(7), Amount::default());
        assert_eq!(price.tokens_at(Amount::default()), u64::MAX);
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_as_the_same(micros in 0..=MOST) {
            let amount = Amount::from_micros(micros);
            prop_assert_eq!(amount.to_string().parse(), Ok(amount));
        }

        #[test]
        fn what_it_pays_for_costs_no_more_than_it(micros in 0..=MOST, price in 1..=MOST) {
            let (amount, price) = (Amount::from_micros(micros), Amount::from_micros(price));
            let tokens = amount.tokens_at(price);
            prop_assert!(price.of_tokens(tokens) <= amount);
            prop_assert!(price.of_tokens(tokens + 1) > amount);
        }
    }
}
