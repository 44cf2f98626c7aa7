//! Several changes in the words of one: `change the headline to Plan and the subtitle to Do`.

use crate::act::{Act, Call, Clause};
use crate::token::Token;

impl Call<'_> {
    /// What comes of a change whose new words go on with another one, told in the same way; nothing if they do not.
    pub(crate) fn several(
        &self,
        slot: &str,
        is_one: &dyn Fn(&[Token]) -> bool,
        with: &dyn Fn(&Call<'_>) -> Option<Act>,
    ) -> Option<Act> {
        let place = |name: &str| self.slots.iter().find(|(slot, ..)| slot == name);
        let ((_, from, to), (_, start, end)) = (place(slot)?, place("value")?);
        let joint = self.tokens.get(*to..*start).filter(|joint| !joint.is_empty())?;
        let is_joint = |at: usize| {
            let here = self.tokens.get(at..at + joint.len()).unwrap_or_default();
            here.len() == joint.len() && here.iter().zip(joint).all(|(one, other)| one.text == other.text)
        };
        let is_between = |at: &usize| self.tokens.get(*at).is_some_and(|one| self.language.has("lists", one));
        let (between, behind) = (start + 1..*end).filter(is_between).find_map(|at| {
            let is_end = |next: &usize| {
                next + joint.len() < *end
                    && is_joint(*next)
                    && self.tokens.get(at + 1..*next).is_some_and(is_one)
            };
            (at + 2..*end).find(is_end).map(|next| (at, next))
        })?;
        let slots = |old: (usize, usize), new: (usize, usize)| {
            vec![(slot.to_owned(), old.0, old.1), ("value".to_owned(), new.0, new.1)]
        };
        let first = slots((*from, *to), (*start, between));
        let second = slots((between + 1, behind), (behind + joint.len(), *end));
        Some(self.both([&first, &second], with).unwrap_or(Act::NotUnderstood))
    }

    /// One change and then the other.
    fn both(
        &self,
        [first, second]: [&crate::template::Slots; 2],
        with: &dyn Fn(&Call<'_>) -> Option<Act>,
    ) -> Option<Act> {
        let act = with(&Call { slots: first, ..*self })?;
        let Act::Done { mut operations, said, thing, anew } = act else { return Some(act) };
        let mut document = self.clause.document.clone();
        for operation in &operations {
            operation.apply(&mut document).ok()?;
        }
        let clause = Clause { document: &document, ..*self.clause };
        let act = with(&Call { clause: &clause, slots: second, ..*self })?;
        let Act::Done { operations: others, said: also, .. } = act else { return Some(act) };
        operations.extend(others);
        Some(Act::Done { operations, said: format!("{said} {also}"), thing, anew })
    }
}
