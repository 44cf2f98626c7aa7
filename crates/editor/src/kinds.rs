//! Which block or item a phrase means, by its kind and by words of its own text.

use pagesmith_model::content::component::Component;

use crate::language::{self, Language};
use crate::listing;
use crate::qualifiers::{Qualifiers, nth};
use crate::resolve::{Resolved, Resolver, one_of};
use crate::thing::{Thing, item_title, items, kind, texts, title_field};
use crate::token::{Kind, Token, fold, words};

impl Resolver<'_> {
    /// The words of a phrase that say which of several things is meant.
    pub(crate) fn qualifiers(&self, tokens: &[&Token]) -> Qualifiers {
        let mut found = Qualifiers::default();
        let language = self.language;
        // `the section that mentions Lisbon`
        let tells = tokens.iter().any(|token| language.has("generic", token));
        // A quoted sentence is found by its words alone.
        let is_quoted = tokens.iter().any(|token| token.kind == Kind::Quote);
        for (at, token) in tokens.iter().enumerate() {
            let has_unit = tokens.get(at + 1).is_some_and(|next| matches!(next.text.as_str(), "%" | "€"));
            match token.kind {
                Kind::Word if has_unit => found.words.push(token.text.clone()),
                Kind::Quote => found.quotes.push(fold(&token.text)),
                Kind::Mark => {}
                Kind::Word => {
                    let word = &token.text;
                    let says_nothing = ["articles", "of", "about", "generic", "number-words"];
                    let is_quiet = says_nothing.iter().any(|list| language.is(list, word))
                        || (is_quoted && language.is("sentences", word));
                    if is_quiet || (tells && language.is("telling", word)) {
                        continue;
                    }
                    let is_one_about = tokens.get(at + 1).is_some_and(|next| self.is_one_about(token, next));
                    match language.ordinal(word) {
                        _ if is_one_about => {}
                        Some(number) if found.ordinal.is_none() => found.ordinal = Some(number),
                        // `the second one`
                        _ if found.ordinal.is_some() && language.is("ones", word) => {}
                        _ => found.words.push(word.clone()),
                    }
                }
            }
        }
        found
    }

    pub(crate) fn block_of_kind(&self, wanted: &str, qualifiers: &Qualifiers) -> Resolved {
        let is_there = |kind_of: &str| {
            self.document.content.blocks.iter().any(|block| kind(&crate::document::json(block)) == kind_of)
        };
        // A frame holds text as well.
        let is_any_text = wanted == "text" && !qualifiers.says_words() && !is_there("text");
        let wanted = if is_any_text { "frame" } else { wanted };
        let blocks: Vec<(String, serde_json::Value)> = self
            .document
            .content
            .blocks
            .iter()
            .map(|block| (block.block_id().unwrap_or_default().to_owned(), crate::document::json(block)))
            .filter(|(_, value)| kind(value) == wanted)
            .collect();
        if blocks.is_empty() {
            return Resolved::Absent;
        }
        let titled: Vec<Thing> = blocks
            .iter()
            .filter(|(_, value)| {
                let title = title_field(wanted).and_then(|field| value[field].as_str()).unwrap_or_default();
                qualifiers.fit(title)
            })
            .map(|(id, _)| Thing::Block(id.clone()))
            .collect();
        // The comparison with somebody is not a column of it.
        let is_one_thing = !matches!(
            wanted,
            "frame-list"
                | "feature-cards"
                | "testimonial-carousel"
                | "stats-cards"
                | "logo-marquee"
                | "threads"
        );
        if qualifiers.says_words() && titled.is_empty() && is_one_thing && qualifiers.ordinal.is_none() {
            let mut telling = self.blocks_that_tell(qualifiers);
            telling.retain(|thing| blocks.iter().any(|(id, _)| thing.block() == Some(id)));
            if !telling.is_empty() {
                return one_of(self.in_selection(telling));
            }
        }
        if qualifiers.says_words() && titled.is_empty() {
            // `the questions about prices` are some of the questions.
            let things = self.whole_of(self.items_that_fit(wanted, qualifiers));
            return match (things.is_empty(), qualifiers.ordinal) {
                (true, _) => Resolved::Absent,
                (false, None) => Resolved::These(things),
                (false, Some(_)) => Resolved::Unknown,
            };
        }
        match qualifiers.ordinal {
            Some(number) => match nth(number, titled.len()).and_then(|index| titled.into_iter().nth(index)) {
                Some(thing) if blocks.len() > 1 || number == 1 || number == -1 => {
                    Resolved::These(vec![thing])
                }
                _ => Resolved::Absent,
            },
            None => one_of(self.in_selection(titled)),
        }
    }

    /// The block of which something is said that holds for all of its items, in their place: `the quotes of patients`.
    fn whole_of(&self, things: Vec<Thing>) -> Vec<Thing> {
        let Some(block) = things.first().and_then(Thing::block).map(ToOwned::to_owned) else { return things };
        let is_of_it = |thing: &Thing| matches!(thing, Thing::Item { block: of, .. } if *of == block);
        let count = items(&self.document.value(&block)).len();
        if count > 1 && things.len() == count && things.iter().all(is_of_it) {
            return vec![Thing::Block(block)];
        }
        things
    }

    /// Those in the selected block, if there is one of them.
    pub(crate) fn in_selection(&self, things: Vec<Thing>) -> Vec<Thing> {
        let Some(selection) = self.selection else { return things };
        let inside: Vec<Thing> =
            things.iter().filter(|thing| thing.block() == Some(&selection.block_id)).cloned().collect();
        if inside.is_empty() { things } else { inside }
    }

    pub(crate) fn item_of_kind(&self, wanted: &str, qualifiers: &Qualifiers) -> Resolved {
        let things = self.items_that_fit(wanted, qualifiers);
        let things = self.in_selection(things);
        match qualifiers.ordinal {
            Some(number) => {
                let mut by_block: Vec<&str> = things.iter().filter_map(Thing::block).collect();
                by_block.dedup();
                let chosen: Vec<Thing> = by_block
                    .iter()
                    .filter_map(|block| {
                        let of_block: Vec<&Thing> =
                            things.iter().filter(|thing| thing.block() == Some(*block)).collect();
                        nth(number, of_block.len())
                            .and_then(|index| of_block.get(index).map(|thing| (*thing).clone()))
                    })
                    .collect();
                one_of(chosen)
            }
            None => one_of(things),
        }
    }

    pub(crate) fn items_that_fit(&self, wanted: &str, qualifiers: &Qualifiers) -> Vec<Thing> {
        let mut exact = Vec::new();
        let mut titled = Vec::new();
        let mut told = Vec::new();
        for block in &self.document.content.blocks {
            let value = crate::document::json(block);
            // The figure of an opening is a figure as well.
            let is_of_the_opening = || {
                let of_it = qualifiers.without(|word| self.language.is("tops", word));
                let figure = value.get("figure");
                qualifiers.says_words() && figure.is_some_and(|figure| of_it.fit(&listing::text_of(figure)))
            };
            if wanted == "stats-cards" && kind(&value) == "hero" && is_of_the_opening() {
                let block = block.block_id().unwrap_or_default().to_owned();
                told.push(Thing::Part { block, path: "/figure".to_owned() });
            }
            if kind(&value) != wanted {
                continue;
            }
            for (index, item) in items(&value).iter().enumerate() {
                let thing = Thing::Item { block: block.block_id().unwrap_or_default().to_owned(), index };
                let title = item_title(&value, item);
                if qualifiers.says_words() && qualifiers.is_whole(&title) {
                    exact.push(thing);
                } else if qualifiers.fit(&title) {
                    titled.push(thing);
                } else if qualifiers.fit(&listing::text_of(item)) {
                    told.push(thing);
                }
            }
        }
        [exact, titled, told].into_iter().find(|things| !things.is_empty()).unwrap_or_default()
    }

    /// A thing by words of its title alone.
    pub(crate) fn by_words(&self, qualifiers: &Qualifiers, tokens: &[Token]) -> Resolved {
        let titled = self.titled(tokens);
        if !titled.is_empty() {
            return one_of(self.in_selection(titled));
        }
        let is_section = tokens.iter().any(|token| self.language.is("generic", &token.text))
            || tokens.windows(2).any(|pair| self.is_one_about(&pair[0], &pair[1]));
        if !qualifiers.says_words() {
            let names_one = tokens.iter().any(|token| self.language.has("sections", token));
            return match qualifiers.ordinal {
                Some(number) => self.section_by_number(number, is_section),
                // `the section` can be any.
                None if names_one => one_of(self.in_selection(self.sections())),
                None => Resolved::Unknown,
            };
        }
        // `the answer` is no section that has the word in its heading, in whatever language it is said.
        let names_part = |language: &Language| {
            let mut phrases = language.table("parts").iter().flat_map(|(_, phrases)| phrases);
            phrases.any(|phrase| *phrase == qualifiers.words)
        };
        let is_part = qualifiers.quotes.is_empty() && language::ordered("", None).into_iter().any(names_part);
        let mut exact = Vec::new();
        let mut titled = Vec::new();
        let mut item_titled = Vec::new();
        for block in &self.document.content.blocks {
            let value = crate::document::json(block);
            let id = block.block_id().unwrap_or_default().to_owned();
            let title = title_field(kind(&value)).and_then(|field| value[field].as_str()).unwrap_or_default();
            if qualifiers.is_whole(title) {
                exact.push(Thing::Block(id.clone()));
            } else if qualifiers.fit(title) {
                titled.push(Thing::Block(id.clone()));
            }
            for (index, item) in items(&value).iter().enumerate() {
                let title = item_title(&value, item);
                let thing = Thing::Item { block: id.clone(), index };
                if qualifiers.is_whole(&title) {
                    exact.push(thing);
                } else if qualifiers.fit(&title) {
                    item_titled.push(thing);
                }
            }
        }
        if is_part {
            titled.clear();
            item_titled.clear();
        }
        // `the office box` can be a section as well as a card.
        if titled.is_empty() || !is_section {
            titled.append(&mut item_titled);
        }
        let things = if exact.is_empty() { titled } else { exact };
        if things.is_empty() {
            // `the bit about Lisbon` need not be about it in its heading.
            if is_section && qualifiers.quotes.is_empty() {
                let telling = self.blocks_that_tell(qualifiers);
                if !telling.is_empty() {
                    return one_of(self.in_selection(telling));
                }
            }
            return match (qualifiers.quotes.as_slice(), self.texts_with(qualifiers).as_slice()) {
                (_, [one]) => Resolved::These(vec![one.clone()]),
                (_, several @ [_, ..]) => Resolved::OneOf(several.to_vec()),
                ([], []) => Resolved::Unknown,
                (_, []) => Resolved::Absent,
            };
        }
        match qualifiers.ordinal {
            Some(_) => Resolved::Unknown,
            None => one_of(self.in_selection(things)),
        }
    }

    /// `the one about prices`
    fn is_one_about(&self, one: &Token, about: &Token) -> bool {
        self.language.has("ones", one) && self.language.has("about", about)
    }

    /// The blocks that are called just so, though it be a word for any: `Part A`.
    fn titled(&self, tokens: &[Token]) -> Vec<Thing> {
        if !tokens.iter().any(|token| self.language.has("sections", token)) {
            return vec![];
        }
        let spoken: Vec<&String> = tokens.iter().map(|token| &token.text).collect();
        let is_called_so = |block: &&Component| {
            let value = crate::document::json(block);
            let title = title_field(kind(&value)).and_then(|field| value[field].as_str());
            title.is_some_and(|title| words(title).iter().eq(spoken.iter().copied()))
        };
        let called = self.document.content.blocks.iter().filter(is_called_so);
        called.filter_map(|block| block.block_id()).map(|id| Thing::Block(id.to_owned())).collect()
    }

    /// Of several blocks the one that is called just so, if there is one: `Features` rather than other cards.
    pub(crate) fn called_just_so(&self, candidates: Vec<Thing>, tokens: &[Token]) -> Vec<Thing> {
        let spoken: Vec<&String> = tokens.iter().map(|token| &token.text).collect();
        let is_called_so = |thing: &&Thing| {
            let Thing::Block(id) = thing else { return false };
            let value = self.document.value(id);
            let title = title_field(kind(&value)).and_then(|field| value[field].as_str());
            title.is_some_and(|title| words(title).iter().eq(spoken.iter().copied()))
        };
        let called: Vec<Thing> = candidates.iter().filter(is_called_so).cloned().collect();
        if called.len() == 1 { called } else { candidates }
    }

    /// The texts that are a quotation, else the places in them where it stands.
    pub(crate) fn texts_with(&self, qualifiers: &Qualifiers) -> Vec<Thing> {
        let [quote] = qualifiers.quotes.as_slice() else { return vec![] };
        // `the "Spring release" thing over the headline`, but not `the answer to "Can I cancel?"`
        let is_place = |word: &String| {
            ["below", "above", "tops", "ends"].iter().any(|list| self.language.is(list, word))
        };
        let words = &qualifiers.words;
        let says_only_where = words.is_empty()
            || (words.iter().any(is_place)
                && words.iter().all(|word| is_place(word) || self.language.is_noun(word)));
        if !says_only_where || quote.is_empty() {
            return vec![];
        }
        let (mut whole, mut within) = (Vec::new(), Vec::new());
        for element in &self.document.content.blocks {
            let block = element.block_id().unwrap_or_default().to_owned();
            for (path, text) in texts(element) {
                let folded = fold(&text);
                if folded == *quote {
                    whole.push(Thing::Part { block: block.clone(), path });
                } else if let Some(words) = as_written(&text, quote) {
                    within.push(Thing::Words { block: block.clone(), path, words });
                }
            }
        }
        if whole.is_empty() { within } else { whole }
    }

    /// The blocks of which any text has the words of a phrase.
    fn blocks_that_tell(&self, qualifiers: &Qualifiers) -> Vec<Thing> {
        let blocks = self.document.content.blocks.iter();
        let telling = blocks.filter(|block| texts(block).iter().any(|(_, text)| qualifiers.fit(text)));
        telling.filter_map(|block| block.block_id()).map(|id| Thing::Block(id.to_owned())).collect()
    }

    /// `the second one`, of the list that is selected or was spoken of.
    fn item_by_number(&self, number: i64) -> Resolved {
        let block = match (self.selection, self.last) {
            (Some(selection), _) => Some(selection.block_id.as_str()),
            (None, last) => last.and_then(Thing::block),
        };
        let item = block.and_then(|block| {
            let index = nth(number, items(&self.document.value(block)).len())?;
            Some(Thing::Item { block: block.to_owned(), index })
        });
        item.map_or(Resolved::OneOf(vec![]), |item| Resolved::These(vec![item]))
    }

    fn sections(&self) -> Vec<Thing> {
        let blocks = self.document.content.blocks.iter();
        blocks.filter_map(|block| block.block_id()).map(|id| Thing::Block(id.to_owned())).collect()
    }

    /// `the last section`, `the second block`.
    fn section_by_number(&self, number: i64, is_section: bool) -> Resolved {
        if !is_section {
            return self.item_by_number(number);
        }
        let all = self.sections();
        let thing = |index: usize| all.get(index).cloned();
        let first = all.first().and_then(Thing::block);
        let opens = first.is_some_and(|id| kind(&self.document.value(id)) == "hero");
        match nth(number, all.len()).and_then(thing) {
            None => Resolved::Absent,
            Some(thing) if number < 0 || !opens => Resolved::These(vec![thing]),
            // Does the opening count?
            Some(one) => {
                let other = nth(number + 1, all.len()).and_then(thing);
                Resolved::OneOf([Some(one), other].into_iter().flatten().collect())
            }
        }
    }
}

/// The words of a text that are these when they are folded.
fn as_written(text: &str, folded: &str) -> Option<String> {
    let mut all = String::with_capacity(text.len());
    // Where each character begins, in the text and in what it folds to.
    let mut starts = Vec::new();
    for (at, char) in text.char_indices() {
        starts.push((all.len(), at));
        all.push_str(&fold(char.encode_utf8(&mut [0; 4])));
    }
    starts.push((all.len(), text.len()));
    let of_text = |place: usize| starts.iter().find(|(folded, _)| *folded == place).map(|(_, at)| *at);
    let start = all.find(folded)?;
    text.get(of_text(start)?..of_text(start + folded.len())?).map(ToOwned::to_owned)
}
