//! The offline editor: a message goes in, a changed page and an answer come out.
//!
//! A message can hold several requests; each is carried out on the page as the ones before it have left it. What is not understood is told,
//! and the others are carried out. Invariant: the page that comes out is the one that went in, without the changes that were taken back, after the
//! operations that come out.

use crate::act::{Act, Clause};
use crate::beginning;
use crate::document::Document;
use crate::language::{self, Language};
use crate::parse;
use crate::reply::{Edit, EditOutcome, Reply, Request};
use crate::resolve::trimmed;
use crate::second_thoughts::{self, Again, Correction, SentencePart};
use crate::sentence::{self, Wish};
use crate::thing::{Thing, short};
use crate::token::{self, Token, tokens, written};

/// The most requests of a message that are carried out.
const MOST_REQUESTS: usize = 20;
/// The most parts of a message that are read.
const MOST_PARTS: usize = 200;
/// The most things that a question names.
const MOST_NAMED: usize = 8;
/// How often an owner can think again within a message.
const MOST_CORRECTIONS: usize = 3;

/// Changes a page as a message says.
pub fn edit(request: &Request<'_>) -> Reply {
    let tag = request.document.content.head.language.as_deref();
    let languages = language::ordered(request.message, tag);
    let tokens = if is_code(request.message) { Vec::new() } else { tokens(request.message) };
    let mut run = Run::new(request);
    let mut count = 0;
    let parts = parse::sentences(&tokens).into_iter();
    let parts = parts.flat_map(|sentence| second_thoughts::parts(sentence, &languages));
    'sentences: for (number, part) in parts.enumerate() {
        if number == MOST_PARTS {
            run.said.push(languages[0].say("too-long", &[]));
            break;
        }
        let again = run.think_again(request, &part, &languages);
        let sentence = match &again {
            Again::Not if part.correction == Correction::Perhaps => part.rest,
            Again::Not => part.whole,
            Again::Instead => part.rest,
            Again::Saying(tokens) => tokens,
            Again::Done => continue,
        };
        run.previous = Some(run.here(part.whole));
        let Read { wishes, mut understood, remark } = run.read(request, sentence, &languages);
        if let Some(about) = remark {
            let spoken = written(request.message, trimmed(sentence)).unwrap_or_default();
            run.remarks.push((spoken, about.clone()));
            run.last = about.or(run.last.take());
            continue;
        }
        for wish in wishes {
            count += 1;
            if count > MOST_REQUESTS {
                let language = languages[0];
                run.said.push(language.say("too-many", &[("n", &MOST_REQUESTS.to_string())]));
                break 'sentences;
            }
            run.last = wish.about.or(run.last.take());
            let clause = run.clause(request);
            let (language, act) = if wish.unclear.is_empty() {
                understood.take().unwrap_or_else(|| parse::understand(&clause, wish.tokens, &languages))
            } else {
                (languages[0], Act::Ask(wish.unclear))
            };
            let spoken = written(request.message, wish.tokens).unwrap_or_default();
            if run.is_why(&act, wish.tokens, language) || run.is_undone(&act) {
                continue;
            }
            run.last = match &act {
                // `It` is none of several, and nothing that was spoken of before them.
                Act::Ask(_) | Act::AskFor(_) | Act::Absent(_) => None,
                Act::Refuse(_) | Act::NotUnderstood | Act::AskText(_) => {
                    sentence::subject(&run.clause(request), wish.tokens, &languages).or(run.last.take())
                }
                Act::Done { .. } | Act::Undo { .. } | Act::Help => run.last.take(),
            };
            run.carry_out(request, language, act, spoken);
        }
    }
    // Remarks are passed over where something else was asked for, and that is told: one may be a wish that was not understood.
    let remarks = std::mem::take(&mut run.remarks);
    if count == 0 && run.corrections == 0 {
        let nothing = vec![(request.message.trim(), None)];
        for (remark, _) in if remarks.is_empty() { nothing } else { remarks } {
            run.not_understood(languages[0], remark);
        }
    } else {
        for (remark, _) in remarks {
            run.said.push(languages[0].say("passed-over", &[("x", &short(remark.trim()))]));
        }
    }
    if tokens.len() >= token::MOST {
        run.said.push(languages[0].say("too-long", &[]));
    }
    run.reply(languages[0])
}

/// Whether a message is JSON, which says nothing in words.
fn is_code(message: &str) -> bool {
    message.trim_start().starts_with(['{', '[']) && serde_json::from_str::<serde_json::Value>(message).is_ok()
}

