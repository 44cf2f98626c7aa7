//! What the agent knows of a language: the words by which kinds of sentences are recognized, and the few phrases that it writes itself.
//!
//! One file per language in `lexicon/`; a new language is a new file and a tag in [`TAGS`]. All words are compared in the form of
//! [`crate::tidy::folded`]. Invariant: no phrase says anything about the product or the reader that might be wrong.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use serde::Deserialize;

use crate::words::{Groups, Matcher, Words};

/// A language's words and phrases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lexicon {
    /// What the agent writes by itself.
    pub phrases: Phrases,
    /// How sentences are built.
    pub grammar: Grammar,
    /// Numbers and what stands around them.
    pub numbers: Numbers,
    /// Signs of kinds of sentences.
    pub kinds: Kinds,
    /// Words for a tone that an instruction asks for.
    pub tone: Tone,
    /// Signs of instructions that the agent obeys.
    pub instructions: Instructions,
    /// How people ask, as they talk, to keep quiet about something.
    #[serde(default)]
    pub silence: Silence,
    /// Signs of what an audience cares about.
    pub concerns: Concerns,
    /// The lists that are features of the sentence model, all looked for at once; made when they are first needed.
    #[serde(skip)]
    pub classes: OnceLock<Groups>,
}

macro_rules! table {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }
    };
}

/// A table of texts that also gives all of them.
macro_rules! phrases {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident,)* }) => {
        table! { $(#[$meta])* $name { $($(#[$field_meta])* $field: String,)* } }

        impl $name {
            /// All of them.
            pub fn texts(&self) -> Vec<&str> {
                vec![$(self.$field.as_str(),)*]
            }
        }
    };
}

phrases! {
    /// Headings and short texts. `{first}` is the first name, `{name}` the whole one, `{company}` the company, `{audience}` who the
    /// page is for.
    Phrases {
        /// Above the title, for a person at a company.
        for_person_at,
        /// The same for a person or a company alone.
        for_one,
        /// The same for a kind of readers.
        for_audience,
        /// The same for a known person who comes by themselves.
        welcome,
        /// The title after a call.
        thanks,
        /// The title after a call with nobody known.
        thanks_all,
        /// Under that title.
        recap,
        /// Over what was talked about.
        talked,
        /// Over what comes next.
        next,
        /// Over what says who the company is.
        about,
        /// Over a few short facts.
        at_a_glance,
        /// Over figures.
        figures,
        /// Over features.
        features,
        /// Over the steps of a sequence.
        steps,
        /// Over systems that it works with.
        integrations,
        /// Over prices.
        prices,
        /// Over guarantees and certificates.
        guarantees,
        /// Over places and hours.
        places,
        /// Over customers, years and references.
        proof,
        /// Over questions and answers.
        questions,
        /// Over quotations.
        voices,
        /// Over what belongs nowhere else.
        more,
        /// The last words to visitors.
        closing,
        /// The last words to a person.
        closing_person,
        /// The last words after a call.
        closing_call,
        /// The last words of a deck.
        closing_deck,
        /// The title of a page about which nothing is known.
        fallback_title,
    }
}

table! {
    /// How sentences are built.
    Grammar {
        /// Between a name and what it is.
        is_a: Matcher,
        /// Between a name and what it does.
        does: Matcher,
        /// Those after which a noun phrase follows that can stand alone.
        supplies: Matcher,
        /// The company about itself.
        we: Words,
        /// One person who writes.
        #[serde(default)]
        i: Words,
        /// Whoever reads.
        you: Words,
        /// A reader who is a friend.
        #[serde(default)]
        familiar: Words,
        /// One who is not, as it is written within a sentence.
        #[serde(default)]
        polite: Vec<String>,
        /// Somebody else.
        third: Words,
        /// What follows the name of a kind of readers.
        who: Words,
        /// Articles.
        articles: Words,
        /// How a sentence begins that leans on the one before.
        leans: Matcher,
        /// What a sentence can lose at its beginning.
        openers: Matcher,
        /// Words before which a sentence can end early and still be one: prepositions and relative pronouns. Empty for languages
        /// whose verbs end the sentence.
        boundaries: Words,
        /// Whether every noun is written with a capital.
        #[serde(default)]
        capital_nouns: bool,
        /// Whether the verb comes before its subject where something else begins the sentence.
        #[serde(default)]
        inverts: bool,
        /// Whether a noun changes its form behind `we are`.
        #[serde(default)]
        declines: bool,
        /// How infinitives end, in languages that order by them.
        #[serde(default)]
        infinitives: Vec<String>,
        /// Whether a word that asks may stand anywhere in a question.
        #[serde(default)]
        asks_within: bool,
        /// How questions begin.
        asks: Words,
        /// What joins a quotation and its speaker.
        speech: Matcher,
    }
}

table! {
    /// Numbers and what stands around them.
    Numbers {
        /// Numbers in words.
        words: Matcher,
        /// What before a number belongs to it.
        about: Matcher,
        /// What behind a number belongs to it.
        units: Matcher,
        /// Between the two sides of a comparison.
        compared: Matcher,
        /// Signs of money that is a price.
        price: Matcher,
        /// Signs of money that is a result.
        saved: Matcher,
        /// Words before a number that is a name, a date or a law.
        not_figures: Matcher,
    }
}

table! {
    /// Signs of kinds of sentences.
    Kinds {
        /// Months, days and parts of days.
        times: Words,
        /// Short names of days, without those that are words by themselves. `mon-fri` is two of them.
        #[serde(default)]
        short_days: Words,
        /// How the first step begins.
        first: Matcher,
        /// How a later step begins.
        next: Matcher,
        /// How the last step begins.
        last: Matcher,
        /// Before a list of systems.
        integration: Matcher,
        /// Guarantees and certificates.
        guarantee: Matcher,
        /// Places and hours.
        place: Matcher,
        /// Customers, years and references.
        proof: Matcher,
        /// What the reader is asked to do.
        next_step: Matcher,
        /// Descriptions of the audience.
        audience: Matcher,
        /// Kinds of persons and organizations, in the plural.
        persons: Words,
        /// What is felt or wished by somebody who is not spoken to.
        #[serde(default)]
        feels: Matcher,
        /// Headings that are opposed to each other, the better side second. One that ends in `*` stands for all that begin so.
        #[serde(default)]
        sides: Vec<[String; 2]>,
        /// What is nobody's business but the writer's.
        private: Matcher,
        /// What stands in notes before the answer that the reader was given.
        #[serde(default)]
        answered: Matcher,
        /// Next steps and agreements in notes.
        agreed: Matcher,
        /// Words without a meaning of their own.
        empty: Words,
        /// More of them, which only tell the language.
        #[serde(default)]
        short: Words,
        /// Words that texts about anything have, between spaces.
        #[serde(default)]
        general: String,
    }
}

table! {
    /// Words for a tone.
    Tone {
        /// Last names, no first ones.
        formal: Matcher,
        /// First names.
        informal: Matcher,
    }
}

table! {
    /// Signs of instructions that the agent obeys.
    Instructions {
        /// Words of the business of writing: whoever uses them speaks to the writer.
        meta: Matcher,
        /// What a page is made of, as writers say it.
        #[serde(default)]
        artifacts: Matcher,
        /// How somebody asks for something.
        #[serde(default)]
        polite: Matcher,
        /// How a letter to the writer begins and ends.
        greetings: Matcher,
        /// Behind what is to be left out.
        left_out: Matcher,
        /// Before what is to be left out.
        leave_out: Matcher,
        /// Before what is to be stressed.
        stress: Matcher,
        /// Before the button that is wanted.
        button: Matcher,
        /// For a short page.
        short: Matcher,
        /// For a long page.
        long: Matcher,
        /// Names of languages.
        languages: BTreeMap<String, Vec<String>>,
    }
}

table! {
    /// How people ask, as they talk, to keep quiet about something.
    #[derive(Default)]
    Silence {
        /// Verbs of saying and writing.
        say: Matcher,
        /// Those of which what follows begins with a word such as `about`.
        talk: Matcher,
        /// What refuses.
        nothing: Matcher,
        /// What may stand between that and the verb.
        between: Matcher,
        /// `not only`, which refuses nothing.
        only: Matcher,
        /// What leads to a subject.
        about: Matcher,
        /// `keep` of `keep … out of it`.
        keep: Matcher,
        /// The end of that.
        out: Matcher,
        /// Verbs before `we`, behind what is meant: `lassen wir`, `pratar vi`.
        #[serde(default)]
        we_do: Matcher,
        /// What ends such a clause and refuses by itself: `weg`.
        #[serde(default)]
        away: Matcher,
        /// What asks for silence by itself.
        quiet: Matcher,
    }
}

table! {
    /// Signs of what an audience cares about.
    Concerns {
        /// Words of the same concern.
        related: Groups,
    }
}

macro_rules! languages {
    ($($tag:literal),*) => {
        /// The languages with a file.
        pub const TAGS: &[&str] = &[$($tag),*];

        /// The lexicon of a language, if there is one; it is read when it is first needed.
        pub fn of(tag: &str) -> Option<&'static Lexicon> {
            match tag {
                $($tag => {
                    static READ: LazyLock<Option<Lexicon>> =
                        LazyLock::new(|| toml::from_str(include_str!(concat!("lexicon/", $tag, ".toml"))).ok());
                    READ.as_ref()
                })*
                _ => None,
            }
        }
    };
}

