//! What a page tells of the brand of its site: name, icon, logo, colour, legal links, and where its styles are.
//!
//! Everything is a guess by what sites do; nothing is fetched. Addresses are absolute and http or https.

use std::collections::BTreeSet;

use dom_smoothie::Readability;
use serde_json::Value;
use url::Url;

use crate::html::{config, judge};
use crate::refusal::Refusal;
use crate::title::tidy;

/// How many characters a name has at most.
const LONGEST_NAME: usize = 100;
/// How many characters an address has at most.
const LONGEST_ADDRESS: usize = 2_000;
/// How many style sheets are named at most.
const MOST_SHEETS: usize = 6;
/// How many characters of styles within the page are kept.
const STYLES_KEPT: usize = 500_000;
/// How many legal links are named at most.
const MOST_LEGAL_LINKS: usize = 5;
/// What separates the name of a site from that of the page in a title.
const SEPARATORS: [&str; 6] = [" | ", " – ", " — ", " · ", " - ", " :: "];
/// What is in the address or the text of a link that the law wants.
const LEGAL: [&str; 14] = [
    "imprint",
    "impressum",
    "privacy",
    "datenschutz",
    "terms",
    "agb",
    "legal",
    "mentions",
    "confidentialit",
    "privacidad",
    "aviso-legal",
    "cookies",
    "tos",
    "nutzungsbedingungen",
];

/// What a page tells of the brand of its site.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Brand {
    /// What the site calls itself.
    pub name: Option<String>,
    /// The icon of the browser's tab.
    pub icon: Option<String>,
    /// The picture that stands for it, and what is said of it.
    pub logo: Option<(String, Option<String>)>,
    /// The colour of the browser around the page, as it was written.
    pub theme_color: Option<String>,
    /// Texts and addresses of the links that the law wants.
    pub legal_links: Vec<(String, String)>,
    /// Where its style sheets are, in order.
    pub sheets: Vec<Url>,
    /// The styles that are in the page itself.
    pub styles: String,
}

/// Reads a page of that address.
pub fn read(html: &str, url: &Url) -> Result<Brand, Refusal> {
    judge(html)?;
    let document = Readability::new(html, Some(url.as_str()), Some(config())).map_err(|_| Refusal::Broken)?;
    let found = ParsedPage { document: &document, base: base(&document, url) };
    let mut brand = Brand {
        name: found.name(),
        icon: found.icon(),
        logo: found.logo(),
        theme_color: found.meta("theme-color"),
        legal_links: found.legal_links(),
        sheets: found.sheets(),
        styles: String::new(),
    };
    for style in &document.doc.select("style") {
        if brand.styles.len() + style.text().len() <= STYLES_KEPT {
            brand.styles.push_str(&style.text());
            brand.styles.push('\n');
        }
    }
    Ok(brand)
}

/// The address that others are relative to.
fn base(document: &Readability, url: &Url) -> Url {
    let named = document.doc.select("base[href]").attr("href");
    named.and_then(|named| url.join(&named).ok()).unwrap_or_else(|| url.clone())
}

/// A page that was parsed.
struct ParsedPage<'a> {
    document: &'a Readability,
    base: Url,
}

