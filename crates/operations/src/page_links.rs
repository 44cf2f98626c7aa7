//! Page links: paths of a tenant's choice that lead to its pages.
//!
//! A path is a link's own on its domain. Paths on all domains and the slugs of pages are one namespace: the first segment of a path is no
//! page's slug, deleted pages included, and a new page gets no slug that is one. A link whose page is deleted is kept, and leads there again when the page is restored.

use std::collections::BTreeSet;
use std::time::Duration;

use pagesmith_model::page_link::{LinkPath, NewPageLink, PageLink, PageLinkPatch, PageLinkTarget, Route};
use pagesmith_model::{
    AudienceId, Error, Issue, IssueCode, Kind, PageId, PageLinkId, Result, TenantDomainId, Timestamp,
};
use pagesmith_store::Tx;
use pagesmith_store::tables::page_links::destinations;
use pagesmith_store::tables::visits::{sessions, settings};
use pagesmith_store::tables::{counters, page_links};
use serde_json::{Value, json};

use crate::context::TenantContext;
use crate::precondition::Precondition;
use crate::tenant_domains;

/// Makes a link.
pub fn create(tx: &mut Tx<'_>, ctx: &TenantContext, new: &NewPageLink) -> Result<PageLink> {
    let mut issues = Vec::new();
    let domain = find_domain(tx, ctx, new.tenant_domain_id.as_deref(), &mut issues)?;
    let path = read_path(&new.path, &mut issues);
    let page_id = check_target(tx, ctx, &new.target, &mut issues)?;
    let (Some(path), Some(page_id), true) = (path, page_id, issues.is_empty()) else {
        return Err(Error::invalid(issues));
    };
    require_free(tx, ctx, &path)?;
    let link = PageLink {
        page_link_id: PageLinkId::mint(ctx.uuid()?),
        domain,
        path,
        target: new.target.clone(),
        page_id,
        is_target_deleted: false,
        created_at: ctx.now,
        updated_at: ctx.now,
    };
    if tx.run(page_links::insert(&ctx.tenant, &link)?)? == 0 {
        require_unlinked(tx, ctx, &link)?;
        return Err(Error::internal("a path that is taken by no link"));
    }
    let shard = tx.shard();
    tx.change(vec![counters::add(&ctx.tenant, counters::PAGE_LINKS, shard, 1)])?;
    Ok(link)
}

/// The link.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, id: &PageLinkId) -> Result<PageLink> {
    page_links::find(tx, &ctx.tenant, id)?.ok_or_else(|| Error::not_found(PageLinkId::NOUN))
}

/// For how many days visits by a link are counted.
const VISITED: u64 = 30;

/// Who came by a link in the last days.
pub struct Visits {
    /// Sessions that began then or later count.
    pub since: Timestamp,
    /// Audiences that were shown, with how many sessions, those with the most first.
    pub audiences: Vec<(AudienceId, i64)>,
}

/// The sessions that came by a link in the last days, at the pages that it leads to now.
pub fn visits(tx: &mut Tx<'_>, ctx: &TenantContext, id: &PageLinkId) -> Result<Visits> {
    let link = find(tx, ctx, id)?;
    let named = link.target.routes().iter().filter_map(|route| match route {
        Route::Audience(route) => Some(route.audience_id.as_str()),
        Route::External(_) => None,
    });
    let routes: Vec<&str> = named.collect();
    let mut pages: BTreeSet<PageId> = audiences(tx, ctx, &routes)?.into_iter().flatten().collect();
    pages.insert(link.page_id);
    let since = ctx.now.minus(Duration::from_hours(VISITED * 24));
    // Who counts rows knows where they begin.
    let since = settings::find(tx, &ctx.tenant)?.rows_from.map_or(since, |from| since.max(from));
    let mut counted = Vec::new();
    for page_id in &pages {
        counted.extend(sessions::by_link(tx, &ctx.tenant, (page_id, id), since)?);
    }
    counted.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    Ok(Visits { since, audiences: counted })
}

/// Changes the given fields.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    id: &PageLinkId,
    patch: &PageLinkPatch,
    precondition: &Precondition<PageLink>,
) -> Result<PageLink> {
    let before = find(tx, ctx, id)?;
    precondition.check(&before)?;
    let (mut link, mut issues) = (before.clone(), Vec::new());
    if let Some(id) = &patch.tenant_domain_id
        && id.as_deref() != link.tenant_domain_id().map(TenantDomainId::as_str)
    {
        link.domain = find_domain(tx, ctx, id.as_deref(), &mut issues)?;
    }
    if let Some(path) = &patch.path
        && let Some(path) = read_path(path, &mut issues)
    {
        link.path = path;
    }
    if let Some(target) = &patch.target
        && let Some(page_id) = check_target(tx, ctx, target, &mut issues)?
    {
        (link.target, link.page_id, link.is_target_deleted) = (target.clone(), page_id, false);
    }
    if !issues.is_empty() {
        return Err(Error::invalid(issues));
    }
    if link == before {
        return Ok(before);
    }
    if link.path.key() != before.path.key() {
        require_free(tx, ctx, &link.path)?;
    }
    if link.key() != before.key() {
        require_unlinked(tx, ctx, &link)?;
    }
    link.updated_at = ctx.now;
    // As a change: whoever was given the path meanwhile counts as a race that is lost, and is found in the next attempt.
    tx.change(vec![page_links::update(&ctx.tenant, &link)?])?;
    Ok(link)
}

