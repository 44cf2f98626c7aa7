//! Who a page is for: the notes about the audience.

use crate::act::{Act, Call};
use crate::operation::Operation;
use crate::resolve::Resolved;
use crate::thing::Thing;
use crate::token::{Kind, Token, tokens};

impl Call<'_> {
    pub(crate) fn set_context(&self, value: String) -> Act {
        let from = self.clause.document.context.clone();
        if from.as_ref() == Some(&value) {
            return self.refuse("same", &Thing::Context);
        }
        let said = self.say("context", &[("x", &value)]);
        let operations = vec![Operation::SetContext { from, to: Some(value) }];
        Act::Done { operations, said, thing: Some(Thing::Context), anew: true }
    }

    pub(crate) fn context(&self, adds: bool) -> Option<Act> {
        let (value, quoted) = self.value("value")?;
        if !adds {
            if !self.is_page_spoken_of() || (!quoted && !self.are_readers()) {
                return None;
            }
            let readers = if quoted { value } else { self.readers(value.trim_end_matches('?').to_owned())? };
            let known = self.clause.document.context.as_deref().filter(|_| self.says_further());
            let all = known.map(|known| format!("{}\n{readers}", known.trim_end()));
            return Some(self.set_context(all.unwrap_or(readers)));
        }
        let from = self.clause.document.context.clone();
        let to =
            from.as_deref().map_or_else(|| value.clone(), |text| format!("{}\n{value}", text.trim_end()));
        let said = self.say("context-added", &[("x", &value)]);
        Some(self.done(vec![Operation::SetContext { from, to: Some(to) }], said, Some(Thing::Context)))
    }

    /// Whether it is the page that is said to be for readers, and not a section.
    fn is_page_spoken_of(&self) -> bool {
        self.slot("page").is_none_or(|page| self.find(page) == Resolved::These(vec![Thing::Page]))
    }

    /// Whether words are readers: not `later`, not `my boss to review`, not `bored`, and not asked about (`CFOs, right?`).
    fn are_readers(&self) -> bool {
        let spoken = self.slot("value").unwrap_or_default();
        let is = |list: &str, token: &Token| self.language.has(list, token);
        let is_nobody = spoken.iter().all(|token| is("no-readers", token));
        let is_not = ["not-for", "not"].iter().any(|list| self.language.begins(list, spoken).is_some());
        let said =
            spoken.iter().position(|token| !is("particles", token) && !self.language.is_filler(&token.text));
        let (mood, behind) = (said.and_then(|at| spoken.get(at)), said.and_then(|at| spoken.get(at + 1)));
        let goes_on = |next: &Token| !["of", "about", "tails", "small"].iter().any(|list| is(list, next));
        let is_mood = mood.is_some_and(|mood| is("moods", mood)) && !behind.is_some_and(goes_on);
        // The question may go on behind what is understood of it.
        let end = spoken.last().map_or(0, |token| token.end);
        let rest = self.clause.message.get(end..).unwrap_or_default();
        let sign = rest.chars().find(|char| matches!(char, '.' | '!' | '?' | ';' | '\n'));
        let is_asked = sign == Some('?') && self.tokens.iter().any(|token| is("copulas", token));
        !(is_nobody || is_not || is_mood || is_asked)
    }

    /// Whether something is said to come beside what is there: `this is for engineers as well`.
    fn says_further(&self) -> bool {
        let start = self.tokens.first().map_or(0, |token| token.start);
        let said = self.clause.message.get(start..).unwrap_or_default();
        let sentence = said.split(['.', '!', '?', ';', '\n']).next().unwrap_or_default();
        self.language.first_of("further", &tokens(sentence)).is_some()
    }

    /// Who readers are, without what is said of who they are not.
    fn readers(&self, value: String) -> Option<String> {
        let whole = self.slot("value")?;
        let is_not = |at: &usize| {
            whole[*at - 1].kind == Kind::Mark && self.language.begins("not", &whole[*at..]).is_some()
        };
        let end = (1..whole.len()).find(is_not);
        let mut kept = crate::parse::without_ends(&whole[..end.unwrap_or(whole.len())], self.language);
        kept = crate::parse::without_last(kept, self.language.phrases("further"));
        while let [rest @ .., last] = kept
            && end.is_some()
            && self.language.is("particles", &last.text)
        {
            kept = rest;
        }
        if kept.len() == whole.len() { Some(value) } else { self.written(kept).map(ToOwned::to_owned) }
    }
}
