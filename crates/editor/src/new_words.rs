//! New words for something on the page: whether words are meant so, and which of its texts they are for.

use crate::act::Call;
use crate::reference::MOST_OF_A_NAME;
use crate::thing::{Thing, kind, list, text_field};
use crate::token::{Token, starts_with, words};

impl Call<'_> {
    /// Whether words without quotation marks are those that are to be there, and do not tell what these are like: `bigger`, `something catchier`,
    /// `what we do`, `Spanish`, `the other card`.
    pub(crate) fn are_new_words(&self, value: &str, thing: &Thing) -> bool {
        const FEW: usize = 2;
        let words = words(value);
        let is_vague = words.first().is_some_and(|word| self.language.is("vague", word));
        // Keywords are words of the page.
        let is_on_the_page = || self.is_on_the_page("value");
        let tells = value.starts_with(char::is_lowercase)
            && (is_vague || words.len() <= FEW || (is_on_the_page() && !matches!(thing, Thing::Head(_))));
        let is_language = matches!(words.as_slice(), [one] if self.language.is("languages", one));
        let says_what_it_is = self.tokens.iter().any(|token| self.language.has("being", token));
        !(tells || is_language || (says_what_it_is && words.len() == 1))
    }

    /// Whether words begin with the name of something on the page: `the headline as long` of `make the headline as long as the subtitle`.
    pub(crate) fn is_on_the_page(&self, slot: &str) -> bool {
        let tokens = self.slot(slot).unwrap_or_default();
        let is_named =
            |count: usize| tokens.get(..count).is_some_and(|name| self.find(name).is_on_the_page());
        let has_article = tokens.first().is_some_and(|first| self.language.has("articles", first));
        is_named(tokens.len()) || (has_article && (2..=MOST_OF_A_NAME.min(tokens.len())).any(is_named))
    }

    /// What somebody said, where it is called a quotation: by a name alone the person is meant.
    pub(crate) fn quotation(&self, thing: Thing) -> Thing {
        const KIND: &str = "testimonial-carousel";
        let Thing::Item { block, index } = &thing else { return thing };
        let tokens = self.slot("target").unwrap_or_default();
        let mut nouns = self.language.table("items").iter().filter(|(kind, _)| kind == KIND);
        let is_said = nouns.any(|(_, phrases)| {
            phrases.iter().any(|phrase| (0..tokens.len()).any(|at| starts_with(&tokens[at..], phrase)))
        });
        match list(KIND) {
            Some(list) if is_said && kind(&self.clause.document.value(block)) == KIND => {
                let path = format!("/{}/{index}/{}", list.field, list.text);
                Thing::Part { block: block.clone(), path }
            }
            _ => thing,
        }
    }

    /// The running text of a block that is named by it, where no name is given: `change the text to`, but not `rename the text section to`.
    pub(crate) fn running_text(&self, thing: Thing) -> Thing {
        let Thing::Block(block) = &thing else { return thing };
        let tokens = self.slot("target").unwrap_or_default();
        let has = |list: &str, token: &Token| self.language.has(list, token);
        let is_section = |at: usize| tokens.get(at).is_some_and(|next| has("generic", next));
        let mut named = tokens.iter().enumerate().filter(|(_, token)| has("running-text", token));
        let names_the_text = named.any(|(at, _)| !is_section(at + 1));
        let new =
            self.slots.iter().find(|(slot, ..)| slot == "value").map_or(0..0, |(_, from, to)| *from..*to);
        let mut others = self.tokens.iter().enumerate().filter(|(at, _)| !new.contains(at));
        if !names_the_text || others.any(|(_, token)| has("naming", token)) {
            return thing;
        }
        match text_field(kind(&self.clause.document.value(block))) {
            Some(field) => Thing::Part { block: block.clone(), path: format!("/{field}") },
            None => thing,
        }
    }
}
