//! The catalogues beside each other and beside the code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use fluent_bundle::FluentResource;
use fluent_syntax::ast::{CallArguments, Entry, Expression, InlineExpression, Pattern, PatternElement};
use jiff::civil::date;
use pagesmith_model::time::Timestamp;
use proptest::prelude::*;

use super::{CATALOGUES, Words, format};

/// Arguments that are whole numbers, and so are written with `NUMBER`.
const COUNTS: [&str; 4] = ["count", "from", "to", "total"];

/// What a text is made with.
#[derive(Debug, Default, PartialEq, Eq)]
struct MessageParts {
    arguments: BTreeSet<String>,
    bare: BTreeSet<String>,
}

impl MessageParts {
    fn pattern(&mut self, pattern: &Pattern<&str>) {
        for element in &pattern.elements {
            if let PatternElement::Placeable { expression } = element {
                match expression {
                    Expression::Inline(inline) => self.inline(inline, true),
                    Expression::Select { selector, variants } => {
                        self.inline(selector, false);
                        for variant in variants {
                            self.pattern(&variant.value);
                        }
                    }
                }
            }
        }
    }

    fn inline(&mut self, inline: &InlineExpression<&str>, is_written: bool) {
        match inline {
            InlineExpression::VariableReference { id } => {
                self.arguments.insert(id.name.to_owned());
                if is_written {
                    self.bare.insert(id.name.to_owned());
                }
            }
            InlineExpression::FunctionReference { id, arguments: CallArguments { positional, .. } } => {
                assert_eq!(id.name, "NUMBER", "there is no other function");
                for argument in positional {
                    self.inline(argument, false);
                }
            }
            InlineExpression::StringLiteral { .. } => {}
            other => panic!("{other:?}: say it in words"),
        }
    }
}

/// The keys of a catalogue, each with what its text is made with.
fn catalogue(text: &str) -> BTreeMap<String, MessageParts> {
    let resource =
        FluentResource::try_new(text.to_owned()).unwrap_or_else(|(_, errors)| panic!("{errors:?}"));
    let mut keys = BTreeMap::new();
    for entry in resource.entries() {
        if let Entry::Message(message) = entry {
            let mut parts = MessageParts::default();
            parts.pattern(message.value.as_ref().unwrap());
            assert!(
                keys.insert(message.id.name.to_owned(), parts).is_none(),
                "{} is there twice",
                message.id.name
            );
        }
    }
    keys
}

/// The source of the crate, tests left out.
fn sources(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            sources(&path, found);
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") && name != "gallery.rs" {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap().to_owned();
            found.push((path, code));
        }
    }
}

/// The texts between quotes, as far as a key can be one.
fn literals(code: &str) -> impl Iterator<Item = &str> {
    let is_key = |text: &&str| {
        text.starts_with(|char: char| char.is_ascii_lowercase())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    code.split('"').filter(is_key)
}

#[test]
fn every_language_says_the_same_things_of_the_same_arguments() {
    let (first, first_text) = CATALOGUES[0];
    let expected = catalogue(first_text);
    for (tag, text) in CATALOGUES {
        let found = catalogue(text);
        assert_eq!(
            found.keys().collect::<Vec<_>>(),
            expected.keys().collect::<Vec<_>>(),
            "{tag} and {first}"
        );
        for (key, parts) in &found {
            assert_eq!(parts.arguments, expected[key].arguments, "{key} in {tag}");
            // A date has its parts as texts.
            let bare = COUNTS.iter().find(|count| parts.bare.contains(**count));
            assert_eq!(bare, None, "{key} in {tag}: write NUMBER(${})", bare.unwrap_or(&""));
        }
    }
}

#[test]
fn no_key_stands_twice() {
    for (tag, text) in CATALOGUES {
        let mut keys = BTreeSet::new();
        for line in text.lines().filter(|line| line.starts_with(|char: char| char.is_ascii_lowercase())) {
            let (key, _) = line.split_once(" =").unwrap();
            assert!(keys.insert(key), "{key} in {tag}");
        }
    }
}

#[test]
fn every_key_is_said_somewhere_and_every_one_said_is_there() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    assert!(files.len() > 20);
    let keys = catalogue(CATALOGUES[0].1);
    let said: BTreeSet<&str> = files.iter().flat_map(|(_, code)| literals(code)).collect();
    let unused: Vec<&String> = keys.keys().filter(|key| !said.contains(key.as_str())).collect();
    assert!(unused.is_empty(), "nothing says {unused:?}");
    for (path, code) in &files {
        for call in ["words.text(\"", "words.with(\"", "self.text(\"", "self.with(\""] {
            for rest in code.split(call).skip(1) {
                let key = rest.split('"').next().unwrap();
                assert!(keys.contains_key(key), "{}: there is no text {key}", path.display());
            }
        }
    }
}

