//! The widgets on a page's action card: a marquee of logos, a video.
//!
//! The type is an open set: known ones are checked strictly, any other keeps the fields that the specification
//! lists. Fields with a default may be left out and are always answered.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;

use crate::bounds::{self, List, SomeText, Text, Title};
use crate::example::example;
use crate::json::tagged_union;

/// A picture: by address, as an uploaded file or as an asset.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "altText": "Example Inc.", "url": "https://example.com/logo.svg", "fileId": null, "assetId": null }))]
pub struct Image {
    /// Description for visitors who do not see the picture.
    #[serde(default)]
    #[schemars(with = "Option<Text>")]
    pub alt_text: Option<String>,
    /// Address of the picture.
    #[serde(default)]
    #[schemars(with = "Option<Text>")]
    pub url: Option<String>,
    /// Id of the uploaded file. An empty text counts as `null`.
    #[serde(default, deserialize_with = "none_if_empty")]
    #[schemars(with = "ImageId")]
    pub file_id: Option<String>,
    /// Id of the asset. An empty text counts as `null`.
    #[serde(default, deserialize_with = "none_if_empty")]
    #[schemars(with = "ImageId")]
    pub asset_id: Option<String>,
}

/// The schema of an id in an [`Image`].
struct ImageId;

impl JsonSchema for ImageId {
    fn schema_name() -> Cow<'static, str> {
        "ImageId".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        bounds::optional(generator, 1)
    }
}

/// The specification takes an empty id, the contract never answers one.
fn none_if_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.filter(|id| !id.is_empty()))
}

/// A logo.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "image": example::<Image>() }))]
pub struct Logo {
    /// Picture of the logo.
    pub image: Image,
}

/// A band of logos that moves across the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "type": "marquee", "title": "Trusted by", "logos": [example::<Logo>()] }))]
pub struct MarqueeWidget {
    /// Type of the widget: `marquee`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "marquee"))]
    pub kind: String,
    /// Heading above the logos.
    #[serde(default)]
    #[schemars(with = "Option<Title>")]
    pub title: Option<String>,
    /// Logos, in order.
    #[schemars(with = "List<Logo>")]
    pub logos: Vec<Logo>,
}

/// A video and how it plays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({
    "title": "Two minutes of Acme Analytics",
    "youtubeUrl": "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
    "autoplay": false,
    "loop": false,
    "controls": true,
    "muted": null,
}))]
pub struct Video {
    /// Heading above the video.
    #[serde(default)]
    #[schemars(with = "Option<Title>")]
    pub title: Option<String>,
    /// Address of the video at YouTube.
    #[serde(default)]
    #[schemars(with = "Option<Text>")]
    pub youtube_url: Option<String>,
    /// Whether the video starts by itself.
    #[serde(default)]
    pub autoplay: bool,
    /// Whether the video starts again when it ends.
    #[serde(default, rename = "loop")]
    pub looped: bool,
    /// Whether the controls of the player are shown.
    #[serde(default = "yes")]
    pub controls: bool,
    /// Whether the video starts without sound. `null` leaves it to the player.
    #[serde(default)]
    pub muted: Option<bool>,
}

fn yes() -> bool {
    true
}

/// A video on the action card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "type": "video", "video": example::<Video>() }))]
pub struct VideoWidget {
    /// Type of the widget: `video`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "video"))]
    pub kind: String,
    /// The video and how it plays.
    pub video: Video,
}

/// A widget of another type. It is stored and returned as sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "type": "badges", "title": "Awards", "logos": [example::<Logo>()] }))]
pub struct OtherWidget {
    /// Type of the widget: any text that is not one of the known types.
    #[serde(rename = "type")]
    #[schemars(with = "SomeText")]
    pub kind: String,
    /// Heading of the widget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Title")]
    pub title: Option<String>,
    /// Logos of the widget, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "List<Logo>")]
    pub logos: Option<Vec<Logo>>,
}

tagged_union! {
    /// A widget on the action card.
    ActionCardWidget by "type" {
        "marquee" => Marquee(MarqueeWidget),
        "video" => Video(VideoWidget),
        _ => Other(OtherWidget),
    }
}
