//! What programs put around a text that is pasted: the head and the end of a mail, the times of a chat, the names of heading styles.
//!
//! What this is not: a parser of mails. Only what nobody writes on a page is taken out, line by line.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use crate::tidy;

mod encoding;
mod frame;
mod letter;
mod thread;

pub use encoding::repaired;

/// How many lines from the beginning the head of a mail is looked for.
const HEAD: usize = 12;
/// The most words of a line at the end of a letter: a greeting or a name.
const MOST_SIGNATURE: usize = 3;

/// What short answers begin with.
const REPLIES: [&str; 14] =
    ["ok", "okay", "yes", "yep", "yeah", "lol", "ja", "jep", "oui", "ouais", "sí", "vale", "sim", "sì"];
/// The most words of a sentence of a chat that only answers.
const MOST_REPLY: usize = 2;
/// The most letters of a word of a name.
const MOST_NAME: usize = 31;

/// What is before the name in `[12/05, 19:02] Jo: `, `00:41 Ravi: `
static STAMP: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^\s*(?:\[\s*\d{1,4}[./:-]\d{1,2}[^\]\n]{0,24}\]|\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?|\d{1,2}[./]\d{1,2}[./]\d{2,4},?\s\d{1,2}:\d{2}\s?-?)",
        r"\s*(?:-\s*)?",
    ))
    .ok()
});

/// `From: Ann`, `Asunto: página`
static MAIL_HEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)^\s*(?:(?P<subject>subject|betreff|objet|asunto|oggetto|assunto|onderwerp|fwd?|re|aw|wg|rv|tr)",
        r"|from|von|de|da|van|to|an|para|à|a|aan|cc|bcc|kopie|date|datum|fecha|data|sent|gesendet|envoyé|enviado|inviato|verzonden)\s*:\s",
    ))
    .ok()
});

/// `Heading 2: What people ask`
static HEADING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)^\s*(?:heading|überschrift|titre|título|titolo|kop|h)\s?([1-4])\s*:\s+(.+)$").ok()
});

/// What a word processor shows of changes that were tracked, as `Deleted: …`, and the numbers of its pages and drafts.
static TRACKED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^\s*(?:",
        r"(?:Deleted|Formatted|Inserted|Comment(?:ed)?|Gelöscht|Formatiert|Eingefügt|Kommentar|Supprimé|Mis en forme|Inséré|Commentaire",
        r"|Eliminado|Con formato|Insertado|Comentario|Eliminato|Formattato|Inserito|Commento|Verwijderd|Opgemaakt|Ingevoegd|Opmerking",
        r"|Excluído|Formatado|Inserido|Comentário)(?:\s*\[[^\]]{0,20}\])?\s*:\s.*",
        r"|(?i:[–—-]?\s*(?:page|seite|página|pagina)\s+\d+\s*(?:of|von|sur|de|di|van|/)\s*\d+\s*[–—-]?)",
        r"|(?i:(?:draft|entwurf|brouillon|borrador|bozza|rascunho|concept)\s?\d+\b.{0,60})",
        r"|-{3,}[^-]{1,60}-{3,}",
        r")\s*$",
    ))
    .ok()
});

