//! Fields of a form from the API's own schemas, and the request's body from what was entered.
//!
//! The subset: texts, numbers, yes or no, one or several of a set, texts line by line, and objects of these, by paths with dots. For
//! anything else there is no field, and a screen draws its own. What is entered is not judged here: what is no number travels as a
//! text, so that the API says what is wrong with it.

use serde_json::{Map, Number, Value};

use crate::parts::field::{Choice, Field, Kind};

/// Up to how many characters a text is entered in one line.
const ONE_LINE: u64 = 1_000;
/// How many references are followed before a schema counts as endless.
const DEEPEST: usize = 16;

/// The schema of a request among all of a document.
#[derive(Debug, Clone, Copy)]
pub struct SchemaFields<'a> {
    schemas: &'a Value,
    schema: &'a Value,
}

/// What kind of value a property takes.
#[derive(Debug, Clone, Copy)]
pub(super) enum PropertyKind<'a> {
    /// What one field holds.
    Leaf,
    /// Lists of texts within a list.
    Rows,
    /// An object.
    Object(SchemaFields<'a>),
    /// A list of objects.
    List(Items<'a>),
}

/// The objects of a list, which may be of several shapes told apart by a tag.
#[derive(Debug, Clone, Copy)]
pub(super) struct Items<'a> {
    schemas: &'a Value,
    items: &'a Value,
    /// The property that tells which shape an object has.
    pub tag: Option<&'a str>,
}

impl<'a> Items<'a> {
    /// The shape of an object: the one that its tag names, else the one for all others.
    pub fn of(&self, object: &Value) -> Option<SchemaFields<'a>> {
        let Some(tag) = self.tag else {
            return Some(SchemaFields { schemas: self.schemas, schema: self.items });
        };
        let named = object.get(tag).and_then(Value::as_str).unwrap_or_default();
        let known = self.items.get("discriminator")?.get("mapping")?.get(named);
        let shape = match known.and_then(Value::as_str) {
            Some(reference) => reference,
            None => self.items.get("anyOf")?.as_array()?.last()?.get("$ref")?.as_str()?,
        };
        let schema = self.schemas.get(shape.rsplit_once('/')?.1)?;
        Some(SchemaFields { schemas: self.schemas, schema })
    }
}

/// What a property takes.
#[derive(Debug, Clone)]
struct Property<'a> {
    schema: &'a Value,
    description: &'a str,
    default: Option<&'a Value>,
    is_required: bool,
    is_nullable: bool,
}

impl<'a> SchemaFields<'a> {
    /// The schema of this name in `components.schemas` of the document.
    pub fn of(document: &'a Value, name: &str) -> Option<SchemaFields<'a>> {
        let schemas = document.get("components")?.get("schemas")?;
        Some(SchemaFields { schemas, schema: schemas.get(name)? })
    }

    /// The field of a property, such as `name` or `look.accentColor`, holding what `present` has there. Its help is the
    /// document's description, without the marks of code.
    pub fn field(&self, path: &str, label: &str, present: &Value) -> Option<Field> {
        let property = self.property(path)?;
        let kind = kind(&property)?;
        let value = at(present, path).or(property.default).unwrap_or(&Value::Null);
        let is_list = property.schema.get("items").is_some() && matches!(kind, Kind::LongText(_));
        let values = if is_list { vec![texts(value).join("\n")] } else { texts(value) };
        let required = property.is_required && kind != Kind::Toggle && !may_be_empty(&property);
        let field = Field::new(path, label, kind).values(values).help(property.description.replace('`', ""));
        Some(Field { required, ..field })
    }

    /// The body of a request with what was entered for these paths; a path without a field is left out.
    pub fn body(&self, paths: &[&str], entered: &[(String, String)]) -> Value {
        let mut body = Value::Object(Map::new());
        for path in paths {
            let Some(property) = self.property(path) else { continue };
            let sent: Vec<&str> =
                entered.iter().filter(|(name, _)| name == path).map(|(_, value)| value.as_str()).collect();
            if let Some(value) = kind(&property).and_then(|kind| value(&property, &kind, &sent)) {
                put(&mut body, path, value);
            }
        }
        body
    }

    /// What kind of value a property takes; nothing if there is no such property, or no form for it.
    pub(super) fn part(&self, name: &str) -> Option<PropertyKind<'a>> {
        let property = self.property(name)?;
        let schema = property.schema;
        if schema.get("properties").is_some() {
            return Some(PropertyKind::Object(SchemaFields { schemas: self.schemas, schema }));
        }
        let Some(items) = schema.get("items") else { return Some(PropertyKind::Leaf) };
        if let Some(tag) = items.get("discriminator").and_then(|tag| tag.get("propertyName")) {
            return Some(PropertyKind::List(Items { schemas: self.schemas, items, tag: tag.as_str() }));
        }
        let items = self.resolved(items)?.schema;
        if items.get("properties").is_some() {
            return Some(PropertyKind::List(Items { schemas: self.schemas, items, tag: None }));
        }
        Some(if items.get("items").is_some() { PropertyKind::Rows } else { PropertyKind::Leaf })
    }

