//! The bars that the editor holds on the public set of requests, and that the documentation tells what it scores.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::set::{cases, files, pages, score};

/// What a file of requests comes to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    all: usize,
    exact: usize,
    collateral: usize,
    valid: usize,
    undone: usize,
    /// Those that must be asked about, and those that are.
    ambiguous: (usize, usize),
    /// Those that cannot be done, and those that are refused.
    impossible: (usize, usize),
}

fn count(file: &str) -> Counts {
    let pages = pages();
    let mut counts = Counts::default();
    for case in cases(file) {
        let (score, reply) = score(&pages[&case.page], &case);
        counts.all += 1;
        counts.exact += usize::from(score.exact);
        counts.collateral += usize::from(score.collateral);
        counts.valid += usize::from(score.valid);
        counts.undone += usize::from(score.undone);
        let first = case.expected[0].split(' ').next().unwrap();
        let of = match first {
            "ask" => Some(&mut counts.ambiguous),
            "refuse" => Some(&mut counts.impossible),
            _ => None,
        };
        if let Some((all, kept)) = of {
            *all += 1;
            *kept += usize::from(score.exact);
        }
        if !score.exact || score.collateral || !score.undone {
            let edits: Vec<_> =
                reply.edits.iter().map(|edit| serde_json::to_string(&edit.operation).unwrap()).collect();
            eprintln!(
                "{}: {} => {:?}\n    {score:?} {:?} {:?} {}",
                case.page,
                case.message,
                case.expected,
                reply.outcome,
                reply.text,
                edits.join("\n    ")
            );
        }
    }
    eprintln!("{file}: {counts:?}");
    counts
}

fn holds_the_bars(counts: &Counts) {
    assert!(counts.exact * 10 >= counts.all * 9, "{counts:?}");
    leaves_the_rest_alone(counts);
}

/// The bars that have no exceptions.
fn leaves_the_rest_alone(counts: &Counts) {
    assert_eq!((counts.collateral, counts.valid, counts.undone), (0, counts.all, counts.all), "{counts:?}");
}

#[test]
fn known_requests_are_carried_out() {
    holds_the_bars(&count("known.txt"));
}

#[test]
fn requests_in_other_words_are_carried_out() {
    holds_the_bars(&count("rephrased.txt"));
}

#[test]
fn requests_of_strangers_are_carried_out() {
    for file in ["stranger-1.txt", "stranger-2.txt"] {
        holds_the_bars(&count(file));
    }
}

#[test]
fn of_the_requests_of_a_third_stranger_none_is_misunderstood() {
    let counts = count("stranger-3.txt");
    leaves_the_rest_alone(&counts);
    assert!(counts.exact * 4 >= counts.all * 3, "{counts:?}");
}

#[test]
fn what_was_once_misunderstood_is_not_again() {
    let counts = count("found.txt");
    assert_eq!((counts.exact, counts.collateral), (counts.all, 0), "{counts:?}");
}

#[test]
fn pictures_questions_figures_and_quotations_are_changed_in_french_and_spanish() {
    holds_the_bars(&count("more-languages.txt"));
}

/// The documentation of the set.
fn documentation() -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/design/conversation.md");
    std::fs::read_to_string(path).unwrap()
}

/// What its table says that files score now: the cells behind their names.
fn documented(text: &str) -> BTreeMap<String, Vec<String>> {
    let rows = text.lines().filter(|line| line.starts_with("| `") && line.contains(".txt`"));
    let rows = rows.filter(|line| !line.contains("first score"));
    rows.map(|line| {
        let mut cells = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned());
        let file = cells.next().unwrap().split('`').nth(1).unwrap().to_owned();
        (file, cells.collect())
    })
    .collect()
}

#[test]
fn the_documentation_tells_what_the_editor_scores() {
    let documented = documented(&documentation());
    for file in [
        "known.txt",
        "rephrased.txt",
        "stranger-1.txt",
        "stranger-2.txt",
        "stranger-3.txt",
        "more-languages.txt",
    ] {
        assert!(
            documented.contains_key(file),
            "docs/design/conversation.md does not say what {file} scores now"
        );
    }
    for (file, told) in documented {
        let counts = count(&file);
        let of = |(all, kept): (usize, usize)| format!("{kept} of {all}");
        let single = [counts.all, counts.exact, counts.collateral, counts.valid, counts.undone];
        let mut cells = single.map(|count| count.to_string()).to_vec();
        cells.extend([of(counts.ambiguous), of(counts.impossible)]);
        assert_eq!(told, cells, "docs/design/conversation.md does not say what {file} scores now");
    }
}

#[test]
fn the_documentation_tells_how_many_requests_there_are() {
    let count: usize = files().iter().map(|file| cases(file).len()).sum();
    let told = format!("has {count} requests about");
    assert!(documentation().contains(&told), "docs/design/conversation.md does not say: {told}");
}
