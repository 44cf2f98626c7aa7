//! Finds what a page must not say: words of notes, instructions, numbers that nobody gave, words that the brand avoids, repeats, and what
//! reads badly.
//!
//! It is pure, takes a brief and a document, and is the same for the template and for models. What it finds names the block, so that a
//! model can repair it, or the block can be left out. What it does not find: an untrue sentence without a number, and a number in words.
//! Invariant: what [`Checker::enforce`] leaves has no findings, whatever the document was.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use pagesmith_model::brief::Brief;
use pagesmith_model::content::Content;
use pagesmith_model::content::component::Component;
use pagesmith_model::page::PageType;

use crate::alt_text::alt_text;
use crate::blocks::MOST_PROSE;
use crate::brief_reading::BriefReading;
use crate::count;
use crate::fate::{self, Fate};
use crate::headline;
use crate::language::Language;
use crate::outline;
use crate::reader::Reader;
use crate::sentence;
use crate::stance::{self, label, label::Label};
use crate::tidy;
use crate::words::{Tokens, hash};

mod avoided;
mod mend;
mod names;
pub(crate) mod numbers;
mod origin;
mod plain;
mod rule;
mod source;
#[cfg(test)]
mod tests;
mod texts;

pub use mend::Mending;
pub use rule::{Finding, Rule};
pub(crate) use texts::joined as texts_of;

use avoided::AvoidedWords;
use names::Spelled;
use origin::Origins;
use plain::{Hashes, Plain};
use source::{Facts, Untold};
use texts::FieldText;

/// The fewest words of a sentence that must not occur twice.
const LEAST_REPEAT: usize = 4;
/// The fewest words of an instruction that is looked for: a shorter one can be the name of an action.
const LEAST_ORDER: usize = 3;
/// So many words of its beginning tell an instruction.
const ORDER_START: usize = 6;

/// What a page must not say and what it may, by its brief.
pub struct Checker {
    facts: Facts,
    notes: Untold,
    /// The texts of the brief that have an attempt to give orders to a program.
    injected: Untold,
    orders: Vec<Order>,
    avoided: AvoidedWords,
    reader: Reader,
    language: Language,
    action_ids: Vec<String>,
    /// The headline of a page whose own cannot stay.
    title: String,
    origins: Origins,
}

/// An instruction that is looked for.
struct Order {
    /// Its words, by their hashes.
    words: Vec<u64>,
    /// So many of its first words tell it as well, where the page's sentence is an instruction too: its end may name a fact.
    least: usize,
    /// These words.
    start: String,
}

impl Order {
    fn of(order: &Plain) -> Option<Order> {
        let manners = ["please", "pls", "kindly", "also", "bitte"];
        let words: Vec<_> = order.words().skip_while(|word| manners.contains(&word.text)).collect();
        let mut halves = 0;
        let reaches = |word: &plain::Word<'_>| {
            halves += word.weight;
            halves.div_ceil(2) >= ORDER_START
        };
        let least = words.iter().position(reaches).map_or(words.len(), |last| last + 1);
        let start = words[..least].iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
        let words: Vec<u64> = words.iter().map(|word| word.hash).collect();
        (!words.is_empty()).then_some(Order { words, least, start })
    }
}

impl Checker {
    /// A checker for the pages of a brief.
    pub fn of(brief: &Brief) -> Checker {
        Checker::new(&BriefReading::of(brief))
    }

