//! What components are made of: pictures, cards, testimonials, numbers, choices, steps, columns and plans.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bounds::Bounded;

/// A picture: one of the tenant's assets, or any by its address.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "url": "https://example.com/forecast.png",
    "altText": "A forecast as a line chart",
    "width": 1200,
    "height": 630,
}))]
pub struct Picture {
    /// Id of the asset that the picture is. Its address, width and height are looked up when the page is shown, and
    /// while the asset is in the trash the page does without the picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub asset_id: Option<String>,
    /// Address of a picture that is no asset: an http or https URL.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(with = "crate::page::Url")]
    pub url: String,
    /// Description for visitors who do not see the picture. Empty if it only decorates.
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub alt_text: String,
    /// Width in pixels, so that its place is kept while it loads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 20000))]
    pub width: Option<u32>,
    /// Height in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 20000))]
    pub height: Option<u32>,
}

/// A card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "title": "Forecasts",
    "text": "See next quarter before it begins.",
    "actionId": "book-demo",
}))]
pub struct FeatureCard {
    /// Heading of the card.
    #[schemars(with = "crate::bounds::Heading")]
    pub title: String,
    /// Text of the card.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = 2000))]
    pub text: String,
    /// Id of the action of the page that the card leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::bounds::SomeText")]
    pub action_id: Option<String>,
    /// Picture at the head of the card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Picture")]
    pub picture: Option<Picture>,
}

/// A text with a heading, or a question with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "title": "Is there a free plan?", "markdown": "Yes, for up to **ten** people." }))]
pub struct FrameItem {
    /// Heading, or question.
    #[schemars(with = "crate::bounds::NameUpTo<500>")]
    pub title: String,
    /// Text or answer, in Markdown.
    #[schemars(length(max = 20000))]
    pub markdown: String,
}

/// A quote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "quote": "We close the books two days earlier.",
    "author": "Grace Hopper",
    "role": "Head of finance, Example Inc.",
}))]
pub struct Testimonial {
    /// The words.
    #[schemars(length(min = 1, max = 2000))]
    pub quote: String,
    /// Name of the person who said them.
    #[schemars(with = "crate::bounds::NameUpTo<200>")]
    pub author: String,
    /// Role and company of that person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 300))]
    pub role: Option<String>,
    /// Portrait of that person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Picture")]
    pub picture: Option<Picture>,
}

/// A figure and its meaning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "value": "34 %", "label": "less time for the monthly report" }))]
pub struct Stat {
    /// The figure with its unit, such as `34 %`.
    #[schemars(length(min = 1, max = 40))]
    pub value: String,
    /// What the figure counts.
    #[schemars(length(min = 1, max = 300))]
    pub label: String,
}

/// An answer that visitors can choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "label": "Finance", "markdown": "Close the month faster." }))]
pub struct Choice {
    /// The answer.
    #[schemars(length(min = 1, max = 200))]
    pub label: String,
    /// Text that is shown when the answer is chosen, in Markdown.
    #[schemars(length(max = 20000))]
    pub markdown: String,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "title": "Connect your accounts", "text": "It takes ten minutes." }))]
pub struct Step {
    /// Heading of the step.
    #[schemars(with = "crate::bounds::Heading")]
    pub title: String,
    /// Text of the step.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = 2000))]
    pub text: String,
}

/// A column of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "title": "Forecasts",
    "points": ["Figures of this morning", "Every change has an author"],
}))]
pub struct ComparisonColumn {
    /// Heading of the column.
    #[schemars(with = "crate::bounds::Heading")]
    pub title: String,
    /// What there is to say of it, point by point.
    #[schemars(with = "Vec<Bounded<1, 500>>", length(min = 1, max = 20))]
    pub points: Vec<String>,
}

/// A plan with its price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "name": "Team",
    "price": "190 € a month",
    "text": "For finance teams with one company.",
    "points": ["Ten seats", "Support by e-mail"],
    "actionId": "book-demo",
}))]
pub struct PricePlan {
    /// Name of the plan.
    #[schemars(with = "crate::bounds::Heading")]
    pub name: String,
    /// Price as it is written, such as `190 € a month`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 80))]
    pub price: Option<String>,
    /// Text of the plan.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = 2000))]
    pub text: String,
    /// What the plan includes, point by point.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Bounded<1, 500>>", length(max = 20))]
    pub points: Vec<String>,
    /// Id of the action of the page that the card leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::bounds::SomeText")]
    pub action_id: Option<String>,
}
