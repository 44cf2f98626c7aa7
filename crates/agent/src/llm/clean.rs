//! What a model may not have said is taken out of its document: actions and addresses that the brief has not got, free HTML.
//!
//! What this is not: a repair of what is missing. Invariant: it only takes away, shortens or fills up a table's rows.

use std::collections::{HashMap, HashSet};

use pagesmith_model::asset::AssetType;
use pagesmith_model::brief::{AssetBrief, Brief};
use pagesmith_model::content::Content;
use pagesmith_model::content::component::Component;
use pagesmith_template_agent::shared::{pictures, text};
use serde_json::{Map, Value};

use super::addresses::Addresses;

/// What a document may refer to.
pub struct Allowed<'a> {
    actions: HashSet<&'a str>,
    addresses: Addresses,
    assets: &'a [AssetBrief],
    /// Other assets, which may stay where they are or move, each with its alternative text.
    shown: HashMap<String, Option<Value>>,
}

/// The most blocks of a document that a model writes.
pub const MOST_BLOCKS: usize = 60;

/// The components without free HTML.
const KINDS: &[&str] = &[
    "hero",
    "text",
    "image",
    "video",
    "table",
    "feature-cards",
    "frame",
    "frame-list",
    "testimonial-carousel",
    "call-to-action",
    "stats-cards",
    "logo-marquee",
    "threads",
    "steps",
    "comparison",
    "price-cards",
];

