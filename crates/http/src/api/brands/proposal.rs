//! A brand as it is proposed from what a website tells: what could not be drawn or read is left out or changed, and that is told.

use axum::http::Uri;
use pagesmith_model::brand::{BrandLogo, LegalLink, Look, Voice};
use pagesmith_model::content::address;
use pagesmith_model::example::example;
use pagesmith_operations::brands::websites::{Rgb, Website};
use pagesmith_render::{Colour, Fonts, LIGHT_GROUND, is_readable, nearest_readable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::view::Palette;

/// How many characters a name has at most.
const LONGEST_NAME: usize = 200;
/// Channels of a colour differ by so much at least if it is more than a grey.
const COLOURFUL: u8 = 32;

/// A website that a brand is proposed from.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ProposeBrandRequest")]
#[schemars(example = json!({ "url": "https://example.com/" }))]
pub(crate) struct WebsiteToRead {
    /// Address of a page of the website, such as its start page.
    #[schemars(with = "pagesmith_model::page::Url")]
    pub(crate) url: String,
}

/// A brand that was proposed and is not saved.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "BrandProposal", deny_unknown_fields)]
#[schemars(example = json!({
    "url": "https://example.com/",
    "brand": example::<ProposedBrand>(),
    "palette": example::<Palette>(),
    "notes": ["The website names no colour of buttons or links: the default accent colour is used."],
}))]
pub(crate) struct ProposalView {
    /// Address of the page that was read, after redirects.
    url: String,
    /// Brand, as the body of a request that creates it.
    brand: ProposedBrand,
    /// Colours that follow from the look.
    palette: Palette,
    /// What was changed or left out, and why.
    notes: Vec<String>,
}

/// Brand that can be sent as it is to create it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ProposedBrand", deny_unknown_fields)]
#[schemars(example = json!({
    "name": "Acme", "look": example::<Look>(), "voice": example::<Voice>(), "legalLinks": [example::<LegalLink>()],
}))]
pub(crate) struct ProposedBrand {
    /// Name of the brand: that of the website.
    name: String,
    /// Look of the pages.
    pub(super) look: Look,
    /// How the pages speak. Nothing is proposed here.
    voice: Voice,
    /// Links in the last line of the pages.
    pub(super) legal_links: Vec<LegalLink>,
}

impl ProposalView {
    /// What follows from a website.
    pub(crate) fn of(website: Website) -> ProposalView {
        let mut notes = Vec::new();
        let host = || website.url.parse::<Uri>().ok()?.host().map(str::to_owned);
        let name = website.name.clone().or_else(host).unwrap_or_else(|| "Website".to_owned());
        let name: String = name.chars().take(LONGEST_NAME).collect();
        let look = look(&website, &mut notes);
        if website.unread_sheets > 0 {
            notes.push(format!("{} style sheets of the website could not be read.", website.unread_sheets));
        }
        let links = website.legal_links.into_iter().map(|(text, url)| LegalLink { text, url });
        let legal_links = links.filter(|link| address::is_linked(&link.url)).collect();
        let palette = Palette::of(&look);
        let brand = ProposedBrand { name, look, voice: Voice::default(), legal_links };
        ProposalView { url: website.url, brand, palette, notes }
    }

    #[cfg(test)]
    fn parts(&self) -> (&Look, &[LegalLink]) {
        (&self.brand.look, &self.brand.legal_links)
    }
}

fn look(website: &Website, notes: &mut Vec<String>) -> Look {
    let hex = |colour: Rgb| of(colour).to_string();
    let theme = website.theme_color.filter(|colour| is_colourful(*colour));
    let accent = website.accent.or(theme);
    if accent.is_none() {
        notes.push(
            "The website names no colour of buttons or links: the default accent colour is used.".to_owned(),
        );
    }
    let primary = theme.or(website.primary).filter(|colour| Some(*colour) != accent);
    // White is what is behind a page without a colour.
    let background = website.background.filter(|colour| of(*colour) != LIGHT_GROUND);
    let ground = background.map_or(LIGHT_GROUND, of);
    let fetched = |url: &String| address::is_fetched(url) && url.is_ascii();
    let logo = website.logo.clone().filter(|(url, _)| fetched(url));
    if logo.is_none() {
        notes.push("No logo was found in the head of the page.".to_owned());
    }
    Look {
        primary_color: primary.map(hex),
        accent_color: accent.map(hex),
        background_color: background.map(hex),
        text_color: website.text.map(|colour| readable(of(colour), ground, notes).to_string()),
        heading_fonts: fonts(&website.heading_fonts, notes),
        body_fonts: fonts(&website.body_fonts, notes),
        corner_radius: website.corner_radius.map(|radius| radius.min(40)),
        logo: logo.map(|(url, alt_text)| BrandLogo { url: Some(url), asset_id: None, alt_text }),
        icon_url: website.icon.clone().filter(fetched),
        ..Look::default()
    }
}

