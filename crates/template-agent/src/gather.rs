//! Puts together what belongs together: wrapped lines, headings that look like none, questions with answers, points as cards.
//!
//! What this is not: a filter; whom a line speaks to is asked elsewhere.

use crate::material::{Chapter, ChapterPiece, Fact};
use crate::outline::{Item, List, Section, SectionPart};
use crate::rich::Rich;
use crate::sentence::is_question;
use crate::stance::{self, label, label::Label};
use crate::tidy;

/// How much shorter than the longest line of a paragraph one is that its writer has ended, not an editor.
const ROOM: usize = 24;
/// Lines that are shorter are broken anywhere.
const NARROWEST: usize = 30;

/// Whether each line of a paragraph is a thought of its own: several end although the next word had room behind them.
fn is_ragged(lines: &[Rich]) -> bool {
    let length = |line: &Rich| tidy::length(line.plain());
    let width = lines.iter().map(length).max().unwrap_or_default();
    let has_room = |pair: &&[Rich]| {
        let next = pair[1].plain().split(' ').next().unwrap_or_default();
        length(&pair[0]) + 1 + tidy::length(next) + ROOM <= width
    };
    width > ROOM + NARROWEST && lines.windows(2).filter(has_room).count() >= 2
}

/// Lines of a paragraph, those joined that only an editor has wrapped.
pub fn unwrapped(lines: Vec<Rich>) -> Vec<Rich> {
    let mut out: Vec<Rich> = Vec::with_capacity(lines.len());
    let is_ragged = is_ragged(&lines);
    for line in lines {
        let is_wrapped = out.last().is_some_and(|last| {
            // `agreed: …` begins anew, however small its first letter is.
            let is_label = label::split(&tidy::capital(line.plain())).is_some();
            let goes_on = line.plain().starts_with(char::is_lowercase) && !is_label;
            let is_open =
                !last.plain().ends_with(['.', '!', '?', ':', '。', '？', '！', '؟', ';', '…', '"', '”']);
            let is_wide = tidy::length(last.plain()) >= 56;
            let is_quote = line.plain().starts_with(['"', '“', '„', '«', '「', '—', '–']);
            is_open
                && !is_ragged
                && !is_quote
                && (goes_on || (is_wide && label::split(line.plain()).is_none()))
                && !last.markdown().starts_with('[')
        });
        match out.last_mut() {
            Some(last) if is_wrapped => *last = Rich::joined([&*last, &line]),
            _ => out.push(line),
        }
    }
    out
}

/// Sections with a heading for every short line that is over a list or a text.
pub fn with_headings(sections: Vec<Section>) -> Vec<Section> {
    let mut out: Vec<Section> = Vec::with_capacity(sections.len());
    for mut section in sections {
        let level = section.level;
        let parts = std::mem::take(&mut section.parts);
        let is_first = out.is_empty() && section.title.is_none();
        out.push(section);
        let mut parts = parts
            .into_iter()
            .flat_map(with_first_line_apart)
            .flat_map(as_list)
            .collect::<Vec<_>>()
            .into_iter()
            .peekable();
        let mut at = 0;
        while let Some(part) = parts.next() {
            let (part, over) = with_last_line_apart(part, parts.peek());
            if let (Some(part), Some(section)) = (part.clone().filter(|_| over.is_some()), out.last_mut()) {
                section.parts.push(part);
            }
            let Some(part) = over.or(part) else { continue };
            let title = heading_like(&part, parts.peek());
            let over_list =
                title.is_some() && matches!(parts.peek(), Some(SectionPart::List(_) | SectionPart::Table(_)));
            let is_list_heading = over_list
                && matches!(&part, SectionPart::Lines(lines) if lines.iter().any(|line| line.plain().ends_with([':', '：'])));
            let level = if is_first && at == 0 && !is_list_heading { 1 } else { level.max(1) + 1 };
            at += 1;
            match (title, out.last_mut()) {
                (Some(title), _) => out.push(Section { title: Some(title), level, parts: Vec::new() }),
                (None, Some(section)) => section.parts.push(part),
                (None, None) => {}
            }
            // A line over a list is the heading of that list alone.
            if over_list {
                out.last_mut().into_iter().for_each(|section| section.parts.extend(parts.next()));
                out.push(Section { title: None, level: level.saturating_sub(1).max(1), parts: Vec::new() });
            }
        }
    }
    out.retain(|section| section.title.is_some() || !section.parts.is_empty());
    out
}