/// Deletes a link; its path is free again.
pub fn delete(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    id: &PageLinkId,
    precondition: &Precondition<PageLink>,
) -> Result<()> {
    precondition.check(&find(tx, ctx, id)?)?;
    let shard = tx.shard();
    tx.change(vec![
        page_links::remove(&ctx.tenant, id),
        counters::add(&ctx.tenant, counters::PAGE_LINKS, shard, -1),
    ])
}

/// The domain of a link, which must be the tenant's and verified; without an id, none.
fn find_domain(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    id: Option<&str>,
    issues: &mut Vec<Issue>,
) -> Result<Option<(TenantDomainId, String)>> {
    let Some(id) = id else { return Ok(None) };
    let Some(domain) = tenant_domains::find_named(tx, ctx, id)? else {
        issues.push(Issue::unknown_reference(&["tenantDomainId"], TenantDomainId::NOUN, id));
        return Ok(None);
    };
    if !domain.is_verified {
        let detail = format!("The domain '{}' is not verified.", domain.domain);
        return Err(refused(json!({ "reason": "not_verified" }), detail));
    }
    Ok(Some((domain.tenant_domain_id, domain.domain.to_string())))
}

fn read_path(text: &str, issues: &mut Vec<Issue>) -> Option<LinkPath> {
    let wrong =
        |rule| issues.push(Issue::body(IssueCode::InvalidFormat, &["path"], format!("path: {rule}.")));
    LinkPath::parse(text).map_err(wrong).ok()
}

/// The page of a target, all of which must be there.
fn check_target(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    target: &PageLinkTarget,
    issues: &mut Vec<Issue>,
) -> Result<Option<PageId>> {
    issues.extend(target.unusable_addresses());
    let page = |tx: &mut Tx<'_>, id: &str| match PageId::parse(id) {
        Some(page_id) => Ok(destinations::page_slug(tx, &ctx.tenant, id)?.map(|_| page_id)),
        None => Ok::<_, Error>(None),
    };
    match target {
        PageLinkTarget::Audience(target) => {
            let found = audiences(tx, ctx, &[&target.audience_id])?.pop().flatten();
            if found.is_none() {
                issues.push(Issue::unknown_reference(
                    &["target", "audienceId"],
                    AudienceId::NOUN,
                    &target.audience_id,
                ));
            }
            Ok(found)
        }
        PageLinkTarget::Page(target) => {
            let found = page(tx, &target.page_id)?;
            if found.is_none() {
                issues.push(Issue::unknown_reference(&["target", "pageId"], PageId::NOUN, &target.page_id));
            }
            Ok(found)
        }
        PageLinkTarget::Routing(routing) => {
            let found = page(tx, &routing.page_id)?;
            if found.is_none() {
                issues.push(Issue::unknown_reference(&["target", "pageId"], PageId::NOUN, &routing.page_id));
            }
            let named = target.routes().iter().enumerate().filter_map(|(at, route)| match route {
                Route::Audience(route) => Some((at, route.audience_id.as_str())),
                Route::External(_) => None,
            });
            let (places, ids): (Vec<usize>, Vec<&str>) = named.unzip();
            for ((at, id), found) in places.iter().zip(&ids).zip(audiences(tx, ctx, &ids)?) {
                if found.is_none() {
                    let path = ["target", "routingTable", &at.to_string(), "audienceId"];
                    issues.push(Issue::unknown_reference(&path, AudienceId::NOUN, id));
                }
            }
            Ok(found)
        }
    }
}

/// The pages of audiences; nothing for what is no audience of a page that is not deleted.
fn audiences(tx: &mut Tx<'_>, ctx: &TenantContext, ids: &[&str]) -> Result<Vec<Option<PageId>>> {
    let known: Vec<Option<AudienceId>> = ids.iter().map(|id| AudienceId::parse(id)).collect();
    let pages = destinations::pages_of(tx, &ctx.tenant, &known.iter().flatten().cloned().collect())?;
    Ok(known.iter().map(|id| pages.get(id.as_ref()?).cloned()).collect())
}

/// Refuses a path that begins with a word of the service, or with the slug of a page.
fn require_free(tx: &mut Tx<'_>, ctx: &TenantContext, path: &LinkPath) -> Result<()> {
    let first = path.first_segment();
    if path.is_reserved() {
        let detail = format!("The path '{path}' begins with a reserved word.");
        return Err(refused(json!({ "reason": "reserved_word", "word": first }), detail));
    }
    match destinations::page_with_slug(tx, &ctx.tenant, first)? {
        Some(page_id) => {
            let detail = format!("The path '{path}' begins with the slug of a page.");
            Err(refused(json!({ "reason": "page_slug", "pageId": page_id }), detail))
        }
        None => Ok(()),
    }
}

/// Refuses a path that another link on the same domain has.
fn require_unlinked(tx: &mut Tx<'_>, ctx: &TenantContext, link: &PageLink) -> Result<()> {
    match page_links::at_path(tx, &ctx.tenant, &link.key())? {
        Some(other) => {
            let detail = format!("The path '{}' is taken by another page link.", other.path);
            Err(refused(json!({ "reason": "page_link", "pageLinkId": other.page_link_id }), detail))
        }
        None => Ok(()),
    }
}

fn refused(details: Value, detail: String) -> Error {
    Error::new(Kind::Conflict(Some(details)), detail)
}
