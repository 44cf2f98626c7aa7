//! What the addresses of a tenant's site lead to.
//!
//! [`look`] is cheap and asked for every visit: its [`Spot`] changes whenever anything changes that the page shows. [`read`] gets
//! everything that a page is drawn from, in one transaction, and [`Parts::open`] reads it. Invariant: nothing is shown of a page
//! or an audience that is archived, deleted or not published.

use pagesmith_model::audience::Audience;
use pagesmith_model::content::Content;
use pagesmith_model::json::JsonText;
use pagesmith_model::link::{FooterLinkGroup, NavEntry};
use pagesmith_model::page::Page;
use pagesmith_model::page::action::Action;
use pagesmith_model::page::metadata::Metadata;
use pagesmith_model::page::script::Script;
use pagesmith_model::page::widget::ActionCardWidget;
use pagesmith_model::{Error, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::audiences::{self, Spot};
use pagesmith_store::tables::{pages, version_contents};
use serde::de::DeserializeOwned;

/// An address below the root of a site.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address {
    /// The page's part.
    pub page: String,
    /// The audience's part; `None` is the page's own link.
    pub audience: Option<String>,
}

impl Address {
    /// The address of a path, if the path may be one; slashes around it do not count.
    pub fn parse(path: &str) -> Option<Address> {
        let mut parts = path.trim_matches('/').split('/').map(str::to_owned);
        let page = parts.next().filter(|page| !page.is_empty())?;
        let address = Address { page, audience: parts.next() };
        let is_whole = parts.next().is_none() && address.audience.as_deref() != Some("");
        is_whole.then_some(address)
    }

    /// The path of the address.
    pub fn path(&self) -> String {
        match &self.audience {
            Some(audience) => format!("/{}/{audience}", self.page),
            None => format!("/{}", self.page),
        }
    }
}

/// What an address leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sight {
    /// Nothing.
    Nothing,
    /// A page or an audience that was put away.
    Gone,
    /// A page or an audience without a live version.
    NotPublished,
    /// A live version.
    Published(Spot),
}

/// What an address leads to now.
pub fn look(tx: &mut Tx<'_>, tenant: &TenantId, address: &Address) -> Result<Sight> {
    let spot = match &address.audience {
        Some(audience) => audiences::find_by_slug(tx, tenant, &address.page, audience)?,
        None => audiences::oldest_published(tx, tenant, &address.page)?,
    };
    Ok(match spot {
        None => Sight::Nothing,
        Some(spot) if spot.is_archived => Sight::Gone,
        Some(spot) if spot.version_id.is_none() => Sight::NotPublished,
        Some(spot) => Sight::Published(spot),
    })
}

/// What a published page is drawn from, as it is kept.
#[derive(Debug, Clone)]
pub struct Parts {
    /// What it was when it was read.
    pub spot: Spot,
    page: Page,
    audience: Audience,
    content: JsonText,
}

/// The parts of the page at an address, if one is shown there.
pub fn read(tx: &mut Tx<'_>, tenant: &TenantId, address: &Address) -> Result<Result<Box<Parts>, Sight>> {
    let spot = match look(tx, tenant, address)? {
        Sight::Published(spot) => spot,
        other => return Ok(Err(other)),
    };
    let (Some(audience_id), Some(version_id)) = (&spot.audience_id, &spot.version_id) else {
        return Ok(Err(Sight::NotPublished));
    };
    let missing = |what: &str| Error::internal(format!("a published page without its {what}"));
    let page = pages::find(tx, tenant, &spot.page_id)?.ok_or_else(|| missing("row"))?;
    let audience = audiences::find(tx, tenant, &spot.page_id, audience_id)?;
    let audience = audience.ok_or_else(|| missing("audience"))?;
    let content = version_contents::find(tx, tenant, version_id)?.ok_or_else(|| missing("content"))?;
    Ok(Ok(Box::new(Parts { spot, page, audience, content })))
}

/// What a published page is drawn from.
#[derive(Debug, Clone)]
pub struct Published {
    /// What it says.
    pub content: Content,
    /// What the page is called.
    pub name: String,
    /// The actions as the audience has them.
    pub actions: Vec<Action>,
    /// The action in the header.
    pub header_action_id: Option<String>,
    /// The navigation.
    pub nav: Vec<NavEntry>,
    /// The links in the footer.
    pub footer: Vec<FooterLinkGroup>,
    /// The widgets of the action card.
    pub widgets: Vec<ActionCardWidget>,
    /// The page's own scripts.
    pub scripts: Vec<Script>,
    /// What is said of the page.
    pub metadata: Option<Metadata>,
    /// What is said of it for the audience, and wins.
    pub metadata_override: Option<Metadata>,
    /// Whether it is one person's or account's own page.
    pub is_personal: bool,
}

impl Parts {
    /// Reads what is kept as JSON.
    pub fn open(self) -> Result<Published> {
        let Parts { page, audience, content, .. } = self;
        let metadata = |kept: Option<&JsonText>| kept.map(json).transpose();
        Ok(Published {
            content: json(&content)?,
            actions: audience.overrides.apply(json(&page.actions)?),
            nav: json(&page.nav_links)?,
            footer: json(&page.footer_links)?,
            widgets: json(&page.action_card_widgets)?,
            scripts: json(&page.scripts)?,
            metadata: metadata(page.metadata.as_ref())?,
            metadata_override: metadata(audience.metadata_override.as_ref())?,
            is_personal: audience.person_id.is_some() || audience.account_id.is_some(),
            name: page.name,
            header_action_id: page.header_action_id,
        })
    }
}

fn json<T: DeserializeOwned>(kept: &JsonText) -> Result<T> {
    serde_json::from_str(kept.as_str()).map_err(Error::internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_an_address_if_it_has_one_or_two_parts() {
        for (path, expected) in [
            ("/spring", Some("/spring")),
            ("/spring/", Some("/spring")),
            ("//spring//", Some("/spring")),
            ("/spring/jane", Some("/spring/jane")),
            ("/spring/jane/", Some("/spring/jane")),
            ("/Spring", Some("/Spring")),
            ("/", None),
            ("", None),
            ("/spring//jane", None),
            ("/spring/jane/more", None),
        ] {
            assert_eq!(Address::parse(path).map(|address| address.path()).as_deref(), expected, "{path}");
        }
    }
}
