//! The words by which an instruction is known, in small letters; they are in `words.txt`, list by list, each between two bars.
//!
//! What this is not: complete. A new one is a word there and a line in the corpus beside it.

use std::sync::LazyLock;

use super::lists::{self, Beginnings, PhraseSet, Set};

macro_rules! words {
    ($($(#[$meta:meta])* $name:ident: $type:ty,)*) => {
        /// The lists.
        #[derive(Debug)]
        pub struct Words {
            $($(#[$meta])* pub $name: $type,)*
        }

        static WORDS: LazyLock<Words> = LazyLock::new(|| {
            let text = include_str!("words.txt");
            Words { $($name: lists::of(text, stringify!($name)).into(),)* }
        });
    };
}

words! {
    /// Parts of texts that speak to a program.
    injections: Vec<&'static str>,
    /// What politeness and connection put before an order.
    manners: Beginnings,
    /// What may be before the kind of a page.
    articles: Beginnings,
    /// Kinds of pages, as operators call them.
    page_kinds: Beginnings,
    /// What joins a page and its subject.
    about: Set,
    /// Parts and qualities of a page that only its writer speaks of.
    page_words: Set,
    /// How a text can be.
    style_words: Set,
    /// Who a writer is told to speak to.
    readers: Set,
    /// What must be.
    musts: Set,
    /// How a wish about the page begins.
    wishes: Beginnings,
    /// Orders that only a writer gets.
    always_orders: Set,
    /// What a writer is told not to do.
    not_orders: Set,
    /// Orders that a reader may get too: the rest of the sentence tells.
    orders: Set,
    /// What a writer avoids.
    avoided: Set,
    /// How orders begin in other languages.
    starts_elsewhere: Beginnings,
    /// How orders end in languages that put the verb there, and signs of orders in scripts without capitals.
    ends_elsewhere: Vec<&'static str>,
    /// What is before the subject in a request for a page.
    subjects: PhraseSet,
    /// What no longer belongs to the subject.
    subject_ends: Vec<&'static str>,
    /// What is before something that is not to be mentioned.
    unwanted: PhraseSet,
    /// Who is meant by an order that is not for them.
    someone: Set,
    /// What follows `write` when a writer is told to.
    written: Set,
    /// Marks, in capitals, of what is still to be written.
    unfinished: Vec<&'static str>,
}

/// All lists.
pub fn all() -> &'static Words {
    &WORDS
}
