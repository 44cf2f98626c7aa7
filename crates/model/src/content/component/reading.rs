//! What is read and looked at: texts, pictures, videos, tables, and what unfolds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bounds;
use crate::content::part::{FrameItem, Picture, Stat};
use crate::content::tag::{Tag, Tagged};
use crate::example::example;

/// The opening of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "hero",
    "blockId": "top",
    "eyebrow": "Spring release",
    "title": "Forecasts for finance teams",
    "subtitle": "Close the month with fewer spreadsheets.",
    "image": example::<Picture>(),
    "actionIds": ["book-demo"],
}))]
pub struct Hero {
    /// Type of the block: `hero`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "hero"))]
    pub kind: Tag<Hero>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// A few words above the title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 120))]
    pub eyebrow: Option<String>,
    /// First heading of the page.
    #[schemars(with = "crate::bounds::Heading")]
    pub title: String,
    /// A sentence or two below the title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 1000))]
    pub subtitle: Option<String>,
    /// Picture beside the title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Picture")]
    pub image: Option<Picture>,
    /// Figure beside the title. It is not shown if there is a picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Stat")]
    pub figure: Option<Stat>,
    /// Ids of actions of the page that are offered as buttons, the most important one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<bounds::Text>", length(max = 3))]
    pub action_ids: Vec<String>,
}

impl Tagged for Hero {
    const TAG: &'static str = "hero";
}

/// A text in Markdown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "text",
    "blockId": "why",
    "title": "Why forecasts",
    "markdown": "Plans are **guesses**. Forecasts use what you know already.",
}))]
pub struct Text {
    /// Type of the block: `text`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "text"))]
    pub kind: Tag<Text>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Heading above the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::bounds::Heading")]
    pub title: Option<String>,
    /// The text, in Markdown.
    #[schemars(length(min = 1, max = 50000))]
    pub markdown: String,
}

impl Tagged for Text {
    const TAG: &'static str = "text";
}

/// A picture of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "image",
    "blockId": "screen",
    "image": example::<Picture>(),
    "caption": "A forecast for two regions.",
}))]
pub struct ImageBlock {
    /// Type of the block: `image`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "image"))]
    pub kind: Tag<ImageBlock>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// The picture.
    pub image: Picture,
    /// Text below the picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 1000))]
    pub caption: Option<String>,
}

impl Tagged for ImageBlock {
    const TAG: &'static str = "image";
}

/// A video. It is only fetched when the visitor starts it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "video",
    "blockId": "tour",
    "title": "A tour in two minutes",
    "url": "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
    "caption": "With English subtitles.",
}))]
pub struct VideoBlock {
    /// Type of the block: `video`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "video"))]
    pub kind: Tag<VideoBlock>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Heading above the video.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::bounds::Heading")]
    pub title: Option<String>,
    /// Address of a video file, or of a video at YouTube, Vimeo, Loom or Wistia.
    #[schemars(with = "crate::page::Url")]
    pub url: String,
    /// Text below the video.
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
#[schemars(example = json!({
    "type": "table",
    "blockId": "plans",
    "title": "Plans",
    "columns": ["Plan", "Seats"],
    "rows": [["Team", "10"], ["Company", "Any number"]],
}))]
pub struct Table {
    /// Type of the block: `table`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "table"))]
    pub kind: Tag<Table>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Heading above the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::bounds::Heading")]
    pub title: Option<String>,
    /// Heads of the columns.
    #[schemars(with = "Vec<bounds::Text>", length(min = 1, max = 12))]
    pub columns: Vec<String>,
    /// Rows, each with one cell per column.
    #[schemars(with = "Vec<bounds::List<bounds::Text>>", length(min = 1, max = 200))]
    pub rows: Vec<Vec<String>>,
}

impl Tagged for Table {
    const TAG: &'static str = "table";
}

/// A text in a frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "frame",
    "blockId": "security",
    "title": "Security",
    "markdown": "Your figures stay in your own database.",
    "collapsible": true,
}))]
pub struct Frame {
    /// Type of the block: `frame`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "frame"))]
    pub kind: Tag<Frame>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Heading of the frame.
    #[schemars(with = "crate::bounds::Heading")]
    pub title: String,
    /// The text, in Markdown.
    #[schemars(length(max = 20000))]
    pub markdown: String,
    /// Whether the text is folded until the visitor opens it.
    #[serde(default)]
    pub collapsible: bool,
}

impl Tagged for Frame {
    const TAG: &'static str = "frame";
}

/// Texts that unfold when their heading is chosen, such as questions and answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "frame-list",
    "blockId": "questions",
    "title": "Questions and answers",
    "frames": [example::<FrameItem>()],
}))]
pub struct FrameList {
    /// Type of the block: `frame-list`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "frame-list"))]
    pub kind: Tag<FrameList>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Heading above the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "crate::bounds::Heading")]
    pub title: Option<String>,
    /// The texts with their headings, in order.
    #[schemars(length(min = 1, max = 40))]
    pub frames: Vec<FrameItem>,
}

impl Tagged for FrameList {
    const TAG: &'static str = "frame-list";
}

/// A component in HTML. Scripts, styles and event handlers in it are removed when it is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "type": "custom",
    "blockId": "prices",
    "name": "Prices",
    "html": "<p>From <strong>9 €</strong> a month.</p>",
}))]
pub struct Custom {
    /// Type of the block: `custom`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "custom"))]
    pub kind: Tag<Custom>,
    /// Id of the block, unique within the document. One is generated if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    pub block_id: Option<String>,
    /// Name of the component. Visitors do not see it.
    #[schemars(with = "crate::bounds::NameUpTo<100>")]
    pub name: String,
    /// Markup of the component.
    #[schemars(length(max = 50000))]
    pub html: String,
}

impl Tagged for Custom {
    const TAG: &'static str = "custom";
}