/// The text without what programs put around it, and what of that says something.
pub fn cleaned(text: &str) -> (String, Vec<String>) {
    let lines: Vec<&str> = text.lines().collect();
    let mail = mail_lines(&lines);
    let around = thread::around(&lines);
    let opening = letter::opening(&lines);
    let last = lines.iter().rposition(|line| !line.trim().is_empty()).filter(|at| *at > 0);
    let leave = last.filter(|at| takes_leave(lines[*at]));
    let mut out = String::with_capacity(text.len() + 64);
    for (at, line) in lines.iter().enumerate() {
        let line = if around.unquoted.contains(&at) { line.trim_start_matches(['>', ' ']) } else { line };
        if mail.contains(&at)
            || around.lines.contains(&at)
            || leave == Some(at)
            || TRACKED.as_ref().is_some_and(|tracked| tracked.is_match(line))
        {
            out.push('\n');
        } else if let Some(rest) = opening.get(&at) {
            out.push_str(rest);
            out.push('\n');
        } else if let Some((_, said)) = stamped(line) {
            // Each message is a paragraph of its own.
            out.push_str("\n\n");
            out.push_str(without_replies(said));
            out.push('\n');
        } else if let Some(heading) =
            HEADING.as_ref().filter(|_| line.contains(':')).and_then(|heading| heading.captures(line))
        {
            let level = heading[1].parse().unwrap_or(1);
            out.push_str(&format!("{} {}\n", "#".repeat(level), &heading[2]));
        } else {
            let is_last = lines.get(at + 1).is_none_or(|next| next.trim().is_empty());
            let line = if is_last { thread::without_leave(line) } else { line };
            out.push_str(&with_parts_apart(&frame::without(line)));
            out.push('\n');
        }
    }
    let told = |at: &usize| lines[*at].trim_start_matches(['>', ' ']).trim().to_owned();
    // Whom a letter greets is not named to whoever wrote it.
    let handed =
        opening.iter().map(|(at, rest)| lines[*at].trim_end_matches(rest.as_str()).trim().to_owned());
    let handed = handed.filter(|text| text.split_whitespace().nth(MOST_SIGNATURE).is_some());
    (out, handed.chain(around.told.iter().map(told)).collect())
}

/// A line with its parts as sentences of their own, where somebody put a slash between them: `Yes. / Do you ship?`
fn with_parts_apart(line: &str) -> Cow<'_, str> {
    const MARKS: [&str; 3] = [". / ", "? / ", "! / "];
    if line.contains('/') && MARKS.iter().any(|mark| line.contains(mark)) {
        Cow::Owned(
            MARKS.iter().fold(line.to_owned(), |line, mark| line.replace(mark, &mark.replace("/ ", ""))),
        )
    } else {
        Cow::Borrowed(line)
    }
}

/// Whether the last line of a text only takes leave: `un beso, Maite`.
fn takes_leave(line: &str) -> bool {
    line.trim().split_once(", ").is_some_and(|(leave, name)| {
        leave.starts_with(char::is_lowercase)
            && leave.split_whitespace().count() <= MOST_SIGNATURE
            && !leave.contains(|char: char| char.is_ascii_digit())
            && name.starts_with(char::is_uppercase)
            && tidy::length(name) <= MOST_NAME
            && name.chars().all(char::is_alphabetic)
    })
}

/// Who said what, if the line is one of a chat or a transcript.
pub fn stamped(line: &str) -> Option<(&str, &str)> {
    // Most lines begin with a letter, which is cheaper to see than that the expression does not fit.
    line.trim_start().strip_prefix(|char: char| char == '[' || char.is_numeric())?;
    let (name, said) = line[STAMP.as_ref()?.find(line)?.end()..].split_once(':')?;
    let words: Vec<&str> = name.split(char::is_whitespace).collect();
    let is_name = |word: &&str| {
        word.starts_with(char::is_uppercase)
            && tidy::length(word) <= MOST_NAME
            && word.chars().all(|char| char.is_alphabetic() || matches!(char, '.' | '\'' | '’'))
    };
    (words.len() <= 3 && words.iter().all(is_name)).then(|| (name, said.trim_start()))
}

/// A message of a chat without the words that only answer the one before: `ok basics.`, `none.`, `how long?`
fn without_replies(said: &str) -> &str {
    let mut rest = said;
    while let Some(end) = rest.find(['.', '?', '!']).map(|at| at + 1) {
        let (sentence, behind) = rest.split_at(end);
        let words: Vec<&str> = sentence.split_whitespace().collect();
        let first = tidy::folded(words.first().unwrap_or(&"").trim_end_matches(['.', '?', '!', ',']));
        let is_reply = words.len() <= MOST_REPLY
            && (words.len() == 1 || sentence.ends_with('?') || REPLIES.contains(&first.as_str()))
            && !sentence.contains(|char: char| char.is_ascii_digit() || crate::words::is_unspaced(char))
            && (behind.is_empty() || behind.starts_with([' ', '?', '!', '.']));
        if !is_reply {
            break;
        }
        rest = behind.trim_start_matches([' ', '?', '!', '.']);
    }
    rest
}

