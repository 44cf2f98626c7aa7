//! The components that a page is built of.
//!
//! Texts are plain unless their field is called `markdown` or `html`, and those are sanitised when they are drawn. Actions are named
//! by their id, so that a changed button needs no new version; an id that no longer names anything is left out.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::json::tagged_union;

/// Where in a block something stands: field names and indices.
pub type Path = Vec<String>;

/// The name of a component, which its type says already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tag<T>(PhantomData<T>);

/// A component by its name.
pub trait Tagged {
    /// The text of its `type`.
    const TAG: &'static str;
}

impl<T> Default for Tag<T> {
    fn default() -> Tag<T> {
        Tag(PhantomData)
    }
}

impl<T: Tagged> Serialize for Tag<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(T::TAG)
    }
}

/// The union has looked at the text before.
impl<'de, T> Deserialize<'de> for Tag<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tag<T>, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Tag::default())
    }
}

impl<T> JsonSchema for Tag<T> {
    fn schema_name() -> Cow<'static, str> {
        "Tag".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

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
    #[schemars(with = "String", length(min = 1))]
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

macro_rules! each {
    ($component:expr, $block:ident => $value:expr) => {
        match $component {
            Component::Hero($block) => $value,
            Component::Text($block) => $value,
            Component::Image($block) => $value,
            Component::Video($block) => $value,
            Component::Table($block) => $value,
            Component::FeatureCards($block) => $value,
            Component::Frame($block) => $value,
            Component::FrameList($block) => $value,
            Component::TestimonialCarousel($block) => $value,
            Component::CallToAction($block) => $value,
            Component::StatsCards($block) => $value,
            Component::LogoMarquee($block) => $value,
            Component::Threads($block) => $value,
            Component::Custom($block) => $value,
        }
    };
}

impl Component {
    /// Its id; `None` until it is kept.
    pub fn block_id(&self) -> Option<&str> {
        each!(self, block => block.block_id.as_deref())
    }

    /// Gives it this id.
    pub(super) fn set_block_id(&mut self, id: String) {
        each!(self, block => block.block_id = Some(id));
    }

    /// The actions it names, each with its place.
    pub fn action_ids(&self) -> Vec<(Path, &str)> {
        match self {
            Component::Hero(block) => named(&block.action_ids),
            Component::CallToAction(block) => named(&block.action_ids),
            Component::FeatureCards(block) => {
                let ids = block.cards.iter().enumerate();
                let at = |index: usize| path(&["cards", &index.to_string(), "actionId"]);
                ids.filter_map(|(index, card)| Some((at(index), card.action_id.as_deref()?))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The addresses that the page fetches for it, each with its place.
    pub(super) fn addresses(&self) -> Vec<(Path, &str)> {
        match self {
            Component::Hero(block) => {
                block.image.iter().map(|image| (path(&["image", "url"]), image.url.as_str())).collect()
            }
            Component::Image(block) => vec![(path(&["image", "url"]), &block.image.url)],
            Component::Video(block) => vec![(path(&["url"]), &block.url)],
            Component::LogoMarquee(block) => {
                let at = |index: usize| path(&["logos", &index.to_string(), "url"]);
                block.logos.iter().enumerate().map(|(index, logo)| (at(index), logo.url.as_str())).collect()
            }
            Component::TestimonialCarousel(block) => {
                let at = |index: usize| path(&["testimonials", &index.to_string(), "picture", "url"]);
                let all = block.testimonials.iter().enumerate();
                all.filter_map(|(index, one)| Some((at(index), one.picture.as_ref()?.url.as_str()))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The rows of a table that are not as wide as its head: place, width wanted, width found.
    pub(super) fn crooked_rows(&self) -> Vec<(Path, usize, usize)> {
        let Component::Table(table) = self else { return Vec::new() };
        let wanted = table.columns.len();
        let rows = table.rows.iter().enumerate().filter(|(_, row)| row.len() != wanted);
        rows.map(|(index, row)| (path(&["rows", &index.to_string()]), wanted, row.len())).collect()
    }
}

fn named(ids: &[String]) -> Vec<(Path, &str)> {
    let at = |index: usize| path(&["actionIds", &index.to_string()]);
    ids.iter().enumerate().map(|(index, id)| (at(index), id.as_str())).collect()
}

fn path(parts: &[&str]) -> Path {
    parts.iter().map(ToString::to_string).collect()
}
