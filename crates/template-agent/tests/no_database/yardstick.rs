//! The yardstick: briefs as people write them, with what a good page of each must have, and the counts of a run.

use std::collections::HashSet;
use std::path::Path;

use pagesmith_model::Timestamp;
use pagesmith_model::brief::{AccountBrief, Brief, LogBrief, PersonBrief};
use pagesmith_model::content::Content;
use pagesmith_model::content::component::Component;
use pagesmith_model::content::part::Stat;
use pagesmith_model::page::PageType;
use pagesmith_template_agent::compose;
use pagesmith_template_agent::shared::check;
use serde::Deserialize;
use serde_json::{Value, json};

/// A brief in a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    page_type: String,
    page_name: String,
    language: String,
    trade: String,
    context: String,
    supplement: Option<String>,
    person: Option<Person>,
    account: Option<Account>,
    #[serde(default)]
    actions: Vec<Action>,
    #[serde(default)]
    logs: Vec<Log>,
    /// What a good page has.
    pub expect: Expect,
    /// The file's name.
    #[serde(skip)]
    pub name: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Person {
    name: String,
    #[serde(default)]
    columns: Vec<(String, String)>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Account {
    name: Option<String>,
    domain: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Action {
    title: String,
    #[serde(default)]
    purpose: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Log {
    source: String,
    kind: String,
    payload: String,
}

/// What a good page has, each as words of the brief.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    figures: Vec<String>,
    quotations: Vec<Quotation>,
    questions: Vec<String>,
    steps: Vec<String>,
    facts: Vec<String>,
    concerns: Vec<String>,
    secret: Vec<String>,
    not_understood: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Quotation {
    words: String,
    speaker: String,
}

impl Case {
    /// The cases of a folder in the order of their names.
    pub fn all(folder: &Path) -> Vec<Case> {
        let mut paths: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        paths.sort();
        let read = |path: &std::path::PathBuf| {
            let text = std::fs::read_to_string(path).unwrap();
            let mut case: Case =
                toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            case.name = path.file_stem().unwrap().to_string_lossy().into_owned();
            case
        };
        paths.iter().map(read).collect()
    }

    /// The brief as an agent gets it.
    pub fn brief(&self) -> Brief {
        let page_type = match self.page_type.as_str() {
            "inbound" => PageType::Inbound,
            "outbound" => PageType::Outbound,
            "call-followup" => PageType::CallFollowup,
            "sales-deck" => PageType::SalesDeck,
            _ => PageType::Custom,
        };
        let action = |(at, action): (usize, &Action)| {
            serde_json::from_value(
                json!({ "actionId": format!("action-{at}"), "actionIndex": at, "purpose": action.purpose,
                "buttonTitle": action.title, "actionType": "open-url", "url": "https://example.com/go" }),
            )
            .unwrap()
        };
        Brief {
            supplementary_context: self.supplement.clone(),
            actions: self.actions.iter().enumerate().map(action).collect(),
            person: self.person.as_ref().map(|person| PersonBrief {
                name: person.name.clone(),
                email: None,
                domain: None,
                columns: person.columns.clone(),
            }),
            account: self.account.as_ref().map(|account| AccountBrief {
                name: account.name.clone(),
                domain: account.domain.clone().unwrap_or_default(),
            }),
            logs: self
                .logs
                .iter()
                .map(|log| LogBrief {
                    source: log.source.clone(),
                    kind: log.kind.clone(),
                    at: Timestamp::from_micros(0),
                    payload: log.payload.clone(),
                })
                .collect(),
            ..Brief::new(page_type, &self.page_name, &self.context)
        }
    }

    fn words(&self) -> usize {
        self.context.split_whitespace().count()
    }
}

/// Something hoped for and found, of how many.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Found.
    pub found: usize,
    /// Hoped for.
    pub total: usize,
}

impl Share {
    /// Counts one, and notes what is missed.
    fn note(&mut self, is_found: bool, what: &str, misses: &mut Vec<String>) {
        self.total += 1;
        self.found += usize::from(is_found);
        if !is_found {
            misses.push(what.to_owned());
        }
    }

    /// In hundredths; all if there was nothing to find.
    pub fn percent(self) -> f64 {
        if self.total == 0 { 100.0 } else { 100.0 * self.found as f64 / self.total as f64 }
    }
}

/// The counts of a run.
#[derive(Debug, Default)]
pub struct Score {
    /// Secrets, notes and instructions that are shown.
    pub leaks: usize,
    /// Numbers that the brief does not have.
    pub inventions: usize,
    /// Figures, quotations, questions and steps that became a component of their kind.
    pub parts: Share,
    /// Figures whose number is shown, and those that are shown with all that belongs to it: what it measures in and is compared with.
    pub units: Share,
    /// Facts that are shown.
    pub facts: Share,
    /// Facts that answer a concern and are shown.
    pub concerns: Share,
    /// Those that are at the top: in the hero or one of the two sections below.
    pub concerns_at_top: Share,
    /// Headlines of two to ten words.
    pub headlines: Share,
    /// Blocks of prose that are too long.
    pub long_prose: usize,
    /// Pages with five kinds of blocks, of those with fifty words.
    pub rich_pages: Share,
    /// Pages in the language that was expected.
    pub languages: Share,
    /// Instructions that were said to be not understood.
    pub kept_instructions: Share,
    /// Other findings of the checker.
    pub other_findings: usize,
    /// What was missed, line by line.
    pub misses: Vec<String>,
}

/// Scores the pages of these cases.
pub fn score(cases: &[Case]) -> Score {
    let mut score = Score::default();
    for case in cases {
        let brief = case.brief();
        let content = compose(&brief).content;
        score.case(case, &brief, &content);
    }
    score
}

impl Score {
    fn case(&mut self, case: &Case, brief: &Brief, content: &Content) {
        let blocks: Vec<(&Component, String)> =
            content.blocks.iter().map(|block| (block, shown(block))).collect();
        let mut misses = Vec::new();
        self.leaks(case, brief, content, &blocks, &mut misses);
        self.parts(&case.expect, &blocks, &mut misses);
        self.facts(&case.expect, &blocks, &mut misses);
        for instruction in &case.expect.not_understood {
            let is_kept = content.head.unapplied_instructions.iter().any(|kept| has(kept, instruction));
            self.kept_instructions.note(is_kept, &format!("not kept: {instruction}"), &mut misses);
        }
        let title = match content.blocks.first() {
            Some(Component::Hero(hero)) => hero.title.clone(),
            _ => String::new(),
        };
        let is_unspaced = !title.is_ascii() && !title.contains(' ');
        let is_headline =
            ((2..=10).contains(&title.split_whitespace().count()) || is_unspaced) && !title.contains('…');
        self.headlines.note(is_headline, "headline", &mut misses);
        let kinds: HashSet<_> = content.blocks.iter().map(std::mem::discriminant).collect();
        if case.words() >= 50 {
            self.rich_pages.note(kinds.len() >= 5, &format!("only {} kinds", kinds.len()), &mut misses);
        }
        let language = content.head.language.as_deref().unwrap_or_default();
        self.languages.note(language == case.language, &format!("language {language}"), &mut misses);
        self.misses.push(format!("{} ({}) — {title}", case.name, case.trade));
        self.misses.extend(misses.into_iter().map(|miss| format!("    {miss}")));
    }

    /// Secrets and whatever else the checker finds.
    fn leaks(
        &mut self,
        case: &Case,
        brief: &Brief,
        content: &Content,
        blocks: &[(&Component, String)],
        misses: &mut Vec<String>,
    ) {
        let head = [&content.head.title, &content.head.description, &content.head.site_name];
        let texts =
            blocks.iter().map(|(_, text)| text.as_str()).chain(head.into_iter().filter_map(Option::as_deref));
        let all = texts.collect::<Vec<_>>().join(" ");
        for secret in &case.expect.secret {
            let is_sign = !secret.chars().any(char::is_alphanumeric);
            if (is_sign && all.contains(secret.as_str())) || (!is_sign && has(&all, secret)) {
                self.leaks += 1;
                misses.push(format!("LEAK {secret}"));
            }
        }
        for finding in check::check(brief, content) {
            match finding.rule {
                check::Rule::NoteShown | check::Rule::InstructionShown => self.leaks += 1,
                check::Rule::UnknownNumber => self.inventions += 1,
                check::Rule::LongProse => self.long_prose += 1,
                _ => self.other_findings += 1,
            }
            misses.push(format!("CHECK {:?} {}", finding.rule, finding.text));
        }
    }

    /// Figures, quotations, questions and steps as components of their kind.
    fn parts(&mut self, expect: &Expect, blocks: &[(&Component, String)], misses: &mut Vec<String>) {
        let any = |is_found: &dyn Fn(&Component) -> bool| blocks.iter().any(|(block, _)| is_found(block));
        let all = blocks.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" ");
        for figure in &expect.figures {
            let is_stat = |stat: &Stat| has(&format!("{} {}", stat.value, stat.label), figure);
            let is_found = any(&|block| match block {
                Component::StatsCards(block) => block.stats.iter().any(is_stat),
                Component::Hero(hero) => hero.figure.iter().any(is_stat),
                _ => false,
            });
            // A price has a card, and a figure of a table, of a step or of an answer stays where it belongs.
            let is_elsewhere = blocks.iter().any(|(block, text)| {
                let is_kind = matches!(
                    block,
                    Component::PriceCards(_)
                        | Component::Table(_)
                        | Component::Steps(_)
                        | Component::FrameList(_)
                );
                is_kind && has(text, figure)
            });
            let is_found = is_found || is_elsewhere;
            self.parts.note(is_found, &format!("figure {figure}"), misses);
            if has_number(&all, figure) {
                let is_whole = is_found || has(&all, figure);
                self.units.note(is_whole, &format!("unit or comparison lost: {figure}"), misses);
            }
        }
        for Quotation { words, speaker } in &expect.quotations {
            let is_found = any(&|block| match block {
                Component::TestimonialCarousel(block) => block.testimonials.iter().any(|said| {
                    let who = format!("{} {}", said.author, said.role.as_deref().unwrap_or_default());
                    has(&said.quote, words) && has(&who, speaker)
                }),
                _ => false,
            });
            self.parts.note(is_found, &format!("quotation {words}"), misses);
        }
        for question in &expect.questions {
            let is_found = any(&|block| match block {
                Component::FrameList(block) => block.frames.iter().any(|frame| has(&frame.title, question)),
                _ => false,
            });
            self.parts.note(is_found, &format!("question {question}"), misses);
        }
        for step in &expect.steps {
            let is_found =
                blocks.iter().any(|(block, text)| matches!(block, Component::Steps(_)) && has(text, step));
            self.parts.note(is_found, &format!("step {step}"), misses);
        }
    }

    /// Facts that are shown, and those that answer a concern.
    fn facts(&mut self, expect: &Expect, blocks: &[(&Component, String)], misses: &mut Vec<String>) {
        let all = blocks.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" ");
        for fact in &expect.facts {
            // A list of names stands as names: all words of the fact are in one block.
            let in_one_block = |text: &String| {
                let text = format!(" {} ", plain(text));
                let fact = plain(fact);
                let mut words = fact.split(' ').filter(|word| word.len() > 3);
                words.all(|word| text.contains(&format!(" {word} ")))
            };
            let is_shown = has(&all, fact) || blocks.iter().any(|(_, text)| in_one_block(text));
            self.facts.note(is_shown, &format!("fact {fact}"), misses);
        }
        for concern in &expect.concerns {
            self.concerns.note(has(&all, concern), &format!("concern {concern}"), misses);
            let is_top = sections(blocks).iter().take(3).any(|text| has(text, concern));
            self.concerns_at_top.note(is_top, &format!("not at the top: {concern}"), misses);
        }
    }
}

