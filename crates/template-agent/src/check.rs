//! Finds what a page must not say: words of notes, instructions, numbers that nobody gave, repeats, and what reads badly.
//!
//! It is pure, takes a brief and a document, and is the same for the template and for models. What it finds names the block, so that a
//! model can repair it, or the block can be left out.

use std::collections::{HashMap, HashSet};

use pagesmith_model::brief::Brief;
use pagesmith_model::content::Content;
use pagesmith_model::content::component::Component;
use pagesmith_model::page::PageType;
use serde_json::Value;

use crate::classify::{Classifier, Reading};
use crate::fate::{self, Fate};
use crate::followup;
use crate::headline;
use crate::language::Language;
use crate::lexicon::Lexicon;
use crate::reader::Reader;
use crate::rich;
use crate::stance;
use crate::tidy;
use crate::words::Tokens;

mod mend;

/// So many words in a row that only the notes have are a leak.
const RUN: usize = 5;
/// The fewest words of a sentence that must not stand twice.
const LEAST_REPEAT: usize = 4;

/// What is wrong about a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// It shows words, a name or a number that only the notes have.
    NoteShown,
    /// It shows an instruction.
    InstructionShown,
    /// It has a number that the facts do not have.
    UnknownNumber,
    /// A sentence stands twice.
    Repeat,
    /// A heading has nothing under it.
    EmptySection,
    /// The headline is not of two to ten words.
    Headline,
    /// A block of prose is too long.
    LongProse,
    /// A button leads to no action of the page.
    DeadAction,
    /// The page has actions and shows none.
    NoCallToAction,
    /// A placeholder was not filled.
    Placeholder,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 10] = [
        Rule::NoteShown,
        Rule::InstructionShown,
        Rule::UnknownNumber,
        Rule::Repeat,
        Rule::EmptySection,
        Rule::Headline,
        Rule::LongProse,
        Rule::DeadAction,
        Rule::NoCallToAction,
        Rule::Placeholder,
    ];

    /// The rule's name in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Rule::NoteShown => "note_shown",
            Rule::InstructionShown => "instruction_shown",
            Rule::UnknownNumber => "unknown_number",
            Rule::Repeat => "repeat",
            Rule::EmptySection => "empty_section",
            Rule::Headline => "headline",
            Rule::LongProse => "long_prose",
            Rule::DeadAction => "dead_action",
            Rule::NoCallToAction => "no_call_to_action",
            Rule::Placeholder => "placeholder",
        }
    }
}

/// Something that is wrong about a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which rule it breaks.
    pub rule: Rule,
    /// The number of the block, if it is one block's fault; the head has none.
    pub block: Option<usize>,
    /// The words in question.
    pub text: String,
}

/// What a page must not say and what it may, by its brief.
pub struct Checker {
    facts: Source,
    notes: Source,
    /// Instructions, as words joined by spaces.
    instructions: Vec<String>,
    action_ids: HashSet<String>,
}

/// The words of texts, for looking up.
#[derive(Default)]
struct Source {
    /// All words, each between spaces.
    joined: String,
    words: HashSet<String>,
    numbers: HashSet<String>,
    /// Words with a capital that do not begin a sentence.
    names: HashSet<String>,
}

impl Source {
    fn add(&mut self, text: &str) {
        let all = plain_words(text);
        self.joined.push_str(" | ");
        self.joined.push_str(&all.join(" "));
        self.joined.push(' ');
        self.numbers.extend(numbers(text));
        let mut before = '.';
        for word in text.split_whitespace() {
            let bare = word.trim_matches(|char: char| !char.is_alphanumeric());
            let is_name = is_name(bare) && !matches!(before, '.' | '!' | '?' | ':' | '-' | '•');
            if is_name {
                self.names.insert(tidy::folded(bare));
            }
            before = word.chars().next_back().unwrap_or('.');
        }
        self.words.extend(all);
    }

    fn has_run(&self, run: &[String]) -> bool {
        self.joined.contains(&format!(" {} ", run.join(" ")))
    }
}

/// Whether a word can be a name: a capital and more letters.
fn is_name(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && tidy::length(word) >= 3 && word.chars().all(char::is_alphabetic)
}

