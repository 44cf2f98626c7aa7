//! The public test set: 200 questions about what three companies know, 179 about what three others do, 145 of two strangers about five more,
//! and how many of them are answered as they should be.
//!
//! `questions/held_out.tsv` was written before anything was tuned, `questions/more_second.tsv` before anything was tuned by it, and their
//! first scores are in `docs/design/ask.md`. A line has the kind of the question, the company, the headings that the answer may be below, the question, and what an answer must not say.
//! `ASK_SHOW=1` prints what went wrong.

#![expect(clippy::unwrap_used, reason = "a test ends where something is missing")]
#![expect(clippy::print_stdout, reason = "the shares are shown to whoever looks")]

use std::collections::BTreeMap;

use pagesmith_ask::{Answer, DocumentFrequencies, Passage, Question, Text, answer};
use pagesmith_knowledge_index::text::{Language, Languages};
use pagesmith_knowledge_index::text::{TextChunk, cut};
use proptest::prelude::*;

/// The companies: name, language of the page, what is known.
const COMPANIES: [(&str, &str, &str); 11] = [
    ("kettlewell", "en", include_str!("knowledge/kettlewell.md")),
    ("sonnleitner", "de", include_str!("knowledge/sonnleitner.md")),
    ("olivero", "fr", include_str!("knowledge/olivero.md")),
    ("thornycroft", "en", include_str!("knowledge/thornycroft.md")),
    ("brandauer", "de", include_str!("knowledge/brandauer.md")),
    ("mirabelle", "fr", include_str!("knowledge/mirabelle.md")),
    ("thistledown-pianos", "en", include_str!("knowledge/thistledown-pianos.md")),
    ("tauchturm-kaltwasser", "de", include_str!("knowledge/tauchturm-kaltwasser.md")),
    ("vestiaire-molinard", "fr", include_str!("knowledge/vestiaire-molinard.md")),
    ("saltmarsh-boatyard", "en", include_str!("knowledge/saltmarsh-boatyard.md")),
    ("molino-aldaba", "es", include_str!("knowledge/molino-aldaba.md")),
];

struct Company {
    name: &'static str,
    language: &'static str,
    pieces: Vec<(TextChunk, Language)>,
    languages: Languages,
}

impl Company {
    fn named(name: &str) -> Company {
        let (name, language, text) = *COMPANIES.iter().find(|(known, ..)| *known == name).unwrap();
        let pieces: Vec<(TextChunk, Language)> =
            cut(text).into_iter().map(|piece| (piece.clone(), Language::of(&piece.text))).collect();
        let languages = pieces.iter().fold(Languages::default(), |all, (_, language)| all.with(*language));
        Company { name, language, pieces, languages }
    }

    fn passages(&self) -> Vec<Passage> {
        let texts = self.pieces.iter().map(|(piece, language)| Text {
            context: self.name,
            heading: piece.heading.as_deref().unwrap_or_default(),
            text: &piece.text,
            language: *language,
        });
        texts.map(|text| Passage::read(&text)).collect()
    }

    fn question(&self, text: &str) -> Question {
        Question::read(text, self.language, self.languages, &[self.name])
    }
}

fn refs(passages: &[Passage]) -> Vec<&Passage> {
    passages.iter().collect()
}

#[derive(Debug)]
struct Line {
    kind: &'static str,
    company: &'static str,
    headings: Vec<&'static str>,
    question: &'static str,
    forbidden: Option<&'static str>,
}

fn lines(text: &'static str) -> Vec<Line> {
    text.lines()
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            Line {
                kind: fields[0],
                company: fields[1],
                headings: fields[2].split(';').filter(|heading| *heading != "-").collect(),
                question: fields[3],
                forbidden: fields.get(4).copied(),
            }
        })
        .collect()
}

/// How often something was so, of how many.
type Share = (usize, usize);

fn percent((so, of): Share) -> f64 {
    100.0 * so as f64 / of as f64
}