    /// The value of a leaf with what was entered for it; nothing if the property is to be left out.
    pub(super) fn leaf(&self, name: &str, sent: &[&str]) -> Option<Value> {
        let property = self.property(name)?;
        value(&property, &kind(&property)?, sent)
    }

    /// How many items a list needs at least.
    pub(super) fn least(&self, name: &str) -> u64 {
        let least = self.property(name).and_then(|property| property.schema.get("minItems")?.as_u64());
        least.unwrap_or_default()
    }

    /// Whether a property has to be there.
    pub(super) fn requires(&self, name: &str) -> bool {
        self.property(name).is_some_and(|property| property.is_required)
    }

    fn property(&self, path: &str) -> Option<Property<'a>> {
        let mut is_required = true;
        let mut schema = self.schema;
        let mut found = None;
        for name in path.split('.') {
            let named = schema.get("properties")?.get(name)?;
            let required = schema.get("required").and_then(Value::as_array);
            is_required &= required.is_some_and(|names| names.iter().any(|known| known == name));
            let mut property = self.resolved(named)?;
            property.is_required = is_required;
            schema = property.schema;
            found = Some(property);
        }
        found
    }

    /// Follows references and looks behind `anyOf` with null. What is said outside wins.
    fn resolved(&self, mut schema: &'a Value) -> Option<Property<'a>> {
        let (mut description, mut default, mut is_nullable) = (None, None, false);
        for _ in 0..DEEPEST {
            description = description.or_else(|| schema.get("description").and_then(Value::as_str));
            default = default.or_else(|| schema.get("default"));
            if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
                schema = self.schemas.get(reference.strip_prefix("#/components/schemas/")?)?;
            } else if let Some(any) = schema.get("anyOf").and_then(Value::as_array) {
                let is_null = |schema: &&Value| schema.get("type").is_some_and(|name| name == "null");
                let mut others = any.iter().filter(|schema| !is_null(schema));
                let only = others.next()?;
                if others.next().is_some() || any.len() == 1 {
                    return None;
                }
                is_nullable = true;
                schema = only;
            } else {
                is_nullable |= types(schema).any(|name| name == "null");
                let description = description.unwrap_or_default();
                return Some(Property { schema, description, default, is_required: false, is_nullable });
            }
        }
        None
    }
}

/// The types of a schema; one or several.
fn types(schema: &Value) -> impl Iterator<Item = &str> {
    let named = schema.get("type");
    let several = named.and_then(Value::as_array).into_iter().flatten();
    named.into_iter().chain(several).filter_map(Value::as_str)
}

/// Whether the empty text is a value: it need not be filled in, though it may have to be sent.
fn may_be_empty(property: &Property<'_>) -> bool {
    let schema = property.schema;
    types(schema).any(|name| name == "string")
        && ["enum", "format", "pattern"].iter().all(|rule| schema.get(rule).is_none())
        && schema.get("minLength").and_then(Value::as_u64).unwrap_or_default() == 0
}

fn kind(property: &Property<'_>) -> Option<Kind> {
    let schema = property.schema;
    let only = types(schema).find(|name| *name != "null")?;
    match only {
        "string" => Some(text_kind(property)),
        "integer" | "number" => {
            let limit = |name: &str| schema.get(name).and_then(Value::as_number).map(Number::to_string);
            Some(Kind::Number { min: limit("minimum"), max: limit("maximum"), whole: only == "integer" })
        }
        "boolean" => Some(Kind::Toggle),
        "array" => {
            let items = schema.get("items")?;
            if types(items).ne(["string"]) {
                return None;
            }
            Some(items.get("enum").map_or(Kind::LongText(None), |values| Kind::Choices(choices(values))))
        }
        _ => None,
    }
}