/// A sentence as it was read: what it asks for; or, of a remark, what it is about.
struct Read<'t> {
    wishes: Vec<Wish<'t>>,
    /// What it asks for as a whole, if it does.
    understood: Option<(&'static Language, Act)>,
    remark: Option<Option<Thing>>,
}

/// What was there before a part of the message.
struct Previous<'a> {
    tokens: &'a [Token],
    done: usize,
    said: usize,
    remarks: usize,
    candidates: usize,
    took_back: usize,
    outcome: EditOutcome,
    explains: bool,
}

/// What was there before a request was carried out.
struct Before {
    document: Document,
    edits: usize,
    writes_anew: bool,
}

/// What has been done so far.
struct Run<'a> {
    document: Document,
    base: Document,
    edits: Vec<Edit>,
    /// What can be taken back of the message's own requests, the newest last.
    done: Vec<Before>,
    said: Vec<String>,
    outcome: EditOutcome,
    took_back: usize,
    writes_anew: bool,
    last: Option<Thing>,
    candidates: Vec<String>,
    /// Sentences that ask for nothing.
    remarks: Vec<(&'a str, Option<Thing>)>,
    /// Whether it is to be said what can be asked for.
    explains: bool,
    /// What was there before the last part of the message.
    previous: Option<Previous<'a>>,
    /// How often the owner has thought again.
    corrections: usize,
    /// Whether the request before took something back, and was only a regret.
    last_undo: Option<bool>,
}

impl<'a> Run<'a> {
    fn new(request: &Request<'_>) -> Run<'a> {
        Run {
            document: request.document.clone(),
            base: request.document.clone(),
            edits: Vec::new(),
            done: Vec::new(),
            said: Vec::new(),
            outcome: EditOutcome::NotUnderstood,
            took_back: 0,
            writes_anew: false,
            last: None,
            candidates: Vec::new(),
            remarks: Vec::new(),
            explains: false,
            previous: None,
            corrections: 0,
            last_undo: None,
        }
    }

    fn here(&self, tokens: &'a [Token]) -> Previous<'a> {
        Previous {
            tokens,
            done: self.done.len(),
            said: self.said.len(),
            remarks: self.remarks.len(),
            candidates: self.candidates.len(),
            took_back: self.took_back,
            outcome: self.outcome,
            explains: self.explains,
        }
    }

    /// Forgets what a part of the message has asked for, if this part takes its place.
    fn think_again(
        &mut self,
        request: &Request<'_>,
        part: &SentencePart<'_>,
        languages: &[&'static Language],
    ) -> Again {
        let Some(previous) = self.previous.take().filter(|_| part.correction != Correction::None) else {
            return Again::Not;
        };
        if self.took_back > previous.took_back || self.corrections >= MOST_CORRECTIONS {
            return Again::Not;
        }
        let document = self.done.get(previous.done).map_or(&self.document, |before| &before.document);
        let last = self.last.as_ref().filter(|thing| thing.is_on(document));
        let (message, selection, material) = (request.message, request.selection, request.material);
        let clause = Clause { message, document, selection, material, last };
        let again = second_thoughts::again(&clause, (previous.tokens, part), languages);
        if matches!(again, Again::Not) {
            return again;
        }
        self.corrections += 1;
        let before = self.done.drain(previous.done..).next();
        if let Some(before) = before {
            self.go_back(before);
        }
        self.said.truncate(previous.said);
        self.remarks.truncate(previous.remarks);
        self.candidates.truncate(previous.candidates);
        (self.outcome, self.explains) = (previous.outcome, previous.explains);
        if matches!(again, Again::Done) {
            self.undone(&languages[0].say("left", &[]));
        }
        again
    }

    fn read<'t>(
        &self,
        request: &Request<'_>,
        sentence: &'t [Token],
        languages: &[&'static Language],
    ) -> Read<'t> {
        let clause = self.clause(request);
        let all = parse::requests(&clause, sentence, languages);
        let mut understood = None;
        if let [one] = all.as_slice() {
            let (language, act) = parse::understand(&clause, one, languages);
            if !act.is_request() {
                // Why the whole cannot be done says more than why a part of it cannot.
                let takes_refusals = !matches!(act, Act::Refuse(_));
                if let Some(wishes) = sentence::wishes(&clause, sentence, languages, takes_refusals) {
                    return Read { wishes, understood: None, remark: None };
                }
                if matches!(act, Act::NotUnderstood) && !sentence::seems_to_ask(&clause, sentence, languages)
                {
                    let about = sentence::subject(&clause, sentence, languages);
                    return Read { wishes: vec![], understood: None, remark: Some(about) };
                }
            }
            understood = Some((language, act));
        }
        let wishes = all.into_iter().map(|tokens| Wish { tokens, ..Wish::default() }).collect();
        Read { wishes, understood, remark: None }
    }

    fn clause<'c>(&'c self, request: &'c Request<'_>) -> Clause<'c> {
        Clause {
            message: request.message,
            document: &self.document,
            selection: request.selection,
            material: request.material,
            // What was removed is not spoken of any more.
            last: self.last.as_ref().filter(|thing| thing.is_on(&self.document)),
        }
    }

