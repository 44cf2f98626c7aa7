//! Who signs: below the words that take leave, in a block of its own, or in one line; and whoever else is named below that.
//!
//! What this is not: a reader of addresses. A company's own lines stay, unless a person's name is above them.

use std::sync::LazyLock;

use regex::Regex;

use super::{ThreadLines, bare, is_match};
use crate::pasted::frame;
use crate::stance::lists::{self, Beginnings};
use crate::{contact, sentence, tidy, words};

/// The most words of a line of a signature.
const MOST_WORDS: usize = 9;
/// The fewest lines of a signature before which nobody takes leave.
const LEAST_LINES: usize = 3;
/// The most words of the part of a line that names a person, a role, a company or a number.
const MOST_PART: usize = 5;
/// The most bytes of a line that takes leave in haste.
const MOST_HASTY: usize = 40;
/// The fewest and the most digits of a number of a person: Danish ones have eight, those within a house are shorter and have a word.
const DIGITS: std::ops::RangeInclusive<usize> = 7..=15;

static CLOSINGS: LazyLock<lists::Set> = LazyLock::new(|| list("closing").into());
/// Those before a name without a mark.
static HASTY: LazyLock<lists::Set> = LazyLock::new(|| list("hasty").into());
static DEVICES: LazyLock<Beginnings> = LazyLock::new(|| list("device").into());
/// Before the name of whoever signs for somebody else, or of somebody with a title.
static TITLES: LazyLock<Beginnings> = LazyLock::new(|| list("title").into());

fn list(name: &str) -> Vec<&'static str> {
    lists::of(include_str!("../thread.txt"), name)
}

/// `T: +44 114 496 0123`, `Mob. 07700 900456`, `M 07700 900142`
static REACHED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)(?:^|[\s|,·])(?:[tmdpfe]|tel|tél|telm|tfno|telf|phone|mob|mobile|mobil|cell|cel|móvil|móv|portable|port|gsm|telefon|telefoon|telefono|teléfono|fax|direct|vx)",
        r"(?:\s?[.:]{1,2}\s?(?:\(?\+?\d|[\w.+-]+@)|\s\+?\(?\d[\d\s()/-]{6,})",
    ))
    .ok()
});

/// The number by which an office knows a company, or by which a house finds a person: `HRB 4711`, `P.IVA 03999990987`, `Durchwahl -17`
static REGISTERED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)(?:^|[\s|,·(-])(?:hrb|hra|siret|siren|rcs|p\.?\s?iva|c\.f|nip|regon|krs|kvk|btw|org\.?\s?nr|organisationsnummer|cvr|vat|ust-?id(?:nr)?|cif|nif|nipc|cnpj|cuit",
        r"|rfc|ičo|dič|gstin|company (?:no|number|reg)|registered (?:no|office)|ext|int|durchwahl|dw|poste|interno|nst|anknytning|toestel|wewn|linka|klapka|内線)",
        r"[.:]*[^\n\d]{0,24}\d",
    ))
    .ok()
});

/// Takes the lines of those who sign.
pub fn find(lines: &[&str], around: &mut ThreadLines) {
    let mut at = 0;
    let mut has_left = false;
    while at < lines.len() {
        let line = bare(lines[at]);
        let is_end = is_rule(line) || DEVICES.strip(&tidy::folded(line)).is_some();
        if at > 0 && !around.lines.contains(&at) && (is_end || takes_leave(line)) {
            let end = signed(lines, at + 1, is_end || is_named(line), around);
            if is_end
                || is_named(line)
                || end > at + 1
                || lines[at + 1..].iter().all(|line| line.trim().is_empty())
            {
                around.take(at, false);
                (at + 1..end).for_each(|at| around.take(at, says_much(bare(lines[at]))));
                has_left = true;
                at = end.max(at + 1);
                continue;
            }
        }
        // Whoever signs below that: a second person, or the first once more with all numbers.
        let begins = at > 0 && (lines[at - 1].trim().is_empty() || around.lines.contains(&(at - 1)));
        if has_left && begins && !line.is_empty() && !around.lines.contains(&at) {
            let end = block(&lines[at..]) + at;
            (at..end).for_each(|at| around.take(at, says_much(bare(lines[at]))));
            at = end.max(at + 1);
            continue;
        }
        at += 1;
    }
    last_block(lines, has_left, around);
}

