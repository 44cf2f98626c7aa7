//! What the form of a form shows: what visitors are asked, and what follows.

use serde_json::{Map, Value, json};

use crate::parts::field::Choice;
use crate::parts::schema_form::{FormLayout, cleaned};
use crate::visit::Visit;

/// The longest name of a field in submissions that is made of a label, with room for a number.
const KEY: usize = 60;
/// The kinds of fields, in the order in which they are offered.
const KINDS: [&str; 12] = [
    "text",
    "long-text",
    "email",
    "phone",
    "url",
    "number",
    "date",
    "choice",
    "choices",
    "consent",
    "file",
    "hidden",
];
/// What belongs to some kinds of fields only.
const OF_KINDS: [&str; 7] =
    ["options", "value", "minLength", "maxLength", "minimum", "maximum", "personField"];
/// What of a person an answer can tell.
const OF_PERSONS: [&str; 7] =
    ["name", "firstName", "lastName", "email", "phoneNumber", "linkedinProfileUrl", "none"];

/// What the fields of a form are called.
pub(super) struct FormFieldsLayout<'a>(pub &'a Visit);

/// The properties that a field of this kind has beside those of all.
fn of_kind(kind: &str) -> &'static [&'static str] {
    match kind {
        "text" => &["minLength", "maxLength", "personField"],
        "long-text" => &["minLength", "maxLength"],
        "email" | "phone" | "url" => &["personField"],
        "number" => &["minimum", "maximum"],
        "choice" | "choices" => &["options"],
        "hidden" => &["value"],
        _ => &[],
    }
}

impl FormLayout for FormFieldsLayout<'_> {
    fn shown(&self, place: &str, object: &Value) -> Vec<&'static str> {
        match place {
            "" => vec![
                "name",
                "title",
                "instructions",
                "fields",
                "submitLabel",
                "afterSubmission",
                "spamFilter",
            ],
            "fields" => {
                let kind = object["kind"].as_str().unwrap_or_default();
                let first = ["kind", "label", "help", "required"].into_iter();
                first.chain(of_kind(kind).iter().copied()).chain(["key"]).collect()
            }
            _ => vec!["message", "redirectUrl", "nextActionId"],
        }
    }

    fn label(&self, place: &str) -> String {
        let visit = self.0;
        match place {
            "name" => visit.text("name"),
            "title" => visit.text("form-title"),
            "instructions" => visit.text("form-instructions"),
            "fields" => visit.text("form-fields"),
            "submitLabel" => visit.text("form-submit"),
            "afterSubmission" => visit.text("form-after"),
            "spamFilter" => visit.text("form-spam"),
            "fields.kind" => visit.text("form-kind"),
            "fields.label" => visit.text("form-label"),
            "fields.help" => visit.text("form-help"),
            "fields.required" => visit.text("form-required"),
            "fields.options" => visit.text("form-options"),
            "fields.value" => visit.text("form-value"),
            "fields.minLength" => visit.text("form-min-length"),
            "fields.maxLength" => visit.text("form-max-length"),
            "fields.minimum" => visit.text("form-minimum"),
            "fields.maximum" => visit.text("form-maximum"),
            "fields.personField" => visit.text("form-person"),
            "fields.key" => visit.text("form-key"),
            "afterSubmission.message" => visit.text("form-thanks"),
            "afterSubmission.redirectUrl" => visit.text("form-redirect"),
            _ => visit.text("form-next-action"),
        }
    }

    fn help(&self, place: &str) -> String {
        let visit = self.0;
        match place {
            "name" => visit.text("form-name-help"),
            "title" => visit.text("form-title-help"),
            "instructions" => visit.text("form-instructions-help"),
            "submitLabel" => visit.text("form-submit-help"),
            "fields.label" => visit.text("form-label-help"),
            "fields.options" => visit.text("content-lines-help"),
            "fields.personField" => visit.text("form-person-help"),
            "fields.key" => visit.text("form-key-help"),
            "afterSubmission.redirectUrl" => visit.text("form-redirect-help"),
            "afterSubmission.nextActionId" => visit.text("form-next-action-help"),
            "spamFilter" => visit.text("form-spam-help"),
            _ => String::new(),
        }
    }

    fn choices(&self, place: &str) -> Option<Vec<Choice>> {
        let visit = self.0;
        match place {
            "fields.kind" => Some(KINDS.map(|kind| Choice::new(kind, kind_word(visit, kind))).to_vec()),
            "fields.personField" => {
                let none = Choice::new("", visit.text("form-person-usual"));
                let told = OF_PERSONS.iter().map(|name| Choice::new(*name, person_word(visit, name)));
                Some(std::iter::once(none).chain(told).collect())
            }
            "spamFilter" => Some(vec![
                Choice::new("standard", visit.text("form-spam-standard")),
                Choice::new("strict", visit.text("form-spam-strict")),
                Choice::new("off", visit.text("form-spam-off")),
            ]),
            _ => None,
        }
    }

    fn kinds(&self, _: &str) -> Vec<(&'static str, String)> {
        let add = |kind: &'static str| {
            (kind, self.0.words.with("add-item", &[("name", kind_word(self.0, kind).into())]))
        };
        ["text", "email", "choice", "consent"].map(add).to_vec()
    }

    fn kind(&self, _: &str) -> Option<&'static str> {
        Some("kind")
    }

    fn name(&self, _: &str, item: &Value) -> String {
        let label = item["label"].as_str().filter(|label| !label.is_empty());
        let kind = kind_word(self.0, item["kind"].as_str().unwrap_or_default());
        label.map_or_else(|| kind.clone(), |label| format!("{kind}: {label}"))
    }
}