#[test]
fn a_language_is_chosen_by_setting_then_by_browser() {
    let choose = |setting, header| Words::choose(setting, header).tag();
    assert_eq!(choose(Some("de"), Some("en")), "de");
    assert_eq!(choose(Some("xx"), Some("de-CH,en;q=0.5")), "de");
    assert_eq!(choose(None, Some("fr, en;q=0.4, de;q=0.8")), "de");
    assert_eq!(choose(None, Some("de;q=0, fr")), "en");
    assert_eq!(choose(None, Some("de;q=nonsense")), "en");
    assert_eq!(choose(None, None), "en");
    let languages: Vec<_> = Words::languages().collect();
    assert_eq!(
        languages[0],
        ("en", "English".to_owned()),
        "what another language leaves out is said in English"
    );
    assert!(languages.contains(&("de", "Deutsch".to_owned())), "{languages:?}");
    // A number that is no quality is none, however large it is.
    assert_eq!(Words::choose(None, Some("de;q=65.6, en;q=0.1")).tag(), "en");
}

#[test]
fn numbers_and_plurals_follow_the_language() {
    let (english, german) = (Words::of("en").unwrap(), Words::of("de-AT").unwrap());
    assert_eq!(
        (english.number(-1_234_567), german.number(1_234_567)),
        ("\u{2212}1,234,567".into(), "1.234.567".into())
    );
    assert_eq!((english.percent(1, 3), german.percent(1, 3)), ("33.3\u{a0}%".into(), "33,3\u{a0}%".into()));
    assert_eq!((english.percent(0, 0), english.percent(2, 2)), ("0\u{a0}%".into(), "100\u{a0}%".into()));
    assert_eq!(
        [0, 999, 1_000, 12_345, 1_250_000].map(|bytes| german.bytes(bytes)),
        ["0 Bytes", "999 Bytes", "1 kB", "12 kB", "1,2 MB"]
    );
    let found = |words: Words, count: i64| words.with("palette-found", &[("count", count.into())]);
    assert_eq!(
        [0, 1, 1000].map(|count| found(english, count)),
        ["Nothing found", "1 result", "1,000 results"]
    );
    assert_eq!(
        [0, 1, 1000].map(|count| found(german, count)),
        ["Nichts gefunden", "1 Treffer", "1.000 Treffer"]
    );
}

#[test]
fn dates_and_distances_follow_the_language() {
    let (english, german) = (Words::of("en").unwrap(), Words::of("de").unwrap());
    assert_eq!(
        (english.date(date(2026, 3, 9)), german.date(date(2026, 3, 9))),
        ("9 Mar 2026".into(), "9. März 2026".into())
    );
    let time: Timestamp = "2026-03-09T08:05:59.000Z".parse().unwrap();
    assert_eq!(english.date_time(time), "9 Mar 2026, 08:05 UTC");
    let after = |seconds: u64| time.plus(std::time::Duration::from_secs(seconds));
    let ago = [0, 60, 7_200, 86_400, 40 * 86_400, 800 * 86_400]
        .map(|seconds| english.distance(time, after(seconds)));
    assert_eq!(ago, ["just now", "1 minute ago", "2 hours ago", "yesterday", "1 month ago", "2 years ago"]);
    assert_eq!(german.distance(after(3 * 86_400), time), "in 3 Tagen");
}

#[test]
fn foreign_directions_are_isolated_and_unknown_keys_shown() {
    let words = Words::of("en").unwrap();
    assert_eq!(words.with("select-row", &[("name", "דף".into())]), "Select \u{2068}דף\u{2069}");
    assert_eq!(words.with("select-row", &[("name", "Page".into())]), "Select Page");
    let turned = words.with("select-row", &[("name", "\u{2069}\u{202e}Page".into())]);
    assert_eq!(turned, "Select \u{2068}Page\u{2069}");
    assert_eq!(words.text("no-such-key"), "no-such-key");
}

proptest! {
    #[test]
    fn no_header_breaks_the_choice(header in "\\PC{0,80}|([a-z]{1,3}(;q=[0-9.]{0,6})?,){0,6}") {
        prop_assert!(CATALOGUES.iter().any(|(tag, _)| *tag == Words::choose(None, Some(&header)).tag()));
    }

    #[test]
    fn digits_are_grouped_and_kept(number in any::<i64>()) {
        let marks = format::Marks { group: ",".into(), decimal: ".".into() };
        let text = marks.apply(&number.to_string());
        prop_assert_eq!(text.replace(',', "").replace('\u{2212}', "-"), number.to_string());
        let is_grouped = text.trim_start_matches('−').split(',').skip(1).all(|group| group.len() == 3);
        prop_assert!(is_grouped);
    }
}
