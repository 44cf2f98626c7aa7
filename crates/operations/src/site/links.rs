//! Where page links lead: for each visitor to one of the link's targets.
//!
//! [`find`] reads what a link leads to now; that may be kept as long as nothing was committed. A visitor's target is [`LinkTargets::choose`]n by a
//! number that stays the same for a day ([`visitor_of_link`]), so that nothing has to be stored about anybody; for visitors who keep an
//! id, as long as they keep it. Invariant: each target gets visitors in proportion to its weight.
//!
//! [`visitor_of_link`]: crate::visits::salts::DaySalts::visitor_of_link

use pagesmith_model::page_link::{self, PageLinkTarget, Route};
use pagesmith_model::{AudienceId, PageLinkId, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::page_links;
use pagesmith_store::tables::page_links::destinations;

use crate::site::address::Address;

/// What a visitor of a link gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// What is at another address of the site.
    Site(Address),
    /// A redirect.
    Elsewhere {
        /// Where to.
        url: String,
        /// Whether the visitor's query is passed on.
        keeps_query: bool,
    },
}

/// The targets of a link that can be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkTargets {
    /// The link.
    pub page_link_id: PageLinkId,
    /// Each with its weight; at least one.
    targets: Vec<(u64, Destination)>,
}

impl LinkTargets {
    /// What all visitors get, if they get the same.
    pub fn only(&self) -> Option<&Destination> {
        if let [(_, only)] = &self.targets[..] { Some(only) } else { None }
    }

    /// The target of the visitor with this number.
    pub fn choose(&self, visitor: u64) -> Option<&Destination> {
        let place = page_link::weighted(self.targets.iter().map(|(weight, _)| *weight), visitor);
        place.and_then(|place| self.targets.get(place)).map(|(_, destination)| destination)
    }
}

/// The targets of the link with this [key](page_link::key_on); nothing if there is no link, or its page is deleted.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, key: &str) -> Result<Option<LinkTargets>> {
    let Some(link) = page_links::at_path(tx, tenant, key)?.filter(|link| !link.is_target_deleted) else {
        return Ok(None);
    };
    let mut targets = match &link.target {
        PageLinkTarget::Page(_) => vec![],
        PageLinkTarget::Audience(target) => {
            let id = AudienceId::parse(&target.audience_id);
            let rows = tx.batch(id.iter().map(|id| destinations::audience(tenant, id)).collect())?;
            let found = destinations::read_audience(&rows.into_iter().next().unwrap_or_default())?;
            let Some(found) = found else { return Ok(None) };
            vec![(1, Destination::Site(Address::Audience(found.page_slug, found.slug)))]
        }
        PageLinkTarget::Routing(_) => reachable(tx, tenant, link.target.routes())?,
    };
    if targets.is_empty() {
        let Some(slug) = destinations::page_slug(tx, tenant, link.page_id.as_str())? else { return Ok(None) };
        targets.push((1, Destination::Site(Address::Page(slug))));
    }
    Ok(Some(LinkTargets { page_link_id: link.page_link_id, targets }))
}

/// The routes that lead somewhere now.
fn reachable(tx: &mut Tx<'_>, tenant: &TenantId, routes: &[Route]) -> Result<Vec<(u64, Destination)>> {
    let id = |route: &Route| match route {
        Route::Audience(route) => AudienceId::parse(&route.audience_id),
        Route::External(_) => None,
    };
    let asked: Vec<AudienceId> = routes.iter().filter_map(id).collect();
    let queries = asked.iter().map(|id| destinations::audience(tenant, id)).collect();
    let mut answers = tx.batch(queries)?.into_iter();
    let mut targets = Vec::with_capacity(routes.len());
    for route in routes {
        match route {
            Route::External(route) => {
                let keeps_query = route.preserve_query_params == Some(true);
                targets.push((
                    route.weight,
                    Destination::Elsewhere { url: route.target_url.clone(), keeps_query },
                ));
            }
            Route::Audience(route) if AudienceId::parse(&route.audience_id).is_some() => {
                let found = destinations::read_audience(&answers.next().unwrap_or_default())?;
                if let Some(found) = found.filter(|found| found.is_shown) {
                    targets.push((
                        route.weight,
                        Destination::Site(Address::Audience(found.page_slug, found.slug)),
                    ));
                }
            }
            Route::Audience(_) => {}
        }
    }
    Ok(targets)
}
