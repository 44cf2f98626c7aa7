//! What is told to the reader after a call: what was agreed and what comes next, out of log entries and the supplementary context.
//!
//! A payload is read for a few fields with a known meaning, and only where the entry is about a conversation; whatever else it holds,
//! scores, ids, states, stays unread. Invariant: a sentence with a word of judgement, feeling or business of the seller is not told,
//! and neither is one about somebody else than the reader.

use std::collections::HashSet;

use pagesmith_model::brief::{Brief, LogBrief};
use serde_json::Value;

use crate::count;
use crate::fate;
use crate::kind::{self, Kind};
use crate::language::Language;
use crate::lexicon::Lexicon;
use crate::outline::{self, SectionPart};
use crate::reader::Reader;
use crate::rich::Rich;
use crate::stance::{self, label, label::Label};
use crate::words::Tokens;
use crate::{pasted, tidy, voice};

mod agreed;
mod fields;

use agreed::{agrees, without_promise, without_repeats};
use fields::{ANSWERS, NEXT, OTHER_KINDS, TALKED};

/// The most entries that are read, newest first.
const MOST_ENTRIES: usize = 5;
/// How much of one entry is read.
const MOST_BYTES: usize = 8 * 1024;
/// The most topics that are told.
const MOST_TOPICS: usize = 7;
/// The most next steps that are told.
const MOST_STEPS: usize = 14;

/// What is told after a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FollowUp {
    /// What was talked about, as sentences to the reader.
    pub topics: Vec<String>,
    /// What was agreed and comes next.
    pub next: Vec<String>,
}

/// The text of an entry about a conversation; what else it holds is nobody's business, a model's neither.
pub fn readable(log: &LogBrief) -> Option<String> {
    let payload = conversation(log)?;
    let mut text = String::new();
    for name in TALKED.iter().chain(NEXT).chain(ANSWERS) {
        payload.get(*name).into_iter().for_each(|value| collect(value, 0, &mut text));
    }
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn collect(value: &Value, depth: usize, text: &mut String) {
    match value {
        Value::String(more) if text.len() < MOST_BYTES => {
            text.push('\n');
            text.push_str(tidy::head(more, 1000));
        }
        Value::Array(all) if depth < 3 => {
            all.iter().take(20).for_each(|value| collect(value, depth + 1, text));
        }
        Value::Object(fields) if depth < 3 => {
            fields.values().take(20).for_each(|value| collect(value, depth + 1, text));
        }
        _ => {}
    }
}

/// The payload of an entry, if it is about a conversation; a very long one is nobody's note.
fn conversation(log: &LogBrief) -> Option<serde_json::Map<String, Value>> {
    let name = format!("{} {}", log.source, log.kind);
    if OTHER_KINDS.iter().any(|kind| name.contains(kind)) || log.payload.len() > 256 * 1024 {
        return None;
    }
    match serde_json::from_str::<Value>(&log.payload) {
        Ok(Value::Object(payload)) if !is_internal(&payload) => Some(payload),
        _ => None,
    }
}

/// Whether the subject of a message says that it is for colleagues.
fn is_internal(payload: &serde_json::Map<String, Value>) -> bool {
    let subject =
        ["subject", "title"].iter().find_map(|name| payload.get(*name)?.as_str()).unwrap_or_default();
    ["internal", "intern", "interne", "interno", "confidential", "vertraulich"]
        .iter()
        .any(|sign| tidy::folded(subject).contains(sign))
}

/// What is told after the call of a brief. `described` are notes that are in its context, `company` is who speaks.
pub fn of(
    brief: &Brief,
    described: &[String],
    reader: &Reader,
    company: Option<&str>,
    language: Language,
) -> FollowUp {
    let mut notes = Notes { found: FollowUp::default(), was_asked: false, reader, company, language };
    for payload in brief.logs.iter().filter_map(conversation).take(MOST_ENTRIES) {
        TALKED.iter().filter_map(|name| payload.get(*name)).for_each(|value| notes.value(value, false));
        NEXT.iter().filter_map(|name| payload.get(*name)).for_each(|value| notes.value(value, true));
    }
    if let Some(supplement) = &brief.supplementary_context {
        notes.text(supplement, false);
    }
    described.iter().filter(|note| !stance::mentions_page(note)).for_each(|note| notes.text(note, false));
    let mut found = notes.found;
    let mut seen = HashSet::new();
    for (list, most) in [(&mut found.next, MOST_STEPS), (&mut found.topics, MOST_TOPICS)] {
        list.retain(|text| tidy::length(text) >= 3 && seen.insert(tidy::folded(text.trim_end_matches('.'))));
        list.truncate(most);
    }
    without_repeats(&mut found.next);
    found
}

struct Notes<'a> {
    found: FollowUp,
    /// Whether the sentence before was a question of the reader, so that this one may be the answer.
    was_asked: bool,
    reader: &'a Reader,
    company: Option<&'a str>,
    language: Language,
}

