//! What is added to a page: blocks and items that were written from the same facts, pictures by their words, and questions as they are told.

use pagesmith_model::content::component::Component;
use pagesmith_model::content::part::Picture;
use serde_json::{Value, json};

use crate::act::{Act, Call};
use crate::document::{self, Document};
use crate::listing;
use crate::operation::Operation;
use crate::qualifiers::is_same as is_form_of;
use crate::thing::{Thing, block_label, item_title, items, kind, list, short, texts};
use crate::token::{Kind, fold, words};

impl Call<'_> {
    /// Adds a block of a kind from the material.
    pub(crate) fn add_block(&self) -> Option<Act> {
        block(self)
    }

    /// Adds a picture whose description has all of the words.
    pub(crate) fn add_picture(&self, wanted: &str) -> Option<Act> {
        picture(self, wanted)
    }

    /// Adds a question with its answer.
    pub(crate) fn add_question(&self, asked: &str, answer: &str) -> Option<Act> {
        question(self, asked, answer)
    }
}

/// Adds a block of a kind from the material; where there is one, the items that it does not have.
fn block(call: &Call<'_>) -> Option<Act> {
    let spoken = words_of(call, "kind")?;
    let (wanted, said_of_it) = kind_of(call, &spoken)?;
    let document = call.clause.document;
    let place = match place(call)? {
        Ok(place) => place,
        Err(act) => return Some(act),
    };
    let there = document.content.blocks.iter().map(document::json).find(|value| kind(value) == wanted);
    // `put the picture under the prices` moves the one that is there.
    let is_definite = call.slot("kind")?.first().is_some_and(|first| call.language.has("definite", first));
    if is_definite && there.is_some() && (call.slot("before").is_some() || call.slot("after").is_some()) {
        return None;
    }
    let tells = |value: &Value| {
        let of_it = words(&listing::text_of(value));
        said_of_it.iter().all(|word| of_it.iter().any(|other| is_form_of(word, other)))
    };
    let material = call.clause.material.blocks.iter().map(document::json);
    let material = material.filter(|value| kind(value) == wanted && tells(value));
    for value in material {
        let act = match &there {
            Some(there) if list(&wanted).is_some() => more_items(call, there, &value),
            Some(_) if is_there(document, &value) => None,
            _ => inserted(call, value, place.clone()),
        };
        if act.is_some() {
            return act;
        }
    }
    Some(Act::Refuse(call.say("no-material", &[])))
}

/// The kind that words name, and what is said of it behind or before (`the comparison with the others`).
fn kind_of(call: &Call<'_>, spoken: &[String]) -> Option<(String, Vec<String>)> {
    let tables = || ["kinds", "items"].into_iter().flat_map(|table| call.language.table(table));
    let whole = tables().find(|(_, phrases)| phrases.iter().any(|phrase| phrase == spoken));
    let tail = |phrase: &Vec<String>| {
        let behind = spoken.strip_prefix(phrase.as_slice()).and_then(|rest| rest.first());
        behind.is_some_and(|word| ["of", "about", "tails"].iter().any(|list| call.language.is(list, word)))
    };
    let told = || tables().find(|(_, phrases)| phrases.iter().any(tail));
    // `that spreadsheets against us comparison`
    let last = || tables().find(|(_, phrases)| phrases.iter().any(|phrase| spoken.ends_with(phrase)));
    // `I want no questions`
    if spoken.iter().any(|word| call.language.is("against", word)) {
        return None;
    }
    let (name, phrases) = whole.or_else(told).or_else(last)?;
    let said = phrases.iter().filter(|phrase| spoken.starts_with(phrase) || spoken.ends_with(phrase));
    let longest = said.max_by_key(|phrase| phrase.len())?;
    let rest = spoken.strip_prefix(longest.as_slice()).or_else(|| spoken.strip_suffix(longest.as_slice()))?;
    let says_something = |word: &&String| {
        let lists = ["articles", "of", "about", "tails", "small", "generic", "particles", "lists", "telling"];
        word.chars().count() > 2 && !lists.iter().any(|list| call.language.is(list, word))
    };
    Some((name.clone(), rest.iter().filter(says_something).cloned().collect()))
}

