//! The document that keeps the results, `RESULTS.md`: the machine, then one section after the other.
//!
//! A section is kept as soon as it was measured, so that a run that breaks off loses nothing, and a whole run needs neither hours nor the
//! disk for all databases at once. Invariant: all sections are of one machine; another machine's go when the first of this one comes.

use crate::machine::Description;

/// Where the document lies.
pub const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/RESULTS.md");

const HEAD: &str = "# Results\n\nWritten by `cargo x bench --save`, section by section. Ratios travel between machines; numbers do not.\n";

/// The mark before the name of a section.
const MARK: &str = "\n## ";

/// The lines about a machine that tell it from another one.
const OF_MACHINE: [&str; 2] = ["| Processor |", "| Memory |"];

/// The table about a machine, with its heading.
pub fn machine(lines: &Description) -> String {
    let lines = lines.iter().map(|(what, which)| format!("| {what} | {which} |\n"));
    format!("## Machine\n\n| | |\n|---|---|\n{}", lines.collect::<String>())
}

/// The document with a section, which begins with its heading, in the place that it has among these names.
pub fn with_section(document: &str, machine: &str, section: &str, names: &[&str]) -> String {
    let of_machine = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|line| OF_MACHINE.iter().any(|begin| line.starts_with(begin)))
            .map(str::to_owned)
            .collect()
    };
    let is_same = of_machine(document) == of_machine(machine);
    let kept = document.split(MARK).skip(1).filter(|_| is_same);
    let mut sections: Vec<&str> = kept.filter(|kept| name(kept) != name(bare(section))).collect();
    sections.push(bare(section));
    let rank = |section: &&str| names.iter().position(|known| *known == name(section));
    // Those that are measured no more have no rank.
    sections.retain(|section| rank(section).is_some());
    sections.sort_by_key(rank);
    let all = std::iter::once(bare(machine)).chain(sections);
    let texts = all.map(|section| format!("{MARK}{}\n", section.trim_end()));
    format!("{HEAD}{}", texts.collect::<String>())
}

/// A section without the mark before its name.
fn bare(section: &str) -> &str {
    section.strip_prefix(MARK.trim_start()).unwrap_or(section)
}

fn name(bare: &str) -> &str {
    bare.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 3] = ["First", "Second", "Third"];

    fn described(processor: &str, system: &str) -> String {
        machine(&vec![
            ("Processor", processor.to_owned()),
            ("Memory", "1 GiB".to_owned()),
            ("System", system.to_owned()),
        ])
    }

    fn names(document: &str) -> Vec<&str> {
        document.split(MARK).skip(1).map(name).collect()
    }

    #[test]
    fn a_section_takes_its_place_and_that_of_an_older_one() {
        let here = described("x", "old");
        let one = with_section("", &here, "## Third\n\n| 3 |\n", &NAMES);
        let two = with_section(&one, &here, "## First\n\n| 1 |\n", &NAMES);
        assert_eq!(names(&two), ["Machine", "First", "Third"]);
        let newer = with_section(&two, &described("x", "new"), "## Third\n\n| 33 |\n", &NAMES);
        assert_eq!(names(&newer), ["Machine", "First", "Third"]);
        assert!(newer.contains("| 33 |") && !newer.contains("| 3 |") && newer.contains("| 1 |"));
        assert!(newer.contains("| System | new |") && !newer.contains("| System | old |"));
        assert_eq!(with_section(&newer, &described("x", "new"), "## Third\n\n| 33 |\n", &NAMES), newer);
    }

    #[test]
    fn sections_of_another_machine_and_those_that_are_measured_no_more_go() {
        let document = with_section("", &described("x", "s"), "## First\n\n| 1 |\n", &NAMES);
        let elsewhere = with_section(&document, &described("y", "s"), "## Second\n\n| 2 |\n", &NAMES);
        assert_eq!(names(&elsewhere), ["Machine", "Second"]);
        let fewer = with_section(&document, &described("x", "s"), "## Third\n\n| 3 |\n", &NAMES[1..]);
        assert_eq!(names(&fewer), ["Machine", "Third"]);
    }
}
