//! What a phrase names on a page.
//!
//! Every word of the phrase must be explained: as a kind of thing, an ordinal, a word that does not count, or a word of the thing's own
//! text. Invariant: nothing is guessed; several things that fit are told as several.

use crate::document::{Document, Selection};
use crate::language::{Language, Phrase};
use crate::operation::HeadField;
use crate::qualifiers::{Qualifiers, nth};
use crate::thing::{Thing, items, items_of, kind, list, text_field, title_field};
use crate::token::{Kind, Token};

/// The most letters of a noun that may be misspelt.
const MOST_OF_A_NOUN: usize = 30;

/// What a phrase names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Resolved {
    /// This, or all of these.
    These(Vec<Thing>),
    /// One of these, but which?
    OneOf(Vec<Thing>),
    /// Something that is not on the page.
    Absent,
    /// Nothing that is understood.
    Unknown,
}

impl Resolved {
    /// Whether a phrase names something on the page, though it may not say which.
    pub(crate) fn is_on_the_page(&self) -> bool {
        matches!(self, Resolved::These(_) | Resolved::OneOf(_))
    }
}

/// What a phrase is read in.
pub(crate) struct Resolver<'a> {
    pub(crate) document: &'a Document,
    pub(crate) language: &'a Language,
    pub(crate) selection: Option<&'a Selection>,
    /// What was named last.
    pub(crate) last: Option<&'a Thing>,
    /// The page's actions: id and label.
    pub(crate) actions: &'a [(String, String)],
}