impl Notes<'_> {
    fn value(&mut self, value: &Value, is_next: bool) {
        match value {
            Value::String(text) => self.text(text, is_next),
            Value::Array(all) => {
                all.iter().filter_map(Value::as_str).take(12).for_each(|text| self.text(text, is_next));
            }
            _ => {}
        }
    }

    /// What a text of notes says, by its headings and labels.
    fn text(&mut self, text: &str, is_next: bool) {
        let mut next = is_next;
        self.was_asked = false;
        for section in outline::read(tidy::head(text, MOST_BYTES)) {
            match section.title.as_ref().map(|title| label::of(title.plain().trim_end_matches(':'))) {
                Some(Label::Writer) => continue,
                Some(Label::Next) => next = true,
                Some(_) => next = is_next,
                None => {}
            }
            for part in section.parts {
                match part {
                    SectionPart::Lines(lines) => {
                        for line in lines {
                            self.line(line.plain(), &mut next, is_next);
                        }
                    }
                    SectionPart::List(list) => {
                        for item in list.items {
                            self.line(Rich::joined(&item.lines).plain(), &mut next.clone(), is_next);
                        }
                        // What is behind a list of what was agreed is something else.
                        next = is_next;
                    }
                    _ => {}
                }
            }
        }
    }

    fn line(&mut self, line: &str, next: &mut bool, is_next: bool) {
        let mut text = line.trim();
        // Of a transcript only what was said to the reader counts.
        if let Some((speaker, said)) = pasted::stamped(text) {
            if self.reader.is_named_in(speaker) {
                return;
            }
            text = said;
        }
        let mut of_line = *next;
        if let Some((name, at)) = label::split(text) {
            let value = text[at..].trim();
            let announces = self.lexicon().is_some_and(|lexicon| {
                let name = Tokens::of(name);
                lexicon.kinds.agreed.is_in(&name) || lexicon.kinds.next.at(&name, 0).is_some()
            });
            match label::of(name) {
                Label::Writer => return,
                Label::Talked => of_line = is_next,
                Label::Next => of_line = true,
                _ if announces => of_line = true,
                Label::Goal
                | Label::Challenge
                | Label::UseCase
                | Label::Role
                | Label::Industry
                | Label::Place => return,
                _ => {}
            }
            if value.is_empty() {
                *next = of_line;
                return;
            }
            text = value;
        }
        // `agreed` alone on its line announces what follows.
        let is_announced = text.split_whitespace().count() <= 3
            && self.lexicon().is_some_and(|lexicon| lexicon.kinds.agreed.at(&Tokens::of(text), 0).is_some());
        if is_announced && !is_next {
            *next = true;
            return;
        }
        for sentence in fate::trusted(&Rich::of(text).sentences()) {
            for part in sentence.plain().split("; ") {
                of_line = self.sentence(part, of_line);
            }
        }
    }

    /// Takes a sentence; whether the next one goes on with what was agreed.
    fn sentence(&mut self, sentence: &str, goes_on: bool) -> bool {
        // `Agreed: …` within a paragraph.
        let was_told = self.was_asked && self.has_answer(sentence);
        let (sentence, announced) = match label::split(sentence) {
            Some((name, at))
                if self.lexicon().is_some_and(|lexicon| lexicon.kinds.agreed.is_in(&Tokens::of(name)))
                    || label::of(name) == Label::Next =>
            {
                (sentence[at..].trim(), true)
            }
            Some((name, at))
                if was_told || tidy::length(name) <= 20 && self.speaks_of_us(&sentence[at..]) =>
            {
                (sentence[at..].trim(), false)
            }
            _ => (sentence.trim(), false),
        };
        let Some(lexicon) = self.lexicon() else { return false };
        let bare = without_brackets(sentence);
        let tokens = Tokens::of(&bare);
        // What something costs is said in an offer and not in a note.
        let is_price = kind::kind(&bare, Some(lexicon)) == Kind::Price
            || lexicon.numbers.price.find(&tokens).is_some_and(|found| {
                // `A trial with 8 loggers, free of charge` and `starting at 6 am` tell no amount.
                let is_amount = !matches!(tokens.word(found.start), "free" | "starting" | "starts");
                found.end - found.start >= 2 && is_amount && bare.chars().any(|char| char.is_ascii_digit())
            });
        // The reader has heard the answer, whatever it speaks of.
        let is_private = !was_told && lexicon.kinds.private.is_in(&tokens);
        if tokens.len() == 0 || is_price || is_private || fate::is_talk(&tokens) || !is_readable(&bare) {
            return goes_on && announced;
        }
        let is_agreed = announced || goes_on || agrees(&tokens, lexicon);
        let is_english = self.language.tag == "en";
        // An item of what was agreed may name whoever does it.
        let told = voice::to_reader(&tidy::line(&bare, 300), self.reader, is_english)
            .or_else(|| ((announced || goes_on) && !is_english).then(|| bare.clone()));
        let is_about_other = |text: &str| {
            let tokens = Tokens::of(text);
            tokens.iter().any(|word| {
                lexicon.grammar.third.has(word)
                    && !matches!(
                        word,
                        "they" | "them" | "their" | "sie" | "ihr" | "ihre" | "leur" | "su" | "lei"
                    )
            })
        };
        let Some(told) = told.filter(|told| !is_about_other(told)) else { return goes_on || announced };
        let told = tidy::capital(&told);
        let is_agreed = is_agreed || agrees(&Tokens::of(&told), lexicon);
        // What is to be done next is said as an order, as it is to a writer; it only must not be about a page.
        let is_order = !stance::is_copy(&told);
        // `What we agreed.` only announces.
        let announces = count::words(&told) <= 3 && !goes_on && !announced;
        if announces {
            return is_agreed;
        }
        // What one person says to another, and what is said of somebody, is no part of it unless it was agreed.
        let is_remark = !agrees(&tokens, lexicon)
            && (lexicon.grammar.i.in_text(&tokens) || lexicon.instructions.polite.at(&tokens, 0).is_some());
        if is_remark {
            return goes_on && announced;
        }
        let is_about_reader = tokens.iter().any(|word| matches!(word, "he" | "she" | "he's" | "she's"));
        let is_answer = self.was_asked && !is_about_reader;
        self.was_asked = told.starts_with("You asked");
        if is_agreed && !(is_order && tidy::folded(&told).contains("page")) {
            self.found.next.push(without_promise(told.trim_end_matches('.')));
        } else if !is_order
            && (self.was_asked
                || is_answer
                || !is_about_reader && (told.starts_with("We ") || self.speaks_of_us(&told)))
        {
            self.found.topics.push(told);
        }
        is_agreed
    }

    fn lexicon(&self) -> Option<&'static Lexicon> {
        self.language.lexicon
    }

    /// Whether a sentence is labelled as the answer to what was asked.
    fn has_answer(&self, sentence: &str) -> bool {
        label::split(sentence).is_some_and(|(name, _)| {
            let name = Tokens::of(name);
            let found = self.lexicon().and_then(|lexicon| lexicon.kinds.answered.at(&name, 0));
            found.is_some_and(|found| found.end == name.len())
        })
    }

    /// Whether a sentence says something of who speaks: its company, or `we`.
    fn speaks_of_us(&self, sentence: &str) -> bool {
        let tokens = Tokens::of(sentence);
        let is_we = self.lexicon().is_some_and(|lexicon| lexicon.grammar.we.in_text(&tokens));
        is_we || self.company.is_some_and(|company| tidy::folded(sentence).contains(&tidy::folded(company)))
    }
}

