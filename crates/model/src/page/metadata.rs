//! What search engines and social networks are told about a page.
//!
//! A picture is sent as a file and answered as the file's id. The contract's short bounds are advice for search
//! engines: texts up to 1,000 characters are taken. What was not given is left out of answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds::{List, Text, Title};

/// An uploaded file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileRef {
    /// `file`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "file"))]
    pub kind: String,
    /// The file's id; not checked here, left out where it is missing when the page is shown.
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

macro_rules! metadata {
    (texts { $($field:ident: $shape:ty, { $($schema:tt)* }, $meaning:literal;)* }
     pictures { $($sent:ident => $kept:ident, $address:ident, $picture:literal;)* }) => {
        /// Metadata as it is sent.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
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

        /// Metadata as it is kept and answered.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
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
                /// Where that picture can be fetched.
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
    title: String, { with = "Title" }, "The title; the page's own name where it is left out.";
    description: String, { with = "Title" }, "What the page is about.";
    keywords: Vec<String>, { with = "List<Text>" }, "Keywords.";
    author: String, { with = "Title" }, "Who wrote it.";
    robots: Vec<String>, { with = "List<Text>", inner(regex(pattern = "^[a-z-]+(:[a-z0-9-]+)?$")) },
        "What crawlers may do, such as `noindex` or `max-snippet:50`.";
    canonical_url: String, { with = "crate::page::Url" }, "The address that search engines should name.";
    og_title: String, { with = "Title" }, "The title on social networks.";
    og_description: String, { with = "Title" }, "The description on social networks.";
    og_type: OgType, { with = "OgType" }, "The kind of thing it is.";
    og_image_alt: String, { with = "Title" }, "What a visitor who does not see the picture is told.";
    og_site_name: String, { with = "Title" }, "The site's name on social networks.";
    og_url: String, { with = "crate::page::Url" }, "The address on social networks.";
    twitter_card: TwitterCard, { with = "TwitterCard" }, "How the card looks on Twitter.";
    twitter_title: String, { with = "Title" }, "The title on Twitter.";
    twitter_description: String, { with = "Title" }, "The description on Twitter.";
    twitter_image_alt: String, { with = "Title" }, "What a visitor who does not see the picture is told.";
    twitter_site: String, { with = "Title" }, "The site's account on Twitter, such as `@example`.";
    twitter_creator: String, { with = "Title" }, "The author's account on Twitter, such as `@example`.";
    theme_color: String, { with = "Title" }, "The colour of the browser's frame, such as `#1a2b3c`.";
    }
    pictures {
        og_image => og_image_file_id, og_image_url, "The picture on social networks.";
        twitter_image => twitter_image_file_id, twitter_image_url, "The picture on Twitter.";
    }
}
