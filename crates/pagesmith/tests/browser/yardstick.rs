//! The briefs of the template agent's yardstick, as bodies of requests.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../template-agent/briefs")
}

/// The names of all of them, in order.
pub fn names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> =
        files.filter_map(|file| Some(file.to_str()?.strip_suffix(".toml")?.to_owned())).collect();
    names.sort();
    names
}

/// One of them as it is in its file.
pub fn brief(name: &str) -> Value {
    let text = std::fs::read_to_string(folder().join(format!("{name}.toml"))).unwrap();
    toml::from_str(&text).unwrap()
}

/// The body that makes a brief's page. Its actions have the ids that the yardstick gives them.
pub fn page(brief: &Value) -> Value {
    let action = |(at, action): (usize, &Value)| {
        json!({ "actionId": format!("action-{at}"), "purpose": action["purpose"].as_str().unwrap_or_default(), "buttonTitle": action["title"],
                "actionType": "open-url", "url": "https://example.com/go" })
    };
    let actions = brief["actions"].as_array().into_iter().flatten().enumerate().map(action);
    json!({
        "name": brief["page_name"],
        "pageType": brief["page_type"].as_str().unwrap().replace('-', "_"),
        "pageContext": brief["context"],
        "brandId": "",
        "actions": actions.collect::<Vec<_>>(),
        "actionCardWidgets": [],
        "scripts": [],
    })
}