/// A sentence without what is in brackets: asides of whoever wrote it.
fn without_brackets(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut depth = 0usize;
    for char in text.chars() {
        match char {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            char if depth == 0 => out.push(char),
            _ => {}
        }
    }
    tidy::one_line(&out).replace(" .", ".").replace(" ,", ",")
}

/// Whether it is a sentence of a human without codes and addresses of persons.
fn is_readable(sentence: &str) -> bool {
    let has_code = sentence.split_whitespace().any(|word| {
        let bare = word.trim_matches(|char: char| !char.is_alphanumeric());
        let digits = bare.bytes().filter(u8::is_ascii_digit).count();
        (tidy::length(bare) >= 14 && digits > 2 && !word.contains("://"))
            || digits >= 9
            || (word.contains('@') && word.contains('.'))
    });
    !has_code && !sentence.contains(['{', '}', '<', '>', '|', '\\', '=', '+'])
}

#[cfg(test)]
mod tests {
    use pagesmith_model::Timestamp;
    use pagesmith_model::page::PageType;

    use super::*;

    fn log(source: &str, kind: &str, payload: &str) -> LogBrief {
        LogBrief {
            source: source.to_owned(),
            kind: kind.to_owned(),
            at: Timestamp::from_micros(0),
            payload: payload.to_owned(),
        }
    }

