//! The reports of page views: small JSON objects that the page's script sends, read strictly.
//!
//! A report names the page view by a number that the script made up, and tells how far it has come since it began. All of it is a
//! claim of whoever sent it: whether the page exists, and how much can be true, is asked by those who take it.

use serde::Deserialize;

use crate::{AudienceId, PageId};

/// How many bytes a report may have.
pub const MOST_BYTES: usize = 4 * 1024;
/// How many actions or answers a report may tell of.
const MOST_NAMED: usize = 32;
/// How many characters the id of an action may have.
const LONGEST_ACTION: usize = 200;
/// How many characters are kept of an address.
const LONGEST_ADDRESS: usize = 2_000;
/// More clicks than that are none.
const MOST_CLICKS: u64 = 10_000;
/// More milliseconds than that are none: a day.
const LONGEST_MS: u64 = 86_400_000;

/// A choice in a block of choices: which block of the page, and which of its choices.
pub type Choice = (usize, usize);

/// What a page view reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beacon {
    /// The number of the page view.
    pub view: [u8; 16],
    /// The page.
    pub page_id: PageId,
    /// The audience for which it is shown.
    pub audience_id: AudienceId,
    /// The page view's age, in milliseconds.
    pub age_ms: i64,
    /// How much of that the page was visible and in focus.
    pub engaged_ms: i64,
    /// The deepest point that was visible, from 0 to 100.
    pub scroll: i64,
    /// Clicks.
    pub clicks: i64,
    /// Ids of the actions that were used, each once, in the order of their first use.
    pub actions: Vec<String>,
    /// What was chosen, in order.
    pub choices: Vec<Choice>,
    /// Path and query at which the page is.
    pub location: String,
    /// The address of the page before.
    pub referrer: String,
    /// Whether the browser says that a program drives it.
    pub is_automated: bool,
    /// Whether a person has touched the page.
    pub is_touched: bool,
    /// The id that the visitor has agreed to keep.
    pub consented_id: Option<[u8; 16]>,
    /// Whether the page's script sent it, and not the picture for browsers without scripts.
    pub is_scripted: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    v: String,
    p: String,
    a: String,
    t: u64,
    e: u64,
    s: u64,
    c: u64,
    #[serde(default)]
    x: Vec<String>,
    #[serde(default)]
    q: Vec<String>,
    #[serde(default)]
    l: String,
    #[serde(default)]
    r: String,
    #[serde(default)]
    w: bool,
    #[serde(default)]
    k: bool,
    #[serde(default)]
    i: Option<String>,
}

impl Beacon {
    /// Reads a report; `None` if it has not the form of one. Amounts beyond all measure are cut.
    pub fn parse(bytes: &[u8]) -> Option<Beacon> {
        if bytes.len() > MOST_BYTES {
            return None;
        }
        let wire: Wire = serde_json::from_slice(bytes).ok()?;
        let is_few = wire.x.len() <= MOST_NAMED && wire.q.len() <= MOST_NAMED;
        let are_short = wire.x.iter().all(|id| (1..=LONGEST_ACTION).contains(&id.chars().count()));
        if wire.s > 100 || !is_few || !are_short {
            return None;
        }
        let mut actions: Vec<String> = vec![];
        for id in wire.x {
            if !actions.contains(&id) {
                actions.push(id);
            }
        }
        Some(Beacon {
            view: number(&wire.v)?,
            page_id: PageId::parse(&wire.p)?,
            audience_id: AudienceId::parse(&wire.a)?,
            age_ms: within(wire.t, LONGEST_MS),
            engaged_ms: within(wire.e, LONGEST_MS),
            scroll: within(wire.s, 100),
            clicks: within(wire.c, MOST_CLICKS),
            actions,
            choices: wire.q.iter().map(|choice| place(choice)).collect::<Option<_>>()?,
            location: cut(&wire.l),
            referrer: cut(&wire.r),
            is_automated: wire.w,
            is_touched: wire.k,
            consented_id: match &wire.i {
                Some(id) => Some(number(id)?),
                None => None,
            },
            is_scripted: true,
        })
    }

    /// A page view of a browser without scripts, which asks for a picture and tells no more.
    pub fn of_picture(view: [u8; 16], page_id: PageId, audience_id: AudienceId, location: &str) -> Beacon {
        Beacon {
            view,
            page_id,
            audience_id,
            age_ms: 0,
            engaged_ms: 0,
            scroll: 0,
            clicks: 0,
            actions: vec![],
            choices: vec![],
            location: cut(location),
            referrer: String::new(),
            is_automated: false,
            is_touched: false,
            consented_id: None,
            is_scripted: false,
        }
    }
}

