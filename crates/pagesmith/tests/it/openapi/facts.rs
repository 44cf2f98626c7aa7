//! Two descriptions of one interface, reduced to facts and compared.
//!
//! Prose, examples and the order of things are no facts, nor is whether a schema has a name: references are followed, `const` is an
//! enumeration of one, `null` beside a type is "nullable" however it is spelt, and the variants of a union are told apart by
//! their tag. A place is called by the contract's name of the schema that it is in, so that each difference stands once.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::{Map, Value};

/// What a schema may say of a value, beyond its type, its alternatives and its parts.
const KEYWORDS: [&str; 14] = [
    "default",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
];

/// Fields that tell the variants of a union apart.
const TAGS: [&str; 4] = ["actionType", "assetType", "targetType", "type"];

/// The contract's description and ours.
pub(crate) struct Comparison<'a> {
    theirs: &'a Value,
    ours: &'a Value,
    found: BTreeSet<String>,
    compared: HashSet<(String, String)>,
}

/// A schema, seen through references and unions.
struct Shape<'a> {
    nullable: bool,
    default: Option<&'a Value>,
    variants: Vec<&'a Value>,
}

impl<'a> Comparison<'a> {
    pub(crate) fn new(theirs: &'a Value, ours: &'a Value) -> Comparison<'a> {
        Comparison { theirs, ours, found: BTreeSet::new(), compared: HashSet::new() }
    }

    /// One line for each difference in the operations that we have.
    pub(crate) fn differences(mut self) -> BTreeSet<String> {
        for (path, methods) in self.ours["paths"].as_object().unwrap() {
            for (method, ours) in methods.as_object().unwrap() {
                let place = format!("{} {path}", method.to_uppercase());
                match self.theirs["paths"].get(path).and_then(|methods| methods.get(method)) {
                    Some(theirs) => self.operations(&place, theirs, ours),
                    None => self.note(&place, "operation", None, Some("documented".to_owned())),
                }
            }
        }
        for (kind, ours) in self.ours["webhooks"].as_object().unwrap() {
            match self.theirs["webhooks"].get(kind) {
                Some(theirs) => {
                    let [theirs, ours] = [theirs, ours].map(|event| &event["post"]["requestBody"]);
                    self.contents("event", kind, theirs, ours);
                }
                None => self.note(kind, "event", None, Some("documented".to_owned())),
            }
        }
        self.found
    }

    fn note(&mut self, place: &str, fact: &str, theirs: Option<String>, ours: Option<String>) {
        if theirs != ours {
            let text = |value: Option<String>| value.unwrap_or_else(|| "–".to_owned());
            self.found.insert(format!("{place}: {fact} {} → {}", text(theirs), text(ours)));
        }
    }

    fn operations(&mut self, place: &str, theirs: &'a Value, ours: &'a Value) {
        for fact in ["operationId", "tags", "security"] {
            self.note(
                place,
                fact,
                theirs.get(fact).map(Value::to_string),
                ours.get(fact).map(Value::to_string),
            );
        }
        for (name, theirs, ours) in paired(&parameters(theirs), &parameters(ours)) {
            let place = format!("{place} {name}");
            let presence = |parameter: Option<&Value>| {
                parameter.map(|parameter| {
                    if parameter["required"] == true { "required" } else { "optional" }.to_owned()
                })
            };
            self.note(&place, "parameter", presence(theirs), presence(ours));
            if let (Some(theirs), Some(ours)) = (theirs, ours) {
                self.schemas("request", &place, &theirs["schema"], &ours["schema"]);
            }
        }
        let required = |operation: &Value| {
            operation.get("requestBody").map(|body| (body["required"] == true).to_string())
        };
        self.note(place, "body required", required(theirs), required(ours));
        if let (Some(theirs), Some(ours)) = (theirs.get("requestBody"), ours.get("requestBody")) {
            self.contents("request", &format!("{place} body"), theirs, ours);
        }
        let their_answers = answers(self.theirs, theirs);
        for (status, theirs, ours) in paired(&their_answers, &answers(self.ours, ours)) {
            let there = |answer: Option<&Value>| answer.map(|_| "documented".to_owned());
            self.note(place, &format!("status {status}"), there(theirs), there(ours));
            if let (Some(theirs), Some(ours)) = (theirs, ours) {
                self.contents("answer", &format!("{place} {status}"), theirs, ours);
            }
        }
    }

    fn contents(&mut self, side: &str, place: &str, theirs: &'a Value, ours: &'a Value) {
        for (kind, theirs, ours) in paired(&entries(&theirs["content"]), &entries(&ours["content"])) {
            match (theirs, ours) {
                (Some(theirs), Some(ours)) => self.schemas(side, place, &theirs["schema"], &ours["schema"]),
                _ => self.note(place, &kind, theirs.map(Value::to_string), ours.map(Value::to_string)),
            }
        }
    }

    fn schemas(&mut self, side: &str, place: &str, theirs: &'a Value, ours: &'a Value) {
        let mut place = place.to_owned();
        if let Some(name) = reference(theirs) {
            place = format!("{side} {name}");
            // Schemas that two operations share are compared once; shapes that lead to themselves end here.
            if !self.compared.insert((place.clone(), ours.get("$ref").unwrap_or(ours).to_string())) {
                return;
            }
        }
        let (theirs, ours) = (shape(self.theirs, theirs), shape(self.ours, ours));
        self.note(&place, "nullable", Some(theirs.nullable.to_string()), Some(ours.nullable.to_string()));
        self.note(
            &place,
            "default",
            theirs.default.map(Value::to_string),
            ours.default.map(Value::to_string),
        );
        if let ([their_one], [our_one]) = (theirs.variants.as_slice(), ours.variants.as_slice()) {
            return self.plain(side, &place, their_one, our_one);
        }
        let (their_variants, our_variants) = (tagged(self.theirs, &theirs), tagged(self.ours, &ours));
        for (tag, theirs, ours) in paired(&their_variants, &our_variants) {
            match (theirs, ours) {
                (Some(theirs), Some(ours)) => self.schemas(side, &format!("{place}<{tag}>"), theirs, ours),
                _ => {
                    let (theirs, ours) = (
                        theirs.map(|one| outline(self.theirs, one)),
                        ours.map(|one| outline(self.ours, one)),
                    );
                    self.note(&place, &format!("variant {tag}"), theirs, ours);
                }
            }
        }
    }

    /// Compares two schemas that are no unions.
    fn plain(&mut self, side: &str, place: &str, theirs: &'a Value, ours: &'a Value) {
        let (theirs, ours) = (resolved(self.theirs, theirs), resolved(self.ours, ours));
        self.note(place, "type", kind(theirs), kind(ours));
        self.note(place, "values", values(theirs), values(ours));
        for keyword in KEYWORDS.into_iter().filter(|keyword| *keyword != "default") {
            let fact = |schema: &Value| schema.get(keyword).map(Value::to_string);
            self.note(place, keyword, fact(theirs), fact(ours));
        }
        if kind(theirs).is_some_and(|kind| kind == "object") {
            let open = |schema: &Value| {
                let others = schema.get("additionalProperties").unwrap_or(&Value::Bool(true));
                if others.as_object().is_some_and(Map::is_empty) { Value::Bool(true) } else { others.clone() }
                    .to_string()
            };
            self.note(place, "other fields", Some(open(theirs)), Some(open(ours)));
        }
        for (name, their_field, our_field) in
            paired(&entries(&theirs["properties"]), &entries(&ours["properties"]))
        {
            let place = format!("{place}.{name}");
            self.note(&place, "field", presence(theirs, &name), presence(ours, &name));
            if let (Some(theirs), Some(ours)) = (their_field, our_field) {
                self.schemas(side, &place, theirs, ours);
            }
        }
        if let (Some(theirs), Some(ours)) = (theirs.get("items"), ours.get("items")) {
            self.schemas(side, &format!("{place}[]"), theirs, ours);
        }
    }
}