    fn reader() -> Reader {
        Reader {
            name: "Dana Reyes".to_owned(),
            first: "Dana".to_owned(),
            last: "Reyes".to_owned(),
            ..Reader::default()
        }
    }

    fn follow_up(supplement: &str, logs: Vec<LogBrief>) -> FollowUp {
        let brief = Brief {
            supplementary_context: Some(supplement.to_owned()),
            logs,
            ..Brief::new(PageType::CallFollowup, "x", "")
        };
        let language = Language::of_texts(&["This is a text that anyone can tell to be English."]);
        of(&brief, &[], &reader(), Some("Wardlink"), language)
    }

    #[test]
    fn the_answer_that_the_reader_was_given_is_told_whatever_it_speaks_of() {
        let answered = |notes: &str| follow_up(notes, vec![]).topics;
        assert_eq!(
            answered(
                "Dana asked who pays a broker. Told her: the insurer pays a commission. The commission is our weak spot."
            ),
            ["You asked who pays a broker.", "The insurer pays a commission."]
        );
        let question = "You asked about the contract.";
        assert_eq!(answered("Dana asked about the contract. Internal: our margin is thin."), [question]);
        assert_eq!(answered("Answer: our margin is thin."), [""; 0]);
        assert_eq!(answered("Dana asked about the contract. Answer: she would not sign it."), [question]);
    }

    #[test]
    fn what_was_agreed_is_told_and_what_was_felt_is_not() {
        let found = follow_up(
            "Dana was cautious, she got shouted at last year. Agreed: pilot on two wards from 2 June. We send the mapping by Wednesday. \
             The questionnaire goes back by the end of the month.\nBudget is maybe 60k, finance not involved yet.",
            vec![
                log(
                    "gong",
                    "call",
                    r#"{"summary": "Dana asked about the audit trail. Wardlink only reads from the record. Tom liked it.", "nextSteps": ["Test login for two sisters"], "dealScore": 87}"#,
                ),
                log("crm", "deal-stage", r#"{"text": "Agreed on 40k"}"#),
                log(
                    "hubspot",
                    "email",
                    r#"{"subject": "Internal: Reyes", "body": "We will lose this one."}"#,
                ),
            ],
        );
        assert_eq!(
            found.next,
            [
                "Test login for two sisters",
                "Pilot on two wards from 2 June",
                "We send the mapping by Wednesday",
                "The questionnaire goes back by the end of the month"
            ]
        );
        assert_eq!(
            found.topics,
            ["You asked about the audit trail.", "Wardlink only reads from the record."]
        );
    }

    #[test]
    fn what_follows_the_words_that_announce_it_was_agreed() {
        let found = follow_up(
            "What we agreed. Waylight fits six vans at the depot in Dudley on 18 November, starting at 6 am. \
             We agreed on a trial with 8 loggers for 30 days, free of charge. I promised a rate card by Friday.",
            vec![log(
                "gong",
                "call",
                r#"{"nextSteps": ["Fit six vans on 18 November", "Rate card by Friday"]}"#,
            )],
        );
        assert_eq!(
            found.next,
            [
                "Rate card by Friday",
                "Waylight fits six vans at the depot in Dudley on 18 November, starting at 6 am",
                "A trial with 8 loggers for 30 days, free of charge",
            ]
        );
    }

    #[test]
    fn what_lies_in_the_past_is_no_next_step() {
        let found = follow_up("Visit to the plant in Leeds: twenty rooms in three buildings.", Vec::new());
        assert_eq!(found.next, Vec::<String>::new());
        let found = follow_up("Visit to the plant in Leeds on Tuesday.", Vec::new());
        assert_eq!(found.next, ["Visit to the plant in Leeds on Tuesday"]);
    }

    #[test]
    fn who_does_it_is_said_to_the_reader() {
        let found = follow_up(
            "- we'll quote for three vans by 20 March\n- Dana sends the list of machines\n- her husband decides, he thinks we are a waste of money",
            Vec::new(),
        );
        assert_eq!(found.next, ["We'll quote for three vans by 20 March", "You send the list of machines"]);
    }
}
