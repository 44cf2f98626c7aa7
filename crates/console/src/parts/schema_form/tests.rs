//! Forms from schemas as a browser sends them: what is shown comes back, and buttons change lists and nothing else.

use proptest::prelude::*;
use scraper::{Html, Selector};
use serde_json::{Value, json};

use super::{DO, FormLayout, SchemaForm, cleaned};
use crate::words::Words;

/// Shows all fields of the components that the tests are about.
struct All;

impl FormLayout for All {
    fn shown(&self, _: &str, _: &Value) -> Vec<&'static str> {
        vec![
            "title", "columns", "rows", "plans", "name", "price", "text", "points", "image", "url", "altText",
        ]
    }

    fn label(&self, place: &str) -> String {
        place.to_owned()
    }

    fn kinds(&self, _: &str) -> Vec<(&'static str, String)> {
        vec![("", "Add".to_owned())]
    }

    fn name(&self, _: &str, _: &Value) -> String {
        "Item".to_owned()
    }
}

fn form(kind: &str) -> SchemaForm<'static> {
    SchemaForm::new(SchemaForm::component(kind).unwrap(), &All)
}

/// What a browser sends of a form that shows this.
fn sent(form: &SchemaForm<'_>, object: &Value) -> Vec<(String, String)> {
    let drawn = form.draw("f", object, (&[], None), Words::choose(None, None)).into_string();
    let html = Html::parse_fragment(&drawn);
    let controls = Selector::parse(":is(input, textarea)[name]").unwrap();
    let value = |control: scraper::ElementRef<'_>| match control.attr("value") {
        Some(value) => value.to_owned(),
        None => {
            let text: String = control.text().collect();
            text.strip_prefix('\n').unwrap_or(&text).replace('\n', "\r\n")
        }
    };
    html.select(&controls).map(|control| (control.attr("name").unwrap().to_owned(), value(control))).collect()
}

fn command(act: &str) -> Vec<(String, String)> {
    vec![(DO.to_owned(), act.to_owned())]
}

#[test]
fn what_is_empty_is_left_out_and_what_is_not_shown_is_kept() {
    let hero = form("hero");
    let known = json!({ "type": "hero", "blockId": "top", "title": "T", "actionIds": ["a"],
        "image": { "url": "https://example.com/a.png", "altText": "", "width": 12 } });
    let entered = sent(&hero, &known);
    assert_eq!(cleaned(&hero.read(&entered, &known)), known);
    let windows = json!({ "type": "text", "markdown": "one\r\ntwo" });
    let text = form("text");
    assert_eq!(text.read(&sent(&text, &windows), &windows), windows);
    let emptied: Vec<(String, String)> =
        entered.iter().map(|(name, _)| (name.clone(), String::new())).collect();
    let read = hero.read(&emptied, &json!({ "type": "hero", "title": "T" }));
    assert_eq!(read, json!({ "type": "hero", "title": "" }));
}

#[test]
fn a_button_that_means_nothing_changes_nothing() {
    let object = json!({ "title": "T", "plans": [{ "name": "A" }, { "name": "B" }] });
    for act in [
        "",
        "plans",
        "plans.0.up",
        "plans.1.down",
        "plans.2.remove",
        "plans.x.up",
        "title.add",
        "plans.0.name.add",
        "plans.0.fly",
    ] {
        let mut after = object.clone();
        assert_eq!(SchemaForm::rearranged(&command(act), &mut after), None, "{act}");
        assert_eq!(after, object, "{act}");
    }
}

proptest! {
    #[test]
    fn a_form_shows_what_it_is_given_and_reads_what_it_shows(
        title in "[^\\x00-\\x1f]{1,20}",
        plans in proptest::collection::vec(("[^\\x00-\\x1f]{1,10}", "[a-z €9]{0,6}", proptest::collection::vec("[a-zé|]{1,6}", 0..3)), 1..5),
    ) {
        let plans: Vec<Value> = plans.into_iter().map(|(name, price, points)| {
            let mut plan = json!({ "name": name, "hidden": "kept" });
            if !price.is_empty() { plan["price"] = price.into(); }
            if !points.is_empty() { plan["points"] = points.into(); }
            plan
        }).collect();
        let known = json!({ "type": "price-cards", "blockId": "p", "title": title, "plans": plans });
        let form = form("price-cards");
        prop_assert_eq!(cleaned(&form.read(&sent(&form, &known), &known)), known);
    }

    #[test]
    fn items_go_where_they_are_sent_and_keep_what_is_not_shown(
        acts in proptest::collection::vec((0..5_usize, 0..4_u8), 0..12),
    ) {
        let known = json!({ "plans": [
            { "name": "A", "hidden": 1 }, { "name": "B", "hidden": 2 }, { "name": "C", "hidden": 3 },
        ] });
        let form = form("price-cards");
        let mut shown = known.clone();
        let mut expected: Vec<Value> = known["plans"].as_array().unwrap().clone();
        for (at, act) in acts {
            // Each button sends the form as it is shown, and what comes back is shown again.
            let act = match act { 0 => "up", 1 => "down", 2 => "remove", _ => "add" };
            let name = if act == "add" { "plans.add".to_owned() } else { format!("plans.{at}.{act}") };
            let mut entered = sent(&form, &shown);
            entered.extend(command(&name));
            shown = form.read(&entered, &known);
            SchemaForm::rearranged(&entered, &mut shown);
            match act {
                "add" => expected.push(json!({ "name": "" })),
                "remove" if at < expected.len() => drop(expected.remove(at)),
                "up" if at > 0 && at < expected.len() => expected.swap(at, at - 1),
                "down" if at + 1 < expected.len() => expected.swap(at, at + 1),
                _ => {}
            }
        }
        let read = form.read(&sent(&form, &shown), &known);
        let found: Vec<Value> = read["plans"].as_array().cloned().unwrap_or_default();
        let found: Vec<Value> = found.iter().map(cleaned).collect();
        prop_assert_eq!(found, expected);
    }
}
