//! Phone numbers of persons, in the international form of E.164: `+`, the country's code, the number.
//!
//! What this is not: a check that the number is assigned. Over the API the form is strict, by the contract's pattern; national
//! spellings are for imports alone, with the region that they were written in.
//!
//! The plans of the world's numbers (the `phonenumber` crate, Google's data) are unpacked when the first national spelling is
//! read, and never in a process that reads none.

use std::borrow::Cow;

use phonenumber::Mode;
use phonenumber::country::Id;
use phonenumber::metadata::DATABASE;
use unicode_normalization::UnicodeNormalization;

use crate::text_rule::normal_text;

/// More than this is not looked at: 15 digits, each with a separator, and some air.
const MAX_INPUT: usize = 64;

/// A phone number in its normal form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PhoneNumber(String);

normal_text!(
    PhoneNumber,
    "pattern": PhoneNumber::PATTERN,
    "must be a phone number in international form, + and digits alone, such as +4915112345678",
    {}
);

impl PhoneNumber {
    /// The contract's pattern.
    pub const PATTERN: &'static str = r"^\+[1-9][0-9]{1,14}$";

    /// The number of this text, which has to be in international form as it stands.
    pub fn parse(text: &str) -> Option<PhoneNumber> {
        let digits = text.strip_prefix('+')?;
        let is_number = (2..=15).contains(&digits.len())
            && !digits.starts_with('0')
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| PhoneNumber(text.to_owned()))
    }

    /// The number that people of a region (two letters, ISO 3166) write like this, with any separators; an international one in
    /// every region.
    ///
    /// Letters are refused, and so are extensions, which the international form cannot hold: without it the number of a switchboard
    /// would stand for everybody behind it.
    pub fn from_national(text: &str, region: &str) -> Option<PhoneNumber> {
        let dialled = dialled(text)?;
        let region = region.trim().to_ascii_uppercase().parse::<Id>().ok();
        let known = match (with_country(&dialled, region), region) {
            // The library would apply the region's own rules to the number of another country.
            (Some(international), _) => phonenumber::parse(None, international),
            (None, Some(region)) => phonenumber::parse(Some(region), &dialled),
            (None, None) => return None,
        };
        match known.ok().filter(phonenumber::is_valid) {
            Some(number) => PhoneNumber::parse(&number.format().mode(Mode::E164).to_string()),
            // An international number that its country's plan does not know (yet) is as good as the same one over the API.
            None => PhoneNumber::parse(&dialled),
        }
    }
}

/// Whether there is a region of these two letters (ISO 3166), in capitals.
pub fn is_region(letters: &str) -> bool {
    letters.len() == 2
        && letters.bytes().all(|byte| byte.is_ascii_uppercase())
        && letters.parse::<Id>().is_ok()
}

/// The number with a plus before its country's code, if it has one: because it was written so, or after the digits that people of
/// the region dial first when they call abroad.
fn with_country(dialled: &str, region: Option<Id>) -> Option<Cow<'_, str>> {
    if dialled.starts_with('+') {
        return Some(Cow::Borrowed(dialled));
    }
    let abroad = DATABASE.by_id(region?.as_ref())?.international_prefix()?.find(dialled)?;
    let rest = (abroad.start() == 0).then(|| &dialled[abroad.end()..])?;
    (!rest.is_empty() && !rest.starts_with('0')).then(|| Cow::Owned(format!("+{rest}")))
}

/// The digits, after a plus if there is one; nothing if the text holds anything that does not part groups of digits.
fn dialled(text: &str) -> Option<String> {
    if text.len() > MAX_INPUT {
        return None;
    }
    let mut dialled = String::with_capacity(text.len());
    // Wide digits and signs of East Asian keyboards are the plain ones.
    for char in text.trim().nfkc() {
        match char {
            '0'..='9' => dialled.push(char),
            '+' if dialled.is_empty() => dialled.push('+'),
            '(' | ')' | '.' | '/' | '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' => {}
            _ if char.is_whitespace() || is_invisible(char) => {}
            _ => return None,
        }
    }
    Some(dialled)
}

