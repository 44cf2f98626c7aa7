//! The operations on pages.

use pagesmith_endpoint::endpoint;
use pagesmith_model::list_order::OrderBy;
use pagesmith_model::page::{NewPage, Page, PagePatch};
use pagesmith_model::{PageId, Result};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::precondition::Precondition;
use pagesmith_operations::{pages, tenant_domains};
use pagesmith_store::{Tx, tables};

use crate::api::pages::view::{DeletedPage, FoundPage, PageView, ShareableLink};
use crate::collection::Collection;
use crate::extract::body::EmptyObject;
use crate::extract::query::{FromQuery, Parameter, Parameters, Search};
use crate::extract::sort::{Orders, sort_parameter};
use crate::extract::{Body, Call, Findings, IdempotencyKey, IfMatch, Paging, Path, Query, Sort};
use crate::kept_resource::{self, KeptAnswer};
use crate::pictures::{self, PictureAddresses};
use crate::reply::{Reply, Single};

pub(crate) mod view;

/// Lists the pages of the tenant, newest first.
///
/// Archived pages are included, deleted pages are not. `totalCount` is the exact number of pages.
#[endpoint]
pub(crate) async fn list_pages(
    call: Call,
    paging: Paging,
    Query(Sort { order, .. }): Query<Sort<AllPages>>,
) -> Result<Reply<Collection<PageView>>> {
    match order {
        Some(order) => {
            let list = paging.ordered(&call, "pages", &[], Some(order))?;
            kept_resource::list_in_order(&call, list, order).await
        }
        None => kept_resource::list(&call, paging.keyset(&call, "pages", &[])?).await,
    }
}

/// The orders of the list of pages.
pub(crate) struct AllPages;

impl Orders for AllPages {
    const BY: &'static [OrderBy] = &[OrderBy::Name, OrderBy::CreatedAt];
    const PARAMETER: &'static [Parameter] = sort_parameter!("A cursor goes on in its own order only.");
}

/// Searches the pages by name, best match first.
///
/// Every word of `query` must occur in the name, in any case and with or without accents. A name that
/// equals the query comes first, then names that begin with it, then names that have every word at the
/// start of a word, then all others; the newest first within each. Archived pages are found, deleted pages
/// are not. Without words every page matches.
#[endpoint]
pub(crate) async fn search_pages(
    call: Call,
    paging: Paging,
    Query(Search(words)): Query<Search>,
) -> Result<Reply<Collection<FoundPage>>> {
    let list = paging.ranked(&call, "pages/search", &[("query", &words.phrase)])?;
    let found = list.search(&call, move |tx, ctx, after, extent| {
        tables::pages::names::search(tx, &ctx.tenant, &words, after, extent)
    });
    list.answer(&call, found.await?, |found| (found.rank, found.page_id.clone()), FoundPage::from).await
}

/// Creates a page.
///
/// The page is a draft without audiences: create an audience to have its text generated. The address of the
/// page is made from `name` once and stays when the page is renamed. Actions and links without an id are
/// given one. `headerActionId` must name one of `actions`, and a link block id must name a block of the
/// tenant; otherwise the request fails with 400.
#[endpoint]
pub(crate) async fn create_page(
    call: Call,
    key: IdempotencyKey,
    Body(new): Body<NewPage>,
) -> Result<Reply<PageView, 201>> {
    let addresses = PictureAddresses::of(&call);
    let prepared = pages::prepare(&call.ctx, new)?;
    call.change_once(key, move |tx, ctx| {
        let page = pages::create(tx, ctx, &prepared)?;
        PageView::find(tx, &ctx.tenant, page, &addresses)
    })
    .await
}

/// Returns a page.
///
/// An archived page is returned like any other. A deleted page is not found until it is restored.
#[endpoint]
pub(crate) async fn get_page(call: Call, Path(page_id): Path<PageId>) -> Result<KeptAnswer<PageView>> {
    kept_resource::get(&call, &page_id).await
}

/// What `If-Match` demands of a page.
async fn precondition(call: &Call, page_id: &PageId, if_match: &IfMatch) -> Result<Precondition<Page>> {
    let page_id = page_id.clone();
    let read = move |tx: &mut Tx<'_>, ctx: &TenantContext| {
        let page = pages::find(tx, ctx, &page_id)?;
        let pictures = pictures::find(tx, &ctx.tenant, &page.metadata)?;
        Ok((page, pictures))
    };
    let addresses = PictureAddresses::of(call);
    let view = |(page, pictures)| PageView::new(page, &addresses, &pictures);
    Ok(if_match.precondition(call, read, view).await?.of_part(|(page, _)| page))
}