/// A paragraph of short lines that are no sentences is a list, its first line perhaps the heading: a programme, an index.
fn as_list(part: SectionPart) -> Vec<SectionPart> {
    let SectionPart::Lines(lines) = part else { return vec![part] };
    let timed = |line: &Rich| {
        let plain = line.plain();
        let time = plain.split([' ', '–', '-']).next().unwrap_or_default();
        time.len() >= 4
            && time.contains([':', '.', 'h'])
            && time.bytes().all(|byte| byte.is_ascii_digit() || b":.h".contains(&byte))
    };
    let is_timed =
        lines.len() >= 3 && lines.iter().skip(1).all(timed) || lines.len() == 2 && lines.iter().all(timed);
    if !is_timed {
        return vec![SectionPart::Lines(lines)];
    }
    let skipped = usize::from(lines.first().is_some_and(|line| !timed(line)));
    let items = lines[skipped..].iter().map(|line| Item { lines: vec![line.clone()], nested: Vec::new() });
    let list = SectionPart::List(List { ordered: false, items: items.collect() });
    let heading = (skipped == 1).then(|| SectionPart::Lines(vec![lines[0].clone()]));
    heading.into_iter().chain([list]).collect()
}

/// A paragraph and its last line, if that one leads to the list which follows: `Key benefits:`.
fn with_last_line_apart(
    part: SectionPart,
    next: Option<&SectionPart>,
) -> (Option<SectionPart>, Option<SectionPart>) {
    match (part, next) {
        (SectionPart::Lines(mut lines), Some(SectionPart::List(_))) if lines.len() > 1 => {
            let leads = lines
                .last()
                .is_some_and(|line| line.plain().ends_with([':', '：']) && tidy::length(line.plain()) <= 60);
            match lines.pop() {
                Some(last) if leads => {
                    (Some(SectionPart::Lines(lines)), Some(SectionPart::Lines(vec![last])))
                }
                last => {
                    lines.extend(last);
                    (Some(SectionPart::Lines(lines)), None)
                }
            }
        }
        (part, _) => (Some(part), None),
    }
}

/// A paragraph whose first line is a heading, as two: `References` above sentences.
fn with_first_line_apart(part: SectionPart) -> Vec<SectionPart> {
    let SectionPart::Lines(mut lines) = part else { return vec![part] };
    let is_heading = match lines.as_slice() {
        [first, second, ..] => {
            let plain = first.plain().trim();
            label::of(plain) == Label::Questions
                || plain.split_whitespace().count() <= 4
                    && plain.starts_with(char::is_uppercase)
                    && plain.ends_with(char::is_alphabetic)
                    && second.plain().starts_with(|char: char| char.is_uppercase() || char.is_ascii_digit())
                    && second.plain().split_whitespace().count() >= 6
                    && second.plain().trim_end().ends_with(['.', '!', '?', '"', '”'])
        }
        _ => false,
    };
    if !is_heading {
        return vec![SectionPart::Lines(lines)];
    }
    let rest = lines.split_off(1);
    vec![SectionPart::Lines(lines), SectionPart::Lines(rest)]
}

fn heading_like(part: &SectionPart, next: Option<&SectionPart>) -> Option<Rich> {
    let SectionPart::Lines(lines) = part else { return None };
    let [line] = lines.as_slice() else { return None };
    let plain = line.plain().trim();
    let leads_to_list = matches!(next, Some(SectionPart::List(_) | SectionPart::Table(_)));
    let leads_to_text = match next {
        Some(SectionPart::Lines(lines)) => {
            lines.iter().map(|line| tidy::length(line.plain())).sum::<usize>() > 60
                || label::of(plain) == Label::Questions
        }
        _ => false,
    };
    let bare = plain.strip_suffix([':', '：']);
    let is_label = label::split(plain).is_some_and(|(_, at)| at < plain.len());
    let ends_open = !plain.ends_with(['.', '!', ';', ',', '。', '！', '…', '"', '”', ')', '」']);
    let is_short = tidy::length(plain) <= 60 && plain.split_whitespace().count() <= 9;
    let is_begun = leads_to_list || !plain.starts_with(char::is_lowercase);
    let is_heading = is_short
        && is_begun
        && !is_label
        && ends_open
        && !line.markdown().contains("](")
        && !plain.starts_with(|char: char| char.is_ascii_digit())
        && (leads_to_list || leads_to_text);
    is_heading.then(|| Rich::of(bare.unwrap_or(plain).trim()))
}

/// What is before an answer.
const ANSWER_MARKS: [&str; 11] =
    ["a", "answer", "antwort", "r", "réponse", "respuesta", "resposta", "risposta", "antwoord", "答", "о"];

