//! Scripts that a tenant adds to its page.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// A script of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Script {
    /// The markup to inject.
    #[schemars(length(max = 50_000))]
    pub content: String,
    /// What it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(max = 500))]
    pub description: Option<String>,
    /// Whether visitors get it.
    #[serde(default = "enabled")]
    pub enabled: bool,
    /// Where it goes.
    #[serde(default)]
    pub injection_point: InjectionPoint,
    /// What its owner calls it.
    #[schemars(with = "NameUpTo<100>")]
    pub name: String,
}

fn enabled() -> bool {
    true
}