/// Changes the given fields of a page.
///
/// Fields that are left out keep their value; arrays and `metadata` are replaced as a whole. An action
/// without an `actionId` becomes a new action, so send the ids of those that stay. If the action that
/// `headerActionId` names is removed, that field is cleared. A new name changes neither the address nor the
/// links of the page. Visitors see a change within a second. `{}` changes nothing and is answered with 200.
#[endpoint]
pub(crate) async fn update_page(
    call: Call,
    Path(page_id): Path<PageId>,
    if_match: IfMatch,
    Body(patch): Body<PagePatch>,
) -> Result<Reply<PageView>> {
    let precondition = precondition(&call, &page_id, &if_match).await?;
    let update =
        move |tx: &mut Tx<'_>, ctx: &TenantContext| pages::update(tx, ctx, &page_id, &patch, &precondition);
    let page = call.apply(update).await?;
    let pictures = pictures::read(&call, &page.metadata).await?;
    Reply::of(&PageView::new(page, &PictureAddresses::of(&call), &pictures)?)
}

/// Deletes a page.
///
/// The page is not found from then on, nor are its audiences and versions, and its links show nothing.
/// Versions of it that are not generated yet are cancelled. If it was the home page of the site, the next
/// page that goes live takes its place. Deleting a deleted page is answered with 200. `restorePage` undoes
/// it.
#[endpoint]
pub(crate) async fn delete_page(
    call: Call,
    Path(page_id): Path<PageId>,
    if_match: IfMatch,
) -> Result<Reply<DeletedPage>> {
    let precondition = precondition(&call, &page_id, &if_match).await?;
    call.change(move |tx, ctx| {
        pages::delete(tx, ctx, &page_id, &precondition)?;
        Ok(DeletedPage { success: true })
    })
    .await
}

/// Archives a page.
///
/// The page stays readable and can be changed, but its links answer 410, and creating audiences or versions
/// and publishing them fail with 409. Archiving an archived page changes nothing. `restorePage` undoes it.
#[endpoint]
pub(crate) async fn archive_page(
    call: Call,
    Path(page_id): Path<PageId>,
    key: IdempotencyKey,
    Body(EmptyObject {}): Body<EmptyObject>,
) -> Result<Reply<PageView>> {
    let addresses = PictureAddresses::of(&call);
    call.change_once(key, move |tx, ctx| {
        let page = pages::archive(tx, ctx, &page_id)?;
        PageView::find(tx, &ctx.tenant, page, &addresses)
    })
    .await
}

/// Restores a page that was archived or deleted.
///
/// Clears `archivedAt` and `deletedAt`. The page gets its old address back. A page that is neither archived
/// nor deleted is returned unchanged.
#[endpoint]
pub(crate) async fn restore_page(
    call: Call,
    Path(page_id): Path<PageId>,
    key: IdempotencyKey,
    Body(EmptyObject {}): Body<EmptyObject>,
) -> Result<Reply<PageView>> {
    let addresses = PictureAddresses::of(&call);
    call.change_once(key, move |tx, ctx| {
        let page = pages::restore(tx, ctx, &page_id)?;
        PageView::find(tx, &ctx.tenant, page, &addresses)
    })
    .await
}

/// Which domain a link is wanted for.
pub(crate) struct LinkDomain {
    tenant_domain_id: Option<String>,
}

impl LinkDomain {
    /// The name of the domain, if one is wanted; 404 if it is no verified one of the tenant.
    pub(crate) fn find(&self, tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<Option<String>> {
        let Some(id) = &self.tenant_domain_id else { return Ok(None) };
        tenant_domains::find_verified(tx, ctx, id).map(|found| Some(found.domain.to_string()))
    }
}

impl FromQuery for LinkDomain {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "tenantDomainId",
        description: "Id of a verified domain of the tenant. Left out, the link is on the tenant's fallback domain.",
        example: "domain_01jpbz8n4xf5k9w2d7hq3mv6ta",
    }];

    fn read(parameters: &Parameters, findings: &mut Findings) -> LinkDomain {
        LinkDomain { tenant_domain_id: parameters.one("tenantDomainId", findings).map(str::to_owned) }
    }
}

/// Returns the shareable link of a page.
///
/// The link exists as soon as the page does. Until a version is published it leads to a page that says "not
/// published yet", with the status 404; while the page is archived it answers 410. A `tenantDomainId` that
/// names no verified domain of the tenant fails with 404.
#[endpoint]
pub(crate) async fn get_page_group_link(
    call: Call,
    Path(page_id): Path<PageId>,
    Query(wanted): Query<LinkDomain>,
) -> Result<Single<ShareableLink>> {
    let found = call.point_read(move |tx, ctx| {
        let page = pages::find(tx, ctx, &page_id)?;
        Ok((page, wanted.find(tx, ctx)?))
    });
    let (page, domain) = found.await?;
    Ok(Single(ShareableLink::on(&call, domain, format!("/{}", page.slug))))
}