/// A question with its answer.
pub struct QuestionAndAnswer {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: Vec<Rich>,
    /// How many lines they are.
    pub lines: usize,
    /// Whether their form leaves no doubt: two lines, or a mark before each of them.
    pub is_sure: bool,
}

/// A question with its answer at the start of these lines.
pub fn asked(lines: &[Rich]) -> Option<QuestionAndAnswer> {
    let first = lines.first()?;
    let (mark, question) = unmarked(
        first,
        &["q", "question", "frage", "f", "p", "pregunta", "pergunta", "domanda", "vraag", "問", "问", "в"],
    );
    let plain = question.plain().trim();
    // `Q: Do you ship abroad? A: Yes.` has both in one line.
    let is_whole = mark && plain.find('?').is_some_and(|at| plain.len() > at + 1);
    if (is_question(plain) || mark) && !is_whole {
        let next = lines.get(1)?;
        let (is_answer, answer) = unmarked(next, &ANSWER_MARKS);
        let is_one = question.sentences().len() == 1 && !is_question(answer.plain());
        return (is_one && (is_answer || tidy::length(answer.plain()) > 12)).then(|| QuestionAndAnswer {
            question: plain.to_owned(),
            answer: vec![answer],
            lines: 2,
            is_sure: true,
        });
    }
    // A question and its answer in one line.
    if !plain.contains(['?', '？', '؟']) {
        return None;
    }
    let sentences = question.sentences();
    let (head, rest) = sentences.split_first()?;
    let is_asked = is_question(head.plain()) && tidy::length(head.plain()) <= 140 && !rest.is_empty();
    let is_answered = rest.iter().all(|sentence| !is_question(sentence.plain()));
    let mut answer = rest.to_vec();
    let is_marked = answer.first_mut().is_some_and(|first| {
        let (is_marked, bare) = unmarked(first, &ANSWER_MARKS);
        *first = bare;
        is_marked
    });
    let is_long = tidy::length(Rich::joined(&answer).plain()) > 12;
    let is_sure = mark && is_marked;
    (is_asked && is_answered && (is_long || is_sure)).then(|| QuestionAndAnswer {
        question: head.plain().to_owned(),
        answer,
        lines: 1,
        is_sure,
    })
}

/// A question with its answer in an item of a list.
pub fn asked_in_item(lines: &[Rich], nested: &[Rich]) -> Option<(String, Vec<Rich>)> {
    if let [only] = lines
        && is_question(only.plain())
        && !nested.is_empty()
    {
        return Some((only.plain().to_owned(), nested.to_vec()));
    }
    let asked = asked(lines)?;
    let rest = lines[asked.lines..].iter().chain(nested).cloned();
    Some((asked.question, asked.answer.into_iter().chain(rest).collect()))
}

/// A line without the mark of a question or an answer, and whether it had one.
fn unmarked(line: &Rich, marks: &[&str]) -> (bool, Rich) {
    if let Some((name, at)) = label::split(line.plain())
        && marks.contains(&tidy::folded(name).as_str())
    {
        return (true, line.after(at));
    }
    (false, line.clone())
}

/// Chapters with small ones of the same depth put together as cards.
pub fn grouped(chapters: Vec<Chapter>) -> Vec<Chapter> {
    let mut out: Vec<Chapter> = Vec::with_capacity(chapters.len());
    let mut rest = chapters.into_iter().peekable();
    while let Some(chapter) = rest.next() {
        let Some(card) = as_card(&chapter) else {
            out.push(chapter);
            continue;
        };
        let mut cards = vec![card];
        let level = chapter.level;
        while cards.len() < 12
            && let Some(next) = rest.peek()
            && next.level == level
            && let Some(card) = as_card(next)
        {
            cards.push(card);
            rest.next();
        }
        // Small chapters under a heading without text of its own belong to it.
        let parent = out
            .last_mut()
            .filter(|last| last.level < level && last.level > 1 && last.title.is_some() && last.is_empty());
        match parent {
            Some(parent) if cards.len() >= 2 => parent.pieces.push(ChapterPiece::Cards(as_cards(cards))),
            _ if cards.len() >= 3 => {
                out.push(Chapter { title: None, level, pieces: vec![ChapterPiece::Cards(as_cards(cards))] });
            }
            _ => out.extend(cards.into_iter().map(|(title, facts)| Chapter {
                title: Some(title),
                level,
                pieces: vec![ChapterPiece::Facts(facts)],
            })),
        }
    }
    out.retain(|chapter| !chapter.is_empty());
    out.iter_mut().for_each(with_logos);
    out
}

