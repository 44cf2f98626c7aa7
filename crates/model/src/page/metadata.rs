//! What search engines and social networks are told about a page.
//!
//! A picture is sent as a file and answered as the file's id. The contract's short bounds are advice for search
//! engines: texts up to 1,000 characters are taken. What was not given is left out of answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::bounds::{List, ShortText, Text, Title};

/// Refers to an uploaded file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "type": "file", "fileId": "file_01jpbz8n4xf5k9w2d7hq3mv6ta" }))]
pub struct FileRef {
    /// Type of the reference: `file`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "file"))]
    pub kind: String,
    /// Id of the file. It is not checked here; a missing file is left out when the page is shown.
    #[schemars(with = "Text")]
    pub file_id: String,
}

/// The kind of thing a page is, in Open Graph terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum OgType {
    /// A site or a landing page.
    Website,
    /// An article.
    Article,
    /// A product.
    Product,
    /// A person.
    Profile,
}

/// How the page's card looks on Twitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum TwitterCard {
    /// A small card.
    Summary,
    /// A card with a large picture.
    SummaryLargeImage,
    /// An app.
    App,
    /// A player.
    Player,
}

fn metadata_example() -> Value {
    json!({
        "title": "Forecasts for every team",
        "description": "Ask questions about your sales figures and get answers in plain language.",
        "robots": ["index", "follow"],
        "ogTitle": "Forecasts for every team",
    })
}

macro_rules! metadata {
    (texts { $($field:ident: $shape:ty, { $($schema:tt)* }, $meaning:literal;)* }
     pictures { $($sent:ident => $kept:ident, $address:ident, $picture:literal;)* }) => {
        /// Metadata of a page in requests. What is left out is taken from the page.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        #[schemars(example = metadata_example())]
        pub struct MetadataInput {
            $(
                #[doc = $meaning]
                #[serde(default, skip_serializing_if = "Option::is_none")]
                #[schemars($($schema)*)]
                pub $field: Option<$shape>,
            )*
            $(
                #[doc = $picture]
                #[serde(default, skip_serializing_if = "Option::is_none")]
                #[schemars(with = "FileRef")]
                pub $sent: Option<FileRef>,
            )*
        }

        /// Metadata of a page in answers. Fields that were not given are left out.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        #[schemars(example = metadata_example())]
        pub struct Metadata {
            $(
                #[doc = $meaning]
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub $field: Option<$shape>,
            )*
            $(
                #[doc = $picture]
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub $kept: Option<String>,
                /// Address at which that picture can be fetched. Left out if there is no such picture.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub $address: Option<String>,
            )*
        }

        impl From<MetadataInput> for Metadata {
            fn from(sent: MetadataInput) -> Metadata {
                Metadata {
                    $($field: sent.$field,)*
                    $($kept: sent.$sent.map(|file| file.file_id), $address: None,)*
                }
            }
        }
    };
}

metadata! {
    texts {
    title: String, { with = "Title" }, "Title in the browser's window and in search results. The name of the page is used if it is left out or empty.";
    description: String, { with = "ShortText" }, "Summary of the page for search results.";
    keywords: Vec<String>, { with = "List<Text>" }, "Keywords of the page.";
    author: String, { with = "Title" }, "Author of the page.";
    robots: Vec<String>, { with = "List<Text>", inner(regex(pattern = "^[a-z-]+(:[a-z0-9-]+)?$")) },
        "What crawlers may do, such as `noindex` or `max-snippet:50`.";
    canonical_url: String, { with = "crate::page::Url" }, "Address under which search engines should list the page.";
    og_title: String, { with = "Title" }, "Title on social networks (Open Graph).";
    og_description: String, { with = "ShortText" }, "Description on social networks (Open Graph).";
    og_type: OgType, { with = "OgType" }, "Kind of page (Open Graph): `website`, `article`, `product` or `profile`.";
    og_image_alt: String, { with = "ShortText" }, "Description of the Open Graph picture for visitors who do not see it.";
    og_site_name: String, { with = "Title" }, "Name of the site on social networks (Open Graph).";
    og_url: String, { with = "crate::page::Url" }, "Address of the page on social networks (Open Graph).";
    twitter_card: TwitterCard, { with = "TwitterCard" }, "Layout of the card on Twitter.";
    twitter_title: String, { with = "Title" }, "Title on Twitter.";
    twitter_description: String, { with = "ShortText" }, "Description on Twitter.";
    twitter_image_alt: String, { with = "ShortText" }, "Description of the Twitter picture for visitors who do not see it.";
    twitter_site: String, { with = "ShortText" }, "Account of the site on Twitter, such as `@example`.";
    twitter_creator: String, { with = "ShortText" }, "Account of the author on Twitter, such as `@example`.";
    theme_color: String, { with = "ShortText" }, "Colour of the browser's frame, such as `#1a2b3c`.";
    }
    pictures {
        og_image => og_image_file_id, og_image_url, "Picture on social networks (Open Graph).";
        twitter_image => twitter_image_file_id, twitter_image_url, "Picture on Twitter.";
    }
}
