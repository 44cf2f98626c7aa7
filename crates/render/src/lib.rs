//! A version's content as a finished page.
//!
//! Pure: a document, the parts of its page and a brand's theme go in, one HTML text and the policy to serve it under come out. No
//! clock, no database, no network. What a document says is shown as text or sanitised; what it leads to is looked at.
//! Start with [`page`]; the components stand one to a file under `components`.
//! Invariants: nothing runs in a page but our own scripts and those that its owner added; a page is complete without any script;
//! its headings are one tree under one first heading.

use std::collections::{BTreeMap, HashSet};

use maud::{DOCTYPE, Markup, PreEscaped, html};
use pagesmith_model::brand::LegalLink;
use pagesmith_model::content::{Component, Content};
use pagesmith_model::link::{FooterLinkGroup, NavEntry};
use pagesmith_model::page::action::Action;
use pagesmith_model::page::script::{InjectionPoint, Script};
use pagesmith_model::page::widget::ActionCardWidget;

mod action;
mod ask;
mod colour;
mod components;
mod consent;
mod csp;
mod draw;
mod embed;
mod escape;
mod flatten;
mod fonts;
mod form;
mod head;
mod icon;
mod language;
mod layout;
mod markdown;
mod notice;
mod outline;
mod picture;
mod sanitise;
mod scripts;
mod statics;
mod surface;
mod theme;
mod words;

pub use ask::{
    ASK_PATH, ASK_SCRIPT_PATH, AskAnswer, AskPage, AskQuote, AskView, ask_answer, ask_answer_alone,
    ask_script, block_anchors,
};
pub use colour::Colour;
pub use csp::FrameAncestors;
pub use fonts::{FontFace, FontMeasures, Fonts};
pub use form::{
    Entered, FORM_PATH, FORM_SCRIPT_PATH, FormAnswer, FormOrigin, Forms, HONEYPOT, contact_form, fault_text,
    form_answer, form_preview, form_script, no_forms, thanks,
};
pub use head::{Card, Defaults, Head, is_listed};
pub use icon::icon;
pub use language::Language;
pub use notice::{Notice, notice};
pub use picture::{KnownPicture, KnownPictures, Source};
pub use theme::{LIGHT_GROUND, Logo, Space, Theme, Tokens, is_readable, nearest_readable};

use csp::{Policy, hash_of, origin_of};
use draw::{Draw, PagePosition};
use layout::Site;
use scripts::Scripts;
use statics::{ASK_START, ASK_STYLE, FORM_STYLE, LOADER, MEASURE, PREVIEW, SCRIPT, STYLE};
use words::{FormWords, Words};

/// Everything that a page is drawn from.
#[derive(Debug, Clone, Copy)]
pub struct PageView<'a> {
    /// What it says.
    pub content: &'a Content,
    /// What is said of it.
    pub head: &'a Head,
    /// What a visitor can do, the audience's overrides applied.
    pub actions: &'a [Action],
    /// The forms that actions name, by their ids; one that is not there is a plain contact form.
    pub forms: &'a Forms,
    /// The action in the header.
    pub header_action_id: Option<&'a str>,
    /// The navigation.
    pub nav: &'a [NavEntry],
    /// The links in the footer.
    pub footer: &'a [FooterLinkGroup],
    /// The links in the last line of the footer.
    pub legal_links: &'a [LegalLink],
    /// The widgets of the action card; they follow the content.
    pub widgets: &'a [ActionCardWidget],
    /// The page's own scripts; those that are not enabled are left out.
    pub scripts: &'a [Script],
    /// Whether they wait until the visitor agrees.
    pub needs_consent: bool,
    /// How it looks.
    pub theme: &'a Theme,
    /// What is known of its pictures.
    pub pictures: &'a KnownPictures,
    /// Whose site it is on.
    pub site_name: &'a str,
    /// Where that site begins; the header's name leads there.
    pub home_url: Option<&'a str>,
    /// What makes the page a preview; `None` for visitors.
    pub preview: Option<Preview<'a>>,
    /// As what its views are measured; `None` where they are not.
    pub measured: Option<Measured<'a>>,
    /// The field for questions, if the page has it.
    pub ask: Option<AskView<'a>>,
    /// Who may show the page in a frame.
    pub frame_ancestors: &'a FrameAncestors,
}

/// A page as its owners see it before visitors do.
#[derive(Debug, Clone, Copy)]
pub struct Preview<'a> {
    /// Which version of the page it is, which the strip above it tells.
    pub number: i64,
    /// Until when its link works, in UTC, as `2026-03-01T13:00:00.000Z`.
    pub until: &'a str,
    /// The URL of the console, which shows previews in frames and is told which block was clicked.
    pub console: &'a str,
}

/// As what the views of a page are measured.
#[derive(Debug, Clone, Copy)]
pub struct Measured<'a> {
    /// Id of the page.
    pub page_id: &'a str,
    /// Id of the audience.
    pub audience_id: &'a str,
}

/// A finished page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The document.
    pub html: String,
    /// The value of the header `Content-Security-Policy` to serve it under.
    pub content_security_policy: String,
}