    /// The same for a brief that has been read.
    pub(crate) fn new(reading: &BriefReading<'_>) -> Checker {
        let BriefReading { brief, language, .. } = *reading;
        let (context, injected) = without_injections(&reading.context);
        let reader = &reading.audience.reader;
        // What is to be mentioned is behind these words.
        let tells_fact = |order: &&String| order.contains(" that ") || order.contains(" dass ");
        let mut orders: Vec<String> =
            reading.orders.iter().filter(|order| !tells_fact(order)).cloned().collect();
        let mut described = reading.notes.clone();
        // `Audience: …` is said to the writer, and is a note all the same.
        described.extend(orders.iter().filter(|order| names_audience(order, language)).cloned());
        let mut checker = Checker {
            facts: facts(reading, &context, &described),
            notes: notes(reading, &described),
            injected: Untold::new(language),
            orders: Vec::new(),
            avoided: AvoidedWords::of(&brief.voice, language),
            reader: reader.clone(),
            language,
            action_ids: brief.actions.iter().map(|action| action.id().to_owned()).collect(),
            title: headline::general(language),
            origins: Origins::of(brief, &context, &reading.knowledge),
        };
        injected.iter().for_each(|text| checker.injected.add(text));
        orders.extend(reading.not_understood.iter().cloned());
        // After a call, what is to be done next is said like an order.
        if brief.page_type != PageType::CallFollowup {
            orders.extend(reading.audience.orders.iter().filter(|order| !tells_fact(order)).cloned());
        }
        // An order may repeat what a button says.
        let buttons: Vec<Plain> =
            brief.actions.iter().filter_map(|action| Some(Plain::of(action.button_title()?))).collect();
        let is_button = |order: &Plain| buttons.iter().any(|button| button.text() == order.text());
        let orders = orders.iter().map(|order| Plain::of(order));
        let orders = orders.filter(|order| order.count() >= LEAST_ORDER && !is_button(order));
        checker.orders = orders.filter_map(|order| Order::of(&order)).collect();
        let title = crate::title(reading);
        if headline::is_headline(&title) && checker.faults("title", &title, &sentences(&title)).is_empty() {
            checker.title = title;
        }
        checker
    }

    /// What is wrong about a page.
    pub fn check(&self, content: &Content) -> Vec<Finding> {
        let mut found = Vec::new();
        let mut said = EarlierSentences::default();
        let head = &content.head;
        for text in [&head.title, &head.description, &head.site_name].into_iter().flatten() {
            let faults = self.faults("head", text, &sentences(text));
            found.extend(faults.into_iter().map(|(rule, text)| Finding { rule, block: None, text }));
        }
        for (at, block) in content.blocks.iter().enumerate() {
            let mut add = |rule, text: &str| {
                found.push(Finding { rule, block: Some(at), text: tidy::line(text, 200) });
            };
            for FieldText { field, text } in texts::of(block) {
                let parts = sentences(&text);
                for (rule, text) in self.faults(field, &text, &parts) {
                    add(rule, &text);
                }
                said.repeats(field, &text, &parts).iter().for_each(|text| add(Rule::Repeat, text));
            }
            for (_, id) in block.action_ids() {
                if !self.has_action(id) {
                    add(Rule::DeadAction, id);
                }
            }
            empty_sections(block).iter().for_each(|title| add(Rule::EmptySection, title));
            if let Component::Hero(hero) = block
                && !headline::is_headline(&hero.title)
            {
                add(Rule::Headline, &hero.title);
            }
        }
        if !self.action_ids.is_empty() && !self.has_call_to_action(content) {
            found.push(Finding { rule: Rule::NoCallToAction, block: None, text: String::new() });
        }
        found
    }

    fn has_action(&self, id: &str) -> bool {
        self.action_ids.iter().any(|action| action == id)
    }

    fn has_call_to_action(&self, content: &Content) -> bool {
        content.blocks.iter().any(|block| block.action_ids().iter().any(|(_, id)| self.has_action(id)))
    }

