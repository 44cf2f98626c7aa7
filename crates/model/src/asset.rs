//! Assets: pictures, videos and components that pages may show, with what they are for.

pub mod youtube;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::bounds::{Bounded, Name, SomeText, Text};
use crate::error::Result;
use crate::id::{AssetId, FileId};
use crate::json::{JsonText, tagged_union};
use crate::time::Timestamp;

pub use youtube::YoutubeUrl;

/// The most assets of a tenant, those in the trash included.
pub const MOST_ASSETS: u64 = 100_000;

/// The most levels of assets, from one without a parent to the last child.
pub const MOST_LEVELS: usize = 8;

/// The most tags of an asset.
const MOST_TAGS: u32 = 100;

/// What an asset is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum AssetType {
    /// A picture.
    Image,
    /// A logo.
    Logo,
    /// An icon.
    Icon,
    /// A video at YouTube.
    Video,
    /// A component of the tenant's own.
    CustomComponent,
}

impl AssetType {
    /// Every type.
    pub const ALL: [AssetType; 5] =
        [AssetType::Image, AssetType::Logo, AssetType::Icon, AssetType::Video, AssetType::CustomComponent];

    /// Its name in requests and the database.
    pub fn as_str(self) -> &'static str {
        match self {
            AssetType::Image => "image",
            AssetType::Logo => "logo",
            AssetType::Icon => "icon",
            AssetType::Video => "video",
            AssetType::CustomComponent => "custom-component",
        }
    }

    /// The type of this name.
    pub fn parse(name: &str) -> Option<AssetType> {
        AssetType::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Whether the asset is a picture, which is a file.
    pub fn is_picture(self) -> bool {
        matches!(self, AssetType::Image | AssetType::Logo | AssetType::Icon)
    }
}

/// What an asset consists of.
#[derive(Debug, Clone, PartialEq)]
pub enum AssetData {
    /// A file of the tenant.
    Picture(FileId),
    /// A video.
    Video(YoutubeUrl),
    /// A component: its text, and the JSON Schema of what it takes.
    Component(String, Option<JsonText>),
}

/// An asset.
#[derive(Debug, Clone, PartialEq)]
pub struct Asset {
    /// Its id.
    pub asset_id: AssetId,
    /// What it is.
    pub asset_type: AssetType,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub purpose: String,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// The asset that it is a version or a part of.
    pub parent_asset_id: Option<AssetId>,
    /// Whether the page agent leaves it out.
    pub is_hidden: bool,
    /// What it consists of.
    pub data: AssetData,
    /// What a model has said that its picture shows.
    pub described: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// When it was put into the trash.
    pub trashed_at: Option<Timestamp>,
}

impl Asset {
    /// What it shows: in the tenant's own words, then in those of a model.
    pub fn description(&self) -> String {
        match &self.described {
            Some(described) => format!("{}. {described}", self.own_description().trim_end_matches('.')),
            None => self.own_description(),
        }
    }

    /// What it shows, in the tenant's own words.
    pub fn own_description(&self) -> String {
        if self.purpose.trim().is_empty() {
            self.name.clone()
        } else {
            format!("{}: {}", self.name, self.purpose)
        }
    }
}

/// Words to find an asset by.
type Tag = Bounded<1, 100, true>;

/// The schema of the tags of a request.
struct Tags;

impl JsonSchema for Tags {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Tags".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "array", "maxItems": MOST_TAGS, "items": generator.subschema_for::<Tag>(),
        })
    }
}

