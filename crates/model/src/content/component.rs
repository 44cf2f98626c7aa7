//! The components that a page is built of.
//!
//! Texts are plain unless their field is called `markdown` or `html`, and those are sanitised when they are drawn. Actions are named
//! by their id, so that a changed button needs no new version; an id that no longer names anything is left out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::part::{Choice, FeatureCard, FrameItem, Picture, Stat, Testimonial};
use super::tag::{Tag, Tagged};
use crate::json::tagged_union;

/// What a page opens with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Hero {
    /// `hero`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "hero"))]
    pub kind: Tag<Hero>,
    /// Its id, unique in the document; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// A few words above the title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 120))]
    pub eyebrow: Option<String>,
    /// The page's first heading.
    #[schemars(length(min = 1, max = 300))]
    pub title: String,
    /// A sentence or two under it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 1000))]
    pub subtitle: Option<String>,
    /// A picture beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Picture")]
    pub image: Option<Picture>,
    /// The actions offered, the most important one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 3))]
    pub action_ids: Vec<String>,
}

impl Tagged for Hero {
    const TAG: &'static str = "hero";
}

/// Text in Markdown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Text {
    /// `text`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "text"))]
    pub kind: Tag<Text>,
    /// Its id, unique in the document; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Its heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 300))]
    pub title: Option<String>,
    /// The text.
    #[schemars(length(min = 1, max = 50000))]
    pub markdown: String,
}

impl Tagged for Text {
    const TAG: &'static str = "text";
}

/// A picture with room of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImageBlock {
    /// `image`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "image"))]
    pub kind: Tag<ImageBlock>,
    /// Its id, unique in the document; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// The picture.
    pub image: Picture,
    /// What is said under it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 1000))]
    pub caption: Option<String>,
}

impl Tagged for ImageBlock {
    const TAG: &'static str = "image";
}

/// A video, which is only fetched when the visitor starts it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VideoBlock {
    /// `video`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "video"))]
    pub kind: Tag<VideoBlock>,
    /// Its id, unique in the document; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Its heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 300))]
    pub title: Option<String>,
    /// The address of a video file, or of a video at YouTube, Vimeo, Loom or Wistia.
    #[schemars(with = "crate::page::Url")]
    pub url: String,
    /// What is said under it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 1000))]
    pub caption: Option<String>,
}

impl Tagged for VideoBlock {
    const TAG: &'static str = "video";
}

/// A table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Table {
    /// `table`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "table"))]
    pub kind: Tag<Table>,
    /// Its id, unique in the document; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Its heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 300))]
    pub title: Option<String>,
    /// The heads of the columns.
    #[schemars(length(min = 1, max = 12))]
    pub columns: Vec<String>,
    /// The rows, each with a cell for every column.
    #[schemars(length(min = 1, max = 200))]
    pub rows: Vec<Vec<String>>,
}

impl Tagged for Table {
    const TAG: &'static str = "table";
}

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

/// A text in a frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Frame {
    /// `frame`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "frame"))]
    pub kind: Tag<Frame>,
    /// Its id, unique in the document; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Its heading.
    #[schemars(length(min = 1, max = 300))]
    pub title: String,
    /// The text.
    #[schemars(length(max = 20000))]
    pub markdown: String,
    /// Whether it is folded until the visitor opens it.
    #[serde(default)]
    pub collapsible: bool,
}

impl Tagged for Frame {
    const TAG: &'static str = "frame";
}

/// Texts that open when their heading is chosen, such as questions and answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FrameList {
    /// `frame-list`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "frame-list"))]
    pub kind: Tag<FrameList>,
    /// Its id, unique in the document; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Its heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 300))]
    pub title: Option<String>,
    /// The texts with their headings.
    #[schemars(length(min = 1, max = 40))]
    pub frames: Vec<FrameItem>,
}

impl Tagged for FrameList {
    const TAG: &'static str = "frame-list";
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
    #[schemars(length(max = 3))]
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

/// A component that somebody wrote by hand; scripts, styles and handlers in it are left out when it is drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Custom {
    /// `custom`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "custom"))]
    pub kind: Tag<Custom>,
    /// Its id, unique in the document; made when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// What it is called; shown to nobody.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
    /// Its markup.
    #[schemars(length(max = 50000))]
    pub html: String,
}

impl Tagged for Custom {
    const TAG: &'static str = "custom";
}

tagged_union! {
    /// A block of a document.
    Component by "type" {
        "hero" => Hero(Hero),
        "text" => Text(Text),
        "image" => Image(ImageBlock),
        "video" => Video(VideoBlock),
        "table" => Table(Table),
        "feature-cards" => FeatureCards(FeatureCards),
        "frame" => Frame(Frame),
        "frame-list" => FrameList(FrameList),
        "testimonial-carousel" => TestimonialCarousel(TestimonialCarousel),
        "call-to-action" => CallToAction(CallToAction),
        "stats-cards" => StatsCards(StatsCards),
        "logo-marquee" => LogoMarquee(LogoMarquee),
        "threads" => Threads(Threads),
        "custom" => Custom(Custom),
    }
}
