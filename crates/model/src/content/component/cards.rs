//! What stands side by side, is counted or is chosen from: cards, voices, numbers, logos, questions, and the call to act.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bounds;
use crate::content::part::{Choice, FeatureCard, Picture, Stat, Testimonial};
use crate::content::tag::{Tag, Tagged};
use crate::example::example;

/// Cards side by side, such as features or benefits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "feature-cards",
    "blockId": "features",
    "title": "What it does",
    "cards": [
        example::<FeatureCard>(),
        { "title": "Answers", "text": "Ask in plain language." },
    ],
}))]
pub struct FeatureCards {
    /// Type of the block: `feature-cards`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "feature-cards"))]
    pub kind: Tag<FeatureCards>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Heading above the cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::bounds::Heading")]
    pub title: Option<String>,
    /// A sentence or two below the heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 1000))]
    pub subtitle: Option<String>,
    /// The cards, in order.
    #[schemars(length(min = 2, max = 6))]
    pub cards: Vec<FeatureCard>,
}

impl Tagged for FeatureCards {
    const TAG: &'static str = "feature-cards";
}

/// Quotes of customers. One alone is shown large.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "testimonial-carousel",
    "blockId": "voices",
    "title": "What customers say",
    "testimonials": [example::<Testimonial>()],
}))]
pub struct TestimonialCarousel {
    /// Type of the block: `testimonial-carousel`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "testimonial-carousel"))]
    pub kind: Tag<TestimonialCarousel>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Heading above the quotes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::bounds::Heading")]
    pub title: Option<String>,
    /// The quotes, in order.
    #[schemars(length(min = 1, max = 12))]
    pub testimonials: Vec<Testimonial>,
}

impl Tagged for TestimonialCarousel {
    const TAG: &'static str = "testimonial-carousel";
}

/// A heading with buttons that asks visitors to act.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "call-to-action",
    "blockId": "act",
    "title": "See it with your own figures",
    "text": "A demo takes twenty minutes.",
    "actionIds": ["book-demo"],
}))]
pub struct CallToAction {
    /// Type of the block: `call-to-action`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "call-to-action"))]
    pub kind: Tag<CallToAction>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Heading.
    #[schemars(with = "crate::bounds::Heading")]
    pub title: String,
    /// A sentence or two below the heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 1000))]
    pub text: Option<String>,
    /// Ids of actions of the page that are offered as buttons, the most important one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<bounds::Text>", length(max = 3))]
    pub action_ids: Vec<String>,
}

impl Tagged for CallToAction {
    const TAG: &'static str = "call-to-action";
}

/// Large figures with their meaning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "stats-cards",
    "blockId": "figures",
    "title": "In figures",
    "stats": [example::<Stat>(), { "value": "2 min", "label": "from question to answer" }],
}))]
pub struct StatsCards {
    /// Type of the block: `stats-cards`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "stats-cards"))]
    pub kind: Tag<StatsCards>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Heading above the figures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::bounds::Heading")]
    pub title: Option<String>,
    /// The figures, in order.
    #[schemars(length(min = 2, max = 4))]
    pub stats: Vec<Stat>,
}

impl Tagged for StatsCards {
    const TAG: &'static str = "stats-cards";
}

/// A band of logos. Companies without a logo can be named instead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "logo-marquee",
    "blockId": "customers",
    "title": "Trusted by",
    "logos": [example::<Picture>()],
}))]
pub struct LogoMarquee {
    /// Type of the block: `logo-marquee`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "logo-marquee"))]
    pub kind: Tag<LogoMarquee>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Heading above the logos.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::bounds::Heading")]
    pub title: Option<String>,
    /// The logos, in order. At least one logo or name is required.
    #[serde(default)]
    #[schemars(length(max = 40))]
    pub logos: Vec<Picture>,
    /// Names that are shown as text after the logos, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<bounds::NameUpTo<100>>", length(max = 30))]
    pub names: Vec<String>,
}

impl Tagged for LogoMarquee {
    const TAG: &'static str = "logo-marquee";
}

/// A question to visitors, with a text for each answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "threads",
    "blockId": "role",
    "question": "What do you do?",
    "choices": [example::<Choice>(), { "label": "Controlling", "markdown": "Compare plan and actuals." }],
}))]
pub struct Threads {
    /// Type of the block: `threads`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "threads"))]
    pub kind: Tag<Threads>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// The question.
    #[schemars(length(min = 1, max = 300))]
    pub question: String,
    /// The answers that visitors can choose from.
    #[schemars(length(min = 2, max = 4))]
    pub choices: Vec<Choice>,
}

impl Tagged for Threads {
    const TAG: &'static str = "threads";
}