impl<'a> Allowed<'a> {
    /// What the document of this brief may refer to.
    pub fn by(brief: &'a Brief) -> Allowed<'a> {
        let supplement = brief.supplementary_context.as_deref().unwrap_or_default();
        // Addresses that knowledge names are none of the brief; those of videos are the tenant's own.
        let videos = brief.assets.iter().filter_map(|asset| asset.video_url.as_deref());
        let texts = [&*brief.page_context, supplement].into_iter().chain(videos);
        Allowed {
            actions: brief.actions.iter().map(pagesmith_model::page::action::Action::id).collect(),
            addresses: Addresses::of(texts),
            assets: &brief.assets,
            shown: HashMap::new(),
        }
    }

    /// The same for a page that exists: what it refers to it may go on referring to, and what these texts name as well.
    pub fn on(brief: &'a Brief, page: &Content, others: &[&str]) -> Allowed<'a> {
        let mut allowed = Allowed::by(brief);
        let value = serde_json::to_value(page).unwrap_or_default();
        let mut texts: Vec<&str> = others.to_vec();
        collect(&value, &mut texts, &mut allowed.shown);
        allowed.addresses.extend(texts);
        allowed
    }

    /// A field without what it may not refer to; nothing if nothing is left of it. `path` is its place in its block.
    pub fn cleaned_field(&self, path: &str, value: Value) -> Option<Value> {
        let is_index = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        let name = parts.iter().rev().find(|part| !is_index(part))?;
        let is_item = parts.last().is_some_and(is_index);
        let value = if is_item { Value::Array(vec![value]) } else { value };
        let mut object = Map::from_iter([((*name).to_owned(), value)]);
        self.clean_object(&mut object);
        match object.remove(*name)? {
            Value::Array(mut items) if is_item => items.pop(),
            value => Some(value),
        }
    }

    /// Whether the brief has the action.
    pub fn has_action(&self, id: &str) -> bool {
        self.actions.contains(id)
    }

    /// The block without what it may not refer to; nothing if nothing is left of it.
    pub fn cleaned(&self, block: Value) -> Option<Value> {
        let Value::Object(mut block) = block else { return None };
        let kind = block.get("type")?.as_str()?.to_owned();
        if !KINDS.contains(&kind.as_str()) {
            return None;
        }
        block.remove("blockId");
        self.clean_object(&mut block);
        match kind.as_str() {
            "image" if !block.contains_key("image") => return None,
            "video" if !block.contains_key("url") => return None,
            "logo-marquee" if ["logos", "names"].iter().all(|list| is_empty(block.get(*list))) => {
                return None;
            }
            "table" => straighten(&mut block),
            _ => {}
        }
        Some(Value::Object(block))
    }

    /// Whether all Markdown of a block leads only to addresses of the brief.
    ///
    /// To be asked again of what was changed after [`Allowed::cleaned`]: what stands side by side once something between is gone
    /// may be a link.
    pub fn leads_nowhere_else(&self, block: &Component) -> bool {
        serde_json::to_value(block).is_ok_and(|block| self.has_only_known(&block))
    }

    fn has_only_known(&self, value: &Value) -> bool {
        match value {
            Value::Array(all) => all.iter().all(|value| self.has_only_known(value)),
            Value::Object(fields) => fields.iter().all(|(name, value)| match value {
                Value::String(text) if name == "markdown" => self.addresses.only_in(text) == *text,
                value => self.has_only_known(value),
            }),
            _ => true,
        }
    }

    /// Whether a picture is one of the brief. What is told of an asset is what its owner called it, whatever the model says.
    fn is_picture(&self, picture: &mut Value) -> bool {
        let Some(picture) = picture.as_object_mut() else { return false };
        match picture.get("assetId").filter(|id| !id.is_null() && id.as_str() != Some("")) {
            Some(id) => {
                let id = id.as_str();
                if let Some(alt_text) = id.and_then(|id| self.shown.get(id)) {
                    picture.remove("altText");
                    picture.extend(alt_text.clone().map(|text| ("altText".to_owned(), text)));
                    return true;
                }
                let is_shown = |asset: &&AssetBrief| matches!(asset.kind, AssetType::Image | AssetType::Logo);
                let mut known = self.assets.iter().filter(is_shown);
                let Some(asset) = known.find(|asset| Some(asset.asset_id.as_str()) == id) else {
                    return false;
                };
                *picture = Map::from_iter([
                    ("assetId".to_owned(), asset.asset_id.as_str().into()),
                    ("altText".to_owned(), pictures::alt_text(asset).into()),
                ]);
                true
            }
            None => picture.get("url").and_then(Value::as_str).is_some_and(|url| self.addresses.hold(url)),
        }
    }

    fn clean_object(&self, object: &mut Map<String, Value>) {
        let is_wrong =
            |url: Option<&Value>| !url.and_then(Value::as_str).is_some_and(|url| self.addresses.hold(url));
        for name in ["image", "picture"] {
            if object.get_mut(name).is_some_and(|picture| !self.is_picture(picture)) {
                object.remove(name);
            }
        }
        if object.contains_key("url") && is_wrong(object.get("url")) {
            object.remove("url");
        }
        if let Some(Value::Array(logos)) = object.get_mut("logos") {
            logos.retain_mut(|logo| self.is_picture(logo));
        }
        if let Some(Value::Array(ids)) = object.get_mut("actionIds") {
            ids.retain(|id| id.as_str().is_some_and(|id| self.has_action(id)));
            ids.truncate(3);
        }
        if object.get("actionId").is_some_and(|id| !id.as_str().is_some_and(|id| self.has_action(id))) {
            object.remove("actionId");
        }
        // An empty text or a null says what its absence says.
        object.retain(|_, value| !value.is_null() && value.as_str() != Some(""));
        for (name, value) in object {
            match value {
                Value::String(text) => {
                    let clean = text::clean(text);
                    *text = if name == "markdown" { self.addresses.only_in(&clean) } else { clean };
                }
                Value::Array(all) if name == "points" => clean_list(all, 500),
                Value::Array(all) if name == "names" => clean_list(all, 100),
                Value::Array(all) => all
                    .iter_mut()
                    .filter_map(Value::as_object_mut)
                    .for_each(|object| self.clean_object(object)),
                Value::Object(object) => self.clean_object(object),
                _ => {}
            }
        }
    }
}

/// The texts of a document, and the ids of the assets that it shows.
fn collect<'v>(value: &'v Value, texts: &mut Vec<&'v str>, assets: &mut HashMap<String, Option<Value>>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect(item, texts, assets)),
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(id) if name == "assetId" => {
                        assets.insert(id.clone(), fields.get("altText").cloned());
                    }
                    field => collect(field, texts, assets),
                }
            }
        }
        _ => {}
    }
}

fn is_empty(list: Option<&Value>) -> bool {
    list.and_then(Value::as_array).is_none_or(Vec::is_empty)
}

/// Cleans a list of plain texts, of at most so many characters each.
fn clean_list(list: &mut Vec<Value>, most: usize) {
    for item in list.iter_mut() {
        if let Value::String(item) = item {
            *item = text::line(item, most);
        }
    }
    list.retain(|item| item.as_str() != Some(""));
}

