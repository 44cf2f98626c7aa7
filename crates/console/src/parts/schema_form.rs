//! A form of an object with objects and lists of objects in it, from the API's own schemas.
//!
//! Which properties are shown, in which order and under which names, is the screen's to say ([`FormLayout`]); all others are kept as they are. An item of a
//! list is added, moved and removed by buttons that send the form without saving it (`do`), so that it works without script.
//! Invariants: what is shown is what was entered; an item that is not changed keeps what is not shown of it, wherever it is moved.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use maud::Markup;
use pagesmith_model::content::Component;
use pagesmith_model::form::NewForm;
use pagesmith_model::page::NewPage;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::field::{Choice, Field, Kind};
use super::form::FormError;
use super::rows;
use crate::words::Words;
use fields::{Items, PropertyKind, SchemaFields};
use nodes::{Drawn, Item, Node};

pub mod fields;
mod nodes;
#[cfg(test)]
mod tests;

/// The property of an item, while it is in a form, that holds its place in the list as it was before.
const WAS: &str = "#";
/// The name of the buttons that change a list.
pub(super) const DO: &str = "do";

/// The schemas that forms are made from, as a document of the API has them.
static SCHEMAS: LazyLock<Value> = LazyLock::new(|| {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    let settings = settings.with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = settings.into_generator();
    generator.subschema_for::<Component>();
    generator.subschema_for::<NewForm>();
    generator.subschema_for::<NewPage>();
    let mut components: Map<String, Value> = generator.take_definitions(true).into_iter().collect();
    // A component is a union, which stands where it is used and not among the others.
    let component = generator.subschema_for::<Component>().to_value();
    components.insert("Component".to_owned(), component);
    json!({ "components": { "schemas": components } })
});

/// What a screen says about the properties of a form. A place is a path with dots and without numbers: `cards`.
pub trait FormLayout {
    /// The properties of the object at a place that are shown, in their order.
    fn shown(&self, place: &str, object: &Value) -> Vec<&'static str>;
    /// What a property is called.
    fn label(&self, place: &str) -> String;
    /// What it means, where its name does not say it.
    fn help(&self, _place: &str) -> String {
        String::new()
    }
    /// What can be chosen, where the schema does not know it or has no words for it. With an empty value, nothing can be chosen as well.
    fn choices(&self, _place: &str) -> Option<Vec<Choice>> {
        None
    }
    /// What can be added to a list: its tag or kind, and what it is called. Where all are of one kind, it is empty.
    fn kinds(&self, place: &str) -> Vec<(&'static str, String)>;
    /// The property of the items of a list that says of which kind they are, if the schema has no tag for it. Which properties are shown may
    /// follow from it.
    fn kind(&self, _place: &str) -> Option<&'static str> {
        None
    }
    /// What an item is called, after its number.
    fn name(&self, place: &str, item: &Value) -> String;
}

/// What was sent, by the names of the fields: a form may have thousands of them, and each is looked for.
struct Sent<'e>(BTreeMap<&'e str, Vec<&'e str>>);

impl<'e> Sent<'e> {
    fn new(entered: &'e [(String, String)]) -> Sent<'e> {
        let mut by_name: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, value) in entered {
            by_name.entry(name).or_default().push(value);
        }
        Sent(by_name)
    }

    /// Everything that was sent of a name, in its order.
    fn all(&self, name: &str) -> &[&'e str] {
        self.0.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// The names that begin so.
    fn below<'s>(&'s self, start: &'s str) -> impl Iterator<Item = &'s str> {
        self.0.range(start..).map(|(name, _)| *name).take_while(move |name| name.starts_with(start))
    }
}

/// A form from a schema.
pub struct SchemaForm<'a> {
    schema: SchemaFields<'a>,
    layout: &'a dyn FormLayout,
}

impl SchemaForm<'static> {
    /// The schema of this name.
    pub fn schema(name: &str) -> Option<SchemaFields<'static>> {
        SchemaFields::of(&SCHEMAS, name)
    }

    /// The schema of a component.
    pub fn component(kind: &str) -> Option<SchemaFields<'static>> {
        let union = SCHEMAS["components"]["schemas"]["Component"]["discriminator"]["mapping"].get(kind)?;
        SchemaForm::schema(union.as_str()?.rsplit_once('/')?.1)
    }
}