/// A last paragraph that says how one person is reached, although nobody took leave.
fn last_block(lines: &[&str], has_left: bool, around: &mut ThreadLines) {
    let is_open = |at: &usize| !lines[*at].trim().is_empty() && !around.lines.contains(at);
    let Some(last) = (0..lines.len()).rev().find(is_open) else { return };
    let first = lines[..last].iter().rposition(|line| line.trim().is_empty()).map_or(0, |at| at + 1);
    let block = || (first..=last).map(|at| bare(lines[at]));
    let count = last + 1 - first;
    let is_of_one = count >= LEAST_LINES
        && block().next().is_some_and(is_name)
        && block().all(is_of_signature)
        && block().any(is_reached);
    let is_of_cards = (count > 1 || has_left) && block().all(is_card);
    if first > 0 && (is_of_one || is_of_cards) {
        (first..=last).for_each(|at| around.take(at, says_much(bare(lines[at]))));
    }
}

/// Where the signature ends that begins with that line; behind a gap only if nobody was named before.
fn signed(lines: &[&str], from: usize, is_named: bool, around: &ThreadLines) -> usize {
    let mut end = from;
    let mut was_empty = false;
    for (at, line) in lines.iter().enumerate().skip(from) {
        if around.lines.contains(&at) {
            break;
        }
        let line = bare(line);
        if line.is_empty() {
            was_empty = true;
            continue;
        }
        let goes_on = if was_empty && (is_named || at > from + 1) {
            is_reached(line) || DEVICES.strip(&tidy::folded(line)).is_some()
        } else {
            is_of_signature(line) || is_legal(line)
        };
        if !goes_on {
            break;
        }
        was_empty = false;
        end = at + 1;
    }
    end
}

/// How many of the first lines name a person and say more of them: a role, a company, a number.
fn block(lines: &[&str]) -> usize {
    let all = || lines.iter().map(|line| bare(line));
    let end = all().take_while(|line| !line.is_empty() && (is_of_signature(line) || is_legal(line))).count();
    let first = bare(lines[0]);
    let is_unspaced = first.contains(words::is_unspaced);
    let is_person = is_unspaced || is_card(first) || is_name(without_title(first)) && first.contains(' ');
    let says_more = is_card(first) || all().take(end).any(|line| is_reached(line) || is_numbered(line));
    if is_person && says_more || end == 2 && is_name(without_title(first)) { end } else { 0 }
}

/// Whether a line only divides: `--`, `____`
fn is_rule(line: &str) -> bool {
    line == "—" || line.len() >= 2 && line.bytes().all(|byte| byte == b'-' || byte == b'_')
}

/// Whether a line of a signature says more than a name.
fn says_much(line: &str) -> bool {
    line.contains(|char: char| char.is_ascii_digit()) || line.contains('@')
}

/// Whether a line is no more than words that take leave, perhaps with a name: `Best regards,`, `Cheers, Martin`.
fn takes_leave(line: &str) -> bool {
    is_closing(line) || is_named(line)
}

fn is_closing(text: &str) -> bool {
    CLOSINGS.has(tidy::folded(text).trim_matches(|char: char| !char.is_alphanumeric() && char != '+'))
}

/// Whether a line takes leave and names who does: `Cheers, Martin`, `Vh Kasper`
fn is_named(line: &str) -> bool {
    let hasty =
        |(leave, name): (&str, &str)| HASTY.has(&tidy::folded(leave)) && is_name(name) && !name.contains(' ');
    line.split_once([',', '!']).is_some_and(|(leave, name)| is_closing(leave) && is_name(name.trim()))
        || line.len() <= MOST_HASTY && line.split_once(' ').is_some_and(hasty)
}