/// The numbers of the lines that are the head of a mail, and of those at its end that greet and sign.
fn mail_lines(lines: &[&str]) -> Vec<usize> {
    if !lines.iter().take(HEAD).any(|line| line.contains(':')) {
        return Vec::new();
    }
    let Some(head) = MAIL_HEAD.as_ref() else { return Vec::new() };
    let found: Vec<(usize, bool)> = lines
        .iter()
        .take(HEAD)
        .enumerate()
        .filter(|(_, line)| line.contains(':'))
        .filter_map(|(at, line)| head.captures(line).map(|found| (at, found.name("subject").is_some())))
        .collect();
    let is_mail = found.len() >= 2 || found.iter().any(|(at, is_subject)| *is_subject && *at <= 1);
    if !is_mail {
        return Vec::new();
    }
    let mut all: Vec<usize> = found.into_iter().map(|(at, _)| at).collect();
    for (at, line) in lines.iter().enumerate().rev() {
        let bare = line.trim_start_matches(['>', ' ']).trim();
        let is_end = bare.split_whitespace().count() <= MOST_SIGNATURE
            && !bare.contains(|char: char| char.is_ascii_digit())
            && !bare.starts_with(['-', '*', '•', '#'])
            && !bare.ends_with(['?', '!']);
        if !is_end {
            break;
        }
        all.push(at);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        cleaned(text).0.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn the_head_and_the_end_of_a_mail_go() {
        assert_eq!(
            lines(
                "De: Rocío\nPara: Nacho (web)\nAsunto: página nueva\n\nPlagas Turia lleva 22 años.\n\nUn abrazo,\nRocío"
            ),
            ["Plagas Turia lleva 22 años."]
        );
        assert_eq!(lines("Fwd: Re: page\n\n> We cut at 5 am.\n>\n> Priya"), ["> We cut at 5 am."]);
        assert_eq!(lines("From: 12 € a month\nWe bake."), ["From: 12 € a month", "We bake."]);
    }

    #[test]
    fn a_chat_is_what_was_said() {
        assert_eq!(
            lines("[12/05, 19:02] Jo: 27 players\n19:04 Keith: no audition"),
            ["27 players", "no audition"]
        );
        assert_eq!(stamped("07:36 Lena: ten till six"), Some(("Lena", "ten till six")));
        assert_eq!(stamped("9:00 Doors open: come in"), None);
        assert_eq!(lines("Open 9:00 to 18:00: come in"), ["Open 9:00 to 18:00: come in"]);
    }

    #[test]
    fn words_that_only_answer_go() {
        let chat = "[10:03] Bo: ok basics. We bake at night.\n[10:04] Al: contract?\n[10:05] Bo: none. no audition. yes! come at 7";
        let said: Vec<String> = lines(chat).into_iter().filter(|line| !line.is_empty()).collect();
        assert_eq!(said, ["We bake at night.", "no audition. yes! come at 7"]);
    }

    #[test]
    fn a_last_line_that_takes_leave_goes() {
        let kept = |text: &str| lines(text).concat().contains("Maite");
        assert!(!kept("Abrimos a las 8.\n\nun beso, Maite"));
        assert!(
            kept("Abrimos a las 8.\n\nClínica, Maite")
                && kept("un beso, Maite")
                && kept("con 2 gatos, Maite\nAbrimos.")
        );
    }

    #[test]
    fn marks_of_a_word_processor_go() {
        assert_eq!(
            lines(
                "Draft 2 – as of 14.03. – page 1 of 1\nWe restore clocks.\nDeleted: since the row with the landlord\nFormatiert: Schriftart: Garamond\nSeite 2 von 3\n---------- Forwarded message ----------\nOpen on Mondays."
            ),
            ["We restore clocks.", "Open on Mondays."]
        );
        assert_eq!(lines("Comments: welcome\nDraft beer from 4 €\npage one of our story").len(), 3);
    }

    #[test]
    fn named_headings_are_headings() {
        assert_eq!(
            lines("Heading 1: Goldhawk\nHeading 2: What people ask"),
            ["# Goldhawk", "## What people ask"]
        );
    }
}