    /// Whether words only tell why the request before them was made: `It is too long`.
    fn is_why(&self, act: &Act, tokens: &[Token], language: &'static Language) -> bool {
        let is_known = match act {
            Act::Done { said, .. } => self.said.last() == Some(said),
            Act::Refuse(_) => !self.done.is_empty(),
            _ => false,
        };
        is_known && language.begins("pronouns", tokens).is_some() && !beginning::asks(tokens, &[language])
    }

    /// Whether something is to be taken back that just was: `that was wrong, undo it`.
    fn is_undone(&mut self, act: &Act) -> bool {
        let before = self.last_undo.take();
        let Act::Undo { is_regret, .. } = act else { return false };
        self.last_undo = Some(*is_regret);
        before.is_some_and(|before| before || *is_regret)
    }

    fn carry_out(&mut self, request: &Request<'_>, language: &Language, act: Act, spoken: &str) {
        let is_gone =
            request.selection.is_some_and(|selection| self.document.block(&selection.block_id).is_none());
        if is_gone && !matches!(act, Act::Undo { .. } | Act::Help) {
            let why = language.say("selected-gone", &[]);
            if !self.said.contains(&why) {
                self.said.push(why);
            }
            self.better(EditOutcome::Refused);
            return;
        }
        match act {
            Act::Done { operations, said, thing, anew } => {
                let mut after = self.document.clone();
                if operations.iter().any(|operation| operation.apply(&mut after).is_err()) {
                    self.better(EditOutcome::Refused);
                    self.said.push(language.say("invalid", &[("x", &short(spoken))]));
                    return;
                }
                let document = std::mem::replace(&mut self.document, after);
                self.done.push(Before { document, edits: self.edits.len(), writes_anew: self.writes_anew });
                let reason = short(spoken);
                self.edits.extend(
                    operations.into_iter().map(|operation| Edit { operation, reason: reason.clone() }),
                );
                self.said.push(said);
                // What was told of it before is why.
                self.remarks.retain(|(_, about)| about.is_none() || *about != thing);
                self.last = thing.or(self.last.take());
                self.writes_anew |= anew;
                self.better(EditOutcome::Done);
            }
            Act::Undo { count, .. } => self.undo(request, language, count),
            Act::Help => {
                self.said.push(language.say("can", &[]));
                self.better(EditOutcome::Refused);
            }
            Act::Ask(things) => self.ask(language, &things),
            Act::AskFor(names) => self.ask_for(language, &names),
            Act::AskText(text) => {
                self.said.push(text);
                self.better(EditOutcome::Asked);
            }
            Act::Refuse(why) | Act::Absent(why) => {
                self.said.push(why);
                self.better(EditOutcome::Refused);
            }
            Act::NotUnderstood => self.not_understood(language, spoken),
        }
    }

    fn undo(&mut self, request: &Request<'_>, language: &Language, count: usize) {
        let mut taken = Vec::new();
        let mut why_not = None;
        while taken.len() < count && why_not.is_none() {
            match self.undo_one(request) {
                Ok(what) => taken.push(what),
                Err(why) => why_not = Some(why),
            }
        }
        match taken.as_slice() {
            [] => {}
            [Some(what)] => self.undone(&language.say("undone-what", &[("x", &short(what))])),
            [None] => self.undone(&language.say("undone", &[])),
            _ => self.undone(&language.say("undone-several", &[("n", &taken.len().to_string())])),
        }
        if let Some(why) = why_not {
            self.said.push(language.say(why, &[]));
            self.better(EditOutcome::Refused);
        }
    }

    fn undone(&mut self, said: &str) {
        self.said.push(said.to_owned());
        self.better(EditOutcome::Done);
    }