fn of([red, green, blue]: Rgb) -> Colour {
    Colour::rgb(red, green, blue)
}

fn is_colourful(colour: Rgb) -> bool {
    let (most, least) = (colour.iter().max(), colour.iter().min());
    most.zip(least).is_some_and(|(most, least)| most - least >= COLOURFUL)
}

/// The colour of texts, or the nearest that can be read.
fn readable(ink: Colour, ground: Colour, notes: &mut Vec<String>) -> Colour {
    if is_readable(ink, ground) {
        return ink;
    }
    let (contrast, nearest) = (ink.contrast(ground), nearest_readable(ink, ground));
    notes.push(format!(
        "The text colour {ink} has a contrast of {contrast:.1} on the background {ground}, and 4.5 is needed: {nearest} is proposed."
    ));
    nearest
}

/// A list of fonts, if it is one.
fn fonts(names: &[String], notes: &mut Vec<String>) -> Option<String> {
    let list = names.join(", ");
    let usable = !list.is_empty() && list.len() <= 500 && Fonts::parse(&list).is_some();
    let note = "Fonts are named and not copied: visitors who do not have them see the next one.";
    if usable && !notes.iter().any(|known| known == note) {
        notes.push(note.to_owned());
    }
    usable.then_some(list)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::rules;
    use super::*;

    #[test]
    fn a_website_becomes_a_brand_that_can_be_read() {
        let website = Website {
            url: "https://nord.example/".to_owned(),
            theme_color: Some([0x14, 0x21, 0x3d]),
            background: Some([255, 255, 255]),
            text: Some([0xaa, 0xaa, 0xaa]),
            accent: Some([0x8a, 0x33, 0x24]),
            heading_fonts: vec!["Georgia".to_owned()],
            corner_radius: Some(255),
            legal_links: vec![("Impressum".to_owned(), "https://nord.example/impressum".to_owned())],
            ..Website::default()
        };
        let proposal = serde_json::to_value(ProposalView::of(website)).unwrap();
        assert_eq!(
            proposal["brand"],
            json!({
                "name": "nord.example",
                "look": {
                    "primaryColor": "#14213d", "accentColor": "#8a3324", "textColor": "#767676",
                    "headingFonts": "Georgia", "cornerRadius": 40,
                },
                "voice": { "wordsToUse": [], "wordsToAvoid": [] },
                "legalLinks": [{ "text": "Impressum", "url": "https://nord.example/impressum" }],
            })
        );
        assert_eq!(proposal["notes"].as_array().unwrap().len(), 3, "{proposal}");
    }

    fn text() -> impl Strategy<Value = String> {
        "(https?://|javascript:|/)?[a-zä./\\PC]{0,20}"
    }

    proptest! {
        #[test]
        fn whatever_a_website_tells_the_proposal_is_a_brand_that_is_taken(
            colours in prop::collection::vec(prop::option::of(any::<[u8; 3]>()), 5),
            texts in prop::collection::vec(text(), 8),
            radius in prop::option::of(any::<u8>()),
        ) {
            let website = Website {
                url: texts[0].clone(),
                name: Some("A".to_owned()),
                icon: Some(texts[1].clone()),
                logo: Some((texts[2].clone(), Some(texts[3].clone()))),
                theme_color: colours[0],
                background: colours[1],
                text: colours[2],
                accent: colours[3],
                primary: colours[4],
                heading_fonts: vec![texts[4].clone()],
                body_fonts: vec![texts[5].clone(), texts[6].clone()],
                corner_radius: radius,
                legal_links: vec![("a".to_owned(), texts[7].clone())],
                unread_sheets: 1,
            };
            let proposal = ProposalView::of(website);
            let (look, links) = proposal.parts();
            prop_assert!(rules::check(Some(look), Some(links)).is_ok(), "{look:?} {links:?}");
        }
    }
}