/// Pictures in a row are logos if they are three, or if the heading says so.
fn with_logos(chapter: &mut Chapter) {
    let heading = tidy::folded(chapter.title.as_deref().unwrap_or_default());
    let signs = [
        "trusted",
        "customers",
        "clients",
        "partners",
        "logos",
        "as seen",
        "kunden",
        "partner",
        "clienti",
        "clientes",
        "导入",
        "導入",
        "取引先",
    ];
    let least = if signs.iter().any(|sign| heading.contains(sign)) { 2 } else { 3 };
    let mut out: Vec<ChapterPiece> = Vec::with_capacity(chapter.pieces.len());
    let mut row = Vec::new();
    for piece in std::mem::take(&mut chapter.pieces).into_iter().map(Some).chain([None]) {
        match piece {
            Some(ChapterPiece::Picture(picture)) => row.push(picture),
            other => {
                let pictures = std::mem::take(&mut row);
                if pictures.len() >= least {
                    out.push(ChapterPiece::Logos(pictures));
                } else {
                    out.extend(pictures.into_iter().map(ChapterPiece::Picture));
                }
                out.extend(other);
            }
        }
    }
    chapter.pieces = out;
}

/// A chapter that is no more than a card: a short title and a short text.
fn as_card(chapter: &Chapter) -> Option<(String, Vec<Fact>)> {
    let title = chapter.title.as_ref().filter(|title| tidy::length(title) <= 60 && chapter.level > 1)?;
    let is_own = stance::is_copy(title) && label::of(title) == Label::Fact;
    match chapter.pieces.as_slice() {
        [ChapterPiece::Facts(facts)] if is_own => {
            let size: usize = facts.iter().map(|fact| tidy::length(fact.text.plain())).sum();
            let has_link = facts.iter().any(|fact| fact.text.markdown().contains("]("));
            (size <= 240 && !has_link).then(|| (title.clone(), facts.clone()))
        }
        _ => None,
    }
}

fn as_cards(cards: Vec<(String, Vec<Fact>)>) -> Vec<(String, Rich)> {
    let text = |facts: Vec<Fact>| Rich::joined(facts.iter().map(|fact| &fact.text));
    cards.into_iter().map(|(title, facts)| (title, text(facts))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rich(lines: &[&str]) -> Vec<Rich> {
        lines.iter().map(|line| Rich::of(line)).collect()
    }

    #[test]
    fn lines_that_an_editor_wrapped_are_one() {
        let lines = rich(&["We bake", "bread every day.", "Come by!"]);
        let plain: Vec<String> = unwrapped(lines).iter().map(|line| line.plain().to_owned()).collect();
        assert_eq!(plain, ["We bake bread every day.", "Come by!"]);
    }

    #[test]
    fn questions_find_their_answers() {
        let found = |lines: &[&str]| {
            asked(&rich(lines)).map(|asked| (asked.question, asked.answer[0].plain().to_owned(), asked.lines))
        };
        assert_eq!(
            found(&["Q: Is it safe?", "A: Yes."]),
            Some(("Is it safe?".to_owned(), "Yes.".to_owned(), 2))
        );
        assert_eq!(found(&["Is it safe?", "We keep everything in Europe."]).map(|found| found.2), Some(2));
        assert_eq!(found(&["Is it safe? We keep everything in Europe."]).map(|found| found.2), Some(1));
        assert_eq!(found(&["We bake.", "You eat."]), None);
        assert_eq!(
            found(&["Q: Do you cut left-handed? A: Yes."]),
            Some(("Do you cut left-handed?".to_owned(), "Yes.".to_owned(), 1))
        );
        let is_sure = |line: &str| asked(&rich(&[line])).is_some_and(|asked| asked.is_sure);
        assert!(is_sure("F: Schneiden Sie auch Farne? A: Ja."));
        assert!(!is_sure("Is it safe? We keep everything in Europe."));
    }

    #[test]
    fn lines_that_are_thoughts_of_their_own_stay_apart() {
        let count = |text: &str| unwrapped(text.lines().map(Rich::of).collect()).len();
        let dictated = "Hedgeworks trims hedges in Ludlow and takes all of the cuttings away with it\n\
                        a cut is 40 pounds\n\
                        two of us come at eight in the morning and we are gone again by noon, mostly\n\
                        dogs are fine\n\
                        we bring our own ladders";
        assert_eq!(count(dictated), 5);
        let wrapped = "Hedgeworks trims hedges in Ludlow and takes all of the cuttings away\n\
                       with it. A cut is 40 pounds, and two of us come at eight in the morning and\n\
                       are gone again by noon.";
        assert_eq!(count(wrapped), 1);
    }
}
