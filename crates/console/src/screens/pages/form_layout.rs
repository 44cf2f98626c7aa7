//! What the fields of a page are called, and which of them each of its forms shows.

use serde_json::Value;

use super::type_choices;
use crate::parts::field::Choice;
use crate::parts::schema_form::FormLayout;
use crate::screens::offered::or_none;
use crate::visit::Visit;

/// A form of a page: each shows a part of it, and changes nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aspect {
    /// What it is about.
    About,
    /// What visitors can do, and what stands beside.
    Actions,
    /// Its links.
    Navigation,
    /// What search engines and social networks are told.
    Metadata,
    /// Markup of the tenant's own.
    Scripts,
}

impl Aspect {
    /// All of them, in the order of their tabs.
    pub const ALL: [Aspect; 5] =
        [Aspect::About, Aspect::Actions, Aspect::Navigation, Aspect::Metadata, Aspect::Scripts];

    /// Its path below that of the page.
    pub fn path(self) -> &'static str {
        match self {
            Aspect::About => "/edit",
            Aspect::Actions => "/edit/actions",
            Aspect::Navigation => "/edit/navigation",
            Aspect::Metadata => "/edit/metadata",
            Aspect::Scripts => "/edit/scripts",
        }
    }

    /// What its tab says.
    pub fn label(self, visit: &Visit) -> String {
        match self {
            Aspect::About => visit.text("page-about"),
            Aspect::Actions => visit.text("page-actions"),
            Aspect::Navigation => visit.text("page-navigation"),
            Aspect::Metadata => visit.text("page-metadata"),
            Aspect::Scripts => visit.text("page-scripts"),
        }
    }

    /// The properties of a page that its form shows, but for links, which are written as lines.
    pub fn properties(self) -> &'static [&'static str] {
        match self {
            Aspect::About => &["name", "pageContext", "pageType", "brandId"],
            Aspect::Actions => &["actions", "headerActionId", "actionCardWidgets"],
            Aspect::Navigation => &["navLinkBlockId", "footerLinkBlockId"],
            Aspect::Metadata => &["metadata"],
            Aspect::Scripts => &["scripts"],
        }
    }
}

/// What can be chosen on the forms of a page.
#[derive(Default)]
pub(super) struct Offers {
    pub brands: Vec<Choice>,
    pub forms: Vec<Choice>,
    pub actions: Vec<Choice>,
    /// Pictures by the ids of their assets.
    pub pictures: Vec<Choice>,
    /// Pictures by the ids of their files.
    pub files: Vec<Choice>,
    pub navigations: Vec<Choice>,
    pub footers: Vec<Choice>,
}

/// What a form of a page says about its fields.
pub(super) struct PageFormLayout<'a> {
    pub visit: &'a Visit,
    pub aspect: Aspect,
    pub offers: Offers,
}