fn text_kind(property: &Property<'_>) -> Kind {
    let schema = property.schema;
    if let Some(values) = schema.get("enum") {
        let none = (property.is_nullable || !property.is_required && property.default.is_none())
            .then(|| Choice::new("", "–"));
        return Kind::Choice(none.into_iter().chain(choices(values)).collect());
    }
    let most = schema.get("maxLength").and_then(Value::as_u64);
    match schema.get("format").and_then(Value::as_str) {
        Some("email") => Kind::Email,
        Some("uri") => Kind::Url,
        Some("date") => Kind::Date,
        _ if most.is_some_and(|most| most > ONE_LINE) => Kind::LongText(most),
        _ => Kind::Text(most),
    }
}

fn choices(values: &Value) -> Vec<Choice> {
    let texts = values.as_array().into_iter().flatten().filter_map(Value::as_str);
    texts.map(|text| Choice::new(text, text)).collect()
}

/// What a field holds for a value.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Null | Value::Object(_) => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Bool(_) | Value::Number(_) => vec![value.to_string()],
    }
}

/// The value of what was sent for a property, or nothing if the property is to be left out.
fn value(property: &Property<'_>, kind: &Kind, sent: &[&str]) -> Option<Value> {
    // Browsers send line breaks as two characters.
    let text = sent.first().map(|text| text.replace("\r\n", "\n"));
    match kind {
        Kind::Toggle => Some(Value::Bool(text.as_deref() == Some("true"))),
        Kind::Choices(_) => listed(property, sent.iter().map(|text| Value::from(*text)).collect()),
        Kind::LongText(_) if property.schema.get("items").is_some() => {
            let lines =
                text.as_deref().unwrap_or_default().lines().map(str::trim).filter(|line| !line.is_empty());
            listed(property, lines.map(Value::from).collect())
        }
        Kind::Number { .. } => match text.as_deref().map(str::trim) {
            None | Some("") => absent(property),
            Some(text) => Some(text.parse::<Number>().map_or_else(|_| Value::from(text), Value::Number)),
        },
        _ => match text {
            Some(text) if !text.is_empty() => Some(Value::String(text)),
            _ => absent(property),
        },
    }
}

/// Null where that is a value, the empty text where that is one, else nothing, unless something has to be sent.
fn absent(property: &Property<'_>) -> Option<Value> {
    if property.is_nullable {
        Some(Value::Null)
    } else if may_be_empty(property) || property.is_required {
        Some(Value::from(""))
    } else {
        None
    }
}

/// An empty list is null where that is a value: it stands for all or none, as the API says.
fn listed(property: &Property<'_>, items: Vec<Value>) -> Option<Value> {
    if items.is_empty() && property.is_nullable { Some(Value::Null) } else { Some(Value::Array(items)) }
}

fn at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(value, |value, name| value.get(name))
}

