//! What helps visitors to decide: the steps that lie ahead, two sides compared, and prices.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::content::part::{ComparisonColumn, PricePlan, Step};
use crate::content::tag::{Tag, Tagged};
use crate::example::example;

/// Steps in their order, with numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "steps",
    "blockId": "start",
    "title": "How to start",
    "steps": [example::<Step>(), { "title": "Invite your team" }],
}))]
pub struct Steps {
    /// Type of the block: `steps`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "steps"))]
    pub kind: Tag<Steps>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Heading above the steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::bounds::Heading")]
    pub title: Option<String>,
    /// The steps, the first one first.
    #[schemars(length(min = 2, max = 20))]
    pub steps: Vec<Step>,
}

impl Tagged for Steps {
    const TAG: &'static str = "steps";
}

/// Two columns that are compared, such as today and with the product.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "comparison",
    "blockId": "difference",
    "title": "What changes",
    "columns": [
        { "title": "Spreadsheets", "points": ["Figures are a week old", "Nobody knows who changed what"] },
        example::<ComparisonColumn>(),
    ],
}))]
pub struct Comparison {
    /// Type of the block: `comparison`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "comparison"))]
    pub kind: Tag<Comparison>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Heading above the columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::bounds::Heading")]
    pub title: Option<String>,
    /// The two columns. The second one is emphasised, so it has what the page recommends.
    #[schemars(length(equal = 2))]
    pub columns: Vec<ComparisonColumn>,
}

impl Tagged for Comparison {
    const TAG: &'static str = "comparison";
}

/// Plans with their prices, as cards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "price-cards",
    "blockId": "prices",
    "title": "Prices",
    "plans": [example::<PricePlan>(), { "name": "Company", "price": "on request" }],
}))]
pub struct PriceCards {
    /// Type of the block: `price-cards`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "price-cards"))]
    pub kind: Tag<PriceCards>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Heading above the cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::bounds::Heading")]
    pub title: Option<String>,
    /// The plans, in order.
    #[schemars(length(min = 1, max = 6))]
    pub plans: Vec<PricePlan>,
}

impl Tagged for PriceCards {
    const TAG: &'static str = "price-cards";
}