/// A paragraph's last line without the sentence that only takes leave: `We lose money. Merci, Bart`
pub fn without_leave(line: &str) -> &str {
    let bare = line.trim_end();
    let Some(end) = sentence::ends(bare).into_iter().rev().find(|end| *end < bare.len()) else {
        return line;
    };
    let last = line[end..].trim();
    if last.contains([',', '!']) && is_named(last) { line[..end].trim_end() } else { line }
}

/// A name without what is before it: `i. A. Petra Vogel`, `Ing. Lenka Havlová`
fn without_title(line: &str) -> &str {
    let folded = tidy::folded(line);
    match TITLES.strip(&folded) {
        Some(rest) if line.is_char_boundary(line.len().saturating_sub(rest.len())) => {
            line[line.len() - rest.len()..].trim_start()
        }
        _ => line,
    }
}

/// Whether a line is the name of a person, as it seems.
fn is_name(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let count = line.split_whitespace().count();
    (1..=4).contains(&count)
        && tidy::length(line) <= 40
        && words.all(|word| {
            word.starts_with(char::is_uppercase)
                && word.chars().all(|char| char.is_alphabetic() || "-.'’,".contains(char))
                || ["de", "van", "von", "der", "den", "da", "di", "la", "del"].contains(&word)
        })
}

/// Whether a line tells how a person is reached.
fn is_reached(line: &str) -> bool {
    is_match(&REACHED, line)
}

/// Whether a line has a number that only a signature has.
fn is_numbered(line: &str) -> bool {
    is_match(&REGISTERED, line) || contact::has_telephone(line) || contact::has_mail_address(line)
}

/// Whether a line warns as those below a mail do.
fn is_legal(line: &str) -> bool {
    frame::without(line).trim().is_empty()
}

/// Whether a line names a person and how they are reached: `Petr Havel, 602 000 111`, `Bas van Loon | verkoop | 06 1200 0344`.
fn is_card(line: &str) -> bool {
    const MARKS: [&str; 7] = [" | ", " · ", " • ", " – ", " — ", " - ", ", "];
    if !line.contains(|char: char| char.is_ascii_digit()) {
        return false;
    }
    let parts = MARKS.iter().fold(line.to_owned(), |line, mark| line.replace(mark, "\n"));
    let parts: Vec<&str> = parts.lines().map(str::trim).collect();
    (2..=6).contains(&parts.len())
        && without_title(parts[0]).contains(' ')
        && is_name(without_title(parts[0]))
        && parts.iter().all(|part| part.split_whitespace().count() <= MOST_PART)
        && parts[1..].iter().any(|part| is_number(part) || contact::has_mail_address(part))
}

/// Whether a part of a line is a telephone number, perhaps with a word before it: `tel. 030 000 8844`.
fn is_number(part: &str) -> bool {
    let bare = part.trim_start_matches(|char: char| char.is_alphabetic() || matches!(char, '.' | ':' | ' '));
    DIGITS.contains(&bare.bytes().filter(u8::is_ascii_digit).count())
        && bare.chars().all(|char| char.is_ascii_digit() || "+ ()-/.".contains(char))
}

/// Whether a line can be one of a signature: few words that are no sentence.
fn is_of_signature(line: &str) -> bool {
    let count = line.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
    (is_numbered(line) || is_reached(line)) && count <= 2 * MOST_WORDS
        || count <= MOST_WORDS
            && !line.ends_with(['?', '!', ':'])
            && (!line.ends_with('.') || count <= 4 || is_shortened(line))
            && !line.starts_with(['#', '*', '-', '•', '"', '“', '„', '«'])
}