    fn go_back(&mut self, before: Before) {
        self.document = before.document;
        self.edits.truncate(before.edits);
        self.writes_anew = before.writes_anew;
    }

    /// Takes the last change back; the request that had asked for it, of an earlier message.
    fn undo_one<'r>(&mut self, request: &Request<'r>) -> Result<Option<&'r str>, &'static str> {
        // What this message has done is taken back first.
        if let Some(before) = self.done.pop() {
            self.go_back(before);
            return Ok(None);
        }
        let last = request.earlier.get(self.took_back).ok_or("nothing-to-undo")?;
        self.document = last.taken_back(&self.document, request.selection)?;
        self.base = self.document.clone();
        self.took_back += 1;
        Ok(last.reason.as_deref())
    }

    fn ask(&mut self, language: &Language, things: &[Thing]) {
        self.candidates.extend(things.iter().filter_map(Thing::block).map(ToOwned::to_owned));
        let labels: Vec<String> = things.iter().map(|thing| thing.label(&self.document, language)).collect();
        let told = things.iter().zip(&labels).map(|(thing, label)| {
            let is_alone = labels.iter().filter(|other| *other == label).count() == 1;
            match thing.beginning(&self.document).filter(|_| !is_alone) {
                Some(beginning) => format!("{label} (“{}”)", short(&beginning)),
                None => label.clone(),
            }
        });
        let told: Vec<String> = told.collect();
        self.ask_for(language, &told);
    }

    /// Asks which of several things is meant, or of all parts of the page where nothing says which.
    fn ask_for(&mut self, language: &Language, labels: &[String]) {
        let text = match labels {
            // What is spoken of was asked for already.
            [] if self.outcome == EditOutcome::Asked => return,
            [] => {
                let blocks = self.document.content.blocks.iter().filter_map(|block| block.block_id());
                if self.document.content.blocks.is_empty() {
                    self.said.push(language.say("nothing-there", &[]));
                    self.better(EditOutcome::Refused);
                    return;
                }
                let things = blocks.map(|block| Thing::Block(block.to_owned()));
                let labels: Vec<String> = things.map(|thing| thing.label(&self.document, language)).collect();
                language.say("ask-what", &[("x", &listed(language, &labels))])
            }
            _ => language.say("ask", &[("x", &listed(language, labels))]),
        };
        self.said.push(text);
        self.better(EditOutcome::Asked);
    }

    fn not_understood(&mut self, language: &Language, spoken: &str) {
        self.said.push(language.say("not-understood", &[("x", &short(spoken))]));
        self.explains = true;
    }

    fn better(&mut self, outcome: EditOutcome) {
        let rank = |outcome| match outcome {
            EditOutcome::Done => 0,
            EditOutcome::Asked => 1,
            EditOutcome::Refused => 2,
            EditOutcome::NotUnderstood => 3,
        };
        if rank(outcome) < rank(self.outcome) {
            self.outcome = outcome;
        }
    }

    fn reply(mut self, language: &Language) -> Reply {
        if self.explains && self.outcome != EditOutcome::Done {
            self.said.push(language.say("can", &[]));
        }
        self.candidates.dedup();
        Reply {
            document: self.document,
            base: self.base,
            edits: self.edits,
            text: self.said.join(" "),
            outcome: self.outcome,
            understood: !self.explains,
            took_back: self.took_back,
            writes_anew: self.writes_anew,
            candidates: self.candidates,
        }
    }
}

/// Names as a sentence lists them, so many at most. Those that are called the same have numbers, in their order.
fn listed(language: &Language, labels: &[String]) -> String {
    let mut labels = numbered(labels);
    let more = labels.len().saturating_sub(MOST_NAMED);
    labels.truncate(MOST_NAMED);
    if let Some(last) = labels.last_mut().filter(|_| more > 0) {
        *last = format!("{last} … (+{more})");
    }
    match labels.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} {} {last}", others.join(", "), language.say("or", &[])),
    }
}

/// The labels, with numbers behind those that are there several times.
fn numbered(labels: &[String]) -> Vec<String> {
    let count = |all: &[String], label: &String| all.iter().filter(|other| *other == label).count();
    let with_number = |(at, label): (usize, &String)| match count(labels, label) {
        1 => label.clone(),
        _ => format!("{label} ({})", count(&labels[..=at], label)),
    };
    labels.iter().enumerate().map(with_number).collect()
}