impl<'a> SchemaForm<'a> {
    /// A form of this schema.
    pub fn new(schema: SchemaFields<'a>, layout: &'a dyn FormLayout) -> SchemaForm<'a> {
        SchemaForm { schema, layout }
    }

    /// Draws the fields of an object, each error at its field; and those errors that belong to none, before them. The list or the item of
    /// the path `focus` takes the focus.
    pub fn draw(
        &self,
        form: &str,
        object: &Value,
        (errors, focus): (&[FormError], Option<&str>),
        words: Words,
    ) -> Markup {
        let mut nodes = self.nodes(self.schema, "", "", object);
        let mut left: Vec<String> = Vec::new();
        for error in errors {
            if !Node::put_error(&mut nodes, &error.name, &error.message) {
                left.push(error.message.clone());
            }
        }
        Drawn { form, nodes: &nodes, errors: &left, focus, words }.draw()
    }

    /// An object of which nothing is known, with as many empty items in its lists as they need at least.
    pub fn blank(&self, known: &Value) -> Value {
        let mut object = known.clone();
        for name in self.layout.shown("", known) {
            if let (Some(PropertyKind::List(items)), true) =
                (self.schema.part(name), self.schema.requires(name))
                && items.tag.is_none()
            {
                let least = self.schema.least(name);
                object[name] = (0..least).map(|_| json!({ WAS: "" })).collect();
            }
        }
        object
    }

    /// The object with what was entered. What is not shown stays as it is in `known`.
    pub fn read(&self, entered: &[(String, String)], known: &Value) -> Value {
        self.object(self.schema, ("", ""), &Sent::new(entered), known)
    }

    /// Carries out what a button says that changes a list. Nothing if the form was sent to be saved.
    pub fn rearranged(entered: &[(String, String)], object: &mut Value) -> Option<String> {
        let command = entered.iter().find(|(name, _)| name == DO).map(|(_, value)| value.as_str())?;
        let (path, act) = command.rsplit_once('.')?;
        let act = act.split_once(':').map_or((act, None), |(act, kind)| (act, Some(kind)));
        if let ("add", kind) = act {
            let list = list_at(object, path)?;
            let mut item = json!({ WAS: "" });
            if let Some((tag, kind)) = kind.and_then(|kind| kind.split_once('=')) {
                item[tag] = kind.into();
            }
            list.push(item);
            return Some(format!("{path}.{}", list.len() - 1));
        }
        let (path, at) = path.rsplit_once('.')?;
        let at: usize = at.parse().ok()?;
        let list = list_at(object, path)?;
        if at >= list.len() {
            return None;
        }
        let to = match act.0 {
            "up" => at.checked_sub(1)?,
            "down" if at + 1 < list.len() => at + 1,
            "remove" => {
                list.remove(at);
                return Some(path.to_owned());
            }
            _ => return None,
        };
        list.swap(at, to);
        Some(format!("{path}.{to}"))
    }

    fn nodes(&self, schema: SchemaFields<'a>, place: &str, path: &str, object: &Value) -> Vec<Node> {
        let shown = self.layout.shown(place, object);
        shown.iter().filter_map(|name| self.node(schema, place, path, name, object)).collect()
    }

    fn node(
        &self,
        schema: SchemaFields<'a>,
        place: &str,
        path: &str,
        name: &'static str,
        object: &Value,
    ) -> Option<Node> {
        let (place, path) = (joined(place, name), joined(path, name));
        let (label, help) = (self.layout.label(&place), self.layout.help(&place));
        let value = &object[name];
        Some(match schema.part(name)? {
            PropertyKind::Leaf => {
                let mut field = match self.layout.choices(&place) {
                    Some(choices) => chosen(choices, value, is_list(&schema, name)),
                    None => schema.field(name, "", object)?,
                };
                (field.name, field.label, field.help) = (path, label, help);
                Node::Field(field)
            }
            PropertyKind::Rows => {
                let field =
                    Field::new(path, label, Kind::LongText(None)).value(rows::written(value)).help(help);
                Node::Field(Field { required: schema.requires(name), ..field })
            }
            PropertyKind::Object(inner) => {
                let nodes = self.nodes(inner, &place, &path, value);
                let is_optional = !schema.requires(name);
                Node::Group { path, label, help, nodes, is_optional, errors: Vec::new() }
            }
            PropertyKind::List(items) => {
                let objects = value.as_array().map(Vec::as_slice).unwrap_or_default();
                let item = |(at, object): (usize, &Value)| {
                    let (path, number) = (format!("{path}.{at}"), at + 1);
                    let shape = items.of(object)?;
                    let was = object.get(WAS).map_or_else(|| at.to_string(), was);
                    let tag = items
                        .tag
                        .and_then(|tag| Some((tag.to_owned(), object.get(tag)?.as_str()?.to_owned())));
                    let name = format!("{number}. {}", self.layout.name(&place, object));
                    let nodes = self.nodes(shape, &place, &path, object);
                    Some(Item { path, name, was, tag, nodes, errors: Vec::new() })
                };
                let kinds = self.layout.kinds(&place);
                let kinds =
                    kinds.into_iter().map(|(kind, label)| match items.tag.or(self.layout.kind(&place)) {
                        Some(tag) => (format!("{path}.add:{tag}={kind}"), label),
                        None => (format!("{path}.add"), label),
                    });
                Node::List {
                    kinds: kinds.collect(),
                    items: objects.iter().enumerate().filter_map(item).collect(),
                    errors: Vec::new(),
                    path,
                    label,
                    help,
                }
            }
        })
    }

    fn object(
        &self,
        schema: SchemaFields<'a>,
        (place, path): (&str, &str),
        entered: &Sent<'_>,
        known: &Value,
    ) -> Value {
        let mut object = known.as_object().cloned().unwrap_or_default();
        // Which properties are shown may follow from one that was entered, such as a kind.
        for name in self.layout.shown(place, known) {
            let (place, path) = (joined(place, name), joined(path, name));
            let sent = entered.all(&path);
            let value = match schema.part(name) {
                None => continue,
                Some(PropertyKind::Leaf) => match self.layout.choices(&place) {
                    Some(_) if is_list(&schema, name) => {
                        some_list(sent.iter().copied().map(Value::from).collect())
                    }
                    Some(_) => sent.first().filter(|text| !text.is_empty()).map(|text| Value::from(*text)),
                    None => schema.leaf(name, sent),
                },
                Some(PropertyKind::Rows) => Some(rows::read(sent.first().copied().unwrap_or_default())),
                Some(PropertyKind::Object(inner)) => {
                    let value = self.object(inner, (&place, &path), entered, &known[name]);
                    Some(value).filter(|value| schema.requires(name) || !is_nothing(value))
                }
                Some(PropertyKind::List(items)) => {
                    Some(self.list(items, (&place, &path), entered, &known[name]))
                }
            };
            // What may be left out, was not there and is empty is still not there.
            let is_new = known.get(name).is_none() && !schema.requires(name);
            let value = value.filter(|value| !is_new || !is_empty(value));
            // Browsers write line breaks in their own way.
            let before = known[name].as_str().filter(|before| {
                value
                    .as_ref()
                    .and_then(Value::as_str)
                    .is_some_and(|text| before.replace("\r\n", "\n") == text)
            });
            let value = before.map(Value::from).or(value);
            match value {
                Some(value) => drop(object.insert(name.to_owned(), value)),
                None => drop(object.remove(name)),
            }
        }
        Value::Object(object)
    }

    fn list(
        &self,
        items: Items<'a>,
        (place, path): (&str, &str),
        entered: &Sent<'_>,
        known: &Value,
    ) -> Value {
        let start = format!("{path}.");
        let number = |name: &str| name.strip_prefix(&start)?.strip_suffix(".was")?.parse::<usize>().ok();
        let numbers: BTreeSet<usize> = entered.below(&start).filter_map(number).collect();
        let item = |at: usize| {
            let path = format!("{path}.{at}");
            let sent =
                |name: &str| entered.all(&format!("{path}.{name}")).first().copied().unwrap_or_default();
            let was = sent("was");
            let before = was.parse::<usize>().ok().and_then(|was| known.get(was));
            let mut before = before.cloned().unwrap_or_else(|| json!({}));
            if let Some(tag) = items.tag.or(self.layout.kind(place)) {
                before[tag] = sent(tag).into();
            }
            let mut object = self.object(items.of(&before)?, (place, &path), entered, &before);
            object[WAS] = was.into();
            Some(object)
        };
        numbers.into_iter().filter_map(item).collect()
    }
}

