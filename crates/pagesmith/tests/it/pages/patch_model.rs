//! Any sequence of changes gives the page that merging them in memory gives.
//!
//! The model is the decisions' sentence: given fields replace, whole; others stay. On top of that come the few things that the server
//! makes: positions and missing ids, defaults, the title, and a header action that goes with its action.

use std::time::Duration;

use pagesmith_model::bounds::NOT_BLANK;
use pagesmith_testkit::fixtures;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{address, make, read};
use crate::property;

#[test]
fn any_sequence_of_changes_gives_the_page_that_the_model_gives() {
    property::holds(24, &prop::collection::vec(any_patch(), 1..12), async |case, patches| {
        let made = make(&case.client, &fixtures::full_page()).await;
        let mut model = made.clone();
        for patch in patches {
            case.app.advance(Duration::from_millis(10));
            let answer = case.client.patch(&address(&made), &patch).await;
            let Some(expected) = merged(&model, &patch) else {
                assert_eq!(answer.issues(), [("unknown_reference".to_owned(), "headerActionId".to_owned())]);
                assert_eq!(read(&case.client, &made).await, model);
                continue;
            };
            let actual = answer.expect(200).json();
            let mut expected = with_made_ids(&expected, &actual);
            expected["updatedAt"] = if expected == model {
                model["updatedAt"].clone()
            } else {
                case.app.platform.clock().now().to_string().into()
            };
            assert_eq!(actual, expected, "after {patch:#}\non {model:#}");
            assert_eq!(read(&case.client, &made).await, actual);
            model = actual;
        }
    });
}

/// What the page becomes, missing ids aside; none if the patch names an action that the page does not have.
fn merged(page: &Value, patch: &Value) -> Option<Value> {
    let mut page = page.clone();
    for (field, value) in patch.as_object().unwrap() {
        match field.as_str() {
            "actions" => page["actions"] = numbered(value),
            "metadata" => page["metadata"] = answered_metadata(value),
            "scripts" => {
                page["scripts"] = value.as_array().unwrap().iter().map(with_script_defaults).collect();
            }
            _ => page[field] = value.clone(),
        }
    }
    let header = page.get("headerActionId").cloned().unwrap_or_default();
    let known =
        page["actions"].as_array().unwrap().iter().any(|action| action.get("actionId") == Some(&header));
    if !header.is_null() && !known && patch.get("headerActionId").is_some() {
        return None;
    }
    if !known {
        page.as_object_mut().unwrap().remove("headerActionId");
    }
    page["title"] =
        page.get("metadata").and_then(|metadata| metadata.get("title")).unwrap_or(&page["name"]).clone();
    Some(page)
}

fn numbered(actions: &Value) -> Value {
    let mut actions = actions.clone();
    for (index, action) in actions.as_array_mut().unwrap().iter_mut().enumerate() {
        action["actionIndex"] = index.into();
    }
    actions
}

fn answered_metadata(metadata: &Value) -> Value {
    let mut answered = metadata.clone();
    if let Some(image) = answered.as_object_mut().unwrap().remove("ogImage") {
        answered["ogImageFileId"] = image["fileId"].clone();
    }
    answered
}

fn with_script_defaults(script: &Value) -> Value {
    let mut full = json!({ "enabled": true, "injectionPoint": "body-end" });
    full.as_object_mut().unwrap().extend(script.as_object().unwrap().clone());
    full
}

/// The expected page with the ids that the server has made where none were given.
fn with_made_ids(expected: &Value, actual: &Value) -> Value {
    let mut page = expected.clone();
    for (field, id, prefix) in [
        ("actions", "actionId", "action_"),
        ("navLinks", "id", "pagelink_"),
        ("footerLinks", "id", "pagelink_"),
    ] {
        for (at, entry) in page[field].as_array_mut().unwrap().iter_mut().enumerate() {
            take_id(entry, &actual[field][at], id, prefix);
            let links = entry.get_mut("links").and_then(Value::as_array_mut).into_iter().flatten();
            for (place, link) in links.enumerate() {
                take_id(link, &actual[field][at]["links"][place], id, prefix);
            }
        }
    }
    page
}

fn take_id(expected: &mut Value, actual: &Value, field: &str, prefix: &str) {
    if expected.get(field).is_none() {
        let made = actual[field].as_str().unwrap_or_default();
        assert!(made.starts_with(prefix) && made.len() == prefix.len() + 26, "{actual}");
        expected[field] = made.into();
    }
}

