//! The operations on link blocks.

use pagesmith_endpoint::endpoint;
use pagesmith_model::link_block::{LinkBlockKind, LinkBlockPatch, NewLinkBlock};
use pagesmith_model::{LinkBlockId, Result};
use pagesmith_operations::link_blocks;
use pagesmith_store::tables;
use serde_json::{Value, json};

use crate::api::link_blocks::view::{DeletedLinkBlock, LinkBlockCollection, LinkBlockView};
use crate::extract::query::{self, FromQuery, Parameter, Parameters};
use crate::extract::{Body, Call, Findings, IdempotencyKey, IfMatch, Path, Query};
use crate::reply::{Reply, Single};

pub(crate) mod view;

/// Which blocks are listed.
pub(crate) struct OfKind(Option<LinkBlockKind>);

impl FromQuery for OfKind {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "kind",
        description: "Kind of the blocks, `footer` or `navigation`: only these are listed. Left out, all are.",
        example: "navigation",
    }];

    fn schema(_name: &str) -> Value {
        json!({ "type": "string", "enum": LinkBlockKind::ALL })
    }

    fn read(parameters: &Parameters, findings: &mut Findings) -> OfKind {
        parameters.one("kind", findings);
        OfKind(query::one(parameters, "kind", "footer or navigation", LinkBlockKind::parse, findings))
    }
}

/// Lists all link blocks, newest first.
///
/// The list is not paged, and ignores `limit` and `cursor`: a tenant has at most 200 blocks. With `kind`, it has those of that kind alone.
#[endpoint]
pub(crate) async fn list_page_link_blocks(
    call: Call,
    Query(OfKind(kind)): Query<OfKind>,
) -> Result<Reply<LinkBlockCollection>> {
    let found = call.read(move |tx, ctx| tables::link_blocks::list(tx, &ctx.tenant, kind)).await?;
    Reply::of(&LinkBlockCollection::of(found))
}

/// Creates a link block.
///
/// Links and groups without an `id` are given one. A tenant may have 200 blocks; one more fails with 409.
#[endpoint]
pub(crate) async fn create_page_link_block(
    call: Call,
    key: IdempotencyKey,
    Body(new): Body<NewLinkBlock>,
) -> Result<Reply<LinkBlockView>> {
    call.change_once(key, move |tx, ctx| link_blocks::create(tx, ctx, &new).map(LinkBlockView::from)).await
}

/// Returns a link block.
///
/// Its `ETag` is what `If-Match` takes in a change of the block.
#[endpoint]
pub(crate) async fn get_page_link_block(
    call: Call,
    Path(id): Path<LinkBlockId>,
) -> Result<Single<LinkBlockView>> {
    let block = call.single_read(move |tx, ctx| link_blocks::find(tx, ctx, &id)).await?;
    Ok(Single(LinkBlockView::from(block)))
}

/// Changes the given fields of a link block.
///
/// Pages that use the block show its new links at once, in answers and on hosted pages. `links` replaces
/// all of the block's links. Fields that are left out keep their value.
#[endpoint]
pub(crate) async fn update_page_link_block(
    call: Call,
    Path(id): Path<LinkBlockId>,
    if_match: IfMatch,
    Body(patch): Body<LinkBlockPatch>,
) -> Result<Reply<LinkBlockView>> {
    let precondition = if_match.of(&call, &id, link_blocks::find, LinkBlockView::from).await?;
    call.change(move |tx, ctx| {
        link_blocks::update(tx, ctx, &id, &patch, &precondition).map(LinkBlockView::from)
    })
    .await
}

/// Deletes a link block and leaves its links to the pages that use it.
///
/// The block's links become the own links of these pages, which go on showing them. A block that more than
/// 10,000 pages use is not deleted: that fails with 409. A deleted block cannot be restored.
#[endpoint]
pub(crate) async fn delete_page_link_block(
    call: Call,
    Path(id): Path<LinkBlockId>,
    if_match: IfMatch,
) -> Result<Reply<DeletedLinkBlock>> {
    let precondition = if_match.of(&call, &id, link_blocks::find, LinkBlockView::from).await?;
    call.change(move |tx, ctx| link_blocks::delete(tx, ctx, &id, &precondition).map(DeletedLinkBlock::of))
        .await
}