/// A value without what only the form knows.
pub fn cleaned(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| *name != WAS);
            Value::Object(kept.map(|(name, value)| (name.clone(), cleaned(value))).collect())
        }
        Value::Array(items) => items.iter().map(cleaned).collect(),
        value => value.clone(),
    }
}

fn was(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn is_list(schema: &SchemaFields<'_>, name: &str) -> bool {
    // Of nothing entered, a list is an empty one.
    schema.leaf(name, &[]).is_some_and(|value| value.is_array())
}

fn some_list(items: Vec<Value>) -> Option<Value> {
    let is_chosen = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    Some(Value::Array(items.into_iter().filter(is_chosen).collect()))
}

/// A field to choose with. What stands there can be chosen, whatever it is.
fn chosen(mut choices: Vec<Choice>, value: &Value, is_list: bool) -> Field {
    let values: Vec<String> = match value {
        Value::Array(items) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        value => vec![value.as_str().unwrap_or_default().to_owned()],
    };
    for value in &values {
        if !value.is_empty() && choices.iter().all(|choice| choice.value != *value) {
            choices.push(Choice::new(value, value));
        }
    }
    let is_required = !is_list && choices.iter().all(|choice| !choice.value.is_empty());
    let kind = if is_list { Kind::Choices(choices) } else { Kind::Choice(choices) };
    Field { required: is_required, ..Field::new("", "", kind).values(values) }
}

/// Whether a text or a list is empty.
fn is_empty(value: &Value) -> bool {
    value.as_str().is_some_and(str::is_empty) || value.as_array().is_some_and(Vec::is_empty)
}

/// Whether nothing was entered into an object.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.values().all(is_nothing),
        _ => false,
    }
}

/// The list at a path of names and numbers, which is made if there is none.
fn list_at<'v>(value: &'v mut Value, path: &str) -> Option<&'v mut Vec<Value>> {
    let mut place = value;
    for step in path.split('.') {
        place = match place {
            Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?)?,
            Value::Object(fields) => fields.entry(step).or_insert_with(|| json!([])),
            _ => return None,
        };
    }
    place.as_array_mut()
}
