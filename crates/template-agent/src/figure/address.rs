//! Numbers of houses: `Marktstraße 14`, `via Roma 12`, `14 Market Street`, `12 rue des Clercs`.
//!
//! What this is not: a reader of addresses. It is enough that nobody takes such a number for a figure.

use std::sync::LazyLock;

use crate::stance::lists;
use crate::tidy;

/// How many words of a street's name are between its number and the word for a street.
const MOST_NAME: usize = 4;

fn list(name: &str) -> Vec<&'static str> {
    lists::of(include_str!("streets.txt"), name)
}

/// How the names of streets end.
static ENDINGS: LazyLock<Vec<&'static str>> = LazyLock::new(|| list("ending"));
/// What the names of streets begin with, where the number follows them.
static BEFORE: LazyLock<lists::Set> = LazyLock::new(|| list("before").into());
/// What they end with, where the number is before them.
static BEHIND: LazyLock<lists::Set> = LazyLock::new(|| list("behind").into());
/// What they begin with, where the number is before them.
static NEAR: LazyLock<lists::Set> = LazyLock::new(|| list("near").into());

/// Whether a number between these texts is the number of a house.
pub fn is_house(before: &str, behind: &str) -> bool {
    is_behind_street(before) || is_before_street(behind)
}

fn is_behind_street(before: &str) -> bool {
    let mut words = before.trim_end_matches([' ', ',']).rsplit(' ').map(str::trim);
    let Some(last) = words.next() else { return false };
    let folded = tidy::folded(last);
    let is_name = |word: &str| word.starts_with(char::is_uppercase);
    if before.ends_with(' ') && is_name(last) && ENDINGS.iter().any(|end| folded.ends_with(end)) {
        return true;
    }
    // `Am Hang 22`, `via Roma 12`: only names, and small words between them.
    let is_street = |word: &str| {
        let folded = tidy::folded(word);
        BEFORE.has(&folded) && (word.len() > 3 || is_name(word) || word.ends_with(['.', '/']))
            || ["via", "rua", "rue"].contains(&folded.as_str())
    };
    let may_stand_between = |word: &&str| is_name(word) || tidy::length(word) <= 3;
    let mut others = words.take(MOST_NAME).skip_while(|word| !is_street(word) && may_stand_between(word));
    is_name(last) && others.next().is_some_and(is_street)
}

fn is_before_street(behind: &str) -> bool {
    let Some(behind) = behind.trim_start_matches(',').strip_prefix(' ') else { return false };
    let bare = |word: &str| tidy::folded(word.trim_end_matches([',', ';', ')']));
    let mut words = behind.split_whitespace();
    let Some(first) = words.next() else { return false };
    if NEAR.has(&bare(first)) {
        return words.next().is_some();
    }
    let is_name = |word: &str| word.starts_with(char::is_uppercase);
    let names = behind.split_whitespace().take_while(|word| is_name(word)).take(MOST_NAME);
    names.skip(1).any(|word| BEHIND.has(bare(word).trim_end_matches('.')) || BEHIND.has(&bare(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_houses_are_told_from_others() {
        for (before, behind) in [
            ("Unser Büro ist in der Marktstraße ", " in Essen"),
            ("Hauptstr. ", ""),
            ("Am Hang ", ""),
            ("Siamo in via Roma ", " a Pavia"),
            ("Calle Mayor ", ""),
            ("Rua do Almada ", ""),
            ("Havenstraat ", " in Breda"),
            ("Storgatan ", " i Malmö"),
            ("ul. Długa ", ""),
            ("We are at ", " Market Street in Hull"),
            ("Nous sommes au ", " rue des Clercs"),
        ] {
            assert!(is_house(before, behind), "{before}…{behind}");
        }
        for (before, behind) in [
            ("Our team of ", " Leeds fitters"),
            ("Seit zehn Jahren haben wir ", " Techniker"),
            ("In Berlin sind ", " Leute"),
            ("Ogni giorno ", " clienti"),
            ("On the way ", " people"),
            ("", " places at the table"),
        ] {
            assert!(!is_house(before, behind), "{before}…{behind}");
        }
    }
}
