//! Running text: quotations, questions with answers, sequences of steps, and sentences of a kind each.

use super::indirect::{self, Indirect};
use super::sequence::{self, Rank};
use super::{Classifier, Mode, quotation};
use crate::fate::{self, Fate};
use crate::instructions;
use crate::kind::{self, Kind};
use crate::lexicon::Lexicon;
use crate::material::{ChapterPiece, Fact};
use crate::rich::Rich;
use crate::sentence::is_question;
use crate::sentence_model::{self, clauses};
use crate::stance::label::{self, Label};
use crate::stance::{self, confidential};
use crate::tidy;
use crate::words::Tokens;

mod divide;

use divide::{at_but, facts_of, parts, takes_back};

/// The most sentences of an answer to a question in running text.
const MOST_ANSWER: usize = 4;
/// The most words of a sentence of which a clause may mean all the rest.
const MOST_MEANT: usize = 45;
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
                return self.sentences(&Rich::of(line.plain()).sentences());
            }
            return self.sentences(&line.sentences());
        }
        let mut from = 0;
        for quotation in found {
            let before = Rich::of(line.plain()[from..quotation.start].trim_matches([' ', ',']));
            self.sentences(&before.sentences());
            let words = quotation.testimonial.quote.as_str();
            if stance::is_copy(words) && !self.reader.is_named_in(&quotation.testimonial.author) {
                self.reading.material.quotations.push(quotation.testimonial);
            }
            from = quotation.end;
        }
        self.sentences(&Rich::of(line.plain()[from..].trim()).sentences());
    }

    pub(super) fn sentences(&mut self, sentences: &[Rich]) {
        let mut kept: Vec<Rich> = Vec::new();
        let mut after_note = false;
        let mut at = 0;
        while let Some(sentence) = sentences.get(at) {
            let plain = sentence.plain();
            at += 1;
            if !tidy::says_something(plain) {
                continue;
            }
            let answer = self.told_question(plain, &sentences[at..]);
            if let Some(answer) = answer {
                at += answer;
                after_note = false;
                continue;
            }
            let judged = self.fate(plain, after_note);
            after_note = judged == Fate::Note;
            let is_order = judged == Fate::Instruction;
            let is_taken_back = is_order
                && (label::withholds(plain)
                    || self.lexicon().is_some_and(|lexicon| fate::is_taken_back(plain, lexicon)));
            if is_order && !is_taken_back && takes_back(plain) && !confidential::is_aside(plain) {
                self.take_back(&mut kept);
            }
            // A note that says what to stress is obeyed as a whole.
            if (is_order || after_note && self.stressed(plain).is_none())
                && !is_taken_back
                && let Some(parts) = self.told_parts(plain)
            {
                let is_list = self.is_one_liner;
                let facts = |part: Rich| if is_list { facts_of(&part) } else { vec![part] };
                kept.extend(parts.into_iter().flat_map(facts));
                continue;
            }
            match judged {
                Fate::Fact => {
                    kept.extend(if self.is_one_liner { facts_of(sentence) } else { parts(sentence) });
                }
                Fate::Note => self.note_and_fact(plain),
                Fate::Instruction => self.order(sentence),
                Fate::Injection => {}
            }
        }
        self.facts(&kept);
    }

    /// The parts of a sentence for the writer that are for visitors, if it has any; the writer takes the others.
    fn told_parts(&mut self, sentence: &str) -> Option<Vec<Rich>> {
        if stance::is_whole(sentence) {
            return None;
        }
        if let Some((told, order)) = self.before_order(sentence) {
            let told = Rich::of(told);
            self.instruction(&Rich::of(order));
            return Some(vec![told]);
        }
        let parts = sentence_model::parts(sentence, self.language)?;
        if !parts.iter().any(|(is_told, part)| *is_told && self.is_fact(part)) {
            return None;
        }
        let is_all = |(is_told, part): &(bool, String)| {
            if *is_told { clauses::is_remnant(part) } else { clauses::means_the_rest(part) }
        };
        if clauses::words(sentence) <= MOST_MEANT && parts.iter().any(is_all) {
            return None;
        }
        // A part that is not understood without the others is not told for them.
        let dangles = |part: &str| clauses::dangles(part, sentence, self.lexicon());
        if parts.iter().skip(1).any(|(is_told, part)| *is_told && dangles(part)) {
            return None;
        }
        let mut told = Vec::new();
        for (is_told, part) in parts {
            match self.fate(&part, false) {
                Fate::Fact if is_told => told.push(Rich::of(&part)),
                Fate::Instruction => self.instruction(&Rich::of(&part)),
                Fate::Injection => {}
                _ => self.note(&part),
            }
        }
        Some(told)
    }

    /// What is before an order that no mark divides from it: `Book on 0117 496 0000 pls make it look nice`.
    fn before_order<'s>(&self, sentence: &'s str) -> Option<(&'s str, &'s str)> {
        const LEAST_TOLD: usize = 3;
        const LEAST_ORDER: usize = 3;
        let orders = &self.lexicon()?.instructions;
        let tokens = Tokens::of(sentence);
        let begins =
            |at: &usize| orders.polite.at(&tokens, *at).is_some() || orders.meta.at(&tokens, *at).is_some();
        let at = (LEAST_TOLD..tokens.len().saturating_sub(LEAST_ORDER - 1)).find(begins)?;
        let told = sentence[..tokens.start(at)].trim_end_matches([' ', ',', '-', '–', '—', ';', ':']);
        let order = &sentence[tokens.start(at)..];
        // `Here is the text for the page` goes on.
        let (last, lexicon) = (tokens.word(at - 1), self.lexicon()?);
        if lexicon.kinds.empty.has(last)
            || lexicon.grammar.articles.has(last)
            || lexicon.grammar.boundaries.has(last)
        {
            return None;
        }
        // Most of what is before such a word only leads to it.
        let is_divided = kind::kind(told, self.lexicon()) != Kind::Feature
            && self.is_fact(told)
            && self.fate(order, false) == Fate::Instruction;
        is_divided.then_some((told, order))
    }

    /// What is said to the writer, and perhaps is about the list or the quotation that follows.
    fn order(&mut self, sentence: &Rich) {
        let plain = sentence.plain();
        self.skips_list = plain.ends_with([':', '：']);
        self.refuses = self.skips_list && refuses(&Tokens::of(plain));
        self.instruction(sentence);
    }

    /// The note and the fact of a sentence that asks to stress one.
    fn stressed<'s>(&self, sentence: &'s str) -> Option<(&'s str, String)> {
        let found = instructions::stressed_fact(sentence, self.lexicon()?);
        found.filter(|(_, fact)| self.is_fact(fact))
    }

    /// Notes a sentence, without the fact that it asks to stress.
    fn note_and_fact(&mut self, sentence: &str) {
        match self.stressed(sentence) {
            Some((note, fact)) => {
                self.note(note);
                let fact = Fact { is_stressed: true, ..self.fact(Rich::of(&fact)) };
                self.push(ChapterPiece::Facts(vec![fact]));
            }
            None => self.note(sentence),
        }
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
            return self.push(ChapterPiece::Names(names));
        }
        let kind = kind::kind_of(sentence.plain(), &tokens, self.lexicon());
        self.push(ChapterPiece::Facts(vec![Fact {
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
            self.reading.instructions.keep(taken);
            kept.extend((!told.is_empty()).then(|| Rich::of(told)));
        }
    }

    /// A question of running text with its answer; how many sentences that is.
    fn question(&mut self, sentences: &[Rich]) -> usize {
        let Some(lexicon) = self.lexicon() else { return 0 };
        let question = sentences[0].plain();
        if !is_question(question) {
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
                || sentences[1..].iter().any(|sentence| is_question(sentence.plain()))
                || sentences.get(1).is_some_and(|answer| is_yes_or_no(answer.plain())));
        if !is_asked {
            return 0;
        }
        let rest = &sentences[1..];
        let until = rest.iter().position(|sentence| is_question(sentence.plain())).unwrap_or(rest.len());
        let count = until.min(MOST_ANSWER);
        // An answer leans on its question; what is behind it may be something else.
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

    /// A question that somebody asks as a sentence tells, with its answer there or in these; how many of them that takes.
    fn told_question(&mut self, sentence: &str, rest: &[Rich]) -> Option<usize> {
        let Indirect { question, answer } = indirect::read(sentence, self.language.tag)?;
        let is_told = stance::is_copy(sentence)
            && !stance::is_whole(sentence)
            && !self.reader.is_named_in(sentence)
            && !confidential::is_trouble(sentence, self.language.tag, &self.trades);
        if !is_told {
            return None;
        }
        let is_answer = |answer: &Rich| !is_question(answer.plain()) && self.is_fact(answer.plain());
        let (answers, count) = if answer.is_empty() {
            let leans = |answer: &&Rich| self.lexicon().is_some_and(|lexicon| leans(answer.plain(), lexicon));
            let more = rest
                .iter()
                .skip(1)
                .take(MOST_ANSWER - 1)
                .take_while(|answer| leans(answer) && is_answer(answer));
            let count = 1 + more.count();
            (rest.get(..count)?.to_vec(), count)
        } else {
            (vec![Rich::of(&answer)], 0)
        };
        // What takes back the answer takes back the question.
        let next = rest.get(count).filter(|next| takes_back(next.plain()) && !self.is_fact(next.plain()));
        if let Some(order) = next {
            for taken in std::iter::once(sentence).chain(rest[..count].iter().map(Rich::plain)) {
                self.note(taken);
                self.reading.instructions.keep(taken);
            }
            self.order(order);
            return Some(count + 1);
        }
        if !answers.iter().all(is_answer) {
            return None;
        }
        self.answer(&question, &answers);
        Some(count)
    }

    /// Steps at the beginning of these sentences; how many sentences that is.
    fn sequence(&mut self, sentences: &[Rich]) -> usize {
        let Some(lexicon) = self.lexicon() else { return 0 };
        let first = sentences[0].plain();
        if let Some((lead, steps)) = sequence::numbered(first) {
            if lead.split_whitespace().count() > 3 && !lead.ends_with(':') {
                self.sentence(Rich::of(&lead));
            }
            self.push(ChapterPiece::Steps(steps.into_iter().map(|step| (step, Rich::default())).collect()));
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
        self.push(ChapterPiece::Steps(steps));
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