/// Draws a page.
pub fn page(view: &PageView<'_>) -> Rendered {
    let words = Words::of(view.head.language.tag()).0;
    let origin = view.head.canonical.as_deref().and_then(origin_of);
    let form_words = FormWords::of(view.head.language.tag());
    let (forms, measured) = (view.forms, view.measured);
    let draw =
        Draw { actions: view.actions, forms, measured, words, form_words, pictures: view.pictures, origin };
    let scripts = Scripts::read(view.scripts);
    let asks = view.needs_consent && !scripts.is_empty();
    let tokens = view.theme.css() + &view.pictures.css();
    let has_form = view.actions.iter().any(|action| matches!(action, Action::Form(_)));
    let body = body(view, &draw, &scripts, asks);
    let language = &view.head.language;
    let head = html! {
        (DOCTYPE)
        html lang=(language.tag()) dir=[language.is_right_to_left().then_some("rtl")] data-held[asks] {
            head {
                (head::draw(view.head, view.theme))
                style { (PreEscaped(&tokens)) }
                style { (PreEscaped(&STYLE.text)) }
                @if has_form { style { (PreEscaped(&FORM_STYLE.text)) } }
                @if view.ask.is_some() { style { (PreEscaped(&ASK_STYLE.text)) } }
                @if !scripts.is_empty() {
                    (scripts.held(InjectionPoint::Head))
                    script { (PreEscaped(&LOADER.text)) }
                }
            }
            (body)
        }
    };
    let mut policy = Policy {
        scripts: vec![SCRIPT.hash.clone()],
        styles: vec![hash_of(&tokens), STYLE.hash.clone()],
        has_own_fonts: view.theme.has_faces(),
        ..Policy::default()
    };
    if has_form {
        policy.styles.push(FORM_STYLE.hash.clone());
    }
    if view.ask.is_some() {
        policy.styles.push(ASK_STYLE.hash.clone());
        policy.scripts.push(ASK_START.hash.clone());
    }
    if view.measured.is_some() {
        policy.scripts.push(MEASURE.hash.clone());
    }
    if view.preview.is_some() {
        policy.scripts.push(PREVIEW.hash.clone());
    }
    if !scripts.is_empty() {
        policy.scripts.push(LOADER.hash.clone());
        scripts.allow(&mut policy);
    }
    Rendered { html: head.into_string(), content_security_policy: policy.write(view.frame_ancestors) }
}

fn body(view: &PageView<'_>, draw: &Draw<'_>, scripts: &Scripts, asks: bool) -> Markup {
    let site = Site { name: view.site_name, home_url: view.home_url, theme: view.theme };
    let change = if asks {
        consent::change(draw.words)
    } else {
        html! {}
    };
    let offered = view.content.blocks.iter().flat_map(Component::action_ids).map(|(_, id)| id);
    // What is offered where a question has no answer: its dialog has to be there.
    let of_questions = view.ask.and_then(|ask| ask.action_id);
    html! {
        body {
            a class="skip" href="#content" { (draw.words.skip) }
            (scripts.without(view.needs_consent))
            (scripts.held(InjectionPoint::BodyStart))
            @if asks { (consent::banner(draw.words)) }
            @if let Some(preview) = view.preview { aside class="preview" aria-label=(draw.words.preview) {
                (draw.words.preview_until(preview.number, preview.until))
            } }
            (layout::header(site, view.nav, view.header_action_id, draw))
            main id="content" tabindex="-1" {
                (blocks(view, draw))
                @if let Some(ask) = &view.ask { (ask::field(ask, draw, &view.head.language)) }
                (action::dialogs(view.header_action_id.into_iter().chain(offered).chain(of_questions), draw))
            }
            (layout::footer(site, view.footer, view.legal_links, &change, draw))
            (scripts.held(InjectionPoint::BodyEnd))
            script { (PreEscaped(&SCRIPT.text)) }
            @if view.ask.is_some() { script { (PreEscaped(&ASK_START.text)) } }
            @if let Some(origin) = view.preview.and_then(|preview| origin_of(preview.console)) {
                script data-console=(origin) data-blocks=(elements(&view.content.blocks)) { (PreEscaped(&PREVIEW.text)) }
            }
            @if let Some(Measured { page_id, audience_id }) = view.measured {
                script data-p=(page_id) data-a=(audience_id) { (PreEscaped(&MEASURE.text)) }
                noscript { img src={ "/.pagesmith/v?p=" (page_id) "&a=" (audience_id) } alt="" hidden; }
            }
        }
    }
}

/// The blocks, then the widgets. A page that opens with no hero gets its title as a heading for who cannot see where it begins.
fn blocks(view: &PageView<'_>, draw: &Draw<'_>) -> Markup {
    let blocks = &view.content.blocks;
    let opens_with_hero = opens_with_hero(blocks);
    let shaded = surface::shaded(blocks);
    html! {
        @if !opens_with_hero { h1 class="hidden" dir="auto" { (view.head.title) } }
        @for ((block, place), is_shaded) in blocks.iter().zip(places(blocks)).zip(shaded) {
            (components::draw(block, draw, &PagePosition { is_shaded, ..place }))
        }
        @for (index, widget) in view.widgets.iter().enumerate() {
            (components::draw_widget(widget, draw, &PagePosition::new(blocks.len() + index, None, false)))
        }
    }
}

fn opens_with_hero(blocks: &[Component]) -> bool {
    matches!(blocks.first(), Some(Component::Hero(_)))
}

/// Where each block stands. Of several with the same id, only the first can be led to by it.
fn places(blocks: &[Component]) -> Vec<PagePosition> {
    let mut seen = HashSet::new();
    let place = |(index, block): (usize, &Component)| {
        let id = block.block_id().filter(|id| seen.insert((*id).to_owned()));
        PagePosition::new(index, id, index == 0 && opens_with_hero(blocks))
    };
    blocks.iter().enumerate().map(place).collect()
}

/// The ids of the blocks by those of their elements, as JSON.
fn elements(blocks: &[Component]) -> String {
    let named = blocks.iter().zip(places(blocks));
    let named = named.filter_map(|(block, place)| Some((place.id, block.block_id()?)));
    serde_json::to_string(&named.collect::<BTreeMap<_, _>>()).unwrap_or_default()
}