    /// What is wrong about a text of these sentences alone.
    fn faults(&self, field: &str, text: &str, sentences: &[Sentence<'_>]) -> Vec<(Rule, String)> {
        let mut found: Vec<(Rule, String)> = Vec::new();
        let spelled = Spelled::of(text);
        for (untold, rule) in [(&self.notes, Rule::NoteShown), (&self.injected, Rule::InstructionShown)] {
            let run = sentences.iter().find_map(|(_, words)| untold.run_in(words, &self.facts));
            found.extend(run.map(|run| (rule, run.to_owned())));
            let names = untold.names_in(text, &spelled, &self.facts);
            found.extend(names.into_iter().map(|name| (rule, name)));
        }
        for number in numbers::of(text) {
            let is_of_notes = self.notes.numbers.have(&number);
            if !self.facts.numbers.have(&number) {
                found.push((if is_of_notes { Rule::NoteShown } else { Rule::UnknownNumber }, number.value));
            } else if self.notes.numbers.have_unit(&number) && !self.facts.numbers.have_unit(&number) {
                found.push((Rule::NoteShown, number.value));
            }
        }
        let seen = stance::Seen::of(text);
        let injection = || seen.is_injection().then(|| tidy::line(text, 200));
        let order = self.instruction(sentences).or_else(injection);
        found.extend(order.map(|order| (Rule::InstructionShown, order)));
        if seen.is_placeholder() {
            found.push((Rule::Placeholder, tidy::line(text, 200)));
        }
        let avoided = sentences.iter().find_map(|(_, words)| self.avoided.found_in(words));
        found.extend(avoided.map(|words| (Rule::AvoidedWord, words)));
        // What somebody said stays as it was said.
        if !matches!(field, "quote" | "altText" | "head") {
            let long = text.lines().find(|line| line.len() > MOST_PROSE && count::words(line) > MOST_PROSE);
            found.extend(long.map(|line| (Rule::LongProse, tidy::line(line, 200))));
        }
        found
    }
}

impl Checker {
    /// The instruction of the brief that is among these sentences, if one is.
    fn instruction(&self, sentences: &[Sentence<'_>]) -> Option<String> {
        sentences.iter().find_map(|(sentence, words)| {
            let words: Vec<u64> = words.words().map(|word| word.hash).collect();
            let has = |wanted: &[u64]| words.windows(wanted.len()).any(|part| part == wanted);
            let is_order = || {
                let fate = fate::fate(sentence, false, &self.reader, self.language.lexicon);
                matches!(fate, Fate::Instruction | Fate::Injection)
            };
            let is_shown =
                |order: &&Order| has(&order.words[..order.least]) && (has(&order.words) || is_order());
            self.orders.iter().find(is_shown).map(|order| order.start.clone())
        })
    }
}

/// A sentence with its words.
type Sentence<'a> = (&'a str, Plain);

/// The sentences of a text as visitors read it.
fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut start = 0;
    let ends = sentence::ends_of_plain(text).into_iter();
    ends.map(|end| &text[std::mem::replace(&mut start, end)..end])
        .map(|part| (part, Plain::of(part)))
        .collect()
}

/// The words of texts, for telling what was copied of them.
pub struct Wording(String);

impl Wording {
    /// The words of these texts.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Wording {
        Wording(texts.into_iter().map(|text| format!("{}|", Plain::of(text).text())).collect())
    }

    /// Whether one of the texts says this, whatever is between the words.
    pub fn has(&self, text: &str) -> bool {
        let words = Plain::of(text);
        !words.is_empty() && self.0.contains(words.text())
    }
}

/// What is wrong about a page of a brief.
pub fn check(brief: &Brief, content: &Content) -> Vec<Finding> {
    Checker::of(brief).check(content)
}

/// What visitors may read.
fn facts(reading: &BriefReading<'_>, context: &str, described: &[String]) -> Facts {
    let BriefReading { brief, language, audience, remarks, .. } = reading;
    let mut facts = Facts::own(*language);
    without(context, described).into_iter().for_each(|text| facts.add(text));
    // A remark is no fact, but for what it asks to mention: `Say early that …`.
    for told in remarks
        .iter()
        .filter_map(|remark| remark.split_once(" that ").or_else(|| remark.split_once(" dass ")))
    {
        facts.add(told.1);
    }
    let reader = &audience.reader;
    facts.add(tidy::head(&brief.page_name, 1000));
    for text in [&reader.name, &reader.first, &reader.last, &reader.company] {
        facts.add(text);
    }
    for action in &brief.actions {
        let texts = [action.button_title(), action.purpose()];
        texts.into_iter().flatten().for_each(|text| facts.add(tidy::head(text, 2000)));
    }
    reading.followup.topics.iter().chain(&reading.followup.next).for_each(|text| facts.add(text));
    reading.knowledge.texts().iter().for_each(|(_, text)| facts.add(text));
    brief.assets.iter().for_each(|asset| facts.add(&alt_text(asset)));
    facts
}

/// What only whoever writes may read.
fn notes(reading: &BriefReading<'_>, described: &[String]) -> Untold {
    let BriefReading { brief, language, remarks, .. } = reading;
    let mut notes = Untold::new(*language);
    notes.add(tidy::head(brief.supplementary_context.as_deref().unwrap_or_default(), outline::MOST_BYTES));
    described.iter().chain(remarks).for_each(|text| notes.add(text));
    if let Some(person) = &brief.person {
        notes.add(person.email.as_deref().unwrap_or_default());
        for (column, value) in person.columns.iter().take(200) {
            let value = tidy::head(value, 2000);
            let column = tidy::folded(column).replace('_', " ");
            let is_name_of_work = matches!(label::of(&column), Label::Role | Label::Industry)
                || matches!(column.as_str(), "title" | "titel" | "titre");
            if is_name_of_work { notes.add_words(value) } else { notes.add(value) }
        }
    }
    brief.logs.iter().for_each(|log| notes.add(tidy::head(&log.payload, 16 * 1024)));
    notes
}

