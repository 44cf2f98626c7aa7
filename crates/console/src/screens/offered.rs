//! What forms of pages and of blocks offer to choose from: the tenant's pictures, and the actions of a page.

use serde_json::Value;

use crate::client::Refused;
use crate::json::{items, list_of, some, text};
use crate::parts::field::Choice;
use crate::visit::Visit;

/// The types of assets that are pictures.
pub(super) const PICTURES: [&str; 3] = ["image", "logo", "icon"];
/// How many of each there are to choose from.
pub(super) const OFFERED: &str = "100";

/// The newest pictures of each type. Other assets, however many, keep none of them away.
pub(super) async fn pictures(visit: &Visit) -> Result<Vec<Value>, Refused> {
    let mut pictures = Vec::new();
    for asset_type in PICTURES {
        let asked = [("assetType", Some(asset_type)), ("limit", Some(OFFERED))];
        pictures.extend_from_slice(items(&visit.api.find("/v0/assets", &asked).await?.body));
    }
    Ok(pictures)
}

/// Things of the API by one of their texts, under their names.
pub(super) fn named<'a>(things: impl IntoIterator<Item = &'a Value>, id: &str) -> Vec<Choice> {
    things.into_iter().map(|thing| Choice::new(text(thing, id), text(thing, "name"))).collect()
}

/// The actions of a page, under what their buttons say.
pub(super) fn actions(page: &Value) -> Vec<Choice> {
    let actions = list_of(page, "actions");
    let action = |action: &Value| {
        let label = some(action, "buttonTitle").unwrap_or_else(|| text(action, "actionId"));
        Choice::new(text(action, "actionId"), label)
    };
    actions.iter().map(action).collect()
}

/// These, or none of them.
pub(super) fn or_none(visit: &Visit, choices: &[Choice]) -> Vec<Choice> {
    let none = Choice::new("", visit.text("none"));
    std::iter::once(none).chain(choices.iter().cloned()).collect()
}
