//! What a piece of text is: a number with its meaning, a quotation with its author, a titled point, rows of a table.
//!
//! What this is not: sure. Each test answers only for the clear cases; the rest stays text, which is never wrong.

use pagesmith_model::content::part::Testimonial;

use crate::outline::Grid;
use crate::rich::Rich;
use crate::stance::{self, label};
use crate::tidy;

mod number;

pub use number::stat;

/// What somebody said and who, by the lines of a paragraph; `marked` if it stands as a quotation.
pub fn voice(lines: &[Rich], marked: bool) -> Option<Testimonial> {
    let last = lines.last()?.plain().trim();
    if lines.len() > 1 && last.starts_with(['—', '–', '-', '―', '~']) {
        let said = Rich::joined(&lines[..lines.len() - 1]);
        let quote = unquoted(said.plain()).map_or(said.plain(), |(quote, _)| quote);
        let is_said = marked || quote.len() != said.plain().len();
        return if is_said { testimonial(quote, last) } else { None };
    }
    let all = Rich::joined(lines);
    if let Some((quote, rest)) = unquoted(all.plain()) {
        return testimonial(quote, rest);
    }
    let dash = [" — ", " – ", " ― ", "――"]
        .iter()
        .filter_map(|dash| all.plain().rfind(dash))
        .max()
        .filter(|_| marked)?;
    testimonial(&all.plain()[..dash], &all.plain()[dash..])
}

/// What stands between quotation marks at the text's start, and what follows.
fn unquoted(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let open = text.chars().next()?;
    let closing: &[char] = match open {
        '“' | '"' | '„' | '‟' => &['”', '"', '“'],
        '«' => &['»'],
        '»' => &['«'],
        '「' => &['」'],
        '『' => &['』'],
        '‘' => &['’'],
        _ => return None,
    };
    let inner = &text[open.len_utf8()..];
    let end = inner.rfind(|char| closing.contains(&char))?;
    let behind = inner[end..].chars().next().map_or(0, char::len_utf8);
    Some((inner[..end].trim(), inner[end + behind..].trim()))
}

fn testimonial(quote: &str, attribution: &str) -> Option<Testimonial> {
    let is_mark = |char: char| char.is_whitespace() || "—–-―~,:(（・".contains(char);
    let who = attribution.trim_start_matches(is_mark).trim_end_matches([')', '）', '.', ' ']);
    let who = who.strip_prefix("said ").or_else(|| who.strip_prefix("says ")).unwrap_or(who);
    let (author, role) = who.split_once([',', '，', '、', '|', '（', '(', '،']).unwrap_or((who, ""));
    let (author, role) = (author.trim(), role.trim().trim_end_matches([')', '）']));
    let quote = tidy::one_line(quote.trim().trim_matches(['"', '“', '”', '„']));
    let fits = (2..=80).contains(&tidy::length(author))
        && author.split_whitespace().count() <= 6
        && author.chars().any(char::is_alphabetic)
        && !author.contains(['.', '?', '!']) | author.contains(". ") | author.ends_with('.')
        && tidy::says_something(&quote)
        && tidy::length(role) <= 200
        && stance::is_copy(&quote)
        && stance::is_copy(author);
    fits.then(|| Testimonial {
        quote: tidy::fit(&quote, 700),
        author: author.to_owned(),
        role: (!role.is_empty()).then(|| role.to_owned()),
        picture: None,
    })
}

/// A point with a title of its own: `**Fast** – it is`, `Fast: it is`.
pub fn titled(line: &Rich) -> Option<(String, Rich)> {
    let plain = line.plain();
    let end = match line.markdown().strip_prefix("**").and_then(|rest| rest.split_once("**")) {
        Some((strong, _)) if !strong.contains('\\') && !strong.contains('[') && plain.starts_with(strong) => {
            strong.len()
        }
        _ => match label::split(plain) {
            Some((name, _)) => name.len(),
            None => [" – ", " — ", " - "].iter().filter_map(|dash| plain.find(dash)).min()?,
        },
    };
    let title = plain[..end].trim().trim_end_matches([':', '.', '：', ',']);
    let rest = plain[end..].trim_start_matches(|char: char| char.is_whitespace() || ":：–—-.".contains(char));
    let size = tidy::length(title);
    let is_title =
        (2..=70).contains(&size) && title.split_whitespace().count() <= 9 && tidy::says_something(title);
    is_title.then(|| (tidy::capital(title), line.after(plain.len() - rest.len())))
}