fn any_patch() -> impl Strategy<Value = Value> {
    let fields = (
        prop::option::of(any_name()),
        prop::option::of(any_text(1)),
        prop::option::of(any_text(0)),
        prop::option::of(prop::sample::select(vec![
            "inbound",
            "outbound",
            "call_followup",
            "sales_deck",
            "custom",
        ])),
        prop::option::of(any_actions()),
        prop::option::of(prop::option::of(prop::sample::select(vec!["a", "b", "book", "nothing"]))),
        prop::option::of(any_metadata()),
        prop::option::of(any_scripts()),
        prop::option::of(any_nav_links()),
        prop::option::of(any_footer_links()),
        prop::option::of(Just(Value::Null)),
    );
    fields.prop_map(|(name, context, brand, kind, actions, header, metadata, scripts, nav, footer, block)| {
        let fields = [
            ("name", name.map(Value::from)),
            ("pageContext", context.map(Value::from)),
            ("brandId", brand.map(Value::from)),
            ("pageType", kind.map(Value::from)),
            ("actions", actions),
            ("headerActionId", header.map(Value::from)),
            ("metadata", metadata),
            ("scripts", scripts),
            ("navLinks", nav),
            ("footerLinks", footer),
            ("navLinkBlockId", block.clone()),
            ("footerLinkBlockId", block),
        ];
        given(fields)
    })
}

fn given<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let fields = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(fields.collect::<Map<String, Value>>())
}

fn any_text(shortest: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(any::<char>().prop_filter("NUL is refused", |char| *char != '\0'), shortest..8)
        .prop_map(String::from_iter)
}

/// A text that is empty, or has a visible character.
fn any_title() -> impl Strategy<Value = String> {
    any_text(0).prop_filter("a title is no blank", |text| (NOT_BLANK.accepts)(text))
}

fn any_actions() -> impl Strategy<Value = Value> {
    let action = (any_title(), 0..4_u8).prop_map(|(text, kind)| match kind {
        0 => json!({ "actionType": "open-url", "purpose": text, "buttonTitle": text, "url": "https://acme.example/?q=1#a" }),
        1 => json!({ "actionType": "form", "purpose": text, "buttonTitle": text, "formId": "f", "formInstructions": text }),
        2 => json!({ "actionType": "copy-text", "purpose": text, "buttonTitle": text, "copyText": text }),
        _ => json!({ "actionType": format!("other-{text}"), "url": text }),
    });
    let ids = prop::sample::subsequence(vec!["a", "b", "book"], 0..=3).prop_shuffle();
    (prop::collection::vec(action, 0..4), ids).prop_map(|(mut actions, ids)| {
        for (action, id) in actions.iter_mut().zip(ids) {
            action["actionId"] = id.into();
        }
        actions.into()
    })
}

fn any_metadata() -> impl Strategy<Value = Value> {
    let fields = (
        prop::option::of(any_name()),
        prop::option::of(any_text(0)),
        prop::option::of(prop::collection::vec(any_text(0), 0..3)),
        prop::option::of(prop::sample::select(vec!["website", "article"])),
        prop::option::of(any_text(0)),
    );
    fields.prop_map(|(title, description, keywords, kind, file)| {
        given([
            ("title", title.map(Value::from)),
            ("description", description.map(Value::from)),
            ("keywords", keywords.map(Value::from)),
            ("ogType", kind.map(Value::from)),
            ("ogImage", file.map(|file| json!({ "type": "file", "fileId": file }))),
        ])
    })
}

/// A text with a visible character.
fn any_name() -> impl Strategy<Value = String> {
    any_text(1).prop_filter("a name can be seen", |text| (NOT_BLANK.accepts)(text))
}

fn any_scripts() -> impl Strategy<Value = Value> {
    let script = (any_name(), any_text(0), any::<Option<bool>>(), prop::option::of(Just("head")));
    let script = script.prop_map(|(name, content, enabled, point)| {
        given([
            ("name", Some(name.into())),
            ("content", Some(content.into())),
            ("enabled", enabled.map(Value::from)),
            ("injectionPoint", point.map(Value::from)),
        ])
    });
    prop::collection::vec(script, 0..3).prop_map(Value::from)
}

fn any_link() -> impl Strategy<Value = Value> {
    (prop::option::of(any_text(0)), any_text(0)).prop_map(|(id, text)| {
        given([("id", id.map(Value::from)), ("text", Some(text.clone().into())), ("url", Some(text.into()))])
    })
}

fn any_nav_links() -> impl Strategy<Value = Value> {
    let entry = (any_link(), any_title(), prop::collection::vec(any_link(), 0..3), 0..3_u8);
    let entry = entry.prop_map(|(mut link, title, links, kind)| {
        match kind {
            0 => link["type"] = "link".into(),
            1 => link["type"] = "search".into(),
            _ => return json!({ "type": "group", "title": title, "links": links }),
        }
        link
    });
    prop::collection::vec(entry, 0..3).prop_map(Value::from)
}

fn any_footer_links() -> impl Strategy<Value = Value> {
    let group = (prop::option::of(any_text(0)), any_title(), prop::collection::vec(any_link(), 0..3));
    let group = group.prop_map(|(id, title, links)| {
        given([("id", id.map(Value::from)), ("title", Some(title.into())), ("links", Some(links.into()))])
    });
    prop::collection::vec(group, 0..3).prop_map(Value::from)
}
