//! Two sides that are set against each other: before and after, without and with, others and us.

use pagesmith_model::content::component::Component;

use crate::blocks;
use crate::lexicon::Lexicon;
use crate::material::{Chapter, ChapterPiece};
use crate::outline::Grid;
use crate::rich::Rich;
use crate::tidy;

/// The most points of a side.
const MOST: usize = 12;

/// A heading and what is under it.
type ComparisonSide = (String, Vec<String>);

/// The two columns of a table as sides.
pub fn of_grid(title: &mut Option<String>, grid: &Grid, lexicon: &Lexicon) -> Option<Component> {
    let [one, other] = grid.columns.as_slice() else { return None };
    if !(2..=MOST).contains(&grid.rows.len()) {
        return None;
    }
    let column = |at: usize| -> Vec<String> {
        grid.rows.iter().filter_map(|row| row.get(at)).filter(|cell| !cell.is_empty()).cloned().collect()
    };
    let sides = in_order((one.clone(), column(0)), (other.clone(), column(1)), lexicon)?;
    comparison(title, sides)
}

/// Two points with a title each as sides.
pub fn of_cards(
    title: &mut Option<String>,
    cards: &[(String, Rich)],
    lexicon: &Lexicon,
) -> Option<Component> {
    let [one, other] = cards else { return None };
    let side = |(name, text): &(String, Rich)| (name.clone(), vec![text.plain().to_owned()]);
    let sides = in_order(side(one), side(other), lexicon)?;
    comparison(title, sides)
}

/// Takes chapters out that follow each other and are the two sides of something.
pub fn take_pairs(chapters: &mut Vec<Chapter>, lexicon: &Lexicon) -> Vec<Component> {
    let mut found = Vec::new();
    let mut at = 0;
    while at + 1 < chapters.len() {
        let sides = side_of(&chapters[at]).zip(side_of(&chapters[at + 1]));
        let block = sides
            .and_then(|(one, other)| in_order(one, other, lexicon))
            .and_then(|sides| comparison(&mut None, sides));
        match block {
            Some(block) => {
                chapters.drain(at..at + 2);
                found.push(block);
            }
            None => at += 1,
        }
    }
    found
}

fn side_of(chapter: &Chapter) -> Option<ComparisonSide> {
    let title = chapter.title.clone()?;
    match chapter.pieces.as_slice() {
        [ChapterPiece::List(facts) | ChapterPiece::Facts(facts)] => {
            Some((title, facts.iter().map(|fact| fact.text.plain().to_owned()).collect()))
        }
        _ => None,
    }
}

/// The two sides, the better one behind; nothing if their headings are not opposed to each other.
fn in_order(one: ComparisonSide, other: ComparisonSide, lexicon: &Lexicon) -> Option<[ComparisonSide; 2]> {
    let (first, second) = (name(&one.0), name(&other.0));
    let opposes = |worse: &str, better: &str| {
        lexicon.kinds.sides.iter().any(|[before, after]| is(worse, before) && is(better, after))
    };
    if opposes(&first, &second) {
        return Some([one, other]);
    }
    opposes(&second, &first).then_some([other, one])
}

/// A heading as it is compared.
fn name(heading: &str) -> String {
    let is_word = |char: char| char.is_alphanumeric();
    tidy::folded(heading).trim_matches(|char| !is_word(char)).to_owned()
}

/// Whether a heading is this entry; one that ends in `*` stands for everything that begins so.
fn is(heading: &str, entry: &str) -> bool {
    entry.strip_suffix('*').map_or(heading == entry, |begin| heading.starts_with(begin))
}

/// The block, under the title; the title is kept if there is none.
fn comparison(title: &mut Option<String>, sides: [ComparisonSide; 2]) -> Option<Component> {
    let has_points = sides.iter().all(|(_, points)| (1..=MOST).contains(&points.len()));
    has_points.then(|| blocks::comparison(title.take(), sides))
}

#[cfg(test)]
mod tests {
    use pagesmith_model::content::component::Component;

    use super::*;
    use crate::lexicon;

    fn english() -> &'static Lexicon {
        lexicon::of("en").unwrap()
    }

    fn grid(columns: &[&str], rows: &[[&str; 2]]) -> Grid {
        Grid {
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            rows: rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect(),
        }
    }

    /// The headings and points of a comparison.
    fn columns(block: Option<Component>) -> Option<Vec<(String, Vec<String>)>> {
        let Some(Component::Comparison(block)) = block else { return None };
        Some(block.columns.into_iter().map(|column| (column.title, column.points)).collect())
    }

    const ROWS: &[[&str; 2]] = &[["Two days of paper", "An hour online"], ["Lost forms", ""]];

    #[test]
    fn a_table_of_two_opposed_columns_becomes_a_comparison_with_the_better_side_last() {
        let worse = ["Two days of paper", "Lost forms"].map(str::to_owned).to_vec();
        let better = vec!["An hour online".to_owned()];
        for (names, is_swapped) in [
            (["Before", "After"], false),
            (["Without Rostra", "With Rostra"], false),
            (["Others", "Us"], false),
            (["With us", "Without"], true),
        ] {
            let found = columns(of_grid(&mut None, &grid(&names, ROWS), english()));
            let found = found.unwrap_or_else(|| panic!("{names:?}"));
            let shown: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
            if is_swapped {
                assert_eq!(shown, [names[1], names[0]]);
            } else {
                assert_eq!(shown, names);
                assert_eq!([&found[0].1, &found[1].1], [&worse, &better]);
            }
        }
    }

    #[test]
    fn other_tables_stay_tables() {
        for names in [
            ["Day", "Hours"],
            ["Before your visit", "After your visit"],
            ["After", "Hours"],
            ["With", "Without"],
        ] {
            assert_eq!(of_grid(&mut None, &grid(&names, ROWS), english()), None, "{names:?}");
        }
        let one_side = &[["Two days", ""], ["Lost forms", ""]];
        assert_eq!(of_grid(&mut None, &grid(&["Before", "After"], one_side), english()), None);
        let long = vec![["a", "b"]; MOST + 1];
        assert_eq!(of_grid(&mut None, &grid(&["Before", "After"], &long), english()), None);
    }

    #[test]
    fn the_heading_of_what_is_no_comparison_is_kept() {
        let mut title = Some("Opening hours".to_owned());
        assert_eq!(of_grid(&mut title, &grid(&["Day", "Hours"], ROWS), english()), None);
        assert_eq!(title.as_deref(), Some("Opening hours"));
    }

    #[test]
    fn every_side_of_every_language_can_be_found() {
        for tag in lexicon::TAGS {
            let lexicon = lexicon::of(tag).unwrap();
            for [worse, better] in &lexicon.kinds.sides {
                let heading = |entry: &str| entry.replace('*', "Rostra");
                let sides = in_order((heading(better), vec![]), (heading(worse), vec![]), lexicon);
                let [first, _] = sides.unwrap_or_else(|| panic!("{tag}: {worse} {better}"));
                assert_eq!(first.0, heading(worse), "{tag}");
            }
        }
    }
}
