//! What components are made of: pictures, cards, testimonials, numbers and choices.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Picture {
    /// Its address.
    #[schemars(with = "crate::page::Url")]
    pub url: String,
    /// What a visitor who does not see it is told; empty if it only decorates.
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub alt_text: String,
    /// Its width in pixels, which lets the page keep its place while it loads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 20000))]
    pub width: Option<u32>,
    /// Its height in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 20000))]
    pub height: Option<u32>,
}

/// One of several cards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FeatureCard {
    /// Its heading.
    #[schemars(length(min = 1, max = 300))]
    pub title: String,
    /// What it says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = 2000))]
    pub text: String,
    /// The action that it leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::bounds::SomeText")]
    pub action_id: Option<String>,
}

/// A heading with a text that can be hidden under it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FrameItem {
    /// The heading, or the question.
    #[schemars(length(min = 1, max = 500))]
    pub title: String,
    /// The text, or the answer.
    #[schemars(length(max = 20000))]
    pub markdown: String,
}

/// What somebody said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Testimonial {
    /// The words.
    #[schemars(length(min = 1, max = 2000))]
    pub quote: String,
    /// Who said them.
    #[schemars(length(min = 1, max = 200))]
    pub author: String,
    /// What they do, and where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 300))]
    pub role: Option<String>,
    /// Their portrait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Picture")]
    pub picture: Option<Picture>,
}

/// A number and what it means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Stat {
    /// The number with its unit, such as `34 %`.
    #[schemars(length(min = 1, max = 40))]
    pub value: String,
    /// What it counts.
    #[schemars(length(min = 1, max = 300))]
    pub label: String,
}

/// One answer that a visitor can choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Choice {
    /// What the visitor chooses.
    #[schemars(length(min = 1, max = 200))]
    pub label: String,
    /// What the visitor reads then.
    #[schemars(length(max = 20000))]
    pub markdown: String,
}