/// Marks of direction, which are around numbers that were copied from an address book.
fn is_invisible(char: char) -> bool {
    matches!(char, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn national(text: &str, region: &str) -> Option<String> {
        PhoneNumber::from_national(text, region).map(PhoneNumber::into_string)
    }

    #[test]
    fn takes_the_international_form_alone() {
        for number in ["+12", "+4915112345678", "+123456789012345"] {
            assert_eq!(PhoneNumber::parse(number).unwrap().as_str(), number);
        }
        for wrong in [
            "",
            "+",
            "+1",
            "+0151",
            "4915112345678",
            "004915112345678",
            "+1234567890123456",
            "+49 151 12345678",
            "+49-151",
            " +4915112345678",
            "+4915112345678\n",
            "+49151CALLME",
            "++4915112345678",
            "+٤٩١٥١١٢",
            "+１２３４",
        ] {
            assert_eq!(PhoneNumber::parse(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn regions_are_two_capital_letters_of_a_country() {
        for (letters, known) in
            [("DE", true), ("US", true), ("de", false), ("XX", false), ("DEU", false), ("", false)]
        {
            assert_eq!(is_region(letters), known, "{letters}");
        }
    }

    #[test]
    fn reads_national_spellings() {
        for (text, region, number) in [
            ("0151 12345678", "DE", "+4915112345678"),
            ("0151/123-456-78", "de", "+4915112345678"),
            ("(030) 901820", "DE", "+4930901820"),
            ("0049 151 12345678", "DE", "+4915112345678"),
            ("+49 (0)151 1234 5678", "US", "+4915112345678"),
            ("(650) 253-0000", "US", "+16502530000"),
            ("1-650-253-0000", "US", "+16502530000"),
            ("011 49 151 12345678", "US", "+4915112345678"),
            ("+1 650-253-0000", "", "+16502530000"),
            ("020 7946 0958", "GB", "+442079460958"),
            ("06 698 12345", "IT", "+390669812345"),
            ("8 (495) 123-45-67", "RU", "+74951234567"),
            ("+7 800 555-35-35", "RU", "+78005553535"),
            ("011 33 1 42 76 49 78", "US", "+33142764978"),
            ("+33 1 42 76 49 78", "US", "+33142764978"),
            ("0011 49 151 12345678", "AU", "+4915112345678"),
            ("(11) 96123-4567", "BR", "+5511961234567"),
            ("０９０−１２３４−５６７８", "JP", "+819012345678"),
            ("\u{202a}+49\u{a0}151\u{2011}12345678\u{202c}", "FR", "+4915112345678"),
        ] {
            assert_eq!(national(text, region).as_deref(), Some(number), "{text} in {region}");
        }
    }

    #[test]
    fn refuses_what_is_no_number_of_the_region() {
        for (text, region) in [
            ("", "DE"),
            ("+", "DE"),
            ("12", "DE"),
            ("555-1234", "US"),
            ("0151 12345678", ""),
            ("0151 12345678", "XX"),
            ("0151 12345678", "GERMANY"),
            ("1-800-FLOWERS", "US"),
            ("030 901820 ext. 12", "DE"),
            ("030 901820 x12", "DE"),
            ("030 901820;ext=12", "DE"),
            ("030 901820 #12", "DE"),
            ("jane@example.com", "DE"),
            ("0151 12345678, 0151 12345679", "DE"),
            ("tel:+4915112345678", "DE"),
            ("☎ 0151 12345678", "DE"),
            ("49+15112345678", "DE"),
            (&"1".repeat(300), "DE"),
        ] {
            assert_eq!(national(text, region), None, "{text} in {region}");
        }
    }

    #[test]
    fn keeps_an_international_number_that_no_plan_knows() {
        assert_eq!(national("+999 123", "DE").as_deref(), Some("+999123"));
    }

    proptest! {
        #[test]
        fn agrees_with_the_pattern(text in "\\+?[0-9]{0,17}|\\PC{0,8}|\\+[1-9][0-9 -]{0,16}") {
            let validator = jsonschema::validator_for(&serde_json::json!({ "pattern": PhoneNumber::PATTERN })).unwrap();
            prop_assert_eq!(PhoneNumber::parse(&text).is_some(), validator.is_valid(&text.as_str().into()));
        }

        #[test]
        fn no_spelling_makes_the_plans_panic(
            text in "\\PC{0,20}|[+0-9 ()./-]{0,24}|[0-9]{1,20}|\\+[0-9]{1,20}", region in "DE|US|IT|BR|AR|GB|CN|CH|NZ|MX|KZ|[A-Z]{2}|\\PC{0,3}",
        ) {
            if let Some(number) = PhoneNumber::from_national(&text, &region) {
                prop_assert_eq!(PhoneNumber::parse(number.as_str()), Some(number.clone()));
                prop_assert_eq!(PhoneNumber::from_national(number.as_str(), &region), Some(number));
            }
        }
    }
}
