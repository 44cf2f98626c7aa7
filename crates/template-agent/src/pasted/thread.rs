//! What a thread of mails puts around what somebody wrote: who wrote when, the mail that is answered, and who signs.
//!
//! What this is not: a parser of mails. What is taken out is named to whoever wrote the brief, unless it only takes leave.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::contact;
use crate::stance::lists::{self, Beginnings};
use crate::tidy;

/// The most words of a line of a signature.
const MOST_WORDS: usize = 9;
/// The fewest lines of a signature before which nobody takes leave.
const LEAST_LINES: usize = 3;
/// The fewest words that somebody wrote if the mail that is answered is not what they mean.
const LEAST_OWN: usize = 12;

static CLOSINGS: LazyLock<lists::Set> = LazyLock::new(|| list("closing").into());
static DEVICES: LazyLock<Beginnings> = LazyLock::new(|| list("device").into());

fn list(name: &str) -> Vec<&'static str> {
    lists::of(include_str!("thread.txt"), name)
}

/// `On 9 Nov 2026, at 10:12, Martin wrote:`
static WROTE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)^[>\s]*(?:",
        r"(?:on|am|le|el|em|il|op|den|den|w dniu|dnia|at|um)\s[^\n]{0,160}\d[^\n]{0,160}\b",
        r"(?:wrote|schrieb(?:en)?|geschrieben|a écrit|escribió|escreveu|ha scritto|schreef|skrev|napisał(?:\(?a\)?)?)\b[^\n:]{0,120}[:：]",
        r"|[^\n]{0,160}\d[^\n]{0,160}(?:şunu yazdı|şunları yazdı|yazdı|пишет|писал|писала|написал|написала|пише|написав|написала)\s*[:：]",
        r")\s*$",
    ))
    .ok()
});

/// `Martin wrote:`, before what he wrote.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^\s*\p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}.'’-]+){0,2}(?: <[^>\n]+>)? (?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto|schreef|skrev|napisał|napisała) ?:\s*$").ok()
});

/// `T: +44 114 496 0123`, `Mob. 07700 900456`
static REACHED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)(?:^|[\s|,·])(?:[tmdpfe]|tel|tél|tfno|telf|phone|mob|mobile|mobil|cell|cel|cell|móvil|móv|portable|port|gsm|telefon|telefoon|telefono|teléfono|fax|direct)\s?[.:]{1,2}\s?",
        r"(?:\(?\+?\d|[\w.+-]+@)",
    ))
    .ok()
});

fn is_match(regex: &LazyLock<Option<Regex>>, line: &str) -> bool {
    regex.as_ref().is_some_and(|regex| regex.is_match(line))
}

/// The numbers of the lines that a thread puts around what somebody wrote.
#[derive(Debug, Default)]
pub struct ThreadLines {
    /// All of them.
    pub lines: BTreeSet<usize>,
    /// Those that say something, which whoever wrote the brief has to know.
    pub told: BTreeSet<usize>,
    /// Lines that are told although a mark of quoting is before them.
    pub unquoted: BTreeSet<usize>,
}

/// What a thread of mails puts around what somebody wrote.
pub fn around(lines: &[&str]) -> ThreadLines {
    let mut around = ThreadLines::default();
    around.replies(lines);
    around.signatures(lines);
    around
}

fn is_quoted(line: &str) -> bool {
    line.trim_start().starts_with('>')
}

fn bare(line: &str) -> &str {
    line.trim_start_matches(['>', ' ', '\t']).trim_end()
}

impl ThreadLines {
    fn take(&mut self, at: usize, is_told: bool) {
        self.lines.insert(at);
        if is_told {
            self.told.insert(at);
        }
    }

