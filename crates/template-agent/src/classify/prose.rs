//! Running text: quotations, questions with answers, sequences of steps, and sentences of a kind each.

use super::kind::Kind;
use super::sequence::{self, Rank};
use super::{Classifier, Mode, kind, points, quotation};
use crate::count;
use crate::fate::{self, Fate};
use crate::instructions;
use crate::lexicon::Lexicon;
use crate::material::{Fact, Piece};
use crate::rich::Rich;
use crate::stance;
use crate::stance::label::{self, Label};
use crate::tidy;
use crate::words::{Tokens, hash};

mod divide;

use divide::{THAT, at_but, clauses, divided, parts, takes_back, told_clauses};

/// The words with which a brief has told enough for a page.
const ENOUGH: usize = 25;
/// The most sentences of an answer to a question in running text.
const MOST_ANSWER: usize = 4;
/// The fewest words of a question of an FAQ.
const LEAST_QUESTION: usize = 2;

impl Classifier<'_> {
    /// Running text: quotations first, then sentence by sentence.
    pub(super) fn prose(&mut self, line: &Rich) {
        if matches!(self.mode, Mode::Headline | Mode::Tagline) && stance::is_copy(line.plain()) {
            let meaning = if self.mode == Mode::Headline { Label::Headline } else { Label::Tagline };
            self.mode = Mode::Plain;
            return self.title(meaning, line.plain());
        }
        let found = quotation::quotations(line.plain(), self.lexicon());
        if found.is_empty() {
            // A question in bold and its answer are two sentences.
            if line.markdown().contains("?**") {
                return self.sentences(Rich::of(line.plain()).sentences());
            }
            return self.sentences(line.sentences());
        }
        let mut from = 0;
        for quotation in found {
            let before = Rich::of(line.plain()[from..quotation.start].trim_matches([' ', ',']));
            self.sentences(before.sentences());
            let words = quotation.testimonial.quote.as_str();
            if stance::is_copy(words) && !self.reader.is_named_in(&quotation.testimonial.author) {
                self.reading.material.quotations.push(quotation.testimonial);
            }
            from = quotation.end;
        }
        self.sentences(Rich::of(line.plain()[from..].trim()).sentences());
    }

    pub(super) fn sentences(&mut self, sentences: Vec<Rich>) {
        let mut kept: Vec<Rich> = Vec::new();
        let mut after_note = false;
        let mut after_order = false;
        let first: Vec<Fate> = sentences.iter().map(|sentence| self.fate(sentence.plain(), false)).collect();
        let is_mixed = first.iter().any(|fate| *fate != Fate::Fact);
        // Where no more is told than is said to the writer, in a brief that has told enough for a page already.
        let told = sentences
            .iter()
            .zip(&first)
            .filter(|(sentence, fate)| **fate == Fate::Fact && !self.is_unsupported(sentence.plain()));
        let is_for_writer = is_mixed
            && !self.reading.material.is_shorter_than(ENOUGH)
            && told.count() <= first.iter().filter(|fate| **fate != Fate::Fact).count();
        for (at, sentence) in sentences.into_iter().enumerate() {
            let plain = sentence.plain();
            if !tidy::says_something(plain) {
                continue;
            }
            let mut judged = self.fate(plain, after_note);
            let is_between = self.is_between(plain, &first, at);
            // What goes on about somebody goes on behind their back, unless it speaks of us or to the reader.
            let is_private = |text: &str| {
                self.lexicon().is_some_and(|lexicon| lexicon.kinds.private.is_in(&Tokens::of(text)))
            };
            let goes_on =
                after_note && !self.speaks(plain) || (after_note || after_order) && is_private(plain);
            // Among sentences to the writer, `And we lose money on these` is one more, and not what visitors are told.
            let is_aside = is_mixed && self.is_aside(plain);
            if judged == Fate::Fact && is_aside {
                // It is about the company, so it says nothing of what the audience cares about.
                self.reading.notes.push(plain.to_owned());
                (after_note, after_order) = (false, false);
                continue;
            }
            if judged == Fate::Fact
                && (goes_on || is_between || (at == 0 && fate::begins_with_pronoun(plain, self.lexicon())))
            {
                judged = Fate::Note;
            }
            if judged == Fate::Fact && is_for_writer && self.is_unsupported(plain) {
                judged = Fate::Note;
            }
            after_note = judged == Fate::Note;
            after_order = judged == Fate::Instruction;
            // `What matters for her: every dish carries its allergens`
            let is_lead = judged == Fate::Note
                && plain.split_once(": ").is_some_and(|(lead, rest)| {
                    count::words(lead) <= 6 && kind::kind(rest, self.lexicon()) == Kind::Figure
                });
            let is_taken_back = judged == Fate::Instruction
                && (label::withholds(plain)
                    || self.lexicon().is_some_and(|lexicon| fate::is_taken_back(plain, lexicon)));
            if after_order && !is_taken_back && takes_back(plain) {
                self.take_back(&mut kept);
            }
            if (judged == Fate::Instruction && !is_taken_back || is_lead)
                && let Some(told) = self.told_half(plain)
            {
                kept.extend(told);
                continue;
            }
            if judged == Fate::Instruction
                && !is_taken_back
                && (self.is_one_liner
                    || THAT.iter().any(|that| plain.contains(that))
                    || self.asks_first(plain))
                && let Some((facts, orders)) = told_clauses(plain, &|clause| self.is_fact(clause))
            {
                kept.extend(facts.iter().map(|fact| Rich::of(fact)));
                orders.iter().for_each(|order| self.instruction(&Rich::of(order)));
                continue;
            }
            match judged {
                Fate::Fact => {
                    let is_before_talk = first.get(at + 1).is_some_and(|next| *next != Fate::Fact);
                    kept.extend(self.told(&sentence, is_before_talk));
                }
                Fate::Note => self.note_and_fact(plain),
                Fate::Instruction => self.order(&sentence),
                Fate::Injection => {}
            }
            self.after_talk = judged != Fate::Fact;
        }
        self.facts(&kept);
    }

    /// A sentence for visitors in its parts. One that stands beside something for the writer is remembered.
    fn told(&mut self, sentence: &Rich, is_before_talk: bool) -> Vec<Rich> {
        let told = if self.is_one_liner { clauses(sentence) } else { parts(sentence) };
        let is_beside_talk = self.after_talk || is_before_talk;
        if let [alone] = told.as_slice()
            && is_beside_talk
        {
            self.reading.beside_talk.insert(hash(alone.plain()));
        }
        told
    }

    /// What is said to the writer, and perhaps is about the list or the quotation that follows.
    fn order(&mut self, sentence: &Rich) {
        let plain = sentence.plain();
        self.skips_list = plain.ends_with([':', '：']);
        self.refuses = self.skips_list && refuses(&Tokens::of(plain));
        self.instruction(sentence);
    }

    /// Whether a sentence asks for a page first and then only tells what stands on it.
    fn asks_first(&self, sentence: &str) -> bool {
        let Some((order, told)) = sentence.split_once(", ") else { return false };
        let tells = |clause: &str| {
            let tokens = Tokens::of(clause);
            clause.contains(|char: char| char.is_ascii_digit())
                || self.lexicon().is_some_and(|lexicon| {
                    let grammar = &lexicon.grammar;
                    grammar.we.in_text(&tokens) || self.is_one_person && grammar.i.in_text(&tokens)
                })
        };
        let clauses = || told.split(", ");
        fate::is_request(&Tokens::of(order))
            && clauses().all(|clause| self.is_fact(clause))
            && clauses().filter(|clause| tells(clause)).count() * 2 > clauses().count()
    }

    /// Notes a sentence, without the fact that it asks to stress.
    fn note_and_fact(&mut self, sentence: &str) {
        let found = self.lexicon().and_then(|lexicon| instructions::stressed_fact(sentence, lexicon));
        match found.filter(|(_, fact)| self.is_fact(fact)) {
            Some((note, fact)) => {
                self.note(note);
                let fact = Fact { is_stressed: true, ..self.fact(Rich::of(&fact)) };
                self.push(Piece::Facts(vec![fact]));
            }
            None => self.note(sentence),
        }
    }

    /// Whether a sentence stands between two to the writer, and so is said to the writer as well. `The deposit is 300 euros` is not.
    fn is_between(&self, sentence: &str, fates: &[Fate], at: usize) -> bool {
        at > 0
            && fates[at - 1] != Fate::Fact
            && fates.get(at + 1).is_some_and(|next| *next != Fate::Fact)
            && !points::is_question(sentence)
            && !(kind::kind(sentence, self.lexicon()) == Kind::Price && self.speaks(sentence))
    }

    /// Whether a sentence goes on talking, as in `And …` or `So …`, and tells the reader nothing of its own.
    fn is_aside(&self, sentence: &str) -> bool {
        let tokens = Tokens::of(sentence);
        self.lexicon().is_some_and(|lexicon| {
            lexicon.grammar.openers.begins(&tokens).is_some()
                && !lexicon.grammar.you.in_text(&tokens)
                && kind::kind_of(sentence, &tokens, Some(lexicon)) == Kind::Feature
        })
    }

    /// Whether a sentence neither speaks of us or to the reader nor gives anything that a page shows by itself. Among sentences to the writer it is
    /// one more of them. Scripts without spaces have too few words for that.
    fn is_unsupported(&self, sentence: &str) -> bool {
        !self.speaks(sentence)
            && !points::is_question(sentence)
            && kind::kind(sentence, self.lexicon()) == Kind::Feature
            && !sentence.contains(|char: char| char.is_ascii_digit() || crate::words::is_unspaced(char))
    }

    /// Facts in their order: questions with answers, sequences of steps, names of systems, and sentences of a kind each.
    pub(super) fn facts(&mut self, sentences: &[Rich]) {
        let mut at = 0;
        while at < sentences.len() {
            // `Broken? We repair it within 48 hours.`: one word asks nothing by itself.
            if let [call, next, ..] = &sentences[at..]
                && call.plain().trim_end().ends_with(['?', '？', '؟'])
                && Tokens::of(call.plain()).len() < LEAST_QUESTION
            {
                self.sentence(Rich::joined([call, next]));
                at += 2;
                continue;
            }
            let mut taken = self.question(&sentences[at..]);
            if taken == 0 {
                taken = self.sequence(&sentences[at..]);
            }
            if taken == 0 {
                self.sentence(sentences[at].clone());
            }
            at += taken.max(1);
        }
    }

    fn sentence(&mut self, sentence: Rich) {
        let tokens = Tokens::of(sentence.plain());
        if let Some(names) = kind::integrations(sentence.plain(), &tokens, self.lexicon()) {
            return self.push(Piece::Names(names));
        }
        let kind = kind::kind_of(sentence.plain(), &tokens, self.lexicon());
        self.push(Piece::Facts(vec![Fact {
            text: sentence,
            kind,
            is_stressed: false,
            paragraph: self.paragraph,
        }]));
    }

    /// Takes back what was said last, or what it said behind its `but`: `Leave that bit between us.`
    fn take_back(&mut self, kept: &mut Vec<Rich>) {
        if let Some(before) = kept.pop() {
            let (told, taken) = at_but(before.plain()).unwrap_or(("", before.plain()));
            self.note(taken);
            kept.extend((!told.is_empty()).then(|| Rich::of(told)));
        }
    }

    /// What a sentence tells that is half for the writer, which takes its half; nothing if it is not.
    fn told_half(&mut self, sentence: &str) -> Option<Vec<Rich>> {
        let (one, other) = divided(sentence)?;
        // `What puts people off: the soot on the carpet`
        if sentence[one.len()..].trim_start().starts_with(':') && self.is_list_of_notes(&one, &other) {
            self.note(&other);
            return None;
        }
        // `… – put that somewhere it gets seen`
        if fate::is_placed(&Tokens::of(&other)) && self.is_fact(&one) {
            self.instruction(&Rich::of(&other));
            let fact = Fact { is_stressed: true, ..self.fact(Rich::of(&tidy::capital(&one))) };
            self.push(Piece::Facts(vec![fact]));
            return Some(Vec::new());
        }
        let parts = self.told_apart(one, other);
        let is_told = parts.iter().any(|(_, fate)| *fate == Fate::Fact);
        if !is_told || parts.iter().any(|(_, fate)| *fate == Fate::Injection) {
            return None;
        }
        let mut told = Vec::new();
        for (part, fate) in parts {
            match fate {
                Fate::Fact if self.is_one_liner => told.extend(clauses(&Rich::of(&part))),
                Fate::Fact => told.push(Rich::of(&tidy::capital(&part))),
                Fate::Note => self.note(&part),
                _ => self.instruction(&Rich::of(&part)),
            }
        }
        Some(told)
    }

    /// Whether what stands behind a colon only lists what a note announces: `What puts people off: the soot on the carpet`.
    fn is_list_of_notes(&self, announced: &str, list: &str) -> bool {
        let Some(lexicon) = self.lexicon() else { return false };
        let (lead, tokens) = (Tokens::of(announced), Tokens::of(list));
        !self.is_fact(announced)
            && !lexicon.instructions.polite.is_in(&lead)
            && !lexicon.grammar.we.in_text(&tokens)
            && !lexicon.grammar.you.in_text(&tokens)
            && !list.contains(|char: char| char.is_ascii_digit())
    }

    /// The two halves of a sentence with what becomes of each; a half that is an order and a fact is divided again.
    fn told_apart(&self, one: String, other: String) -> Vec<(String, Fate)> {
        let mut parts = Vec::new();
        for half in [one, other] {
            match divided(&half) {
                Some((lead, rest)) if self.fate(&lead, false) != Fate::Fact && self.is_fact(&rest) => {
                    parts.push((lead.clone(), self.fate(&lead, false)));
                    parts.push((rest, Fate::Fact));
                }
                _ => {
                    let fate = self.fate(&half, false);
                    parts.push((half, fate));
                }
            }
        }
        parts
    }

    /// A question of running text with its answer; how many sentences that is.
    fn question(&mut self, sentences: &[Rich]) -> usize {
        let Some(lexicon) = self.lexicon() else { return 0 };
        let question = sentences[0].plain();
        if !points::is_question(question) {
            return 0;
        }
        let asks = Tokens::of(question);
        // `What happens when? To begin with, …` leads to steps, which have a heading of their own.
        if sentences
            .get(1)
            .is_some_and(|next| matches!(sequence::rank(next.plain(), lexicon), Some((Rank::First, _))))
        {
            return 1;
        }
        let is_asked = asks.len() >= LEAST_QUESTION
            && (lexicon.grammar.asks.has(asks.word(0))
                || lexicon.grammar.asks_within && lexicon.grammar.asks.in_text(&asks)
                || self.mode == Mode::Questions
                || question.trim_start().starts_with('¿')
                || lexicon.grammar.we.in_text(&asks)
                || sentences[1..].iter().any(|sentence| points::is_question(sentence.plain()))
                || sentences.get(1).is_some_and(|answer| is_yes_or_no(answer.plain())));
        if !is_asked {
            return 0;
        }
        let rest = &sentences[1..];
        let until =
            rest.iter().position(|sentence| points::is_question(sentence.plain())).unwrap_or(rest.len());
        let count = until.min(MOST_ANSWER);
        // An answer leans on its question; what stands behind it may be something else.
        let answer = rest[..count]
            .iter()
            .enumerate()
            .take_while(|(at, sentence)| {
                *at == 0
                    || self.mode == Mode::Questions
                    || until < rest.len()
                    || leans(sentence.plain(), lexicon)
            })
            .count();
        if answer == 0 {
            return 0;
        }
        self.answer(question, &rest[..answer]);
        1 + answer
    }

    /// Steps at the beginning of these sentences; how many sentences that is.
    fn sequence(&mut self, sentences: &[Rich]) -> usize {
        let Some(lexicon) = self.lexicon() else { return 0 };
        let first = sentences[0].plain();
        if let Some((lead, steps)) = sequence::numbered(first) {
            if lead.split_whitespace().count() > 3 && !lead.ends_with(':') {
                self.sentence(Rich::of(&lead));
            }
            self.push(Piece::Steps(steps.into_iter().map(|step| (step, Rich::default())).collect()));
            return 1;
        }
        let mut steps: Vec<(String, Rich)> = sequence::within(first, lexicon)
            .into_iter()
            .flatten()
            .map(|step| (step, Rich::default()))
            .collect();
        if steps.is_empty() && matches!(sequence::rank(first, lexicon), Some((Rank::First, _))) {
            steps.push((sequence::step(first, lexicon), Rich::default()));
        }
        if steps.is_empty() {
            return 0;
        }
        let mut taken = 1;
        let mut pending: Vec<Rich> = Vec::new();
        for sentence in &sentences[1..] {
            match sequence::rank(sentence.plain(), lexicon) {
                Some((Rank::First, _)) => break,
                Some((rank, _)) => {
                    if let Some((_, more)) = steps.last_mut() {
                        *more = Rich::joined(
                            std::iter::once(&*more).filter(|text| !text.is_blank()).chain(&pending),
                        );
                    }
                    taken += pending.len() + 1;
                    pending.clear();
                    steps.push((sequence::step(sentence.plain(), lexicon), Rich::default()));
                    if rank == Rank::Last {
                        break;
                    }
                }
                // A sentence between two steps tells more about the first of them.
                None if pending.len() < 2 => pending.push(sentence.clone()),
                None => break,
            }
        }
        if steps.len() < 2 {
            return 0;
        }
        self.push(Piece::Steps(steps));
        taken
    }
}

/// Whether an answer begins with yes or no.
fn is_yes_or_no(answer: &str) -> bool {
    const WORDS: [&str; 17] = [
        "yes", "no", "ja", "nein", "oui", "non", "sí", "si", "sim", "não", "sì", "nee", "tak", "nie", "evet",
        "hayır", "hayir",
    ];
    let first = answer.split([',', '.', ' ', '!', ':', ';']).next().unwrap_or_default();
    WORDS.contains(&tidy::folded(first).as_str())
}

/// Whether a sentence leans on the one before.
fn leans(sentence: &str, lexicon: &Lexicon) -> bool {
    lexicon.grammar.leans.begins(&Tokens::of(sentence)).is_some()
}

/// Whether a sentence has a word that denies.
fn refuses(tokens: &Tokens) -> bool {
    const NOT: [&str; 14] = [
        "not", "don't", "dont", "never", "nicht", "kein", "keine", "pas", "no", "não", "non", "niet", "inte",
        "nie",
    ];
    tokens.iter().any(|word| NOT.contains(&word))
}