/// Both sides' values under each name that one of them has.
fn paired<'a>(
    theirs: &BTreeMap<String, &'a Value>,
    ours: &BTreeMap<String, &'a Value>,
) -> Vec<(String, Option<&'a Value>, Option<&'a Value>)> {
    let names: BTreeSet<&String> = theirs.keys().chain(ours.keys()).collect();
    names.into_iter().map(|name| (name.clone(), theirs.get(name).copied(), ours.get(name).copied())).collect()
}

fn entries(object: &Value) -> BTreeMap<String, &Value> {
    object.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), value)).collect()
}

/// The answers of an operation by their status, seen through references.
fn answers<'a>(document: &'a Value, operation: &'a Value) -> BTreeMap<String, &'a Value> {
    let answers = entries(&operation["responses"]).into_iter();
    answers.map(|(status, answer)| (status, super::resolved(document, answer))).collect()
}

fn parameters(operation: &Value) -> BTreeMap<String, &Value> {
    let all = operation["parameters"].as_array().into_iter().flatten();
    let name = |parameter: &Value| {
        format!("{} {}", parameter["in"].as_str().unwrap(), parameter["name"].as_str().unwrap())
    };
    all.map(|parameter| (name(parameter), parameter)).collect()
}

fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/components/schemas/")
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match reference(schema) {
        Some(name) => resolved(document, &document["components"]["schemas"][name]),
        None => schema,
    }
}

