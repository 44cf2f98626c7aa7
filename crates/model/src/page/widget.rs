//! The widgets on a page's action card: a marquee of logos, a video.
//!
//! The type is an open set: known ones are checked strictly, any other keeps the fields that the specification
//! lists. Fields with a default may be left out and are always answered.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize};

use crate::bounds::{self, List, SomeText, Text, Title};
use crate::json::tagged_union;

/// A picture by address, by uploaded file or by asset.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Image {
    /// What a visitor who does not see it is told.
    #[serde(default)]
    #[schemars(with = "Option<Text>")]
    pub alt_text: Option<String>,
    /// Its address.
    #[serde(default)]
    #[schemars(with = "Option<Text>")]
    pub url: Option<String>,
    /// The uploaded file; an empty text counts as none.
    #[serde(default, deserialize_with = "none_if_empty")]
    #[schemars(with = "ImageId")]
    pub file_id: Option<String>,
    /// The asset; an empty text counts as none.
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
pub struct Logo {
    /// Its picture.
    pub image: Image,
}

/// A band of logos.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MarqueeWidget {
    /// `marquee`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "marquee"))]
    pub kind: String,
    /// Its heading.
    #[serde(default)]
    #[schemars(with = "Option<Title>")]
    pub title: Option<String>,
    /// The logos, in order.
    #[schemars(with = "List<Logo>")]
    pub logos: Vec<Logo>,
}

/// A video and how it plays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Video {
    /// Its heading.
    #[serde(default)]
    #[schemars(with = "Option<Title>")]
    pub title: Option<String>,
    /// Its address.
    #[serde(default)]
    #[schemars(with = "Option<Text>")]
    pub youtube_url: Option<String>,
    /// Whether it starts by itself.
    #[serde(default)]
    pub autoplay: bool,
    /// Whether it begins again at its end.
    #[serde(default, rename = "loop")]
    pub looped: bool,
    /// Whether the player's controls show.
    #[serde(default = "yes")]
    pub controls: bool,
    /// Whether it starts without sound; `null` leaves it to the player.
    #[serde(default)]
    pub muted: Option<bool>,
}

fn yes() -> bool {
    true
}

/// A video.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VideoWidget {
    /// `video`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "video"))]
    pub kind: String,
    /// The video.
    pub video: Video,
}

/// A widget of a type that this service does not know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OtherWidget {
    /// The type, as sent.
    #[serde(rename = "type")]
    #[schemars(with = "SomeText")]
    pub kind: String,
    /// Its heading, as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Title")]
    pub title: Option<String>,
    /// Its logos, as sent.
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
