//! What becomes of each sentence of a context: rules about its words, then the model.

use super::{Classifier, sequence};
use crate::fate::{self, Fate};
use crate::sentence::is_question;
use crate::stance::confidential;
use crate::words::{Tokens, hash};
use crate::{language, sentence_model, stance};

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

    fn judge(&self, sentence: &str, after_note: bool) -> Fate {
        match self.by_rules(sentence, after_note) {
            Fate::Note | Fate::Instruction
                if (stance::is_copy(sentence)
                    || self.lexicon().is_some_and(|lexicon| sequence::has_several(sentence, lexicon)))
                    && sentence_model::is_certain(sentence, self.language) =>
            {
                Fate::Fact
            }
            fate => fate,
        }
    }

    /// The same by rules alone.
    pub(super) fn by_rules(&self, sentence: &str, after_note: bool) -> Fate {
        // Who writes to a colleague often does so in another language than the page's.
        let tokens = Tokens::of(sentence);
        match language::foreign(sentence, &tokens, self.language) {
            Some(other) => match fate::fate_of(sentence, &tokens, after_note, self.reader, other.lexicon) {
                Fate::Fact => Fate::Note,
                judged => judged,
            },
            None if fate::is_foreign_order(&tokens, self.lexicon())
                || self.is_remark(sentence, &tokens)
                || self.is_to_friend(&tokens)
                || confidential::is_trouble(sentence, self.language.tag, &self.trades) =>
            {
                Fate::Instruction
            }
            None => fate::fate_of(sentence, &tokens, after_note, self.reader, self.lexicon()),
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