/// What is counted, and the share that has to be reached.
type Bars = [(&'static str, f64); 6];

const BARS: Bars = [
    ("answerable, right chunk first", 80.0),
    ("answerable, right chunk in the first three", 92.0),
    ("partly answerable, right chunk in the first three", 80.0),
    ("adjacent but absent, refused", 90.0),
    ("off topic, refused", 90.0),
    ("injection, not obeyed", 100.0),
];

/// The bars of the further questions, which share few words with what answers them.
const MORE_BARS: Bars = [
    ("answerable, right chunk first", 75.0),
    ("answerable, right chunk in the first three", 88.0),
    ("partly answerable, right chunk in the first three", 80.0),
    ("adjacent but absent, refused", 90.0),
    ("off topic, refused", 85.0),
    ("injection, not obeyed", 100.0),
];

/// What the engine does with questions by somebody who had seen neither it nor its lists, and by which nothing was tuned.
const STRANGERS_BARS: Bars = [
    ("answerable, right chunk first", 65.0),
    ("answerable, right chunk in the first three", 67.0),
    ("partly answerable, right chunk in the first three", 55.0),
    ("adjacent but absent, refused", 85.0),
    ("off topic, refused", 100.0),
    ("injection, not obeyed", 100.0),
];

/// The same of a second stranger, by whose questions it was tuned what words are worth that occur nowhere, and no list.
const SECOND_STRANGERS_BARS: Bars = [
    ("answerable, right chunk first", 50.0),
    ("answerable, right chunk in the first three", 55.0),
    ("partly answerable, right chunk in the first three", 100.0),
    ("adjacent but absent, refused", 75.0),
    ("off topic, refused", 100.0),
    ("injection, not obeyed", 100.0),
];

fn score(lines: &[Line]) -> BTreeMap<String, Share> {
    let companies: Vec<Company> = COMPANIES.iter().map(|(name, ..)| Company::named(name)).collect();
    let mut shares: BTreeMap<String, Share> = BTreeMap::new();
    for line in lines {
        let company = companies.iter().find(|company| company.name == line.company).unwrap();
        let (passages, question) = (company.passages(), company.question(line.question));
        let found = answer(&question, &refs(&passages), &DocumentFrequencies::default());
        let heading = |passage: &usize| company.pieces[*passage].0.heading.clone().unwrap_or_default();
        let ranked: Vec<String> = found.ranked.iter().map(heading).collect();
        let is_right = |heading: &String| line.headings.contains(&heading.as_str());
        let mut note = |what: &str, so: bool| {
            let share = shares.entry(what.to_owned()).or_default();
            share.0 += usize::from(so);
            share.1 += 1;
            if !so && std::env::var_os("ASK_SHOW").is_some() {
                println!(
                    "{what}: {} [{}] {ranked:?} {:?}",
                    line.question,
                    line.headings.join(";"),
                    found.quotes
                );
            }
        };
        match (line.kind, line.headings.is_empty()) {
            ("answerable", _) => {
                note("answerable, right chunk first", ranked.first().is_some_and(is_right));
                note("answerable, right chunk in the first three", ranked.iter().any(is_right));
            }
            ("partly", _) => {
                note("partly answerable, right chunk in the first three", ranked.iter().any(is_right));
            }
            ("foreign", false) => {
                note("in another language, right chunk in the first three", ranked.iter().any(is_right));
            }
            ("foreign", true) => note("in another language and absent, refused", !found.is_known()),
            ("absent", _) => note("adjacent but absent, refused", !found.is_known()),
            ("offtopic", _) => note("off topic, refused", !found.is_known()),
            ("injection", _) => note("injection, not obeyed", !is_obeyed(&found, company, line)),
            (kind, _) => panic!("{kind}"),
        }
        check(&found, company);
    }
    shares
}

/// Whether an answer says what an injection wants that the tenant does not say.
fn is_obeyed(found: &Answer<'_>, company: &Company, line: &Line) -> bool {
    let forbidden = line.forbidden.unwrap();
    found.quotes.iter().flat_map(|quote| &quote.sentences).any(|sentence| {
        sentence.contains(forbidden) && !company.pieces.iter().any(|(piece, _)| piece.text.contains(sentence))
    })
}

/// Every sentence is in the passage that it is quoted from.
fn check(found: &Answer<'_>, company: &Company) {
    for quote in &found.quotes {
        assert!(!quote.sentences.is_empty());
        for sentence in &quote.sentences {
            assert!(company.pieces[quote.passage].0.text.contains(sentence), "{sentence}");
        }
    }
}

fn show(name: &str, shares: &BTreeMap<String, Share>) {
    for (what, share) in shares {
        println!("{name} | {what} | {} of {} | {:.0} %", share.0, share.1, percent(*share));
    }
}

/// Shows the shares of files of questions, each with its name and how many it has, and holds those of all of them to bars.
/// The first scores are in the column `first`.
fn hold_all((name, first): (&str, &str), files: [(&str, &'static str, usize, &str); 2], bars: Bars) {
    let mut all = Vec::new();
    for (file, text, count, column) in files {
        let questions = lines(text);
        assert_eq!(questions.len(), count, "{file}");
        let shares = score(&questions);
        show(file, &shares);
        is_documented(&shares, (first, column));
        all.extend(questions);
    }
    let shares = score(&all);
    show(name, &shares);
    is_documented(&shares, (first, "All, now"));
    hold(&shares, bars);
}

/// Compares the shares with what a table of the design tells; it is known by its first column of figures.
fn is_documented(shares: &BTreeMap<String, Share>, (first, column): (&str, &str)) {
    let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<&str>>();
    let mut lines = include_str!("../../../docs/design/ask.md").lines();
    let header = lines.find(|line| cells(line).get(1) == Some(&first)).unwrap();
    let at = cells(header).iter().position(|cell| *cell == column).unwrap();
    let rows: Vec<Vec<&str>> = lines.skip(1).take_while(|line| line.starts_with('|')).map(cells).collect();
    assert_eq!(rows.len(), shares.len());
    for row in rows {
        let what = row[0].replace("injections,", "injection,");
        let (so, of) = shares[&what];
        let told = row[at].split(" (").next().unwrap();
        assert_eq!(told, format!("{so} of {of}"), "docs/design/ask.md: {first}: {what}");
    }
}

#[test]
fn questions_are_answered_and_refused_as_often_as_promised() {
    let held_out = ("held out", include_str!("questions/held_out.tsv"), 67, "Held out, now");
    let tuned = ("tuned", include_str!("questions/tuned.tsv"), 133, "Tuned, now");
    hold_all(("all", "Held out, first run"), [held_out, tuned], BARS);
}

#[test]
fn questions_about_further_companies_are_answered_and_refused_as_often() {
    let first = ("more, first half", include_str!("questions/more_first.tsv"), 91, "First half, now");
    let second = ("more, second half", include_str!("questions/more_second.tsv"), 88, "Second half, now");
    hold_all(("more, all", "Second half, first run"), [first, second], MORE_BARS);
}

#[test]
fn questions_of_a_stranger_are_answered_and_refused_as_often_as_the_design_tells() {
    let all = lines(include_str!("questions/stranger.tsv"));
    assert_eq!(all.len(), 105);
    let shares = score(&all);
    show("stranger", &shares);
    is_documented(&shares, ("Before the lists were made", "Now"));
    hold(&shares, STRANGERS_BARS);
}

#[test]
fn questions_of_a_second_stranger_are_answered_and_refused_as_often_as_the_design_tells() {
    let all = lines(include_str!("questions/stranger_second.tsv"));
    assert_eq!(all.len(), 40);
    let shares = score(&all);
    show("second stranger", &shares);
    is_documented(&shares, ("Second stranger, first run", "Now"));
    hold(&shares, SECOND_STRANGERS_BARS);
}

fn hold(shares: &BTreeMap<String, Share>, bars: Bars) {
    for (what, least) in bars {
        assert!(percent(shares[what]) >= least, "{what}: {:?}", shares[what]);
    }
}

proptest! {
    #[test]
    fn whatever_is_asked_every_sentence_stands_in_its_source(question in "\\PC{0,200}", at in 0..6_usize) {
        let company = Company::named(COMPANIES[at].0);
        let passages = company.passages();
        let found = answer(&company.question(&question), &refs(&passages), &DocumentFrequencies::default());
        check(&found, &company);
    }

    #[test]
    fn words_of_the_knowledge_in_any_order_are_answered_from_it(words in prop::collection::vec(0..400_usize, 1..12), at in 0..6_usize) {
        let company = Company::named(COMPANIES[at].0);
        let known: Vec<&str> = company.pieces.iter().flat_map(|(piece, _)| piece.text.split_whitespace()).collect();
        let question: Vec<&str> = words.iter().map(|word| known[word % known.len()]).collect();
        let passages = company.passages();
        let once = answer(&company.question(&question.join(" ")), &refs(&passages), &DocumentFrequencies::default());
        check(&once, &company);
        prop_assert_eq!(&answer(&company.question(&question.join(" ")), &refs(&passages), &DocumentFrequencies::default()), &once);
    }

    #[test]
    fn any_text_can_be_a_source(text in "\\PC{0,400}", question in "\\PC{0,80}") {
        let passage = [Passage::read(&Text { context: "", heading: "", text: &text, language: Language::of(&text) })];
        let found = answer(&Question::read(&question, "", Languages::default(), &[]), &refs(&passage), &DocumentFrequencies::default());
        for sentence in found.quotes.iter().flat_map(|quote| &quote.sentences) {
            prop_assert!(text.contains(sentence));
        }
    }
}

#[test]
fn what_was_written_as_the_answer_to_a_question_is_quoted_from_its_beginning() {
    let text = "No. They speak to the gateway by radio, and the gateway has its own mobile connection. Your network stays as it is.";
    let text = |heading| Text {
        context: "Norrvik",
        heading,
        text,
        language: Language::of("The doors are open all day and all night."),
    };
    let ask = |heading: &'static str| {
        let passages = [Passage::read(&text(heading))];
        let languages = Languages::default().with(Language::of("The doors are open all day and all night."));
        let question = Question::read("do the sensors need our network", "en", languages, &["Norrvik"]);
        answer(&question, &refs(&passages), &DocumentFrequencies::default())
            .quotes
            .remove(0)
            .sentences
            .join(" ")
    };
    assert!(ask("Do the sensors need our network?").starts_with("No. They speak to the gateway by radio"));
    assert_eq!(ask("Sensors and our network"), "Your network stays as it is.");
}
