//! What an audience is called if nobody has named it: the person or account, else the first words of what is known of it, up to
//! the end of a sentence.
//!
//! Invariant: a name is one line without marks of Markdown, never empty, of at most [`LONGEST`] characters.

/// The greatest length of a name made of a context, in characters.
pub const LONGEST: usize = 60;

/// How many words of a context make a name.
const WORDS: usize = 8;

/// The name made of a context; `None` if it has no word.
pub fn from_context(context: &str) -> Option<String> {
    let line = context.lines().map(plain).find(|line| line.chars().any(char::is_alphanumeric))?;
    let mut name = String::new();
    for word in line.split_whitespace().take(WORDS) {
        let length = name.chars().count() + usize::from(!name.is_empty());
        if length + word.chars().count() > LONGEST {
            if name.is_empty() {
                name.extend(word.chars().take(LONGEST));
            }
            break;
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
        if word.ends_with(['.', '!', '?']) && name.contains(' ') {
            break;
        }
    }
    let name = name.trim_end_matches(['.', ',', ';', ':', '-', '–', '—']);
    (!name.is_empty()).then(|| name.to_owned())
}

/// The name of an audience of which nothing is known: its place among those of the page.
pub fn from_place(place: u64) -> String {
    format!("Audience {place}")
}

/// A line without what Markdown and HTML add to its words.
fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut in_tag = false;
    for char in line.trim_start_matches(['#', '>', '-', '*', '+', ' ', '\t']).chars() {
        match char {
            '<' => in_tag = true,
            '>' if in_tag => in_tag = false,
            '*' | '_' | '`' | '~' | '[' | ']' | '|' => {}
            _ if in_tag => {}
            char if char.is_control() => plain.push(' '),
            char => plain.push(char),
        }
    }
    plain.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_first_words_make_the_name() {
        for (context, name) in [
            ("Series B fintechs in Berlin. They buy anvils.", "Series B fintechs in Berlin"),
            ("# **Plant managers**\n\nof the north", "Plant managers"),
            ("\n\n  - first point,", "first point"),
            ("<p>Hello <b>world</b></p>", "Hello world"),
            ("---\n***\nWords at last", "Words at last"),
            ("x", "x"),
            ("日本の製造業", "日本の製造業"),
        ] {
            assert_eq!(from_context(context).as_deref(), Some(name), "{context}");
        }
        for nothing in ["", "---", "<p></p>", "\n\n"] {
            assert_eq!(from_context(nothing), None, "{nothing}");
        }
        assert_eq!(from_context(&"w".repeat(500)).unwrap().len(), LONGEST);
    }

    proptest! {
        #[test]
        fn every_name_is_a_short_line(context in "(\\PC|[\\n#*<> ]){0,300}") {
            if let Some(name) = from_context(&context) {
                prop_assert!(!name.trim().is_empty());
                prop_assert!(name.chars().count() <= LONGEST && !name.contains('\n'));
            }
        }
    }
}