/// The words of what is to be added, without articles.
fn words_of(call: &Call<'_>, slot: &str) -> Option<Vec<String>> {
    let tokens = crate::resolve::trimmed(call.slot(slot)?);
    let spoken = tokens.iter().filter(|token| token.kind == Kind::Word);
    let mut words: Vec<String> = spoken.map(|token| token.text.clone()).collect();
    let says_nothing =
        |word: &String| call.language.is("articles", word) || call.language.ordinal(word) == Some(1);
    while words.len() > 1 && words.first().is_some_and(says_nothing) {
        words.remove(0);
    }
    while words.len() > 1 && words.last().is_some_and(|word| call.language.is("generic", word)) {
        words.pop();
    }
    Some(words)
}

/// Where a new block shall stand: the block before it. Nothing inside means that no place was named.
type InsertionPoint = Option<Option<String>>;

fn place(call: &Call<'_>) -> Option<Result<InsertionPoint, Act>> {
    let document = call.clause.document;
    for (slot, is_before) in [("before", true), ("after", false)] {
        if call.slot(slot).is_none() {
            continue;
        }
        return match call.thing(slot)? {
            Err(act) => Some(Err(act)),
            Ok(thing) => {
                let id = thing.block()?.to_owned();
                let before = document.before(document.position(&id)?);
                Some(Ok(Some(if is_before { before } else { Some(id) })))
            }
        };
    }
    Some(Ok(None))
}

/// The block before a new one where no place was named: it comes at the end, before a last call to act; an opening comes first.
fn usual_place(document: &Document, wanted: &str) -> Option<String> {
    if wanted == "hero" {
        return None;
    }
    let count = document.content.blocks.len();
    let closes = |at: usize| {
        document.content.blocks.get(at).is_some_and(|block| kind(&document::json(block)) == "call-to-action")
    };
    let at = if count > 1 && closes(count - 1) { count - 1 } else { count };
    document.before(at)
}

pub(crate) fn inserted(call: &Call<'_>, mut value: Value, place: InsertionPoint) -> Option<Act> {
    let document = call.clause.document;
    value["blockId"] = Value::String(document.free_id(value["blockId"].as_str().unwrap_or("block")));
    let after = place.unwrap_or_else(|| usual_place(document, kind(&value)));
    let said = call.say("added", &[("x", &block_label(&value, call.language))]);
    let thing = Thing::Block(value["blockId"].as_str()?.to_owned());
    let operation = Operation::Insert { block: value, after };
    operation.apply(&mut document.clone()).ok()?;
    Some(call.done(vec![operation], said, Some(thing)))
}

/// The items of a written block that the one on the page does not have, behind its own.
fn more_items(call: &Call<'_>, there: &Value, written: &Value) -> Option<Act> {
    let id = there["blockId"].as_str()?;
    let known: Vec<String> = items(there).iter().map(|item| fold(&item_title(there, item))).collect();
    let shown: String =
        call.clause.document.content.blocks.iter().flat_map(texts).map(|(_, text)| fold(&text)).collect();
    let is_new = |item: &&Value| {
        !known.contains(&fold(&item_title(written, item))) && !shown.contains(&fold(&listing::text_of(item)))
    };
    let new: Vec<Value> = items(written).iter().filter(is_new).cloned().collect();
    // As many as fit.
    for count in (1..=new.len()).rev() {
        let operation = listing::change(call.clause.document, id, |items| {
            items.extend(new.iter().take(count).cloned());
            Some(())
        })?;
        if operation.apply(&mut call.clause.document.clone()).is_ok() {
            let said = call.say("added", &[("x", &block_label(there, call.language))]);
            return Some(call.done(vec![operation], said, Some(Thing::Block(id.to_owned()))));
        }
    }
    None
}

/// Whether the page has a block that says the same.
fn is_there(document: &Document, value: &Value) -> bool {
    document.content.blocks.iter().any(|block| same_words(&document::json(block), value))
}

fn same_words(one: &Value, other: &Value) -> bool {
    let without_id = |value: &Value| {
        let mut value = value.clone();
        value["blockId"] = Value::Null;
        value
    };
    without_id(one) == without_id(other)
}

