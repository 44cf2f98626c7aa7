//! What becomes of each sentence of a context: rules about its words, then the model.

use super::{Classifier, sequence};
use crate::fate::{self, Fate, Sentence};
use crate::sentence::is_question;
use crate::stance::{Stance, confidential, floor};
use crate::words::{Tokens, hash};
use crate::{language, sentence_model};

impl Classifier<'_> {
    /// What becomes of a sentence.
    pub(super) fn fate(&self, sentence: &str, after_note: bool) -> Fate {
        // Lines, their sentences and what comes before and behind these are judged, so most sentences are judged several times.
        let key = hash(sentence);
        let known = self.judged.borrow().get(&key).and_then(|fates| fates[usize::from(after_note)]);
        known.unwrap_or_else(|| {
            let fate = self.judge(sentence, after_note);
            self.judged.borrow_mut().entry(key).or_default()[usize::from(after_note)] = Some(fate);
            fate
        })
    }

    fn judge(&self, text: &str, after_note: bool) -> Fate {
        let sentence = Sentence::of(text);
        match self.by_rules(&sentence, after_note) {
            Fate::Note | Fate::Instruction
                if (sentence.stance == Stance::Copy
                    || self.lexicon().is_some_and(|lexicon| sequence::has_several(text, lexicon)))
                    && sentence_model::is_certain(text, &sentence.tokens, self.language) =>
            {
                Fate::Fact
            }
            fate => fate,
        }
    }

    /// The same by rules alone.
    pub(super) fn by_rules(&self, sentence: &Sentence<'_>, after_note: bool) -> Fate {
        let Sentence { text, tokens, .. } = sentence;
        // Who writes to a colleague often does so in another language than the page's.
        match language::foreign(text, tokens, self.language) {
            Some(other) => match fate::fate_of(sentence, after_note, self.reader, other.lexicon) {
                Fate::Fact => Fate::Note,
                judged => judged,
            },
            None if fate::is_foreign_order(tokens, self.lexicon())
                || self.is_remark(text, tokens)
                || self.is_to_friend(tokens)
                || floor::is_floor(text)
                || confidential::is_trouble(text, self.language.tag, &self.trades) =>
            {
                Fate::Instruction
            }
            None => fate::fate_of(sentence, after_note, self.reader, self.lexicon()),
        }
    }

    /// Whether one person says it where the company speaks as `we`.
    fn is_remark(&self, sentence: &str, tokens: &Tokens) -> bool {
        !self.is_one_person
            && !is_question(sentence)
            && self.lexicon().is_some_and(|lexicon| lexicon.grammar.i.in_text(tokens))
    }

    /// Whether a sentence calls somebody `du` where visitors are called `Sie`.
    fn is_to_friend(&self, tokens: &Tokens) -> bool {
        self.is_polite && self.lexicon().is_some_and(|lexicon| lexicon.grammar.familiar.in_text(tokens))
    }

    /// Whether visitors may read a sentence.
    pub(super) fn is_fact(&self, sentence: &str) -> bool {
        self.fate(sentence, false) == Fate::Fact
    }
}