impl Resolver<'_> {
    pub(crate) fn named_by(&self, tokens: &[Token]) -> Resolved {
        let tokens = trimmed(tokens);
        if tokens.is_empty() {
            return Resolved::Unknown;
        }
        let spoken: Phrase = tokens.iter().map(|token| token.text.clone()).collect();
        if self.language.phrases("pronouns").contains(&spoken) {
            return self.pronoun(tokens);
        }
        match (self.noun(tokens), self.several(tokens)) {
            (Resolved::Unknown | Resolved::Absent, Resolved::These(things)) => {
                return Resolved::These(things);
            }
            (Resolved::Unknown, Resolved::Unknown) => {}
            (Resolved::Unknown, found) | (found, _) => return found,
        }
        self.respelled(tokens).map_or(Resolved::Unknown, |tokens| match self.noun(&tokens) {
            Resolved::Unknown => self.several(&tokens),
            found => found,
        })
    }

    /// Several things that are named one after the other.
    fn several(&self, tokens: &[Token]) -> Resolved {
        let mut all = Vec::new();
        let mut parts = 0;
        let is_between = |token: &Token| {
            (token.kind == Kind::Mark && token.text == ",")
                || (token.kind == Kind::Word && self.language.is("lists", &token.text))
        };
        for part in tokens.split(is_between).filter(|part| !part.is_empty()) {
            parts += 1;
            match self.noun(trimmed(part)) {
                Resolved::These(things) => all.extend(things),
                // A relative clause has its comma as well: `the section, in which …`
                Resolved::OneOf(_) if part.iter().any(|token| self.language.has("sections", token)) => {
                    return Resolved::Unknown;
                }
                Resolved::Unknown => return Resolved::Unknown,
                other => return other,
            }
        }
        if parts > 1 { Resolved::These(all) } else { Resolved::Unknown }
    }

    pub(crate) fn noun(&self, tokens: &[Token]) -> Resolved {
        let tokens = self.without_articles(tokens);
        if tokens.is_empty() {
            return Resolved::Unknown;
        }
        if let Some(found) = self.possessed(tokens) {
            return found;
        }
        // `the last question in the FAQ` is not the FAQ.
        for at in 1..tokens.len().saturating_sub(1) {
            let of = &tokens[at];
            if of.kind == Kind::Word
                && self.language.is("of", &of.text)
                && tokens[..at].iter().any(|token| self.language.ordinal(&token.text).is_some())
                && let Resolved::These(things) = self.part_of(&tokens[..at], &tokens[at + 1..])
                && matches!(things.as_slice(), [Thing::Item { .. }])
            {
                return Resolved::These(things);
            }
        }
        match self.simple(tokens) {
            Resolved::Unknown | Resolved::Absent => {}
            found => return found,
        }
        if let Some(found) = self.neighbour(tokens) {
            return found;
        }
        for at in 1..tokens.len().saturating_sub(1) {
            let (left, right) = (&tokens[..at], &tokens[at + 1..]);
            if tokens[at].kind == Kind::Word && self.language.is("of", &tokens[at].text) {
                match self.part_of(left, right) {
                    Resolved::Unknown => {}
                    found => return found,
                }
            }
        }
        // `the title "What it does"`
        if let [part @ .., quote] = tokens
            && quote.kind == Kind::Quote
            && !part.is_empty()
            && let found @ Resolved::These(_) = self.part_of(part, std::slice::from_ref(quote))
        {
            return found;
        }
        // `the hero title`
        for at in 1..tokens.len() {
            match self.part_of(&tokens[at..], &tokens[..at]) {
                Resolved::Unknown | Resolved::Absent => {}
                found => return found,
            }
        }
        self.simple(tokens)
    }

    /// A part or an item of another thing.
    pub(crate) fn part_of(&self, part: &[Token], whole: &[Token]) -> Resolved {
        let part = self.without_articles(part);
        let spoken: Phrase = part.iter().map(|token| token.text.clone()).collect();
        if let Some(name) = self.named("parts", &spoken) {
            if name == "buttons" && !self.has_buttons() {
                return Resolved::Absent;
            }
            let whole = match self.noun(trimmed(whole)) {
                Resolved::These(things) => things,
                other => return other,
            };
            if let [Thing::Page] = whole.as_slice() {
                return match name.as_str() {
                    "headline" | "title" => self.page_part("headline"),
                    "text" => Resolved::These(whole),
                    other => self.page_part(other),
                };
            }
            if let ("author", [Thing::Block(block)]) = (name.as_str(), whole.as_slice())
                && let value = self.document.value(block)
                && kind(&value) == "testimonial-carousel"
            {
                let all = items_of(block, &value);
                return match all.as_slice() {
                    [one] => self.part(&name, one).map_or(Resolved::Absent, |part| one_of(vec![part])),
                    _ => Resolved::OneOf(all),
                };
            }
            if let ("buttons", [Thing::Block(block)]) = (name.as_str(), whole.as_slice()) {
                return self.buttons_of(block, part);
            }
            let parts: Option<Vec<Thing>> = whole.iter().map(|thing| self.part(&name, thing)).collect();
            return parts.map_or(Resolved::Absent, Resolved::These);
        }
        let (mut ordinal, mut rest) = (None, spoken.as_slice());
        if let [first, others @ ..] = rest
            && let Some(number) = self.language.ordinal(first)
        {
            (ordinal, rest) = (Some(number), others);
        }
        let Some(number) = ordinal else { return Resolved::Unknown };
        let Some(name) = self.named("items", rest) else { return Resolved::Unknown };
        match self.noun(trimmed(whole)) {
            Resolved::These(things) => {
                let [Thing::Block(block)] = things.as_slice() else { return Resolved::Unknown };
                let value = self.document.value(block);
                if kind(&value) != name {
                    return Resolved::Absent;
                }
                let count = items(&value).len();
                nth(number, count).map_or(Resolved::Absent, |index| {
                    Resolved::These(vec![Thing::Item { block: block.clone(), index }])
                })
            }
            other => other,
        }
    }

    /// A part of a thing by its name.
    fn part(&self, name: &str, thing: &Thing) -> Option<Thing> {
        let value = self.document.value(thing.block()?);
        let kind = kind(&value);
        let part = |path: String| Some(Thing::Part { block: thing.block()?.to_owned(), path });
        match (thing, name) {
            (Thing::Block(block), "buttons") => {
                value["actionIds"].as_array()?;
                Some(Thing::Buttons(block.clone()))
            }
            (Thing::Block(_), "headline" | "title") => part(format!("/{}", title_field(kind)?)),
            (Thing::Block(_), "subtitle") if matches!(kind, "hero" | "feature-cards") => {
                part("/subtitle".to_owned())
            }
            (Thing::Block(_), "eyebrow") if kind == "hero" => part("/eyebrow".to_owned()),
            (Thing::Block(_), "text") => part(format!("/{}", text_field(kind)?)),
            (Thing::Block(_), "caption") if matches!(kind, "image" | "video") => part("/caption".to_owned()),
            (Thing::Item { .. }, "author") if kind == "testimonial-carousel" => self.part("title", thing),
            (Thing::Item { index, .. }, "headline" | "title" | "text") => {
                let list = list(kind)?;
                let field = if name == "text" { list.text } else { list.title };
                let path = if field.is_empty() {
                    format!("/{}/{index}", list.field)
                } else {
                    format!("/{}/{index}/{field}", list.field)
                };
                part(path)
            }
            _ => None,
        }
    }

    /// A thing that is named without another one.
    fn simple(&self, tokens: &[Token]) -> Resolved {
        let tokens = self.without_articles(tokens);
        let mut absent = false;
        let mut candidates = Vec::new();
        for (table, name, from, to) in self.mentions(tokens) {
            let rest: Vec<&Token> = tokens[..from].iter().chain(&tokens[to..]).collect();
            let qualifiers = self.qualifiers(&rest);
            let found = match table {
                "parts" if name == "buttons" => self.buttons(&tokens[from..to], &qualifiers),
                "parts" => self.part_alone(&name, &qualifiers),
                "kinds" => self.block_of_kind(&name, &qualifiers),
                // `the feature section`
                _ if tokens.get(to).is_some_and(|next| self.language.has("sections", next)) => {
                    self.block_of_kind(&name, &qualifiers)
                }
                _ => self.item_of_kind(&name, &qualifiers),
            };
            match found {
                Resolved::These(_) => return found,
                Resolved::OneOf(things) => {
                    if candidates.is_empty() {
                        candidates = things;
                    }
                }
                Resolved::Absent
                    if name == "text"
                        && table == "kinds"
                        && !rest.iter().any(|token| self.language.is("of", &token.text)) =>
                {
                    // `the security paragraph` can be any section of that name.
                    match self.by_words(&qualifiers, &[]) {
                        Resolved::These(things) => return Resolved::These(things),
                        Resolved::OneOf(things) if candidates.is_empty() => candidates = things,
                        _ => absent = true,
                    }
                }
                Resolved::Absent => absent = true,
                Resolved::Unknown => {}
            }
        }
        let all: Vec<&Token> = tokens.iter().collect();
        if !candidates.is_empty() {
            return one_of(self.called_just_so(candidates, tokens));
        }
        match self.by_words(&self.qualifiers(&all), tokens) {
            Resolved::Unknown if absent => Resolved::Absent,
            found => found,
        }
    }

    /// The nouns that a phrase holds, the longest first: table, name, first word, behind the last word.
    fn mentions(&self, tokens: &[Token]) -> Vec<(&'static str, String, usize, usize)> {
        let mut found = Vec::new();
        for table in ["parts", "kinds", "items"] {
            for (name, phrases) in self.language.table(table) {
                for phrase in phrases {
                    let windows = tokens.windows(phrase.len()).enumerate();
                    let is_here = |window: &[Token]| {
                        window
                            .iter()
                            .zip(phrase)
                            .all(|(token, word)| token.kind == Kind::Word && token.text == *word)
                    };
                    found.extend(
                        windows
                            .filter(|(_, window)| is_here(window))
                            .map(|(at, _)| (table, name.clone(), at, at + phrase.len())),
                    );
                }
            }
        }
        found.sort_by_key(|(_, _, from, to)| std::cmp::Reverse(to - from));
        found
    }

    pub(crate) fn named(&self, table: &str, spoken: &[String]) -> Option<String> {
        let found = self
            .language
            .table(table)
            .iter()
            .find(|(_, phrases)| phrases.iter().any(|phrase| phrase == spoken));
        found.map(|(name, _)| name.clone())
    }

    fn part_alone(&self, name: &str, qualifiers: &Qualifiers) -> Resolved {
        // `the subtitle at the top` is the one of the page.
        let says_where = |word: &String| self.language.is("tops", word);
        let is_at_the_top = qualifiers.ordinal.is_none() || qualifiers.ordinal == Some(1);
        if !qualifiers.words.iter().all(says_where) || !qualifiers.quotes.is_empty() || !is_at_the_top {
            return Resolved::Unknown;
        }
        if (qualifiers.ordinal.is_some() || !qualifiers.words.is_empty())
            && !matches!(name, "headline" | "title" | "subtitle" | "eyebrow")
        {
            return Resolved::Unknown;
        }
        if let Some(selection) = self.selection
            && !name.starts_with("meta-")
            && !matches!(name, "page" | "context")
        {
            let part = self.part(name, &selected_whole(selection, self.document));
            if let Some(part) = part.or_else(|| self.part(name, &Thing::Block(selection.block_id.clone()))) {
                return Resolved::These(vec![part]);
            }
        }
        self.page_part(name)
    }

    /// A part of the page as a whole.
    fn page_part(&self, name: &str) -> Resolved {
        let blocks = &self.document.content.blocks;
        let of_kind = |wanted: &[&str]| -> Vec<Thing> {
            blocks
                .iter()
                .filter_map(|block| {
                    let value = crate::document::json(block);
                    wanted
                        .contains(&kind(&value))
                        .then(|| Thing::Block(block.block_id().unwrap_or_default().to_owned()))
                })
                .collect()
        };
        let parts = |things: Vec<Thing>| -> Vec<Thing> {
            things.iter().filter_map(|thing| self.part(name, thing)).collect()
        };
        match name {
            "meta-title" => Resolved::These(vec![Thing::Head(HeadField::Title)]),
            "meta-description" => Resolved::These(vec![Thing::Head(HeadField::Description)]),
            "meta-keywords" => Resolved::These(vec![Thing::Head(HeadField::Keywords)]),
            "context" => Resolved::These(vec![Thing::Context]),
            "page" => Resolved::These(vec![Thing::Page]),
            "headline" | "title" => {
                let things = of_kind(&["hero"]);
                let things = if things.is_empty() {
                    blocks
                        .iter()
                        .filter_map(|block| block.block_id())
                        .take(1)
                        .map(|id| Thing::Block(id.to_owned()))
                        .collect()
                } else {
                    things
                };
                one_of(parts(things))
            }
            "subtitle" | "eyebrow" => one_of(parts(of_kind(&["hero"]))),
            "caption" => one_of(parts(of_kind(&["image", "video"]))),
            "buttons" => self.buttons(&[], &Qualifiers::default()),
            _ => Resolved::Unknown,
        }
    }

    pub(crate) fn without_articles<'t>(&self, tokens: &'t [Token]) -> &'t [Token] {
        let mut tokens = trimmed(tokens);
        while let [first, rest @ ..] = tokens
            && !rest.is_empty()
            && first.kind == Kind::Word
            && self.language.is("articles", &first.text)
        {
            tokens = rest;
        }
        tokens
    }

    /// The phrase with words that are hardly misspelt put right; nothing if there are none.
    fn respelled(&self, tokens: &[Token]) -> Option<Vec<Token>> {
        let mut changed = false;
        let mut found = Vec::new();
        for token in tokens {
            if token.kind == Kind::Word && token.text.contains('-') {
                // `FAQ-Bereich`
                let parts = token.text.split('-').filter(|part| !part.is_empty());
                found.extend(parts.map(|part| Token { text: part.to_owned(), ..token.clone() }));
                changed = true;
                continue;
            }
            let mut token = token.clone();
            if token.kind == Kind::Word
                && (5..=MOST_OF_A_NOUN).contains(&token.text.chars().count())
                && let Some(word) = self.close_noun(&token.text)
            {
                changed |= word != token.text;
                token.text = word;
            }
            found.push(token);
        }
        changed.then_some(found)
    }

    /// The one noun that a word can be meant for.
    fn close_noun(&self, word: &str) -> Option<String> {
        let most = if word.chars().count() >= 8 { 2 } else { 1 };
        let tables = ["parts", "kinds", "items"].into_iter().flat_map(|table| self.language.table(table));
        let nouns = tables.flat_map(|(_, phrases)| phrases).flatten().filter(|noun| noun.len() >= 4);
        let mut close: Vec<(usize, &String)> = nouns
            .map(|noun| (strsim::damerau_levenshtein(word, noun), noun))
            .filter(|(far, _)| *far <= most)
            .collect();
        close.sort();
        close.dedup();
        match close.as_slice() {
            [(_, noun)] => Some((*noun).clone()),
            [(near, noun), (far, _), ..] if near < far => Some((*noun).clone()),
            _ => None,
        }
    }
}