macro_rules! new_asset {
    ($(#[$doc:meta])* $name:ident = $tag:literal { $($(#[$attribute:meta])* $field:ident: $type:ty,)* } example $example:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        #[schemars(example = $example)]
        pub struct $name {
            #[doc = concat!("Type of the asset: `", $tag, "`.")]
            #[schemars(extend("const" = $tag))]
            pub asset_type: String,
            /// Name of the asset.
            #[schemars(with = "Name")]
            pub name: String,
            /// What the asset is for, which the page agent goes by.
            #[serde(default)]
            #[schemars(with = "Text")]
            pub purpose: String,
            $($(#[$attribute])* pub $field: $type,)*
            /// Words to find the asset by.
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            #[schemars(with = "Tags")]
            pub tags: Vec<String>,
            /// Id of the asset that this one is a version or a part of.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[schemars(with = "SomeText")]
            pub parent_asset_id: Option<String>,
            /// Idempotency key of the asset, which is kept as long as the asset. The same asset with the same key is created once.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[schemars(with = "String", length(min = 1, max = 255))]
            pub idempotency_key: Option<String>,
            /// Whether the page agent leaves the asset out.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[schemars(with = "bool")]
            pub hidden: Option<bool>,
        }
    };
}

new_asset! {
    /// A picture to be created.
    NewImage = "image" {
        /// Id of the file with the picture.
        #[schemars(with = "SomeText")]
        file_id: String,
    }
    example json!({
        "assetType": "image", "name": "The workshop", "purpose": "Shows where we make anvils",
        "fileId": "file_01jpbz8n4xf5k9w2d7hq3mv6ta", "tags": ["workshop", "team"],
    })
}

new_asset! {
    /// A logo to be created.
    NewLogo = "logo" {
        /// Id of the file with the logo.
        #[schemars(with = "SomeText")]
        file_id: String,
    }
    example json!({
        "assetType": "logo", "name": "Globex", "purpose": "A customer's logo",
        "fileId": "file_01jpbz8n4xf5k9w2d7hq3mv6ta",
    })
}

new_asset! {
    /// An icon to be created.
    NewIcon = "icon" {
        /// Id of the file with the icon.
        #[schemars(with = "SomeText")]
        file_id: String,
    }
    example json!({
        "assetType": "icon", "name": "Delivery", "purpose": "Beside what we say of delivery",
        "fileId": "file_01jpbz8n4xf5k9w2d7hq3mv6ta",
    })
}

new_asset! {
    /// A video to be created.
    NewVideo = "video" {
        /// Address of the video at YouTube, in any of its forms.
        #[schemars(with = "Text")]
        youtube_url: String,
    }
    example json!({
        "assetType": "video", "name": "Two minutes of Acme", "purpose": "Explains the product",
        "youtubeUrl": "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
    })
}

new_asset! {
    /// A component of the tenant's own to be created.
    NewComponent = "custom-component" {
        /// Text of the component.
        #[schemars(with = "Bounded<1, 100_000>")]
        body: String,
        /// JSON Schema of what the component takes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
        props_schema: Option<JsonText>,
    }
    example json!({
        "assetType": "custom-component", "name": "Price calculator", "purpose": "Below the prices",
        "body": "<price-calculator></price-calculator>", "propsSchema": { "type": "object" },
    })
}

tagged_union! {
    /// An asset to be created.
    NewAsset by "assetType" {
        "image" => Image(NewImage),
        "logo" => Logo(NewLogo),
        "icon" => Icon(NewIcon),
        "video" => Video(NewVideo),
        "custom-component" => Component(NewComponent),
    }
}

/// What every asset to be created has.
#[derive(Debug, Clone, Copy)]
pub struct NewFields<'a> {
    /// What it is.
    pub asset_type: AssetType,
    /// Its name.
    pub name: &'a str,
    /// What it is for.
    pub purpose: &'a str,
    /// Words to find it by.
    pub tags: &'a [String],
    /// The asset that it belongs to.
    pub parent_asset_id: Option<&'a str>,
    /// Its key.
    pub idempotency_key: Option<&'a str>,
    /// Whether the page agent leaves it out.
    pub is_hidden: bool,
}

impl NewAsset {
    /// What it has in common with all others.
    pub fn fields(&self) -> NewFields<'_> {
        macro_rules! fields {
            ($new:ident, $asset_type:ident) => {
                NewFields {
                    asset_type: AssetType::$asset_type,
                    name: &$new.name,
                    purpose: &$new.purpose,
                    tags: &$new.tags,
                    parent_asset_id: $new.parent_asset_id.as_deref(),
                    idempotency_key: $new.idempotency_key.as_deref(),
                    is_hidden: $new.hidden.unwrap_or_default(),
                }
            };
        }
        match self {
            NewAsset::Image(new) => fields!(new, Image),
            NewAsset::Logo(new) => fields!(new, Logo),
            NewAsset::Icon(new) => fields!(new, Icon),
            NewAsset::Video(new) => fields!(new, Video),
            NewAsset::Component(new) => fields!(new, CustomComponent),
        }
    }

    /// The file that it names, if it is a picture.
    pub fn file_id(&self) -> Option<&str> {
        match self {
            NewAsset::Image(new) => Some(&new.file_id),
            NewAsset::Logo(new) => Some(&new.file_id),
            NewAsset::Icon(new) => Some(&new.file_id),
            NewAsset::Video(_) | NewAsset::Component(_) => None,
        }
    }

    /// Tells it from another one with the same key.
    pub fn digest(&self) -> Result<[u8; 32]> {
        Ok(Sha256::digest(JsonText::of(self)?.as_str()).into())
    }
}

/// The types that an asset can be changed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum PictureType {
    /// A picture.
    Image,
    /// A logo.
    Logo,
    /// An icon.
    Icon,
}

impl From<PictureType> for AssetType {
    fn from(picture: PictureType) -> AssetType {
        match picture {
            PictureType::Image => AssetType::Image,
            PictureType::Logo => AssetType::Logo,
            PictureType::Icon => AssetType::Icon,
        }
    }
}

/// The fields of an asset to be changed.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UpdateAssetRequest")]
#[schemars(example = json!({ "purpose": "Shows where we make anvils", "tags": ["workshop"] }))]
pub struct AssetPatch {
    /// Name of the asset.
    #[serde(default)]
    #[schemars(with = "Name")]
    pub name: Option<String>,
    /// What the asset is for, which the page agent goes by.
    #[serde(default)]
    #[schemars(with = "Text")]
    pub purpose: Option<String>,
    /// Type of the asset. Only a picture can be changed, to another type of pictures.
    #[serde(default)]
    #[schemars(with = "PictureType")]
    pub asset_type: Option<PictureType>,
    /// Words to find the asset by, in place of all that it has.
    #[serde(default)]
    #[schemars(with = "Tags")]
    pub tags: Option<Vec<String>>,
    /// Whether the page agent leaves the asset out.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub hidden: Option<bool>,
    /// Id of the asset that this one is a version or a part of. `null` removes it.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<SomeText>")]
    pub parent_asset_id: Option<Option<String>>,
}

/// `null` is a value, unlike a field that is left out.
fn given<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}
