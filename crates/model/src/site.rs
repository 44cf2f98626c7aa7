//! A tenant's site: what its owner decides about all its pages together.
//!
//! These are wishes in the form in which they are sent, kept and answered; what of them can be drawn is for `render` to say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds::{NameUpTo, Text};
use crate::page_access::PageAccess;

/// How many days a signed link lasts unless the tenant decides otherwise.
const SIGNED_LINK_DAYS: u16 = 30;

/// Whether visitors are asked before a page's own scripts run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Consent {
    /// They are asked, and nothing runs until they agree.
    #[default]
    Ask,
    /// The scripts run unasked: whoever answers for the site says that they may.
    None,
}

/// A picture that stands for the brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SiteLogo {
    /// Where it is: an absolute http or https address.
    #[schemars(length(min = 1, max = 2048))]
    pub url: String,
    /// What it says; the site's name if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(max = 200))]
    pub alt_text: Option<String>,
}

/// How a site looks; what is left out is our own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SiteBrand {
    /// The one colour that stands out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", regex(pattern = "^#[0-9A-Fa-f]{6}$"))]
    pub accent_color: Option<String>,
    /// What headings are set in: names of fonts, separated by commas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 500))]
    pub heading_fonts: Option<String>,
    /// What everything else is set in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 500))]
    pub body_fonts: Option<String>,
    /// How round corners are, in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u8", range(min = 0, max = 40))]
    pub corner_radius: Option<u8>,
    /// Stands in the header in place of the site's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SiteLogo")]
    pub logo: Option<SiteLogo>,
    /// The icon of the browser's tab: an absolute http or https address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 2048))]
    pub icon_url: Option<String>,
}

/// What a tenant decided about its site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "SiteSettings")]
pub struct SiteSettings {
    /// What the site is called; the tenant's name if it is left out.
    #[serde(default)]
    #[schemars(with = "Option<NameUpTo<200>>")]
    pub site_name: Option<String>,
    /// Whether visitors are asked before a page's own scripts run.
    #[serde(default)]
    pub consent: Consent,
    /// How its pages look.
    #[serde(default)]
    pub brand: SiteBrand,
    /// The page at the root of its address; left out or null, the one that is there stays.
    #[serde(default)]
    #[schemars(with = "Option<Text>")]
    pub home_page_id: Option<String>,
    /// Who may open persons' own pages, where it is not set for an audience.
    #[serde(default)]
    pub person_page_access: PageAccess,
    /// For how many days a signed link to somebody's own page can be opened.
    #[serde(default = "signed_link_days")]
    #[schemars(range(min = 1, max = 365))]
    pub signed_link_days: u16,
}

fn signed_link_days() -> u16 {
    SIGNED_LINK_DAYS
}

impl Default for SiteSettings {
    fn default() -> SiteSettings {
        SiteSettings {
            site_name: None,
            consent: Consent::default(),
            brand: SiteBrand::default(),
            home_page_id: None,
            person_page_access: PageAccess::default(),
            signed_link_days: SIGNED_LINK_DAYS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_said_is_the_default() {
        let settings: SiteSettings = serde_json::from_str("{}").unwrap();
        assert_eq!(settings, SiteSettings::default());
        assert_eq!(settings.consent, Consent::Ask);
    }
}