pub(crate) fn one_of(things: Vec<Thing>) -> Resolved {
    match things.len() {
        0 => Resolved::Absent,
        1 => Resolved::These(things),
        _ => Resolved::OneOf(things),
    }
}

/// The selected thing.
pub(crate) fn selected(selection: &Selection, document: &Document) -> Thing {
    let block = selection.block_id.clone();
    match &selection.path {
        Some(path) => match selected_whole(selection, document) {
            item @ Thing::Item { .. } if path.split('/').count() == 3 => item,
            _ => Thing::Part { block, path: path.clone() },
        },
        None => Thing::Block(block),
    }
}

/// The selected item, if the selection is in one; else the block.
fn selected_whole(selection: &Selection, document: &Document) -> Thing {
    let block = selection.block_id.clone();
    let value = document.value(&block);
    let field = list(kind(&value)).map(|list| list.field);
    let mut parts = selection.path.as_deref().unwrap_or_default().split('/').skip(1);
    match (parts.next(), parts.next().and_then(|index| index.parse().ok())) {
        (Some(name), Some(index)) if Some(name) == field => Thing::Item { block, index },
        _ => Thing::Block(block),
    }
}

/// Tokens without marks at their ends.
pub(crate) fn trimmed(tokens: &[Token]) -> &[Token] {
    let mut tokens = tokens;
    while let [first, rest @ ..] = tokens
        && first.kind == Kind::Mark
    {
        tokens = rest;
    }
    while let [rest @ .., last] = tokens
        && last.kind == Kind::Mark
    {
        tokens = rest;
    }
    tokens
}
