//! What the console says, in each of its languages: texts by key, with numbers and dates as the language writes them.
//!
//! The catalogues are Fluent files in `words`. A language is one more file there; everything that is particular to it, names of months
//! and separators of digits included, stands in the file. Tests compare the catalogues
//! with each other and with the code. A key that is nowhere is shown as it is: a screen never fails over a word.

mod browser;
mod format;
mod issues;
mod sentences;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

pub use browser::browser_name;
use format::Marks;

/// A value that a text is completed with: made from texts and numbers by `into()`.
pub type Argument<'a> = FluentValue<'a>;

/// Every language: its tag and its texts. The first is spoken when nothing else fits, and says what another leaves out.
const CATALOGUES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/catalogues.rs"));

/// The catalogues as they are read, in the same order.
static LOADED: LazyLock<Vec<Loaded>> =
    LazyLock::new(|| CATALOGUES.iter().map(|(tag, text)| Loaded::read(tag, text)).collect());

/// One language.
struct Loaded {
    bundle: FluentBundle<FluentResource>,
    marks: Marks,
}

impl Loaded {
    fn read(tag: &str, text: &str) -> Loaded {
        let language = tag.parse::<LanguageIdentifier>().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![language]);
        // Texts that are written from right to left are isolated where they are filled in; others need no marks.
        bundle.set_use_isolating(false);
        // What of a file is broken is left out here and found by a test.
        let resource = FluentResource::try_new(text.to_owned()).unwrap_or_else(|(rest, _)| rest);
        bundle.add_resource_overriding(resource);
        let mark = |key| message(&bundle, key, None).unwrap_or_default();
        let marks = Marks { group: mark("format-group"), decimal: mark("format-decimal") };
        let own = marks.clone();
        // The name is taken once only: this is a new bundle.
        let _ = bundle.add_function("NUMBER", move |given, named| match given.first() {
            Some(FluentValue::Number(number)) => {
                let mut number = number.clone();
                number.options.merge(named);
                FluentValue::from(own.apply(&number.as_string()))
            }
            _ => FluentValue::Error,
        });
        Loaded { bundle, marks }
    }
}

/// The text of a key in one catalogue.
fn message(
    bundle: &FluentBundle<FluentResource>,
    key: &str,
    arguments: Option<&FluentArgs<'_>>,
) -> Option<String> {
    let pattern = bundle.get_message(key)?.value()?;
    let mut unknown = Vec::new();
    Some(bundle.format_pattern(pattern, arguments, &mut unknown).into_owned())
}

/// The console's words in one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    at: usize,
}

impl Words {
    /// The language of somebody: the one that they have set, else the first of their browser's that is spoken here.
    pub fn choose(setting: Option<&str>, accept_language: Option<&str>) -> Words {
        let set = setting.and_then(Words::of);
        let preferred = || format::by_preference(accept_language.unwrap_or_default()).find_map(Words::of);
        set.or_else(preferred).unwrap_or(Words { at: 0 })
    }

    /// The words of a language by its tag: `de`, `de-CH` and `DE` are the same.
    pub fn of(tag: &str) -> Option<Words> {
        let primary = tag.trim().split(['-', '_']).next().unwrap_or_default();
        let at = CATALOGUES.iter().position(|(known, _)| known.eq_ignore_ascii_case(primary))?;
        Some(Words { at })
    }

    /// Every language with its tag and its own name, for a choice.
    pub fn languages() -> impl Iterator<Item = (&'static str, String)> {
        (0..CATALOGUES.len()).map(|at| {
            let words = Words { at };
            (words.tag(), words.text("language-name"))
        })
    }

    /// The language's tag, for `lang`.
    pub fn tag(self) -> &'static str {
        CATALOGUES.get(self.at).map_or("en", |(tag, _)| tag)
    }

    /// The text of a key.
    pub fn text(self, key: &str) -> String {
        self.find(key, None)
    }

    /// The text of a key, completed with arguments: `words.with("form-errors", &[("count", 3.into())])`.
    pub fn with(self, key: &str, arguments: &[(&str, Argument<'_>)]) -> String {
        let arguments: FluentArgs<'_> =
            arguments.iter().map(|(name, value)| (*name, format::isolated(value))).collect();
        self.find(key, Some(&arguments))
    }

    fn find(self, key: &str, arguments: Option<&FluentArgs<'_>>) -> String {
        let own = LOADED.get(self.at).and_then(|loaded| message(&loaded.bundle, key, arguments));
        let first = || LOADED.first().and_then(|loaded| message(&loaded.bundle, key, arguments));
        own.or_else(first).unwrap_or_else(|| key.to_owned())
    }

    fn marks(self) -> Option<&'static Marks> {
        LOADED.get(self.at).map(|loaded| &loaded.marks)
    }
}