    /// The mail that is answered, with who wrote it.
    fn replies(&mut self, lines: &[&str]) {
        let quotes_next = |at: usize| {
            lines[at + 1..].iter().find(|line| !line.trim().is_empty()).is_some_and(|line| is_quoted(line))
        };
        let mut is_reply = false;
        for (at, line) in lines.iter().enumerate() {
            let wrapped = || lines.get(at + 1).map(|next| format!("{} {}", line.trim_end(), bare(next)));
            if is_match(&WROTE, line) || is_match(&NAMED, line) && quotes_next(at) {
                self.take(at, false);
                is_reply = true;
            } else if line.contains(|char: char| char.is_ascii_digit())
                && !line.trim_end().ends_with(['.', '!', '?'])
                && wrapped().is_some_and(|both| is_match(&WROTE, &both))
            {
                self.take(at, false);
                self.take(at + 1, false);
                is_reply = true;
            }
        }
        if !is_reply {
            return;
        }
        let own: usize = lines
            .iter()
            .enumerate()
            .filter(|(at, line)| !is_quoted(line) && !self.lines.contains(at))
            .map(|(_, line)| line.split_whitespace().count())
            .sum();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| is_quoted(line)) {
            if own >= LEAST_OWN {
                self.take(at, tidy::says_something(bare(line)));
            } else if !self.lines.contains(&at) {
                self.unquoted.insert(at);
            }
        }
    }

    /// Who signs: what is below the words that take leave, and a last paragraph that says how one person is reached.
    fn signatures(&mut self, lines: &[&str]) {
        let mut at = 0;
        while at < lines.len() {
            let line = bare(lines[at]);
            let is_end = line == "--" || line == "—" || DEVICES.strip(&tidy::folded(line)).is_some();
            if at > 0 && (is_end || takes_leave(line)) {
                let end = self.signed(lines, at + 1, is_end || is_named(line));
                if is_end
                    || is_named(line)
                    || end > at + 1
                    || lines[at + 1..].iter().all(|line| line.trim().is_empty())
                {
                    self.take(at, false);
                    (at + 1..end).for_each(|at| self.take(at, says_much(bare(lines[at]))));
                    at = end.max(at + 1);
                    continue;
                }
            }
            at += 1;
        }
        let Some(last) =
            (0..lines.len()).rev().find(|at| !lines[*at].trim().is_empty() && !self.lines.contains(at))
        else {
            return;
        };
        let first = lines[..last].iter().rposition(|line| line.trim().is_empty()).map_or(0, |at| at + 1);
        let block = || (first..=last).map(|at| bare(lines[at]));
        if first > 0
            && last + 1 - first >= LEAST_LINES
            && block().next().is_some_and(is_name)
            && block().all(is_of_signature)
            && block().any(is_reached)
        {
            (first..=last).for_each(|at| self.take(at, says_much(bare(lines[at]))));
        }
    }

    /// Where the signature ends that begins with that line; behind a gap only if nobody was named before.
    fn signed(&self, lines: &[&str], from: usize, is_named: bool) -> usize {
        let mut end = from;
        let mut was_empty = false;
        for (at, line) in lines.iter().enumerate().skip(from) {
            if self.lines.contains(&at) {
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
                is_of_signature(line)
            };
            if !goes_on {
                break;
            }
            was_empty = false;
            end = at + 1;
        }
        end
    }
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
    CLOSINGS.has(tidy::folded(text).trim_matches(|char: char| !char.is_alphanumeric()))
}

