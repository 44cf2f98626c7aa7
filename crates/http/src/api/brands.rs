//! The operations on brands. Ours, beyond the contract.

use pagesmith_endpoint::endpoint;
use pagesmith_model::brand::{BrandPatch, NewBrand};
use pagesmith_model::content::address;
use pagesmith_model::{BrandId, Error, Issue, IssueCode, Kind, Result};
use pagesmith_operations::brands;
use pagesmith_store::tables;

use crate::api::brands::view::BrandView;
use crate::collection::Collection;
use crate::extract::query::Search;
use crate::extract::{Body, Call, IdempotencyKey, IfMatch, Paging, Path, Query};
use crate::reply::{DONE, Reply, Single, Success};

pub(crate) mod fonts;
pub(crate) mod preview;
mod proposal;
pub(crate) mod rules;
pub(crate) mod view;

use proposal::{ProposalView, WebsiteToRead};

/// How many websites a tenant may wait for at a time.
const WEBSITES_PER_TENANT: usize = 2;

/// Lists the brands of the tenant, newest first.
///
/// A tenant has at most 200 brands.
#[endpoint]
pub(crate) async fn list_brands(call: Call, paging: Paging) -> Result<Reply<Collection<BrandView>>> {
    let list = paging.keyset(&call, "brands", &[])?;
    let found =
        list.read(&call, move |tx, ctx, after, extent| tables::brands::list(tx, &ctx.tenant, after, extent));
    list.answer(&call, found.await?, |brand| brand.brand_id.clone(), BrandView::from).await
}

/// Searches the brands by name, best match first.
///
/// Every word of `query` must occur in the name. The ranking is that of all searches. Without words every
/// brand matches.
#[endpoint]
pub(crate) async fn search_brands(
    call: Call,
    paging: Paging,
    Query(Search(words)): Query<Search>,
) -> Result<Reply<Collection<BrandView>>> {
    let list = paging.ranked(&call, "brands/search", &[("query", &words.phrase)])?;
    let found = list.search(&call, move |tx, ctx, after, extent| {
        tables::brands::search(tx, &ctx.tenant, &words, after, extent)
    });
    let position = |(rank, brand): &tables::brands::Match| (*rank, brand.brand_id.clone());
    list.answer(&call, found.await?, position, |(_, brand)| BrandView::from(brand)).await
}

/// Creates a brand.
///
/// With `isDefault`, pages that name no brand have this one from then on. Texts must be readable: a
/// `textColor` whose contrast with `backgroundColor` is below 4.5 fails with 400, and the message names the
/// nearest colour that can be read. A tenant may have 200 brands; one more fails with 409.
///
/// `headingFontFiles` and `bodyFontFiles` of the look name files that were uploaded before. Each is read: one that is no WOFF2 font, or has
/// more than 1 MiB, fails with 400. A file that a brand names is used, and cannot be deleted. `logo.assetId` and `iconAssetId` name
/// assets that are pictures; an asset in the trash is not shown. A tenant can have fonts read for two requests at a time; one more fails
/// with 429.
#[endpoint]
pub(crate) async fn create_brand(
    call: Call,
    key: IdempotencyKey,
    Body(new): Body<NewBrand>,
) -> Result<Reply<BrandView, 201>> {
    rules::check(Some(&new.look), Some(&new.legal_links))?;
    let fonts = fonts::read(&call, &new.look, "look").await?;
    call.change_once(key, move |tx, ctx| brands::create(tx, ctx, &new, fonts.clone()).map(BrandView::from))
        .await
}

/// Proposes a brand from a website. Nothing is saved.
///
/// The page is read like the pages of topic entries: as far as the site's `robots.txt` allows, with at most three redirects, and
/// never from an address of a private network. Its name, icon, logo, theme colour, legal links, and the colours, fonts and
/// corners of its style sheets become the `brand` of the response, which can be sent to create it. A text colour with too little
/// contrast is replaced by the nearest readable colour; `notes` lists what was changed. Fonts and pictures are referenced, not
/// copied. A website that cannot be read fails with 409, and the message says why. The response can take up to 18 seconds. A
/// tenant can have two such requests at a time; one more fails with 429.
#[endpoint]
pub(crate) async fn propose_brand(
    call: Call,
    Body(WebsiteToRead { url }): Body<WebsiteToRead>,
) -> Result<Reply<ProposalView>> {
    if !address::is_fetched(&url) {
        let what = "url: is no absolute http or https address.";
        return Err(Error::invalid(vec![Issue::body(IssueCode::InvalidFormat, &["url"], what)]));
    }
    let _permit = call.permit(&call.state.websites_in_flight, WEBSITES_PER_TENANT, 1, |limit| {
        format!("The tenant waits for {limit} websites already.")
    })?;
    let websites = call.state.websites.get();
    let websites = websites.ok_or_else(|| Error::unavailable("This server reads no websites."))?;
    let website = websites.read(&url, call.state.now()).await.map_err(|reason| {
        let details = serde_json::json!({ "reason": "website_unreadable" });
        Error::new(Kind::Conflict(Some(details)), format!("The website was not read. {reason}"))
    })?;
    Reply::of(&ProposalView::of(website))
}

/// Returns a brand.
///
/// `palette` has the colours that follow from its look.
#[endpoint]
pub(crate) async fn get_brand(call: Call, Path(brand_id): Path<BrandId>) -> Result<Single<BrandView>> {
    let brand = call.point_read(move |tx, ctx| brands::find(tx, ctx, &brand_id)).await?;
    Ok(Single(BrandView::from(brand)))
}

/// Changes the given fields of a brand.
///
/// Hosted pages show a changed look, site name or legal link within a second; a changed voice counts for
/// versions that are written from then on. `look`, `voice` and `legalLinks` are replaced whole. Colours and fonts are
/// checked as when a brand is created. With `isDefault` true, the default brand before it stops being the
/// default.
#[endpoint]
pub(crate) async fn update_brand(
    call: Call,
    Path(brand_id): Path<BrandId>,
    if_match: IfMatch,
    Body(patch): Body<BrandPatch>,
) -> Result<Reply<BrandView>> {
    rules::check(patch.look.as_ref(), patch.legal_links.as_deref())?;
    let precondition = if_match.of(&call, &brand_id, brands::find, BrandView::from).await?;
    let fonts = match &patch.look {
        Some(look) => fonts::read(&call, look, "look").await?,
        None => vec![],
    };
    call.change(move |tx, ctx| {
        let patch = (&patch, fonts.clone());
        brands::update(tx, ctx, &brand_id, patch, &precondition).map(BrandView::from)
    })
    .await
}

/// Deletes a brand.
///
/// Pages that name it keep its id as their `brandId` and have the default brand from then on. If it was the
/// default brand itself, there is none until another one is made it. A deleted brand cannot be restored.
#[endpoint]
pub(crate) async fn delete_brand(
    call: Call,
    Path(brand_id): Path<BrandId>,
    if_match: IfMatch,
) -> Result<Reply<Success>> {
    let precondition = if_match.of(&call, &brand_id, brands::find, BrandView::from).await?;
    call.change(move |tx, ctx| brands::delete(tx, ctx, &brand_id, &precondition).map(|()| DONE)).await
}
