//! The words by which an instruction is known, in small letters; they stand in `words.txt`, list by list, each between two bars.
//!
//! What this is not: complete. A new one is a word there and a line in the corpus beside it.

use std::sync::LazyLock;

use super::lists;

macro_rules! words {
    ($($(#[$meta:meta])* $name:ident,)*) => {
        /// The lists.
        #[derive(Debug)]
        pub struct Words {
            $($(#[$meta])* pub $name: Vec<&'static str>,)*
        }

        static WORDS: LazyLock<Words> = LazyLock::new(|| {
            let text = include_str!("words.txt");
            Words { $($name: lists::of(text, stringify!($name)),)* }
        });
    };
}

words! {
    /// Parts of texts that speak to a program.
    injections,
    /// What politeness and connection put before an order.
    manners,
    /// What may stand before the kind of a page.
    articles,
    /// Kinds of pages, as operators call them.
    page_kinds,
    /// What joins a page and its subject.
    about,
    /// Parts and qualities of a page that only its writer speaks of.
    page_words,
    /// How a text can be.
    style_words,
    /// Who a writer is told to speak to.
    readers,
    /// What must be.
    musts,
    /// How a wish about the page begins.
    wishes,
    /// Orders that only a writer gets.
    always_orders,
    /// What a writer is told not to do.
    not_orders,
    /// Orders that a reader may get too: the rest of the sentence tells.
    orders,
    /// What a writer avoids.
    avoided,
    /// How orders begin in other languages.
    starts_elsewhere,
    /// How orders end in languages that put the verb there, and signs of orders in scripts without capitals.
    ends_elsewhere,
    /// What stands before the subject in a request for a page.
    subjects,
    /// What no longer belongs to the subject.
    subject_ends,
    /// What stands before something that is not to be mentioned.
    unwanted,
    /// Who is meant by an order that is not for them.
    someone,
    /// What follows `write` when a writer is told to.
    written,
    /// Marks, in capitals, of what is still to be written.
    unfinished,
}

/// All lists.
pub fn all() -> &'static Words {
    &WORDS
}