/// Whether the full stop at a line's end belongs to its last word: `B.V.`, `Ltd.`, `s.r.o.`
fn is_shortened(line: &str) -> bool {
    const LONGEST: usize = 4;
    let last = line.rsplit(' ').next().unwrap_or_default().trim_end_matches('.');
    last.contains('.') || last.len() <= LONGEST && last.starts_with(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that are left of a text, and who signed after `We bake bread.`
    fn left(text: &str) -> Vec<&str> {
        let lines: Vec<&str> = text.lines().collect();
        let mut around = ThreadLines::default();
        find(&lines, &mut around);
        let is_kept = |(at, line): &(usize, &&str)| !around.lines.contains(at) && !line.trim().is_empty();
        lines.iter().enumerate().filter(is_kept).map(|(_, line)| *line).collect()
    }

    #[test]
    fn whoever_else_is_named_below_a_signature_is_no_part_of_the_text() {
        for signatures in [
            "Cheers\nJo\n\nJo Spence\nDirector | Hurst Ltd\nM 07700 900142 | jo@hurst.example\n\nRita Moss\nAccounts\nHurst Ltd, Unit 6 Park Road, Leeds\nT 0113 496 0110  M 07700 900377\nThis email and any attachments are confidential.",
            "Mit freundlichen Grüßen\nJens Holl\nTel. 0341 555 01 99\n\ni. A. Petra Vogt\nBuchhaltung\nDurchwahl -17\npetra.vogt@holl.example\nSitz der Gesellschaft: Leipzig, HRB 4711",
            "Bises\nLuc Petit\n06 39 98 12 40\n\n---\nAnne Roux\nGérante – Roux SARL\nligne directe : 04 76 00 12 77\nSIRET 812 345 678 00019\nPensez à l'environnement avant d'imprimer ce mail.",
            "Un saluto\nMarta Galli\ncell. 333 000 1234\n\nSara Neri\nSegreteria\nGalli s.r.l. - P.IVA 03999990987",
            "Vh Kasper\n\nKasper Holm · 20 00 44 11\nBirthe Holm, bogholderi, 63 00 22 10, cvr 30001122",
            "S pozdravem\nJan Novák, 602 000 111\n\nIng. Lenka Nováková\núčetní\nlenka@novak.example\n541 000 222",
            "Groeten,\nKees\n\nKees Bakker | verkoop | 06 - 1200 0344\n\nMet vriendelijke groet,\nKarin Smit\nHoofd planning, Zonnewering Breda B.V.\nKvK 20099887",
            "Hälsningar\nEva Lind, 070-000 12 34\n\nPer Lind\nVerkstadschef\n073-000 77 88",
            "よろしくお願いいたします。\n\n山田精工株式会社\n営業部 山田太郎\nTEL 06-0000-1122\n\n経理部 鈴木\n内線 204",
            "Mvh\nEva Lind\n\nPer Lind\nVerkstadschef",
            "Cumprimentos,\nRui Sá\nComercial\n\nNuno Reis\nSócio-gerente\nPadaria, Lda. · Rua das Oliveiras 14, 2560 Torres Vedras\nTel. 261 000 990",
        ] {
            assert_eq!(left(&format!("We bake bread.\n\n{signatures}")), ["We bake bread."], "{signatures}");
        }
    }

    #[test]
    fn what_stands_below_a_signature_and_is_no_other_is_kept() {
        for rest in [
            "PS: The oven is new since May, and every loaf weighs 900 grams.",
            "Opening hours\nMonday to Friday, 7 to 18 h\nCall 01904 555 0123",
            "Leeds\nYork\nHull",
        ] {
            let text = format!("We bake bread.\n\nCheers\nJo\n\n{rest}");
            assert_eq!(left(&text).len(), 1 + rest.lines().count(), "{rest}");
        }
        assert_eq!(left("We bake bread.\n\nBook with Dana Reyes, 01904 555 0199").len(), 2);
        assert_eq!(left("We bake bread.\n\nRye, 900 g, 4 euros\nSpelt, 700 g, 5 euros").len(), 3);
    }

    #[test]
    fn a_sentence_that_takes_leave_ends_no_paragraph() {
        assert_eq!(without_leave("We bake at night. Merci, Bart"), "We bake at night.");
        assert_eq!(without_leave("We bake at night. Cheers, all"), "We bake at night. Cheers, all");
        assert_eq!(without_leave("Thanks, Bart"), "Thanks, Bart");
    }
}