fn within(amount: u64, most: u64) -> i64 {
    i64::try_from(amount.min(most)).unwrap_or(i64::MAX)
}

/// A number of 16 bytes as 32 hexadecimal digits, as scripts make it.
pub fn number(text: &str) -> Option<[u8; 16]> {
    let is_one = text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_one.then(|| u128::from_str_radix(text, 16).ok()).flatten().map(u128::to_be_bytes)
}

/// `block-choice`, both counted from 0.
fn place(text: &str) -> Option<Choice> {
    let (block, choice) = text.split_once('-')?;
    let read = |text: &str| {
        let is_number = (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse().ok()).flatten()
    };
    Some((read(block)?, read(choice)?))
}

fn cut(text: &str) -> String {
    text.chars().filter(|char| !char.is_control()).take(LONGEST_ADDRESS).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn usual() -> Value {
        json!({
            "v": "0123456789abcdef0123456789abcdef",
            "p": "page_01jpbz8n4xf5k9w2d7hq3mv6ta",
            "a": "audience_01jpbz8n4xf5k9w2d7hq3mv6ta",
            "t": 12_000, "e": 9_000, "s": 55, "c": 2, "x": ["b", "a", "b"], "q": ["3-1"],
            "l": "/spring?utm_source=mail", "r": "https://example.com/", "w": false, "k": true,
        })
    }

    fn parse(value: &Value) -> Option<Beacon> {
        Beacon::parse(value.to_string().as_bytes())
    }

    #[test]
    fn a_report_is_read_as_the_script_wrote_it() {
        let beacon = parse(&usual()).unwrap();
        assert_eq!(beacon.view[..4], [1, 0x23, 0x45, 0x67]);
        assert_eq!((beacon.age_ms, beacon.engaged_ms, beacon.scroll, beacon.clicks), (12_000, 9_000, 55, 2));
        assert_eq!(beacon.actions, ["b", "a"]);
        assert_eq!(beacon.choices, [(3, 1)]);
        assert!(beacon.is_touched && !beacon.is_automated && beacon.is_scripted);
    }

    #[test]
    fn what_is_no_report_is_refused() {
        for (field, wrong) in [
            ("v", json!("0123456789ABCDEF0123456789abcdef")),
            ("v", json!("")),
            ("v", json!(7)),
            ("p", json!("page_1")),
            ("a", json!("page_01jpbz8n4xf5k9w2d7hq3mv6ta")),
            ("t", json!(-1)),
            ("e", json!(-9_000)),
            ("e", json!(1.5)),
            ("e", json!("9")),
            ("s", json!(101)),
            ("c", json!(null)),
            ("c", json!(-1)),
            ("x", json!([""])),
            ("x", json!(vec!["a"; 33])),
            ("x", json!({})),
            ("q", json!(["3"])),
            ("q", json!(["-1-1"])),
            ("q", json!(["99999-1"])),
            ("i", json!("me")),
            ("z", json!(1)),
        ] {
            let mut value = usual();
            value[field] = wrong.clone();
            assert_eq!(parse(&value), None, "{field}: {wrong}");
        }
        for wrong in ["", "{}", "[]", "null", "{", "\u{feff}{}"] {
            assert_eq!(Beacon::parse(wrong.as_bytes()), None, "{wrong}");
        }
        let mut long = usual();
        long["l"] = json!("x".repeat(MOST_BYTES));
        assert_eq!(parse(&long), None);
    }

    #[test]
    fn amounts_beyond_all_measure_are_cut() {
        let mut value = usual();
        for field in ["t", "e", "c"] {
            value[field] = json!(u64::MAX);
        }
        let beacon = parse(&value).unwrap();
        assert_eq!((beacon.age_ms, beacon.engaged_ms, beacon.clicks), (86_400_000, 86_400_000, 10_000));
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(Beacon::parse(&bytes), None);
        }

        #[test]
        fn no_broken_report_makes_the_reader_panic(at in 0_usize..250, byte in any::<u8>()) {
            let mut bytes = usual().to_string().into_bytes();
            let length = bytes.len();
            bytes[at % length] = byte;
            if let Some(beacon) = Beacon::parse(&bytes) {
                prop_assert!((0..=100).contains(&beacon.scroll) && beacon.engaged_ms >= 0 && beacon.clicks >= 0);
            }
        }
    }
}