fn shape<'a>(document: &'a Value, schema: &'a Value) -> Shape<'a> {
    let schema = resolved(document, schema);
    let default = schema.get("default");
    let union = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array);
    let Some(union) = union else {
        let nullable = schema["type"].as_array().is_some_and(|types| types.contains(&"null".into()));
        return Shape { nullable, default, variants: vec![schema] };
    };
    let mut all = Shape { nullable: false, default, variants: vec![] };
    for variant in union {
        if resolved(document, variant)["type"] == "null" {
            all.nullable = true;
        } else {
            all.variants.push(variant);
        }
    }
    // What is named beside `null` may be a union or nullable itself.
    if let [only] = all.variants.as_slice() {
        let inner = shape(document, only);
        let default = default.or(inner.default);
        return Shape { nullable: all.nullable || inner.nullable, default, variants: inner.variants };
    }
    all
}

/// The variants by the text of their tag; one that takes any text is called `other`. Objects without a tag are told apart by the fields that they
/// must have.
fn tagged<'a>(document: &'a Value, shape: &Shape<'a>) -> BTreeMap<String, &'a Value> {
    let tag_of = |schema: &'a Value| TAGS.iter().find_map(|tag| schema.get("properties")?.get(tag));
    let name = |variant: &'a Value| {
        let schema = resolved(document, variant);
        if let Some(items) = schema.get("items") {
            let items = self::shape(document, items).variants;
            let is_tagged = items.iter().any(|item| tag_of(resolved(document, item)).is_some());
            return if is_tagged { "array of variants" } else { "array" }.to_owned();
        }
        let tag = tag_of(schema);
        match tag.map(|tag| values(tag).unwrap_or_else(|| "other".to_owned())) {
            Some(text) => text.trim_matches(['[', ']', '"']).to_owned(),
            None if schema["required"].is_array() => {
                format!("object with {}", values_of(&schema["required"]))
            }
            None => kind(schema).unwrap_or_default(),
        }
    };
    // The contract lists some variants several times.
    let mut distinct: Vec<&'a Value> = Vec::new();
    for variant in &shape.variants {
        if !distinct.contains(variant) {
            distinct.push(variant);
        }
    }
    let variants: BTreeMap<String, &'a Value> =
        distinct.iter().map(|variant| (name(variant), *variant)).collect();
    assert_eq!(variants.len(), distinct.len(), "variants that cannot be told apart");
    variants
}

/// The texts of a list, sorted.
fn values_of(list: &Value) -> String {
    let mut texts: Vec<&str> = list.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    texts.sort_unstable();
    texts.join(", ")
}

/// The names of a variant's fields; those that may be missing with a question mark.
fn outline(document: &Value, schema: &Value) -> String {
    let schema = resolved(document, schema);
    let fields = entries(&schema["properties"]).into_keys().map(|name| {
        let optional = presence(schema, &name).is_some_and(|presence| presence == "optional");
        if optional { format!("{name}?") } else { name }
    });
    let more = if schema["additionalProperties"] == false { "" } else { " …" };
    format!("{{{}{more}}}", fields.collect::<Vec<_>>().join(" "))
}

fn presence(schema: &Value, field: &str) -> Option<String> {
    schema["properties"].get(field)?;
    let required = schema["required"].as_array().is_some_and(|required| required.contains(&field.into()));
    Some(if required { "required" } else { "optional" }.to_owned())
}

fn kind(schema: &Value) -> Option<String> {
    match schema.get("type")? {
        Value::Array(types) => {
            let types = types.iter().filter_map(Value::as_str).filter(|kind| *kind != "null");
            Some(types.collect::<Vec<_>>().join("|"))
        }
        one => one.as_str().map(str::to_owned),
    }
}

fn values(schema: &Value) -> Option<String> {
    let mut values = match (schema.get("const"), schema.get("enum")) {
        (Some(only), _) => vec![only.to_string()],
        (None, Some(Value::Array(values))) => values.iter().map(Value::to_string).collect(),
        _ => return None,
    };
    values.sort();
    Some(format!("[{}]", values.join(" ")))
}
