use proptest::prelude::*;

use super::*;

const SANS: &[u8] = include_bytes!("../samples/sans-variable.woff2");
const SERIF: &[u8] = include_bytes!("../samples/serif-bold-italic.woff2");

fn facts(bytes: &[u8]) -> FontFacts {
    read(bytes).unwrap()
}

/// The average width where most characters have one width and those that `make.py` calls narrow have half of it.
fn average(wide: i64, narrow: i64) -> i64 {
    let of_narrow = 180 + 75 + 57 + 50 + 33 + 18 + 1;
    (of_narrow * narrow + (994 - of_narrow) * wide) / 994
}

#[test]
fn a_font_says_what_it_is_and_how_large() {
    let serif = facts(SERIF);
    assert_eq!(serif.family, "Proof Serif", "what could end a declaration is not in a name");
    assert_eq!((serif.min_weight, serif.max_weight, serif.style), (700, 700, FontStyle::Italic));
    assert!(serif.is_serif);
    assert_eq!((serif.ascent, serif.descent, serif.line_gap), (9_000, 2_500, 500));
    assert_eq!(i64::from(serif.width), average(1_200, 600) * 10_000 / 2_000);
    assert_eq!(serif.bold_width, serif.width);
    let sans = facts(SANS);
    assert_eq!((sans.family.as_str(), sans.is_serif, sans.style), ("Proof Sans", false, FontStyle::Normal));
    assert_eq!((sans.ascent, sans.descent, sans.line_gap), (9_500, 2_500, 0));
}

#[test]
fn a_variable_font_is_measured_in_each_weight() {
    let sans = facts(SANS);
    assert_eq!((sans.min_weight, sans.max_weight), (100, 900));
    assert_eq!(i64::from(sans.width), average(500, 250) * 10);
    // Each letter is 100 units wider at 900, so it is 60 units wider at 700.
    assert_eq!(i64::from(sans.bold_width), average(560, 310) * 10);
}

#[test]
fn what_is_no_font_is_refused() {
    let mut several = SANS.to_vec();
    several[4..8].copy_from_slice(COLLECTION);
    let mut huge = SANS.to_vec();
    huge[UNPACKED_AT..UNPACKED_AT + 4].copy_from_slice(&(MOST_UNPACKED + 1).to_be_bytes());
    let mut long = SANS.to_vec();
    long.resize(usize::try_from(LARGEST_FONT).unwrap() + 1, 0);
    for (bytes, refusal) in [
        (&b""[..], Refusal::Unknown),
        (b"wOFF\0\x01\0\0", Refusal::Unknown),
        (b"OTTO", Refusal::Unknown),
        (b"<svg/>", Refusal::Unknown),
        (b"wOF2", Refusal::Broken),
        (&SANS[..100], Refusal::Broken),
        (&SANS[..SANS.len() - 8], Refusal::Broken),
        (&several, Refusal::Several),
        (&huge, Refusal::ManyBytes),
        (&long, Refusal::ManyBytes),
    ] {
        assert_eq!(read(bytes), Err(refusal), "{:?}", &bytes[..bytes.len().min(8)]);
    }
}

#[test]
fn an_answer_that_no_font_has_is_none() {
    let good = facts(SANS);
    let decoded = |facts: FontFacts| Answer::decode(&Answer::Read(facts).encode().unwrap());
    assert_eq!(decoded(good.clone()), Some(Answer::Read(good.clone())));
    let refused = Answer::Refused(Refusal::Several);
    assert_eq!(Answer::decode(&refused.encode().unwrap()), Some(refused));
    for bad in [
        FontFacts { family: "a\";}".to_owned(), ..good.clone() },
        FontFacts { family: String::new(), ..good.clone() },
        FontFacts { family: "a".repeat(101), ..good.clone() },
        FontFacts { min_weight: 0, ..good.clone() },
        FontFacts { min_weight: 901, ..good.clone() },
        FontFacts { max_weight: 1001, ..good.clone() },
        FontFacts { width: u16::MAX, ..good.clone() },
    ] {
        assert_eq!(decoded(bad.clone()), None, "{bad:?}");
    }
    assert_eq!(Answer::decode(b""), None);
}

proptest! {
    #[test]
    fn whatever_a_font_says_is_an_answer(
        is_serif: bool,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = if is_serif { SERIF } else { SANS }.to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        // A decoder may panic: that costs the process that reads the font.
        if let Ok(Ok(facts)) = std::panic::catch_unwind(|| read(&bytes)) {
            let answer = Answer::Read(facts);
            prop_assert_eq!(Answer::decode(&answer.encode().unwrap()), Some(answer));
        }
    }

    #[test]
    fn no_name_of_a_family_ends_a_declaration(name in "\\PC{0,150}") {
        let name = clean(&name);
        prop_assert!(name.chars().count() <= LONGEST_NAME && name.chars().all(is_of_names), "{}", name);
    }
}