impl Checker {
    /// A checker for the pages of a brief.
    pub fn of(brief: &Brief) -> Checker {
        let supplement = brief.supplementary_context.as_deref().unwrap_or_default();
        let language = Language::of_texts(&[&brief.page_context, supplement]);
        let reader = Reader::of(brief);
        let (context, remarks) = fate::without_remarks(&brief.page_context);
        let Reading { notes: described, instructions, material, .. } =
            Classifier::read(&context, &reader, language);
        let mut facts = Source::default();
        facts.add(&without(&context, &described));
        for text in [&brief.page_name, &reader.name, &reader.first, &reader.last, &reader.company] {
            facts.add(text);
        }
        for action in &brief.actions {
            [action.button_title(), action.purpose()].into_iter().flatten().for_each(|text| facts.add(text));
        }
        facts.add(&headline::general(language));
        if let Some(lexicon) = language.lexicon {
            facts.add(&format!("{:?}", lexicon.phrases));
        }
        if brief.page_type == PageType::CallFollowup {
            let told = followup::of(brief, &described, &reader, material.company.as_deref(), language);
            told.topics.iter().chain(&told.next).for_each(|text| facts.add(text));
        }
        let mut notes = Source::default();
        notes.add(supplement);
        described.iter().chain(&reader.notes).chain(&remarks).for_each(|text| notes.add(text));
        if let Some(person) = &brief.person {
            person.columns.iter().take(200).for_each(|(_, value)| notes.add(tidy::head(value, 2000)));
        }
        brief.logs.iter().for_each(|log| notes.add(tidy::head(&log.payload, 16 * 1024)));
        let orders = orders(&context, &reader, language.lexicon);
        let instructions = orders.into_iter().chain(instructions.not_understood);
        Checker {
            facts,
            notes,
            instructions: instructions
                .map(|text| plain_words(&text).join(" "))
                .filter(|text| text.contains(' '))
                .collect(),
            action_ids: brief.actions.iter().map(|action| action.id().to_owned()).collect(),
        }
    }

    /// What is wrong about a page.
    pub fn check(&self, content: &Content) -> Vec<Finding> {
        let mut found = Vec::new();
        let mut said: HashMap<String, usize> = HashMap::new();
        let head = [
            content.head.title.as_deref(),
            content.head.description.as_deref(),
            content.head.site_name.as_deref(),
        ];
        for text in head.into_iter().flatten() {
            self.text(text, None, &mut found);
        }
        for (at, block) in content.blocks.iter().enumerate() {
            let texts = texts(block);
            for (key, text) in &texts {
                self.text(text, Some(at), &mut found);
                prose(key, text, at, &mut found);
            }
            repeats(&texts, at, &mut said, &mut found);
            self.actions(block, at, &mut found);
            if let Component::Hero(hero) = block
                && !headline::is_headline(&hero.title)
            {
                found.push(Finding { rule: Rule::Headline, block: Some(at), text: hero.title.clone() });
            }
        }
        let has_action = content
            .blocks
            .iter()
            .any(|block| block.action_ids().iter().any(|(_, id)| self.action_ids.contains(*id)));
        if !self.action_ids.is_empty() && !has_action {
            found.push(Finding { rule: Rule::NoCallToAction, block: None, text: String::new() });
        }
        found
    }

    fn text(&self, text: &str, block: Option<usize>, found: &mut Vec<Finding>) {
        let mut add = |rule, text: &str| found.push(Finding { rule, block, text: tidy::line(text, 200) });
        let words = plain_words(text);
        if let Some(run) = words.windows(RUN).find(|run| self.notes.has_run(run) && !self.facts.has_run(run))
        {
            add(Rule::NoteShown, &run.join(" "));
        }
        for word in text.split_whitespace() {
            let bare = word.trim_matches(|char: char| !char.is_alphanumeric());
            let folded = tidy::folded(bare);
            if is_name(bare) && self.notes.names.contains(&folded) && !self.facts.words.contains(&folded) {
                add(Rule::NoteShown, bare);
            }
        }
        for number in numbers(text) {
            if !self.facts.numbers.contains(&number) {
                add(Rule::UnknownNumber, &number);
            }
        }
        let joined = format!(" {} ", words.join(" "));
        if let Some(order) = self
            .instructions
            .iter()
            .find(|order| joined.contains(&format!(" {order} ")) && !self.is_told(order))
        {
            add(Rule::InstructionShown, order);
        }
        if stance::is_placeholder(text) {
            add(Rule::Placeholder, text);
        }
    }