/// A table out of lines with the same separators, the first of them its head.
pub fn grid(lines: &[Rich]) -> Option<Grid> {
    if lines.len() < 3 || lines.len() > 200 {
        return None;
    }
    let separator = ['\t', ';', '|', ','].into_iter().find(|mark| {
        let count = |line: &Rich| line.plain().matches(*mark).count();
        let first = count(&lines[0]);
        let least = if *mark == ',' { 2 } else { 1 };
        first >= least && first < 12 && lines.iter().all(|line| count(line) == first)
    })?;
    let row = |line: &Rich| {
        line.plain().split(separator).map(|cell| cell.trim().trim_matches('"').to_owned()).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = lines.iter().map(row).collect();
    let is_cells =
        rows.iter().flatten().all(|cell| tidy::length(cell) <= 60 && !cell.ends_with(['.', '!', '?']));
    let mut rows = rows.into_iter();
    let columns = rows.next()?;
    (is_cells && columns.iter().all(|name| !name.is_empty())).then(|| Grid { columns, rows: rows.collect() })
}

/// Whether a text is a question.
pub fn is_question(text: &str) -> bool {
    let text = text.trim().trim_end_matches(['*', '"', '”', '」']);
    text.ends_with(['?', '？', '؟']) && (6..=300).contains(&tidy::length(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_have_an_author() {
        let of = |lines: &[&str], marked| {
            let lines: Vec<Rich> = lines.iter().map(|line| Rich::of(line)).collect();
            voice(&lines, marked).map(|found| (found.quote, found.author, found.role))
        };
        let dana = Some((
            "I went home at five.".to_owned(),
            "Dana Reyes".to_owned(),
            Some("CFO at Holloway".to_owned()),
        ));
        assert_eq!(of(&["“I went home at five.” — Dana Reyes, CFO at Holloway"], false), dana);
        assert_eq!(of(&["I went home at five.", "— Dana Reyes, CFO at Holloway"], true), dana);
        assert_eq!(of(&["\"I went home at five.\" (Dana Reyes, CFO at Holloway)"], false), dana);
        assert_eq!(
            of(&["「早く帰れました。」――田中太郎、経理部長"], false),
            Some(("早く帰れました。".to_owned(), "田中太郎".to_owned(), Some("経理部長".to_owned())))
        );
        assert_eq!(of(&["“Nobody said it.”"], true), None);
        assert_eq!(of(&["Plain text — with a dash"], false), None);
    }

    #[test]
    fn points_have_titles() {
        let mut line = Rich::default();
        line.push_mark("**");
        line.push_text("One audit trail");
        line.push_mark("**");
        line.push_text(": every change has a name.");
        assert_eq!(titled(&line), Some(("One audit trail".to_owned(), Rich::of("every change has a name."))));
        assert_eq!(titled(&Rich::of("Fast – it is")), Some(("Fast".to_owned(), Rich::of("it is"))));
        assert_eq!(titled(&Rich::of("No title in here")), None);
    }

    #[test]
    fn rows_with_the_same_separators_are_a_table() {
        let lines: Vec<Rich> = ["Plan;Price", "Small;9 €", "Large;29 €"].map(Rich::of).to_vec();
        let found = grid(&lines).unwrap();
        assert_eq!((found.columns, found.rows.len()), (vec!["Plan".to_owned(), "Price".to_owned()], 2));
        let prose: Vec<Rich> = ["We, the bakers, bake.", "You, the guests, eat.", "They, the birds, wait."]
            .map(Rich::of)
            .to_vec();
        assert_eq!(grid(&prose), None);
    }
}
