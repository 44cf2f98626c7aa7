//! Pages as they could be sent: a document with everything around it, read from a file.

use std::error::Error;
use std::path::Path;

use pagesmith_model::content::Content;
use pagesmith_model::link::{FooterLinkGroup, NavEntry};
use pagesmith_model::page::action::Action;
use pagesmith_model::page::metadata::Metadata;
use pagesmith_model::page::script::Script;
use pagesmith_model::page::widget::ActionCardWidget;
use pagesmith_render::{
    Colour, Defaults, FrameAncestors, Head, KnownPictures, PageView, Rendered, Theme, page,
};
use serde_json::Value;

/// What is known of the pictures of most samples.
static NO_PICTURES: KnownPictures = KnownPictures::none();

/// A page with all its parts.
pub struct Sample {
    pub content: Content,
    pub actions: Vec<Action>,
    pub nav: Vec<NavEntry>,
    pub footer: Vec<FooterLinkGroup>,
    pub widgets: Vec<ActionCardWidget>,
    pub scripts: Vec<Script>,
    pub metadata: Option<Metadata>,
    pub theme: Theme,
    pub site_name: String,
    pub home_url: Option<String>,
    pub url: Option<String>,
    pub is_personal: bool,
    pub needs_consent: bool,
    pub header_action_id: Option<String>,
}

impl Sample {
    /// The page of that name among those beside the tests.
    pub fn open(name: &str) -> Result<Sample, Box<dyn Error>> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages").join(format!("{name}.json"));
        Ok(Sample::read(&serde_json::from_str(&std::fs::read_to_string(path)?)?)?)
    }

    /// The page that a JSON object describes; all but its content may be left out.
    pub fn read(value: &Value) -> serde_json::Result<Sample> {
        fn list<T: for<'de> serde::Deserialize<'de>>(value: &Value) -> serde_json::Result<Vec<T>> {
            if value.is_null() { Ok(Vec::new()) } else { serde_json::from_value(value.clone()) }
        }
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let accent = value["theme"]["accent"].as_str().and_then(Colour::parse);
        let theme = Theme::default();
        Ok(Sample {
            content: serde_json::from_value(value["content"].clone())?,
            actions: list(&value["actions"])?,
            nav: list(&value["nav"])?,
            footer: list(&value["footer"])?,
            widgets: list(&value["widgets"])?,
            scripts: list(&value["scripts"])?,
            metadata: serde_json::from_value(value["metadata"].clone())?,
            theme: Theme { accent: accent.unwrap_or(theme.accent), ..theme },
            site_name: text("siteName").unwrap_or_default(),
            home_url: text("homeUrl"),
            url: text("url"),
            is_personal: value["isPersonal"].as_bool().unwrap_or(false),
            needs_consent: value["needsConsent"].as_bool().unwrap_or(true),
            header_action_id: text("headerActionId"),
        })
    }

    pub fn head(&self) -> Head {
        let defaults = Defaults {
            page_name: "Page",
            site_name: &self.site_name,
            url: self.url.as_deref(),
            is_personal: self.is_personal,
        };
        Head::resolve(self.metadata.as_ref(), None, &self.content, &defaults)
    }

    /// What visitors are shown.
    pub fn view<'a>(&'a self, head: &'a Head) -> PageView<'a> {
        PageView {
            content: &self.content,
            head,
            actions: &self.actions,
            forms: pagesmith_render::no_forms(),
            header_action_id: self.header_action_id.as_deref(),
            nav: &self.nav,
            footer: &self.footer,
            legal_links: &[],
            widgets: &self.widgets,
            scripts: &self.scripts,
            needs_consent: self.needs_consent,
            theme: &self.theme,
            pictures: &NO_PICTURES,
            site_name: &self.site_name,
            home_url: self.home_url.as_deref(),
            preview: None,
            ask: None,
            measured: None,
            frame_ancestors: &FrameAncestors::Nobody,
        }
    }

    pub fn draw(&self) -> Rendered {
        page(&self.view(&self.head()))
    }
}

#[cfg(test)]
impl Sample {
    /// The page of that name, which is there and right.
    pub fn named(name: &str) -> Sample {
        Sample::open(name).unwrap()
    }
}
