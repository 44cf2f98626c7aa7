//! What a worker must know to write a version: the page, the audience, whose page it is, and what happened lately.

use pagesmith_model::account::Account;
use pagesmith_model::asset::Asset;
use pagesmith_model::audience::Audience;
use pagesmith_model::brand::Brand;
use pagesmith_model::log::Entry;
use pagesmith_model::page::Page;
use pagesmith_model::person::Person;
use pagesmith_model::version::Version;
use pagesmith_model::{Error, Result};
use pagesmith_store::tables::knowledge::indexes;
use pagesmith_store::tables::versions::generations::QueuedVersion;
use pagesmith_store::tables::{self, accounts, audiences, brands, pages, persons, versions};
use pagesmith_store::{Extent, Tx};

pub mod knowledge;
pub(crate) mod offers;

/// Everything that a version is written from.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// The page.
    pub page: Page,
    /// The page's brand: the one that it names, else the tenant's default.
    pub brand: Option<Brand>,
    /// The audience.
    pub audience: Audience,
    /// The version.
    pub version: Version,
    /// The person whose page it is.
    pub person: Option<Person>,
    /// The account whose page it is, or to which the person belongs.
    pub account: Option<Account>,
    /// What happened to them, newest first.
    pub logs: Vec<Entry>,
    /// The assets that the page may show, the best first.
    pub assets: Vec<Asset>,
    /// Whether the tenant knows anything that is worth a search.
    pub has_knowledge: bool,
}

/// Gathers the material, with at most so many entries of logs; nothing if the page is deleted.
pub fn gather(tx: &mut Tx<'_>, of: &QueuedVersion, logs: i64) -> Result<Option<Material>> {
    let tenant = &of.tenant;
    let page = pages::find(tx, tenant, &of.page_id)?.filter(|page| page.deleted_at.is_none());
    let Some(page) = page else { return Ok(None) };
    let brand = brands::of_page(tx, tenant, &page.brand_id)?;
    let audience = audiences::find(tx, tenant, &of.page_id, &of.audience_id)?;
    let version = versions::find(tx, tenant, &of.audience_id, &of.version_id)?;
    let whole = audience.zip(version).ok_or_else(|| Error::internal("a generation of no version"))?;
    let (audience, version) = whole;
    let person = match &audience.person_id {
        Some(person_id) => persons::find(tx, tenant, person_id)?.filter(|person| person.deleted_at.is_none()),
        None => None,
    };
    let of_person = person.as_ref().and_then(|person| person.account_id.clone());
    let account = match audience.account_id.clone().or(of_person) {
        Some(account_id) => accounts::find(tx, tenant, &account_id)?,
        None => None,
    };
    let count = usize::try_from(logs).unwrap_or_default();
    let newest = Extent::of_items(count);
    let mut entries = Vec::new();
    if let Some(person) = &person {
        let own = tables::logs::newest(tx, tenant, &person.person_id, newest)?;
        entries.extend(own.into_iter().map(|log| log.entry));
    }
    if let Some(account) = &account {
        let own = tables::logs::newest(tx, tenant, &account.account_id, newest)?;
        entries.extend(own.into_iter().map(|log| log.entry));
    }
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.created_at));
    entries.truncate(count);
    let supplement = version.supplementary_context.as_deref().unwrap_or_default();
    let assets = offers::of(tx, tenant, &[&page.name, &page.page_context, supplement])?;
    let has_knowledge = indexes::find(tx, tenant)?.chunks > 0;
    let logs = entries;
    Ok(Some(Material { page, brand, audience, version, person, account, logs, assets, has_knowledge }))
}