/// What a kind of fields is called.
pub(super) fn kind_word(visit: &Visit, kind: &str) -> String {
    match kind {
        "long-text" => visit.text("form-kind-long-text"),
        "email" => visit.text("email"),
        "phone" => visit.text("form-kind-phone"),
        "url" => visit.text("form-kind-url"),
        "number" => visit.text("form-kind-number"),
        "date" => visit.text("form-kind-date"),
        "choice" => visit.text("form-kind-choice"),
        "choices" => visit.text("form-kind-choices"),
        "consent" => visit.text("form-kind-consent"),
        "file" => visit.text("form-kind-file"),
        "hidden" => visit.text("form-kind-hidden"),
        _ => visit.text("form-kind-text"),
    }
}

fn person_word(visit: &Visit, name: &str) -> String {
    match name {
        "name" => visit.text("person-whole-name"),
        "firstName" => visit.text("person-first-name"),
        "lastName" => visit.text("person-last-name"),
        "email" => visit.text("email"),
        "phoneNumber" => visit.text("form-kind-phone"),
        "linkedinProfileUrl" => visit.text("person-linkedin"),
        _ => visit.text("form-person-none"),
    }
}

/// The body of a request with what was entered: all that the form shows, with null for what is empty. A field that was given no name is named
/// after its label.
pub(super) fn body(entered: &Value) -> Value {
    let mut body = cleaned(entered);
    let key_of = |field: &Value| field["key"].as_str().map(str::trim).unwrap_or_default().to_owned();
    if let Some(fields) = body["fields"].as_array_mut() {
        let mut names: Vec<String> = fields.iter().map(key_of).collect();
        for field in fields.iter_mut() {
            let is_named = !key_of(field).is_empty();
            let Some(field) = field.as_object_mut() else { continue };
            fit(field);
            if !is_named {
                let key = free_key(field.get("label").and_then(Value::as_str).unwrap_or_default(), &names);
                names.push(key.clone());
                field.insert("key".to_owned(), key.into());
            }
        }
    }
    for name in ["title", "instructions", "submitLabel"] {
        if body[name].is_null() {
            body[name] = Value::Null;
        }
    }
    if body["afterSubmission"].is_null() {
        body["afterSubmission"] = json!({});
    }
    body
}

/// Takes away what does not belong to the kind of a field any more.
fn fit(field: &mut Map<String, Value>) {
    let kept = of_kind(field.get("kind").and_then(Value::as_str).unwrap_or_default());
    field.retain(|name, _| !OF_KINDS.contains(&name.as_str()) || kept.contains(&name.as_str()));
}

/// A name of a field that none of these is: letters, digits and `_`.
fn free_key(label: &str, names: &[String]) -> String {
    let plain = |char: char| if char.is_ascii_alphanumeric() { char.to_ascii_lowercase() } else { '_' };
    let plain: String = label.chars().map(plain).collect();
    let mut key = plain.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_");
    if !key.starts_with(|char: char| char.is_ascii_alphabetic()) {
        key = format!("field_{key}");
    }
    let key: String = key.trim_end_matches('_').chars().take(KEY).collect();
    let numbered = (2..).map(|number| format!("{key}_{number}"));
    std::iter::once(key.clone()).chain(numbered).find(|key| !names.contains(key)).unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_named_after_its_label() {
        let names = ["work_e_mail".to_owned()];
        assert_eq!(free_key("Work e-mail *", &names), "work_e_mail_2");
        assert_eq!(free_key("名前", &[]), "field");
        assert_eq!(free_key("2nd choice", &[]), "field_2nd_choice");
        assert_eq!(free_key(&"long ".repeat(40), &[]).len(), KEY);
    }

    #[test]
    fn what_belongs_to_another_kind_is_taken_away() {
        let entered = json!({ "name": "F", "fields": [
            { "#": "0", "kind": "choice", "label": "A b", "minLength": 3, "options": ["x"], "key": "" },
            { "#": "", "kind": "text", "label": "A b", "options": ["x"], "personField": "name", "key": "ab" },
        ] });
        let expected = json!({ "name": "F", "title": null, "instructions": null, "submitLabel": null, "afterSubmission": {}, "fields": [
            { "kind": "choice", "label": "A b", "options": ["x"], "key": "a_b" },
            { "kind": "text", "label": "A b", "personField": "name", "key": "ab" },
        ] });
        assert_eq!(body(&entered), expected);
    }
}
