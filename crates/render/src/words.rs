//! The few words on pages that are ours, in the page's own language where we speak it.
//!
//! A language is a file below `words` that holds all of them, and its line in the list of `languages!` beside its `mod`. They are statics: the
//! compiler sees what a language leaves out, and nothing is read or copied to draw a page.

mod ar;
mod ask;
mod bg;
mod cs;
mod da;
mod de;
mod el;
mod en;
mod es;
mod fi;
mod form;
mod fr;
mod he;
mod hr;
mod hu;
mod id;
mod it;
mod ja;
mod ko;
mod nb;
mod nl;
mod pl;
mod pt;
mod ro;
mod ru;
mod sk;
mod sv;
#[cfg(test)]
mod tests;
mod tr;
mod uk;
mod vi;
mod zh;

pub(crate) use ask::AskWords;
pub(crate) use form::FormWords;

/// All words of a language.
#[derive(Debug)]
struct Spoken {
    tag: &'static str,
    /// Other tags that name it.
    also: &'static [&'static str],
    words: &'static Words,
    ask: &'static AskWords,
    form: &'static FormWords,
}

/// Lists languages by their tags, with other tags that name them. The first speaks where no other does.
macro_rules! languages {
    ($first:ident, $($tag:ident $(($($also:literal),+))?,)+) => {
        static FIRST: Spoken = languages!(@ $first);
        static OTHERS: &[Spoken] = &[$(languages!(@ $tag $($($also)+)?)),+];
    };
    (@ $tag:ident $($also:literal)*) => {
        Spoken { tag: stringify!($tag), also: &[$($also),*], words: &$tag::WORDS, ask: &$tag::ASK, form: &$tag::FORM }
    };
}

languages! {
    en,
    ar,
    bg,
    cs,
    da,
    de,
    el,
    es,
    fi,
    fr,
    he,
    hr,
    hu,
    id,
    it,
    ja,
    ko,
    nb ("no", "nn"),
    nl,
    pl,
    pt,
    ro,
    ru,
    sk,
    sv,
    tr,
    uk,
    vi,
    zh,
}

impl Spoken {
    /// What is spoken on a page with a BCP 47 tag: only the language counts, not where it is spoken or how it is written.
    fn on(tag: &str) -> &'static Spoken {
        let language = tag.split('-').next().unwrap_or_default();
        let is_meant = |spoken: &&Spoken| {
            let tags = std::iter::once(&spoken.tag).chain(spoken.also);
            tags.into_iter().any(|tag| tag.eq_ignore_ascii_case(language))
        };
        OTHERS.iter().find(is_meant).unwrap_or(&FIRST)
    }

    #[cfg(test)]
    fn all() -> impl Iterator<Item = &'static Spoken> {
        std::iter::once(&FIRST).chain(OTHERS)
    }
}

/// The tags of all languages.
#[cfg(test)]
pub(crate) fn tags() -> impl Iterator<Item = &'static str> {
    Spoken::all().map(|spoken| spoken.tag)
}

/// What is said around a page's content.
#[derive(Debug)]
pub(crate) struct Words {
    /// What is between a name and what is said of it.
    pub colon: &'static str,
    pub skip: &'static str,
    pub navigation: &'static str,
    pub footer: &'static str,
    pub preview: &'static str,
    preview_says: &'static str,
    pub table: &'static str,
    pub quotes: &'static str,
    pub previous: &'static str,
    pub next: &'static str,
    pub pause: &'static str,
    pub play: &'static str,
    pub watch: &'static str,
    pub show_text: &'static str,
    pub copied: &'static str,
    pub close: &'static str,
    pub consent: &'static str,
    pub consent_why: &'static str,
    pub accept: &'static str,
    pub decline: &'static str,
    pub change: &'static str,
    pub not_found: (&'static str, &'static str),
    pub gone: (&'static str, &'static str),
    pub not_published: (&'static str, &'static str),
    pub unavailable: (&'static str, &'static str),
    pub preview_expired: (&'static str, &'static str),
    pub link_expired: (&'static str, &'static str),
}

impl Words {
    /// The words for a language, with the tag of the language that they are in.
    pub fn of(language: &str) -> (&'static Words, &'static str) {
        let spoken = Spoken::on(language);
        (spoken.words, spoken.tag)
    }

    /// What the strip above a preview says: the minute is enough.
    pub fn preview_until(&self, number: i64, until: &str) -> String {
        let minute = until.get(..16).unwrap_or(until).replace('T', " ");
        let until = format!("{minute} UTC");
        self.preview_says.replace("{number}", &number.to_string()).replace("{until}", &until)
    }
}