fn put(body: &mut Value, path: &str, value: Value) {
    let mut place = body;
    for name in path.split('.') {
        let Value::Object(fields) = place else { return };
        place = fields.entry(name).or_insert_with(|| Value::Object(Map::new()));
    }
    *place = value;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::SchemaFields;
    use crate::parts::field::{Field, Kind};

    fn document() -> Value {
        json!({ "components": { "schemas": {
            "Colour": { "type": "string", "pattern": "^#", "description": "A colour." },
            "Look": { "type": "object", "properties": {
                "accent": { "$ref": "#/components/schemas/Colour", "description": "Of links." },
                "radius": { "type": "integer", "minimum": 0, "maximum": 40 } } },
            "Request": { "type": "object", "required": ["name", "notes"], "properties": {
                "name": { "type": "string", "minLength": 1, "maxLength": 200, "description": "Its name." },
                "notes": { "type": "string", "maxLength": 5000 },
                "mail": { "type": ["string", "null"], "format": "email" },
                "site": { "anyOf": [{ "type": "string", "format": "uri" }, { "type": "null" }] },
                "filter": { "type": "string", "enum": ["off", "strict"], "default": "strict" },
                "events": { "type": ["array", "null"], "items": { "type": "string", "enum": ["a", "b"] } },
                "tags": { "type": "array", "items": { "type": "string" } },
                "active": { "type": "boolean", "default": true },
                "weight": { "type": "number" },
                "look": { "$ref": "#/components/schemas/Look" },
                "target": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
                "loop": { "$ref": "#/components/schemas/Loop" } } },
            "Loop": { "$ref": "#/components/schemas/Loop" },
        } } })
    }

    const PATHS: [&str; 11] = [
        "name",
        "notes",
        "mail",
        "site",
        "filter",
        "events",
        "tags",
        "active",
        "weight",
        "look.accent",
        "look.radius",
    ];

    /// What a browser sends for a field.
    fn sent(field: &Field) -> Vec<(String, String)> {
        let pair = |value: &String| (field.name.clone(), value.replace('\n', "\r\n"));
        match field.kind {
            Kind::Choices(_) => field.values.iter().map(pair).collect(),
            Kind::Toggle => field.values.iter().filter(|value| *value == "true").map(pair).collect(),
            _ => vec![field.values.first().map_or((field.name.clone(), String::new()), pair)],
        }
    }

    #[test]
    fn properties_become_fields() {
        let document = document();
        let schema = SchemaFields::of(&document, "Request").unwrap();
        let field = |path| {
            schema.field(path, "Label", &json!({ "tags": ["x", "y"], "look": { "radius": 8 } })).unwrap()
        };
        assert_eq!(field("name").kind, Kind::Text(Some(200)));
        assert!(field("name").required && !field("notes").required && !field("mail").required);
        assert_eq!(field("notes").kind, Kind::LongText(Some(5000)));
        assert_eq!((field("mail").kind, field("site").kind), (Kind::Email, Kind::Url));
        assert_eq!(field("look.accent").help, "Of links.");
        let radius = field("look.radius");
        assert_eq!(radius.kind, Kind::Number { min: Some("0".into()), max: Some("40".into()), whole: true });
        assert_eq!(radius.values, ["8"]);
        assert_eq!(field("tags").values, ["x\ny"]);
        assert_eq!(field("filter").values, ["strict"]);
        for path in ["target", "loop", "look", "nothing", "name.more", ""] {
            assert!(schema.field(path, "", &Value::Null).is_none(), "{path}");
        }
    }

    #[test]
    fn what_is_left_empty_is_absent_null_or_empty_as_the_schema_says() {
        let document = document();
        let schema = SchemaFields::of(&document, "Request").unwrap();
        let expected = json!({ "name": "", "notes": "", "mail": null, "site": null, "events": null, "tags": [], "active": false });
        assert_eq!(schema.body(&PATHS, &[]), expected);
        let wrong = [("look.radius".to_owned(), "eight".to_owned())];
        assert_eq!(schema.body(&["look.radius"], &wrong), json!({ "look": { "radius": "eight" } }));
    }

    #[test]
    fn the_real_document_is_understood() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../api/openapi.json");
        let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let expected = [
            ("CreatePageRequest", "name"),
            ("CreateBrandRequest", "look.accentColor"),
            ("UpdatePersonRequest", "email"),
            ("UpdateWebhookSubscriptionRequest", "events"),
            ("CreateWebhookSubscriptionRequest", "url"),
            ("UpdateAudienceRequest", "actionUrlOverride"),
            ("UpdateAssetRequest", "tags"),
        ];
        for (name, path) in expected {
            let schema = SchemaFields::of(&document, name).unwrap();
            assert!(schema.field(path, "Label", &Value::Null).is_some(), "{name} {path}");
        }
    }

    proptest! {
        #[test]
        fn a_body_survives_its_form(
            name in "\\PC{1,20}", notes in "[a-z\n ]{0,20}", filter in "off|strict", active in any::<bool>(),
            events in proptest::sample::subsequence(vec!["a", "b"], 1..=2), tags in proptest::collection::vec("[a-z]{1,5}", 0..4),
            weight in -1_000_000_i64..1_000_000, radius in 0..40_u8, mail in proptest::option::of("[a-z]{1,5}@example.com"),
        ) {
            let document = document();
            let schema = SchemaFields::of(&document, "Request").unwrap();
            let body = json!({ "name": name, "notes": notes, "filter": filter, "active": active, "events": events, "tags": tags,
                "weight": weight, "look": { "accent": "#aabbcc", "radius": radius }, "mail": mail, "site": null });
            let fields: Vec<Field> = PATHS.iter().map(|path| schema.field(path, "", &body).unwrap()).collect();
            let entered: Vec<(String, String)> = fields.iter().flat_map(sent).collect();
            prop_assert_eq!(schema.body(&PATHS, &entered), body);
        }
    }
}