/// Whether an instruction says at its beginning who the page is for.
fn names_audience(order: &str, language: Language) -> bool {
    const NEAR: usize = 4;
    let tokens = Tokens::of(order);
    language
        .lexicon
        .is_some_and(|lexicon| (0..NEAR).any(|at| lexicon.kinds.audience.at(&tokens, at).is_some()))
}

/// A text up to where it gives orders to a program, paragraph by paragraph, and what follows there.
fn without_injections(text: &str) -> (String, Vec<String>) {
    if !stance::is_injection(text) {
        return (text.to_owned(), Vec::new());
    }
    let mut kept = String::with_capacity(text.len());
    let mut injected = Vec::new();
    for paragraph in text.split_inclusive("\n\n") {
        let mut start = 0;
        let mut at = None;
        for end in paragraph.match_indices('\n').map(|(at, _)| at + 1).chain([paragraph.len()]) {
            let line = &paragraph[start..end];
            if at.is_none() && stance::is_injection(line) {
                let mut begin = 0;
                let ends = sentence::ends(line);
                let found = ends.into_iter().map(|end| (std::mem::replace(&mut begin, end), end));
                let found = found.into_iter().find(|(begin, end)| stance::is_injection(&line[*begin..*end]));
                at = Some(start + found.map_or(0, |(begin, _)| begin));
            }
            start = end;
        }
        let (before, after) = paragraph.split_at(at.unwrap_or(paragraph.len()));
        kept.push_str(before);
        if !after.is_empty() {
            kept.push_str("\n\n");
            injected.push(after.to_owned());
        }
    }
    (kept, injected)
}

/// The parts of a context between the sentences that describe the audience; none if these are too many to be looked for.
fn without<'a>(context: &'a str, notes: &[String]) -> Vec<&'a str> {
    let notes: Vec<&String> = notes.iter().filter(|note| !note.is_empty()).collect();
    if notes.is_empty() {
        return vec![context];
    }
    let mut builder = AhoCorasick::builder();
    let finder = builder.match_kind(MatchKind::LeftmostLongest).kind(Some(AhoCorasickKind::NoncontiguousNFA));
    let Ok(finder) = finder.build(notes) else {
        return Vec::new();
    };
    let mut parts = Vec::new();
    let mut from = 0;
    for found in finder.find_iter(context) {
        parts.push(&context[from..found.start()]);
        from = found.end();
    }
    parts.push(&context[from..]);
    parts
}

/// Whether a text says what another place may say as well: cells, points, and who somebody is.
fn may_repeat(field: &str) -> bool {
    matches!(field, "author" | "role" | "rows" | "points" | "altText")
}

/// What was said until now.
#[derive(Debug, Clone, Default)]
struct EarlierSentences(Hashes);

impl EarlierSentences {
    /// Takes a text of these sentences; those of its lines that were said before.
    fn repeats(&mut self, field: &str, text: &str, sentences: &[Sentence<'_>]) -> Vec<String> {
        if may_repeat(field) {
            return Vec::new();
        }
        let of_lines: Vec<Sentence<'_>>;
        let sentences = if text.contains('\n') {
            of_lines = text.lines().flat_map(self::sentences).collect();
            &of_lines
        } else {
            sentences
        };
        let repeats = sentences
            .iter()
            .filter(|(_, words)| words.count() >= LEAST_REPEAT && !self.0.insert(hash(words.text())));
        repeats.map(|(sentence, _)| sentence.trim().to_owned()).collect()
    }
}

/// The headings of a block under which nothing stands.
fn empty_sections(block: &Component) -> Vec<String> {
    let of = |title: &str, markdown: &str| {
        let pieces = texts::pieces(markdown);
        let is_empty = !pieces.iter().any(|piece| piece.says_something && piece.level.is_none());
        let headings = texts::empty_headings(&pieces).map(|piece| piece.text.clone());
        if is_empty { vec![title.to_owned()] } else { headings.collect() }
    };
    match block {
        Component::Text(block) => of(block.title.as_deref().unwrap_or_default(), &block.markdown),
        Component::Frame(block) => of(&block.title, &block.markdown),
        Component::FrameList(block) => {
            block.frames.iter().flat_map(|frame| of(&frame.title, &frame.markdown)).collect()
        }
        Component::Threads(block) => {
            block.choices.iter().flat_map(|choice| of(&choice.label, &choice.markdown)).collect()
        }
        _ => Vec::new(),
    }
}