/// The texts of the sections: a second row of cards or figures belongs to the first.
fn sections(blocks: &[(&Component, String)]) -> Vec<String> {
    let mut sections: Vec<String> = Vec::new();
    for (block, text) in blocks {
        let goes_on = match block {
            Component::StatsCards(block) => block.title.is_none(),
            Component::FeatureCards(block) => block.title.is_none(),
            _ => false,
        };
        match sections.last_mut().filter(|_| goes_on) {
            Some(last) => last.push_str(&format!(" {text}")),
            None => sections.push(text.clone()),
        }
    }
    sections
}

/// Whether a text has these words. A number in words has others beside them, with `|` between: a page may write it with digits.
fn has(text: &str, words: &str) -> bool {
    let text = plain(text);
    words.split('|').any(|words| text.contains(&plain(words)))
}

/// Whether a text has the first number of these words.
fn has_number(text: &str, words: &str) -> bool {
    let is_number = |word: &&str| word.contains(|char: char| char.is_ascii_digit());
    let number = |words: &str| plain(words).split(' ').find(is_number).map(str::to_owned);
    let text = plain(text);
    words.split('|').filter_map(number).any(|number| text.split(' ').any(|word| word == number))
}

/// The texts of a block that visitors see.
fn shown(block: &Component) -> String {
    let mut texts = Vec::new();
    collect("", &serde_json::to_value(block).unwrap(), &mut texts);
    texts.join(" ")
}

