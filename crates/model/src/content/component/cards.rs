//! What stands side by side, is counted or is chosen from: cards, voices, numbers, logos, questions, and the call to act.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds;
use crate::content::part::{Choice, FeatureCard, Picture, Stat, Testimonial};
use crate::content::tag::{Tag, Tagged};

/// Cards beside each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FeatureCards {
    /// `feature-cards`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "feature-cards"))]
    pub kind: Tag<FeatureCards>,
    /// Its id, unique in the document; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Its heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 300))]
    pub title: Option<String>,
    /// A sentence or two under the heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 1000))]
    pub subtitle: Option<String>,
    /// The cards.
    #[schemars(length(min = 2, max = 6))]
    pub cards: Vec<FeatureCard>,
}

impl Tagged for FeatureCards {
    const TAG: &'static str = "feature-cards";
}

/// What others say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TestimonialCarousel {
    /// `testimonial-carousel`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "testimonial-carousel"))]
    pub kind: Tag<TestimonialCarousel>,
    /// Its id, unique in the document; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Its heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 300))]
    pub title: Option<String>,
    /// Their words.
    #[schemars(length(min = 1, max = 12))]
    pub testimonials: Vec<Testimonial>,
}

impl Tagged for TestimonialCarousel {
    const TAG: &'static str = "testimonial-carousel";
}

/// What a visitor is asked to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CallToAction {
    /// `call-to-action`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "call-to-action"))]
    pub kind: Tag<CallToAction>,
    /// Its id, unique in the document; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// The heading.
    #[schemars(length(min = 1, max = 300))]
    pub title: String,
    /// A sentence or two under it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 1000))]
    pub text: Option<String>,
    /// The actions offered, the most important one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<bounds::Text>", length(max = 3))]
    pub action_ids: Vec<String>,
}

impl Tagged for CallToAction {
    const TAG: &'static str = "call-to-action";
}

/// Numbers that speak for themselves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StatsCards {
    /// `stats-cards`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "stats-cards"))]
    pub kind: Tag<StatsCards>,
    /// Its id, unique in the document; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Its heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 300))]
    pub title: Option<String>,
    /// The numbers.
    #[schemars(length(min = 2, max = 4))]
    pub stats: Vec<Stat>,
}

impl Tagged for StatsCards {
    const TAG: &'static str = "stats-cards";
}

/// A band of logos.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LogoMarquee {
    /// `logo-marquee`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "logo-marquee"))]
    pub kind: Tag<LogoMarquee>,
    /// Its id, unique in the document; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Its heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 300))]
    pub title: Option<String>,
    /// The logos.
    #[schemars(length(min = 1, max = 40))]
    pub logos: Vec<Picture>,
}

impl Tagged for LogoMarquee {
    const TAG: &'static str = "logo-marquee";
}

/// A question to the visitor, and a text for each answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Threads {
    /// `threads`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "threads"))]
    pub kind: Tag<Threads>,
    /// Its id, unique in the document; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// The question.
    #[schemars(length(min = 1, max = 300))]
    pub question: String,
    /// The answers.
    #[schemars(length(min = 2, max = 4))]
    pub choices: Vec<Choice>,
}

impl Tagged for Threads {
    const TAG: &'static str = "threads";
}