/// Whether a line takes leave and names who does.
fn is_named(line: &str) -> bool {
    line.split_once([',', '!']).is_some_and(|(leave, name)| is_closing(leave) && is_name(name.trim()))
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

/// Whether a line can be one of a signature: few words that are no sentence.
fn is_of_signature(line: &str) -> bool {
    let count = line.split_whitespace().count();
    let is_contact = contact::has_telephone(line) || contact::has_mail_address(line) || is_reached(line);
    is_contact && count <= 2 * MOST_WORDS
        || count <= MOST_WORDS
            && !line.ends_with(['?', '!', ':'])
            && (!line.ends_with('.') || count <= 4)
            && !line.starts_with(['#', '*', '-', '•', '"', '“', '„', '«'])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that are left of a text.
    fn left(text: &str) -> Vec<&str> {
        let lines: Vec<&str> = text.lines().collect();
        let around = around(&lines);
        let kept = lines
            .iter()
            .enumerate()
            .filter(|(at, line)| !around.lines.contains(at) && !line.trim().is_empty());
        kept.map(|(_, line)| *line).collect()
    }

    #[test]
    fn who_signs_is_no_part_of_the_text() {
        for signature in [
            "Best regards\nMartin Ashworth\nSales engineer\nUnit 4, Neepsend Lane, Sheffield S3 8AU\nT: +44 114 496 0123 M: +44 7700 900456",
            "Mit freundlichen Grüßen\n\nPetra Vogt\nIndustriestraße 12, 34123 Kassel\nTel.: 0561 99887766",
            "Cordialement,\nLuc Petit\n12 rue des Clercs, 57000 Metz\nPort. : 06 12 34 56 78",
            "Un saludo,\nMarta Gil\nC/ Urzáiz 45, 36201 Vigo",
            "Atenciosamente,\nRui Sá\nTel.: +351 912 345 678",
            "Cordiali saluti\nMarta Galli\nCell. 333 1234567",
            "Met vriendelijke groet,\nKees Bakker\nM: 06 12345678",
            "Pozdrawiam\nJan Nowak\ntel. 501 234 567",
            "Med vänliga hälsningar\nEva Lind\n\nSkickat från min iPhone",
            "--\nAnn Hurst | Hurst Kitchens Ltd\n07700 900111 | ann@hurst.example",
            "Jo Spence\nDirector\nE: jo@spence.example M: 07700 900999",
            "Cheers, Tom",
        ] {
            assert_eq!(left(&format!("We bake bread.\n\n{signature}")), ["We bake bread."], "{signature}");
        }
    }

    #[test]
    fn what_only_looks_like_a_signature_stays() {
        for text in [
            "We bake bread.\n\nCall us\n01904 555 0123\nMon to Fri 9 to 5",
            "We bake bread.\n\nThanks\nOur fitters tidy up every evening before they leave the house.",
            "Best\nof all worlds.",
            "We bake bread.\n\nLeeds\nYork\nHull",
        ] {
            assert_eq!(left(text).join("\n"), text.replace("\n\n", "\n"));
        }
    }

    #[test]
    fn the_mail_that_is_answered_goes_unless_it_is_all_there_is() {
        for header in [
            "On 9 Nov 2026, at 10:12, Martin wrote:",
            "On Mon, 9 Nov 2026 at 10:12, Anna Pike <anna@pike.example>\nwrote:",
            "Am 09.11.2026 um 10:12 schrieb Jens Holl <jens@holl.example>:",
            "Le lun. 9 nov. 2026 à 10:12, Jean Roux a écrit :",
            "El 9 nov 2026, a las 10:12, Juan Ruiz escribió:",
            "Em seg., 9 de nov. de 2026 às 10:12, Rui Sá escreveu:",
            "Il giorno lun 9 nov 2026 alle ore 10:12 Marta Galli ha scritto:",
            "Op ma 9 nov 2026 om 10:12 schreef Kees Bakker:",
            "W dniu 9.11.2026 o 10:12, Jan Nowak napisał(a):",
            "Den mån 9 nov. 2026 kl 10:12 skrev Eva Lind:",
            "9 Kas 2026 Pzt, 10:12 tarihinde Ali Kaya şunu yazdı:",
            "9 нояб. 2026 г. в 10:12, Иван Петров написал:",
            "Martin Ashworth wrote:",
        ] {
            let own = "We bake bread overnight and bring it to every shop in Leeds before seven.";
            assert_eq!(left(&format!("{own}\n\n{header}\n> The old page had 12 photos.")), [own], "{header}");
            assert_eq!(left(&format!("{header}\n> We bake bread.")), ["> We bake bread."], "{header}");
        }
        assert_eq!(left("> We bake bread.\n\nOn 9 May Anna wrote: lovely bread.").len(), 2);
    }
}