/// Adds the picture whose name and description have all of the words; asks if there are several.
fn picture(call: &Call<'_>, wanted: &str) -> Option<Act> {
    let says_nothing = |word: &String| ["articles", "of"].iter().any(|list| call.language.is(list, word));
    let wanted_words: Vec<String> = words(wanted).into_iter().filter(|word| !says_nothing(word)).collect();
    if wanted_words.is_empty() {
        return None;
    }
    let found = candidates(call).into_iter().filter(|one| one.fits(&wanted_words)).collect::<Vec<_>>();
    // What is called just so is meant, whatever else has the same words.
    let is_called_so = |one: &&Candidate<'_>| words(one.name) == wanted_words;
    let named: Vec<&Candidate<'_>> = found.iter().filter(is_called_so).collect();
    let meant = if named.is_empty() { found.iter().collect() } else { named };
    match meant.as_slice() {
        [] => Some(Act::Refuse(call.say("no-material", &[]))),
        [one] if is_shown(call, one.picture) => {
            let name = format!("“{}”", short(one.name));
            Some(Act::Refuse(call.say("shown", &[("x", &name)])))
        }
        [one] => {
            let value = json!({ "type": "image", "blockId": "picture", "image": one.picture });
            match place(call)? {
                Ok(place) => inserted(call, value, place),
                Err(act) => Some(act),
            }
        }
        several => Some(Act::AskFor(labels(several))),
    }
}

/// Whether the page shows a picture.
fn is_shown(call: &Call<'_>, picture: &Picture) -> bool {
    let blocks = call.clause.document.content.blocks.iter();
    blocks.flat_map(Component::pictures).any(|(_, shown)| is_same(shown, picture))
}

fn is_same(one: &Picture, other: &Picture) -> bool {
    one.asset_id == other.asset_id && one.url == other.url
}

/// A picture that may be meant.
struct Candidate<'a> {
    picture: &'a Picture,
    name: &'a str,
    words: Vec<String>,
}

impl Candidate<'_> {
    /// Whether all of these words tell of it, or beginnings of its own.
    fn fits(&self, wanted: &[String]) -> bool {
        wanted.iter().all(|word| {
            let begins = |other: &String| word.len() >= 4 && other.starts_with(word.as_str());
            self.words.iter().any(|other| other == word || begins(other))
        })
    }
}

/// The pictures of the material, each once.
fn candidates<'a>(call: &Call<'a>) -> Vec<Candidate<'a>> {
    let material = call.clause.material;
    let mut all: Vec<Candidate<'a>> = Vec::new();
    let offered = material.offers.iter().map(|offer| Candidate {
        picture: &offer.picture,
        name: &offer.name,
        words: offer.words.iter().flat_map(|text| words(text)).collect(),
    });
    let written = material.pictures.iter().map(|picture| Candidate {
        picture,
        name: &picture.alt_text,
        words: words(&picture.alt_text),
    });
    for one in offered.chain(written) {
        if !all.iter().any(|other| is_same(other.picture, one.picture)) {
            all.push(one);
        }
    }
    all
}

/// What pictures are called in a question; those of the same name also by what they show.
fn labels(all: &[&Candidate<'_>]) -> Vec<String> {
    let label = |one: &&Candidate<'_>| {
        let is_alone = all.iter().filter(|other| other.name == one.name).count() == 1;
        let shows = &one.picture.alt_text;
        if is_alone || shows == one.name {
            format!("“{}”", short(one.name))
        } else {
            format!("“{}” ({})", short(one.name), short(shows))
        }
    };
    all.iter().map(label).collect()
}

/// Adds a question with its answer.
fn question(call: &Call<'_>, question: &str, answer: &str) -> Option<Act> {
    let document = call.clause.document;
    let item = json!({ "title": question, "markdown": answer });
    let there = document.content.blocks.iter().map(document::json).find(|value| kind(value) == "frame-list");
    let Some(there) = there else {
        let value = json!({ "type": "frame-list", "blockId": "questions", "frames": [item] });
        return inserted(call, value, None);
    };
    let id = there["blockId"].as_str()?;
    let operation = listing::change(document, id, |items| {
        items.push(item);
        Some(())
    })?;
    operation.apply(&mut document.clone()).ok()?;
    let said = call.say("added", &[("x", &format!("“{question}”"))]);
    Some(call.done(vec![operation], said, Some(Thing::Block(id.to_owned()))))
}