fn collect(key: &str, value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(_)
            if matches!(key, "type" | "blockId" | "actionId" | "actionIds" | "assetId" | "url") => {}
        Value::String(text) => texts.push(text.replace(['\\', '*'], "")),
        Value::Array(values) => values.iter().for_each(|value| collect(key, value, texts)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| collect(key, value, texts)),
        _ => {}
    }
}

/// Words for comparing: small letters, one space between, no full stops and commas.
fn plain(text: &str) -> String {
    let text: String = text
        .to_lowercase()
        .chars()
        .map(|char| if char.is_alphanumeric() || "%€$£-'’.,".contains(char) { char } else { ' ' })
        .collect();
    let words = text.replace('’', "'");
    let words = words.split_whitespace().map(|word| word.trim_matches(['.', ',', '-', '\'']));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

impl std::fmt::Display for Score {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = |share: Share| format!("{:.1} % ({} of {})", share.percent(), share.found, share.total);
        writeln!(out, "| Count | Here | Bar |\n|---|---|---|")?;
        writeln!(out, "| Leaks of notes or instructions | {} | 0 |", self.leaks)?;
        writeln!(out, "| Numbers that the brief does not have | {} | 0 |", self.inventions)?;
        writeln!(
            out,
            "| Figures, quotations, questions, steps as components | {} | ≥ 95 % |",
            share(self.parts)
        )?;
        writeln!(out, "| Figures with their unit and comparison | {} | |", share(self.units))?;
        writeln!(out, "| Facts shown | {} | ≥ 90 % |", share(self.facts))?;
        writeln!(out, "| Facts that answer a concern | {} | 100 % |", share(self.concerns))?;
        writeln!(out, "| Those at the top | {} | |", share(self.concerns_at_top))?;
        writeln!(out, "| Headlines of 2 to 10 words | {} | 100 % |", share(self.headlines))?;
        writeln!(out, "| Blocks of prose over 45 words | {} | 0 |", self.long_prose)?;
        writeln!(out, "| Pages of five kinds of blocks | {} | ≥ 90 % |", share(self.rich_pages))?;
        writeln!(out, "| Language | {} | |", share(self.languages))?;
        writeln!(out, "| Instructions kept as not understood | {} | |", share(self.kept_instructions))?;
        writeln!(out, "| Other findings of the checker | {} | 0 |", self.other_findings)
    }
}
