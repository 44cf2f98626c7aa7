//! A tenant's site: what its owner decides about all its pages together.
//!
//! These are wishes in the form in which they are sent, kept and answered; what of them can be drawn is for `render` to say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bounds::{NameUpTo, Text};
use crate::brand::Look;
use crate::example::example;
use crate::page::access::PageAccess;

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

/// Settings of a tenant's site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "SiteSettings")]
#[schemars(example = json!({
    "siteName": "Acme",
    "consent": "ask",
    "brand": example::<Look>(),
    "homePageId": null,
    "personPageAccess": "unguessable",
    "signedLinkDays": 30,
}))]
pub struct SiteSettings {
    /// Name of the site. `null` means the name that the content of a page gives as `head.siteName`, else the name
    /// of the page.
    #[serde(default)]
    #[schemars(with = "Option<NameUpTo<200>>")]
    pub site_name: Option<String>,
    /// Whether visitors are asked for consent before the scripts of a page run: `ask`, or `none` to run them
    /// unasked.
    #[serde(default)]
    pub consent: Consent,
    /// Look of the pages that name no brand: the look of the tenant's default brand.
    #[serde(default)]
    pub brand: Look,
    /// Page at the root of the site. In requests, `null` keeps the present one.
    #[serde(default)]
    #[schemars(with = "Option<Text>")]
    pub home_page_id: Option<String>,
    /// Who may open the pages of single persons, unless it is set for the audience: `open` at an address made
    /// from the name, `unguessable` at an address with a random part, `signed` only by a link that expires.
    #[serde(default)]
    pub person_page_access: PageAccess,
    /// Number of days after which a signed link expires.
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
            brand: Look::default(),
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