/// Makes every row as wide as the head.
fn straighten(table: &mut Map<String, Value>) {
    let width = table.get("columns").and_then(Value::as_array).map_or(0, Vec::len);
    for row in table.get_mut("rows").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(cells) = row.as_array_mut() {
            cells.resize(width, Value::String(String::new()));
            for cell in cells {
                // A number is what a model likes to write into a cell.
                if cell.is_number() || cell.is_boolean() {
                    *cell = Value::String(cell.to_string());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pagesmith_model::page::PageType;
    use serde_json::json;

    use super::*;

    fn brief() -> Brief {
        let action = json!({ "actionId": "go", "actionIndex": 0, "purpose": "p", "buttonTitle": "Go", "actionType": "open-url", "url": "https://x.y" });
        Brief {
            actions: vec![serde_json::from_value(action).unwrap()],
            ..Brief::new(
                PageType::Inbound,
                "Page",
                "See https://good.example/a.png and https://good.example/page",
            )
        }
    }

    #[test]
    fn a_picture_of_the_page_keeps_the_text_that_its_owner_gave_it() {
        let page: Content = serde_json::from_value(json!({ "format": 1, "head": {}, "blocks": [
            { "type": "image", "blockId": "a", "image": { "assetId": "asset_a", "altText": "A smith" } },
            { "type": "image", "blockId": "b", "image": { "assetId": "asset_b" } },
        ] }))
        .unwrap();
        let brief = brief();
        let allowed = Allowed::on(&brief, &page, &[]);
        for (id, alt_text) in [("asset_a", json!("A smith")), ("asset_b", Value::Null)] {
            let image =
                json!({ "type": "image", "image": { "assetId": id, "altText": "A happy team in Paris" } });
            let cleaned = allowed.cleaned(image).unwrap();
            assert_eq!((&cleaned["image"]["assetId"], &cleaned["image"]["altText"]), (&json!(id), &alt_text));
        }
    }

    #[test]
    fn what_the_brief_has_not_got_is_taken_out() {
        let brief = brief();
        let allowed = Allowed::by(&brief);
        let hero = json!({ "type": "hero", "blockId": "x", "title": "T", "subtitle": null, "eyebrow": "", "actionIds": ["go", "gone"],
            "image": { "url": "https://made-up.example/a.png", "altText": "A" } });
        assert_eq!(allowed.cleaned(hero), Some(json!({ "type": "hero", "title": "T", "actionIds": ["go"] })));
        let text = json!({ "type": "text", "markdown": "[a](https://good.example/page) [b](javascript:alert) ![c](https://evil.example/c.png) d" });
        assert_eq!(
            allowed.cleaned(text),
            Some(json!({ "type": "text", "markdown": "[a](https://good.example/page) b  d" }))
        );
        let table = json!({ "type": "table", "columns": ["A", "B"], "rows": [["1"], [2, "3", "4"]] });
        assert_eq!(
            allowed.cleaned(table),
            Some(json!({ "type": "table", "columns": ["A", "B"], "rows": [["1", ""], ["2", "3"]] }))
        );
        let plans = json!({ "type": "price-cards", "plans": [{ "name": "A", "points": ["a", "", " b "], "actionId": "gone" }] });
        assert_eq!(
            allowed.cleaned(plans),
            Some(json!({ "type": "price-cards", "plans": [{ "name": "A", "points": ["a", "b"] }] }))
        );
        let names = json!({ "type": "logo-marquee", "logos": [{ "url": "https://made-up.example/l.png" }], "names": ["A", ""] });
        assert_eq!(
            allowed.cleaned(names),
            Some(json!({ "type": "logo-marquee", "logos": [], "names": ["A"] }))
        );
        for gone in [
            json!({ "type": "logo-marquee", "logos": [], "names": [""] }),
            json!({ "type": "custom", "name": "x", "html": "<script>" }),
            json!({ "type": "popup" }),
            json!({ "type": "image", "image": { "url": "javascript:alert(1)" } }),
            json!("text"),
        ] {
            assert_eq!(allowed.cleaned(gone), None);
        }
    }

    #[test]
    fn a_changed_block_is_asked_again_where_it_leads() {
        let brief = brief();
        let allowed = Allowed::by(&brief);
        let leads = |markdown: &str| {
            let frames = json!({ "type": "frame-list", "frames": [{ "title": "Q", "markdown": "a" }, { "title": "Q", "markdown": markdown }] });
            allowed.leads_nowhere_else(&serde_json::from_value(frames).unwrap())
        };
        assert!(leads("[a](https://good.example/page)\n```\n[b](//evil.example)\n```"));
        assert!(!leads("[a](\n|)"));
        assert!(!leads("![a](https://evil.example/a.png)"));
    }
}