languages!["en", "de", "fr", "es", "pt", "it", "nl", "pl", "sv", "ja", "zh", "ko", "ar", "he", "ru", "tr"];

/// A phrase with its names; nothing if it needs a name that is not there.
pub fn filled(phrase: &str, names: &[(&str, &str)]) -> Option<String> {
    let mut text = phrase.to_owned();
    for (mark, name) in names {
        if text.contains(mark) && name.is_empty() {
            return None;
        }
        text = text.replace(mark, name);
    }
    (!text.is_empty() && !text.contains('{')).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read() {
        for tag in TAGS {
            let lexicon = of(tag).unwrap_or_else(|| panic!("{tag}"));
            assert!(!format!("{:?}", lexicon.phrases).contains("\"\""), "{tag}");
            assert!(crate::headline::is_headline(&lexicon.phrases.fallback_title), "{tag}");
            assert!(crate::headline::is_headline(&lexicon.phrases.thanks_all), "{tag}");
        }
    }

    #[test]
    fn a_phrase_without_its_name_is_none() {
        assert_eq!(filled("Hello, {first}", &[("{first}", "Ann")]), Some("Hello, Ann".to_owned()));
        assert_eq!(filled("Hello, {first}", &[("{first}", "")]), None);
        assert_eq!(filled("Hello, {first}", &[]), None);
    }
}
