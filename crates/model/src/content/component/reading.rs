//! What is read and looked at: texts, pictures, videos, tables, and what unfolds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds;
use crate::content::part::{FrameItem, Picture};
use crate::content::tag::{Tag, Tagged};

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
    #[schemars(with = "Vec<bounds::Text>", length(max = 3))]
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
    #[schemars(with = "Vec<bounds::Text>", length(min = 1, max = 12))]
    pub columns: Vec<String>,
    /// The rows, each with a cell for every column.
    #[schemars(with = "Vec<Vec<bounds::Text>>", length(min = 1, max = 200))]
    pub rows: Vec<Vec<String>>,
}

impl Tagged for Table {
    const TAG: &'static str = "table";
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
