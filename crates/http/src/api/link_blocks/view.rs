//! A link block as answers show it.

use pagesmith_model::example::example;
use pagesmith_model::json::JsonText;
use pagesmith_model::link::NavLink;
use pagesmith_model::link_block::{BlockLinks, LinkBlock, LinkBlockKind};
use pagesmith_model::{LinkBlockId, PageId, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

/// Links that several pages share as their navigation or footer.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PageLinkBlock", deny_unknown_fields)]
#[schemars(example = json!({
    "linkBlockId": "linkblock_01jpbz8n4xf5k9w2d7hq3mv6ta",
    "kind": "navigation",
    "name": "Main navigation",
    "links": [example::<NavLink>()],
    "createdAt": "2026-03-20T09:30:00.000Z",
    "updatedAt": "2026-03-21T14:05:12.480Z",
    "deletedAt": null,
}))]
pub(crate) struct LinkBlockView {
    /// Id of the block.
    link_block_id: LinkBlockId,
    /// Where the links are shown: `footer` or `navigation`.
    kind: LinkBlockKind,
    /// Name of the block.
    name: String,
    /// Links, in order: groups of a footer, or links and groups of a navigation.
    #[schemars(with = "BlockLinks")]
    links: JsonText,
    /// When the block was created.
    created_at: Timestamp,
    /// When the block was last changed.
    updated_at: Timestamp,
    /// Always null: a deleted block is not shown.
    deleted_at: Option<Timestamp>,
}

impl From<LinkBlock> for LinkBlockView {
    fn from(block: LinkBlock) -> LinkBlockView {
        LinkBlockView {
            link_block_id: block.link_block_id,
            kind: block.kind,
            name: block.name,
            links: block.links,
            created_at: block.created_at,
            updated_at: block.updated_at,
            deleted_at: None,
        }
    }
}

/// All link blocks of a tenant, or those of one kind.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "PageLinkBlockCollection", deny_unknown_fields)]
#[schemars(example = json!({ "items": [example::<LinkBlockView>()] }))]
pub(crate) struct LinkBlockCollection {
    /// Link blocks, newest first.
    items: Vec<LinkBlockView>,
}

impl LinkBlockCollection {
    pub(crate) fn of(blocks: Vec<LinkBlock>) -> LinkBlockCollection {
        LinkBlockCollection { items: blocks.into_iter().map(LinkBlockView::from).collect() }
    }
}

/// Confirms that a link block is deleted.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DeletePageLinkBlockResponse", deny_unknown_fields)]
#[schemars(example = json!({ "success": true, "updatedPageIds": ["page_01jpbz8n4xf5k9w2d7hq3mv6ta"] }))]
pub(crate) struct DeletedLinkBlock {
    /// Always true.
    success: bool,
    /// Pages that used the block. Its links are their own now.
    updated_page_ids: Vec<PageId>,
}

impl DeletedLinkBlock {
    pub(crate) fn of(updated_page_ids: Vec<PageId>) -> DeletedLinkBlock {
        DeletedLinkBlock { success: true, updated_page_ids }
    }
}