impl FormLayout for PageFormLayout<'_> {
    fn shown(&self, place: &str, object: &Value) -> Vec<&'static str> {
        let kind = |name: &str| object[name].as_str().unwrap_or_default();
        match place {
            "" => self.aspect.properties().to_vec(),
            "actions" => match kind("actionType") {
                "form" => vec!["purpose", "buttonTitle", "formId", "formInstructions"],
                "copy-text" => vec!["purpose", "buttonTitle", "copyText"],
                _ => vec!["purpose", "buttonTitle", "url"],
            },
            "actionCardWidgets" => match kind("type") {
                "video" => vec!["video"],
                _ => vec!["title", "logos"],
            },
            "actionCardWidgets.video" => vec!["title", "youtubeUrl", "autoplay", "loop", "controls"],
            "actionCardWidgets.logos" => vec!["image"],
            "actionCardWidgets.logos.image" => vec!["assetId", "url", "altText"],
            "scripts" => vec!["name", "description", "content", "injectionPoint", "enabled"],
            "metadata" => vec![
                "title",
                "description",
                "keywords",
                "canonicalUrl",
                "robots",
                "author",
                "ogTitle",
                "ogDescription",
                "ogImage",
                "ogImageAlt",
                "ogType",
                "ogSiteName",
                "twitterCard",
                "twitterTitle",
                "twitterDescription",
                "twitterImage",
                "twitterImageAlt",
                "twitterSite",
                "twitterCreator",
                "themeColor",
            ],
            _ => vec!["fileId"],
        }
    }

    fn label(&self, place: &str) -> String {
        let visit = self.visit;
        match place {
            "name" => visit.text("page-name"),
            "pageContext" => visit.text("page-context"),
            "pageType" => visit.text("page-type"),
            "brandId" => visit.text("page-brand"),
            "actions" => visit.text("page-actions"),
            "headerActionId" => visit.text("page-header-action"),
            "actionCardWidgets" => visit.text("page-widgets"),
            "navLinkBlockId" => visit.text("page-nav-block"),
            "footerLinkBlockId" => visit.text("page-footer-block"),
            "scripts" => visit.text("page-scripts"),
            "metadata" => visit.text("page-metadata"),
            "scripts.name" => visit.text("name"),
            "metadata.title" => visit.text("meta-title"),
            "metadata.description" => visit.text("meta-description"),
            "metadata.ogImage" | "metadata.twitterImage" | "actionCardWidgets.logos.image" => {
                visit.text("content-picture")
            }
            "actionCardWidgets.logos.image.altText" => visit.text("content-logo-name"),
            _ => inner_label(visit, place.rsplit('.').next().unwrap_or(place)),
        }
    }

    fn help(&self, place: &str) -> String {
        let visit = self.visit;
        match place {
            "pageContext" => visit.text("page-context-help"),
            "actions" => visit.text("page-actions-help"),
            "actions.purpose" => visit.text("action-purpose-help"),
            "actionCardWidgets" => visit.text("page-widgets-help"),
            "scripts" => visit.text("page-scripts-help"),
            "scripts.content" => visit.text("script-content-help"),
            "metadata" => visit.text("page-metadata-help"),
            "metadata.keywords" => visit.text("content-lines-help"),
            "metadata.robots" => visit.text("meta-robots-help"),
            "metadata.title" => visit.text("meta-title-help"),
            "metadata.description" => visit.text("meta-description-help"),
            "navLinkBlockId" | "footerLinkBlockId" => visit.text("page-block-help"),
            _ => String::new(),
        }
    }

    fn choices(&self, place: &str) -> Option<Vec<Choice>> {
        let visit = self.visit;
        let or_none = |choices: &[Choice]| Some(or_none(visit, choices));
        let named = |values: &[&str]| {
            or_none(&values.iter().map(|value| Choice::new(*value, *value)).collect::<Vec<_>>())
        };
        match place {
            "pageType" => Some(type_choices(visit)),
            "brandId" => or_none(&self.offers.brands),
            "headerActionId" => or_none(&self.offers.actions),
            "navLinkBlockId" => or_none(&self.offers.navigations),
            "footerLinkBlockId" => or_none(&self.offers.footers),
            "actions.formId" => or_none(&self.offers.forms),
            "actionCardWidgets.logos.image.assetId" => or_none(&self.offers.pictures),
            "metadata.ogImage.fileId" | "metadata.twitterImage.fileId" => or_none(&self.offers.files),
            "metadata.ogType" => named(&["website", "article", "product", "profile"]),
            "metadata.twitterCard" => named(&["summary", "summary_large_image", "app", "player"]),
            "scripts.injectionPoint" => Some(vec![
                Choice::new("head", visit.text("script-head")),
                Choice::new("body-start", visit.text("script-body-start")),
                Choice::new("body-end", visit.text("script-body-end")),
            ]),
            _ => None,
        }
    }

    fn kinds(&self, place: &str) -> Vec<(&'static str, String)> {
        let visit = self.visit;
        let add = |name: String| visit.words.with("add-item", &[("name", name.into())]);
        match place {
            "actions" => {
                ["open-url", "form", "copy-text"].map(|kind| (kind, add(action_word(visit, kind)))).to_vec()
            }
            "actionCardWidgets" => {
                ["marquee", "video"].map(|kind| (kind, add(widget_word(visit, kind)))).to_vec()
            }
            "scripts" => vec![("", add(visit.text("script")))],
            _ => vec![("", add(visit.text("item-logo")))],
        }
    }

    fn name(&self, place: &str, item: &Value) -> String {
        let visit = self.visit;
        let (kind, said) = match place {
            "actions" => {
                (action_word(visit, item["actionType"].as_str().unwrap_or_default()), &item["buttonTitle"])
            }
            "actionCardWidgets" => {
                (widget_word(visit, item["type"].as_str().unwrap_or_default()), &item["title"])
            }
            "scripts" => (visit.text("script"), &item["name"]),
            _ => (visit.text("item-logo"), &item["image"]["altText"]),
        };
        let said = said.as_str().filter(|said| !said.is_empty());
        said.map_or_else(|| kind.clone(), |said| format!("{kind}: {said}"))
    }
}

fn action_word(visit: &Visit, kind: &str) -> String {
    match kind {
        "open-url" => visit.text("action-open"),
        "form" => visit.text("action-form"),
        "copy-text" => visit.text("action-copy"),
        other => other.to_owned(),
    }
}

fn widget_word(visit: &Visit, kind: &str) -> String {
    match kind {
        "marquee" => visit.text("component-logos"),
        "video" => visit.text("component-video"),
        other => other.to_owned(),
    }
}

fn inner_label(visit: &Visit, name: &str) -> String {
    match name {
        "purpose" => visit.text("action-purpose"),
        "buttonTitle" => visit.text("form-submit"),
        "url" => visit.text("address"),
        "formId" => visit.text("form"),
        "formInstructions" => visit.text("form-instructions"),
        "copyText" => visit.text("action-copied"),
        "title" => visit.text("content-title"),
        "logos" => visit.text("component-logos"),
        "assetId" | "fileId" => visit.text("content-asset"),
        "video" => visit.text("component-video"),
        "youtubeUrl" => visit.text("video-address"),
        "autoplay" => visit.text("video-autoplay"),
        "loop" => visit.text("video-loop"),
        "controls" => visit.text("video-controls"),
        "description" => visit.text("script-description"),
        "content" => visit.text("script-content"),
        "injectionPoint" => visit.text("script-where"),
        "enabled" => visit.text("script-enabled"),
        "keywords" => visit.text("meta-keywords"),
        "canonicalUrl" => visit.text("meta-canonical"),
        "robots" => visit.text("meta-robots"),
        "author" => visit.text("meta-author"),
        "ogTitle" => visit.text("meta-og-title"),
        "ogDescription" => visit.text("meta-og-description"),
        "ogImageAlt" | "twitterImageAlt" => visit.text("content-alt"),
        "ogType" => visit.text("meta-og-type"),
        "ogSiteName" => visit.text("meta-og-site"),
        "twitterCard" => visit.text("meta-twitter-card"),
        "twitterTitle" => visit.text("meta-twitter-title"),
        "twitterDescription" => visit.text("meta-twitter-description"),
        "twitterSite" => visit.text("meta-twitter-site"),
        "twitterCreator" => visit.text("meta-twitter-creator"),
        "themeColor" => visit.text("meta-theme-color"),
        other => other.to_owned(),
    }
}
