//! Scripts that a tenant adds to its page.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bounds::NameUpTo;

/// Where in the document a script goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum InjectionPoint {
    /// At the end of the head.
    Head,
    /// Right after the body begins.
    BodyStart,
    /// Right before the body ends.
    #[default]
    BodyEnd,
}

/// Markup that the tenant adds to its page, such as the snippet of an analytics service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "name": "Analytics",
    "description": "Counts visits.",
    "content": "<script async src=\"https://example.com/analytics.js\"></script>",
    "enabled": true,
    "injectionPoint": "body-end",
}))]
pub struct Script {
    /// Markup that is inserted.
    #[schemars(length(max = 50_000))]
    pub content: String,
    /// What the script does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(max = 500))]
    pub description: Option<String>,
    /// Whether visitors get the script.
    #[serde(default = "enabled")]
    pub enabled: bool,
    /// Where the markup is inserted: at the end of the head, or at the start or the end of the body.
    #[serde(default)]
    pub injection_point: InjectionPoint,
    /// Name of the script.
    #[schemars(with = "NameUpTo<100>")]
    pub name: String,
}

fn enabled() -> bool {
    true
}
