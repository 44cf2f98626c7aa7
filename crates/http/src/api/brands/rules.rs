//! What of a brand could not be drawn, and is refused.

use pagesmith_model::brand::{BrandLogo, LegalLink, Look};
use pagesmith_model::content::address;
use pagesmith_model::{Error, Issue, IssueCode, Result};
use pagesmith_render::{Colour, Fonts, LIGHT_GROUND, is_readable, nearest_readable};

/// Refuses what of a brand's parts could not be drawn.
pub(super) fn check(look: Option<&Look>, legal_links: Option<&[LegalLink]>) -> Result<()> {
    let mut issues = look.map_or_else(Vec::new, |look| of_look(look, "look"));
    for (at, link) in legal_links.unwrap_or_default().iter().enumerate() {
        if !address::is_linked(&link.url) {
            let path = ["legalLinks", &at.to_string(), "url"];
            issues.push(issue(IssueCode::InvalidFormat, &path, "is no address that a page may link to."));
        }
    }
    if issues.is_empty() { Ok(()) } else { Err(Error::invalid(issues)) }
}

/// What of a look, which is in this field of the body, could not be drawn.
pub(crate) fn of_look(look: &Look, field: &str) -> Vec<Issue> {
    let mut issues = Vec::new();
    let mut refuse = |code: IssueCode, path: &[&str], what: &str| {
        issues.push(issue(code, &[&[field], path].concat(), what));
    };
    let (format, value) = (IssueCode::InvalidFormat, IssueCode::InvalidValue);
    for (name, fonts) in [("headingFonts", &look.heading_fonts), ("bodyFonts", &look.body_fonts)] {
        if fonts.as_deref().is_some_and(|fonts| Fonts::parse(fonts).is_none()) {
            refuse(format, &[name], "is no list of names of fonts, separated by commas.");
        }
    }
    let is_bad = |url: &str| !address::is_fetched(url) || !url.is_ascii();
    if let Some(BrandLogo { url, asset_id, .. }) = &look.logo {
        if url.as_deref().is_some_and(is_bad) {
            refuse(format, &["logo", "url"], "is no absolute http or https address.");
        }
        match (url, asset_id) {
            (None, None) => {
                let what = "is required, unless there is an assetId.";
                refuse(IssueCode::Required, &["logo", "url"], what);
            }
            (Some(_), Some(_)) => {
                refuse(value, &["logo", "assetId"], "cannot be given together with a url.");
            }
            _ => {}
        }
    }
    if look.icon_url.is_some() && look.icon_asset_id.is_some() {
        refuse(value, &["iconAssetId"], "cannot be given together with iconUrl.");
    }
    if look.icon_url.as_deref().is_some_and(is_bad) {
        refuse(format, &["iconUrl"], "is no absolute http or https address.");
    }
    let colour = |named: Option<&String>| named.and_then(|text| Colour::parse(text));
    if let Some(ink) = colour(look.text_color.as_ref()) {
        let ground = colour(look.background_color.as_ref()).unwrap_or(LIGHT_GROUND);
        if !is_readable(ink, ground) {
            let (contrast, nearest) = (ink.contrast(ground), nearest_readable(ink, ground));
            let what = format!(
                "has a contrast of {contrast:.1} on the background {ground}, and 4.5 is needed. The nearest colour that has it is {nearest}."
            );
            issues.push(issue(IssueCode::InsufficientContrast, &[field, "textColor"], &what));
        }
    }
    issues
}

fn issue(code: IssueCode, path: &[&str], what: &str) -> Issue {
    Issue::body(code, path, format!("{}: {what}", path.join(".")))
}
