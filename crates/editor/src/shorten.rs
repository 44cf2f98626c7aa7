//! Shorter texts: without asides, fillers, and sentences or endings that say nothing which must stay.
//!
//! Words are only taken out; only the first one changes, which gets the capital of one before it that is gone. Invariant: numbers, names and
//! links stay; the result is shorter, or nothing.

use crate::language::Language;
use crate::protect::Names;
use crate::token::fold;

/// How much shorter a text is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    Shorter,
    Half,
}

/// A shorter text; nothing if nothing can go.
pub(crate) fn shorter(
    text: &str,
    (is_title, goal): (bool, Goal),
    names: &Names,
    language: &Language,
) -> Option<String> {
    let cut = Cut { names, language, goal };
    let result = if is_title { cut.title(text) } else { cut.prose(text) };
    let result = result.trim().to_owned();
    let is_shorter = result.chars().count() < text.trim().chars().count();
    (is_shorter && result.chars().any(char::is_alphanumeric)).then_some(result)
}

struct Cut<'a> {
    names: &'a Names,
    language: &'a Language,
    goal: Goal,
}

impl Cut<'_> {
    fn keep(&self, piece: &str) -> bool {
        self.names.keep(piece, self.language)
    }

    fn title(&self, text: &str) -> String {
        let length = text.chars().count();
        let enough = if self.goal == Goal::Half { length / 2 } else { length * 4 / 5 };
        let mut text = self.without_fillers(&self.without_asides(text));
        for step in [Cut::without_subtitle, Cut::without_tail] {
            if text.chars().count() <= enough {
                break;
            }
            text = step(self, &text);
        }
        text
    }

    fn prose(&self, text: &str) -> String {
        let lines: Vec<String> = text.split('\n').map(|line| self.line(line)).collect();
        lines.join("\n")
    }

    /// A paragraph without what can go; other lines of Markdown lose their fillers alone.
    fn line(&self, line: &str) -> String {
        let trimmed = line.trim_start();
        let is_marked =
            trimmed.starts_with(['-', '*', '#', '|', '>', '+']) || trimmed.starts_with(char::is_numeric);
        if trimmed.is_empty() || is_marked || trimmed.starts_with("```") {
            return line.to_owned();
        }
        let length = line.chars().count();
        let enough = if self.goal == Goal::Half { length / 2 } else { length * 2 / 3 };
        let mut sentences: Vec<String> = sentences(line)
            .into_iter()
            .map(|sentence| self.without_fillers(&self.without_asides(sentence)))
            .collect();
        let length =
            |sentences: &[String]| sentences.iter().map(|one| one.trim().chars().count() + 1).sum::<usize>();
        for at in (1..sentences.len()).rev() {
            if length(&sentences) > enough && sentences.get(at).is_some_and(|one| !self.keep(one)) {
                sentences.remove(at);
            }
        }
        if length(&sentences) > enough {
            for sentence in sentences.iter_mut().rev() {
                *sentence = self.without_clause(sentence);
            }
        }
        sentences
            .iter()
            .map(|sentence| sentence.trim())
            .filter(|sentence| !sentence.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Without what is in brackets or between dashes.
    fn without_asides(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (open, close) in [(" (", ")"), (" – ", " – "), (" — ", " — ")] {
            while let Some(start) = text.find(open)
                && let Some(length) = text.get(start + open.len()..).and_then(|rest| rest.find(close))
            {
                let end = start + open.len() + length;
                let inner = text.get(start + open.len()..end).unwrap_or_default().to_owned();
                if self.keep(&inner) || inner.chars().count() > 200 {
                    break;
                }
                let rest = text.get(end + close.len()..).unwrap_or_default().to_owned();
                let space = if close == ")" { "" } else { " " };
                text = format!("{}{space}{rest}", text.get(..start).unwrap_or_default());
            }
        }
        text
    }

    /// Without words that say nothing. With a capital within a sentence such a word can be part of a name: `Just Eat`, `The Very Group`.
    fn without_fillers(&self, text: &str) -> String {
        let text = self.without_first_filler(text);
        let pieces: Vec<&str> = text.split(' ').collect();
        let mut kept: Vec<&str> = Vec::new();
        let mut at = 0;
        while let Some(piece) = pieces.get(at) {
            let filler = self.language.phrases("fillers").iter().find(|filler| {
                let here = pieces.get(at..at + filler.len()).unwrap_or_default();
                here.len() == filler.len()
                    && here.iter().zip(filler.iter()).all(|(piece, word)| is_just(piece, word))
                    && !here.iter().any(|piece| piece.starts_with(char::is_uppercase))
            });
            match filler {
                // The first word begins the sentence, and the last one ends it.
                Some(filler)
                    if at > 0
                        && pieces.get(at + filler.len()).is_some_and(|next| {
                            !self.is_predicate(kept.last().copied().unwrap_or_default(), next)
                        }) =>
                {
                    at += filler.len();
                }
                _ => {
                    kept.push(piece);
                    at += 1;
                }
            }
        }
        kept.join(" ")
    }

    /// Without a filler that a sentence begins with; the next word gets its capital. In a language whose verb comes second, only before an
    /// adjective and its noun: `Natürlich backen Bäcker` would be a question without its first word.
    fn without_first_filler(&self, text: &str) -> String {
        let body = text.trim_start();
        let pieces: Vec<&str> = body.split(' ').collect();
        let is = |list: &str, word: &str| self.language.is(list, &fold(word));
        let begins = |filler: &&Vec<String>| {
            let here = pieces.get(..filler.len()).unwrap_or_default();
            let all = here.iter().zip(filler.iter()).enumerate();
            here.len() == filler.len()
                && all.into_iter().all(|(at, (piece, word))| {
                    let piece = if at + 1 == filler.len() { piece.trim_end_matches(',') } else { piece };
                    is_just(piece, word) && !self.names.has(piece)
                })
        };
        let Some(filler) = self.language.phrases("fillers").iter().find(begins) else {
            return text.to_owned();
        };
        let Some((next, rest)) = pieces.get(filler.len()..).and_then(|rest| rest.split_first()) else {
            return text.to_owned();
        };
        let goes_on = ["articles", "tails", "lists", "of", "copulas"].iter().any(|list| is(list, next));
        let is_word = next.trim_end_matches(['.', '!', '?']).chars().all(char::is_alphabetic)
            && next.chars().next().is_some_and(char::is_lowercase);
        let mut endings = self.language.words("adjective-endings").peekable();
        let keeps_order = endings.peek().is_none()
            || (endings.any(|ending| next.ends_with(ending.as_str()))
                && rest.first().is_some_and(|noun| noun.starts_with(char::is_uppercase)));
        if !is_word || goes_on || !keeps_order || self.language.tells_number(&fold(next)) {
            return text.to_owned();
        }
        let begins_with_capital = body.starts_with(char::is_uppercase);
        let first: String = match next.chars().next() {
            Some(first) if begins_with_capital => first.to_uppercase().chain(next.chars().skip(1)).collect(),
            _ => (*next).to_owned(),
        };
        let lead = text.get(..text.len() - body.len()).unwrap_or_default();
        format!(
            "{lead}{}",
            std::iter::once(first.as_str()).chain(rest.iter().copied()).collect::<Vec<_>>().join(" ")
        )
    }

    /// Whether what is between two words is what somebody is said to be: `weil es einfach ist`, `ist einfach (fragen Sie)`.
    fn is_predicate(&self, before: &str, behind: &str) -> bool {
        let is_copula = |word: &str| self.language.is("copulas", &fold(word));
        let goes_on = behind.chars().next().is_some_and(char::is_lowercase)
            && !self.language.is("tails", &fold(behind))
            && !self.language.is("lists", &fold(behind));
        is_copula(behind.trim_end_matches(|char: char| !char.is_alphanumeric()))
            || (is_copula(before) && !goes_on)
    }

    /// A heading without what follows a colon, a dash or a comma.
    fn without_subtitle(&self, text: &str) -> String {
        for sign in [" – ", " — ", " - ", ": ", " | ", ", ", " · "] {
            if let Some((head, tail)) = text.rsplit_once(sign)
                && head.split_whitespace().count() >= 2
                && !self.keep(tail)
            {
                return head.to_owned();
            }
        }
        text.to_owned()
    }

    /// A heading without its last phrase that begins with a preposition or a conjunction.
    fn without_tail(&self, text: &str) -> String {
        let pieces: Vec<&str> = text.split(' ').collect();
        for at in (2..pieces.len()).rev() {
            let is_tail = pieces.get(at).is_some_and(|piece| self.language.is("tails", &fold(piece)));
            let tail = pieces.get(at..).unwrap_or_default().join(" ");
            if is_tail && !self.keep(&tail) {
                let head = pieces.get(..at).unwrap_or_default().join(" ");
                let ending = text.chars().next_back().filter(|char| matches!(char, '.' | '!' | '?'));
                let head = head.trim_end_matches(',').to_owned();
                return format!("{head}{}", ending.map(String::from).unwrap_or_default());
            }
        }
        text.to_owned()
    }

    /// A sentence without its last clause behind a comma.
    fn without_clause(&self, sentence: &str) -> String {
        let trimmed = sentence.trim_end();
        let body = trimmed.trim_end_matches(['.', '!', '?']);
        let ending = trimmed.get(body.len()..).unwrap_or_default();
        match body.rsplit_once(", ") {
            Some((head, tail))
                if head.split_whitespace().count() >= 4
                    && !self.keep(tail)
                    && tail.split(' ').next().is_some_and(|word| self.language.is("tails", &fold(word))) =>
            {
                format!("{head}{ending}")
            }
            _ => sentence.to_owned(),
        }
    }
}

/// Whether a piece is this word and nothing but it.
fn is_just(piece: &str, word: &str) -> bool {
    piece.chars().all(char::is_alphabetic) && fold(piece) == word
}

/// The sentences of a paragraph.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let next = chars.peek().map(|(_, char)| *char);
        let before = text.get(start..at).unwrap_or_default();
        // A short piece before the point is an abbreviation or a number.
        let is_word = before.split_whitespace().next_back().is_some_and(|word| word.chars().count() > 2);
        let is_end = matches!(char, '.' | '!' | '?') && next == Some(' ') && is_word
            || matches!(char, '。' | '！' | '？');
        if is_end {
            let end = at + char.len_utf8();
            found.push(text.get(start..end).unwrap_or_default());
            start = end;
        }
    }
    found.push(text.get(start..).unwrap_or_default());
    found.retain(|sentence| !sentence.trim().is_empty());
    found
}
