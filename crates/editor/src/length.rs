//! Which texts are shortened or lengthened with a thing.

use serde_json::Value;

use crate::act::{Act, Call};
use crate::listing;
use crate::operation::{HeadField, Operation};
use crate::protect::Names;
use crate::shorten::Goal;
use crate::thing::{Thing, items, kind, list, text_field, texts};
use crate::{language, lengthen, shorten};

impl Call<'_> {
    pub(crate) fn shorten(&self, thing: &Thing, goal: Goal) -> Act {
        let document = self.clause.document;
        // A page can be in another language than the message.
        let language = match &document.content.head.language {
            Some(tag) => language::ordered("", Some(tag))[0],
            None => self.language,
        };
        let names = Names::of(document, language);
        if let Thing::Head(field) = thing {
            let shown = self.shown_head(*field).unwrap_or_default();
            let is_title = *field == HeadField::Title;
            return match shorten::shorter(&shown, (is_title, goal), &names, language) {
                Some(to) => {
                    let said = self.shortened(thing, goal, (words_in(&shown), words_in(&to)));
                    let operation =
                        Operation::SetHead { field: *field, from: self.own_head(*field), to: Some(to) };
                    self.all_tried(vec![operation], said, thing)
                }
                None => self.refuse("nothing-shorter", thing),
            };
        }
        let blocks: Vec<String> = match thing {
            Thing::Page => document
                .content
                .blocks
                .iter()
                .filter_map(|block| block.block_id().map(ToOwned::to_owned))
                .collect(),
            Thing::Context | Thing::Buttons(_) | Thing::Button { .. } => {
                return self.refuse("unsupported", thing);
            }
            _ => thing.block().map(ToOwned::to_owned).into_iter().collect(),
        };
        let mut operations = Vec::new();
        let (mut before, mut after) = (0, 0);
        for id in blocks {
            let value = document.value(&id);
            for path in shortened_paths(&value, thing) {
                let Some(from) = value.pointer(&path) else { continue };
                let is_title = is_title(&path);
                let Some(text) = from.as_str() else { continue };
                let to = shorten::shorter(text, (is_title, goal), &names, language);
                before += words_in(text);
                after += words_in(to.as_deref().unwrap_or(text));
                if let Some(to) = to {
                    let (from, to) = (Some(from.clone()), Some(Value::String(to)));
                    operations.push(Operation::Set { block_id: id.clone(), path, from, to });
                }
            }
        }
        if operations.is_empty() {
            return self.refuse("nothing-shorter", thing);
        }
        self.done(operations, self.shortened(thing, goal, (before, after)), Some(thing.clone()))
    }

    /// What was done to a text of so many words that has fewer now.
    fn shortened(&self, thing: &Thing, goal: Goal, (before, after): (usize, usize)) -> String {
        // A word or two more than half are half as long, too.
        let said = match goal {
            Goal::Shorter => "shortened",
            Goal::Half if after <= before / 2 + 2 => "halved",
            Goal::Half => "halved-partly",
        };
        let label = self.label(thing);
        self.say(said, &[("x", &label), ("m", &before.to_string()), ("n", &after.to_string())])
    }

    pub(crate) fn lengthen(&self, thing: &Thing) -> Act {
        let document = self.clause.document;
        let Some(id) = thing.block() else { return self.refuse("unsupported", thing) };
        let value = document.value(id);
        let about = match thing {
            Thing::Item { index, .. } => items(&value).get(*index).map(listing::text_of).unwrap_or_default(),
            _ => document
                .block(id)
                .map(|block| texts(block).into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" "))
                .unwrap_or_default(),
        };
        let path = match thing {
            Thing::Part { path, .. } => path.clone(),
            Thing::Item { index, .. } => match list(kind(&value)) {
                Some(list) if !list.text.is_empty() && list.text != "points" => {
                    format!("/{}/{index}/{}", list.field, list.text)
                }
                _ => return self.refuse("unsupported", thing),
            },
            _ => match text_field(kind(&value)) {
                Some(field) => format!("/{field}"),
                None => return self.refuse("no-facts", thing),
            },
        };
        if is_title(&path) {
            return self.refuse("no-facts", thing);
        }
        let from = value.pointer(&path).cloned();
        let text = from.as_ref().and_then(Value::as_str).unwrap_or_default();
        let most =
            if path.ends_with("markdown") { 2_000 } else { 900_usize.saturating_sub(text.chars().count()) };
        let more = lengthen::unused(document, self.clause.material, &about, kind(&value) == "text", most);
        if more.is_empty() {
            return self.refuse("no-facts", thing);
        }
        let to = format!("{} {}", text.trim_end(), more.join(" ")).trim().to_owned();
        let operation = Operation::Set { block_id: id.to_owned(), path, from, to: Some(Value::String(to)) };
        self.tried(operation, "lengthened", thing)
    }
}

/// How many words a text has.
fn words_in(text: &str) -> usize {
    text.split_whitespace().filter(|piece| piece.contains(char::is_alphanumeric)).count()
}

/// The places of the texts that are shortened with a thing.
fn shortened_paths(value: &Value, thing: &Thing) -> Vec<String> {
    let kind = kind(value);
    let list = list(kind);
    let of_item = |index: usize| {
        list.filter(|list| !list.text.is_empty()).map(|list| format!("/{}/{index}/{}", list.field, list.text))
    };
    match thing {
        Thing::Part { path, .. } => vec![path.clone()],
        Thing::Item { index, .. } => of_item(*index).into_iter().collect(),
        _ => {
            let mut paths: Vec<String> =
                text_field(kind).map(|field| format!("/{field}")).into_iter().collect();
            paths.extend((0..items(value).len()).filter_map(of_item));
            paths
        }
    }
}

/// Whether a place holds a heading, not sentences.
fn is_title(path: &str) -> bool {
    ["/title", "/question", "/eyebrow", "/name", "/label", "/value", "/author"]
        .iter()
        .any(|end| path.ends_with(end))
}
