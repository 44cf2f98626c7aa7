//! What browsers, search engines and social networks are told of a page.
//!
//! [`Head::resolve`] decides, field by field: what the audience says goes before what the page says, and that before what can be
//! told from the content. [`draw`] writes it down. A page for one person is kept from search engines unless its owner says
//! otherwise. Invariant: every address in a head can be fetched; what cannot is left out.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};
use pagesmith_model::content::{Component, Content, address};
use pagesmith_model::page::metadata::{Metadata, OgType, TwitterCard};

use crate::colour::Colour;
use crate::escape::said;
use crate::icon;
use crate::language::Language;
use crate::theme::{DARK_GROUND, LIGHT_GROUND, Theme};

/// What is known of a page beside its metadata and content.
#[derive(Debug, Clone, Copy)]
pub struct Defaults<'a> {
    /// What the page is called.
    pub page_name: &'a str,
    /// Whose site it is on.
    pub site_name: &'a str,
    /// Where it is.
    pub url: Option<&'a str>,
    /// Whether it is written for one person or account.
    pub is_personal: bool,
}

/// The head of a page, with every question answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    /// The title of the browser's window.
    pub title: String,
    /// What the page is about.
    pub description: Option<String>,
    /// Keywords.
    pub keywords: Vec<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// What crawlers may do; nothing said is everything.
    pub robots: Vec<String>,
    /// Where the page is, for search engines.
    pub canonical: Option<String>,
    /// The language.
    pub language: Language,
    /// The colour of the browser's frame, if it is not the page's.
    pub theme_color: Option<Colour>,
    /// The card on social networks.
    pub og: Card,
    /// The kind of thing it is, in Open Graph's terms.
    pub og_type: OgType,
    /// Whose site it is on.
    pub site_name: String,
    /// Where the page is, for social networks.
    pub og_url: Option<String>,
    /// The card on Twitter.
    pub twitter: Card,
    /// How that card looks.
    pub twitter_card: TwitterCard,
    /// The site's account on Twitter.
    pub twitter_site: Option<String>,
    /// The author's account on Twitter.
    pub twitter_creator: Option<String>,
}

/// What a page looks like where it is shared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Card {
    /// Its title.
    pub title: String,
    /// What it says.
    pub description: Option<String>,
    /// Its picture.
    pub image: Option<String>,
    /// What who does not see the picture is told.
    pub image_alt: Option<String>,
}

impl Head {
    /// The head of a page with this metadata, of an audience with that.
    pub fn resolve(
        page: Option<&Metadata>,
        audience: Option<&Metadata>,
        content: &Content,
        defaults: &Defaults<'_>,
    ) -> Head {
        let given = MetadataLayers { audience, page };
        let (subtitle, picture) = opening(content);
        let title = given.text(|metadata| metadata.title.as_deref());
        let title = title.or_else(|| said(content.head.title.as_deref()).map(str::to_owned));
        let title = title.or_else(|| said(Some(defaults.page_name)).map(str::to_owned));
        let title = title.unwrap_or_else(|| defaults.site_name.to_owned());
        let description = given.text(|metadata| metadata.description.as_deref());
        let description =
            description.or_else(|| said(content.head.description.as_deref()).map(str::to_owned));
        let description = description.or_else(|| subtitle.map(str::to_owned));
        let canonical = given.address(|metadata| metadata.canonical_url.as_deref());
        let canonical = canonical.or_else(|| fetched(defaults.url));
        let og_image = given.address(|metadata| metadata.og_image_url.as_deref());
        let og = Card {
            title: given.text(|metadata| metadata.og_title.as_deref()).unwrap_or_else(|| title.clone()),
            description: given
                .text(|metadata| metadata.og_description.as_deref())
                .or_else(|| description.clone()),
            image_alt: given.text(|metadata| metadata.og_image_alt.as_deref()).or_else(|| {
                let alt_text = picture.filter(|_| og_image.is_none()).map(|(_, alt_text)| alt_text);
                said(alt_text).map(str::to_owned)
            }),
            image: og_image.or_else(|| picture.map(|(url, _)| url.to_owned())),
        };
        let twitter = Card {
            title: given
                .text(|metadata| metadata.twitter_title.as_deref())
                .unwrap_or_else(|| og.title.clone()),
            description: given
                .text(|metadata| metadata.twitter_description.as_deref())
                .or_else(|| og.description.clone()),
            image: given
                .address(|metadata| metadata.twitter_image_url.as_deref())
                .or_else(|| og.image.clone()),
            image_alt: given
                .text(|metadata| metadata.twitter_image_alt.as_deref())
                .or_else(|| og.image_alt.clone()),
        };
        let card =
            if twitter.image.is_some() { TwitterCard::SummaryLargeImage } else { TwitterCard::Summary };
        Head {
            title,
            description,
            keywords: given.find(|metadata| metadata.keywords.clone()).unwrap_or_default(),
            author: given.text(|metadata| metadata.author.as_deref()),
            robots: given.robots(defaults.is_personal),
            og_url: given.address(|metadata| metadata.og_url.as_deref()).or_else(|| canonical.clone()),
            canonical,
            language: Language::of(content.head.language.as_deref()),
            theme_color: given.find(|metadata| Colour::parse(metadata.theme_color.as_deref()?)),
            og,
            og_type: given.find(|metadata| metadata.og_type).unwrap_or(OgType::Website),
            site_name: given
                .text(|metadata| metadata.og_site_name.as_deref())
                .unwrap_or_else(|| defaults.site_name.to_owned()),
            twitter,
            twitter_card: given.find(|metadata| metadata.twitter_card).unwrap_or(card),
            twitter_site: given.text(|metadata| metadata.twitter_site.as_deref()),
            twitter_creator: given.text(|metadata| metadata.twitter_creator.as_deref()),
        }
    }

