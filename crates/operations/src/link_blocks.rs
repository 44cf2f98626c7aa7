//! Link blocks: links that several pages show as their navigation or their footer, over their own ones.
//!
//! A page names its blocks and shows what they have now. When a block is deleted, its links become the pages' own.

use pagesmith_model::link_block::{LinkBlock, LinkBlockKind, LinkBlockPatch, MOST_LINK_BLOCKS, NewLinkBlock};
use pagesmith_model::{Error, Issue, IssueCode, Kind, LinkBlockId, PageId, PageLinkId, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::site;
use pagesmith_store::tables::{link_blocks, pages};
use serde_json::json;

use crate::context::TenantContext;
use crate::precondition::Precondition;

/// The most pages that get a deleted block's links, in one transaction.
pub const MOST_PAGES: usize = 10_000;

/// Makes a block.
pub fn create(tx: &mut Tx<'_>, ctx: &TenantContext, new: &NewLinkBlock) -> Result<LinkBlock> {
    let links = new.links.clone().kept(new.kind, &mut || ctx.uuid().map(PageLinkId::mint))?;
    if link_blocks::count(tx, &ctx.tenant)? >= u64::try_from(MOST_LINK_BLOCKS).unwrap_or(u64::MAX) {
        let detail = format!("A tenant may have at most {MOST_LINK_BLOCKS} link blocks.");
        return Err(too_many(MOST_LINK_BLOCKS, detail));
    }
    let block = LinkBlock {
        link_block_id: LinkBlockId::mint(ctx.uuid()?),
        kind: new.kind,
        name: new.name.clone(),
        links,
        created_at: ctx.now,
        updated_at: ctx.now,
    };
    tx.run(link_blocks::insert(&ctx.tenant, &block))?;
    Ok(block)
}

fn too_many(limit: usize, detail: String) -> Error {
    Error::new(Kind::Conflict(Some(json!({ "limit": limit }))), detail)
}

/// The block.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, id: &LinkBlockId) -> Result<LinkBlock> {
    link_blocks::find(tx, &ctx.tenant, id.as_str())?.ok_or_else(|| Error::not_found(LinkBlockId::NOUN))
}

/// The block that a page names in a field for one kind, or what is wrong about it.
pub(crate) fn find_named(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (field, kind): (&str, LinkBlockKind),
    id: &str,
) -> Result<std::result::Result<LinkBlock, Issue>> {
    Ok(match link_blocks::find(tx, &ctx.tenant, id)? {
        None => Err(Issue::unknown_reference(&[field], LinkBlockId::NOUN, id)),
        Some(block) if block.kind != kind => {
            let message = format!("{field}: the link block '{id}' is for the {}.", block.kind.as_str());
            Err(Issue::body(IssueCode::UnknownReference, &[field], message))
        }
        Some(block) => Ok(block),
    })
}

/// Changes the given fields. Pages that use the block show its new links at once.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    id: &LinkBlockId,
    patch: &LinkBlockPatch,
    precondition: &Precondition<LinkBlock>,
) -> Result<LinkBlock> {
    let before = find(tx, ctx, id)?;
    precondition.check(&before)?;
    let mut block = before.clone();
    if let Some(name) = &patch.name {
        block.name.clone_from(name);
    }
    if let Some(links) = &patch.links {
        block.links = links.clone().kept(block.kind, &mut || ctx.uuid().map(PageLinkId::mint))?;
    }
    if block == before {
        return Ok(before);
    }
    block.updated_at = ctx.now;
    let mut changes = vec![link_blocks::update(&ctx.tenant, &block)];
    if block.links != before.links {
        changes.push(site::touch(&ctx.tenant, ctx.now));
    }
    tx.change(changes)?;
    Ok(block)
}

/// Deletes a block. Its links become the own ones of the pages that use it; these are returned, unless they are deleted.
pub fn delete(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    id: &LinkBlockId,
    precondition: &Precondition<LinkBlock>,
) -> Result<Vec<PageId>> {
    let block = find(tx, ctx, id)?;
    precondition.check(&block)?;
    let read = i64::try_from(MOST_PAGES + 1).unwrap_or(i64::MAX);
    let using = pages::link_blocks::using(tx, &ctx.tenant, &block, read)?;
    if using.len() > MOST_PAGES {
        let detail = format!(
            "More than {MOST_PAGES} pages use the link block. Give some of them another one, then delete it."
        );
        return Err(too_many(MOST_PAGES, detail));
    }
    let ids = using.iter().map(|(page_id, _)| page_id);
    tx.change(vec![
        pages::link_blocks::hand_over(&ctx.tenant, &block, ids, ctx.now),
        link_blocks::remove(&ctx.tenant, id),
    ])?;
    Ok(using.into_iter().filter(|(_, is_deleted)| !is_deleted).map(|(page_id, _)| page_id).collect())
}