    /// Whether an action or a name says the same as an instruction.
    fn is_told(&self, order: &str) -> bool {
        order.split(' ').count() < 3
    }

    fn actions(&self, block: &Component, at: usize, found: &mut Vec<Finding>) {
        for (_, id) in block.action_ids() {
            if !self.action_ids.contains(id) {
                found.push(Finding { rule: Rule::DeadAction, block: Some(at), text: id.to_owned() });
            }
        }
    }
}

/// What is wrong about a page of a brief.
pub fn check(brief: &Brief, content: &Content) -> Vec<Finding> {
    Checker::of(brief).check(content)
}

/// The context's instructions.
fn orders(context: &str, reader: &Reader, lexicon: Option<&Lexicon>) -> Vec<String> {
    let text = tidy::clean(tidy::head(context, crate::outline::MOST_BYTES));
    let lines = text
        .lines()
        .flat_map(|line| rich::Rich::of(line.trim_start_matches(['#', '-', '*', ' '])).sentences());
    lines
        .filter(|sentence| {
            matches!(
                fate::fate(sentence.plain(), false, reader, lexicon),
                Fate::Instruction | Fate::Injection
            )
        })
        .map(|sentence| sentence.plain().to_owned())
        .filter(|sentence| !sentence.contains(" that ") && !sentence.contains(" dass "))
        .collect()
}

/// The context without the sentences that describe the audience.
fn without(context: &str, notes: &[String]) -> String {
    notes.iter().fold(context.to_owned(), |text, note| {
        if note.is_empty() { text } else { text.replace(note.as_str(), " . ") }
    })
}

fn plain_words(text: &str) -> Vec<String> {
    Tokens::of(text).iter().filter(|word| tidy::says_something(word)).map(str::to_owned).collect()
}

/// The numbers of a text, as their digits.
fn numbers(text: &str) -> Vec<String> {
    text.split(|char: char| !char.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The texts of a block that visitors see, with the names of their fields.
fn texts(block: &Component) -> Vec<(String, String)> {
    let mut all = Vec::new();
    if let Ok(value) = serde_json::to_value(block) {
        collect("", &value, &mut all);
    }
    all
}

fn collect(key: &str, value: &Value, all: &mut Vec<(String, String)>) {
    match value {
        Value::String(_) if matches!(key, "type" | "blockId" | "actionId" | "actionIds" | "url" | "html") => {
        }
        Value::String(text) if key == "markdown" => all.push((key.to_owned(), rich::words(text))),
        Value::String(text) => all.push((key.to_owned(), text.clone())),
        Value::Array(values) => values.iter().for_each(|value| collect(key, value, all)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| collect(key, value, all)),
        _ => {}
    }
}

/// Paragraphs and items of a list that are too long; what somebody said stays as it was said.
fn prose(key: &str, text: &str, at: usize, found: &mut Vec<Finding>) {
    if matches!(key, "quote") {
        return;
    }
    for line in text.lines() {
        if crate::count::words(line.trim_start_matches(['-', ' '])) > crate::blocks::MOST_PROSE {
            found.push(Finding { rule: Rule::LongProse, block: Some(at), text: tidy::line(line, 200) });
        }
    }
}

fn repeats(
    texts: &[(String, String)],
    at: usize,
    said: &mut HashMap<String, usize>,
    found: &mut Vec<Finding>,
) {
    for (_, text) in texts {
        for line in text.lines() {
            for sentence in rich::Rich::of(line.trim_start_matches(['-', ' '])).sentences() {
                let key = plain_words(sentence.plain()).join(" ");
                if key.split(' ').count() >= LEAST_REPEAT && said.insert(key, at).is_some() {
                    found.push(Finding {
                        rule: Rule::Repeat,
                        block: Some(at),
                        text: sentence.plain().to_owned(),
                    });
                }
            }
        }
    }
}
