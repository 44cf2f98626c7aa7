//! What a thread of mails puts around what somebody wrote: who wrote when, the mail that is answered, and who signs.
//!
//! What this is not: a parser of mails. What is taken out is named to whoever wrote the brief, unless it only takes leave.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::MAIL_HEAD;
use crate::tidy;

mod signature;

pub use signature::without_leave;

/// The fewest words that somebody wrote if the mail that is answered is not what they mean.
const LEAST_OWN: usize = 12;

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
    around.other_mail(lines);
    signature::find(lines, &mut around);
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
}

impl ThreadLines {
    /// Another mail below what somebody wrote, with its head: all of it, unless it is the longer one.
    fn other_mail(&mut self, lines: &[&str]) {
        let Some(at) = (1..lines.len()).find(|at| !self.lines.contains(at) && is_head(lines, *at)) else {
            return;
        };
        let is_head = |at: &usize| MAIL_HEAD.as_ref().is_some_and(|head| head.is_match(lines[*at]));
        let count = |from: usize, to: usize| -> usize {
            let own = (from..to).filter(|at| !self.lines.contains(at) && !is_head(at));
            own.map(|at| lines[at].split_whitespace().count()).sum()
        };
        let (own, other) = (count(0, at), count(at, lines.len()));
        if own >= LEAST_OWN && own >= other {
            let before = lines[..at].iter().rposition(|line| !line.trim().is_empty());
            before.filter(|at| is_divider(lines[*at])).into_iter().for_each(|at| self.take(at, false));
            (at..lines.len()).for_each(|at| self.take(at, tidy::says_something(bare(lines[at]))));
        }
    }
}

/// Whether a line is what a program puts above a mail that it sends on.
fn is_divider(line: &str) -> bool {
    line.trim_start().starts_with("---")
}

/// Whether the head of a mail begins with that line: who it is from, and below that a subject or an address; or a line before says so.
fn is_head(lines: &[&str], at: usize) -> bool {
    /// How many lines a head has.
    const LINES: usize = 5;
    let Some(head) = MAIL_HEAD.as_ref().filter(|_| lines[at].contains(':')) else { return false };
    let is_forwarded = || {
        let before = lines[..at].iter().rev().find(|line| !line.trim().is_empty());
        before.is_some_and(|line| is_divider(line))
    };
    let below = || lines[at..].iter().take(LINES);
    let is_about =
        || below().any(|line| head.captures(line).is_some_and(|found| found.name("subject").is_some()));
    let is_sent = || below().filter(|line| head.is_match(line)).count() >= 2;
    head.is_match(lines[at])
        && (is_forwarded() || is_sent() && (is_about() || below().any(|line| line.contains('@'))))
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
    fn another_mail_below_goes_unless_it_is_the_longer_one() {
        let own = "We bake bread overnight and bring it to every shop in Leeds before seven.";
        for head in [
            "From: Rob Hoskin\nTo: Sam Trewin\nSubject: RE: bread page",
            "---------- Forwarded message ---------\nFrom: V. R. Kulkarni <vrk@bread.example>",
            "-----Ursprüngliche Nachricht-----\nVon: Jens Holl\nGesendet: Montag",
            "De: Luc Petit\nEnvoyé : lundi\nObjet: page pain",
        ] {
            let text = format!("{own}\n\n{head}\n\nFine by me. Check it with Lorraine.");
            assert_eq!(left(&text), [own], "{head}");
            let longer = format!("FYI\n\n{head}\n\n{own}");
            assert!(left(&longer).contains(&own), "{head}");
        }
        assert_eq!(left(&format!("{own}\n\nFrom: Leeds\nTo: York\nDate: 4 May")).len(), 4);
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
