//! Titles: what a document is called.

/// How many characters a title has at most.
const LONGEST: usize = 1_000;
/// How many characters a heading has at most that is a title.
const LONGEST_HEADING: usize = 200;

/// What programs call a document that nobody has given a title, in lower case.
const DEFAULTS: [&str; 6] = [
    "untitled",
    "unbenannt",
    "powerpoint presentation",
    "powerpoint-präsentation",
    "présentation powerpoint",
    "presentación de powerpoint",
];

/// The title that a document gives itself, if it says something.
pub(crate) fn usable(text: &str) -> Option<String> {
    let title = tidy(text, LONGEST);
    let lower = title.to_lowercase();
    // Printers put the program and the name of a file there.
    let is_default = DEFAULTS.contains(&lower.as_str()) || lower.starts_with("microsoft ");
    (!title.is_empty() && !is_default).then_some(title)
}

/// The first heading of a text.
pub(crate) fn of_text(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let rest =
            line.get(level..).filter(|rest| (1..=6).contains(&level) && rest.starts_with([' ', '\t']))?;
        let heading = tidy(rest.trim().trim_end_matches('#'), LONGEST_HEADING);
        (!heading.is_empty()).then_some(heading)
    })
}

/// A text on one line, cut.
pub(crate) fn tidy(text: &str, most: usize) -> String {
    let line = text.replace(char::is_control, " ");
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_that_a_program_gave_is_none() {
        for (text, expected) in [
            ("  Prices\n2026 ", Some("Prices 2026")),
            ("Microsoft Word - offer.doc", None),
            ("PowerPoint Presentation", None),
            ("", None),
            ("\0", None),
        ] {
            assert_eq!(usable(text).as_deref(), expected, "{text}");
        }
        assert_eq!(usable(&"ä".repeat(2_000)).unwrap().chars().count(), LONGEST);
    }

    #[test]
    fn the_first_heading_of_a_text_is_its_title() {
        for (text, expected) in [
            ("Words\n\n## Prices ##\n# Later", Some("Prices")),
            ("#hashtag\n####### seven", None),
            ("# \n## Two", Some("Two")),
            ("no heading", None),
        ] {
            assert_eq!(of_text(text).as_deref(), expected, "{text}");
        }
    }
}