impl ParsedPage<'_> {
    fn address(&self, text: &str) -> Option<String> {
        let address =
            self.base.join(text.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let is_plain = address.username().is_empty() && address.password().is_none();
        Some(String::from(address)).filter(|address| is_plain && address.len() <= LONGEST_ADDRESS)
    }

    /// What a `meta` of that name or property says; the first without conditions.
    fn meta(&self, name: &str) -> Option<String> {
        for selector in [format!("meta[name='{name}']"), format!("meta[property='{name}']")] {
            for meta in &self.document.doc.select(&selector) {
                let dark = meta.attr("media").is_some_and(|media| media.contains("dark"));
                let text = meta.attr("content").map(|text| tidy(&text, LONGEST_NAME)).unwrap_or_default();
                if !dark && !text.is_empty() {
                    return Some(text);
                }
            }
        }
        None
    }

    fn name(&self) -> Option<String> {
        let said = self.meta("og:site_name").or_else(|| self.meta("application-name"));
        said.or_else(|| self.organisation("name")).or_else(|| self.name_of_title())
    }

    /// The part of the title that is not about the page: the last one, or on a start page the first, whichever the host's name is like.
    fn name_of_title(&self) -> Option<String> {
        let title = tidy(&self.document.doc.select("title").text(), 300);
        let parts = SEPARATORS.iter().find(|separator| title.contains(**separator));
        let mut parts: Vec<&str> =
            parts.map_or(vec![title.as_str()], |separator| title.split(separator).collect());
        parts.retain(|part| !part.trim().is_empty());
        let squeezed = |text: &str| text.to_lowercase().replace(|char: char| !char.is_alphanumeric(), "");
        let host = squeezed(self.base.host_str().unwrap_or_default());
        let is_host = |part: &&&str| squeezed(part).len() > 2 && host.contains(&squeezed(part));
        let chosen = parts.iter().find(is_host).or_else(|| parts.last())?;
        Some(tidy(chosen, LONGEST_NAME)).filter(|name| !name.is_empty())
    }

    /// A field of the organisation that the page describes for machines.
    fn organisation(&self, field: &str) -> Option<String> {
        let scripts = self.document.doc.select("script[type='application/ld+json']");
        scripts.iter().find_map(|script| {
            let text = script.text();
            let value: Value = serde_json::from_str(&text).ok().filter(|_| text.len() <= STYLES_KEPT)?;
            let graph = value.get("@graph").unwrap_or(&value).clone();
            let items = if let Value::Array(items) = graph { items } else { vec![graph] };
            items.iter().find_map(|item| {
                let kind = item.get("@type")?.to_string();
                let is_organisation = ["Organization", "Corporation", "LocalBusiness", "Brand"]
                    .iter()
                    .any(|known| kind.contains(known));
                let field = item.get(field).filter(|_| is_organisation)?;
                let text = field.as_str().or_else(|| field.get("url")?.as_str())?;
                Some(tidy(text, LONGEST_ADDRESS)).filter(|text| !text.is_empty())
            })
        })
    }

    /// The largest icon that says its size, or else the one for home screens, or else the first.
    fn icon(&self) -> Option<String> {
        let mut best: Option<(u32, String)> = None;
        for link in &self.document.doc.select("link[rel][href]") {
            let rel = link.attr("rel").unwrap_or_default().to_ascii_lowercase();
            let mut words = rel.split_ascii_whitespace();
            let weight = if words.any(|word| word == "icon") {
                1
            } else if rel.starts_with("apple-touch-icon") {
                100
            } else {
                continue;
            };
            let sizes = link.attr("sizes").unwrap_or_default().to_ascii_lowercase();
            let size = sizes.split(['x', ' ']).next().and_then(|side| side.parse().ok());
            let weight = if sizes == "any" { 512 } else { size.unwrap_or(weight).min(512) };
            let Some(address) = self.address(&link.attr("href").unwrap_or_default()) else { continue };
            if best.as_ref().is_none_or(|(least, _)| weight > *least) {
                best = Some((weight, address));
            }
        }
        best.map(|(_, address)| address)
    }

    fn logo(&self) -> Option<(String, Option<String>)> {
        if let Some(address) = self.organisation("logo").and_then(|logo| self.address(&logo)) {
            return Some((address, None));
        }
        // In the head of the page first; a picture further down may be a customer's logo.
        for selector in ["header img[src]", "nav img[src]", "a[href='/'] img[src]"] {
            for picture in &self.document.doc.select(selector) {
                let attribute =
                    |name: &str| picture.attr(name).map(|text| text.to_string()).unwrap_or_default();
                let about = ["src", "class", "id", "alt"].map(attribute).join(" ").to_ascii_lowercase();
                let Some(address) = self.address(&attribute("src")).filter(|_| about.contains("logo")) else {
                    continue;
                };
                let alt_text = tidy(&attribute("alt"), LONGEST_NAME);
                return Some((address, Some(alt_text).filter(|text| !text.is_empty())));
            }
        }
        None
    }

    fn legal_links(&self) -> Vec<(String, String)> {
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for link in &self.document.doc.select("a[href]") {
            let href = link.attr("href").unwrap_or_default();
            let text = tidy(&link.text(), LONGEST_NAME);
            let Some(address) = self.address(&href) else { continue };
            let about = format!("{} {}", href.to_lowercase(), text.to_lowercase());
            let mut words = about.split(|char: char| !char.is_alphanumeric() && char != '-');
            let is_legal = words.any(|word| LEGAL.iter().any(|known| word.starts_with(known)));
            let is_short = (1..=40).contains(&text.chars().count());
            if is_legal && is_short && found.len() < MOST_LEGAL_LINKS && seen.insert(address.clone()) {
                found.push((text, address));
            }
        }
        found
    }

    fn sheets(&self) -> Vec<Url> {
        let mut sheets = Vec::new();
        for link in &self.document.doc.select("link[rel][href]") {
            let rel = link.attr("rel").unwrap_or_default().to_ascii_lowercase();
            let words: Vec<&str> = rel.split_ascii_whitespace().collect();
            let media = link.attr("media").unwrap_or_default();
            let is_for_screens = media.is_empty() || media.contains("all") || media.contains("screen");
            if !words.contains(&"stylesheet") || words.contains(&"alternate") || !is_for_screens {
                continue;
            }
            let address = self.address(&link.attr("href").unwrap_or_default());
            let address = address.and_then(|address| Url::parse(&address).ok());
            sheets.extend(address.filter(|address| sheets.len() < MOST_SHEETS && !sheets.contains(address)));
        }
        sheets
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(html: &str) -> Brand {
        read(html, &Url::parse("https://www.nord-bakery.example/about/").unwrap()).unwrap()
    }

    #[test]
    fn a_page_tells_name_icon_logo_colour_links_and_styles() {
        let brand = of("<!doctype html><html><head><title>About us | Nord Bakery</title>
            <meta name=theme-color content='#101010' media='(prefers-color-scheme: dark)'>
            <meta name=theme-color content='#8A3324'>
            <link rel='shortcut icon' href=/small.ico><link rel=icon sizes=192x192 href=/large.png>
            <link rel=stylesheet href=/a.css><link rel=stylesheet media=print href=/print.css>
            <link rel='alternate stylesheet' href=/b.css><style>a{color:red}</style></head>
            <body><header><a href=/><img class=site-logo src=img/logo.svg alt='Nord'></a></header>
            <img src=/customer-logo.png>
            <footer><a href=/impressum>Impressum</a><a href=/privacy>Privacy</a><a href=/privacy>Privacy again</a>
            <a href='javascript:legal()'>Legal</a><a href=/bread>Bread</a></footer></body></html>");
        let site = |path: &str| format!("https://www.nord-bakery.example{path}");
        assert_eq!(brand.name.as_deref(), Some("Nord Bakery"));
        assert_eq!(brand.icon, Some(site("/large.png")));
        assert_eq!(brand.logo, Some((site("/about/img/logo.svg"), Some("Nord".to_owned()))));
        assert_eq!(brand.theme_color.as_deref(), Some("#8A3324"));
        assert_eq!(
            brand.legal_links,
            [("Impressum".to_owned(), site("/impressum")), ("Privacy".to_owned(), site("/privacy"))]
        );
        assert_eq!(brand.sheets.iter().map(Url::as_str).collect::<Vec<_>>(), [site("/a.css")]);
        assert_eq!(brand.styles, "a{color:red}\n");
    }

    #[test]
    fn what_a_page_says_for_machines_goes_first_and_titles_are_read_with_care() {
        let brand = of(r#"<title>Home</title><script type="application/ld+json">
            {"@graph":[{"@type":"WebSite","name":"x"},{"@type":"Organization","name":"Nord","logo":{"url":"/l.png"}}]}
            </script><meta property="og:site_name" content="Nord Ltd">"#);
        assert_eq!(brand.name.as_deref(), Some("Nord Ltd"));
        assert_eq!(brand.logo, Some(("https://www.nord-bakery.example/l.png".to_owned(), None)));
        for (title, name) in [
            ("Nord Bakery – Bread since 1900", Some("Nord Bakery")),
            ("Bread | Acme", Some("Acme")),
            ("Bread", Some("Bread")),
            ("", None),
        ] {
            assert_eq!(of(&format!("<title>{title}</title>")).name.as_deref(), name, "{title}");
        }
    }

    #[test]
    fn nothing_leads_elsewhere_than_to_the_web() {
        let brand = of("<base href='file:///etc/'><link rel=icon href='data:image/png;base64,AA'>
            <link rel=stylesheet href='file:///etc/passwd'><header><img src='https://a:b@x.example/logo.png'></header>");
        assert_eq!((brand.icon, brand.logo, brand.sheets.len()), (None, None, 0));
    }

    proptest! {
        #[test]
        fn any_markup_has_a_brand_or_is_refused(html in "(<[a-z]{1,6}( [a-z]{1,4}=['\"]?[a-z:/]{0,9})?/?>|</[a-z]{1,6}>|[a-z&;\\PC]{0,9}){0,40}") {
            let _ = read(&html, &Url::parse("https://x.example/").unwrap());
        }
    }
}
