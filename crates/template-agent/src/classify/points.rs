//! What is in a line or a list by its form: a titled point, a quotation with its speaker, rows of a table, a question.

use pagesmith_model::content::part::Testimonial;

use crate::outline::Grid;
use crate::rich::Rich;
use crate::stance::label;
use crate::tidy;

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

/// Whether the last line of a paragraph is who said the rest: a dash leads to it, or all the rest is between quotation marks.
pub fn ends_in_speaker(lines: &[Rich]) -> bool {
    /// The most words of who says something.
    const MOST: usize = 10;
    let Some((last, said)) = lines.split_last().filter(|(_, said)| !said.is_empty()) else { return false };
    let who = last.plain().trim();
    let is_who = who.split_whitespace().count() <= MOST && !who.ends_with(['.', '?', '!', ':']);
    who.starts_with(['—', '–', '―', '~', '-'])
        || is_who && !who.starts_with(char::is_lowercase) && is_quoted(&Rich::joined(said))
}

/// Whether a line is nothing but what somebody else says.
pub fn is_quoted(line: &Rich) -> bool {
    let plain = line.plain().trim();
    plain.len() > 2 && plain.starts_with(['"', '“', '„', '«']) && plain.ends_with(['"', '”', '“', '»'])
}

/// What somebody said and who, by the lines of a paragraph that stands as a quotation.
pub fn quotation_block(lines: &[Rich]) -> Option<Testimonial> {
    let all = Rich::joined(lines);
    if let [found] = super::quotation::quotations(all.plain(), None).as_slice() {
        return Some(found.testimonial.clone());
    }
    let (said, who) = if ends_in_speaker(lines) {
        let said = Rich::joined(&lines[..lines.len() - 1]);
        (said.plain().to_owned(), lines.last()?.plain().to_owned())
    } else {
        // `« … » Oksana, aide-soignante`: a mark closes what is said, and a dash leads to who said it.
        let close = all.plain().rfind(['»', '”']).map(|at| at + '»'.len_utf8().max('”'.len_utf8()));
        let close = close.map(|at| all.plain().floor_char_boundary(at)).filter(|at| *at < all.plain().len());
        let dash = [" — ", " – ", " ― ", "――"].iter().filter_map(|dash| all.plain().rfind(dash)).max();
        let at = dash.or(close)?;
        (all.plain()[..at].to_owned(), all.plain()[at..].to_owned())
    };
    let who = who.trim_start_matches(|char: char| char.is_whitespace() || "—–-―~".contains(char));
    let (author, role) = who.split_once([',', '，', '、', '|', '（', '(']).unwrap_or((who, ""));
    let (author, role) = (author.trim(), role.trim().trim_end_matches([')', '）', '.']));
    let quote = said.trim().trim_matches(|char: char| "\"“”„‟«»「」『』 ".contains(char));
    let is_name = (2..=80).contains(&tidy::length(author))
        && author.split_whitespace().count() <= 6
        && author.chars().any(char::is_alphabetic);
    (is_name && tidy::says_something(quote)).then(|| Testimonial {
        quote: tidy::fit(&tidy::one_line(quote), 900),
        author: author.to_owned(),
        role: (!role.is_empty()).then(|| tidy::fit(role, 200)),
        picture: None,
    })
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

/// Lines that count steps, weeks or days: `Week 1 - we place the points`. How many lines are before them, and the steps.
pub fn numbered_lines(lines: &[Rich]) -> Option<(usize, Vec<(String, Rich)>)> {
    const UNITS: [&str; 26] = [
        "step",
        "week",
        "day",
        "phase",
        "stage",
        "month",
        "schritt",
        "woche",
        "tag",
        "monat",
        "étape",
        "semaine",
        "jour",
        "mois",
        "paso",
        "semana",
        "día",
        "mes",
        "passo",
        "etapa",
        "dia",
        "fase",
        "settimana",
        "giorno",
        "stap",
        "dag",
    ];
    let step = |line: &Rich| {
        let plain = line.plain().trim();
        let (unit, rest) = plain.split_once(' ')?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let told = rest[digits..].trim_start_matches([' ', '-', '–', '—', ':', '.', ')']);
        let fits = UNITS.contains(&tidy::folded(unit).as_str())
            && (1..=2).contains(&digits)
            && told.split_whitespace().count() >= 2;
        fits.then(|| tidy::capital(told.trim_end_matches('.')))
    };
    let lead = lines.iter().position(|line| step(line).is_some()).filter(|lead| *lead <= 1)?;
    let steps: Option<Vec<String>> = lines[lead..].iter().map(step).collect();
    let steps = steps.filter(|steps| steps.len() >= 2)?;
    Some((lead, steps.into_iter().map(|step| (step, Rich::default())).collect()))
}

/// Whether a line is the head of a mail that somebody pasted: who it is from is nobody else's business.
pub fn is_of_mail(name: &str, value: &str) -> bool {
    let is_answer =
        ["re:", "fwd:", "fw:", "aw:", "wg:"].iter().any(|start| tidy::folded(value).starts_with(start));
    match tidy::folded(name).as_str() {
        "from" | "to" | "cc" | "bcc" | "reply-to" | "von" | "an" | "de" | "à" | "para" => {
            value.contains('@')
        }
        "subject" | "betreff" | "objet" | "asunto" => is_answer,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
