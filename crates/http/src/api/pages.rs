//! The operations on pages.

use pagesmith_model::cursor::{Scope, SortKey};
use pagesmith_model::page::{NewPage, Page, PagePatch};
use pagesmith_model::text;
use pagesmith_model::{Error, PageId, Result};
use pagesmith_operations::pages;
use pagesmith_store::tables;

use crate::api::page_view::{
    DeletedPage, FoundPage, PageCollection, PageSearchCollection, PageView, ShareableLink,
};
use crate::extract::body::EmptyObject;
use crate::extract::query::{FromQuery, Parameters, Search};
use crate::extract::{Body, Call, Findings, IdempotencyKey, IfMatch, Paging, Path, Query};
use crate::reply::{Reply, Single};
use crate::site;

/// The greatest number that stands for a rank in a cursor.
const WORST_RANK: i64 = text::Rank::Anywhere as i64;

pub(crate) async fn list_pages(call: Call, paging: Paging) -> Result<Reply<PageCollection>> {
    let scope = Scope::new("pages", call.ctx.tenant.as_str(), &[]);
    let after = paging.position(&scope, |parts| match parts {
        [SortKey::Text(page_id)] => PageId::parse(page_id),
        _ => None,
    })?;
    let extent = paging.extent();
    let (pages, total_count) = call
        .read(move |tx, ctx| tables::pages::list(tx, &ctx.tenant, after.as_ref().map(PageId::as_str), extent))
        .await?;
    let position = |page: &Page| vec![SortKey::Text(page.page_id.to_string())];
    let around = move |next| PageCollection::around(next, total_count);
    paging.answer(&call, pages, scope, position, |page| Ok(PageView::from(page)), around).await
}

pub(crate) async fn search_pages(
    call: Call,
    paging: Paging,
    Query(search): Query<Search>,
) -> Result<Reply<PageSearchCollection>> {
    let words = text::Query::parse(&search.query);
    let scope = Scope::new("pages/search", call.ctx.tenant.as_str(), &[("query", &words.phrase)]);
    let after = paging.position(&scope, |parts| match parts {
        [SortKey::Integer(rank @ 0..=WORST_RANK), SortKey::Text(page_id)] => {
            Some((*rank, PageId::parse(page_id)?))
        }
        _ => None,
    })?;
    let extent = paging.extent();
    let (found, total_count) = call
        .search(move |tx, ctx| {
            let after = after.as_ref().map(|(rank, page_id)| (*rank, page_id.as_str()));
            tables::page_names::search(tx, &ctx.tenant, &words, after, extent)
        })
        .await?;
    let position = |found: &tables::page_names::Match| {
        vec![SortKey::Integer(found.rank), SortKey::Text(found.page_id.to_string())]
    };
    let around = move |next| PageSearchCollection::around(next, total_count);
    paging.answer(&call, found, scope, position, |found| Ok(FoundPage::new(found)), around).await
}

pub(crate) async fn create_page(
    call: Call,
    key: IdempotencyKey,
    Body(new): Body<NewPage>,
) -> Result<Reply<PageView, 201>> {
    call.change_once(key, move |tx, ctx| pages::create(tx, ctx, &new).map(PageView::from)).await
}

pub(crate) async fn get_page(call: Call, Path(page_id): Path<PageId>) -> Result<Single<PageView>> {
    let page = call.point_read(move |tx, ctx| pages::find(tx, ctx, &page_id)).await?;
    Ok(Single(PageView::from(page)))
}

pub(crate) async fn update_page(
    call: Call,
    Path(page_id): Path<PageId>,
    if_match: IfMatch,
    Body(patch): Body<PagePatch>,
) -> Result<Reply<PageView>> {
    call.change(move |tx, ctx| {
        let precondition = |page: &Page| if_match.check(&PageView::from(page.clone()));
        pages::update(tx, ctx, &page_id, &patch, &precondition).map(PageView::from)
    })
    .await
}

pub(crate) async fn delete_page(
    call: Call,
    Path(page_id): Path<PageId>,
    if_match: IfMatch,
) -> Result<Reply<DeletedPage>> {
    call.change(move |tx, ctx| {
        let precondition = |page: &Page| if_match.check(&PageView::from(page.clone()));
        pages::delete(tx, ctx, &page_id, &precondition)?;
        Ok(DeletedPage { success: true })
    })
    .await
}

pub(crate) async fn archive_page(
    call: Call,
    Path(page_id): Path<PageId>,
    key: IdempotencyKey,
    Body(EmptyObject {}): Body<EmptyObject>,
) -> Result<Reply<PageView>> {
    call.change_once(key, move |tx, ctx| pages::archive(tx, ctx, &page_id).map(PageView::from)).await
}

pub(crate) async fn restore_page(
    call: Call,
    Path(page_id): Path<PageId>,
    key: IdempotencyKey,
    Body(EmptyObject {}): Body<EmptyObject>,
) -> Result<Reply<PageView>> {
    call.change_once(key, move |tx, ctx| pages::restore(tx, ctx, &page_id).map(PageView::from)).await
}

/// Which domain a link is wanted for.
pub(crate) struct LinkDomain {
    tenant_domain_id: Option<String>,
}

impl LinkDomain {
    /// Whether a domain was named.
    pub(crate) fn names_one(&self) -> bool {
        self.tenant_domain_id.is_some()
    }
}

impl FromQuery for LinkDomain {
    const PARAMETERS: &'static [(&'static str, &'static str)] =
        &[("tenantDomainId", "A domain of the tenant; its fallback domain if left out.")];

    fn read(parameters: &Parameters, findings: &mut Findings) -> LinkDomain {
        LinkDomain { tenant_domain_id: parameters.one("tenantDomainId", findings).map(str::to_owned) }
    }
}

pub(crate) async fn get_page_group_link(
    call: Call,
    Path(page_id): Path<PageId>,
    Query(wanted): Query<LinkDomain>,
) -> Result<Single<ShareableLink>> {
    let page = call.point_read(move |tx, ctx| pages::find(tx, ctx, &page_id)).await?;
    if wanted.names_one() {
        // Tenants cannot have domains of their own yet, so no id names one.
        return Err(Error::not_found("tenant domain"));
    }
    let domain = site::fallback_domain(&call.state.settings, call.tenant_slug());
    let path = format!("/{}", page.slug);
    let url = site::url(&call.state.settings, &domain, &path);
    Ok(Single(ShareableLink { url, domain, path }))
}