    /// Whether search engines may list the page.
    pub fn is_indexable(&self) -> bool {
        may_list(&self.robots)
    }
}

fn may_list(robots: &[String]) -> bool {
    !robots.iter().any(|word| word == "noindex" || word == "none")
}

/// Whether a page that is nobody's own belongs into a list for search engines: they may list it, and it is said to be nowhere else than
/// at `url`.
pub fn is_listed(page: Option<&Metadata>, audience: Option<&Metadata>, url: &str) -> bool {
    let given = MetadataLayers { audience, page };
    let canonical = given.address(|metadata| metadata.canonical_url.as_deref());
    may_list(&given.robots(false)) && canonical.is_none_or(|canonical| canonical == url)
}

/// Metadata in its order of precedence.
struct MetadataLayers<'a> {
    audience: Option<&'a Metadata>,
    page: Option<&'a Metadata>,
}

impl<'a> MetadataLayers<'a> {
    fn find<T>(&self, field: impl Fn(&'a Metadata) -> Option<T>) -> Option<T> {
        self.audience.and_then(&field).or_else(|| self.page.and_then(&field))
    }

    fn text(&self, field: impl Fn(&'a Metadata) -> Option<&'a str>) -> Option<String> {
        self.find(|metadata| said(field(metadata))).map(str::to_owned)
    }

    fn address(&self, field: impl Fn(&'a Metadata) -> Option<&'a str>) -> Option<String> {
        self.find(|metadata| fetched(field(metadata)))
    }

    /// What crawlers may do; a page of one person's own is kept from them unless somebody says otherwise.
    fn robots(&self, is_personal: bool) -> Vec<String> {
        match self.find(|metadata| metadata.robots.clone()) {
            Some(robots) => robots,
            None if is_personal => vec!["noindex".to_owned()],
            None => Vec::new(),
        }
    }
}

fn fetched(url: Option<&str>) -> Option<String> {
    url.filter(|url| address::is_fetched(url)).map(str::to_owned)
}

/// The first subtitle and the first large picture of a document.
fn opening(content: &Content) -> (Option<&str>, Option<(&str, &str)>) {
    let subtitle = content.blocks.iter().find_map(|block| match block {
        Component::Hero(hero) => said(hero.subtitle.as_deref()),
        _ => None,
    });
    let picture = content.blocks.iter().find_map(|block| match block {
        Component::Hero(hero) => hero.image.as_ref(),
        Component::Image(block) => Some(&block.image),
        _ => None,
    });
    let picture = picture.filter(|picture| address::is_fetched(&picture.url));
    (subtitle, picture.map(|picture| (picture.url.as_str(), picture.alt_text.as_str())))
}

/// The elements that a head begins with; style and scripts follow.
pub(crate) fn draw(head: &Head, theme: &Theme) -> Markup {
    html! {
        meta charset="utf-8";
        meta name="viewport" content="width=device-width, initial-scale=1";
        title { (head.title) }
        (preload(theme))
        @if let Some(text) = &head.description { meta name="description" content=(text); }
        @if !head.keywords.is_empty() { meta name="keywords" content=(head.keywords.join(", ")); }
        @if let Some(text) = &head.author { meta name="author" content=(text); }
        @if !head.robots.is_empty() { meta name="robots" content=(head.robots.join(", ")); }
        @if let Some(url) = &head.canonical { link rel="canonical" href=(url); }
        @match head.theme_color {
            Some(colour) => meta name="theme-color" content=(colour);,
            None => {
                meta name="theme-color" content=(LIGHT_GROUND) media="(prefers-color-scheme: light)";
                meta name="theme-color" content=(DARK_GROUND) media="(prefers-color-scheme: dark)";
            }
        }
        meta property="og:title" content=(head.og.title);
        meta property="og:type" content=(og_type(head.og_type));
        meta property="og:site_name" content=(head.site_name);
        @if let Some(url) = &head.og_url { meta property="og:url" content=(url); }
        @if let Some(text) = &head.og.description { meta property="og:description" content=(text); }
        @if let Some(url) = &head.og.image {
            meta property="og:image" content=(url);
            @if let Some(text) = &head.og.image_alt { meta property="og:image:alt" content=(text); }
        }
        meta name="twitter:card" content=(twitter_card(head.twitter_card));
        meta name="twitter:title" content=(head.twitter.title);
        @if let Some(text) = &head.twitter.description { meta name="twitter:description" content=(text); }
        @if let Some(url) = &head.twitter.image {
            meta name="twitter:image" content=(url);
            @if let Some(text) = &head.twitter.image_alt { meta name="twitter:image:alt" content=(text); }
        }
        @if let Some(text) = &head.twitter_site { meta name="twitter:site" content=(text); }
        @if let Some(text) = &head.twitter_creator { meta name="twitter:creator" content=(text); }
        @match &theme.icon {
            Some(icon) => link rel="icon" href=(icon.url());,
            None => link rel="icon" type="image/svg+xml" href=(icon::address(theme, &head.site_name));,
        }
        script type="application/ld+json" { (PreEscaped(linked_data(head))) }
    }
}

/// Has the browser fetch the font of what a visitor sees first before it has read the style.
pub(crate) fn preload(theme: &Theme) -> Markup {
    html! {
        @if let Some(path) = theme.first_face() {
            link rel="preload" href=(path) as="font" type="font/woff2" crossorigin;
        }
    }
}

fn og_type(kind: OgType) -> &'static str {
    match kind {
        OgType::Website => "website",
        OgType::Article => "article",
        OgType::Product => "product",
        OgType::Profile => "profile",
    }
}

fn twitter_card(card: TwitterCard) -> &'static str {
    match card {
        TwitterCard::Summary => "summary",
        TwitterCard::SummaryLargeImage => "summary_large_image",
        TwitterCard::App => "app",
        TwitterCard::Player => "player",
    }
}

/// The page in schema.org's terms. No text in it can end the element that it is in.
fn linked_data(head: &Head) -> String {
    let mut page = serde_json::json!({
        "@context": "https://schema.org",
        "@type": "WebPage",
        "name": head.title,
        "inLanguage": head.language.tag(),
        "isPartOf": { "@type": "WebSite", "name": head.site_name },
    });
    for (name, value) in
        [("description", &head.description), ("url", &head.canonical), ("primaryImageOfPage", &head.og.image)]
    {
        if let Some(value) = value {
            page[name] = value.as_str().into();
        }
    }
    let mut safe = String::with_capacity(512);
    for char in page.to_string().chars() {
        match char {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(safe, "\\u{:04x}", u32::from(char));
            }
            char => safe.push(char),
        }
    }
    safe
}
